"""The question "how does the game change with the group, its habits and the number of players?"."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from itertools import product
from typing import Any, ClassVar, Self

import pandas as pd

from reports.estimates.measures import columns_of, interval_from_row, plain_rows, rows_of
from reports.output.provenance import Provenance
from reports.output.table_files import tables_as_files
from reports.output.terminal import Screen, announce_basis
from reports.output.words import INTERVAL_NOTE, plus_minus
from reports.quickly.spec import GROUPS_KEYS, group_provenance, groups_spec, read_alike
from reports.quickly.summary import COMEBACKS, GAME_WINS, GOOD_ROUNDS, ROUNDS, summarise_group
from reports.reading.spec_reader import SpecReader
from reports.reading.values import VARIATION_GRAMMAR, Variation, check_size, read_habit
from simulate import Experiment, run
from simulate.experiment import Counts
from simulate.quickly.engine import Group
from simulate.quickly.rules import Rules
from simulate.runner import USUAL, How
from strategies.errors import InputError
from strategies.quickly import PERSON, Person


@dataclass(frozen=True)
class GroupSweepPlan:
    """A grid of groups.

    Attributes
    ----------
    variations
        What varies, for everybody at once.
    rules
        One set of rules per number of players.
    person
        Everybody before variation.
    seed
        The seed of all randomness.
    """

    question: ClassVar[str] = "quickly sweep"

    variations: tuple[Variation, ...]
    rules: tuple[Rules, ...]
    person: Person
    seed: int = 1

    def __post_init__(self) -> None:
        """Check that the grid makes sense and is not too large, before anything of it is built."""
        names = [variation.name for variation in self.variations]
        if not names:
            raise InputError(f"a sweep needs a parameter to vary: {VARIATION_GRAMMAR}")
        if len(set(names)) < len(names):
            raise InputError("a parameter is given twice: list all its values in one place")
        check_size(self.size)

    @property
    def size(self) -> int:
        """How many settings the grid has."""
        return len(self.rules) * math.prod(len(variation.values) for variation in self.variations)

    @property
    def points(self) -> list[tuple[Rules, tuple[float, ...]]]:
        """Every setting, player counts outermost, the last parameter innermost."""
        return list(product(self.rules, product(*(variation.numbers for variation in self.variations))))

    def group(self, rules: Rules, values: tuple[float, ...]) -> Group:
        """Return the group of one setting."""
        names = (variation.name for variation in self.variations)
        return Group(rules, (self.person.with_changes(dict(zip(names, values, strict=True))),) * rules.players)

    @cached_property
    def experiment(self) -> Experiment:
        """Every setting of the grid, on common deals."""
        return Experiment(tuple(self.group(*point) for point in self.points), self.seed)

    def spec(self) -> dict[str, Any]:
        """Return the question as plain data."""
        vary = {varied.name: [varied.factor.show(value) for value in varied.numbers] for varied in self.variations}
        return {**groups_spec(self.rules, (self.person,)), "vary": vary}

    @classmethod
    def from_spec(cls, spec: Mapping[str, Any], seed: int) -> Self:
        """Return the question that `spec` wrote; every mistake is named."""
        read = SpecReader(spec, "spec", [*GROUPS_KEYS, "vary"])
        vary = read.take("vary", dict, {})
        values = SpecReader(vary, "spec.vary", list(vary))
        variations = tuple(read_habit(f"{name}={','.join(values.texts(name))}", PERSON) for name in vary)
        return cls(variations, *read_alike(read), seed)

    def provenance(self, games: int) -> Provenance:
        """Return what a result with at least so many games per setting is computed from."""
        return group_provenance(self.question, self.experiment, games, self.rules, self.spec())


@dataclass(frozen=True)
class GroupSweepResult:
    """What happened at every setting of a grid.

    Attributes
    ----------
    plan, provenance
        The grid, and what was played.
    settings
        One row per setting: players, one column per varied parameter, games, and every number with its interval
        (`name`, `name_low`, `name_high`).
    """

    plan: GroupSweepPlan
    provenance: Provenance
    settings: pd.DataFrame

    def as_data(self) -> dict[str, Any]:
        """Return everything as plain data, for JSON; a number that a setting does not have is null."""
        return {**self.provenance.as_data(), "grid": plain_rows(self.settings)}

    def files(self, *, parquet: bool = False) -> dict[str, bytes]:
        """Return the files of an output folder by name; figures only of a grid that was played whole."""
        from reports.output.figures import figures_as_files
        from reports.quickly.figures import plot_sweep

        files = tables_as_files({"settings": self.settings}, parquet=parquet)
        if len(self.settings) < self.plan.size:
            return files
        basis = f"{self.provenance.games:,} games per setting, seed {self.provenance.seed}"
        names = [variation.name for variation in self.plan.variations if len(variation.values) > 1]
        drawn = {name: plot_sweep(self.settings, PERSON.parameter(name), GAME_WINS, basis) for name in names}
        return files | figures_as_files(drawn)


def sweep_groups(plan: GroupSweepPlan, games: int, how: How = USUAL) -> GroupSweepResult:
    """Play every setting of a grid on the same deals.

    Parameters
    ----------
    plan
        The grid.
    games, how
        As for `simulate.run`.

    Returns
    -------
    GroupSweepResult
        Settings of which a stopped run has played nothing are missing; one that has played nothing at all raises
        KeyboardInterrupt.
    """
    every_count = run(plan.experiment, games, how)
    rows = [_row(plan, *point, counts) for point, counts in zip(plan.points, every_count, strict=True) if counts]
    if not rows:
        raise KeyboardInterrupt
    return GroupSweepResult(plan, plan.provenance(games), pd.DataFrame(rows))


def _row(plan: GroupSweepPlan, rules: Rules, values: tuple[float, ...], counts: Counts) -> dict[str, Any]:
    varied = {variation.name: value for variation, value in zip(plan.variations, values, strict=True)}
    games = {"games": int(counts["games"][0])}
    return {"players": rules.players, **varied, **games, **columns_of(summarise_group(counts))}


def announce_group_sweep(screen: Screen, plan: GroupSweepPlan, games: int) -> None:
    """Say what is about to be played."""
    played = plan.provenance(games)
    screen.note(
        f"Playing {plan.size:,} settings of {played.games:,} games, each on the same deals: {plan.person.label}"
    )
    for variation in plan.variations:
        screen.note(f"Varying {variation.name}: {', '.join(map(variation.factor.show, variation.numbers))}")
    announce_basis(screen, played)


def show_group_sweep(screen: Screen, result: GroupSweepResult) -> None:
    """Print every setting."""
    measures = [measure for measure in (GAME_WINS, GOOD_ROUNDS, ROUNDS, COMEBACKS) if measure.name in result.settings]
    variations = result.plan.variations
    rows = []
    for row in rows_of(result.settings):
        values = [variation.factor.show(row[variation.name]) for variation in variations]
        numbers = [interval_from_row(row, measure.name) for measure in measures]
        cells = [plus_minus(interval) if not math.isnan(interval.estimate) else "-" for interval in numbers]
        rows.append([str(row["players"]), *values, *cells])
    columns = ["players", *(variation.name for variation in variations)]
    screen.table([*columns, *(measure.label for measure in measures)], rows, texts=len(columns))
    screen.remark(f"Per 100, but game length in rounds. {INTERVAL_NOTE}")
