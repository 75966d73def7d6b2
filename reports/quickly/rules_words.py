"""What results of That Escalated Quickly rest on, in words and as provenance."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict
from typing import Any, Final

from reports.output.provenance import Provenance
from simulate import Experiment
from simulate.quickly.rules import RULINGS, GroupRules

CARDS_NOTE: Final = "one each of 1 to 10"


def rules_note(rules: GroupRules) -> str:
    """Return the rules in one phrase: cards, allowance, and what differs from the printed ones."""
    each = "one card" if rules.cards_each == 1 else f"{rules.cards_each} cards"
    allowed = "no mistake" if rules.mistakes == 0 else f"{rules.mistakes} mistake{'s' if rules.mistakes > 1 else ''}"
    return f"{each} each, {allowed} allowed, first to {rules.target}" + (
        f" (changed: {rules.changed})" if rules.changed else ""
    )


def rules_data(*every: GroupRules) -> dict[str, Any]:
    """Return what differs from the printed rules at any of these numbers of players, as `Rules.printed` takes it."""
    changes: dict[str, Any] = {}
    for rules in every:
        printed = asdict(GroupRules.printed(rules.players))
        changes |= {name: value for name, value in asdict(rules).items() if value != printed[name]}
    return changes


def rules_options(rules: GroupRules) -> list[str]:
    """Return the options that say which rules are played, as far as they are not the printed ones."""
    changes = rules_data(rules)
    words: list[str] = []
    for name in ("cards_each", "mistakes", "target"):
        if name in changes:
            words += [f"--{name.replace('_', '-')}", str(changes[name])]
    return [
        *words,
        *(word for name in RULINGS if name in changes for word in ("--rule", f"{name}={str(changes[name]).lower()}")),
    ]


def rules_notes(every: Sequence[GroupRules]) -> str:
    """Return the rules of several tables in one phrase."""
    if len(every) == 1:
        return rules_note(every[0])
    return "; ".join(f"{rules.players} players: {rules_note(rules)}" for rules in every)


def group_provenance(
    question: str,
    experiment: Experiment,
    games: int,
    rules: Sequence[GroupRules],
    seats: Sequence[str],
    more: Mapping[str, Any] | None = None,
) -> Provenance:
    """Return what a result is computed from for which at least so many games of each setting are played.

    Parameters
    ----------
    question
        The command that asks it.
    experiment
        What is played.
    games
        Games per setting.
    rules
        One set per number of players.
    seats
        The labels of the persons.
    more
        What else belongs to the question.
    """
    spec = {
        "players": [one.players for one in rules],
        "seats": list(seats),
        "rules": rules_data(*rules),
        **(more or {}),
    }
    return Provenance.of(question, experiment, games, spec=spec, deck=CARDS_NOTE, rules=rules_notes(rules))
