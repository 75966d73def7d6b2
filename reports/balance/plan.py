"""What a balance report looks at, how hard, and what counts as good."""

from __future__ import annotations

import hashlib
import shlex
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any, ClassVar, Final, Literal, Self, get_args

from reports.estimates.intervals import Interval
from reports.output.command_lines import deck_options, ruling_options
from reports.output.html import Light
from reports.output.provenance import Provenance, deck_note, rules_note
from reports.reading.escalation import RULES_KEYS, read_rules, read_seat, read_table_sizes, rules_spec, strategies_spec
from reports.reading.spec_reader import SpecReader
from simulate import Experiment, Table
from simulate.blocks import DEALS_PER_BLOCK, blocks_for
from simulate.escalation.rules import RULINGS, Deck, Rules
from simulate.experiment import KERNEL_VERSION, canonical
from strategies.catalogue import strategy
from strategies.errors import InputError, unknown_name
from strategies.strategy import Strategy

SECTION_NAMES: Final = (
    "setting",
    "positions",
    "player-count",
    "strategies",
    "neighbours",
    "luck",
    "cards",
    "tension",
    "choices",
    "advice",
    "rulings",
    "health",
    "redesign",
)
"""Every section, in the order of the report."""

Target = Literal["positions", "length", "choices", "diversity"]
TARGETS: Final[tuple[Target, ...]] = get_args(Target)
"""What a redesign should mend: unfair positions, the length of games, idle decisions, or one way to play."""


@dataclass(frozen=True)
class Threshold:
    """A number that decides a traffic light.

    Attributes
    ----------
    name
        As written on the command line.
    value
        Where good ends.
    unit, meaning
        What it is measured in and what it limits, in words.
    """

    name: str
    value: float
    unit: str
    meaning: str


@dataclass(frozen=True)
class Effort:
    """How much is played.

    Attributes
    ----------
    name
        Quick or full.
    blocks
        Blocks of 5,040 deals per setting where one number is estimated well.
    sample
        Games of which every turn is looked at.
    rollouts
        Games played on from each such turn.
    """

    name: Literal["quick", "full"]
    blocks: int
    sample: int
    rollouts: int


QUICK: Final = Effort("quick", 2, 30, 60)
FULL: Final = Effort("full", 20, 300, 200)
EFFORTS: Final[Mapping[str, Effort]] = {effort.name: effort for effort in (QUICK, FULL)}

DEFAULT_COUNTS: Final = (2, 3, 4, 5, 6)
CLOSER_LOOK: Final = 4
"""The table size that sections with a single size look at, or the one asked for that is nearest to it."""
WEAKER: Final = ("minimal", "novice")
OTHERS: Final = ("hoarder", "early-taker", "jumper", "shedder", "minimal", "novice")


def population_with(standard: Strategy) -> tuple[Strategy, ...]:
    """Return the strategies that meet each other where one strong player is `standard`."""
    return tuple(dict.fromkeys((standard, *map(strategy, OTHERS))))


def closer_look(player_counts: tuple[int, ...]) -> int:
    """Return the table size for a closer look: four players, or the nearest number of those asked for."""
    return min(player_counts, key=lambda players: (abs(players - CLOSER_LOOK), players))


def read_versus(text: str, rules: Rules) -> Rules:
    """Return other rules to put beside some: another deck, or a ruling that is turned over.

    Parameters
    ----------
    text
        A deck's preset or composition, a ruling's name, or `ruling=true`.
    rules
        What it is put beside.

    Raises
    ------
    InputError
        If it is neither, or changes nothing.
    """
    name, equals, value = (part.strip() for part in text.partition("="))
    if equals and value.lower() not in {"true", "false"}:
        raise InputError(f"'{text}' is malformed: a deck, a ruling's name, or RULING=true or RULING=false")
    if name in RULINGS or equals:
        turned = {name: value.lower() == "true"} if equals else rules.turned_over(name)
        other = rules.with_rulings(turned)
        needed = RULINGS[name].needs
        if needed and not getattr(other, needed):
            raise InputError(f"'{text}' changes nothing without {needed}=true: --versus {name} changes both")
    else:
        try:
            other = replace(rules, deck=Deck.parse(name))
        except InputError as mistake:
            raise InputError(f"{mistake}; or a ruling: {', '.join(RULINGS)}") from None
    if other == rules:
        raise InputError(f"'{text}' is what is played already: there is nothing to put side by side")
    return other


@dataclass(frozen=True)
class BalancePlan:
    """A game to look at from every side.

    Attributes
    ----------
    rules
        The game at the table size that sections with a single size look at.
    player_counts
        The table sizes that the other sections look at.
    seed
        The seed of all randomness.
    effort
        How much is played.
    target
        What the last section tries to mend.
    standard
        Who plays where one strong player is meant.
    weaker
        Two weaker players, for findings that depend on skill.
    population
        The strategies that meet each other; never a player who plays at random.
    thresholds
        Changed thresholds, by name.
    sections
        The sections asked for, by name; empty: all.
    versus
        A deck or a ruling to put beside this game (see `read_versus`); empty: none.
    """

    question: ClassVar[str] = "balance"

    rules: Rules
    player_counts: tuple[int, ...] = DEFAULT_COUNTS
    seed: int = 1
    effort: Effort = FULL
    target: Target = "positions"
    standard: Strategy = field(default_factory=lambda: strategy("standard"))
    weaker: tuple[Strategy, ...] = field(default_factory=lambda: tuple(map(strategy, WEAKER)))
    population: tuple[Strategy, ...] = field(default_factory=lambda: population_with(strategy("standard")))
    thresholds: Mapping[str, float] = field(default_factory=dict)
    sections: tuple[str, ...] = ()
    versus: str = ""

    def __post_init__(self) -> None:
        """Check names, and that the deck is large enough for every table."""
        if self.target not in TARGETS:
            raise unknown_name("target", self.target, TARGETS)
        if not self.player_counts:
            raise InputError("a balance report needs at least one number of players")
        for name in self.sections:
            if name not in SECTION_NAMES:
                raise unknown_name("section", name, SECTION_NAMES)
        for rules in (self.rules, *([self.other_rules] if self.versus else [])):
            for players in self.player_counts:
                replace(rules, players=players)

    def limit(self, threshold: Threshold) -> float:
        """Return the value of a threshold: the one asked for, or its own."""
        return self.thresholds.get(threshold.name, threshold.value)

    def at(self, players: int) -> Rules:
        """Return the game at another table size."""
        return replace(self.rules, players=players)

    @property
    def other_rules(self) -> Rules:
        """The game that this one is put beside."""
        return read_versus(self.versus, self.rules)

    @property
    def experiment(self) -> Experiment:
        """The experiment that the output folder belongs to: the standard table. Every part is one of its own."""
        return Experiment((Table(self.rules, (self.standard,) * self.rules.players),), self.seed)

    def spec(self) -> dict[str, Any]:
        """Return the question as plain data."""
        return {
            "players": list(self.player_counts),
            "closer_look": self.rules.players,
            "effort": self.effort.name,
            "target": self.target,
            "standard": self.standard.label,
            "weaker": [player.label for player in self.weaker],
            "population": [player.label for player in self.population],
            "strategies": strategies_spec((self.standard, *self.weaker, *self.population)),
            **rules_spec(self.rules),
            **({"sections": list(self.sections)} if self.sections else {}),
            **({"versus": self.versus} if self.versus else {}),
            **({"thresholds": dict(self.thresholds)} if self.thresholds else {}),
        }

    @classmethod
    def from_spec(cls, spec: Mapping[str, Any], seed: int) -> Self:
        """Return the question that `spec` wrote; every mistake is named."""
        looks = ("players", "closer_look", "effort", "target", "sections", "versus", "thresholds")
        people = ("standard", "weaker", "population", "strategies")
        read = SpecReader(spec, "spec", [*looks, *people, *RULES_KEYS])
        counts, known = read_table_sizes(read), read.take("strategies", dict, {})
        effort = read.take("effort", str, FULL.name)
        if effort not in EFFORTS:
            raise unknown_name("effort", effort, EFFORTS)
        thresholds = read.take("thresholds", dict, {})
        limits = SpecReader(thresholds, "spec.thresholds", list(thresholds))
        weaker, population = (
            tuple(read_seat(label, known) for label in read.texts(name)) for name in ("weaker", "population")
        )
        target: Any = read.take("target", str, "positions")
        return cls(
            read_rules(read, read.take("closer_look", int)),
            counts,
            seed,
            EFFORTS[effort],
            target,
            read_seat(read.take("standard", str), known),
            weaker,
            population,
            {name: limits.number(name) for name in thresholds},
            read.texts("sections", []),
            read.take("versus", str, ""),
        )

    @property
    def digest(self) -> str:
        """A hash of what decides the numbers, whichever sections are asked for and wherever the thresholds are."""
        decides = {name: value for name, value in self.spec().items() if name not in _ONLY_SHOWN}
        return hashlib.sha256(canonical({"kernel": KERNEL_VERSION, "seed": self.seed, **decides})).hexdigest()[:16]

    def provenance(self, games: int) -> Provenance:
        """Return what a report with so many games per setting is computed from."""
        return Provenance(
            question=self.question,
            spec=self.spec(),
            deck=deck_note(self.rules),
            rules=rules_note(self.rules),
            seed=self.seed,
            games=blocks_for(games) * DEALS_PER_BLOCK,
            settings=1,
            digest=self.digest,
        )

    @property
    def games(self) -> int:
        """Games per setting where one number is estimated well."""
        return self.effort.blocks * DEALS_PER_BLOCK

    def command(self, out: str = "") -> str:
        """Return the command that asks for this report again."""
        if not self._told_by_options:
            return "escalation run experiment.toml" + (f" --out {out}" if out else "")
        first, last = self.player_counts[0], self.player_counts[-1]
        pieces = {
            "--seat": "" if self.standard == strategy("standard") else self.standard.label,
            "--target": _unless(self.target, TARGETS[0]),
            "--versus": self.versus,
            "--seed": _unless(self.seed, 1),
            "--out": out,
        }
        words = ["escalation", "balance", *(["--quick"] if self.effort == QUICK else [])]
        if self.player_counts != DEFAULT_COUNTS:
            words += ["--players", f"{first}" if first == last else f"{first}-{last}"]
        words += deck_options(self.rules)
        words += [word for name, value in pieces.items() if value for word in (name, value)]
        words += ruling_options(self.rules)
        for name in self.sections:
            words += ["--section", name]
        for name, value in self.thresholds.items():
            words += ["--threshold", f"{name}={value:g}"]
        return shlex.join(words)

    @property
    def _told_by_options(self) -> bool:
        first, last = self.player_counts[0], self.player_counts[-1]
        return (
            self.player_counts == tuple(range(first, last + 1))
            and self.rules.players == closer_look(self.player_counts)
            and self.effort == EFFORTS[self.effort.name]
            and self.weaker == tuple(map(strategy, WEAKER))
            and self.population == population_with(self.standard)
        )


_ONLY_SHOWN: Final = ("sections", "thresholds", "versus")
"""What a report shows, but plays the same for."""


def _unless(value: object, default: object) -> str:
    return "" if value == default else str(value)


def light_below(interval: Interval, limit: float) -> Light:
    """Return green if a number surely stays below a limit, red if it surely exceeds it, yellow in between."""
    if interval.high <= limit:
        return "good"
    return "bad" if interval.low > limit else "middle"


def light_above(interval: Interval, limit: float) -> Light:
    """Return green if a number surely reaches a limit, red if it surely misses it, yellow in between."""
    if interval.low >= limit:
        return "good"
    return "bad" if interval.high < limit else "middle"
