"""Counts of one table as numbers with intervals, and those as tidy frames.

Every number is named once, in the measures below; tables, files and plots all read the names and units there.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import numpy as np

from reports.estimates.intervals import (
    LEVEL,
    Interval,
    mean_of_histogram,
    mean_over_seats,
    share_from_sums,
    share_over_seats,
)
from reports.estimates.measures import Measure, columns_of, number_columns
from simulate.escalation.kernel.win_shares import WIN
from simulate.escalation.state import TELEMETRY
from simulate.experiment import Counts
from strategies.errors import unknown_name
from strategies.strategy import Strategy

if TYPE_CHECKING:
    import pandas as pd

WINS: Final = Measure("wins_per_100_games", "wins per 100 games", "wins per 100 games")
MATCH_WINS: Final = Measure("match_wins_per_100_matches", "match wins per 100 matches", "wins per 100 matches")
SCORE: Final = Measure("score", "score", "penalty cards per game")
GAME_TURNS: Final = Measure("game_turns", "game length", "turns per game")
SHARED_WINS: Final = Measure("shared_wins_per_100_games", "shared wins per 100 games", "games per 100 games")

BEHAVIOUR: Final[Mapping[str, Measure]] = {
    "turns": Measure("turns_per_game", "turns", "turns per game"),
    "takes": Measure("takes_per_game", "takes", "piles taken per game"),
    "willing_takes": Measure("willing_takes_per_game", "willing takes", "piles taken by choice per game"),
    "cards_taken": Measure("cards_taken_per_game", "cards taken", "cards taken per game"),
    "passes": Measure("passes_per_game", "Passes", "Passes played per game"),
    "wilds": Measure("wilds_per_game", "wilds", "wilds spent per game"),
    "wild_seven_jumps": Measure("wild_seven_jumps_per_game", "wild-7 jumps", "wild-seven jumps per game"),
    "sets": Measure("sets_per_game", "sets", "sets of two or more per game"),
    "cards_left": Measure("cards_left_per_game", "cards left", "cards left in hand per game"),
    "out_first": Measure("out_first_per_game", "out first", "times out first per game"),
}
"""What players did, on average per player and game; means over all games played, without intervals."""


METRICS: Final = {
    "wins": WINS,
    "score": SCORE,
    "match-wins": MATCH_WINS,
    "game-turns": GAME_TURNS,
    "shared-wins": SHARED_WINS,
    **{name.replace("_", "-"): measure for name, measure in BEHAVIOUR.items()},
}
"""What can be asked for by name."""


def metric(name: str) -> Measure:
    """Look a measure up by the name a user gives it.

    Raises
    ------
    InputError
        If there is none of that name; the nearest one is given.
    """
    if name not in METRICS:
        raise unknown_name("metric", name, METRICS)
    return METRICS[name]


@dataclass(frozen=True)
class StrategySummary:
    """How one strategy did at one table.

    Attributes
    ----------
    strategy
        Its label.
    seats
        The seats it had.
    games, matches
        How many were played (no matches unless the starter rotates).
    outcomes
        Wins, score and, if there were matches, match wins, each with its interval.
    behaviour
        What it did per game, by measure.
    """

    strategy: str
    seats: tuple[int, ...]
    games: int
    matches: int
    outcomes: Mapping[Measure, Interval]
    behaviour: Mapping[Measure, float]


def summarise_seats(
    counts: Counts, strategy: str, seats: Sequence[int], *, match: bool, level: float = LEVEL
) -> StrategySummary:
    """Summarise the seats of one strategy, from the counts of its table.

    Parameters
    ----------
    counts
        What `simulate.Table` counted (see `simulate.escalation.kernel.counts.Sums`).
    strategy
        The label to show.
    seats
        The seats that it had; they are averaged within each game.
    match
        Whether the players minded the standing of a match, so that its games depend on each other.
    level
        The level of the intervals.
    """
    games, matches = int(counts["games"][0]), int(counts["matches"][0])
    together = _dependent_games(counts, match=match)
    wins, scores = counts["wins"].sum(axis=1), counts["scores"].sum(axis=1)
    outcomes = {
        WINS: share_over_seats(wins, counts["win_products"], games, seats, WIN, level, together).times(100),
        SCORE: mean_over_seats(scores, counts["score_products"], games, seats, level, together),
    }
    if matches:
        won, products = counts["match_wins"], counts["match_win_products"]
        outcomes[MATCH_WINS] = share_over_seats(won, products, matches, seats, WIN, level).times(100)
    done = counts["telemetry"][list(seats)].sum(axis=(0, 1)) / (games * len(seats))
    behaviour = {BEHAVIOUR[name]: float(value) for name, value in zip(TELEMETRY, done, strict=True)}
    return StrategySummary(strategy, tuple(seats), games, matches, outcomes, behaviour)


def _dependent_games(counts: Counts, *, match: bool) -> int:
    """Return how many successive games may depend on each other: those of a match whose standing the players mind."""
    return len(counts["scores"]) if match else 1


def summarise_table(
    counts: Counts, seats: Sequence[Strategy], *, match: bool, level: float = LEVEL
) -> list[StrategySummary]:
    """Summarise every strategy at a table, seats of the same strategy together, in the order of their first seats."""
    seats_of = {strategy: [seat for seat, other in enumerate(seats) if other == strategy] for strategy in seats}
    return [
        summarise_seats(counts, strategy.label, own, match=match, level=level) for strategy, own in seats_of.items()
    ]


def summarise_games(counts: Counts, *, match: bool, level: float = LEVEL) -> dict[Measure, Interval]:
    """Return what is true of whole games: their turns, and how often a win was shared."""
    games, together = int(counts["games"][0]), _dependent_games(counts, match=match)
    shared = int(counts["winners"][2:].sum())
    return {
        GAME_TURNS: mean_of_histogram(counts["turns_histogram"], level, together),
        SHARED_WINS: share_from_sums(shared, shared, games, level=level, dependent=together).times(100),
    }


def summary_columns(summary: StrategySummary) -> dict[str, float]:
    """Return all numbers of one summary as the columns of one row."""
    return columns_of(summary.outcomes) | {measure.name: value for measure, value in summary.behaviour.items()}


def strategies_frame(summaries: Sequence[StrategySummary]) -> pd.DataFrame:
    """Return one row per strategy: strategy, seats, games, matches, then every number."""
    import pandas as pd

    return pd.DataFrame(
        {
            "strategy": summary.strategy,
            "seats": len(summary.seats),
            "games": summary.games,
            "matches": summary.matches,
            **summary_columns(summary),
        }
        for summary in summaries
    )


def numbers_frame(summaries: Sequence[StrategySummary], whole_games: Mapping[Measure, Interval]) -> pd.DataFrame:
    """Return one row per number.

    Returns
    -------
    pandas.DataFrame
        Columns strategy ("everyone" for what is true of whole games), seats, games, measure, unit, estimate, low, high,
        level; low, high and level are missing where a number has no interval.
    """
    import pandas as pd

    players = sum(len(summary.seats) for summary in summaries)
    rows = [
        _number_row("everyone", players, summaries[0].games, measure, interval)
        for measure, interval in whole_games.items()
    ]
    for summary in summaries:
        label, seats = summary.strategy, len(summary.seats)
        for measure, interval in summary.outcomes.items():
            units = summary.matches if measure == MATCH_WINS else summary.games
            rows.append(_number_row(label, seats, units, measure, interval))
        for measure, value in summary.behaviour.items():
            unknown = Interval(value, np.nan, np.nan, np.nan)
            rows.append(_number_row(label, seats, summary.games, measure, unknown))
    return pd.DataFrame(rows)


def _number_row(strategy: str, seats: int, units: int, measure: Measure, interval: Interval) -> dict[str, object]:
    return {
        "strategy": strategy,
        "seats": seats,
        "games": units,
        **number_columns(measure, interval),
    }
