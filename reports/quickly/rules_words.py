"""What results of That Escalated Quickly rest on, in words."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict
from typing import Final

from simulate.quickly.rules import RULINGS, GroupRules

CARDS_NOTE: Final = "one each of 1 to 10"


def rules_note(rules: GroupRules) -> str:
    """Return the rules in one phrase: cards, allowance, and what differs from the printed ones."""
    each = "one card" if rules.cards_each == 1 else f"{rules.cards_each} cards"
    allowed = "no mistake" if rules.mistakes == 0 else f"{rules.mistakes} mistake{'s' if rules.mistakes > 1 else ''}"
    return f"{each} each, {allowed} allowed, first to {rules.target}" + (
        f" (changed: {rules.changed})" if rules.changed else ""
    )


def rule_changes(*every: GroupRules) -> dict[str, object]:
    """Return what differs from the printed rules at any of these numbers of players, as `printed` takes it."""
    changes: dict[str, object] = {}
    for rules in every:
        printed = asdict(GroupRules.printed(rules.players))
        changes |= {name: value for name, value in asdict(rules).items() if value != printed[name]}
    return changes


def rules_options(rules: GroupRules) -> list[str]:
    """Return the options that say which rules are played, as far as they are not the printed ones."""
    changes = rule_changes(rules)
    named = [name for name in ("cards_each", "mistakes", "target") if name in changes]
    words = [word for name in named for word in (f"--{name.replace('_', '-')}", str(changes[name]))]
    rulings = [f"{name}={str(changes[name]).lower()}" for name in RULINGS if name in changes]
    return [*words, *(word for ruling in rulings for word in ("--rule", ruling))]


def rules_notes(every: Sequence[GroupRules]) -> str:
    """Return the rules of several tables in one phrase."""
    if len(every) == 1:
        return rules_note(every[0])
    return "; ".join(f"{rules.players} players: {rules_note(rules)}" for rules in every)
