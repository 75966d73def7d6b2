"""Counter-based random numbers: a draw is a function of (seed, purpose, deal number, index) and of nothing else.

The generator is SplitMix64 (Steele, Lea and Flood, OOPSLA 2014): output number `index` of the sequence that starts at
`key` is a mix of `key + (index + 1) * GOLDEN`, so any output is reached at once. Streams are nested by using a draw as
the key of the next level. For one key, different indices always give different draws, so no two deals of a seed share a
stream.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final, cast

import numpy as np
from numpy.typing import NDArray

from simulate.jit import jitted

GOLDEN: Final = 0x9E3779B97F4A7C15
FIRST_MULTIPLIER: Final = 0xBF58476D1CE4E5B9
SECOND_MULTIPLIER: Final = 0x94D049BB133111EB
WORD: Final = (1 << 64) - 1

FRACTION_BITS: Final = 56
"""A draw's upper 56 bits are a fraction; times a bound of up to 256 it still fits a word."""
FRACTION: Final = np.uint64((1 << FRACTION_BITS) - 1)
FRACTION_SHIFT: Final = np.uint64(FRACTION_BITS)
FRACTION_DROPS: Final = np.uint64(64 - FRACTION_BITS)
"""The bits of a draw that are left out of its fraction."""

PURPOSE_DECK: Final = 1
PURPOSE_NOISE: Final = 2
PURPOSE_SEATING: Final = 3
PURPOSE_OTHER: Final = 4

_GOLDEN = np.uint64(GOLDEN)
_FIRST = np.uint64(FIRST_MULTIPLIER)
_SECOND = np.uint64(SECOND_MULTIPLIER)
_ONE = np.uint64(1)
_27, _30, _31, _32 = np.uint64(27), np.uint64(30), np.uint64(31), np.uint64(32)


def draw(key: int, index: int) -> int:
    """Return draw number `index` of the stream `key`: 64 bits, as a Python integer.

    This is SplitMix64's output number `index` (from 0) for the starting state `key`.
    """
    state = (key + (index + 1) * GOLDEN) & WORD
    state = ((state ^ (state >> 30)) * FIRST_MULTIPLIER) & WORD
    state = ((state ^ (state >> 27)) * SECOND_MULTIPLIER) & WORD
    return state ^ (state >> 31)


def stream(seed: int, purpose: int) -> int:
    """Return the key under which the deals of one purpose are numbered: `draw(stream(seed, purpose), deal)`."""
    return draw(draw(seed & WORD, 0), purpose)


def deal_streams(seed: int, noise_salt: int = 0) -> NDArray[np.uint64]:
    """Return the keys under which deals have their shuffle and their noise, shape (2,); a salt gives other noise."""
    noise = draw(stream(seed, PURPOSE_NOISE), noise_salt & WORD)
    return np.array([stream(seed, PURPOSE_DECK), noise], dtype=np.uint64)


@jitted
def draw_bits(key: np.uint64, index: np.uint64) -> np.uint64:
    """Return the same as `draw`, in wrapping 64-bit arithmetic."""
    state = key + (index + _ONE) * _GOLDEN
    state = (state ^ (state >> _30)) * _FIRST
    state = (state ^ (state >> _27)) * _SECOND
    return state ^ (state >> _31)


def draws(keys: NDArray[np.uint64] | np.uint64, indices: NDArray[np.uint64]) -> NDArray[np.uint64]:
    """Return `draw(key, index)` for many indices, and for one key or many, at once; the two shapes broadcast."""
    # The text of `draw_bits`, left to numpy, which lets products of arrays wrap around without a warning.
    plain = cast("Callable[[object, object], NDArray[np.uint64]]", getattr(draw_bits, "py_func", draw_bits))
    return plain(keys, indices)


@jitted
def below(bits: np.uint64, bound: np.uint64) -> np.uint64:
    """Turn the upper 32 bits of a draw into a number from 0 to bound - 1.

    Each result's probability is off by less than 2**-32, that is by less than bound / 2**32 of itself.
    """
    return ((bits >> _32) * bound) >> _32
