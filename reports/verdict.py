"""A change is measured until the answer is clear: good, bad, no practical difference, or undecided."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from typing import Any, Final, Literal

import numpy as np

from reports.betting import Watched, intersection, least_units, watched_interval
from reports.statistics import Interval, interval_data, mean_from_sums
from simulate.blocks import DEALS_PER_BLOCK, add_counts, blocks_for
from simulate.escalation.comparison import Comparison, whole_win
from simulate.escalation.pair_counts import MEASURES
from simulate.escalation.state import TELEMETRY
from simulate.experiment import Counts, Experiment
from simulate.runner import Job, check_threads, finished_blocks
from strategies.errors import InputError

Answer = Literal["good", "bad", "no practical difference", "undecided"]

DEFAULT_MARGIN: Final = 0.005
"""One win in 200 games: smaller effects nobody notices at a table."""
DEFAULT_ALPHA: Final = 0.05
DEFAULT_DEALS: Final = 100_000
GREATEST_ALPHA: Final = 0.5
PER_HUNDRED: Final = 100.0


def judge(interval: Interval, margin: float) -> Answer:
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
        The probability that an answer is wrong, however often one looks.
    precision
        Go on until the interval's half width is at most this; None: at most the margin.
    most_deals
        Stop after so many deals, rounded up to whole blocks, whatever the answer is.
    """

    margin: float = DEFAULT_MARGIN
    alpha: float = DEFAULT_ALPHA
    precision: float | None = None
    most_deals: int = DEFAULT_DEALS

    def __post_init__(self) -> None:
        """Check that the numbers make sense."""
        if not 0 < self.alpha < GREATEST_ALPHA:
            raise InputError(f"alpha {self.alpha:g} is not allowed: more than 0 and less than {GREATEST_ALPHA:g}")
        if not 0 < self.margin < 1:
            raise InputError(f"margin {self.margin:g} is not allowed: a share of wins, more than 0 and less than 1")
        if self.precision is not None and not 0 < self.precision < 1:
            raise InputError(f"precision {self.precision:g} is not allowed: more than 0 and less than 1")
        if self.precision is not None and self.precision > self.margin:
            raise InputError(
                f"precision {self.precision:g} is wider than margin {self.margin:g}: it could not show that an effect "
                "is within the margin"
            )
        if self.most_deals < DEALS_PER_BLOCK:
            raise InputError(f"{self.most_deals} deals at most are not allowed: a block has {DEALS_PER_BLOCK:,}")

    def with_alpha(self, alpha: float) -> Stopping:
        """Return the same with another alpha."""
        return replace(self, alpha=alpha)

    def is_over(self, interval: Interval) -> bool:
        """Tell whether an effect, in wins per 100 games, is decided and known precisely enough."""
        wide = self.margin if self.precision is None else self.precision
        decided = judge(interval, self.margin * PER_HUNDRED) != "undecided"
        return decided and interval.half_width <= wide * PER_HUNDRED


@dataclass(frozen=True)
class Measured:
    """What a change did, over all deals that were played.

    Attributes
    ----------
    comparison, seed
        What was played.
    stopping
        With the alpha of this number alone.
    counts
        Sums over all its blocks (see `simulate.escalation.comparison.reduce_pairs`).
    wins
        The effect on wins per 100 games (or matches), an average over positions; certain even if you watch it.
    """

    comparison: Comparison
    seed: int
    stopping: Stopping
    counts: Counts
    wins: Interval

    @property
    def players(self) -> int:
        """How many players there are at the table."""
        return self.comparison.rules.players

    @property
    def answer(self) -> Answer:
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
        """How many games were played with the change: every deal at every seat."""
        return self.deals * self.players

    @property
    def changed_games(self) -> int:
        """In how many of them any move came out differently."""
        return int(self.counts["changed_games"].sum())

    @property
    def score(self) -> Interval:
        """The effect on the focal player's own score, in cards per game (or match), for a planned number of games."""
        return self.effect("scores")

    def effect(self, measure: str) -> Interval:
        """Return the effect on any of `MEASURES`, for a planned number of games: wins per 100, or cards."""
        total, squares = (int(number) for number in self.counts["differences"][MEASURES.index(measure)])
        unit = whole_win(self.players) / PER_HUNDRED if measure.endswith("wins") else 1.0
        level = 1 - self.stopping.alpha
        return mean_from_sums(total, squares, self.units, level).times(1 / (unit * self.players))

    def did(self, measure: str) -> tuple[float, float]:
        """Return how often per game the focal player did something, as he is and with the change."""
        sums = self.counts["telemetry"][:, :, TELEMETRY.index(measure)].sum(axis=1) / self.games
        return float(sums[0]), float(sums[1])

    @property
    def base_wins(self) -> float:
        """Wins per 100 games of the focal player as he is."""
        return float(self.counts["wins"][0].sum()) / (whole_win(self.players) * self.units * self.players) * PER_HUNDRED

    @property
    def variance_reduction(self) -> float:
        """How many times the games that independent deals would have needed; infinite where nothing changed."""
        seats, units, win = self.players, self.units, whole_win(self.players)
        means = self.counts["wins"].sum(axis=1) / (units * seats)
        apart = float((self.counts["win_squares"] / (units * seats) - means**2).sum()) / win**2
        total, squares = (float(number) for number in self.counts["differences"][0])
        together = (squares / units - (total / units) ** 2) / (win * seats) ** 2
        return apart / (seats * together) if together > 0 else math.inf

    @property
    def deals_to_decide(self) -> float:
        """About how many deals would decide it if the effect is as it looks; infinite if none reasonably would."""
        watched = watched_wins(self.counts)
        margin = self.stopping.margin * PER_HUNDRED

        def decided(units: float) -> bool:
            return judge(watched_interval(watched.scaled(units), self.stopping.alpha), margin) != "undecided"

        return least_units(decided) * self.deals / self.units

    def as_data(self) -> dict[str, Any]:
        """Return everything as plain data."""
        undecided = self.answer == "undecided"
        forecast = self.deals_to_decide if undecided else None
        reduction = self.variance_reduction
        return {
            "answer": self.answer,
            "players": self.players,
            "base": self.comparison.base.label,
            "changed": self.comparison.changed.label,
            "opponents": [opponent.label for opponent in self.comparison.opponents],
            "wins_per_100": interval_data(self.wins),
            "score": interval_data(self.score),
            "next_player_wins_per_100": interval_data(self.effect("next_wins")),
            "previous_player_wins_per_100": interval_data(self.effect("previous_wins")),
            "deals": self.deals,
            "games": self.games,
            "changed_games": self.changed_games,
            "variance_reduction": reduction if math.isfinite(reduction) else None,
            "deals_to_decide": forecast if forecast is not None and math.isfinite(forecast) else None,
        }


def watched_wins(counts: Counts) -> Watched:
    """Return the per-unit differences of wins, in wins per 100 games, averaged over positions."""
    return Watched.from_histogram(counts["win_differences"], -PER_HUNDRED, PER_HUNDRED)


def looks(
    comparison: Comparison, seed: int, stopping: Stopping, *, threads: int | None = None, first_block: int = 0
) -> Iterator[Measured]:
    """Measure a change and look after every block, in block order, until the stopping rule says enough.

    Parameters
    ----------
    comparison
        The change.
    seed
        The seed of all randomness.
    stopping
        When to stop.
    threads
        Threads to play on; None means one per processor. No number depends on it.
    first_block
        Where to start, for deals that something else has not used yet.

    Yields
    ------
    Measured
        What is known after each block; intervals only ever get narrower.
    """
    experiment = Experiment((comparison,), seed)
    blocks = range(first_block, first_block + blocks_for(stopping.most_deals))
    sums: Counts | None = None
    interval = Interval(0.0, -math.inf, math.inf)
    finished = finished_blocks(experiment, (Job(0, block) for block in blocks), check_threads(threads))
    try:
        for _, counts in finished:
            sums = counts if sums is None else add_counts(sums, counts)
            interval = intersection(interval, watched_interval(watched_wins(sums), stopping.alpha))
            yield Measured(comparison, seed, stopping, sums, interval)
            if stopping.is_over(interval):
                break
    finally:
        finished.close()  # type: ignore[attr-defined]


def measure(
    comparison: Comparison,
    seed: int,
    stopping: Stopping,
    *,
    threads: int | None = None,
    first_block: int = 0,
    on_look: Callable[[Measured], None] | None = None,
) -> Measured:
    """Measure a change until the stopping rule says enough, and return the last look (see `looks`)."""
    for look in looks(comparison, seed, stopping, threads=threads, first_block=first_block):
        if on_look:
            on_look(look)
    return look


def average(measured: list[Measured], alpha: float) -> Interval:
    """Return the interval of the plain average of effects whose intervals hold together with probability 1 - alpha."""
    ends = np.array([[one.wins.estimate, one.wins.low, one.wins.high] for one in measured]).mean(axis=0)
    return Interval(float(ends[0]), float(ends[1]), float(ends[2]), 1 - alpha, measured[0].wins.kind)
