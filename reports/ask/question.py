"""What is asked about, and what a question of any game has to know so that it can be asked and answered.

Either game has a subclass of `TacticQuestion` and one of `QuestionTable`: in `reports.ask.player_question` and in
`reports.quickly.group_question`.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, ClassVar, Final, Self, TypeAlias

from reports.ask.circumstances import CircumstanceEffect
from reports.ask.verdict import Measured, Stopping
from reports.ask.words import Wording
from reports.output.provenance import Provenance
from reports.reading.values import Variation, read_habit
from simulate import Experiment
from simulate.experiment import Setting
from simulate.runner import How
from strategies.catalogue import ESCALATION, Catalogue, Tactic
from strategies.errors import InputError, check_printable
from strategies.strategy import Strategy, split_label

DOSES: Final = 8
"""The range of a dose is divided into so many steps, or as many whole ones as there are."""

Subject: TypeAlias = Tactic | Mapping[str, float] | Variation
"""What may be asked about: a named tactic, an explicit change, or one parameter at several values."""


def read_subject(text: str, catalogue: Catalogue = ESCALATION) -> Subject:
    """Read what is asked about.

    Parameters
    ----------
    text
        A tactic's name; a change such as `early_take=3,early_take_limit=4`; or one parameter at several values such as
        `early_take=0:8` or `early_take=0,2,4`.
    catalogue
        The game's.

    Raises
    ------
    InputError
        If it is none of these; the nearest name is given.
    """
    check_printable(text, "the question")
    if "=" not in text:
        return catalogue.tactic(text.strip())
    parts, vocabulary = text.split(","), catalogue.kind.vocabulary
    if ":" in text or (len(parts) > 1 and all("=" not in part for part in parts[1:])):
        return read_habit(text, vocabulary)
    _, changes = split_label(f"change,{text}")
    return {name: vocabulary.parameter(name).read(value) for name, value in changes.items()}


class QuestionTable(ABC):
    """A table at which a question is asked."""

    question: TacticQuestion
    players: int

    @abstractmethod
    def comparison(self, base: Any, changed: Any) -> Setting:
        """Return the comparison of two players, or of two groups made of them, at this table."""

    @property
    def name(self) -> str:
        """The table in a short name that is unique in the question."""
        return f"{self.players}-players"

    @property
    def words(self) -> str:
        """The table in words."""
        return f"with {self.players} players"

    def as_data(self) -> dict[str, object]:
        """Return the table as plain data."""
        return {"players": self.players}


class TacticQuestion(ABC):
    """A question about a tactic, an explicit change, or one parameter at several values.

    Attributes
    ----------
    name
        The question as the user wrote it.
    subject
        What is asked about.
    base
        The player who is changed.
    stopping
        When to stop; alpha holds for all tables together.
    seed
        The seed of all randomness.
    """

    question: ClassVar[str]
    """The name of such questions in files."""
    effect_type: ClassVar[type[Measured]]
    """How the game measures a comparison."""
    wording: ClassVar[Wording[Any]]
    """What the game tells of an answer besides the wins."""
    compares_own_dose: ClassVar[bool] = True
    """Whether it is asked, too, what a step more and a step less than the base's own dose would do."""

    name: str
    subject: Subject
    base: Strategy
    stopping: Stopping
    seed: int

    @property
    @abstractmethod
    def tables(self) -> Sequence[QuestionTable]:
        """Every table at which it is asked."""

    @property
    @abstractmethod
    def provenance(self) -> Provenance:
        """What the answer is computed from; the number of games is the most that may be played."""

    @property
    def games(self) -> int:
        """The most deals to play at a table."""
        return self.stopping.most_deals

    def with_games(self, games: int) -> Self:
        """Return the same question with another limit."""
        return replace(self, stopping=replace(self.stopping, most_deals=games))  # type: ignore[type-var]

    @property
    def unit(self) -> str:
        """What is won."""
        return "games"

    @property
    def note(self) -> str:
        """What must be said of the question besides; empty for nothing."""
        return ""

    def measure_circumstances(self, worth: Any, how: How) -> tuple[CircumstanceEffect, ...]:
        """Measure a worth in other circumstances, if that was asked."""
        return ()

    def check_change(self) -> None:
        """Make sure that what is asked about changes something.

        Raises
        ------
        InputError
            If it does not.
        """
        if not any(player.values != self.without.values for player in self.changed_players):
            raise InputError(f"'{self.name}' changes nothing: {self.base.label} plays like that already")

    @property
    def without(self) -> Strategy:
        """The player to compare with: without the habit if a tactic is asked about, else the base."""
        return self.subject.absent(self.base) if isinstance(self.subject, Tactic) else self.base

    @property
    def changed_players(self) -> list[Strategy]:
        """Everybody who may be compared: with every dose, with the change, or with every value."""
        if isinstance(self.subject, Tactic):
            return [self.subject.present(self.base, dose) for dose in doses_of(self.subject, self.base)]
        if isinstance(self.subject, Variation):
            return [self.base.with_changes({self.subject.name: value}) for value in self.subject.numbers]
        return [self.base.with_changes(self.subject)]

    @property
    def experiment(self) -> Experiment:
        """Every comparison that is known before anything is played; its digest names the question."""
        players = self.changed_players
        comparisons = (table.comparison(self.without, player) for table in self.tables for player in players)
        return Experiment(tuple(comparisons), self.seed)

    @property
    def stopping_of_table(self) -> Stopping:
        """The stopping rule of one table: alpha is split evenly, so that all tables hold together."""
        return self.stopping.shared_by(len(self.tables))


def step_of(asked: Tactic, base: Strategy) -> float:
    """Return what a step of a tactic's dose is."""
    low, high = asked.dose_range
    step = (high - low) / DOSES
    return max(1.0, float(round(step))) if base.vocabulary.parameter(asked.dose).whole else step


def doses_of(asked: Tactic, base: Strategy) -> list[float]:
    """Return the doses to try: evenly over the range, and the base's own; none at which the habit is absent."""
    low, high = asked.dose_range
    step = step_of(asked, base)
    doses = {round(low + place * step, 12) for place in range(int((high - low) / step) + 1)}
    own = base[asked.dose]
    if low <= own <= high:
        doses.add(own)
    absent = asked.absent(base)
    return sorted(dose for dose in doses if asked.present(base, dose).values != absent.values)
