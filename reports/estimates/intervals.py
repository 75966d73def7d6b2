"""Estimates with intervals, computed from integer sums over games.

The unit is the game: whatever happens within one game (several seats of one strategy, winners who share) is added up or
averaged before the spread over games is taken. Where the games of a match depend on each other, an interval is made as
wide as the strongest dependence could make it: as if each match were a single game.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from statistics import NormalDist
from typing import Final

import numpy as np
from numpy.typing import NDArray

LEVEL: Final = 0.95
"""The level of every interval that does not say otherwise."""

PLANNED: Final = "for a planned number of games"
"""The kind of interval that holds once, after the number of games that was decided on before playing."""

FIXED: Final = "fixed by construction"
"""The kind of a number that is no estimate and has no interval."""


@dataclass(frozen=True, eq=False)
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

    def __eq__(self, other: object) -> bool:
        """Compare everything; bounds that are not there are alike."""
        return isinstance(other, Interval) and self._compared == other._compared

    def __hash__(self) -> int:
        """Return the same number for equal intervals."""
        return hash(self._compared)

    @property
    def _compared(self) -> tuple[object, ...]:
        numbers = (self.estimate, self.low, self.high, self.level)
        return (*(None if math.isnan(number) else number for number in numbers), self.kind)

    @property
    def half_width(self) -> float:
        """Half the width of the interval."""
        return (self.high - self.low) / 2

    @property
    def excludes_zero(self) -> bool:
        """Whether the whole interval lies on one side of 0."""
        return self.low > 0 or self.high < 0

    @classmethod
    def around(cls, estimate: float, reach: float, level: float = LEVEL, kind: str = PLANNED) -> Interval:
        """Return the interval that reaches equally far to both sides of the estimate."""
        return cls(estimate, estimate - reach, estimate + reach, level, kind)

    def __neg__(self) -> Interval:
        """Return the interval of the same number with the opposite sign."""
        return replace(self, estimate=-self.estimate, low=-self.high, high=-self.low)

    def times(self, factor: float) -> Interval:
        """Return the same interval in another unit; the factor must be positive."""
        return replace(self, estimate=self.estimate * factor, low=self.low * factor, high=self.high * factor)

    def widened(self, factor: float) -> Interval:
        """Return the interval with both bounds so many times as far from the estimate (see `jointly`)."""
        low, high = (self.estimate + factor * (end - self.estimate) for end in (self.low, self.high))
        return replace(self, low=low, high=high)

    def within(self, least: float, most: float) -> Interval:
        """Return the interval without what lies outside the possible."""
        return replace(self, low=max(least, self.low), high=min(most, self.high))


def mean_of(intervals: Sequence[Interval], level: float) -> Interval:
    """Average numbers whose intervals hold together at this level; so does the interval of the average with them."""
    numbers = [[interval.estimate, interval.low, interval.high] for interval in intervals]
    estimate, low, high = np.mean(numbers, axis=0).tolist()
    return Interval(estimate, low, high, level, intervals[0].kind)


def interval_data(interval: Interval) -> dict[str, float | str | None]:
    """Return an interval as plain data; an infinite bound is null, and so is everything that a fixed number lacks."""
    numbers = {name: getattr(interval, name) for name in ("estimate", "low", "high", "level")}
    return {**{name: n if math.isfinite(n) else None for name, n in numbers.items()}, "kind": interval.kind}


def fixed(number: float) -> Interval:
    """Return a number that is fixed by construction: it has no interval, bounds and level are missing (nan)."""
    return Interval(number, math.nan, math.nan, math.nan, FIXED)


def reach_of(level: float, freedom: float = math.inf) -> float:
    """Return how many standard errors an interval of this level reaches to each side.

    Parameters
    ----------
    level
        How often it is to cover the truth.
    freedom
        The degrees of freedom of the standard error (Student's t); infinite if it rests on very many numbers.
    """
    if math.isinf(freedom):
        return NormalDist().inv_cdf((1 + level) / 2)
    from scipy.special import stdtrit

    return float(stdtrit(freedom, (1 + level) / 2))


def jointly(rows: int, freedom: float = math.inf, level: float = LEVEL) -> float:
    """Return by how much so many intervals must be wider to hold all together at the level that each of them has.

    What is missing to certainty is split evenly (Bonferroni), so it holds however the rows depend on each other.
    """
    return reach_of(1 - (1 - level) / max(rows, 1), freedom) / reach_of(level, freedom)


def normal_interval(estimate: float, standard_error: float, level: float = LEVEL) -> Interval:
    """Return the interval for an estimate that is normal with this standard error."""
    return Interval.around(estimate, reach_of(level) * standard_error, level)


UNSEEN: Final = 2
"""Beside what was seen, so many units are taken into account that were not: one above and one below the mean."""
SELDOM: Final = 3
MOSTLY_BETWEEN: Final = 2.0
"""Shares that count as more than so many times their number in units of 0 or 1 are mostly neither."""


def mean_from_sums(
    total: int, squares: int, units: int, level: float = LEVEL, dependent: int = 1, unseen: int = 0
) -> Interval:
    """Estimate a mean over units from their sum and their sum of squares.

    Parameters
    ----------
    total, squares
        The sum of one whole number per unit, and the sum of their squares.
    units
        How many units there are; with a single one the interval is infinitely wide.
    level
        The level of the interval.
    dependent
        How many successive units may depend on each other in any way; 1 if all are independent.
    unseen
        How far from the mean a unit may be, where most units are alike and some rare ones are far off: two such units
        are added to the spread, since what happened seldom or never may be more frequent than it seems.

    Returns
    -------
    Interval
        The mean; normal approximation with the sample's own variance. If all units were equal it is as wide as if one
        more had been 1 greater and one 1 less.
    """
    estimate = total / units
    if units == 1:
        return Interval(estimate, -math.inf, math.inf, level)
    # In whole numbers, so that nothing is lost when the spread is small beside the mean.
    spread = units * squares - total * total + UNSEEN * units * unseen * unseen or UNSEEN * units
    return normal_interval(estimate, math.sqrt(dependent * spread / (units - 1)) / units, level)


def share_from_sums(
    total: int, squares: int, units: int, most: int = 1, level: float = LEVEL, dependent: int = 1
) -> Interval:
    """Estimate the mean of numbers that lie between 0 and `most`, as a share of it.

    Parameters
    ----------
    total, squares, units, level, dependent
        As for `mean_from_sums`.
    most
        The greatest number that a unit can have.

    Returns
    -------
    Interval
        The share, 0 to 1, with Wilson's interval: it stays within these bounds, and keeps a width if the share is 0
        or 1 in all units, since what never happened in so many games may still happen in more. Numbers in between
        (shared wins) count as so many units of 0 or 1 as would have the same variance; where most are in between, two
        units as far from the mean as can be are added.
    """
    share = total / (units * most)
    spread, possible = units * squares - total * total, total * (units * most - total)
    alike = possible / spread if spread else 1.0
    if possible > MOSTLY_BETWEEN * spread:
        furthest = max(total, units * most - total)
        alike = max(MOSTLY_BETWEEN, possible / (spread + UNSEEN * furthest * furthest / units))
    return wilson(share, units * alike / dependent, level)


def wilson(share: float, units: float, level: float) -> Interval:
    """Return all shares from which this one is not too far, given so many units of 0 or 1 (Wilson 1927).

    Where it happened up to three times, or failed to, the bound next to 0 or 1 is that of Brown, Cai and DasGupta
    (2001): Wilson's excludes small shares too often.
    """
    quantile = reach_of(level)
    extra = quantile * quantile / units
    middle = (share + extra / 2) / (1 + extra)
    reach = math.sqrt(extra * share * (1 - share) + extra * extra / 4) / (1 + extra)
    low = min(share, middle - reach, _least_rate(share * units, level) / units)
    high = max(share, middle + reach, 1 - _least_rate((1 - share) * units, level) / units)
    return Interval(share, max(0.0, low), min(1.0, high), level)


def _least_rate(times: float, level: float) -> float:
    """Return the least rate at which something may have happened so seldom; infinite where it was no rare thing."""
    if not 0 < times < SELDOM + 0.5:
        return math.inf
    from scipy.special import gammaincinv

    return float(gammaincinv(times, 1 - level))


def _over_seats(totals: NDArray[np.int64], products: NDArray[np.int64], seats: Sequence[int]) -> tuple[int, int]:
    """Return the sums over games of what some seats have together in a game, and of its square."""
    chosen = np.asarray(seats)
    return int(totals[chosen].sum()), int(products[np.ix_(chosen, chosen)].sum())


def mean_over_seats(
    totals: NDArray[np.int64],
    products: NDArray[np.int64],
    units: int,
    seats: Sequence[int],
    level: float = LEVEL,
    dependent: int = 1,
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
    dependent
        How many successive games may depend on each other.
    """
    total, squares = _over_seats(totals, products, seats)
    return mean_from_sums(total, squares, units, level, dependent).times(1 / len(seats))


def share_over_seats(
    totals: NDArray[np.int64],
    products: NDArray[np.int64],
    units: int,
    seats: Sequence[int],
    most: int,
    level: float = LEVEL,
    dependent: int = 1,
) -> Interval:
    """Estimate the mean, per seat and game, of shares of a whole that all seats of a game share out among them.

    Parameters
    ----------
    totals, products, units, seats, level, dependent
        As for `mean_over_seats`.
    most
        The whole of one game. The shares of all seats add up to it: if all are asked for, the number is fixed by
        construction and has no interval.
    """
    if len(seats) == len(totals):
        return fixed(1 / len(seats))
    total, squares = _over_seats(totals, products, seats)
    return share_from_sums(total, squares, units, most, level, dependent).times(1 / len(seats))


def mean_of_histogram(histogram: NDArray[np.int64], level: float = LEVEL, dependent: int = 1) -> Interval:
    """Estimate the mean of whole numbers 0, 1, 2, ... from how many games had each, shape (greatest + 1,)."""
    counts = [int(count) for count in histogram]
    total = sum(number * count for number, count in enumerate(counts))
    squares = sum(number * number * count for number, count in enumerate(counts))
    return mean_from_sums(total, squares, sum(counts), level, dependent)
