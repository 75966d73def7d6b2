"""Tuning by self-play: what gains is learned, and nothing where nothing gains."""

from __future__ import annotations

import numpy as np

from reports.balance.plan import QUICK
from reports.balance.retuning import retuned
from simulate import Rules
from simulate.blocks import deals_of
from simulate.escalation.rules import Deck
from simulate.escalation.settings.comparison import Comparison, play_everything
from strategies.catalogue import strategy
from tests.reports.balance.raw_games import shares_of_wins

RULES = Rules(players=2)


def test_players_who_give_passes_away_learn_to_keep_them(play):
    wasteful = strategy("standard").with_changes({"pass_hoard": 0.5})
    (learned,) = retuned([RULES], wasteful, play, QUICK)
    assert learned["pass_hoard"] > 0.5
    raw = play_everything(Comparison(RULES, wasteful, learned), 99, deals_of(0))
    gains = [shares_of_wins(raw.changed[seat])[:, seat] - shares_of_wins(raw.base[seat])[:, seat] for seat in range(2)]
    assert np.mean(gains) > 0


def test_players_stay_as_they_are_where_nothing_gains(play):
    """Without wilds and Passes it is all one how dearly they are held."""
    rules = Rules(deck=Deck.parse("1-13x4"), players=2)
    assert retuned([rules], strategy("standard"), play, QUICK) == [strategy("standard")]
