"""The chance that the next player cannot beat a total: definition, estimate and kernel."""

from __future__ import annotations

import random
from itertools import combinations

import numpy as np
import pytest

from simulate.escalation.kernel.card_counting import (
    SURE,
    chance_estimated,
    chance_exact,
    chance_not_beaten,
    counting_tables,
)
from simulate.escalation.kernel.hands import pack
from simulate.escalation.plain.reference import number_sets
from simulate.escalation.rules import PRESETS, Deck, Rules
from simulate.jit import kernel


@kernel
def fill_chance(tables, unseen, unseen_cards, cards, total, wild_max, out):
    out[0] = chance_not_beaten(tables, unseen, unseen_cards, cards, total, wild_max)


def by_enumeration(rules: Rules, unseen: list[int], cards: int, total: int) -> int:
    """Deal every hand that could be and see which of them beat the total, by the rules."""
    hands = list(combinations(unseen, cards))
    stuck = sum(all(option.total <= total for option in number_sets(rules, hand)) for hand in hands)
    return stuck * SURE // len(hands)


@pytest.mark.parametrize(
    ("text", "wild_max", "cards"),
    [("1-6x2,Wx1,Px1", 7, 3), ("1-4x3,Wx2", 2, 4), ("5x4,9x2,13x1,Wx3,Px2", 7, 3), ("1-3x4,Px2", 7, 5)],
)
def test_the_definition_counts_the_hands_that_cannot_beat(text, wild_max, cards):
    deck = Deck.parse(text)
    rules = Rules(deck, players=2, hand_size=cards, wild_max=wild_max)
    for total in range(40):
        assert chance_exact(deck.cards(), cards, total, wild_max) == by_enumeration(rules, deck.cards(), cards, total)


def random_situation(rng: random.Random) -> tuple[Rules, list[int], int, int]:
    deck = rng.choice([*PRESETS.values(), Deck.parse("1-13x10,Wx6,Px6"), Deck.parse("1-9x6,Wx4")])
    rules = Rules(deck, players=4, hand_size=rng.choice([6, 6, 3, 10]), wild_max=rng.choice([7, 7, 3]))
    unseen = rng.sample(deck.cards(), rng.randint(1, deck.size))
    return rules, unseen, rng.randint(0, min(rules.hand_size, len(unseen))), rng.randint(0, 50)


def test_the_kernel_estimates_as_its_plain_twin():
    rng = random.Random(6)
    out = np.zeros(1, dtype=np.int64)
    for _ in range(1500):
        rules, unseen, cards, total = random_situation(rng)
        fill_chance(counting_tables(rules), pack(unseen), len(unseen), cards, total, rules.wild_max, out)
        assert out[0] == chance_estimated(unseen, cards, total, rules.wild_max)


def test_the_estimate_is_exact_where_only_single_cards_can_beat():
    # One copy of each value and no wilds: no sets. Rounding down happens once in each.
    unseen = Deck.parse("1-13x1,Px2").cards()
    for cards in range(1, 7):
        for total in range(0, 14):
            assert chance_estimated(unseen, cards, total, 7) == chance_exact(unseen, cards, total, 7)


def test_the_estimate_errs_by_about_a_hundredth():
    rng = random.Random(7)
    errors = []
    for _ in range(400):
        unseen = rng.sample(PRESETS["jokers3"].cards(), rng.randint(8, 50))
        total = rng.randint(4, 26)
        exact = chance_exact(unseen, 6, total, 7)
        errors.append(abs(chance_estimated(unseen, 6, total, 7) - exact) / SURE)
    assert np.mean(errors) < 0.015
    assert max(errors) < 0.1


def test_nobody_beats_with_an_empty_hand_and_everybody_is_stuck_above_the_greatest_total():
    cards = PRESETS["jokers3"].cards()
    assert chance_exact(cards, 0, 0, 7) == chance_estimated(cards, 0, 0, 7) == SURE
    assert chance_exact(cards, 6, 48, 7) == SURE
