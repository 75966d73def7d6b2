"""What a balance report looks at, how hard, and what counts as good."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final, Literal, get_args

from reports.html import Light
from reports.statistics import Interval
from simulate.escalation.rules import Rules
from strategies.catalogue import strategy
from strategies.errors import InputError, unknown_name
from strategies.strategy import Strategy

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
    """

    rules: Rules
    player_counts: tuple[int, ...] = (2, 3, 4, 5, 6)
    seed: int = 1
    effort: Effort = FULL
    target: Target = "positions"
    standard: Strategy = field(default_factory=lambda: strategy("standard"))
    weaker: tuple[Strategy, ...] = field(default_factory=lambda: (strategy("minimal"), strategy("novice")))
    population: tuple[Strategy, ...] = field(
        default_factory=lambda: tuple(
            strategy(name) for name in ("standard", "hoarder", "early-taker", "jumper", "shedder", "minimal", "novice")
        )
    )
    thresholds: Mapping[str, float] = field(default_factory=dict)

    def __post_init__(self) -> None:
        """Check the target."""
        if self.target not in TARGETS:
            raise unknown_name("target", self.target, TARGETS)
        if not self.player_counts:
            raise InputError("a balance report needs at least one number of players")

    def limit(self, threshold: Threshold) -> float:
        """Return the value of a threshold: the one asked for, or its own."""
        return self.thresholds.get(threshold.name, threshold.value)


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
