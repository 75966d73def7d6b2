"""The greatest total in hand, and the choice of a player who would rather keep it."""

import numpy as np
import pytest

from simulate.escalation.engine import rule_numbers
from simulate.escalation.kernel.hands import pack
from simulate.escalation.kernel.reserve import greatest_of
from simulate.escalation.plain.reference import NumberSet, number_sets
from simulate.escalation.rules import WILD, Deck, Rules
from simulate.jit import kernel
from simulate.lanes import nibbles

RULES = (
    Rules(),
    Rules(wild_only_sets=False),
    Rules(wild_max=3),
    Rules(Deck.parse("1-13x10,Wx6"), players=2, hand_size=10),
)


@kernel
def fill_greatest(hand, wilds, rules, out):
    greatest = greatest_of(nibbles(hand), wilds, rules)
    out[0], out[1], out[2] = greatest.total, np.int64(greatest.lane) + 1, greatest.second


def best_of(sets: list[NumberSet]) -> int:
    return max((one.total for one in sets), default=0)


@pytest.mark.parametrize("rules", RULES, ids=["standard", "no sets of wilds alone", "wilds up to 3", "crowded"])
def test_the_greatest_totals_are_those_of_the_sets_in_hand(rules):
    rng, cards = np.random.default_rng(1), np.array([card for card in rules.deck.cards() if card <= WILD])
    for _ in range(200):
        hand = sorted(cards[rng.permutation(len(cards))[: rng.integers(1, rules.hand_size + 1)]].tolist())
        # Some of the wilds in hand may be about to be spent.
        wilds = int(rng.integers(0, hand.count(WILD) + 1))
        left = [card for card in hand if card != WILD] + [WILD] * wilds
        out = np.zeros(3, dtype=np.int64)
        fill_greatest(pack(hand), np.uint64(wilds), rule_numbers(rules), out)
        total, value, second = out.tolist()
        sets = list(number_sets(rules, left))
        assert total == best_of(sets), hand
        # Sets of wilds alone are there whatever becomes of the naturals of a value.
        others = [one for one in sets if one.value != value or one.naturals == 0]
        if any(one.value == value and one.naturals for one in sets):
            assert second == best_of(others), hand
        else:
            assert best_of([one for one in sets if one.naturals == 0]) == total, hand
