"""Questions about That Escalated Quickly as plain data: what a run was asked, read so that it can be asked again."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final, TypeAlias

from reports.quickly.balance import GroupBalancePlan
from reports.quickly.simulation import GroupPlan
from reports.quickly.sweep import GroupSweepPlan, PersonVariation, read_person_variation
from simulate.quickly.rules import Rules
from strategies.errors import InputError, unknown_name
from strategies.quickly import Person, person

GroupQuestionPlan: TypeAlias = GroupPlan | GroupSweepPlan | GroupBalancePlan

_KINDS: Final = {"players": list, "seats": list, "rules": dict, "vary": dict}
_RULES: Final = {"cards_each": int, "mistakes": int, "target": int, "planned_mistake": bool}


def _read(
    spec: Mapping[str, Any], *, varies: bool = False
) -> tuple[tuple[Rules, ...], tuple[Person, ...], tuple[PersonVariation, ...]]:
    """Read players, rules, persons and what varies; every mistake is named."""
    allowed = {name: kind for name, kind in _KINDS.items() if varies or name != "vary"}
    _check(spec, allowed, "spec")
    for name in ("players", "seats"):
        if not spec.get(name):
            raise InputError(f"spec: {name} needs at least one entry")
    changes = spec.get("rules", {})
    _check(changes, _RULES, "spec.rules")
    if not all(isinstance(players, int) for players in spec["players"]):
        raise InputError("spec: players are whole numbers")
    rules = tuple(Rules.printed(players, **changes) for players in spec["players"])
    persons = tuple(person(str(text)) for text in spec["seats"])
    variations = tuple(
        read_person_variation(f"{name}={','.join(map(str, values))}") for name, values in spec.get("vary", {}).items()
    )
    return rules, persons, variations


def _check(data: Mapping[str, Any], allowed: Mapping[str, type], where: str) -> None:
    for name, value in data.items():
        if name not in allowed:
            raise InputError(f"{where}: {unknown_name('key', name, allowed)}")
        if not isinstance(value, allowed[name]) or isinstance(value, bool) != (allowed[name] is bool):
            raise InputError(f"{where}: {name} is {value!r}, which is of another kind")


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
