"""What a player may choose is what the rules allow, and a random option is any of it, each equally often."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

import numpy as np
import pytest

from simulate import Deck, Rules, State, Table
from simulate.escalation.kernel.game import TOOK
from simulate.escalation.kernel.option_table import PASS_ROW
from simulate.escalation.plain.reference import NumberSet, Take, legal_options
from simulate.escalation.rules import PASS, WILD
from simulate.escalation.trace import moves_of_kernel
from strategies.catalogue import strategy

RULES = Rules(Deck.parse("1-7x4,Wx3,Px4"), players=2, hand_size=4)
GAMES = 4000
FACING = {
    "sets, a Pass and the take": (5, 5, WILD, PASS),
    "a Pass and the take": (1, 1, 2, PASS),
    "nothing but Passes": (PASS, PASS),
    "nothing but the take": (1, 1, 2),
}


def facing(hand: tuple[int, ...]) -> State:
    """Return a state in which position 0 faces a pile of two cards and a target of 9."""
    left = RULES.deck.cards()
    for card in (*hand, 3, 4, 6, 6):
        left.remove(card)
    return State((hand, (3, 4)), (0, 0), tuple(left), pile=2, target=9, announcer=1)


@pytest.mark.parametrize("hand", FACING.values(), ids=FACING)
@pytest.mark.parametrize("lead_pass", [False, True])
def test_a_random_option_is_any_that_is_legal_each_equally_often(hand, lead_pass):
    rules, state = replace(RULES, lead_pass=lead_pass), facing(hand)
    options = legal_options(rules, state)
    table = Table(rules, (strategy("random"),) * 2, "given")
    moves = table.play_from(state, 1, np.arange(GAMES), with_moves=True).moves[:, :1]
    first = Counter(Take() if took else laid for game in moves for took, laid in moves_of_kernel(game))
    assert set(first) == set(options)
    expected = GAMES / len(options)
    # Four standard deviations of a binomial.
    assert all(abs(count - expected) < 4 * np.sqrt(expected) for count in first.values())


def test_of_equal_costs_a_play_goes_before_a_pass_and_a_pass_before_a_take():
    indifferent = strategy("minimal").with_changes(
        {name: 0.0 for name in ("overshoot", "early_take", "pass_hoard", "shed", "wild_hold")}
    )
    free_take = indifferent.with_changes({"early_take": 2.0, "early_take_limit": 5.0})
    for hand, wanted in (((5, 5, WILD, PASS), NumberSet), ((1, 1, 2, PASS), type(None)), ((1, 1, 2), Take)):
        table = Table(RULES, (free_take,) * 2, "given")
        move = int(table.play_from(facing(hand), 1, np.arange(1), with_moves=True).moves[0, 0])
        kind = Take if move >= TOOK else type(None) if move == PASS_ROW else NumberSet
        assert kind is wanted
