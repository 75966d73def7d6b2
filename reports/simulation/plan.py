"""The question "how do these strategies fare against each other at one table?"."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar, Self

from reports.estimates.intervals import Interval, interval_data
from reports.estimates.measures import Measure
from reports.output.provenance import Provenance, deck_note, rules_note
from reports.reading.escalation import read_strategy
from reports.reading.spec_reader import SpecReader
from reports.simulation.seating_orders import NeighbourEffects, neighbours_of
from reports.simulation.summary import (
    StrategySummary,
    numbers_frame,
    strategies_frame,
    summarise_games,
    summarise_table,
)
from reports.simulation.until_better import UntilBetter, check_until_better, until_better
from simulate import Deck, Experiment, Rules, Table, run
from simulate.escalation.engine import Seating
from simulate.escalation.rules import DEFAULT_DECK
from simulate.runner import USUAL, How
from strategies.errors import InputError
from strategies.strategy import Strategy

if TYPE_CHECKING:
    import pandas as pd


@dataclass(frozen=True)
class SimulationPlan:
    """One table to play at.

    Attributes
    ----------
    rules
        What is played.
    seats
        One strategy per player.
    seating
        Which seat has which position.
    match
        Whether the players mind the standing of a match.
    seed
        The seed of all randomness.
    sureness
        Forecast, too, how long people must play until the better of two strategies is ahead with this probability; no
        number of the games depends on it, so it is not written down with the question.
    """

    question: ClassVar[str] = "simulate"

    rules: Rules
    seats: tuple[Strategy, ...]
    seating: Seating = "every"
    match: bool = False
    seed: int = 1
    sureness: float | None = None

    def __post_init__(self) -> None:
        """Check that a forecast can be made, if there is to be one."""
        if self.sureness is not None:
            check_until_better(self.seats, self.sureness)

    @property
    def table(self) -> Table:
        """The table to play at."""
        return Table(self.rules, self.seats, self.seating, self.match)

    @property
    def experiment(self) -> Experiment:
        """The experiment of this single setting."""
        return Experiment((self.table,), self.seed)

    def spec(self) -> dict[str, Any]:
        """Return the question as plain data."""
        return {"seat_labels": [seat.label for seat in self.seats], **self.table.spec()}

    @classmethod
    def from_spec(cls, spec: Mapping[str, Any], seed: int) -> Self:
        """Return the question that `spec` wrote; every mistake is named."""
        read = SpecReader(spec, "spec", ["seat_labels", "game", "rules", "seats", "seating", "match", "noise_salt"])
        if read.take("game", str, "escalation") != "escalation":
            raise InputError(f"spec: game is {spec['game']!r}, not 'escalation'")
        if read.take("noise_salt", int, 0):
            raise InputError("spec: noise_salt is 0 for a simulation")
        labels, seats = read.take("seat_labels", list), read.take("seats", list)
        if len(labels) != len(seats):
            raise InputError("spec: seat_labels and seats need as many entries")
        players = tuple(read_strategy(str(label), values) for label, values in zip(labels, seats, strict=True))
        seating: Any = read.take("seating", str, "every")
        if seating == "shuffle":
            raise InputError(
                'spec: seating "shuffle" is no more: write "every" (every order of the seats equally often)'
            )
        return cls(_read_rules(read.take("rules", dict)), players, seating, read.take("match", bool, False), seed)

    def provenance(self, games: int) -> Provenance:
        """Return what a result with at least so many games is computed from."""
        return Provenance.of(
            self.question,
            self.experiment,
            games,
            spec=self.spec(),
            deck=deck_note(self.rules),
            rules=rules_note(self.rules),
        )


def _read_rules(data: Mapping[str, Any]) -> Rules:
    """Return rules from a table's own description, in which players and rulings stand beside each other."""
    usual, read = Rules(), SpecReader(data, "spec.rules", list(Rules.__dataclass_fields__))
    fixed = {name: read.take(name, int, getattr(usual, name)) for name in ("hand_size", "wild_max")}
    rulings = {name: value for name, value in data.items() if name not in {"deck", "players", *fixed}}
    deck = Deck.parse(read.take("deck", str, DEFAULT_DECK.name))
    return Rules(deck, read.take("players", int), fixed["hand_size"], fixed["wild_max"]).with_rulings(rulings)


@dataclass(frozen=True)
class SimulationResult:
    """What happened at one table.

    Attributes
    ----------
    provenance
        What was played.
    summaries
        One per strategy, in the order of their first seats.
    whole_games
        What is true of whole games: turns, shared wins.
    until_better
        How long people must play until the better player is ahead, where that was asked.
    neighbours
        Whether it matters who sits beside whom; None if it cannot.
    """

    provenance: Provenance
    summaries: tuple[StrategySummary, ...]
    whole_games: Mapping[Measure, Interval]
    until_better: tuple[UntilBetter, ...] = ()
    neighbours: NeighbourEffects | None = None

    @property
    def strategies(self) -> pd.DataFrame:
        """One row per strategy, one column per number."""
        return strategies_frame(self.summaries)

    @property
    def numbers(self) -> pd.DataFrame:
        """One row per number, with its unit and its interval."""
        return numbers_frame(self.summaries, self.whole_games)

    def as_data(self) -> dict[str, object]:
        """Return everything as plain data, for JSON."""
        return {
            **self.provenance.as_data(),
            "whole_games": {measure.name: interval_data(interval) for measure, interval in self.whole_games.items()},
            "strategies": [_summary_data(summary) for summary in self.summaries],
            **({"until_better": [forecast.as_data() for forecast in self.until_better]} if self.until_better else {}),
            **({"neighbours": self.neighbours.as_data()} if self.neighbours else {}),
        }


def simulate_table(plan: SimulationPlan, games: int, how: How = USUAL) -> SimulationResult:
    """Play at one table and summarise each strategy; seats of the same strategy are merged.

    Parameters
    ----------
    plan
        The table.
    games
        How many games, rounded up to whole blocks of 5,040.
    how
        How to run. The numbers do not depend on it.

    Returns
    -------
    SimulationResult
        Wins, scores and match wins with intervals; what the players did; what was played.

    Raises
    ------
    InputError
        If games or threads are not positive.
    KeyboardInterrupt
        If it was stopped before anything was played.

    Examples
    --------
    >>> from simulate import Rules
    >>> from strategies.catalogue import strategy
    >>> plan = SimulationPlan(Rules(players=2), (strategy("standard"), strategy("random")))
    >>> simulate_table(plan, games=5040).strategies["strategy"].tolist()
    ['standard', 'random']
    """
    (counts,) = run(plan.experiment, games, how)
    if not counts:
        raise KeyboardInterrupt
    summaries = summarise_table(counts, plan.seats, match=plan.match)
    whole_games = summarise_games(counts, match=plan.match)
    sureness = plan.sureness
    forecast = () if sureness is None else until_better(counts, plan.seats, sureness, match=plan.match)
    neighbours = neighbours_of(counts, plan.table)
    return SimulationResult(plan.provenance(summaries[0].games), tuple(summaries), whole_games, forecast, neighbours)


def _summary_data(summary: StrategySummary) -> dict[str, object]:
    return {
        "strategy": summary.strategy,
        "seats": list(summary.seats),
        "games": summary.games,
        "matches": summary.matches,
        **{measure.name: interval_data(interval) for measure, interval in summary.outcomes.items()},
        **{measure.name: value for measure, value in summary.behaviour.items()},
    }
