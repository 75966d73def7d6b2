"""Errors by leaving out one group of games at a time (delete-a-group jackknife).

It serves any estimate that is computed from sums over games, however involved: the groups are independent, and what
happens within one (hands of one deal, turns of one game) may depend on each other in any way.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from reports.estimates.intervals import LEVEL, PLANNED, Interval, reach_of
from simulate.experiment import Counts

Estimator = Callable[[Counts], NDArray[np.float64]]


def jackknife(groups: Counts, estimate: Estimator, level: float = LEVEL, kind: str = PLANNED) -> list[Interval]:
    """Estimate numbers from grouped sums, with intervals.

    Parameters
    ----------
    groups
        Sums by group of games; the first axis of every array is the group.
    estimate
        Computes numbers, shape (numbers,), from sums without that axis.
    level, kind
        Of the intervals.

    Returns
    -------
    list of Interval
        One per number, from Student's t with a degree of freedom less than there are groups.
    """
    whole = {name: sums.sum(axis=0) for name, sums in groups.items()}
    number = len(next(iter(groups.values())))
    estimates = estimate(whole)
    without = np.array(
        [estimate({name: whole[name] - sums[group] for name, sums in groups.items()}) for group in range(number)]
    )
    spread = ((without - without.mean(axis=0)) ** 2).sum(axis=0)
    reach = reach_of(level, number - 1) * np.sqrt(spread * (number - 1) / number)
    return [
        Interval.around(middle, width, level, kind)
        for middle, width in zip(estimates.tolist(), reach.tolist(), strict=True)
    ]
