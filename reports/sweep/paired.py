"""Many alternatives against one base on the same deals: which of them differ, or which is best with few games.

Each point of a sweep is a change of the focal player. Every deal is played with that player at every seat, with
and without the change, so what is compared is the change and not the deals.

`compare` plays every point equally and marks those that differ, at a stated rate of false ones. `best` and `worst` give
games where they matter: after each round they drop points whose interval cannot reach the leader's, all intervals
holding together and at every look, and measure the winner again on deals that had no part in choosing it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, Final, Literal, Self, get_args

import numpy as np
import pandas as pd

from reports.estimates.betting import (
    Watched,
    discoveries,
    evidence,
    intersection,
    planned_interval,
    watched_interval,
    watched_wins,
)
from reports.estimates.intervals import Interval, fixed, interval_data
from reports.estimates.measures import Row, bounds_columns, plain_rows
from reports.output.provenance import Provenance
from reports.reading.spec_reader import SpecReader
from reports.sweep.plan import SweepPlan
from reports.sweep.variation import habit_of
from simulate import Experiment
from simulate.blocks import DEALS_PER_BLOCK, FRESH_BLOCK, add_counts, blocks_for
from simulate.escalation.settings.comparison import Comparison
from simulate.experiment import Counts
from simulate.runner import USUAL, How, Job, Progress, followed, jobs_in_passes
from strategies.errors import InputError, unknown_name

Goal = Literal["compare", "best", "worst"]
GOALS: Final[tuple[Goal, ...]] = get_args(Goal)
DEFAULT_RATE: Final = 0.05
LEAST_RATE: Final = 1e-12
HIGHEST_RATE: Final = 0.5

NUMBER: Final = "difference_in_wins_per_100_games"


@dataclass(frozen=True)
class PairedPlan:
    """Points of a sweep, each against the base.

    Attributes
    ----------
    sweep
        The points: changes of the focal player at one table size.
    goal
        compare: mark those that differ from the base. best, worst: find that one.
    rate
        compare: at most this share of those marked is marked wrongly, on average. best, worst: the probability that any
        interval of the race is wrong at any look.
    """

    sweep: SweepPlan
    goal: Goal = "compare"
    rate: float = DEFAULT_RATE

    def __post_init__(self) -> None:
        """Check that every point is a change of the focal player alone."""
        if self.goal not in GOALS:
            raise unknown_name("goal", self.goal, GOALS)
        if not LEAST_RATE <= self.rate <= HIGHEST_RATE:
            raise InputError(f"a rate of {self.rate:g} is not allowed: {LEAST_RATE:g} to {HIGHEST_RATE:g}")
        if self.sweep.who == "all":
            raise InputError("paired comparisons vary one player against others: --who focal")
        for variation in self.sweep.variations:
            habit = habit_of(variation.name)
            if habit is None or habit[0]:
                raise InputError(
                    f"paired comparisons vary parameters of the first seat only, not {variation.name}: leave it fixed"
                )
        if len(set(self.sweep.player_counts)) > 1:
            raise InputError("paired comparisons are for one table size: give --players a single number")

    @property
    def question(self) -> str:
        """The name of the question in files."""
        return self.goal

    @classmethod
    def from_spec(cls, spec: Mapping[str, Any], seed: int, *, goal: Goal) -> Self:
        """Return the question that `spec` wrote; every mistake is named."""
        points = {name: value for name, value in spec.items() if name != "rate"}
        rate = SpecReader(spec, "spec", list(spec)).number("rate", DEFAULT_RATE)
        return cls(SweepPlan.from_spec(points, seed), goal, rate)

    def spec(self) -> dict[str, Any]:
        """Return the question as plain data; its goal is its name."""
        return {**self.sweep.spec(), "rate": self.rate}

    @property
    def seed(self) -> int:
        """The seed of all randomness."""
        return self.sweep.seed

    @property
    def players(self) -> int:
        """Players at the table."""
        return self.sweep.player_counts[0]

    @cached_property
    def experiment(self) -> Experiment:
        """One comparison with the base per point, on common deals."""
        tables = [self.sweep.table(point) for point in self.sweep.points]
        base = self.sweep.seats[0]
        return Experiment(
            tuple(Comparison(table.rules, base, table.seats[0], table.seats[1:], table.match) for table in tables),
            self.seed,
        )

    def is_base(self, setting: int) -> bool:
        """Whether a point is the base itself, from which it cannot differ."""
        return self.sweep.table(self.sweep.points[setting]).seats[0].values == self.sweep.seats[0].values

    def deals(self, games: int) -> int:
        """Return how many deals give so many games of the changed player, who has every seat in each of them."""
        return blocks_for(-(-games // self.players)) * DEALS_PER_BLOCK

    def provenance(self, games: int) -> Provenance:
        """Return what a result is computed from."""
        sweep, games = self.sweep.described(games), self.deals(games) * self.players
        return Provenance.of(
            self.question, self.experiment, games, spec=self.spec(), deck=sweep.deck, rules=sweep.rules
        )


@dataclass(frozen=True)
class PairedResult:
    """Every point's difference from the base.

    Attributes
    ----------
    plan
        What was asked.
    provenance
        What was played.
    settings
        One row per point: setting, players, one column per varied parameter, deals, the difference in wins per 100
        games with its bounds; when comparing: evidence (an e-value) and different (yes or no); when finding: state
        (winner, in the race, or dropped).
    winner
        When finding: the row of the winner, None if the race was stopped.
    fresh
        The winner's difference from the base on deals that had no part in choosing it.
    saved
        Games that playing every point equally would have taken in addition, as a share of all of them.
    complete
        Whether everything was played as planned; not if the run was stopped.
    """

    plan: PairedPlan
    provenance: Provenance
    settings: pd.DataFrame
    winner: int | None = None
    fresh: Interval | None = None
    saved: float = 0.0
    complete: bool = True

    def as_data(self) -> dict[str, object]:
        """Return everything as plain data, for JSON."""
        fresh, found = self.fresh, dict[str, object]()
        if self.plan.goal != "compare":
            measured = fresh and {name: value for name, value in interval_data(fresh).items() if name != "kind"}
            found = {"winner": self.winner, "fresh": measured, "games_saved": self.saved}
        return {**self.provenance.as_data(), **found, "grid": plain_rows(self.settings)}


def answer_paired(plan: PairedPlan, games: int, how: How = USUAL) -> PairedResult:
    """Compare every point with the base, or find the best or the worst.

    Parameters
    ----------
    plan
        What to play.
    games
        Games of the changed player per point (at most, when finding), rounded up to whole blocks of deals.
    how
        How to run (see `simulate.runner.How`). The numbers do not depend on it.

    Raises
    ------
    KeyboardInterrupt
        If it was stopped before every point was played once.
    """
    if games < 1:
        raise InputError(f"{games} games are not allowed: 1 or more")
    blocks = plan.deals(games) // DEALS_PER_BLOCK
    return _compare(plan, games, blocks, how) if plan.goal == "compare" else _find(plan, games, blocks, how)


def _compare(plan: PairedPlan, games: int, blocks: int, how: How) -> PairedResult:
    size = plan.sweep.size
    sums = _Sums(plan.experiment)
    sums.play(jobs_in_passes(size, blocks), blocks * size, how)
    played = [setting for setting in range(size) if setting in sums.counts]
    if not played:
        raise KeyboardInterrupt
    watched = {setting: watched_wins(sums.counts[setting]) for setting in played}
    evidences = [evidence(watched[setting], 0.0) for setting in played]
    different = discoveries(evidences, plan.rate)
    rows = [
        {
            **_row(plan, setting, watched[setting], planned_interval(watched[setting])),
            "evidence": e_value,
            "different": "yes" if chosen else "no",
        }
        for setting, e_value, chosen in zip(played, evidences, different, strict=True)
    ]
    complete = len(played) == size and all(row["deals"] == blocks * DEALS_PER_BLOCK for row in rows)
    return PairedResult(plan, plan.provenance(games), pd.DataFrame(rows), complete=complete)


class _Sums:
    """Counts of each setting so far, and how many blocks they are of."""

    def __init__(self, experiment: Experiment) -> None:
        self.experiment = experiment
        self.counts: dict[int, Counts] = {}
        self.blocks = [0] * len(experiment.settings)

    def play(self, jobs: Iterable[Job], blocks: int, how: How) -> None:
        """Play so many blocks and add them."""
        for job, counts in followed(self.experiment, jobs, blocks, how):
            known = self.counts.get(job.setting)
            self.counts[job.setting] = add_counts(known, counts) if known else counts
            self.blocks[job.setting] += 1


def _find(plan: PairedPlan, games: int, blocks: int, how: How) -> PairedResult:
    size, sign = plan.sweep.size, 1 if plan.goal == "best" else -1
    sums, intervals = _Sums(plan.experiment), dict[int, Interval]()
    racing, whole = list(range(size)), _WholeRace(how)
    for first, last in rounds(blocks):
        jobs = [Job(setting, block) for setting in racing for block in range(first, last)]
        # At most: those that are still in the race play on to the end, and the winner is measured again.
        planned = sum(sums.blocks) + len(racing) * (blocks - first) + blocks
        sums.play(jobs, len(jobs), whole.of(planned))
        if any(sums.blocks[setting] < last for setting in racing):
            return _unfinished(plan, games, sums, intervals)
        for setting in racing:
            # All points together keep the rate: it is divided evenly among them, dropped ones included.
            latest = watched_interval(watched_wins(sums.counts[setting]), plan.rate / size)
            intervals[setting] = intersection(intervals[setting], latest) if setting in intervals else latest
        racing = still_racing(intervals, racing, sign)
        if len(racing) == 1:
            break
    winner = max(racing, key=lambda setting: (sign * intervals[setting].estimate, -setting))
    spent = sum(sums.blocks)
    fresh = _measured_again(plan, winner, blocks, whole.of(spent + blocks))
    rows = _race_rows(plan, sums, intervals, racing, winner)
    saved = 1 - spent / (size * blocks)
    return PairedResult(plan, plan.provenance(games), pd.DataFrame(rows), winner, fresh, saved, fresh is not None)


class _WholeRace:
    """Tells the progress of round after round as that of one run."""

    def __init__(self, how: How) -> None:
        self.how = how
        self.games = self.stored = 0

    def of(self, planned: int) -> How:
        """Return how to play the next round of a race that takes at most so many blocks in all."""
        on_progress, games, stored = self.how.on_progress, self.games, self.stored
        if on_progress is None:
            return self.how

        def tell(progress: Progress) -> None:
            self.games, self.stored = games + progress.games, stored + progress.stored
            whole = replace(progress, games=self.games, stored=self.stored, planned=planned * DEALS_PER_BLOCK)
            on_progress(whole)

        return replace(self.how, on_progress=tell)


def rounds(blocks: int) -> Iterator[tuple[int, int]]:
    """Yield the first and the last block (excluded) of each round: 1, 1, 2, 4, ... blocks."""
    first, last = 0, 1
    while first < blocks:
        yield first, min(last, blocks)
        first, last = last, 2 * last


def still_racing(intervals: dict[int, Interval], racing: Sequence[int], sign: int) -> list[int]:
    """Return those whose interval reaches the one that is surest to be good (sign 1) or bad (sign -1)."""
    seen = {setting: intervals[setting] if sign > 0 else -intervals[setting] for setting in racing}
    floor = max(interval.low for interval in seen.values())
    return [setting for setting, interval in seen.items() if interval.high >= floor]


def _measured_again(plan: PairedPlan, winner: int, blocks: int, how: How) -> Interval | None:
    """Measure the winner on blocks that no sweep reaches, nor any race; None if stopped before the end."""
    again = _Sums(plan.experiment)
    again.play([Job(winner, FRESH_BLOCK + block) for block in range(blocks)], blocks, how)
    if again.blocks[winner] < blocks:
        return None
    return fixed(0.0) if plan.is_base(winner) else planned_interval(watched_wins(again.counts[winner]))


def _race_rows(
    plan: PairedPlan, sums: _Sums, intervals: dict[int, Interval], racing: Sequence[int], winner: int | None
) -> list[Row]:
    states = dict.fromkeys(intervals, "dropped") | dict.fromkeys(racing, "in the race")
    if winner is not None:
        states[winner] = "winner"
    return [
        {**_row(plan, setting, watched_wins(sums.counts[setting]), intervals[setting]), "state": states[setting]}
        for setting in sorted(intervals)
    ]


def _unfinished(plan: PairedPlan, games: int, sums: _Sums, intervals: dict[int, Interval]) -> PairedResult:
    if not intervals:
        raise KeyboardInterrupt
    rows = _race_rows(plan, sums, intervals, list(intervals), None)
    return PairedResult(plan, plan.provenance(games), pd.DataFrame(rows), complete=False)


def _row(plan: PairedPlan, setting: int, watched: Watched, interval: Interval) -> Row:
    deals = int(watched.units) * (plan.players if plan.sweep.match else 1)
    values = plan.sweep.values_at(plan.sweep.points[setting])
    place = {"setting": setting, "players": plan.players, **values, "deals": deals}
    return place | bounds_columns(NUMBER, fixed(0.0) if plan.is_base(setting) else interval)


def best_first(result: PairedResult) -> pd.DataFrame:
    """Return the points in the order of the question: the worst first only if that is what was asked for."""
    return result.settings.sort_values(NUMBER, ascending=result.plan.goal == "worst", kind="stable")


def share_different(result: PairedResult) -> tuple[int, int]:
    """Return how many points are marked as different from the base, and of how many."""
    return int(np.sum(result.settings["different"] == "yes")), len(result.settings)
