"""How long people must play until the better player is ahead: they do not replay deals, so nothing is paired."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Final

import numpy as np
from numpy.typing import NDArray

from reports.estimates.intervals import LEVEL, Interval, interval_data
from reports.estimates.until_ahead import Ahead, ahead_of_each
from simulate.escalation.kernel.win_shares import WIN
from simulate.experiment import Counts
from strategies.errors import InputError
from strategies.strategy import Strategy

TWO: Final = 2
EVEN_ODDS: Final = 0.5
"""Either of two equal players is ahead that often."""


@dataclass(frozen=True)
class UntilBetter:
    """How many games or matches it takes until a player of the better of two strategies has won more of them.

    Attributes
    ----------
    unit
        "games" or "matches".
    first, second
        The two strategies.
    better
        The one that wins more per seat.
    opponents
        How many players of the other strategy each player of the better one is to be ahead of.
    gap
        Wins per 100 of the first less those of the second: of all pairs of players the one in which the better
        strategy wins least.
    sureness
        The probability with which a player of the better one is to have won more than each of the opponents.
    needed
        From so many on that is so: whole numbers, for the slowest of the better strategy's seats. Infinite where it is
        not even known who is better.
    """

    unit: str
    first: str
    second: str
    better: str
    opponents: int
    gap: Interval
    sureness: float
    needed: Interval

    @property
    def sentence(self) -> str:
        """The answer in words."""
        unit, other = self.unit.capitalize(), self.second if self.better == self.first else self.first
        lead = self.gap if self.better == self.first else -self.gap
        if lead.high < 0:
            return (
                f"{unit}: no number of them is enough. {self.better} wins more on average, but less than the best "
                f"placed {other} ({-lead.estimate:.2f} ± {lead.half_width:.2f} wins per 100)."
            )
        if math.isinf(self.needed.high):
            return (
                f"{unit}: too close to say who is better "
                f"({self.first} {self.gap.estimate:+.2f} ± {self.gap.half_width:.2f} wins per 100)."
            )
        each, least = ("each ", " at the least") if self.opponents > 1 else ("", "")
        return (
            f"{unit}: from {self.needed.estimate:,} ({self.needed.low:,} to {self.needed.high:,}) on {self.better} has "
            f"won more of them than {each}{other} with a probability of {100 * self.sureness:.4g}% "
            f"({lead.estimate:.2f} ± {lead.half_width:.2f} wins more per 100{least})."
        )

    def as_data(self) -> dict[str, object]:
        """Return everything as plain data; null where it is not known who is better."""
        known = not math.isinf(self.needed.high)
        return {
            "unit": self.unit,
            "first": self.first,
            "second": self.second,
            "better": self.better,
            "opponents": self.opponents,
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
    counts: Counts, seats: Sequence[Strategy], sureness: float, level: float = LEVEL, *, match: bool = False
) -> tuple[UntilBetter, ...]:
    """Forecast games, and matches where the starter rotated, until a player of the better strategy is ahead.

    Parameters
    ----------
    counts
        What `simulate.Table` counted.
    seats
        Its strategies, two different ones.
    sureness
        The probability with which the better one is to be ahead, more than 0.5.
    level
        Of the intervals.
    match
        Whether players minded the standing of a match: its games depend on each other, so only matches are forecast.
    """
    check_until_better(seats, sureness)
    units = ([] if match else ["games"]) + (["matches"] if counts["matches"][0] else [])
    first, second = dict.fromkeys(seats)
    own, others = ([seat for seat, other in enumerate(seats) if other == player] for player in (first, second))
    forecasts = []
    for unit in units:
        wins = won(counts, unit)[0]
        ahead = wins[own].mean() >= wins[others].mean()
        better, rest = (own, others) if ahead else (others, own)
        # All seats of the better strategy hold together.
        each = 1 - (1 - level) / len(better)
        found = [leads(counts, unit, player, rest, sureness, each) for player in better]
        gap = _all(min, [lead.gap for lead in found], level)
        forecasts.append(
            UntilBetter(
                unit,
                first.label,
                second.label,
                first.label if ahead else second.label,
                len(rest),
                gap if ahead else -gap,
                sureness,
                _all(max, [lead.games for lead in found], level),
            )
        )
    return tuple(forecasts)


def _all(pick: Callable[[Iterable[float]], float], intervals: Sequence[Interval], level: float) -> Interval:
    """Return the least or the greatest of numbers whose intervals hold together."""
    estimate, low, high = (pick(getattr(own, end) for own in intervals) for end in ("estimate", "low", "high"))
    return Interval(estimate, low, high, level)


def won(counts: Counts, unit: str) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return what each seat won in all games, or matches, and the products of what two seats won."""
    if unit == "games":
        return counts["wins"].sum(axis=1), counts["win_products"]
    return counts["match_wins"], counts["match_win_products"]


def leads(
    counts: Counts, unit: str, player: int, others: Sequence[int], sureness: float, level: float = LEVEL
) -> Ahead:
    """Return how much a seat wins more than each of some others, in wins per 100, and how long until that shows."""
    ahead = ahead_of_each(won(counts, unit), int(counts[unit][0]), WIN, player, others, sureness, level)
    return replace(ahead, gap=ahead.gap.times(100))
