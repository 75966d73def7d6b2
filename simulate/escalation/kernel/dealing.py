"""Shuffling: deck orders as prefix sums of packed counts, so that drawing cards is one subtraction."""

from __future__ import annotations

from typing import Final

import numpy as np
from numpy.typing import NDArray

from simulate.escalation.rules import Deck
from simulate.jit import jitted
from simulate.rng import (
    FRACTION,
    FRACTION_BITS,
    FRACTION_DROPS,
    FRACTION_SHIFT,
    PURPOSE_DECK,
    draw,
    draw_bits,
    draws,
    stream,
)

PICKS_PER_DRAW: Final = 5
"""Cards picked from one 64-bit draw."""

_ONE = np.uint64(1)
_ZERO = np.uint64(0)


def deck_order(deck: Deck, seed: int, deal: int) -> tuple[int, ...]:
    """Return the order of a deck in one deal of a seed, as card codes, first card first."""
    return shuffled(deck.cards(), draw(stream(seed, PURPOSE_DECK), deal))


def shuffled(cards: list[int], key: int) -> tuple[int, ...]:
    """Shuffle cards with the draws of one stream, from the first place to the last (Fisher and Yates).

    Five picks share a draw: the picked number is the integer part of fraction x bound and the fractional part serves
    the next pick. With five bounds of product B each combination's probability is off by less than B / 2**56 of
    itself: below 2**-27 for 56 cards, below 2**-20 for the largest deck.
    """
    order = list(cards)
    fraction = 0
    for place in range(len(order)):
        if place % PICKS_PER_DRAW == 0:
            fraction = draw(key, place // PICKS_PER_DRAW) >> (64 - FRACTION_BITS)
        fraction *= len(order) - place
        other = place + (fraction >> FRACTION_BITS)
        fraction &= (1 << FRACTION_BITS) - 1
        order[place], order[other] = order[other], order[place]
    return tuple(order)


def deck_orders(deck: Deck, seed: int, deals: NDArray[np.int64]) -> NDArray[np.uint8]:
    """Return the same as `deck_order` for many deals at once, shape (deals, cards)."""
    keys = draws(np.uint64(stream(seed, PURPOSE_DECK)), deals.astype(np.uint64))
    orders = np.tile(np.array(deck.cards(), dtype=np.uint8), (len(deals), 1))
    every, fraction = np.arange(len(deals)), keys
    for place in range(deck.size):
        if place % PICKS_PER_DRAW == 0:
            fraction = draws(keys, np.array([place // PICKS_PER_DRAW], dtype=np.uint64)) >> FRACTION_DROPS
        fraction = fraction * np.uint64(deck.size - place)
        other = place + (fraction >> FRACTION_SHIFT).astype(np.int64)
        fraction = fraction & FRACTION
        picked = orders[every, other]
        orders[every, other] = orders[:, place]
        orders[:, place] = picked
    return orders


@jitted
def shuffle(cards: NDArray[np.uint64], key: np.uint64, order: NDArray[np.uint64], drawn: NDArray[np.uint64]) -> None:
    """Shuffle the words of single cards; `drawn[k]` becomes the sum of the first k.

    Parameters
    ----------
    cards
        The word of each card, sorted, shape (cards,).
    key
        The stream of this deal.
    order, drawn
        Filled in place: the shuffled words, shape at least (cards,), and their prefix sums, at least (cards + 1,).
    """
    size = np.uint64(cards.shape[0])
    place = _ZERO
    while place < size:
        order[place] = cards[place]
        place += _ONE
    total, index, place = _ZERO, _ZERO, _ZERO
    drawn[0] = total
    while place < size:
        fraction = draw_bits(key, index) >> FRACTION_DROPS
        index += _ONE
        for _ in range(PICKS_PER_DRAW):
            if place < size:
                fraction *= size - place
                other = place + (fraction >> FRACTION_SHIFT)
                fraction &= FRACTION
                picked = order[other]
                order[other] = order[place]
                order[place] = picked
                total += picked
                place += _ONE
                drawn[place] = total


@jitted
def add_up(order: NDArray[np.uint64], drawn: NDArray[np.uint64]) -> None:
    """Fill `drawn` with the prefix sums of a given order of single-card words."""
    total = _ZERO
    drawn[0] = total
    for place in range(order.shape[0]):
        total += order[place]
        drawn[place + 1] = total
