"""The question "how does this group fare?"."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any, Final, Unpack

import pandas as pd

from reports.files import tables_as_files
from reports.frames import Measure
from reports.provenance import Provenance
from reports.quickly.measures import confusions_frame, flips_frame, organisers_frame, summarise_group
from reports.statistics import Interval, interval_data
from reports.tables import INTERVAL_NOTE, plus_minus
from reports.terminal import Screen
from simulate import Experiment, run
from simulate.blocks import DEALS_PER_BLOCK, blocks_for
from simulate.quickly.engine import Group
from simulate.quickly.rules import Rules
from simulate.runner import How
from strategies.quickly import Person

CARDS_NOTE: Final = "one each of 1 to 10"
MOST_CONFUSIONS: Final = 5


def rules_note(rules: Rules) -> str:
    """Return the rules in one phrase: cards, allowance, and what differs from the printed ones."""
    each = "one card" if rules.cards_each == 1 else f"{rules.cards_each} cards"
    allowed = "no mistake" if rules.mistakes == 0 else f"{rules.mistakes} mistake{'s' if rules.mistakes > 1 else ''}"
    return f"{each} each, {allowed} allowed, first to {rules.target}" + (
        f" (changed: {rules.changed})" if rules.changed else ""
    )


def rules_data(*every: Rules) -> dict[str, Any]:
    """Return what differs from the printed rules at any of these numbers of players, as `Rules.printed` takes it."""
    changes: dict[str, Any] = {}
    for rules in every:
        printed = asdict(Rules.printed(rules.players))
        changes |= {name: value for name, value in asdict(rules).items() if value != printed[name]}
    return changes


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

    rules: Rules
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
        experiment = self.experiment
        return Provenance(
            question="quickly simulate",
            spec={
                "players": [self.rules.players],
                "seats": [person.label for person in self.persons],
                "rules": rules_data(self.rules),
            },
            deck=CARDS_NOTE,
            rules=rules_note(self.rules),
            seed=self.seed,
            games=blocks_for(games) * DEALS_PER_BLOCK,
            settings=1,
            digest=experiment.digest,
        )


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
        return pd.DataFrame(
            {
                "measure": measure.name,
                "unit": measure.unit,
                "estimate": interval.estimate,
                "low": interval.low,
                "high": interval.high,
                "level": interval.level,
            }
            for measure, interval in self.numbers.items()
        )

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


def simulate_group(plan: GroupPlan, games: int, **how: Unpack[How]) -> GroupResult:
    """Play with one group and say how it fared.

    Parameters
    ----------
    plan
        The group.
    games
        How many games, rounded up to whole blocks of 5,040.
    **how
        How to run (see `simulate.runner.How`). The numbers do not depend on it.

    Raises
    ------
    InputError
        If games or threads are not positive.
    KeyboardInterrupt
        If it was stopped before anything was played.

    Examples
    --------
    >>> from simulate.quickly.rules import Rules
    >>> from strategies.quickly import person
    >>> plan = GroupPlan(Rules.printed(5), (person("plain"),) * 5)
    >>> round(simulate_group(plan, games=5040).numbers_frame["estimate"][1])
    56
    """
    (counts,) = run(plan.experiment, games, **how)
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
    screen.note(f"Rules: {played.rules}")
    screen.note(f"Seed: {played.seed}; experiment {played.digest}, kernel version {played.kernel_version}")


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
