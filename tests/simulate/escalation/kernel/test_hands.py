"""A hand in one word says which sets it affords."""

import numpy as np
import pytest

from simulate.escalation.kernel.hands import (
    beyond_eight,
    cards_in,
    pack,
    sets_of_five_to_eight,
    sets_of_one_to_four,
    wilds_in,
)
from simulate.escalation.rules import PASS, VALUES, WILD
from simulate.jit import kernel
from tests.simulate.escalation.cases import unpack


@kernel
def fill_facts(hand, out):
    beyond = beyond_eight(hand)
    out[0] = sets_of_one_to_four(hand - beyond)
    out[1] = sets_of_five_to_eight(hand - beyond)
    out[2] = sets_of_one_to_four(beyond)


@kernel
def fill_counts(hand, out):
    out[0], out[1] = cards_in(hand), wilds_in(hand)


def sizes_of_sets(word, first):
    """Read a word of sets back: for each value, the sizes marked in its nibble."""
    return [{first + bit for bit in range(4) if int(word) >> (4 * (value - 1) + bit) & 1} for value in VALUES]


@pytest.mark.parametrize("seed", range(50))
def test_a_hand_affords_every_set_up_to_what_it_holds(seed):
    counts = np.random.default_rng(seed).integers(0, 11, 13)
    counts[seed % 13] = 10
    hand = pack([value for value, count in zip(VALUES, counts, strict=True) for _ in range(count)])
    words = np.zeros(3, dtype=np.uint64)
    fill_facts(hand, words)
    for plane, first in enumerate((1, 5, 9)):
        expected = [set(range(first, min(count, first + 3) + 1)) for count in counts]
        assert sizes_of_sets(words[plane], first) == expected


def test_cards_go_in_and_come_out():
    cards = (1, 1, 7, 13, 13, 13, WILD, WILD, PASS)
    hand = pack(cards)
    assert unpack(hand) == cards
    counts = np.zeros(2, dtype=np.int64)
    fill_counts(hand, counts)
    assert counts.tolist() == [9, 2]
