"""A change is measured until the answer is clear: good, bad, no practical difference, or undecided (any game)."""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from typing import Final, Literal, Self

from reports.estimates.betting import PER_HUNDRED, intersection, least_units, watched_interval, watched_wins
from reports.estimates.intervals import Interval, interval_data
from reports.reading.spec_reader import SpecReader
from simulate.blocks import JUDGING_BLOCK, add_counts, blocks_for
from simulate.experiment import MOST_GAMES, Counts, Experiment, Setting
from simulate.runner import Job, Workers, threads_as_workers
from strategies.errors import InputError

Verdict = Literal["good", "bad", "no practical difference", "undecided"]

DEFAULT_MARGIN: Final = 0.005
"""One win in 200 games: smaller effects nobody notices at a table."""
DEFAULT_ALPHA: Final = 0.05
DEFAULT_DEALS: Final = 100_000
LEAST_ALPHA: Final = 1e-12
GREATEST_ALPHA: Final = 0.5
STOPPING_KEYS: Final = ("margin", "alpha", "precision", "most_deals")
"""What a question file says about when to stop."""


def judge(interval: Interval, margin: float) -> Verdict:
    """Judge an effect by its interval.

    An interval that lies wholly within the margin says that there is no practical difference, even where the sign is
    known. An effect as large as the margin may stay undecided for ever only if its sign is not clear either.

    Parameters
    ----------
    interval
        Of the effect.
    margin
        The greatest effect that does not matter, in the unit of the interval.
    """
    if -margin <= interval.low and interval.high <= margin:
        return "no practical difference"
    if interval.low > 0:
        return "good"
    return "bad" if interval.high < 0 else "undecided"


@dataclass(frozen=True)
class Stopping:
    """When to stop looking.

    Attributes
    ----------
    margin
        The greatest effect on the win share that does not matter.
    alpha
        The probability that an answer is wrong, however often one looks: 1e-12 to 0.5.
    precision
        Go on until the interval's half width is at most this; None: at most the margin.
    most_deals
        Stop after so many deals, rounded up to whole blocks, whatever the answer is.
    numbers
        How many numbers share alpha evenly, so that all of them hold together.
    """

    margin: float = DEFAULT_MARGIN
    alpha: float = DEFAULT_ALPHA
    precision: float | None = None
    most_deals: int = DEFAULT_DEALS
    numbers: int = 1

    def __post_init__(self) -> None:
        """Check that the numbers make sense."""
        if not LEAST_ALPHA <= self.alpha <= GREATEST_ALPHA:
            raise InputError(f"alpha {self.alpha:g} is not allowed: {LEAST_ALPHA:g} to {GREATEST_ALPHA:g}")
        if not 0 < self.margin < 1:
            raise InputError(f"margin {self.margin:g} is not allowed: a share of wins, more than 0 and less than 1")
        if self.precision is not None and not 0 < self.precision < 1:
            raise InputError(f"precision {self.precision:g} is not allowed: more than 0 and less than 1")
        if self.precision is not None and self.precision > self.margin:
            raise InputError(
                f"precision {self.precision:g} is wider than margin {self.margin:g}: it could not show that an effect "
                "is within the margin"
            )
        if not 1 <= self.most_deals <= MOST_GAMES:
            raise InputError(f"{self.most_deals} deals at most are not allowed: 1 to {MOST_GAMES}")

    def spec(self) -> dict[str, object]:
        """Return the rule as plain data, under the names of `STOPPING_KEYS`."""
        return {
            "margin": self.margin,
            "alpha": self.alpha,
            "precision": self.margin if self.precision is None else self.precision,
            "most_deals": self.most_deals,
        }

    @classmethod
    def from_spec(cls, read: SpecReader) -> Self:
        """Return the rule that `spec` wrote; what is missing is as usual."""
        margin = read.number("margin", DEFAULT_MARGIN)
        alpha, precision = read.number("alpha", DEFAULT_ALPHA), read.number("precision", margin)
        return cls(margin, alpha, precision, read.take("most_deals", int, DEFAULT_DEALS))

    def shared_by(self, numbers: int) -> Stopping:
        """Return the rule of each of so many numbers that share alpha."""
        return replace(self, numbers=numbers)

    @property
    def own_alpha(self) -> float:
        """What each number has of alpha."""
        return self.alpha / self.numbers

    def is_over(self, interval: Interval) -> bool:
        """Tell whether an effect, in wins per 100 games, is decided and known precisely enough."""
        wide = self.margin if self.precision is None else self.precision
        decided = judge(interval, self.margin * PER_HUNDRED) != "undecided"
        return decided and interval.half_width <= wide * PER_HUNDRED


@dataclass(frozen=True)
class Measured(ABC):
    """What a change did, over all deals that were played; a game adds what else its comparisons count.

    Attributes
    ----------
    comparison, seed
        What was played. Its counts have "deals", "units" (deals, or matches where those count), "win_differences"
        (units by what the change did to the wins, from the greatest loss to the greatest gain) and "changed_games".
    stopping
        With the part of alpha that this number has.
    counts
        Sums over all its blocks.
    wins
        The effect on wins per 100 games (or matches); certain even if you watch it.
    reason_counts
        What was played to find the reason (see `reason_settings`); empty as long as nothing was.
    """

    comparison: Setting
    seed: int
    stopping: Stopping
    counts: Counts
    wins: Interval
    reason_counts: tuple[Counts, ...] = ()

    @property
    @abstractmethod
    def reason_settings(self) -> tuple[Setting, ...]:
        """What to play on the first block of the deals to find the reason for the effect."""

    @property
    @abstractmethod
    def players(self) -> int:
        """How many players there are at the table."""

    @property
    @abstractmethod
    def arms(self) -> tuple[str, str]:
        """Who is compared: the label without the change, and with it."""

    @property
    def answer(self) -> Verdict:
        """The verdict."""
        return judge(self.wins, self.stopping.margin * PER_HUNDRED)

    @property
    def deals(self) -> int:
        """How many deals were played."""
        return int(self.counts["deals"][0])

    @property
    def units(self) -> int:
        """How many deals, or matches where matches were asked about."""
        return int(self.counts["units"][0])

    @property
    def games(self) -> int:
        """How many games were played with the change."""
        return self.deals

    @property
    def changed_games(self) -> int:
        """In how many of them anything came out differently."""
        return int(self.counts["changed_games"].sum())

    @property
    def deals_to_decide(self) -> float:
        """About how many deals would decide it if the effect is as it looks; infinite if none reasonably would."""
        watched = watched_wins(self.counts)
        margin = self.stopping.margin * PER_HUNDRED

        def decided(units: float) -> bool:
            return judge(watched_interval(watched.scaled(units), self.stopping.own_alpha), margin) != "undecided"

        return least_units(decided) * self.deals / self.units

    def as_data(self) -> dict[str, object]:
        """Return everything as plain data."""
        forecast = self.deals_to_decide if self.answer == "undecided" else math.inf
        base, changed = self.arms
        return {
            "answer": self.answer,
            "players": self.players,
            "base": base,
            "changed": changed,
            "wins_per_100": interval_data(self.wins),
            "deals": self.deals,
            "games": self.games,
            "changed_games": self.changed_games,
            "deals_to_decide": forecast if math.isfinite(forecast) else None,
        }

    @classmethod
    def looks(
        cls, comparison: Setting, seed: int, stopping: Stopping, workers: Workers | None = None
    ) -> Iterator[Self]:
        """Measure a change and look after every block, in block order, until the stopping rule says enough.

        Parameters
        ----------
        comparison
            The change.
        seed
            The seed of all randomness.
        stopping
            When to stop.
        workers
            Who plays; None means threads of this process, one per processor. No number depends on it.

        Yields
        ------
        Measured
            What is known after each block; intervals only ever get narrower.
        """
        experiment = Experiment((comparison,), seed)
        blocks = range(JUDGING_BLOCK, JUDGING_BLOCK + blocks_for(stopping.most_deals))
        jobs = (Job(0, block) for block in blocks)
        sums: Counts | None = None
        interval = Interval(0.0, -math.inf, math.inf)
        finished = (workers or threads_as_workers())(experiment, jobs)
        try:
            for _, counts in finished:
                sums = counts if sums is None else add_counts(sums, counts)
                interval = intersection(interval, watched_interval(watched_wins(sums), stopping.own_alpha))
                yield cls(comparison, seed, stopping, sums, interval)
                if stopping.is_over(interval):
                    break
        finally:
            finished.close()  # type: ignore[attr-defined]

    @classmethod
    def measure(
        cls,
        comparison: Setting,
        seed: int,
        stopping: Stopping,
        workers: Workers | None = None,
        *,
        on_look: Callable[[Self], None] | None = None,
    ) -> Self:
        """Measure a change until the stopping rule says enough, and return the last look (see `looks`)."""
        for look in cls.looks(comparison, seed, stopping, workers):
            if on_look:
                on_look(look)
        return look

    def with_reason(self, workers: Workers | None = None) -> Self:
        """Return the same with what was played to find the reason for the effect (see `reason_settings`).

        Parameters
        ----------
        workers
            As for `looks`.
        """
        settings = self.reason_settings
        if not settings:
            return self
        jobs = [Job(setting, JUDGING_BLOCK) for setting in range(len(settings))]
        played = (workers or threads_as_workers())(Experiment(settings, self.seed), jobs)
        return replace(self, reason_counts=tuple(counts for _, counts in played))
