"""Counting cards: the same estimates as `plain.card_counting`, looked up in tables."""

from __future__ import annotations

from functools import lru_cache
from itertools import accumulate
from math import comb
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from simulate.escalation.kernel.hands import FIFTEEN, FOUR, wilds_in
from simulate.escalation.kernel.option_table import TARGETS
from simulate.escalation.rules import VALUES, Rules
from simulate.jit import jitted
from strategies.heuristic import CHANCE_BITS, SURE


class CountingTables(NamedTuple):
    """What the kernel looks up; empty for tables where nobody counts.

    Attributes
    ----------
    none
        The chance to hold none (see `at_most` in `plain`) at [cards, among, hand], flattened; `among` up to the whole
        deck.
    tails
        The same for `most` cards at [cards, among, hand, most], flattened; `among` up to `equal`.
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
        if limit <= 0:
            alone += np.int64((unseen >> (np.uint64(index) * FOUR)) & FIFTEEN)
    chance = tables.none[np.uint64((tame * (tables.deck + 1) + alone) * (tables.hand + 1) + left)]
    for index in range(len(VALUES)):
        limit = tables.quotients[np.uint64(first + index)] - (wilds if index < wild_max else 0)
        count = np.int64((unseen >> (np.uint64(index) * FOUR)) & FIFTEEN)
        if (limit > 0) & (limit < count):
            chance = chance * tail(tables, limit, count, tame - alone, left) >> CHANCE_BITS
    return chance


@jitted
def chance_not_beaten(
    tables: CountingTables,
    unseen: np.uint64,
    unseen_cards: int,
    hand_cards: int,
    total: int,
    wild_max: int,
    wild_only_sets: int,
) -> int:
    """Return the same as `chance_estimated`, for unseen cards as a word."""
    all_wilds = np.int64(wilds_in(unseen))
    tame = unseen_cards - all_wilds
    chance, fewer = np.int64(0), np.int64(0)
    for wilds in range(min(int(all_wilds), hand_cards) + 1):
        if (wilds if wild_only_sets else min(wilds, 1)) * wild_max > total:
            break
        up_to = tail(tables, wilds, all_wilds, unseen_cards, hand_cards)
        term = chance_beside_wilds(tables, unseen, tame, hand_cards - wilds, total, wilds, wild_max)
        chance += term * (up_to - fewer) >> CHANCE_BITS
        fewer = up_to
    return chance
