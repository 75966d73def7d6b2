"""Turns at which a change would show: those that the slow engine finds, whatever the rules and the players."""

from __future__ import annotations

import numpy as np
import pytest

from simulate import Deck, Rules
from simulate.escalation.plain.reference import HeuristicPlayer
from simulate.escalation.settings.comparison import Comparison
from simulate.escalation.trace import trace
from strategies.catalogue import strategy
from tests.simulate.escalation.settings.test_reasons import find_reasons

SEED = 3
STANDARD = strategy("standard")
CASES = [
    (Rules(players=3), STANDARD, "standard,pass_hoard=0", ()),
    (Rules(players=2), strategy("standard,noise=0.2"), "standard,noise=0.4,early_take=3,early_take_limit=9", ()),
    (Rules(players=4), STANDARD, "standard,overshoot=-0.5,lead_total=-0.5", (strategy("novice"),) * 3),
    (
        Rules(Deck.parse("1-7x5,Wx4,Px6"), 3, 4, 5).with_rulings(
            {"beat_own_total": False, "lead_pass": True, "draw_before_end_check": True}
        ),
        strategy("novice"),
        "novice,pass_hoard=-2,standing=1,endgame_shed=2",
        (),
    ),
]


def found_slowly(paired: Comparison, deal: int, focal: int) -> tuple[int, list[tuple[int, int, int]]]:
    """Ask the slow engine's changed player at every turn of the focal player; return turns, and what he saw."""
    other = HeuristicPlayer(paired.changed)
    turns = [
        turn for turn in trace(paired.table(focal, changed=False), SEED, deal).turns if turn.turn.position == focal
    ]
    fired = [
        turn
        for turn in turns
        if any(other.choose(decided.view).option != decided.choice.option for decided in turn.decisions)
    ]
    return len(turns), [(turn.turn.target, turn.turn.pile, turn.decisions[0].view.deck_left) for turn in fired]


@pytest.mark.parametrize(("rules", "base", "changed", "opponents"), CASES, ids=[changed for _, _, changed, _ in CASES])
def test_they_are_the_turns_that_the_slow_engine_finds(rules, base, changed, opponents):
    paired, deals = Comparison(rules, base, strategy(changed), opponents), range(12)
    firings = find_reasons(paired, SEED, np.array(deals)).firings
    assert firings.games == 12 * rules.players
    turns = several = 0
    for focal in range(rules.players):
        for deal in deals:
            of_game, seen = found_slowly(paired, deal, focal)
            here = (firings.deal == deal) & (firings.focal == focal)
            assert list(zip(firings.target[here], firings.pile[here], firings.deck[here], strict=True)) == seen
            turns += of_game
            several += len(seen) > 1
    assert firings.turns == turns
    assert several > 0


def seen_in(found):
    return zip(found.deal, found.focal, found.target, found.pile, found.deck, strict=True)


def test_a_game_differs_just_if_a_turn_does_and_the_first_such_turn_is_where():
    paired, deals = Comparison(Rules(players=4), STANDARD, strategy("standard,early_take=3")), np.arange(200)
    reasons = find_reasons(paired, SEED, deals)
    firings = reasons.firings
    assert firings.turns == reasons.turns
    first: dict[tuple[int, int], tuple[int, int, int]] = {}
    for deal, focal, *seen in seen_in(firings):
        first.setdefault((deal, focal), tuple(seen))
    assert first == {(deal, focal): tuple(seen) for deal, focal, *seen in seen_in(reasons)}


def test_a_change_that_is_none_never_shows():
    firings = find_reasons(Comparison(Rules(players=2), STANDARD, STANDARD), SEED, np.arange(20)).firings
    assert len(firings.deal) == 0
    assert firings.turns > 100
