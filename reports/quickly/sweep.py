"""The question "how does the game change with the group, its habits and the number of players?"."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property
from itertools import product
from typing import Any

import pandas as pd

from reports.estimates.measures import columns_of, interval_from_row, plain_records, records
from reports.output.provenance import Provenance
from reports.output.table_files import tables_as_files
from reports.output.terminal import Screen, announce_basis
from reports.output.words import INTERVAL_NOTE, plus_minus
from reports.quickly.measures import COMEBACKS, GAME_WINS, GOOD_ROUNDS, ROUNDS, summarise_group
from reports.quickly.rules_words import group_provenance
from reports.reading.values import VARIATION_GRAMMAR, Habit, check_size
from simulate import Experiment, run
from simulate.experiment import Counts
from simulate.quickly.engine import Group
from simulate.quickly.rules import GroupRules
from simulate.runner import USUAL, How
from strategies.errors import InputError
from strategies.quickly import Person


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

    variations: tuple[Habit, ...]
    rules: tuple[GroupRules, ...]
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
    def points(self) -> list[tuple[GroupRules, tuple[float, ...]]]:
        """Every setting, player counts outermost, the last parameter innermost."""
        return list(product(self.rules, product(*(variation.values for variation in self.variations))))

    def group(self, rules: GroupRules, values: tuple[float, ...]) -> Group:
        """Return the group of one setting."""
        names = (variation.name for variation in self.variations)
        return Group(rules, (self.person.with_changes(dict(zip(names, values, strict=True))),) * rules.players)

    @cached_property
    def experiment(self) -> Experiment:
        """Every setting of the grid, on common deals."""
        return Experiment(tuple(self.group(*point) for point in self.points), self.seed)

    def provenance(self, games: int) -> Provenance:
        """Return what a result with at least so many games per setting is computed from."""
        vary = {one.name: [one.known.show(value) for value in one.values] for one in self.variations}
        return group_provenance(
            "quickly sweep", self.experiment, games, self.rules, [self.person.label], {"vary": vary}
        )


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
        return {**self.provenance.as_data(), "grid": plain_records(self.settings)}

    def files(self, *, parquet: bool = False) -> dict[str, bytes]:
        """Return the files of an output folder by name; figures only of a grid that was played whole."""
        from reports.output.figures import as_png, as_svg
        from reports.quickly.figures import plot_sweep

        files = tables_as_files({"settings": self.settings}, parquet=parquet)
        if len(self.settings) < self.plan.size:
            return files
        for variation in self.plan.variations:
            if len(variation.values) > 1:
                basis = f"{self.provenance.games:,} games per setting, seed {self.provenance.seed}"
                figure = plot_sweep(self.settings, variation.known, GAME_WINS, basis)
                files[f"{variation.name}.svg"], files[f"{variation.name}.png"] = as_svg(figure), as_png(figure)
        return files


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


def _row(plan: GroupSweepPlan, rules: GroupRules, values: tuple[float, ...], counts: Counts) -> dict[str, Any]:
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
        screen.note(f"Varying {variation.name}: {', '.join(map(variation.known.show, variation.values))}")
    announce_basis(screen, played)


def show_group_sweep(screen: Screen, result: GroupSweepResult) -> None:
    """Print every setting."""
    measures = [measure for measure in (GAME_WINS, GOOD_ROUNDS, ROUNDS, COMEBACKS) if measure.name in result.settings]
    variations = result.plan.variations
    rows = []
    for row in records(result.settings):
        values = [variation.known.show(row[variation.name]) for variation in variations]
        numbers = [interval_from_row(row, measure) for measure in measures]
        cells = [plus_minus(interval) if not math.isnan(interval.estimate) else "-" for interval in numbers]
        rows.append([str(row["players"]), *values, *cells])
    columns = ["players", *(variation.name for variation in variations)]
    screen.table([*columns, *(measure.label for measure in measures)], rows, texts=len(columns))
    screen.remark(f"Per 100, but game length in rounds. {INTERVAL_NOTE}")
