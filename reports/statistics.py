"""Estimates with intervals, computed from integer sums over games.

The unit is the game: whatever happens within one game (several seats of one strategy, winners who share) is added up or
averaged before the spread over games is taken.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from statistics import NormalDist
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

LEVEL: Final = 0.95
"""The level of every interval that does not say otherwise."""

PLANNED: Final = "for a planned number of games"
"""The kind of interval that holds once, after the number of games that was decided on before playing."""


@dataclass(frozen=True)
class Interval:
    """An estimate with the interval that covers the truth in `level` of all experiments.

    Attributes
    ----------
    estimate
        The estimate itself.
    low, high
        The bounds of the interval.
    level
        How often such an interval covers the truth.
    kind
        What the promise holds for.
    """

    estimate: float
    low: float
    high: float
    level: float = LEVEL
    kind: str = PLANNED

    @property
    def half_width(self) -> float:
        """Half the width of the interval."""
        return (self.high - self.low) / 2

    def times(self, factor: float) -> Interval:
        """Return the same interval in another unit; the factor must be positive."""
        return Interval(self.estimate * factor, self.low * factor, self.high * factor, self.level, self.kind)


def interval_data(interval: Interval) -> dict[str, Any]:
    """Return an interval as plain data; an infinite bound is null."""
    low, high = (bound if math.isfinite(bound) else None for bound in (interval.low, interval.high))
    return {"estimate": interval.estimate, "low": low, "high": high, "level": interval.level, "kind": interval.kind}


def normal_interval(estimate: float, standard_error: float, level: float = LEVEL) -> Interval:
    """Return the interval for an estimate that is normal with this standard error."""
    reach = NormalDist().inv_cdf((1 + level) / 2) * standard_error
    return Interval(estimate, estimate - reach, estimate + reach, level)


def mean_from_sums(total: int, squares: int, units: int, level: float = LEVEL) -> Interval:
    """Estimate a mean over independent units from their sum and their sum of squares.

    Parameters
    ----------
    total, squares
        The sum of one whole number per unit, and the sum of their squares.
    units
        How many units there are; with a single one the interval is infinitely wide.
    level
        The level of the interval.

    Returns
    -------
    Interval
        The mean; normal approximation with the sample's own variance. If all units were equal the width is 0.
    """
    estimate = total / units
    if units == 1:
        return Interval(estimate, -math.inf, math.inf, level)
    # In whole numbers, so that nothing is lost when the spread is small beside the mean.
    spread = units * squares - total * total
    return normal_interval(estimate, math.sqrt(spread / (units - 1)) / units, level)


def mean_over_seats(
    totals: NDArray[np.int64],
    products: NDArray[np.int64],
    units: int,
    seats: Sequence[int],
    level: float = LEVEL,
) -> Interval:
    """Estimate the mean, per seat and game, of a number that every seat has in every game.

    Seats of one game are not independent (one wins what another does not); their covariance is in the products.

    Parameters
    ----------
    totals
        Sums over games, shape (seats,).
    products
        Sums over games of the product of two seats' numbers, shape (seats, seats).
    units
        Games (or matches) summed over.
    seats
        The seats to average over within each game.
    level
        The level of the interval.
    """
    chosen = np.asarray(seats)
    total = int(totals[chosen].sum())
    squares = int(products[np.ix_(chosen, chosen)].sum())
    return mean_from_sums(total, squares, units, level).times(1 / len(chosen))


def mean_of_histogram(histogram: NDArray[np.int64], level: float = LEVEL) -> Interval:
    """Estimate the mean of whole numbers 0, 1, 2, ... from how many games had each, shape (greatest + 1,)."""
    counts = [int(count) for count in histogram]
    total = sum(number * count for number, count in enumerate(counts))
    squares = sum(number * number * count for number, count in enumerate(counts))
    return mean_from_sums(total, squares, sum(counts), level)


def share_of(count: int, units: int, level: float = LEVEL) -> Interval:
    """Estimate the share of units that have a property which `count` of them had."""
    return mean_from_sums(count, count, units, level)
