"""Estimates and their intervals as people read them."""

from __future__ import annotations

import math
from collections.abc import Sequence
from decimal import Decimal
from fractions import Fraction
from typing import Final

from reports.estimates.intervals import LEVEL, PLANNED, Interval
from reports.estimates.measures import Measure, Row, interval_from_row
from reports.reading.values import Value, shown

INTERVAL_NOTE: Final = f"± is the {LEVEL:.0%} interval, {PLANNED}."
MOST_DECIMALS: Final = 4
LEAST_SHOWN: Final = 0.005
"""Widths below this would be 0.00."""
LOPSIDED: Final = 0.6
"""An interval that reaches less than so far on one side, compared with the other, is not written with one ±."""


def percent(share: float) -> str:
    """Write a level or a rate with as many digits as it needs: 95%, 98.75%, 99.95%, 0.0001%."""
    # What is missing to the nearer end is written to three digits.
    near = Decimal(f"{min(share, 1 - share):.3g}") * 100
    text = f"{near if share < 1 - share else 100 - near:f}"
    return f"{text.rstrip('0').rstrip('.') if '.' in text else text}%"


def counted(number: int, noun: str) -> str:
    """Write a number of things: "1 card", "2 cards", "5,040 deals"."""
    return f"{number:,} {noun}{'' if number == 1 else 's'}"


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
    if interval.excludes_zero:
        # An end that is not 0 does not read as 0.
        decimals = max(decimals, 1 - math.ceil(math.log10(2 * nearest)))
    return min(MOST_DECIMALS, decimals)


def bounds(interval: Interval) -> str:
    """Write the ends of an interval."""
    return f"{signed(interval.low, interval)} to {signed(interval.high, interval)}"


def with_bounds(interval: Interval, decimals: int | None = None, *, sign: bool = True) -> str:
    """Write an estimate and, in brackets, its interval: to so many decimals, or to as many as the interval warrants."""
    if decimals is None:
        return f"{signed(interval.estimate, interval)} ({bounds(interval)})"
    estimate, low, high = (
        f"{end:{'+' if sign else ''}.{decimals}f}" for end in (interval.estimate, interval.low, interval.high)
    )
    return f"{estimate} ({low} to {high})"


def size_and_span(interval: Interval) -> tuple[str, str]:
    """Write the size of an effect and, in brackets, its interval; without signs where words will say the direction."""
    if interval.excludes_zero:
        ends = sorted(abs(end) for end in (interval.low, interval.high))
        span = f"({number(ends[0], interval)} to {number(ends[1], interval)})"
    else:
        span = f"({bounds(interval)})"
    return number(abs(interval.estimate), interval), span


def plus_minus(interval: Interval) -> str:
    """Write an estimate and how far it may be off; if that is further on one side, the bounds themselves.

    Without an interval, as where a number is fixed by construction, it is the number alone.
    """
    estimate, low, high = interval.estimate, interval.low, interval.high
    if math.isnan(low):
        return f"{estimate:.2f}"
    if low < high and estimate in {low, high}:
        return f"at most {_rounded_up(high):.2f}" if estimate == low else f"at least {-_rounded_up(-low):.2f}"
    below, above = estimate - low, high - estimate
    if min(below, above) < LOPSIDED * max(below, above):
        return f"{estimate:.2f} ({low:.2f} to {high:.2f})"
    # A width that two decimals would round to nothing has as many as show it.
    width = interval.half_width
    decimals = -math.floor(math.log10(width)) if 0 < width < LEAST_SHOWN else 2
    return f"{estimate:z.{decimals}f} ± {width:.{decimals}f}"


def number_in(row: Row, measure: Measure) -> str:
    """Write the number that a row holds, with its interval if it has one; a dash if there is no number."""
    if math.isnan(row[measure.name]):
        return "-"
    if math.isnan(row.get(f"{measure.name}_low", math.nan)):
        return f"{row[measure.name]:.2f}"
    return plus_minus(interval_from_row(row, measure.name))


def _rounded_up(number: float) -> float:
    return math.ceil(number * 100) / 100


def players_text(counts: list[int]) -> str:
    """Write table sizes as words: "4 players", "2 to 4 players", "2, 5 and 7 players"."""
    ordered = sorted(counts)
    if len(ordered) > 1 and ordered[-1] - ordered[0] == len(ordered) - 1:
        return f"{ordered[0]} to {ordered[-1]} players"
    *first, last = map(str, ordered)
    return f"{', '.join(first)} and {last} players" if first else f"{last} players"


def with_error(number: float, error: float, decimals: int | None = None, *, sign: bool = True) -> str:
    """Write a number with its error, if it has one: to so many decimals, or to the error's first digit."""
    if math.isnan(error):
        return f"{number:{'+' if sign else ''}.{1 if decimals is None else decimals}f}"
    if decimals is None:
        decimals = max(0, -math.floor(math.log10(error))) if error > 0 else 1
    return f"{number:{'+' if sign else ''}z.{decimals}f} ± {error:.{decimals}f}"


def row_with_error(row: Row, name: str, decimals: int = 1, *, sign: bool = True) -> str:
    """Write a number that a row holds in the columns of `bounds_columns`, with half the width of its interval."""
    return with_error(row[name], interval_from_row(row, name).half_width, decimals, sign=sign)


def span_of(chosen: Sequence[Value], tried: Sequence[Value]) -> str:
    """Say at which of the values tried the chosen ones lie: "at 4", "from 2 to 4", or a list if there are gaps."""
    if len(set(chosen)) == 1:
        return f"at {shown(chosen[0])}"
    if any(isinstance(value, str) for value in chosen):
        return "at " + ", ".join(shown(value) for value in tried if value in chosen)
    numbers, every = [float(value) for value in chosen], [float(value) for value in tried]
    low, high = min(numbers), max(numbers)
    if sum(low <= value <= high for value in every) == len(numbers):
        return f"from {low:g} to {high:g}"
    return "at " + ", ".join(f"{value:g}" for value in sorted(numbers))


def both_ways(fraction: Fraction) -> str:
    """Return a number as a fraction and, rounded to six decimals, as a decimal: `2/3 = 0.666667`."""
    return str(fraction) if fraction.denominator == 1 else f"{fraction} = {float(fraction):.6f}"


def fraction_data(fraction: Fraction) -> dict[str, object]:
    """Return a fraction as text with its decimal value."""
    return {"fraction": str(fraction), "decimal": float(fraction)}
