"""On which turns two strategies can differ at all."""

from __future__ import annotations

import numpy as np
import pytest

from simulate.escalation.kernel.hands import pack
from simulate.escalation.kernel.shadow import (
    ALWAYS,
    DECK_EMPTY,
    HOLDING_A_PASS,
    HOLDING_A_WILD,
    HOLDING_A_WILD_SEVEN,
    LEADING,
    ONE_IS_RANDOM,
    PILE_WITHIN_LIMIT,
    may_differ,
    no_shadow,
    occasions_between,
)
from simulate.escalation.kernel.turns import TurnView
from simulate.escalation.rules import PASS, WILD
from simulate.jit import kernel
from strategies.catalogue import strategy
from strategies.parameters import CARD, PARAMETER_NAMES
from strategies.strategy import player_records


@kernel
def fill_may_differ(shadow, hand, pile, stage, one_is_random, out):
    zero = np.uint64(0)
    out[0] = may_differ(shadow, TurnView(zero, zero, 0, hand, 5, pile, zero, stage), one_is_random)


def between(first, second):
    return occasions_between(*player_records((strategy(first), strategy(second))))


def test_equal_players_have_no_occasion_and_changes_add_theirs_up():
    assert between("standard", "standard") == 0
    assert between("minimal", "minimal,pass_hoard=2") == HOLDING_A_PASS
    assert between("minimal", "minimal,pass_hoard=2,lead_total=1") == HOLDING_A_PASS | LEADING
    assert between("minimal", "minimal,overshoot=1.5") == ALWAYS
    assert between("minimal", "minimal,noise=0.5") == ONE_IS_RANDOM


def test_every_parameter_has_an_occasion():
    plain = strategy("minimal")
    for name in PARAMETER_NAMES:
        changed = plain.with_changes({name: 0.25})
        assert plain[name] != 0.25
        assert occasions_between(*player_records((plain, changed))) > 0


@pytest.mark.parametrize(
    ("occasion", "hand", "pile", "stage", "random", "there"),
    [
        (ALWAYS, (1,), 3, 0, False, True),
        (HOLDING_A_PASS, (1, PASS), 3, 0, False, True),
        (HOLDING_A_PASS, (1, WILD), 3, 0, False, False),
        (HOLDING_A_WILD, (1, WILD), 3, 0, False, True),
        (HOLDING_A_WILD, (1, 7), 3, 0, False, False),
        (HOLDING_A_WILD_SEVEN, (7, WILD), 3, 0, False, True),
        (HOLDING_A_WILD_SEVEN, (6, WILD), 3, 0, False, False),
        (HOLDING_A_WILD_SEVEN, (7, 7), 3, 0, False, False),
        (PILE_WITHIN_LIMIT, (1,), 4, 0, False, True),
        (PILE_WITHIN_LIMIT, (1,), 5, 0, False, False),
        (PILE_WITHIN_LIMIT, (1,), 0, 0, False, False),
        (DECK_EMPTY, (1,), 3, 1, False, True),
        (DECK_EMPTY, (1,), 3, 0, False, False),
        (LEADING, (1,), 0, 0, False, True),
        (LEADING, (1,), 1, 0, False, False),
        (ONE_IS_RANDOM, (1,), 3, 0, True, True),
        (ONE_IS_RANDOM, (1,), 3, 0, False, False),
    ],
)
def test_an_occasion_is_there_on_the_turns_it_names(occasion, hand, pile, stage, random, there):
    shadow, out = no_shadow(), np.zeros(1, dtype=np.bool_)
    shadow.at[0]["occasions"], shadow.at[0]["limit"] = occasion, 4 * CARD
    fill_may_differ(shadow, pack(hand), pile, stage, random, out)
    assert out[0] == there
