"""Questions about That Escalated Quickly as plain data: what a run was asked, read so that it can be asked again."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final, TypeAlias

from reports.quickly.balance import GroupBalancePlan
from reports.quickly.simulation import GroupPlan
from reports.quickly.sweep import GroupSweepPlan
from reports.reading.spec_reader import SpecReader
from reports.reading.values import Habit, read_habit
from simulate.quickly.rules import GroupRules
from strategies.errors import InputError
from strategies.quickly import PERSON, Person, person

GroupQuestionPlan: TypeAlias = GroupPlan | GroupSweepPlan | GroupBalancePlan

_RULES: Final[Mapping[str, type]] = {"cards_each": int, "mistakes": int, "target": int, "planned_mistake": bool}


def _read(
    spec: Mapping[str, Any], *, varies: bool = False
) -> tuple[tuple[GroupRules, ...], tuple[Person, ...], tuple[Habit, ...]]:
    """Read players, rules, persons and what varies; every mistake is named."""
    read = SpecReader(spec, "spec", ["players", "seats", "rules", *(["vary"] if varies else [])])
    counts, seats, vary = read.whole_numbers("players"), read.take("seats", list), read.take("vary", dict, {})
    if not (counts and seats):
        raise InputError("spec: players and seats need at least one entry")
    changed = SpecReader(read.take("rules", dict, {}), "spec.rules", list(_RULES))
    changes: dict[str, Any] = {name: changed.take(name, _RULES[name]) for name in changed.data}
    rules = tuple(GroupRules.printed(players, **changes) for players in counts)
    persons = tuple(person(str(text)) for text in seats)
    varied = SpecReader(vary, "spec.vary", list(vary))
    variations = tuple(read_habit(f"{name}={','.join(map(str, varied.take(name, list)))}", PERSON) for name in vary)
    return rules, persons, variations


def _single(persons: tuple[Person, ...]) -> Person:
    if len(persons) > 1:
        raise InputError("spec: seats needs a single entry, as everybody is alike")
    return persons[0]


def group_plan(spec: Mapping[str, Any], seed: int) -> GroupPlan:
    """Read what `quickly simulate` was asked."""
    rules, persons, _ = _read(spec)
    if len(rules) > 1:
        raise InputError("spec: players needs a single entry")
    return GroupPlan(rules[0], persons, seed)


def group_sweep_plan(spec: Mapping[str, Any], seed: int) -> GroupSweepPlan:
    """Read what `quickly sweep` was asked."""
    rules, persons, variations = _read(spec, varies=True)
    return GroupSweepPlan(variations, rules, _single(persons), seed)


def group_balance_plan(spec: Mapping[str, Any], seed: int) -> GroupBalancePlan:
    """Read what `quickly balance` was asked."""
    rules, persons, _ = _read(spec)
    return GroupBalancePlan(rules, _single(persons), seed)


GROUP_PLANS: Final[Mapping[str, Callable[[Mapping[str, Any], int], GroupQuestionPlan]]] = {
    "quickly simulate": group_plan,
    "quickly sweep": group_sweep_plan,
    "quickly balance": group_balance_plan,
}
"""The questions that can be read, by name."""
