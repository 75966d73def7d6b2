"""Questions about That Escalated Quickly: everybody is changed, and the group plays the same deals with and without."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from typing import ClassVar

from reports.ask.question import Asked, AskedAt, Subject
from reports.ask.verdict import Stopping
from reports.output.provenance import Provenance
from reports.quickly.group_effect import MeasuredGroup
from reports.quickly.group_words import GroupTelling
from reports.quickly.rules_words import group_provenance
from simulate.quickly.comparison import GroupComparison
from simulate.quickly.engine import Group
from simulate.quickly.rules import GroupRules
from strategies.quickly import Person


@dataclass(frozen=True)
class GroupQuestion(Asked):
    """A tactic, a change or a habit of everybody, and the tables to ask it at.

    Attributes
    ----------
    name, subject, stopping, seed
        See `Asked`.
    rules
        One set of rules per number of players.
    base
        Everybody as he is.
    """

    measured: ClassVar = MeasuredGroup
    telling: ClassVar = GroupTelling()
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
        plans = any(one["burn"] for one in self.changed_players)
        if not plans or all(rules.planned_mistake for rules in self.rules):
            return ""
        return "Asked under planned_mistake=true; the default ruling forbids it, and then it does not arise."

    @cached_property
    def provenance(self) -> Provenance:
        """What the answer is computed from; the number of games is the most that may be played."""
        stopping = self.stopping
        asked = {
            "asked": self.name,
            "margin": stopping.margin,
            "alpha": stopping.alpha,
            "precision": stopping.precision if stopping.precision is not None else stopping.margin,
            "most_deals": stopping.most_deals,
        }
        seats = [self.base.label]
        return group_provenance("quickly ask", self.experiment, stopping.most_deals, self.rules, seats, asked)


@dataclass(frozen=True)
class GroupTable(AskedAt):
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
