"""Several numbers at once: intervals and tests that are wrong together as rarely as a single one."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from reports.estimates.intervals import LEVEL, Interval


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


def greatest_distance(intervals: Sequence[Interval]) -> Interval:
    """Return the interval of the greatest distance from 0, from intervals that hold all together."""
    least = max(max(0.0, interval.low, -interval.high) for interval in intervals)
    most = max(max(abs(interval.low), abs(interval.high)) for interval in intervals)
    return Interval(max(abs(interval.estimate) for interval in intervals), least, most)


def difference(here: Interval, there: Interval) -> Interval:
    """Return there less here for independent numbers; for those from common deals it is wider than need be."""
    reach = math.hypot(here.half_width, there.half_width)
    return Interval.around(there.estimate - here.estimate, reach, here.level, here.kind)
