"""How long people must play until the better player is ahead: they do not replay deals, so nothing is paired."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from statistics import NormalDist
from typing import Final

import numpy as np
from numpy.typing import NDArray

from reports.estimates.intervals import LEVEL, Interval, interval_data, mean_from_sums
from simulate.escalation.kernel.win_shares import WIN
from simulate.experiment import Counts
from strategies.errors import InputError
from strategies.strategy import Strategy

TWO: Final = 2
EVEN_ODDS: Final = 0.5
"""Either of two equal players is ahead that often."""


@dataclass(frozen=True)
class UntilBetter:
    """How many games or matches it takes until the better of two players has won more of them.

    Attributes
    ----------
    unit
        "games" or "matches".
    first, second
        The two players: the first seat of each of two strategies.
    gap
        Wins per 100 of the first less those of the second.
    sureness
        The probability with which the better one is to be ahead.
    needed
        About so many (normal approximation); low and high follow from the interval of the gap. Infinite where it is not
        even known who is better.
    """

    unit: str
    first: str
    second: str
    gap: Interval
    sureness: float
    needed: Interval

    @property
    def sentence(self) -> str:
        """The answer in words."""
        better, other = (self.first, self.second) if self.gap.estimate > 0 else (self.second, self.first)
        if math.isinf(self.needed.high):
            return (
                f"{self.unit.capitalize()}: too close to say who is better "
                f"({self.first} {self.gap.estimate:+.2f} ± {self.gap.half_width:.2f} wins per 100)."
            )
        return (
            f"{self.unit.capitalize()}: after about {self.needed.estimate:,.0f} ({self.needed.low:,.0f} to "
            f"{self.needed.high:,.0f}) {better} has won more of them than {other} with a probability of "
            f"{self.sureness:.0%} ({abs(self.gap.estimate):.2f} ± {self.gap.half_width:.2f} wins more per 100)."
        )

    def as_data(self) -> dict[str, object]:
        """Return everything as plain data; null where it is not known who is better."""
        known = not math.isinf(self.needed.high)
        return {
            "unit": self.unit,
            "first": self.first,
            "second": self.second,
            "gap_in_wins_per_100": interval_data(self.gap),
            "sureness": self.sureness,
            "needed": interval_data(self.needed) if known else None,
        }


def check_until_better(seats: Sequence[Strategy], sureness: float) -> None:
    """Check that there are two strategies to compare and that the probability makes sense.

    Raises
    ------
    InputError
        If not.
    """
    if not EVEN_ODDS < sureness < 1:
        raise InputError(f"--until-better {sureness * 100:g} is not allowed: more than 50 and less than 100 percent")
    if len(set(seats)) != TWO:
        raise InputError(f"--until-better compares two strategies, not {len(set(seats))}: give two different --seat")


def until_better(
    counts: Counts, seats: Sequence[Strategy], sureness: float, level: float = LEVEL
) -> tuple[UntilBetter, ...]:
    """Forecast games, and matches where the starter rotated, until the better of two players is ahead.

    Parameters
    ----------
    counts
        What `simulate.Table` counted.
    seats
        Its strategies, two different ones; the first seat of each counts.
    sureness
        The probability with which the better one is to be ahead, more than 0.5.
    level
        Of the intervals.
    """
    check_until_better(seats, sureness)
    sums = {"games": (counts["wins"].sum(axis=1), counts["win_products"])}
    if counts["matches"][0]:
        sums["matches"] = (counts["match_wins"], counts["match_win_products"])
    return tuple(
        _forecast(unit, wins, products, counts[unit], seats, sureness, level) for unit, (wins, products) in sums.items()
    )


def _forecast(
    unit: str,
    wins: NDArray[np.int64],
    products: NDArray[np.int64],
    units: NDArray[np.int64],
    seats: Sequence[Strategy],
    sureness: float,
    level: float,
) -> UntilBetter:
    strategies = list(dict.fromkeys(seats))
    first, second = (list(seats).index(strategy) for strategy in strategies)
    number = int(units[0])
    total = int(wins[first] - wins[second])
    squares = int(products[first, first] - 2 * products[first, second] + products[second, second])
    gap = mean_from_sums(total, squares, number, level).times(100 / WIN)
    spread = math.sqrt(squares / number - (total / number) ** 2) * 100 / WIN
    reach = NormalDist().inv_cdf(sureness) * spread
    nearest, furthest = sorted((abs(gap.low), abs(gap.high)))
    high = (reach / nearest) ** 2 if gap.excludes_zero else math.inf
    estimate = (reach / abs(gap.estimate)) ** 2 if gap.estimate else math.inf
    needed = Interval(estimate, (reach / furthest) ** 2 if furthest else math.inf, high, gap.level, gap.kind)
    labels = [strategy.label for strategy in strategies]
    return UntilBetter(unit, labels[0], labels[1], gap, sureness, needed)
