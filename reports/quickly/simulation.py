"""The question "how does this group fare?"."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

import pandas as pd

from reports.estimates.intervals import Interval, interval_data
from reports.estimates.measures import Measure, number_columns
from reports.output.provenance import Provenance
from reports.output.table_files import tables_as_files
from reports.output.terminal import Screen, announce_basis
from reports.output.words import INTERVAL_NOTE, plus_minus
from reports.quickly.measures import confusions_frame, flips_frame, organisers_frame, summarise_group
from reports.quickly.rules_words import group_provenance
from simulate import Experiment, run
from simulate.quickly.engine import Group
from simulate.quickly.rules import GroupRules
from simulate.runner import USUAL, How
from strategies.quickly import Person

MOST_CONFUSIONS: Final = 5


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

    def provenance(self, games: int) -> Provenance:
        """Return what a result with at least so many games is computed from."""
        labels = [person.label for person in self.persons]
        return group_provenance("quickly simulate", self.experiment, games, (self.rules,), labels)


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

    def as_data(self) -> dict[str, Any]:
        """Return everything as plain data, for JSON."""
        return {
            **self.provenance.as_data(),
            "numbers": {measure.name: interval_data(interval) for measure, interval in self.numbers.items()},
            "organisers": self.organisers.to_dict(orient="records"),
            "flips": self.flips.to_dict(orient="records"),
            "confusions": self.confusions.to_dict(orient="records"),
        }

    def files(self, *, parquet: bool = False) -> dict[str, bytes]:
        """Return the files of an output folder by name."""
        tables = {"numbers": self.numbers_frame, "organisers": self.organisers, "flips": self.flips}
        return tables_as_files({**tables, "confusions": self.confusions}, parquet=parquet)


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


def announce_group(screen: Screen, plan: GroupPlan, games: int) -> None:
    """Say what is about to be played."""
    played = plan.provenance(games)
    screen.note(f"Playing {played.games:,} games of That Escalated Quickly with {plan.rules.players} players")
    screen.note(f"Players: {', '.join(dict.fromkeys(person.label for person in plan.persons))}")
    announce_basis(screen, played)


def show_group(screen: Screen, result: GroupResult) -> None:
    """Print how the group fared."""
    rows = [[measure.label, plus_minus(interval), measure.unit] for measure, interval in result.numbers.items()]
    screen.table(["", "", ""], rows)
    screen.remark(INTERVAL_NOTE)
    dying = result.flips[result.flips["bad_rounds_per_100"] > 0]
    if len(dying):
        parts = [f"{int(row.flip)}: {row.bad_rounds_per_100:.1f}" for row in dying.itertuples()]  # type: ignore[arg-type]
        screen.remark(f"Bad rounds per 100, by the flip that ended them: {', '.join(parts)}.")
        most = result.confusions.head(MOST_CONFUSIONS).itertuples()
        pairs = [f"{row.lower} after {row.higher} ({row.mistakes_per_100_rounds:.1f})" for row in most]
        screen.remark(f"Most mistakes per 100 rounds: {', '.join(pairs)}.")
