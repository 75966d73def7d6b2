"""Several numbers at once: intervals and tests that are wrong together as rarely as a single one."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Final

import numpy as np

from reports.estimates.intervals import LEVEL, Interval

MOST_NAMED: Final = 3
"""Of more than so many that may be the greatest, only the first are named."""


def level_of_each(number: int) -> float:
    """Return the level that so many intervals need each to hold all together (Bonferroni)."""
    return 1 - (1 - LEVEL) / number


def at_once(p_values: Sequence[float]) -> list[float]:
    """Return p-values made so large that all tests together are wrong as rarely as one (Holm)."""
    order = np.argsort(p_values, kind="stable")
    adjusted, least = [0.0] * len(p_values), 0.0
    for place, number in enumerate(order):
        least = min(1.0, max(least, p_values[number] * (len(p_values) - place)))
        adjusted[number] = least
    return adjusted


def greatest(intervals: Sequence[Interval]) -> Interval:
    """Return the interval of the greatest of several numbers, from intervals that hold all together."""
    estimate, low, high = (max(getattr(own, end) for own in intervals) for end in ("estimate", "low", "high"))
    return Interval(estimate, low, high)


def distance(interval: Interval) -> Interval:
    """Return the interval of a number's distance from 0."""
    most = max(abs(interval.low), abs(interval.high))
    return Interval(abs(interval.estimate), max(0.0, interval.low, -interval.high), most)


def greatest_distance(intervals: Sequence[Interval]) -> Interval:
    """Return the interval of the greatest distance from 0, from intervals that hold all together."""
    return greatest([distance(interval) for interval in intervals])


def may_be_greatest(intervals: Sequence[Interval]) -> list[int]:
    """Return the places of the numbers that may be the greatest, the one that was measured so first."""
    least = max(interval.low for interval in intervals)
    places = sorted(range(len(intervals)), key=lambda place: -intervals[place].estimate)
    return [place for place in places if intervals[place].high >= least]


def greatest_named(names: Sequence[object], intervals: Sequence[Interval]) -> str:
    """Name what has the greatest number, or everything that may have it; of many the first few."""
    found = [str(names[place]) for place in may_be_greatest(intervals)]
    if len(found) > MOST_NAMED:
        found = [*found[:MOST_NAMED], "another"]
    *others, last = found
    return f"{', '.join(others)} or {last}" if others else last


def difference(here: Interval, there: Interval) -> Interval:
    """Return there less here for independent numbers; for those from common deals it is wider than need be."""
    reach = math.hypot(here.half_width, there.half_width)
    return Interval.around(there.estimate - here.estimate, reach, here.level, here.kind)
