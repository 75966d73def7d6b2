"""The question "how does the game change with the group, its habits and the number of players?"."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from itertools import product
from typing import Any, ClassVar, Self

import pandas as pd

from reports.estimates.measures import columns_of, plain_rows
from reports.output.provenance import Provenance
from reports.quickly.spec import GROUPS_KEYS, group_provenance, groups_spec, read_alike
from reports.quickly.summary import summarise_group
from reports.reading.spec_reader import SpecReader
from reports.reading.values import VARIATION_GRAMMAR, Variation, check_size, read_habit
from simulate import Experiment, run
from simulate.experiment import Counts
from simulate.quickly.engine import Group
from simulate.quickly.rules import GroupRules
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
        return list(product(self.rules, product(*(variation.numbers for variation in self.variations))))

    def group(self, rules: GroupRules, values: tuple[float, ...]) -> Group:
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

    def as_data(self) -> dict[str, object]:
        """Return everything as plain data, for JSON; a number that a setting does not have is null."""
        return {**self.provenance.as_data(), "grid": plain_rows(self.settings)}


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


def _row(plan: GroupSweepPlan, rules: GroupRules, values: tuple[float, ...], counts: Counts) -> dict[str, object]:
    varied = {variation.name: value for variation, value in zip(plan.variations, values, strict=True)}
    games = {"games": int(counts["games"][0])}
    return {"players": rules.players, **varied, **games, **columns_of(summarise_group(counts))}
