"""Games followed turn by turn are those that the slow engine plays."""

from __future__ import annotations

import numpy as np
import pytest

from simulate import Deck, Rules, Table
from simulate.escalation.kernel.dealing import deck_order
from simulate.escalation.settings.retelling import retell
from simulate.escalation.state import TELEMETRY
from simulate.escalation.trace import trace
from strategies.catalogue import strategy

SEED = 5


NOISY = strategy("standard,noise=0.3,early_take=2")


ODD_RULES = [
    Rules(players=3),
    Rules(players=2).with_rulings({"lead_pass": True, "beat_own_total": False}),
    Rules(players=4).with_rulings({"draw_before_end_check": True, "wild_only_sets": False}),
    Rules(Deck.parse("1-7x5,Wx4,Px6"), 3, 4, 5).with_rulings({"beat_own_total": False, "wild_only_sets": False}),
]


@pytest.mark.parametrize("rules", ODD_RULES, ids=str)
def test_games_are_followed_as_the_slow_engine_plays_them(rules):
    table, deals = Table(rules, (NOISY,) * rules.players, "given"), range(25)
    moves = table.play(SEED, np.array(deals), with_moves=True).moves
    orders = np.array([deck_order(rules.deck, SEED, deal) for deal in deals], dtype=np.uint8)
    told = retell(rules, orders, moves)
    for deal in deals:
        record = trace(table, SEED, deal).record
        assert told.turns[deal] == len(record.turns)
        assert told.left[deal].tolist() == [len(hand) for hand in record.final.hands]
        for number, turn in enumerate(record.turns):
            assert told.pile[deal, number] == turn.pile
            assert told.target[deal, number] == (turn.target if turn.pile else told.target[deal, number])
            assert told.took[deal, number] == turn.took
            assert told.forced[deal, number] == (turn.took and len(turn.first.choice.costs) == 1)


@pytest.mark.parametrize("rules", ODD_RULES, ids=str)
def test_forced_takes_are_those_that_the_engine_counts(rules):
    table, deals = Table(rules, (NOISY,) * rules.players, "given"), np.arange(400)
    played = table.play(SEED, deals, with_moves=True)
    orders = np.array([deck_order(rules.deck, SEED, int(deal)) for deal in deals], dtype=np.uint8)
    told = retell(rules, orders, played.moves)
    counted = dict(zip(TELEMETRY, played.telemetry.sum(axis=(0, 1)), strict=True))
    assert told.took.sum() == counted["takes"]
    assert (told.took & ~told.forced).sum() == counted["willing_takes"] > 0
    assert told.forced.sum() > 0
    assert (told.pile * told.took).sum() == counted["cards_taken"]
    assert told.left.sum() == counted["cards_left"]
