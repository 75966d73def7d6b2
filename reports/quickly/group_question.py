"""Questions about That Escalated Quickly: everybody is changed, and the group plays the same deals with and without."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, ClassVar, Self

from reports.ask.question import QuestionTable, Subject, TacticQuestion, read_subject
from reports.ask.verdict import STOPPING_KEYS, Stopping
from reports.output.provenance import Provenance
from reports.quickly.group_effect import MeasuredGroup
from reports.quickly.group_words import GroupWording
from reports.quickly.spec import GROUPS_KEYS, group_provenance, groups_spec, read_alike
from reports.reading.spec_reader import SpecReader
from simulate.quickly.comparison import GroupComparison
from simulate.quickly.engine import Group
from simulate.quickly.rules import GroupRules
from strategies.quickly import QUICKLY, Person


@dataclass(frozen=True)
class GroupQuestion(TacticQuestion):
    """A tactic, a change or a habit of everybody, and the tables to ask it at.

    Attributes
    ----------
    name, subject, stopping, seed
        See `TacticQuestion`.
    rules
        One set of rules per number of players.
    base
        What everybody does without the change.
    """

    question: ClassVar[str] = "quickly ask"
    effect_type: ClassVar = MeasuredGroup
    wording: ClassVar = GroupWording()
    compares_own_dose: ClassVar = False

    name: str
    subject: Subject
    rules: tuple[GroupRules, ...]
    base: Person
    stopping: Stopping
    seed: int = 1

    def __post_init__(self) -> None:
        """Find out now whether everything can be played."""
        self.check_change()
        _ = self.experiment

    @property
    def tables(self) -> list[GroupTable]:
        """One table per number of players."""
        return [GroupTable(self, rules) for rules in self.rules]

    @property
    def note(self) -> str:
        """Say that a ruling is switched on for the question's sake; empty if none is."""
        plans = any(person["burn"] for person in self.changed_players)
        if not plans or all(rules.planned_mistake for rules in self.rules):
            return ""
        return "Asked under planned_mistake=true; the default ruling forbids it, and then it does not arise."

    def spec(self) -> dict[str, Any]:
        """Return the question as plain data."""
        return {**groups_spec(self.rules, (self.base,)), "asked": self.name, **self.stopping.spec()}

    @classmethod
    def from_spec(cls, spec: Mapping[str, Any], seed: int) -> Self:
        """Return the question that `spec` wrote; every mistake is named."""
        read = SpecReader(spec, "spec", [*GROUPS_KEYS, "asked", *STOPPING_KEYS])
        asked = read.take("asked", str)
        return cls(asked, read_subject(asked, QUICKLY), *read_alike(read), Stopping.from_spec(read), seed)

    @cached_property
    def provenance(self) -> Provenance:
        """What the answer is computed from; the number of games is the most that may be played."""
        return group_provenance(self.question, self.experiment, self.games, self.rules, self.spec())


@dataclass(frozen=True)
class GroupTable(QuestionTable):
    """One number of players."""

    question: GroupQuestion
    rules: GroupRules

    @property
    def players(self) -> int:  # type: ignore[override]
        """Players at the table."""
        return self.rules.players

    def comparison(self, base: Person, changed: Person) -> GroupComparison:
        """Return the paired question; a planned mistake brings the ruling that it needs."""
        rules = replace(self.rules, planned_mistake=True) if changed["burn"] else self.rules
        return GroupComparison(Group(self.rules, (base,) * self.players), Group(rules, (changed,) * self.players))
