"""Estimates and their intervals as people read them."""

from __future__ import annotations

import math
from typing import Final

from reports.statistics import LEVEL, PLANNED, Interval

INTERVAL_NOTE: Final = f"± is the {LEVEL:.0%} interval, {PLANNED}."
MOST_DECIMALS: Final = 4
LOPSIDED: Final = 0.6
"""An interval that reaches less than so far on one side, compared with the other, is not written with one ±."""


def plus(value: float, decimals: int) -> str:
    """Write a number with its sign; a rounded zero has none."""
    text = f"{value:+.{decimals}f}"
    return text[1:] if float(text) == 0 else text


def number(value: float, interval: Interval) -> str:
    """Write a number with as many decimals as its interval warrants."""
    return f"{value + 0.0:.{_decimals(interval)}f}"


def signed(value: float, interval: Interval) -> str:
    """Write a number with its sign and as many decimals as its interval warrants; a rounded zero has no sign."""
    return plus(value, _decimals(interval))


def _decimals(interval: Interval) -> int:
    width = interval.half_width
    if not 0 < width < math.inf:
        return 1
    decimals = max(1, -math.floor(math.log10(width)))
    nearest = min(abs(interval.low), abs(interval.high))
    if interval.low > 0 or interval.high < 0:
        # An end that is not 0 does not read as 0.
        decimals = max(decimals, 1 - math.ceil(math.log10(2 * nearest)))
    return min(MOST_DECIMALS, decimals)


def bounds(interval: Interval) -> str:
    """Write the ends of an interval."""
    return f"{signed(interval.low, interval)} to {signed(interval.high, interval)}"


def size_and_span(interval: Interval) -> tuple[str, str]:
    """Write the size of an effect and, in brackets, its interval; without signs where words will say the direction."""
    if interval.low > 0 or interval.high < 0:
        ends = sorted(abs(end) for end in (interval.low, interval.high))
        span = f"({number(ends[0], interval)} to {number(ends[1], interval)})"
    else:
        span = f"({bounds(interval)})"
    return number(abs(interval.estimate), interval), span


def plus_minus(interval: Interval) -> str:
    """Write an estimate and how far it may be off; if that is further on one side, the bounds themselves."""
    estimate, low, high = interval.estimate, interval.low, interval.high
    if low < high and estimate in {low, high}:
        return f"at most {_rounded_up(high):.2f}" if estimate == low else f"at least {-_rounded_up(-low):.2f}"
    below, above = estimate - low, high - estimate
    if min(below, above) < LOPSIDED * max(below, above):
        return f"{estimate:.2f} ({low:.2f} to {high:.2f})"
    return f"{estimate:.2f} ± {interval.half_width:.2f}"


def _rounded_up(number: float) -> float:
    return math.ceil(number * 100) / 100
