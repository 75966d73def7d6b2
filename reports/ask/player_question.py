"""Questions about Escalation!: one player is changed, at every seat in turn; the opponents are not."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any, ClassVar, Final, Self

from reports.ask.circumstances import CircumstanceEffect, measure_circumstances
from reports.ask.player_effect import MeasuredPlayer
from reports.ask.player_words import PlayerWording
from reports.ask.question import QuestionTable, Subject, TacticQuestion, read_subject
from reports.ask.verdict import STOPPING_KEYS, Stopping
from reports.output.provenance import Provenance, deck_note, rules_note
from reports.reading.escalation import RULES_KEYS, read_rules, read_table_sizes, rules_spec
from reports.reading.spec_reader import SpecReader
from reports.reading.values import Variation
from simulate import Rules
from simulate.escalation.settings.comparison import Comparison
from simulate.runner import How
from strategies.catalogue import strategy
from strategies.errors import InputError, unknown_name
from strategies.strategy import Strategy

UNITS: Final = ("games", "matches")
"""What may be won."""


@dataclass(frozen=True)
class PlayerQuestion(TacticQuestion):
    """A tactic or a change, and the circumstances to judge it in.

    Attributes
    ----------
    name, subject, base, stopping, seed
        See `TacticQuestion`.
    rules
        What is played; its number of players is replaced by each of `player_counts`.
    player_counts
        The table sizes to play at.
    fields
        The opponents' strategies, each its own answer; empty: the base itself.
    match
        Whether wins are those of matches.
    everywhere
        Whether to look at other table sizes, decks, rulings and opponents, too.
    """

    question: ClassVar[str] = "ask"
    effect_type: ClassVar = MeasuredPlayer
    wording: ClassVar = PlayerWording()

    name: str
    subject: Subject
    rules: Rules
    player_counts: tuple[int, ...]
    base: Strategy
    fields: tuple[Strategy, ...] = ()
    match: bool = False
    stopping: Stopping = field(default_factory=Stopping)
    seed: int = 1
    everywhere: bool = False

    def __post_init__(self) -> None:
        """Check that the change is one."""
        if self.everywhere and isinstance(self.subject, Variation):
            raise InputError(f"'{self.name}' has several values: ask everywhere about one of them")
        self.check_change()
        repeated = next((field for place, field in enumerate(self.fields) if field in self.fields[:place]), None)
        if repeated:
            raise InputError(f"the opponents {repeated.label} are given twice")

    @property
    def tables(self) -> list[PlayerTable]:
        """Every combination of player count and opponents."""
        fields = self.fields or (self.base,)
        return [PlayerTable(self, players, field) for players in self.player_counts for field in fields]

    @property
    def unit(self) -> str:
        """What is won."""
        return "matches" if self.match else "games"

    def spec(self) -> dict[str, Any]:
        """Return the question in plain data."""
        return {
            "asked": self.name,
            "base": self.base.label,
            "opponents": [field.label for field in self.fields or (self.base,)],
            "players": list(self.player_counts),
            "wins_of": self.unit,
            **self.stopping.spec(),
            "everywhere": self.everywhere,
            **rules_spec(self.rules),
        }

    @classmethod
    def from_spec(cls, spec: Mapping[str, Any], seed: int) -> Self:
        """Return the question that `spec` wrote; opponents who all play the base are the usual ones."""
        names = ["asked", "base", "opponents", "players", "wins_of", "everywhere", *STOPPING_KEYS, *RULES_KEYS]
        read = SpecReader(spec, "spec", names)
        asked, base, counts = read.take("asked", str), strategy(read.take("base", str)), read_table_sizes(read)
        if not counts:
            raise InputError("spec: players needs at least one entry")
        fields = tuple(map(strategy, read.texts("opponents", [])))
        unit = read.take("wins_of", str, UNITS[0])
        if unit not in UNITS:
            raise unknown_name("unit of wins", unit, UNITS)
        return cls(
            asked,
            read_subject(asked),
            read_rules(read, counts[-1]),
            counts,
            base,
            () if fields == (base,) else fields,
            unit == "matches",
            Stopping.from_spec(read),
            seed,
            read.take("everywhere", bool, False),
        )

    def measure_circumstances(self, worth: MeasuredPlayer, how: How) -> tuple[CircumstanceEffect, ...]:
        """Measure a worth with other table sizes, decks, rulings and opponents, if that was asked."""
        return measure_circumstances(worth.comparison, self.seed, self.stopping, how) if self.everywhere else ()

    @cached_property
    def provenance(self) -> Provenance:
        """What the answer is computed from."""
        return Provenance.of(
            self.question,
            self.experiment,
            self.stopping.most_deals,
            spec=self.spec(),
            deck=deck_note(self.rules),
            rules=rules_note(self.rules),
        )


@dataclass(frozen=True)
class PlayerTable(QuestionTable):
    """One player count with one kind of opponents."""

    question: PlayerQuestion
    players: int
    field: Strategy

    def comparison(self, base: Strategy, changed: Strategy) -> Comparison:
        """Return the comparison of two players at this table."""
        rules = replace(self.question.rules, players=self.players)
        return Comparison(rules, base, changed, (self.field,) * (self.players - 1), self.question.match)

    @property
    def name(self) -> str:
        """The table in a short name that is unique in the question, such as "4-players"."""
        against = f"-opponents-{self.question.fields.index(self.field) + 1}" if self.question.fields else ""
        return f"{self.players}-players{against}"

    @property
    def words(self) -> str:
        """The table in words."""
        against = f" against {self.field.label}" if self.question.fields else ""
        return f"with {self.players} players{against}"

    def as_data(self) -> dict[str, object]:
        """Return the table as plain data."""
        return {**super().as_data(), "opponents": self.field.label}
