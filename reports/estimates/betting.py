"""Estimates that may be watched: they hold at every look, so a run may be stopped whenever the answer is clear.

A confidence sequence by betting (Waudby-Smith and Ramdas, "Estimating means of bounded random variables by betting",
JRSS B 2024). To test whether the mean of numbers between 0 and 1 is m, bet on them one after the other: with a stake
theta the capital is multiplied by 1 + theta / m x (number - m) when betting on a higher mean, and by
1 - theta / (1 - m) x (number - m) when betting on a lower one. If the mean is m, no such capital ever exceeds 2 / alpha
with a probability of more than alpha / 2 (Ville's inequality), nor does an average over several stakes. The means
against which neither capital has got that far make up the interval; each end is wrong with a probability of at most
alpha / 2.

The stakes are fixed in advance and a product does not depend on the order of its factors, so the interval follows from
the histogram of all numbers so far. For looks in one order (block by block) the intersection of all intervals holds,
too.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from statistics import NormalDist
from typing import Final

import numpy as np
from numpy.typing import ArrayLike, NDArray

from reports.estimates.intervals import LEVEL, UNSEEN, Interval, normal_interval
from simulate.experiment import Counts

WATCHED: Final = "certain even if you watch it (anytime-valid)"
"""The kind of interval that holds at all looks together, whenever the run is stopped."""

WATCHED_ROUGHLY: Final = "about as certain even if you watch it (asymptotically anytime-valid)"
"""The same by a normal approximation."""

NARROWEST_UNITS: Final = 20_000
"""With so many units `watched_mean` is narrowest compared with an interval that is looked at once."""

_USUAL_STAKES, _SMALL_STAKES = np.geomspace(0.001, 0.99, 12), np.geomspace(1e-6, 0.001, 11, endpoint=False)
STAKES: Final = np.concatenate([_USUAL_STAKES, _SMALL_STAKES])
"""The first suit everything from a few hundred to some millions of numbers, the small ones still smaller effects."""
SHARES_OF_STAKES: Final = np.repeat(
    [0.9 / len(_USUAL_STAKES), 0.1 / len(_SMALL_STAKES)], [len(_USUAL_STAKES), len(_SMALL_STAKES)]
)
"""The part of the capital that is bet with each stake; the small ones cost usual intervals 1% of their width."""

PER_HUNDRED: Final = 100.0
"""Effects on wins are told per 100 games."""

_FINEST: Final = 1e-10
"""Bounds are found to this share of the range, and rounded outwards by it."""

_CLOSE_ENOUGH: Final = 1.01
"""A forecast is found to this factor."""

MOST_UNITS: Final = 10**12
"""Beyond this many units a forecast gives no number."""


@dataclass(frozen=True)
class Watched:
    """A histogram of numbers with known bounds, one number per independent unit (deal or match).

    Attributes
    ----------
    values
        The distinct numbers that occurred, as shares of the range from the least possible (0) to the greatest (1).
    counts
        How many units had each.
    least, greatest
        The bounds of the range, in the unit to report in.
    """

    values: NDArray[np.float64]
    counts: NDArray[np.float64]
    least: float
    greatest: float

    @classmethod
    def from_histogram(cls, histogram: ArrayLike, least: float, greatest: float) -> Watched:
        """Read a histogram over equally spaced numbers, from the least possible to the greatest."""
        counts = np.asarray(histogram)
        occurred = np.flatnonzero(counts)
        return cls(occurred / (len(counts) - 1), counts[occurred].astype(np.float64), least, greatest)

    @property
    def units(self) -> float:
        """How many units there are."""
        return float(self.counts.sum())

    @property
    def share(self) -> float:
        """The mean as a share of the range."""
        return float(self.counts @ self.values / self.units) if self.units else 0.5

    @property
    def mean(self) -> float:
        """The mean in the unit to report in."""
        return self._in_unit(self.share)

    @property
    def spread(self) -> float:
        """The standard deviation over units, in the unit to report in."""
        if not self.units:
            return 0.0
        return math.sqrt(float(self.counts @ (self.values - self.share) ** 2) / self.units) * self._range

    @property
    def _range(self) -> float:
        return self.greatest - self.least

    def _in_unit(self, share: float) -> float:
        return self.least + share * self._range

    def _share_of(self, number: float) -> float:
        return (number - self.least) / self._range

    def _mirrored(self) -> Watched:
        return Watched(1 - self.values, self.counts, -self.greatest, -self.least)

    def scaled(self, units: float) -> Watched:
        """Return as many units as wanted, in the same proportions."""
        return Watched(self.values, self.counts * (units / self.units), self.least, self.greatest)

    def tilted(self, mean: float) -> Watched:
        """Return the histogram of the same support that is nearest in relative entropy and has another mean.

        Without any value on the wanted side of the present mean it returns the histogram unchanged.
        """
        target = self._share_of(mean)
        if not self.values.min() < target < self.values.max():
            return self

        def weights(tilt: float) -> NDArray[np.float64]:
            exponents = tilt * (self.values - target)
            grown: NDArray[np.float64] = self.counts * np.exp(exponents - exponents.max())
            shares: NDArray[np.float64] = grown / grown.sum()
            return shares

        from scipy.optimize import brentq

        reach = 1.0
        while (float(weights(reach) @ self.values) < target) or (float(weights(-reach) @ self.values) > target):
            reach *= 2
        tilt = brentq(lambda t: float(weights(t) @ self.values) - target, -reach, reach)
        return Watched(self.values, weights(tilt) * self.units, self.least, self.greatest)


def log_capital(values: NDArray[np.float64], counts: NDArray[np.float64], mean: float) -> float:
    """Return the logarithm of the capital won by betting that the mean of numbers from 0 to 1 is higher than `mean`."""
    if mean <= 0:
        return math.inf if counts @ values > 0 else 0.0
    logs = counts @ np.log1p(np.multiply.outer(values / mean - 1, STAKES))
    greatest = logs.max()
    return float(greatest + math.log(np.exp(logs - greatest) @ SHARES_OF_STAKES))


def watched_interval(watched: Watched, alpha: float) -> Interval:
    """Return the interval for the mean that holds at every look, together with those of all other looks.

    Parameters
    ----------
    watched
        The numbers so far.
    alpha
        The probability that any look of a run is wrong; each end of the interval takes half of it.

    Returns
    -------
    Interval
        In the unit of the numbers; the whole range as long as there are none.
    """
    low = watched._in_unit(_lower_bound(watched, alpha / 2))
    high = watched._in_unit(1 - _lower_bound(watched._mirrored(), alpha / 2))
    return Interval(watched.mean, low, high, 1 - alpha, WATCHED)


def _lower_bound(watched: Watched, alpha: float) -> float:
    """Return the least mean, as a share of the range, against which the capital stays below 1 / alpha."""
    if not watched.counts @ watched.values:
        return 0.0
    from scipy.optimize import brentq

    values, counts, threshold = watched.values, watched.counts, -math.log(alpha)

    def excess(mean: float) -> float:
        return log_capital(values, counts, mean) - threshold

    # Against the sample's own mean nothing is won; the further below it a mean lies, the more. Steps of a few standard
    # errors find a mean against which enough is won.
    right = watched.share
    step = (3 * math.sqrt(float(counts @ (values - right) ** 2)) + 1) / watched.units
    left = right - step
    while left > 0 and excess(left) < 0:
        right, step = left, step * 2
        left -= step
    left = max(left, right * _FINEST)
    if excess(left) < 0:
        return 0.0
    return max(0.0, float(brentq(excess, left, right, xtol=_FINEST)) - _FINEST)


def watched_mean(total: float, squares: float, units: int, greatest: float, alpha: float) -> Interval:
    """Return an interval for a mean of which only sums are known that holds, approximately, at every look.

    A normal mixture (Robbins 1970), with the sample's own variance as in Waudby-Smith, Arbour, Sinha, Kennedy and
    Ramdas ("Time-uniform central limit theory and asymptotic confidence sequences", Annals of Statistics 2024).

    Parameters
    ----------
    total, squares
        The sum of one number per unit, and the sum of their squares.
    units
        How many units there are.
    greatest
        How far from 0 a single unit can be. What never happened in so many units, or hardly ever, may yet happen in one
        of so many, with that size: no interval is narrower than this allows for.
    alpha
        The probability that any look is wrong.
    """
    mean = total / units
    variance = max(squares / units - mean * mean, 0.0)
    log_alpha = -2 * math.log(alpha)
    mixed = (log_alpha + math.log(log_alpha) + 1) * units / NARROWEST_UNITS + 1
    reach = math.sqrt(variance / units * 2 * mixed / (mixed - 1) * math.log(math.sqrt(mixed) / alpha))
    rare = greatest * math.log(2 / alpha) / units
    return Interval.around(mean, max(reach, rare), 1 - alpha, WATCHED_ROUGHLY)


def intersection(earlier: Interval, latest: Interval) -> Interval:
    """Return what two looks in a row leave, with the latest estimate.

    Where they have nothing in common, which happens only when one of them is wrong, the earlier one is kept.
    """
    low, high = max(earlier.low, latest.low), min(earlier.high, latest.high)
    if low > high:
        low, high = earlier.low, earlier.high
    return Interval(latest.estimate, low, high, latest.level, latest.kind)


def evidence(watched: Watched, null: float) -> float:
    """Return the e-value against "the mean is `null`": on average at most 1 if that is true, whenever one stops.

    Both directions are bet on with half the capital each.
    """
    mean = watched._share_of(null)
    mirror = watched._mirrored()
    up = log_capital(watched.values, watched.counts, mean)
    down = log_capital(mirror.values, mirror.counts, 1 - mean)
    return float(np.exp(min(np.logaddexp(up, down) - math.log(2), 700.0)))


def discoveries(evidences: Sequence[float] | NDArray[np.float64], rate: float) -> NDArray[np.bool_]:
    """Choose which of many comparisons to call different, by e-BH (Wang and Ramdas, JRSS B 2022).

    Parameters
    ----------
    evidences
        One e-value per comparison; they may depend on each other in any way, as those of common deals do.
    rate
        On average at most this share of what is chosen is chosen wrongly.

    Returns
    -------
    numpy.ndarray of bool, shape (comparisons,)
        True for those chosen.
    """
    values = np.asarray(evidences, dtype=np.float64)
    if not len(values):
        return np.zeros(0, dtype=np.bool_)
    ordered = np.sort(values)[::-1]
    ranks = np.arange(1, len(values) + 1)
    enough = np.flatnonzero(ordered * ranks >= len(values) / rate)
    return values >= ordered[enough[-1]] if len(enough) else np.zeros(len(values), dtype=np.bool_)


def simultaneous(watched: Sequence[Watched], alpha: float) -> list[Interval]:
    """Return intervals that hold all together, at every look: each gets an even part of alpha."""
    return [watched_interval(numbers, alpha / len(watched)) for numbers in watched]


def least_units(enough: Callable[[float], bool]) -> float:
    """Return about the least number of units (to 1%) that is enough, or infinity beyond MOST_UNITS.

    Parameters
    ----------
    enough
        Tells whether a number of units is; once it is, any greater number is.
    """
    units, factor = 100.0, 2.0
    while not enough(units):
        units *= factor
        if units > MOST_UNITS:
            return math.inf
    low, high = units / factor, units
    while high / low > _CLOSE_ENOUGH:
        middle = math.sqrt(low * high)
        low, high = (low, middle) if enough(middle) else (middle, high)
    return high


def units_needed(pilot: Watched, effect: float, alpha: float, power: float) -> float:
    """Forecast how many units show an effect: its interval excludes 0 in `power` of all runs at the latest.

    Parameters
    ----------
    pilot
        Some units of the kind that will be played; their spread counts, their mean does not.
    effect
        The true mean to be shown, in the unit of the numbers; not 0.
    alpha
        Of the interval.
    power
        The probability with which it is to be shown.

    Returns
    -------
    float
        Infinity where the pilot has no spread to go by, or if it were more than `MOST_UNITS`.
    """
    if not pilot.spread:
        return math.inf
    unlucky = NormalDist().inv_cdf(power) * pilot.spread

    def shown(units: float) -> bool:
        mean = math.copysign(abs(effect) - unlucky / math.sqrt(units), effect)
        if mean * effect <= 0:
            return False
        return watched_interval(pilot.tilted(mean).scaled(units), alpha).excludes_zero

    return least_units(shown)


def watched_wins(counts: Counts) -> Watched:
    """Return the per-unit differences of wins, in wins per 100 games, averaged over positions."""
    return Watched.from_histogram(counts["win_differences"], -PER_HUNDRED, PER_HUNDRED)


def planned_interval(watched: Watched, level: float = LEVEL) -> Interval:
    """Return the interval for a mean after a planned number of deals.

    Where a change shows in few deals, one that it has not shown in yet may differ by anything: as in `mean_from_sums`,
    two such are added to the spread.
    """
    unseen = UNSEEN * ((watched.greatest - watched.least) / 2) ** 2
    spread = watched.units * watched.spread**2 + unseen
    return normal_interval(watched.mean, math.sqrt(spread / max(watched.units - 1, 1) / watched.units), level)
