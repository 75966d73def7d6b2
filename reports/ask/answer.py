"""The answer to a question about a tactic: what was measured, and what follows from it."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final, Literal

from reports.ask.circumstances import CircumstanceEffect, spreads
from reports.ask.question import QuestionTable, TacticQuestion
from reports.ask.verdict import Measured, Verdict, judge
from reports.estimates.intervals import Interval, interval_data, mean_of
from reports.output.provenance import Provenance
from strategies.catalogue import Tactic

End = Literal["mildest", "strongest"]

FEWEST_TO_CHOOSE: Final = 2
BEST_INSTEAD: Final = "the best dose instead of its own"
STEP_MORE: Final = "a step more"
STEP_LESS: Final = "a step less"
REST_ALONE: Final = "the rest of the habit alone"
DOSE_ON_TOP: Final = "the dose on top of the rest"


@dataclass(frozen=True)
class DoseTried:
    """What a dose seemed to be worth when the best one was chosen.

    Attributes
    ----------
    dose
        The value of the tactic's parameter.
    wins
        Its effect against the habit's absence, in wins per 100 games, on the deals used for choosing.
    deals
        On how many deals.
    """

    dose: float
    wins: Interval
    deals: int

    def as_data(self) -> dict[str, object]:
        """Return everything as plain data."""
        return {"dose": self.dose, "wins_per_100": interval_data(self.wins), "deals": self.deals}


@dataclass(frozen=True)
class TableAnswer:
    """The answer at one table.

    Attributes
    ----------
    table
        The table.
    worth
        For a named tactic the best dose against the habit's absence; for a change, the change against the base.
    tried
        The doses that were tried, on other deals; empty for a change.
    best
        The dose that was chosen; None for a change.
    further
        What else was measured, by its name in words. From the base: its own dose replaced by the best, a step more, a
        step less; other habits stay as they are. And where the habit is more than its dose, what the worth is made of:
        the rest without the dose against none of it, and the dose on top of that.
    """

    table: QuestionTable
    worth: Measured
    tried: tuple[DoseTried, ...] = ()
    best: float | None = None
    further: Mapping[str, Measured] = field(default_factory=dict)

    @property
    def as_good(self) -> tuple[float, ...]:
        """The doses tried that are not clearly worse than the best one, nor harmful; the best is among them."""
        floor = next((tried.wins.low for tried in self.tried if tried.dose == self.best), -math.inf)
        good = {tried.dose for tried in self.tried if tried.wins.high >= floor}
        return tuple(
            tried.dose for tried in self.tried if tried.dose == self.best or tried.dose in good - set(self.harmful)
        )

    @property
    def harmful(self) -> tuple[float, ...]:
        """The doses tried that are clearly worse than none, the best one aside."""
        return tuple(tried.dose for tried in self.tried if tried.wins.high < 0 and tried.dose != self.best)

    @property
    def end(self) -> End | None:
        """Which end of the doses tried the best one is; None between them, or if there was no choice."""
        subject = self.table.question.subject
        if self.best is None or len(self.tried) < FEWEST_TO_CHOOSE or not isinstance(subject, Tactic):
            return None
        off = subject.off[subject.dose]
        ordered = sorted((tried.dose for tried in self.tried), key=lambda dose: abs(dose - off))
        return "mildest" if self.best == ordered[0] else "strongest" if self.best == ordered[-1] else None

    def as_data(self) -> dict[str, object]:
        """Return everything as plain data."""
        return {
            **self.table.as_data(),
            "best_dose": self.best,
            "as_good_doses": list(self.as_good),
            "harmful_doses": list(self.harmful),
            "best_dose_is": self.end,
            "worth": self.worth.as_data(),
            "further": {name: effect.as_data() for name, effect in self.further.items()},
            "doses_tried": [dose.as_data() for dose in self.tried],
            **self.table.question.wording.reason_data(self.worth),
        }


@dataclass(frozen=True)
class TacticAnswer:
    """The answer to a question about a tactic or a change.

    Attributes
    ----------
    question
        What was asked.
    tables
        One answer per table.
    circumstances
        What the first table's `worth` comes to in other circumstances; empty if that was not asked.
    """

    question: TacticQuestion
    tables: tuple[TableAnswer, ...]
    circumstances: tuple[CircumstanceEffect, ...] = ()

    @property
    def provenance(self) -> Provenance:
        """What the answer is computed from."""
        return self.question.provenance

    @property
    def overall(self) -> Interval:
        """The effect averaged over tables; it holds together with every table's own."""
        return mean_of([table.worth.wins for table in self.tables], 1 - self.question.stopping.alpha)

    @property
    def answer(self) -> Verdict:
        """The verdict over all tables together."""
        return judge(self.overall, self.question.stopping.margin * 100)

    def as_data(self) -> dict[str, object]:
        """Return everything as plain data."""
        return {
            **self.provenance.as_data(),
            "answer": self.answer,
            "overall_wins_per_100": interval_data(self.overall),
            "tables": [table.as_data() for table in self.tables],
            "elsewhere": [place.as_data() for place in self.circumstances],
            "elsewhere_beyond_noise": {kind: found.as_data() for kind, found in spreads(self.circumstances).items()},
        }


@dataclass(frozen=True)
class ValueAnswer:
    """The effect of one value of a parameter at one table."""

    table: QuestionTable
    value: float
    measured: Measured | None
    """None where the value is the base's own: no effect, by definition."""

    @property
    def wins(self) -> Interval:
        """The effect on wins per 100 games."""
        if self.measured is None:
            return Interval(0.0, 0.0, 0.0)
        return self.measured.wins

    @property
    def answer(self) -> Verdict:
        """The verdict on this value."""
        return judge(self.wins, self.table.question.stopping.margin * 100)


@dataclass(frozen=True)
class CurveAnswer:
    """Effect against value: all intervals hold together.

    Attributes
    ----------
    question
        What was asked; its subject is a habit at several values.
    values
        One entry per table and value.
    """

    question: TacticQuestion
    values: tuple[ValueAnswer, ...]

    @property
    def provenance(self) -> Provenance:
        """What the answer is computed from."""
        return self.question.provenance

    def at(self, table: QuestionTable) -> list[ValueAnswer]:
        """Return the values at one table, in the order asked."""
        return [value for value in self.values if value.table.name == table.name]

    def as_data(self) -> dict[str, object]:
        """Return everything as plain data."""
        return {
            **self.provenance.as_data(),
            "values": [
                {
                    **value.table.as_data(),
                    "value": value.value,
                    "answer": value.answer,
                    "wins_per_100": interval_data(value.wins),
                    "measured": value.measured.as_data() if value.measured else None,
                }
                for value in self.values
            ],
        }
