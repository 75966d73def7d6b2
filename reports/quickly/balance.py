"""The question "is the game fair to groups of every size, and lively?"."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import pairwise
from typing import Any, ClassVar, Final, Self

import numpy as np
import pandas as pd

from reports.estimates.intervals import Interval, jointly
from reports.estimates.joint import difference
from reports.estimates.measures import Row, bounds_columns, columns_of, interval_from_row, plain_rows, rows_of
from reports.output.provenance import Provenance
from reports.quickly.spec import GROUPS_KEYS, group_provenance, groups_spec, read_alike
from reports.quickly.summary import GAME_WINS, confusions_frame, flips_frame, summarise_group
from reports.reading.spec_reader import SpecReader
from simulate import Experiment, run
from simulate.experiment import Counts
from simulate.quickly.engine import Group
from simulate.quickly.rules import GroupRules
from simulate.runner import USUAL, How
from strategies.errors import InputError
from strategies.quickly import Person

SIGMAS: Final = tuple(0.25 * step for step in range(1, 13))
"""The skills of groups that are looked at."""
ALLOWANCES: Final = (0, 1, 2)
EVEN: Final = 50.0
"""Games won per 100 at an even chance."""
JUMP: Final = 10.0
"""One player more should change games won per 100 by less than this."""

Step = tuple[int, int, Interval]
"""A number of players, the next one, and what is different there."""
Key = tuple[str, GroupRules, float]
"""What a setting is for ("grid", "allowance", "planned"), and its rules and sigma."""


@dataclass(frozen=True)
class GroupBalancePlan:
    """Tables to look at.

    Attributes
    ----------
    rules
        One set of rules per number of players.
    person
        Everybody; that sigma is the skill at which the closer looks are taken.
    seed
        The seed of all randomness.
    """

    question: ClassVar[str] = "quickly balance"

    rules: tuple[GroupRules, ...]
    person: Person
    seed: int = 1

    def __post_init__(self) -> None:
        """Check that there is a noise to speak of."""
        if self.person["sigma"] == 0 or self.person["burn"]:
            raise InputError("balance needs a sigma above 0 and looks at planned mistakes by itself: burn=0")

    @cached_property
    def settings(self) -> dict[Key, Group]:
        """Every setting, by what it is for."""
        found: dict[Key, Group] = {}
        for rules in self.rules:
            for sigma in dict.fromkeys((*SIGMAS, self.person["sigma"])):
                found["grid", rules, sigma] = self._group(rules, sigma=sigma)
            for allowed in ALLOWANCES:
                other = replace(rules, mistakes=allowed)
                found["allowance", other, self.person["sigma"]] = self._group(other)
            if rules.mistakes and not self.person["own_shift"]:
                permitted = replace(rules, planned_mistake=True)
                found["planned", permitted, self.person["sigma"]] = self._group(permitted, burn=1.0)
        return found

    def _group(self, rules: GroupRules, **changes: float) -> Group:
        return Group(rules, (self.person.with_changes(changes),) * rules.players)

    @cached_property
    def experiment(self) -> Experiment:
        """Every setting, on common deals."""
        return Experiment(tuple(self.settings.values()), self.seed)

    def spec(self) -> dict[str, Any]:
        """Return the question as plain data."""
        return groups_spec(self.rules, (self.person,))

    @classmethod
    def from_spec(cls, spec: Mapping[str, Any], seed: int) -> Self:
        """Return the question that `spec` wrote; every mistake is named."""
        return cls(*read_alike(SpecReader(spec, "spec", GROUPS_KEYS)), seed)

    def provenance(self, games: int) -> Provenance:
        """Return what a result with at least so many games per setting is computed from."""
        return group_provenance(self.question, self.experiment, games, self.rules, self.spec())


@dataclass(frozen=True)
class GroupBalance:
    """How the game treats groups of every size.

    Attributes
    ----------
    plan, provenance
        What was played.
    grid
        One row per number of players and sigma: games won per 100, with bounds.
    tables
        One row per number of players, at the plan's sigma: every number of a group, the sigma for an even chance, and
        the allowance that would come nearest to the average difficulty.
    allowances
        One row per number of players and allowance: games won per 100, with bounds, and whether it is the printed one.
    planned
        One row per number of players with an allowance: games won per 100 without and with a planned mistake.
    flips, confusions
        As of one group, with the number of players.
    """

    plan: GroupBalancePlan
    provenance: Provenance
    grid: pd.DataFrame
    tables: pd.DataFrame
    allowances: pd.DataFrame
    planned: pd.DataFrame
    flips: pd.DataFrame
    confusions: pd.DataFrame

    @property
    def steps(self) -> list[Step]:
        """By how much games won per 100 differ between neighbouring numbers of players; all steps hold together."""
        rows = rows_of(self.tables)
        wide = jointly(len(rows) - 1)
        return [
            (row["players"], following["players"], difference(won_of(row), won_of(following)).widened(wide))
            for row, following in pairwise(rows)
        ]

    @property
    def jumps(self) -> list[Step]:
        """The steps of `JUMP` or more whose direction is sure."""
        return [step for step in self.steps if abs(step[2].estimate) >= JUMP and step[2].excludes_zero]

    @property
    def planned_gains(self) -> list[Interval]:
        """Games won per 100 more if a mistake may be planned, by number of players; all hold together."""
        wide = jointly(len(self.planned))
        return [
            difference(interval_from_row(row, "without"), interval_from_row(row, "with")).widened(wide)
            for row in rows_of(self.planned)
        ]

    @property
    def always_ahead(self) -> list[int]:
        """Numbers of players that win more than every second game at every skill looked at."""
        least = self.grid.groupby("players")[GAME_WINS.name].min()
        return [int(players) for players in least[least > EVEN].index]

    @property
    def frames(self) -> dict[str, pd.DataFrame]:
        """Every table by its name."""
        names = ("grid", "tables", "allowances", "planned", "flips", "confusions")
        return {name: getattr(self, name) for name in names}

    def as_data(self) -> dict[str, object]:
        """Return everything as plain data, for JSON; a number that is not there is null."""
        return {**self.provenance.as_data(), **{name: plain_rows(frame) for name, frame in self.frames.items()}}


def balance_groups(plan: GroupBalancePlan, games: int, how: How = USUAL) -> GroupBalance:
    """Play every setting and put together how the game treats groups of every size.

    Parameters
    ----------
    plan
        The tables.
    games, how
        As for `simulate.run`.

    Raises
    ------
    KeyboardInterrupt
        If it was stopped before every setting had its share.
    """
    every_count = run(plan.experiment, games, how)
    if not all(every_count):
        raise KeyboardInterrupt
    counts = dict(zip(plan.settings, every_count, strict=True))
    sigma = plan.person["sigma"]
    here = {rules: counts["grid", rules, sigma] for rules in plan.rules}
    grid = pd.DataFrame(
        {"players": rules.players, "sigma": s, **bounds_columns(GAME_WINS.name, _won(played))}
        for (what, rules, s), played in counts.items()
        if what == "grid"
    )
    grid = grid.sort_values(["players", "sigma"], kind="stable", ignore_index=True)
    allowances = _allowances(plan, counts)
    planned = pd.DataFrame(
        {
            "players": rules.players,
            **bounds_columns("without", _won(counts["grid", replace(rules, planned_mistake=original), sigma])),
            **bounds_columns("with", _won(played)),
        }
        for (what, rules, _), played in counts.items()
        if what == "planned"
        for original in [next(r.planned_mistake for r in plan.rules if r.players == rules.players)]
    )
    return GroupBalance(
        plan,
        plan.provenance(games),
        grid,
        _tables(here, grid, allowances),
        allowances,
        planned,
        _with_players(here, lambda rules, played: flips_frame(played, rules)),
        _with_players(here, lambda rules, played: confusions_frame(played)),
    )


def _won(counts: Counts) -> Interval:
    return summarise_group(counts)[GAME_WINS]


def won_of(row: Row) -> Interval:
    """Return the games won per 100 that a row of a table tells."""
    return interval_from_row(row, GAME_WINS.name)


def _with_players(here: dict[GroupRules, Counts], make: Callable[[GroupRules, Counts], pd.DataFrame]) -> pd.DataFrame:
    parts = []
    for rules, counts in here.items():
        frame = make(rules, counts)
        frame.insert(0, "players", rules.players)
        parts.append(frame)
    return pd.concat(parts, ignore_index=True)


def _allowances(plan: GroupBalancePlan, counts: dict[Key, Counts]) -> pd.DataFrame:
    printed = {rules.players: rules.mistakes for rules in plan.rules}
    return pd.DataFrame(
        {
            "players": rules.players,
            "mistakes": rules.mistakes,
            "printed": printed[rules.players] == rules.mistakes,
            **bounds_columns(GAME_WINS.name, _won(played)),
        }
        for (what, rules, _), played in counts.items()
        if what == "allowance"
    )


def _tables(here: dict[GroupRules, Counts], grid: pd.DataFrame, allowances: pd.DataFrame) -> pd.DataFrame:
    average = float(np.mean([_won(counts).estimate for counts in here.values()]))
    rows = []
    for rules, counts in here.items():
        row: dict[str, object] = {"players": rules.players, "mistakes_allowed": rules.mistakes}
        row |= columns_of(summarise_group(counts))
        row["sigma_for_even_chance"] = even_sigma(grid[grid["players"] == rules.players])
        own = allowances[allowances["players"] == rules.players]
        gaps = (own[GAME_WINS.name] - average).abs().to_numpy()
        row["smoothest_allowance"] = int(own["mistakes"].iloc[int(np.argmin(gaps))])
        rows.append(row)
    return pd.DataFrame(rows)


def even_sigma(grid: pd.DataFrame) -> float:
    """Return the sigma at which a group wins every second game, between the neighbours on a grid; NaN beyond it.

    Parameters
    ----------
    grid
        Columns sigma, rising, and games won per 100.
    """
    rows = list(zip(grid["sigma"], grid[GAME_WINS.name], strict=True))
    for (low, more), (high, less) in pairwise(rows):
        if more >= EVEN > less:
            return float(low + (high - low) * (more - EVEN) / (more - less))
    return math.nan
