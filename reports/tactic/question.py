"""What is asked: a named tactic, an explicit change, or one parameter at several values, and where."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any, Final, TypeAlias

from reports.provenance import Provenance, deck_note, rules_note
from reports.variation import Variation, read_habit
from reports.verdict import Stopping
from simulate import Experiment, Rules
from simulate.blocks import DEALS_PER_BLOCK, blocks_for
from simulate.escalation.comparison import Comparison
from simulate.escalation.rules import RULINGS
from strategies.catalogue import Tactic, tactic
from strategies.errors import InputError
from strategies.strategy import Strategy, read_number, split_label

DOSES: Final = 8
"""The range of a dose is divided into so many steps."""

Subject: TypeAlias = Tactic | Mapping[str, float] | Variation
"""What may be asked about: a named tactic, an explicit change, or one parameter at several values."""


def read_subject(text: str) -> Subject:
    """Read what is asked about.

    Parameters
    ----------
    text
        A tactic's name; a change such as `early_take=3,early_take_limit=4`; or one parameter at several values such as
        `early_take=0:8` or `early_take=0,2,4`.

    Raises
    ------
    InputError
        If it is none of these; the nearest name is given.
    """
    if "=" not in text:
        return tactic(text.strip())
    parts = text.split(",")
    if ":" in text or (len(parts) > 1 and all("=" not in part for part in parts[1:])):
        return read_habit(text)
    _, changes = split_label(f"change,{text}")
    return {name: read_number(name, value) for name, value in changes.items()}


@dataclass(frozen=True)
class TacticQuestion:
    """A tactic or a change, and the circumstances to judge it in.

    Attributes
    ----------
    name
        The question as the user wrote it.
    subject
        What is asked about.
    rules
        What is played; its number of players is replaced by each of `player_counts`.
    player_counts
        The table sizes to play at.
    base
        The player who is changed.
    fields
        The opponents' strategies, each its own answer; empty: the base itself.
    match
        Whether wins are those of matches.
    stopping
        When to stop; alpha holds for all tables together.
    seed
        The seed of all randomness.
    everywhere
        Whether to look at other table sizes, decks, rulings and opponents, too.
    """

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
        if not any(player.values != self.base.values for player in self._players_asked_about()):
            raise InputError(f"'{self.name}' changes nothing: {self.base.label} plays like that already")
        repeated = next((one for place, one in enumerate(self.fields) if one in self.fields[:place]), None)
        if repeated:
            raise InputError(f"the opponents {repeated.label} are given twice")

    def _players_asked_about(self) -> list[Strategy]:
        if isinstance(self.subject, Variation):
            return self.values_tried
        if isinstance(self.subject, Tactic):
            return [self.subject.absent(self.base), self.subject.present(self.base, self.subject.dose_range[1])]
        return [self.base.with_changes(self.subject)]

    @property
    def tables(self) -> list[TableAsked]:
        """Every combination of player count and opponents."""
        fields = self.fields or (self.base,)
        return [TableAsked(self, players, field) for players in self.player_counts for field in fields]

    @property
    def unit(self) -> str:
        """What is won."""
        return "matches" if self.match else "games"

    @property
    def stopping_of_table(self) -> Stopping:
        """The stopping rule of one table: alpha is split evenly, so that all tables hold together."""
        return self.stopping.with_alpha(self.stopping.alpha / len(self.tables))

    def spec(self) -> dict[str, Any]:
        """Return the question in plain data."""
        return {
            "asked": self.name,
            "base": self.base.label,
            "opponents": [field.label for field in self.fields or (self.base,)],
            "players": list(self.player_counts),
            "wins_of": self.unit,
            "margin": self.stopping.margin,
            "alpha": self.stopping.alpha,
            "precision": self.stopping.precision if self.stopping.precision is not None else self.stopping.margin,
            "most_deals": self.stopping.most_deals,
            "everywhere": self.everywhere,
            "deck": str(self.rules.deck),
            "hand_size": self.rules.hand_size,
            "wild_max": self.rules.wild_max,
            "rulings": {name: getattr(self.rules, name) for name in RULINGS},
        }

    @property
    def experiment(self) -> Experiment:
        """Every comparison that is known before anything is played; its digest names the question."""
        if isinstance(self.subject, Tactic):
            base = self.subject.absent(self.base)
            players = [self.subject.present(self.base, dose) for dose in doses_of(self.subject, self.base)]
        else:
            base, players = self.base, self._players_asked_about()
        return Experiment(tuple(table.comparison(base, one) for table in self.tables for one in players), self.seed)

    @property
    def values_tried(self) -> list[Strategy]:
        """The base with each value of the parameter that is asked about."""
        if not isinstance(self.subject, Variation):
            return []
        return [self.base.with_changes({self.subject.name: value}) for value in self.subject.numbers]

    @cached_property
    def provenance(self) -> Provenance:
        """What the answer is computed from."""
        return Provenance(
            question="ask",
            spec=self.spec(),
            deck=deck_note(self.rules),
            rules=rules_note(self.rules),
            seed=self.seed,
            games=blocks_for(self.stopping.most_deals) * DEALS_PER_BLOCK,
            settings=len(self.experiment.settings),
            digest=self.experiment.digest,
        )


@dataclass(frozen=True)
class TableAsked:
    """One player count with one kind of opponents."""

    question: TacticQuestion
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


def step_of(asked: Tactic) -> float:
    """Return what a step of a tactic's dose is."""
    low, high = asked.dose_range
    return (high - low) / DOSES


def doses_of(asked: Tactic, base: Strategy) -> list[float]:
    """Return the doses to try: evenly over the range, and the base's own; none at which the habit is absent."""
    low, high = asked.dose_range
    doses = {round(low + place * step_of(asked), 12) for place in range(DOSES + 1)}
    own = base[asked.dose]
    if low <= own <= high:
        doses.add(own)
    absent = asked.absent(base)
    return sorted(dose for dose in doses if asked.present(base, dose).values != absent.values)
