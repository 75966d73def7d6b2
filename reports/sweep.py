"""The question "how does play change as these parameters change?": a grid of settings on common deals."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal
from functools import cached_property
from itertools import product
from typing import Any, Final, Literal, get_args

import pandas as pd

from reports.frames import (
    GAME_TURNS,
    SCORE,
    WINS,
    Measure,
    interval_columns,
    summarise_games,
    summarise_seats,
    summary_columns,
)
from reports.provenance import Provenance, deck_note, rules_note
from reports.statistics import LEVEL
from simulate import Experiment, Rules, Table, run
from simulate.blocks import DEALS_PER_BLOCK, blocks_for
from simulate.escalation.rules import FEWEST_PLAYERS, MOST_PLAYERS, RULINGS
from simulate.experiment import Counts
from simulate.runner import Progress
from strategies.errors import InputError, unknown_name
from strategies.parameters import PARAMETER_NAMES, parameter
from strategies.strategy import Strategy, read_number

MOST_SETTINGS: Final = 100_000

VARIATION_GRAMMAR: Final = "write NAME=START:STOP:STEP (STOP included, STEP 1 if left out), NAME=A,B,C or NAME=VALUE"
PLAYERS_GRAMMAR: Final = f"write a number such as 4 or a span such as 2-6, within {FEWEST_PLAYERS}-{MOST_PLAYERS}"

Who = Literal["focal", "all"]
WHOS: Final[tuple[Who, ...]] = get_args(Who)
"""Whose parameters vary: those of the player at seat 0 against fixed opponents, or everybody's at once."""


@dataclass(frozen=True)
class Variation:
    """A parameter and the values that it takes in turn."""

    name: str
    values: tuple[float, ...]

    @property
    def unit(self) -> str:
        """The unit of the values."""
        return parameter(self.name).unit


def read_variation(text: str) -> Variation:
    """Read `name=start:stop:step`, `name=a,b,c` or `name=value`.

    Raises
    ------
    InputError
        If the text is neither, the parameter unknown, a value out of bounds or given twice, the step 0 or pointing away
        from the stop, or if there are more values than settings are allowed.

    Examples
    --------
    >>> read_variation("early_take=0:6:2").values
    (0.0, 2.0, 4.0, 6.0)
    """
    name, equals, values = (part.strip() for part in text.partition("="))
    if not (name and equals and values):
        raise InputError(f"'{text}' does not vary a parameter: {VARIATION_GRAMMAR}")
    parameter(name)
    if ":" in values:
        return Variation(name, _read_range(name, values))
    listed = tuple(read_number(name, value.strip()) + 0.0 for value in values.split(","))
    repeated = next((value for place, value in enumerate(listed) if value in listed[:place]), None)
    if repeated is not None:
        raise InputError(f"{name}={repeated:g} is given twice in '{text}': each value once")
    return Variation(name, listed)


def _read_range(name: str, text: str) -> tuple[float, ...]:
    parts = text.split(":")
    if len(parts) not in {2, 3}:
        raise InputError(f"'{name}={text}' is malformed: {VARIATION_GRAMMAR}")
    for part in parts[:2]:
        read_number(name, part.strip())
    try:
        # Decimal numbers, so that 0:1:0.1 ends at 1 and no value carries a rounding error.
        start, stop, step = (Decimal(part.strip()) for part in [*parts, "1"][:3])
    except ArithmeticError:
        raise InputError(f"'{name}={text}' has no step that is a number: {VARIATION_GRAMMAR}") from None
    if not math.isfinite(float(step)) or float(step) == 0:
        raise InputError(f"the step of '{name}={text}' is {step}: it must be a number other than 0")
    if (stop < start) == (step > 0) and stop != start:
        raise InputError(f"'{name}={text}' never gets there: the step {step} points away from {stop}")
    number = (stop - start) / step
    if number >= MOST_SETTINGS:
        raise InputError(f"'{name}={text}' asks for about {number:.3g} values: at most {MOST_SETTINGS:,} settings")
    return tuple(float(start + step * place) for place in range(int(number) + 1))


def read_player_counts(text: str) -> tuple[int, ...]:
    """Read player counts written as `4` or `2-6`.

    Raises
    ------
    InputError
        If the text is neither, or the counts are not within 2-9.
    """
    first, dash, last = (part.strip() for part in text.strip().partition("-"))
    if not (first.isdecimal() and (last.isdecimal() if dash else True)):
        raise InputError(f"players '{text}' is malformed: {PLAYERS_GRAMMAR}")
    low, high = int(first), int(last or first)
    if low > high:
        raise InputError(f"players '{text}' runs backwards: write {high}-{low}")
    if low < FEWEST_PLAYERS or high > MOST_PLAYERS:
        raise InputError(f"players '{text}' is not allowed: {PLAYERS_GRAMMAR}")
    return tuple(range(low, high + 1))


@dataclass(frozen=True)
class Point:
    """One setting of the grid: a number of players and one value per varied parameter."""

    players: int
    values: tuple[float, ...]


@dataclass(frozen=True)
class SweepPlan:
    """A grid of settings.

    Attributes
    ----------
    variations
        The parameters to vary, and their values; every combination is played.
    player_counts
        The table sizes to play at.
    rules
        What is played; its number of players is replaced by each of `player_counts`.
    seats
        The focal player before variation, then the opponents; the last one given fills the remaining seats.
    who
        Whether only the focal player varies, or everybody plays the varied strategy (then only one seat may be given).
    match
        Whether the players mind the standing of a match.
    seed
        The seed of all randomness.
    """

    variations: tuple[Variation, ...]
    player_counts: tuple[int, ...]
    rules: Rules
    seats: tuple[Strategy, ...]
    who: Who = "focal"
    match: bool = False
    seed: int = 1

    def __post_init__(self) -> None:
        """Check that the grid makes sense and is not too large, before anything of it is built."""
        if self.who not in WHOS:
            raise unknown_name("choice of who varies", self.who, WHOS)
        if not self.variations:
            raise InputError(f"a sweep needs a parameter to vary: {VARIATION_GRAMMAR}")
        names = [variation.name for variation in self.variations]
        repeated = next((name for place, name in enumerate(names) if name in names[:place]), None)
        if repeated:
            raise InputError(f"parameter {repeated} is given twice: list all its values in one place")
        if self.size > MOST_SETTINGS:
            raise InputError(f"the grid has {self.size:,} settings: at most {MOST_SETTINGS:,} are allowed")
        if len(self.seats) > min(self.player_counts):
            raise InputError(
                f"{len(self.seats)} seats are given for {min(self.player_counts)} players: at most one per player"
            )
        if self.who == "all" and len(self.seats) > 1:
            raise InputError("when everybody varies there are no opponents: give a single seat")

    @property
    def size(self) -> int:
        """How many settings the grid has."""
        return len(self.player_counts) * math.prod(len(variation.values) for variation in self.variations)

    @property
    def points(self) -> list[Point]:
        """Every setting, player counts outermost, the last parameter innermost."""
        grid = list(product(*(variation.values for variation in self.variations)))
        return [Point(players, values) for players in self.player_counts for values in grid]

    @cached_property
    def experiment(self) -> Experiment:
        """Every setting of the grid, on common deals."""
        return Experiment(tuple(self.table(point) for point in self.points), self.seed)

    @cached_property
    def _digest(self) -> str:
        return self.experiment.digest

    def table(self, point: Point) -> Table:
        """Return the table of one setting."""
        names = (variation.name for variation in self.variations)
        varied = self.seats[0].with_changes(dict(zip(names, point.values, strict=True)))
        others = point.players - 1
        if self.who == "all":
            seats: Sequence[Strategy] = [varied] * point.players
        else:
            opponents = self.seats[1:] or self.seats[:1]
            seats = [varied, *opponents, *[opponents[-1]] * (others - len(opponents))]
        return Table(replace(self.rules, players=point.players), tuple(seats), "rotate", self.match)

    @property
    def opponents(self) -> str:
        """Who sits at the other seats, in one phrase."""
        if self.who == "all":
            return "everybody varies"
        return ", ".join(strategy.label for strategy in self.seats[1:] or self.seats[:1])

    def spec(self) -> dict[str, Any]:
        """Return the question in plain data."""
        return {
            "who": self.who,
            "players": list(self.player_counts),
            "seats": [strategy.label for strategy in self.seats],
            "strategies": {strategy.label: _habits(strategy) for strategy in self.seats},
            "match": self.match,
            "vary": {variation.name: list(variation.values) for variation in self.variations},
            "deck": str(self.rules.deck),
            "hand_size": self.rules.hand_size,
            "wild_max": self.rules.wild_max,
            "rulings": {name: getattr(self.rules, name) for name in RULINGS},
        }

    def provenance(self, games: int) -> Provenance:
        """Return what a result with at least so many games per setting is computed from."""
        return Provenance(
            question="sweep",
            spec=self.spec(),
            deck=deck_note(self.rules),
            rules=rules_note(self.rules),
            seed=self.seed,
            games=blocks_for(games) * DEALS_PER_BLOCK,
            settings=self.size,
            digest=self._digest,
        )


def _habits(strategy: Strategy) -> dict[str, float]:
    """Return the parameters that are not 0."""
    return {name: value for name, value in zip(PARAMETER_NAMES, strategy.values, strict=True) if value}


@dataclass(frozen=True)
class SweepResult:
    """What happened at every setting of a grid.

    Attributes
    ----------
    plan
        The grid.
    provenance
        What was played.
    settings
        One row per setting: setting (its number), players, one column per varied parameter, games, matches, every
        number of the focal player (of everybody, when everybody varies) and of whole games. Numbers with an interval
        have the columns `name`, `name_low` and `name_high`.
    """

    plan: SweepPlan
    provenance: Provenance
    settings: pd.DataFrame

    @property
    def measures(self) -> tuple[Measure, ...]:
        """The numbers worth plotting, the most telling one first.

        When everybody varies, wins say nothing: everybody wins one game in as many as there are players.
        """
        return (WINS,) if self.plan.who == "focal" else (SCORE, GAME_TURNS)

    def as_data(self) -> dict[str, Any]:
        """Return everything as plain data, for JSON."""
        return {
            **self.provenance.as_data(),
            "level": LEVEL,
            "grid": self.settings.to_dict(orient="records"),
        }


def sweep(
    plan: SweepPlan,
    games: int,
    *,
    threads: int | None = None,
    on_progress: Callable[[Progress], None] | None = None,
) -> SweepResult:
    """Play every setting of a grid on the same deals, positions rotating.

    Parameters
    ----------
    plan
        The grid.
    games
        Games per setting, rounded up to whole blocks of 5,040.
    threads
        Threads to play on; None means one per processor. The numbers do not depend on it.
    on_progress
        Called after every block.

    Returns
    -------
    SweepResult
        One row per setting, with intervals.

    Raises
    ------
    InputError
        If games or threads are not positive.

    Examples
    --------
    >>> from simulate import Rules
    >>> from strategies.catalogue import strategy
    >>> plan = SweepPlan((read_variation("pass_hoard=0,4"),), (2, 3), Rules(), (strategy("standard"),))
    >>> sweep(plan, games=5040).settings[["players", "pass_hoard"]].values.tolist()
    [[2.0, 0.0], [2.0, 4.0], [3.0, 0.0], [3.0, 4.0]]
    """
    every_count = run(plan.experiment, games, threads=threads, on_progress=on_progress)
    rows = [
        _row(plan, setting, point, counts)
        for setting, (point, counts) in enumerate(zip(plan.points, every_count, strict=True))
    ]
    return SweepResult(plan, plan.provenance(games), pd.DataFrame(rows))


def _row(plan: SweepPlan, setting: int, point: Point, counts: Counts) -> dict[str, Any]:
    seats = range(point.players) if plan.who == "all" else (0,)
    summary = summarise_seats(counts, plan.who, seats, match=plan.match)
    row: dict[str, Any] = {"setting": setting, "players": point.players}
    row |= {variation.name: value for variation, value in zip(plan.variations, point.values, strict=True)}
    row |= {"games": summary.games, "matches": summary.matches, **summary_columns(summary)}
    for measure, interval in summarise_games(counts, match=plan.match).items():
        row |= interval_columns(measure, interval)
    return row
