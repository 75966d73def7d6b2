"""The question "how does this group fare?"."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar, Self

import pandas as pd

from reports.estimates.intervals import Interval, interval_data
from reports.estimates.measures import Measure, number_columns, plain_rows
from reports.output.provenance import Provenance
from reports.quickly.spec import GROUPS_KEYS, group_provenance, groups_spec, read_groups
from reports.quickly.summary import confusions_frame, flips_frame, organisers_frame, summarise_group
from reports.reading.spec_reader import SpecReader
from simulate import Experiment, run
from simulate.quickly.engine import Group
from simulate.quickly.rules import GroupRules
from simulate.runner import USUAL, How
from strategies.errors import InputError
from strategies.quickly import Person


@dataclass(frozen=True)
class GroupPlan:
    """One group to play with.

    Attributes
    ----------
    rules
        What is played.
    persons
        One per player.
    seed
        The seed of all randomness.
    """

    question: ClassVar[str] = "quickly simulate"

    rules: GroupRules
    persons: tuple[Person, ...]
    seed: int = 1

    @property
    def group(self) -> Group:
        """The group as a setting."""
        return Group(self.rules, self.persons)

    @property
    def experiment(self) -> Experiment:
        """The experiment of this single setting."""
        return Experiment((self.group,), self.seed)

    def spec(self) -> dict[str, Any]:
        """Return the question as plain data."""
        return groups_spec((self.rules,), self.persons)

    @classmethod
    def from_spec(cls, spec: Mapping[str, Any], seed: int) -> Self:
        """Return the question that `spec` wrote; every mistake is named."""
        rules, persons = read_groups(SpecReader(spec, "spec", GROUPS_KEYS))
        if len(rules) > 1:
            raise InputError("spec: players needs a single entry")
        return cls(rules[0], persons, seed)

    def provenance(self, games: int) -> Provenance:
        """Return what a result with at least so many games is computed from."""
        return group_provenance(self.question, self.experiment, games, (self.rules,), self.spec())


@dataclass(frozen=True)
class GroupResult:
    """How a group fared.

    Attributes
    ----------
    provenance
        What was played.
    numbers
        Every number with its interval.
    organisers, flips, confusions
        Who organised how well; which flip ended bad rounds; which values were taken for each other.
    """

    provenance: Provenance
    numbers: Mapping[Measure, Interval]
    organisers: pd.DataFrame
    flips: pd.DataFrame
    confusions: pd.DataFrame

    @property
    def numbers_frame(self) -> pd.DataFrame:
        """One row per number, with its unit and its interval."""
        return pd.DataFrame(number_columns(measure, interval) for measure, interval in self.numbers.items())

    def as_data(self) -> dict[str, object]:
        """Return everything as plain data, for JSON; a number that is not there is null."""
        return {
            **self.provenance.as_data(),
            "numbers": {measure.name: interval_data(interval) for measure, interval in self.numbers.items()},
            "organisers": plain_rows(self.organisers),
            "flips": plain_rows(self.flips),
            "confusions": plain_rows(self.confusions),
        }


def simulate_group(plan: GroupPlan, games: int, how: How = USUAL) -> GroupResult:
    """Play with one group and say how it fared.

    Parameters
    ----------
    plan
        The group.
    games, how
        As for `simulate.run`.

    Raises
    ------
    KeyboardInterrupt
        If it was stopped before anything was played.

    Examples
    --------
    >>> from simulate.quickly.rules import GroupRules
    >>> from strategies.quickly import person
    >>> plan = GroupPlan(GroupRules.printed(5), (person("plain"),) * 5)
    >>> round(simulate_group(plan, games=5040).numbers_frame["estimate"][1])
    56
    """
    (counts,) = run(plan.experiment, games, how)
    if not counts:
        raise KeyboardInterrupt
    labels = tuple(person.label for person in plan.persons)
    return GroupResult(
        plan.provenance(int(counts["games"][0])),
        summarise_group(counts),
        organisers_frame(counts, labels),
        flips_frame(counts, plan.rules),
        confusions_frame(counts),
    )
