"""The chance that the next player cannot beat a total: definition and estimate."""

from __future__ import annotations

import random
from collections.abc import Sequence
from itertools import combinations
from math import comb

import numpy as np
import pytest

from simulate.escalation.plain.card_counting import chance_estimated
from simulate.escalation.plain.reference import number_sets
from simulate.escalation.rules import PASS, PRESETS, VALUES, WILD, Deck, Rules
from strategies.heuristic import SURE


def chance_exact(unseen: Sequence[int], cards: int, total: int, wild_max: int) -> int:
    """Return the chance that a player cannot beat a total, in 1/65536, rounded down.

    Parameters
    ----------
    unseen
        The codes of the cards that his hand is drawn from.
    cards
        Cards in his hand.
    total
        The total to beat.
    wild_max
        The greatest value that a wild may stand for.

    Notes
    -----
    Summed over the number w of wilds in his hand: the ways to choose them, times the coefficient of x^(cards - w) in
    (1 + x)^Passes times, for each value, the ways to hold no more naturals of it than fail to beat beside w wilds.
    """
    counts = [unseen.count(value) for value in VALUES]
    ways = 0
    for wilds in range(min(unseen.count(WILD), cards) + 1):
        limits = [total // value - (wilds if value <= wild_max else 0) for value in VALUES]
        if min(limits) < 0:
            break
        polynomial = [comb(unseen.count(PASS), k) for k in range(cards - wilds + 1)]
        for count, limit in zip(counts, limits, strict=True):
            polynomial = [
                sum(polynomial[k - j] * comb(count, j) for j in range(min(limit, count, k) + 1))
                for k in range(len(polynomial))
            ]
        ways += comb(unseen.count(WILD), wilds) * polynomial[cards - wilds]
    return ways * SURE // comb(len(unseen), cards)


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
