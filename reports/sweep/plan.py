"""The question "how does play change as these things change?": settings on common deals."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property, reduce
from typing import Any, ClassVar, Final, Literal, Self, get_args

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from reports.estimates.intervals import LEVEL
from reports.estimates.measures import Measure, Row, columns_of, plain_rows
from reports.estimates.sensitivity import check_regression, check_sobol, groups_of_blocks
from reports.estimates.spread_over_blocks import as_batch, mean_over_blocks
from reports.output.provenance import Provenance, deck_note, rules_note
from reports.reading.escalation import (
    RULES_KEYS,
    read_rules,
    read_seat,
    read_table_sizes,
    rules_spec,
    strategies_spec,
)
from reports.reading.spec_reader import SpecReader
from reports.reading.values import VARIATION_GRAMMAR, Value, Variation, check_size
from reports.simulation.summary import (
    BEHAVIOUR,
    GAME_TURNS,
    SCORE,
    WINS,
    metric,
    summarise_games,
    summarise_seats,
    summary_columns,
)
from reports.sweep.designs import GRID, Design, Values
from reports.sweep.variation import (
    ALL,
    FOCAL,
    OPPONENTS,
    changed_player,
    changed_rules,
    habit_of,
    value_of,
    variation_from,
)
from simulate import Experiment, Rules, Table
from simulate.blocks import add_counts, blocks_for
from simulate.experiment import Counts
from simulate.runner import USUAL, How, followed, jobs_in_passes
from strategies.errors import InputError, unknown_name
from strategies.strategy import Strategy

Who = Literal["focal", "all"]
WHOS: Final[tuple[Who, ...]] = get_args(Who)
"""Whose parameters vary: those of the player at seat 0 against fixed opponents, or everybody's at once."""


@dataclass(frozen=True)
class Point:
    """One setting: a number of players and one value per variation."""

    players: int
    values: Values


@dataclass(frozen=True)
class SweepPlan:
    """Settings to play, chosen by a design from what varies.

    Attributes
    ----------
    variations
        What varies, and the values.
    player_counts
        The table sizes to play at.
    rules
        What is played; its number of players is replaced by each of `player_counts`.
    seats
        The focal player before variation, then the opponents; the last one given fills the remaining seats.
    who
        Whether only the focal player varies, or everybody plays the varied strategy (then only one seat may be given).
    match
        Whether the players mind the standing of a match.
    seed
        The seed of all randomness, the drawing of points included.
    design
        Which points are played; at every table size, unless the design lists table sizes of its own.
    metrics
        The names of the measures that tables and plots show first; empty for the usual ones.
    """

    question: ClassVar[str] = "sweep"

    variations: tuple[Variation, ...]
    player_counts: tuple[int, ...]
    rules: Rules
    seats: tuple[Strategy, ...]
    who: Who = "focal"
    match: bool = False
    seed: int = 1
    design: Design = GRID
    metrics: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        """Check that the plan makes sense and is not too large, before anything of it is built."""
        if self.who not in WHOS:
            raise unknown_name("choice of who varies", self.who, WHOS)
        for name in self.metrics:
            metric(name)
        if not self.variations:
            raise InputError(f"a sweep needs a parameter to vary: {VARIATION_GRAMMAR}")
        self._check_names()
        check_size(self.size, "grid" if self.design.kind == "grid" else f"{self.design.kind} design")
        if len(self.seats) > min(self.player_counts):
            raise InputError(
                f"{len(self.seats)} seats are given for {min(self.player_counts)} players: at most one per player"
            )
        if self.who == "all" and len(self.seats) > 1:
            raise InputError("when everybody varies there are no opponents: give a single seat")

    def _check_names(self) -> None:
        """Make sure that nothing is set twice."""
        setters: dict[tuple[str, str], str] = {}
        for name in (variation.name for variation in self.variations):
            if name == "players":
                raise InputError("the number of players is given as players=2:6 or --players 2-6, once")
            targets = [("table", name)]
            if habit := habit_of(name):
                whose = habit[0] or (ALL if self.who == "all" else FOCAL)
                if whose == OPPONENTS and self.who == "all":
                    raise InputError(f"when everybody varies there are no opponents: {name} cannot vary")
                targets = [(player, habit[1]) for player in ((FOCAL, OPPONENTS) if whose == ALL else (whose,))]
            for target in targets:
                if target in setters:
                    other = setters[target]
                    twice = f"parameter {other} is" if other == name else f"{other} and {name} set the same:"
                    raise InputError(f"{twice} given twice: list all its values in one place")
                setters[target] = name

    @property
    def size(self) -> int:
        """How many settings there are."""
        return self.design.size(self.variations, self.base) * (1 if self.design.players else len(self.player_counts))

    @property
    def base(self) -> Values:
        """The value of everything that varies before it is varied."""
        focal, opponent = self.seats[0], self._opponents[0]
        return tuple(value_of(varied.name, self.rules, focal, opponent) for varied in self.variations)

    @cached_property
    def rows(self) -> list[Values]:
        """The points of the design, at one table size."""
        return self.design.points_of(self.variations, self.base, self.seed)

    @cached_property
    def points(self) -> list[Point]:
        """Every setting, player counts outermost, the last variation innermost."""
        if self.design.players:
            return [Point(players, row) for players, row in zip(self.design.players, self.rows, strict=True)]
        return [Point(players, row) for players in self.player_counts for row in self.rows]

    @cached_property
    def experiment(self) -> Experiment:
        """Every setting, on common deals."""
        return Experiment(tuple(self.table(point) for point in self.points), self.seed)

    def table(self, point: Point) -> Table:
        """Return the table of one setting."""
        players, values = point.players, self.values_at(point)
        focal = changed_player(self.seats[0], values, {"", ALL})
        seats = [focal] * players
        if self.who == "focal":
            opponents = [changed_player(player, values, {OPPONENTS, ALL}) for player in self._opponents]
            seats = [focal, *opponents, *[opponents[-1]] * (players - 1 - len(opponents))]
        rules = changed_rules(replace(self.rules, players=players), values)
        return Table(rules, tuple(seats), match=self.match)

    def values_at(self, point: Point) -> dict[str, Value]:
        """Return the values of a setting by name."""
        return {variation.name: value for variation, value in zip(self.variations, point.values, strict=True)}

    @property
    def behaviour(self) -> tuple[str, ...]:
        """Those of the metrics that are something players did, by their names in `BEHAVIOUR`."""
        asked = [metric(name) for name in self.metrics]
        return tuple(name for name, measure in BEHAVIOUR.items() if measure in asked)

    @property
    def opponents(self) -> str:
        """Who sits at the other seats, in one phrase."""
        if self.who == "all":
            return "everybody varies"
        return ", ".join(strategy.label for strategy in self._opponents)

    @property
    def _opponents(self) -> tuple[Strategy, ...]:
        """The strategies given for the other seats; if there are none, the focal player's own before variation."""
        return self.seats[1:] or self.seats[:1]

    def spec(self) -> dict[str, Any]:
        """Return the question in plain data."""
        return {
            "who": self.who,
            "players": list(self.player_counts),
            "seats": [strategy.label for strategy in self.seats],
            "strategies": strategies_spec(self.seats),
            "match": self.match,
            **({"metrics": list(self.metrics)} if self.metrics else {}),
            "vary": {variation.name: variation.spec() for variation in self.variations},
            "design": self.design.spec(),
            **rules_spec(self.rules),
        }

    @classmethod
    def from_spec(cls, spec: Mapping[str, Any], seed: int) -> Self:
        """Return the question that `spec` wrote; every mistake is named."""
        names = ["who", "players", "seats", "strategies", "match", "metrics", "vary", "design", *RULES_KEYS]
        read = SpecReader(spec, "spec", names)
        counts, known = read_table_sizes(read), read.take("strategies", dict, {})
        seats = tuple(read_seat(label, known) for label in read.texts("seats"))
        if not (counts and seats):
            raise InputError("spec: players and seats need at least one entry")
        variations = tuple(variation_from(*varied) for varied in read.take("vary", dict).items())
        who: Any = read.take("who", str, "focal")
        return cls(
            variations,
            counts,
            read_rules(read, counts[-1]),
            seats,
            who,
            read.take("match", bool, False),
            seed,
            Design.from_spec(read.take("design", dict, {}), variations),
            read.texts("metrics", []),
        )

    def _varies(self, place: str) -> bool:
        return any(variation.name.partition(".")[0] == place for variation in self.variations)

    def check_enough(self, games: int) -> None:
        """Make sure that points and games suffice to say what matters.

        Raises
        ------
        InputError
            If they do not.
        """
        if self.design.kind == "saltelli":
            check_sobol(self.design.points, blocks_for(games))
        elif self.design.kind in {"latin-hypercube", "sobol", "points"} and len(self.variations) > 1:
            for _, points in self.frame.groupby("players"):
                check_regression(points.drop(columns="players"))

    @property
    def frame(self) -> pd.DataFrame:
        """The points: the column players, and one for everything that varies."""
        return pd.DataFrame([{"players": point.players, **self.values_at(point)} for point in self.points])

    def provenance(self, games: int) -> Provenance:
        """Return what a result with at least so many games per setting is computed from.

        Raises
        ------
        InputError
            As `check_enough`.
        """
        self.check_enough(games)
        return self.described(games)

    def described(self, games: int) -> Provenance:
        """Return the same for a question that does not ask what matters."""
        return Provenance.of(
            self.question,
            self.experiment,
            games,
            spec=self.spec(),
            deck="varies" if self._varies("deck") else deck_note(self.rules),
            rules=", ".join(filter(None, [rules_note(self.rules), "varied" if self._varies("rule") else ""])),
        )


@dataclass(frozen=True)
class SweepResult:
    """What happened at every setting of a sweep.

    Attributes
    ----------
    plan
        The sweep.
    provenance
        What was played.
    settings
        One row per setting: setting (its number), players, one column per varied parameter, games, matches, every
        number of the focal player (of everybody, when everybody varies) and of whole games. Numbers with an interval
        have the columns `name`, `name_low` and `name_high`. Settings of which a stopped run has played nothing are
        missing.
    by_group
        Where several things vary: each measure by name, shape (groups of deals, settings).
    """

    plan: SweepPlan
    provenance: Provenance
    settings: pd.DataFrame
    by_group: Mapping[str, NDArray[np.float64]] = field(default_factory=dict)

    @property
    def measures(self) -> tuple[Measure, ...]:
        """The numbers worth plotting, the most telling one first.

        When everybody varies, wins say nothing: everybody wins one game in as many as there are players.
        """
        if self.plan.metrics:
            return tuple(metric(name) for name in self.plan.metrics)
        return (WINS,) if self.plan.who == "focal" else (SCORE, GAME_TURNS)

    @property
    def complete(self) -> bool:
        """Whether every setting was played as often as planned."""
        return len(self.settings) == self.plan.size and bool((self.settings["games"] == self.provenance.games).all())

    def as_data(self) -> dict[str, object]:
        """Return everything as plain data, for JSON."""
        return {
            **self.provenance.as_data(),
            "level": LEVEL,
            "grid": plain_rows(self.settings),
        }


def sweep(plan: SweepPlan, games: int, how: How = USUAL) -> SweepResult:
    """Play every setting of a sweep on the same deals, every order of the seats equally often.

    Parameters
    ----------
    plan
        What to play.
    games
        Games per setting, rounded up to whole blocks of 5,040.
    how
        How to run (see `simulate.runner.How`). The numbers do not depend on it.

    Returns
    -------
    SweepResult
        One row per setting, with intervals.

    Raises
    ------
    InputError, KeyboardInterrupt
        As `reports.simulation.simulate_table`.

    Examples
    --------
    >>> from simulate import Rules
    >>> from strategies.catalogue import strategy
    >>> plan = SweepPlan((read_variation("pass_hoard=0,4"),), (2, 3), Rules(), (strategy("standard"),))
    >>> sweep(plan, games=5040).settings[["players", "pass_hoard"]].values.tolist()
    [[2.0, 0.0], [2.0, 4.0], [3.0, 0.0], [3.0, 4.0]]
    """
    plan.check_enough(games)
    groups = groups_of_blocks(blocks_for(games)) if len(plan.variations) > 1 else 1
    counts_of_groups = _counts_by_group(plan, games, groups, how)
    rows: list[Row] = []
    for setting, (point, counts) in enumerate(zip(plan.points, counts_of_groups, strict=True)):
        if counts:
            numbers = numbers_of(plan, point, reduce(add_counts, counts.values()))
            rows.append({"setting": setting, "players": point.players, **plan.values_at(point), **numbers})
    if not rows:
        raise KeyboardInterrupt
    result = SweepResult(plan, plan.provenance(games), pd.DataFrame(rows))
    if groups == 1 or not result.complete:
        return result
    by_group = [
        [numbers_of(plan, point, counts[group]) for group in range(groups)]
        for point, counts in zip(plan.points, counts_of_groups, strict=True)
    ]
    values = {m.name: np.array([[numbers[m.name] for numbers in own] for own in by_group]).T for m in result.measures}
    return replace(result, by_group=values)


def _counts_by_group(plan: SweepPlan, games: int, groups: int, how: How) -> list[dict[int, Counts]]:
    """Play a sweep and return the counts of each setting by group of deals; block b belongs to group b mod groups."""
    if games < 1:
        raise InputError(f"{games} games are not allowed: 1 or more")
    blocks = blocks_for(games)
    sums: list[dict[int, Counts]] = [{} for _ in range(plan.size)]
    for job, counts in followed(plan.experiment, jobs_in_passes(plan.size, blocks), blocks * plan.size, how):
        group, own = job.block % groups, sums[job.setting]
        block = as_batch(counts) if plan.behaviour else counts
        own[group] = add_counts(own[group], block) if group in own else block
    return sums


def numbers_of(plan: SweepPlan, point: Point, counts: Counts) -> dict[str, float]:
    """Return every number of one setting, by column."""
    seats = range(point.players) if plan.who == "all" else (0,)
    summary = summarise_seats(counts, plan.who, seats, match=plan.match)
    games = columns_of(summarise_games(counts, match=plan.match))
    # What players did has bounds only where it was asked for: they need more than the sums.
    asked = columns_of({BEHAVIOUR[name]: mean_over_blocks(counts, name, seats) for name in plan.behaviour})
    return {"games": summary.games, "matches": summary.matches, **summary_columns(summary), **games, **asked}
