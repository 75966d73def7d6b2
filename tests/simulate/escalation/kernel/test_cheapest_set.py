"""The legal sets of a turn, as bits, are those of the rules."""

from __future__ import annotations

import random

import numpy as np
import pytest

from simulate import Deck, Rules
from simulate.escalation.kernel.cheapest_set import legal_sets, one_value_left
from simulate.escalation.kernel.hands import pack
from simulate.escalation.kernel.option_table import BITS, WORDS, option_table, rows
from simulate.escalation.kernel.turns import TurnView
from simulate.escalation.plain.reference import number_sets
from simulate.escalation.rules import PASS, WILD
from simulate.jit import kernel

DECK = Deck.parse("1-13x10,Wx6,Px6")


@kernel
def fill_legal(options, hand, target, legal):
    zero = np.uint64(0)
    turn = TurnView(zero, zero, 0, hand, target, 1, zero, 0)
    legal_sets(options, turn, legal)


@kernel
def fill_one_value(hands, out):
    for place in range(hands.shape[0]):
        out[place] = one_value_left(hands[place])


@pytest.mark.parametrize("rules", [Rules(DECK), Rules(DECK, wild_max=3), Rules(DECK, wild_only_sets=False)], ids=str)
def test_the_bits_are_the_sets_that_beat_the_target(rules):
    choose, options = random.Random(4), option_table(rules)
    for _ in range(300):
        few = [*choose.sample(range(1, 14), 3), WILD, PASS]
        hand = [choose.choice(few) for _ in range(10)]
        hand = [card for card in hand if card != WILD] + [WILD] * min(hand.count(WILD), 6)
        target, legal = choose.randint(0, 60), np.zeros(WORDS, dtype=np.uint64)
        fill_legal(options, pack(hand), target, legal)
        found = {
            (row.value, row.naturals, row.wilds)
            for row in rows()
            if int(legal[row.slot // BITS]) >> (row.slot % BITS) & 1
        }
        wanted = {(s.value, s.naturals, s.wilds) for s in number_sets(rules, hand) if s.total > target}
        assert found == wanted


def test_a_hand_may_go_in_one_set_if_it_has_one_value_beside_wilds_and_no_pass():
    hands = {
        (3, 3): 1,
        (3, WILD): 1,
        (WILD, WILD): 1,
        (13, 13, 13): 1,
        (3, 4): 0,
        (3, PASS): 0,
        (WILD, PASS): 0,
        (1,): 1,
    }
    out = np.zeros(len(hands), dtype=np.int64)
    fill_one_value(np.array([pack(hand) for hand in hands], dtype=np.uint64), out)
    assert out.tolist() == list(hands.values())
