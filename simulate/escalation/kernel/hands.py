"""A hand as one 64-bit word: sixteen counts of four bits each.

Nibble v - 1 counts the natural cards of value v (1-13), nibble 13 the wilds, nibble 14 the Passes; nibble 15 stays
empty. Counts reach 10 at most, so cards are added and removed by adding and subtracting whole words.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

import numpy as np
from numpy.typing import NDArray

from simulate.escalation.rules import GREATEST_WILD_VALUE, HIGHEST_VALUE, PASS, WILD
from simulate.jit import jitted

NIBBLE: Final = 4
PLANES: Final = 3
"""Sets of 1-4, 5-8 and 9-10 naturals: one word of four bits per value for each."""


def every_value(nibble: int) -> np.uint64:
    """Return a word with the same nibble at each of the 13 values."""
    return np.uint64(sum(nibble << (NIBBLE * (value - 1)) for value in range(1, HIGHEST_VALUE + 1)))


NATURALS: Final = every_value(15)
LOW_NATURALS: Final = np.uint64((1 << (NIBBLE * GREATEST_WILD_VALUE)) - 1)
"""The values that a wild can stand beside."""

ZERO: Final = np.uint64(0)
ONE: Final = np.uint64(1)
FOUR: Final = np.uint64(4)
FIFTEEN: Final = np.uint64(15)
WILD_SHIFT: Final = np.uint64(NIBBLE * (WILD - 1))
PASS_SHIFT: Final = np.uint64(NIBBLE * (PASS - 1))
ALL_WILDS: Final = FIFTEEN << WILD_SHIFT
ONE_PASS: Final = ONE << PASS_SHIFT
NIBBLE_START: Final = np.uint64(60)
"""Masks a bit number down to the first bit of its nibble."""

_TOP = every_value(8)
_SEVENS, _SIXES, _FIVES, _FOURS = (every_value(n) for n in (7, 6, 5, 4))
_THREES, _TWOS, _ONES = (every_value(n) for n in (3, 2, 1))
_SEVEN = np.uint64(7)
_TWO, _THREE = np.uint64(2), np.uint64(3)


def pack(cards: Iterable[int]) -> np.uint64:
    """Return the word that counts these card codes."""
    return np.uint64(sum(1 << (NIBBLE * (card - 1)) for card in cards))


def card_words() -> NDArray[np.uint64]:
    """Return the word of each single card, by card code; shape (16,), code 0 is no card."""
    return np.array([0] + [1 << (NIBBLE * (card - 1)) for card in range(1, PASS + 1)], dtype=np.uint64)


@jitted
def wilds_in(hand: np.uint64) -> np.uint64:
    """Count the wilds."""
    return (hand >> WILD_SHIFT) & FIFTEEN


@jitted
def sets_of_one_to_four(naturals: np.uint64) -> np.uint64:
    """Mark which sets of 1-4 equal naturals a hand affords: bit n - 1 of a nibble is a set of n.

    The hand has up to 8 of each value. Adding 8 - n to such a count reaches a nibble's top bit exactly when the count
    is at least n.
    """
    return (
        (((naturals + _SEVENS) & _TOP) >> _THREE)
        | (((naturals + _SIXES) & _TOP) >> _TWO)
        | (((naturals + _FIVES) & _TOP) >> ONE)
        | ((naturals + _FOURS) & _TOP)
    )


@jitted
def sets_of_five_to_eight(naturals: np.uint64) -> np.uint64:
    """Mark which sets of 5-8 equal naturals a hand affords: bit n - 5 of a nibble is a set of n."""
    return (
        (((naturals + _THREES) & _TOP) >> _THREE)
        | (((naturals + _TWOS) & _TOP) >> _TWO)
        | (((naturals + _ONES) & _TOP) >> ONE)
        | (naturals & _TOP)
    )


@jitted
def beyond_eight(naturals: np.uint64) -> np.uint64:
    """Return a word that counts only the naturals beyond the eighth of each value."""
    nine_or_more = naturals & _TOP & ((naturals & _SEVENS) + _SEVENS)
    return naturals & ((nine_or_more >> _THREE) * _SEVEN)


@jitted
def cards_in(hand: np.uint64) -> int:
    """Count the cards of a hand."""
    count = np.int64(0)
    while hand != ZERO:
        count += np.int64(hand & FIFTEEN)
        hand >>= FOUR
    return count
