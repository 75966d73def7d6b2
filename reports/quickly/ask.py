"""The question "is this tactic good for the group?": the same deals with and without it, until the answer is clear."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, Final

import numpy as np

from reports.frames import Measure
from reports.provenance import Provenance
from reports.quickly.basis import group_provenance
from reports.quickly.measures import mistakes_by_kind, summarise_group
from reports.statistics import Interval, interval_data
from reports.verdict import Answer, Measured, Stopping, average, judge, measure
from simulate import Experiment, run
from simulate.blocks import DEALS_PER_BLOCK
from simulate.quickly.comparison import GroupComparison, counts_of
from simulate.quickly.engine import Group
from simulate.quickly.rules import Rules
from simulate.runner import threads_as_workers
from strategies.catalogue import Tactic
from strategies.errors import InputError
from strategies.quickly import PERSON, QUICKLY, Person
from strategies.strategy import split_label

BLOCKS_PER_DOSE: Final = 4
"""Blocks on which doses are compared; the best is measured again on others."""
STEPS_OF_DOSE: Final = 5
DEALS_SHOWN: Final = 3

OnLook = Callable[[str, Measured], None]


@dataclass(frozen=True)
class GroupQuestion:
    """A tactic or a change, and the tables to ask it at.

    Attributes
    ----------
    subject
        What is asked about: a named tactic, or `parameter=value,...`.
    rules
        One set of rules per number of players.
    person
        Everybody as he is.
    stopping
        When to stop, all tables together.
    seed
        The seed of all randomness.
    """

    subject: str
    rules: tuple[Rules, ...]
    person: Person
    stopping: Stopping
    seed: int = 1

    def __post_init__(self) -> None:
        """Find out now whether everything can be played."""
        for comparison in self.comparisons:
            if comparison.base.persons[0].values == comparison.changed.persons[0].values:
                raise InputError(f"'{self.subject}' changes nothing of {self.person.label}")

    @cached_property
    def tactic(self) -> Tactic | None:
        """The named tactic; None for a change."""
        return None if "=" in self.subject else QUICKLY.tactic(self.subject)

    @property
    def base(self) -> Person:
        """Everybody without the tactic."""
        return self.person if self.tactic is None else self.person.with_changes(self.tactic.off)

    @cached_property
    def doses(self) -> dict[float, Person]:
        """Everybody with the tactic, by dose; a change has a single "dose" of 0."""
        if self.tactic is None:
            _, parts = split_label(f"base,{self.subject}")
            return {0.0: self.person.with_changes({name: PERSON.parameter(name).read(v) for name, v in parts.items()})}
        known, (low, high) = PERSON.parameter(self.tactic.dose), self.tactic.dose_range
        steps = int(high - low) if known.whole else STEPS_OF_DOSE
        tried = [low + (high - low) * step / steps for step in range(steps + 1)]
        off = self.tactic.off[self.tactic.dose]
        return {dose: self.base.with_changes({known.name: dose}) for dose in tried if dose != off}

    def comparison(self, rules: Rules, changed: Person) -> GroupComparison:
        """Return the paired question at one table; a planned mistake brings the ruling that it needs."""
        if changed["burn"] and not rules.planned_mistake:
            rules = replace(rules, planned_mistake=True)
        players = rules.players
        return GroupComparison(Group(rules, (self.base,) * players), Group(rules, (changed,) * players))

    @property
    def comparisons(self) -> list[GroupComparison]:
        """Every paired question that may be played."""
        return [self.comparison(rules, changed) for rules in self.rules for changed in self.doses.values()]

    @property
    def needs_ruling(self) -> bool:
        """Whether the ruling planned_mistake is switched on for the question's sake."""
        return any(p["burn"] for p in self.doses.values()) and not all(rules.planned_mistake for rules in self.rules)

    @cached_property
    def experiment(self) -> Experiment:
        """Everything that may be played, on common deals."""
        return Experiment(tuple(self.comparisons), self.seed)

    @property
    def provenance(self) -> Provenance:
        """What the answer is computed from; the number of games is the most that may be played."""
        asked = {
            "subject": self.subject,
            "doses": list(self.doses),
            "margin": self.stopping.margin,
            "alpha": self.stopping.alpha,
        }
        seats, most = [self.person.label], self.stopping.most_deals
        return group_provenance("quickly ask", self.experiment, most, self.rules, seats, asked)


@dataclass(frozen=True)
class GroupTableAnswer:
    """The answer at one table.

    Attributes
    ----------
    comparison
        What was measured.
    dose
        The best dose tried.
    measured
        The effect.
    before, after
        The numbers of the group without and with the change.
    mistakes
        Without and with the change: mistakes per 100 rounds between two cards of others, and with an own card.
    deals
        Deals that only one of the two groups wins: the changed one if the effect is a gain, else the base.
    """

    comparison: GroupComparison
    dose: float
    measured: Measured
    before: dict[Measure, Interval]
    after: dict[Measure, Interval]
    mistakes: tuple[tuple[float, float], tuple[float, float]]
    deals: tuple[int, ...]

    @property
    def players(self) -> int:
        """Players at the table."""
        return self.comparison.base.rules.players


@dataclass(frozen=True)
class GroupAnswer:
    """The answer at all tables."""

    question: GroupQuestion
    tables: tuple[GroupTableAnswer, ...]

    @property
    def provenance(self) -> Provenance:
        """What it was computed from."""
        return self.question.provenance

    @property
    def overall(self) -> Interval:
        """The average effect over tables, in wins per 100 games."""
        return average([table.measured for table in self.tables], self.question.stopping.alpha)

    @property
    def answer(self) -> Answer:
        """The verdict over all tables."""
        return judge(self.overall, self.question.stopping.margin * 100)

    def as_data(self) -> dict[str, Any]:
        """Return everything as plain data, for JSON."""
        return {
            **self.provenance.as_data(),
            "answer": self.answer,
            "wins_per_100": interval_data(self.overall),
            "ruling_switched_on": "planned_mistake" if self.question.needs_ruling else None,
            "tables": [
                {
                    "players": table.players,
                    "dose": None if self.question.tactic is None else table.dose,
                    "base": table.comparison.base.persons[0].label,
                    "changed": table.comparison.changed.persons[0].label,
                    "answer": table.measured.answer,
                    "wins_per_100": interval_data(table.measured.wins),
                    "deals": table.measured.deals,
                    "changed_games": table.measured.changed_games,
                    "before": {m.name: interval_data(interval) for m, interval in table.before.items()},
                    "after": {m.name: interval_data(interval) for m, interval in table.after.items()},
                    "mistakes_among_others_per_100_rounds": [one[0] for one in table.mistakes],
                    "mistakes_with_an_own_card_per_100_rounds": [one[1] for one in table.mistakes],
                    "deals_to_see": list(table.deals),
                }
                for table in self.tables
            ],
        }


def ask_group(question: GroupQuestion, *, threads: int | None = None, on_look: OnLook | None = None) -> GroupAnswer:
    """Measure a tactic or a change until the answer is clear.

    Doses of a tactic are compared on a few deals; the best one is measured on others.

    Parameters
    ----------
    question
        What to ask.
    threads
        Threads to play on; None means one per processor. No number depends on it.
    on_look
        Called with a few words and the state of the measurement after every block.
    """
    alpha = question.stopping.alpha / len(question.rules)
    return GroupAnswer(question, tuple(_ask(question, rules, alpha, threads, on_look) for rules in question.rules))


def _ask(
    question: GroupQuestion, rules: Rules, alpha: float, threads: int | None, on_look: OnLook | None
) -> GroupTableAnswer:
    dose, used = _best_dose(question, rules, threads)
    comparison: Any = question.comparison(rules, question.doses[dose])

    def tell(look: Measured) -> None:
        if on_look:
            on_look(f"{rules.players} players", look)

    stopping = question.stopping.with_alpha(alpha)
    workers = threads_as_workers(threads)
    measured = measure(comparison, question.seed, stopping, workers=workers, first_block=used, on_look=tell)
    first = np.arange(used * DEALS_PER_BLOCK, (used + 1) * DEALS_PER_BLOCK)
    turned = comparison.turned(question.seed, first, won=measured.wins.estimate > 0)
    without, having = (counts_of(measured.counts, which) for which in ("without", "with"))
    return GroupTableAnswer(
        comparison,
        dose,
        measured,
        summarise_group(without),
        summarise_group(having),
        (mistakes_by_kind(without), mistakes_by_kind(having)),
        tuple(turned[:DEALS_SHOWN]),
    )


def _best_dose(question: GroupQuestion, rules: Rules, threads: int | None) -> tuple[float, int]:
    """Return the dose that wins most on a few blocks, and how many blocks that used."""
    if len(question.doses) == 1:
        return next(iter(question.doses)), 0
    settings = tuple(question.comparison(rules, changed).changed for changed in question.doses.values())
    counts = run(Experiment(settings, question.seed), BLOCKS_PER_DOSE * DEALS_PER_BLOCK, threads=threads)
    wins = [int(one["wins"][0]) for one in counts]
    return list(question.doses)[int(np.argmax(wins))], BLOCKS_PER_DOSE
