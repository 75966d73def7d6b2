"""Counting cards: the chance that the next player cannot beat a total, given the cards nobody has shown yet.

The unseen cards are the deck less the own hand less all cards ever played; the next player's hand is drawn uniformly
from them, and a Pass does not count as a beat. `chance_exact` is the definition, term by term. Players use
`chance_estimated`, in 1/65536: exact for single cards that beat alone, independent for sets. It is off by about 0.01 on
average. The kernel computes the same numbers from tables.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from itertools import accumulate
from math import comb
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from simulate.escalation.kernel.hands import FIFTEEN, FOUR, wilds_in
from simulate.escalation.kernel.option_table import TARGETS
from simulate.escalation.rules import PASS, VALUES, WILD, Rules
from simulate.jit import jitted

SURE: Final = 1 << 16
"""Probability 1, in the steps of estimated chances."""
_SURE_BITS: Final = 16


def _limits(total: int, wilds: int, wild_max: int) -> list[int]:
    """Return how many naturals of each value can stand beside so many wilds without beating a total."""
    return [total // value - (wilds if value <= wild_max else 0) for value in VALUES]


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
        limits = _limits(total, wilds, wild_max)
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


def at_most(most: int, among: int, cards: int, hand: int) -> int:
    """Return the chance, in 1/65536 rounded down, that a hand holds at most so many of `among` equal cards.

    The hand is drawn from `cards` cards; a hand larger than that holds all of them.
    """
    drawn = min(hand, cards)
    ways = sum(comb(among, k) * comb(cards - among, drawn - k) for k in range(min(most, drawn) + 1))
    return ways * SURE // comb(cards, drawn)


def chance_estimated(unseen: Sequence[int], cards: int, total: int, wild_max: int) -> int:
    """Return an estimate of `chance_exact`: the slow twin of the kernel's.

    For each number of wilds, the chance of that many, times the chance to hold no card that beats with them, times, for
    each other value, the chance to hold too few of it, as if values were independent. Every factor and product is
    rounded down to 1/65536.
    """
    counts = [unseen.count(value) for value in VALUES]
    all_wilds = unseen.count(WILD)
    tame = len(unseen) - all_wilds
    chance = 0
    for wilds in range(min(all_wilds, cards) + 1):
        limits = _limits(total, wilds, wild_max)
        if min(limits) < 0:
            break
        alone = sum(count for count, limit in zip(counts, limits, strict=True) if limit == 0)
        left = cards - wilds
        term = at_most(0, alone, tame, left)
        for count, limit in zip(counts, limits, strict=True):
            if 0 < limit < count:
                term = term * at_most(limit, count, tame - alone, left) >> _SURE_BITS
        of_wilds = at_most(wilds, all_wilds, len(unseen), cards)
        if wilds > 0:
            of_wilds -= at_most(wilds - 1, all_wilds, len(unseen), cards)
        chance += term * of_wilds >> _SURE_BITS
    return chance


class CountingTables(NamedTuple):
    """What the kernel looks up; empty for tables where nobody counts.

    Attributes
    ----------
    none
        `at_most(0, among, cards, hand)` at [cards, among, hand], flattened; `among` up to the whole deck.
    tails
        `at_most(most, among, cards, hand)` at [cards, among, hand, most], flattened; `among` up to `equal`.
    quotients
        total // value at [total, value - 1], flattened.
    deck, equal, hand
        The greatest number of cards, of equal cards, and of cards in hand.
    """

    none: NDArray[np.int64]
    tails: NDArray[np.int64]
    quotients: NDArray[np.int64]
    deck: int
    equal: int
    hand: int


NOBODY_COUNTS: Final = CountingTables(*(np.zeros(0, dtype=np.int64) for _ in range(3)), 0, 0, 0)


def counting_tables(rules: Rules) -> CountingTables:
    """Build the tables for some rules."""
    equal = max(*rules.deck.copies, rules.deck.wilds)
    return _tables(rules.deck.size, equal, rules.hand_size)


@lru_cache(maxsize=16)
def _tables(deck: int, equal: int, hand: int) -> CountingTables:
    none = np.zeros((deck + 1, deck + 1, hand + 1), dtype=np.int64)
    tails = np.zeros((deck + 1, equal + 1, hand + 1, equal + 1), dtype=np.int64)
    for cards in range(deck + 1):
        for held in range(hand + 1):
            drawn = min(held, cards)
            all_ways = comb(cards, drawn)
            for among in range(cards + 1):
                none[cards, among, held] = comb(cards - among, drawn) * SURE // all_ways
            for among in range(min(equal, cards) + 1):
                ways = accumulate(
                    comb(among, k) * comb(cards - among, drawn - k) if k <= drawn else 0 for k in range(equal + 1)
                )
                tails[cards, among, held] = [up_to * SURE // all_ways for up_to in ways]
    quotients = np.array([[total // value for value in VALUES] for total in range(TARGETS)], dtype=np.int64)
    return CountingTables(none.ravel(), tails.ravel(), quotients.ravel(), deck, equal, hand)


@jitted
def tail(tables: CountingTables, most: int, among: int, cards: int, hand: int) -> int:
    """Look up `at_most`."""
    place = ((cards * (tables.equal + 1) + among) * (tables.hand + 1) + hand) * (tables.equal + 1) + most
    return tables.tails[np.uint64(place)]


@jitted
def chance_beside_wilds(
    tables: CountingTables, unseen: np.uint64, tame: int, left: int, total: int, wilds: int, wild_max: int
) -> int:
    """Return the chance not to beat a total with `left` cards that are not wild, beside so many wilds."""
    alone = np.int64(0)
    first = total * len(VALUES)
    for index in range(len(VALUES)):
        limit = tables.quotients[np.uint64(first + index)] - (wilds if index < wild_max else 0)
        if limit == 0:
            alone += np.int64((unseen >> (np.uint64(index) * FOUR)) & FIFTEEN)
    chance = tables.none[np.uint64((tame * (tables.deck + 1) + alone) * (tables.hand + 1) + left)]
    for index in range(len(VALUES)):
        limit = tables.quotients[np.uint64(first + index)] - (wilds if index < wild_max else 0)
        count = np.int64((unseen >> (np.uint64(index) * FOUR)) & FIFTEEN)
        if (limit > 0) & (limit < count):
            chance = chance * tail(tables, limit, count, tame - alone, left) >> _SURE_BITS
    return chance


@jitted
def chance_not_beaten(
    tables: CountingTables, unseen: np.uint64, unseen_cards: int, hand_cards: int, total: int, wild_max: int
) -> int:
    """Return the same as `chance_estimated`, for unseen cards as a word."""
    all_wilds = np.int64(wilds_in(unseen))
    tame = unseen_cards - all_wilds
    chance, fewer = np.int64(0), np.int64(0)
    for wilds in range(min(int(all_wilds), hand_cards) + 1):
        if wilds * wild_max > total:
            break
        up_to = tail(tables, wilds, all_wilds, unseen_cards, hand_cards)
        term = chance_beside_wilds(tables, unseen, tame, hand_cards - wilds, total, wilds, wild_max)
        chance += term * (up_to - fewer) >> _SURE_BITS
        fewer = up_to
    return chance
