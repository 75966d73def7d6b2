"""Groups of That Escalated Quickly as plain data in question files, written and read side by side."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

from reports.output.provenance import Provenance
from reports.quickly.rules_words import CARDS_NOTE, rule_changes, rules_notes
from reports.reading.spec_reader import SpecReader
from simulate import Experiment
from simulate.quickly.rules import GroupRules
from strategies.errors import InputError
from strategies.quickly import Person, person

GROUPS_KEYS: Final = ("players", "seats", "rules")
_RULES: Final[Mapping[str, type]] = {"cards_each": int, "mistakes": int, "target": int, "planned_mistake": bool}


def groups_spec(rules: Sequence[GroupRules], persons: Sequence[Person]) -> dict[str, Any]:
    """Return the rules of some table sizes, and who plays, as plain data under the names of `GROUPS_KEYS`."""
    return {
        "players": [table.players for table in rules],
        "seats": [player.label for player in persons],
        "rules": rule_changes(*rules),
    }


def read_groups(read: SpecReader) -> tuple[tuple[GroupRules, ...], tuple[Person, ...]]:
    """Return the rules of every table size, and who plays, as `groups_spec` wrote them.

    Raises
    ------
    InputError
        If something is missing, unknown, ill-typed or not allowed.
    """
    counts, seats = read.whole_numbers("players"), read.texts("seats")
    if not (counts and seats):
        raise InputError("spec: players and seats need at least one entry")
    changed = SpecReader(read.take("rules", dict, {}), "spec.rules", list(_RULES))
    changes: dict[str, Any] = {name: changed.take(name, _RULES[name]) for name in changed.data}
    return tuple(GroupRules.printed(players, **changes) for players in counts), tuple(map(person, seats))


def read_alike(read: SpecReader) -> tuple[tuple[GroupRules, ...], Person]:
    """Return the rules of every table size, and the one who everybody is.

    Raises
    ------
    InputError
        As `read_groups`, or if there is more than one seat.
    """
    rules, persons = read_groups(read)
    if len(persons) > 1:
        raise InputError("spec: seats needs a single entry, as everybody is alike")
    return rules, persons[0]


def group_provenance(
    question: str, experiment: Experiment, games: int, rules: Sequence[GroupRules], spec: Mapping[str, Any]
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
    spec
        The question as plain data.
    """
    return Provenance.of(question, experiment, games, spec=spec, deck=CARDS_NOTE, rules=rules_notes(rules))
