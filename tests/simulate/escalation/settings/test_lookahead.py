"""Win chances along games: whichever games are looked at together, the numbers of each are its own."""

from __future__ import annotations

import numpy as np
import pytest

from simulate import Rules, Table
from simulate.blocks import deals_of
from simulate.escalation.kernel.win_shares import WIN
from simulate.escalation.plain.option_kinds import kinds_of
from simulate.escalation.plain.reference import legal_options
from simulate.escalation.rules import Deck
from simulate.escalation.settings.lookahead import MEASURED_MORE, NOBODY_ELSE, AfterOptions, AlongGames
from simulate.escalation.settings.rollouts import BATCHES
from simulate.escalation.settings.situations import follow, record
from strategies.catalogue import strategy

RULES = Rules(deck=Deck.parse("1-6x3,Wx1,Px2"), players=3, hand_size=3)
TABLE = Table(RULES, (strategy("standard"), strategy("minimal"), strategy("shedder")), "given")
GAMES = follow(RULES, 1, record(TABLE, 1, np.arange(5040, 5045)))


@pytest.mark.parametrize("kind", [AlongGames, AfterOptions])
def test_a_game_has_the_same_numbers_whatever_is_looked_at_beside_it(kind):
    few, many = (kind(TABLE, games, 40).play_deals(1, deals_of(1)) for games in (2, 5))
    for name, numbers in few.items():
        assert np.array_equal(numbers, many[name][:2])
    other = kind(TABLE, 2, 40).play_deals(2, deals_of(1))
    assert not np.array_equal(few["wins"], other["wins"])


def test_chances_along_games_add_up_and_end_with_the_result():
    wins = AlongGames(TABLE, 5, 40).play_deals(1, deals_of(1))["wins"]
    for game, curve in zip(GAMES, wins, strict=True):
        # Two games per batch; every one of them has one win to share.
        assert np.all(curve[: game.turns + 1].sum(axis=-1) == 2 * WIN)
        assert not curve[game.turns + 1 :].any()
        won = np.array([position in game.winners for position in range(3)])
        assert np.all(curve[game.turns] == won * (2 * WIN // len(game.winners)))


def test_candidates_are_legal_options_of_which_the_third_is_of_another_kind():
    counts = AfterOptions(TABLE, 5, 40).play_deals(1, deals_of(1))
    thirds = 0
    for game, chosen, wins in zip(GAMES, counts["chosen"], counts["wins"], strict=True):
        assert np.all(chosen[game.turns :] == NOBODY_ELSE)
        for turn, (best, worst, other) in enumerate(chosen[: game.turns].tolist()):
            options = legal_options(RULES, game.states[turn])
            kinds = kinds_of(game.states[turn], options)
            if len(options) == 1:
                assert (best, worst, other) == (NOBODY_ELSE,) * 3
                continue
            assert best != worst
            assert {best, worst} <= set(range(len(options)))
            assert (other == NOBODY_ELSE) == (len(set(kinds)) == 1)
            assert other == NOBODY_ELSE or kinds[other] != kinds[best]
            thirds += other != NOBODY_ELSE
            assert wins[turn].max() <= 40 * MEASURED_MORE // BATCHES * WIN
    assert thirds > 10
