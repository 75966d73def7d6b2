"""Two decks or two rulings side by side: differences deal by deal, and what the common deals really gained."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from reports.balance.finding import Finding, Play, total
from reports.balance.plan import BalancePlan
from reports.estimates.intervals import LEVEL, Interval, mean_from_sums
from reports.estimates.measures import Measure, interval_columns
from reports.output.html import PageTable
from reports.output.words import plus_minus
from reports.simulation.summary import GAME_TURNS, SCORE, SHARED_WINS
from simulate import Table
from simulate.escalation.kernel.win_shares import WIN
from simulate.experiment import Counts

STARTER: Final = Measure("starter_wins_per_100_games", "starter's wins per 100 games", "wins per 100 games")
STARTER_SCORE: Final = Measure("starter_score", "starter's score", "penalty cards per game")
LITTLE: Final = 1.05
"""Common deals that are worth less than this many times the games are no gain to speak of."""


@dataclass(frozen=True)
class TwoGames:
    """The same deal numbers played at two tables of one size.

    Attributes
    ----------
    here, there
        The tables; the starter is seat 0 at both.
    """

    here: Table
    there: Table

    def spec(self) -> dict[str, Any]:
        """Return everything that determines play."""
        return {"game": "escalation twice", "here": self.here.spec(), "there": self.there.spec()}

    def play_deals(self, seed: int, deals: NDArray[np.int64]) -> Counts:
        """Play deals by number at both tables.

        Returns
        -------
        mapping of str to numpy.ndarray of int64
            "games", shape (1,), and "sums", shape (measures, 5): of each measure here and there, of their squares and
            of their product.
        """
        here, there = (_outcomes(table, seed, deals) for table in (self.here, self.there))
        sums = [here.sum(1), there.sum(1), (here * here).sum(1), (there * there).sum(1), (here * there).sum(1)]
        return {"games": np.array([len(deals)], dtype=np.int64), "sums": np.stack(sums, axis=1)}


MEASURES: Final = (STARTER, STARTER_SCORE, SCORE, GAME_TURNS, SHARED_WINS)


def _outcomes(table: Table, seed: int, deals: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return every measure in whole units, in the order of `MEASURES`, shape (measures, games)."""
    played = table.play(seed, deals)
    scores = played.scores.astype(np.int64)
    winners = scores == scores.min(axis=1, keepdims=True)
    shared = winners.sum(axis=1)
    starter = np.where(winners[:, 0], WIN // shared, 0)
    return np.stack([starter, scores[:, 0], scores.sum(axis=1), played.turns.astype(np.int64), shared > 1])


def _scale(measure: Measure, players: int) -> float:
    """Return what a whole unit of a measure is worth in its own unit."""
    return {STARTER: 100 / WIN, SCORE: 1 / players, SHARED_WINS: 100}.get(measure, 1.0)


@dataclass(frozen=True)
class Difference:
    """One number in both games.

    Attributes
    ----------
    players, measure
        The table size, and which number.
    here, there, difference
        The number in both games, and there less here, deal by deal.
    gain
        How many times the games would be needed without common deals; infinite if no game differs.
    """

    players: int
    measure: Measure
    here: Interval
    there: Interval
    difference: Interval
    gain: float


def differences(counts: Counts, players: int) -> list[Difference]:
    """Read every difference from the counts of two games."""
    games = int(counts["games"][0])
    found = []
    for measure, sums in zip(MEASURES, counts["sums"].tolist(), strict=True):
        x, y, xx, yy, xy = sums
        apart = xx + yy - 2 * xy
        intervals = [mean_from_sums(t, s, games) for t, s in ((x, xx), (y, yy), (y - x, apart))]
        spreads = [games * s - t * t for t, s in ((x, xx), (y, yy), (y - x, apart))]
        gain = (spreads[0] + spreads[1]) / spreads[2] if spreads[2] else math.inf
        here, there, difference = (one.times(_scale(measure, players)) for one in intervals)
        found.append(Difference(players, measure, here, there, difference, gain))
    return found


def measure_versus(plan: BalancePlan, play: Play) -> Finding:
    """Play both games on the same deal numbers at every table size and compare."""
    other = plan.other_rules
    settings = []
    for players in plan.player_counts:
        seats = (plan.standard,) * players
        there = Table(BalancePlan(other, plan.player_counts).at(players), seats, "given")
        settings.append(TwoGames(Table(plan.at(players), seats, "given"), there))
    played = play("versus", settings, plan.effort.blocks)
    found = [
        one
        for players, blocks in zip(plan.player_counts, played, strict=True)
        for one in differences(total(blocks), players)
    ]
    return Finding(
        name="versus",
        title=f"Side by side: {plan.versus}",
        finding=_finding(plan, found),
        frames={"versus": _frame(found)},
        tables=(_table(found),),
        texts=(_gain_words(found), f"Everybody is {plan.standard.label}; the players are not tuned to either game."),
    )


def _finding(plan: BalancePlan, found: Sequence[Difference]) -> str:
    starters = [one for one in found if one.measure == STARTER]
    most = max(starters, key=lambda one: abs(one.difference.estimate))
    turns = max((one for one in found if one.measure == GAME_TURNS), key=lambda one: abs(one.difference.estimate))
    return (
        f"With {plan.versus} instead, the starter's wins per 100 games change by {_signed(most.difference)} with "
        f"{most.players} players, where they change most; games by {_signed(turns.difference)} turns with "
        f"{turns.players}."
    )


def _signed(interval: Interval) -> str:
    return f"{interval.estimate:+.2f} ({interval.low:+.2f} to {interval.high:+.2f})"


def _gain_words(found: Sequence[Difference]) -> str:
    gains = [one.gain for one in found if math.isfinite(one.gain)]
    if not gains:
        return "No game differs."
    if max(gains) < LITTLE:
        return (
            f"Both games use the same deal numbers, but another deck is another deal: common numbers are worth no more "
            f"than {max(gains):.2f} times the games."
        )
    return (
        f"Both games are played on the same deal numbers; for these differences that is worth {min(gains):.1f} to "
        f"{max(gains):.1f} times as many games."
    )


def _frame(found: Sequence[Difference]) -> pd.DataFrame:
    """Return one row per table size and measure: here, there, difference with bounds, pairing_gain, level."""
    rows = []
    for one in found:
        row: dict[str, Any] = {"players": one.players, "measure": one.measure.name, "unit": one.measure.unit}
        for name in ("here", "there", "difference"):
            row |= interval_columns(Measure(name, name, one.measure.unit), getattr(one, name))
        rows.append({**row, "pairing_gain": one.gain if math.isfinite(one.gain) else math.nan, "level": LEVEL})
    return pd.DataFrame(rows)


def _table(found: Sequence[Difference]) -> PageTable:
    rows = tuple(
        (
            one.measure.label,
            str(one.players),
            plus_minus(one.here),
            plus_minus(one.there),
            _signed(one.difference),
            f"{one.gain:.1f}" if math.isfinite(one.gain) else "no game differs",
        )
        for one in found
    )
    columns = ("what", "players", "here", "there", "difference", "worth so many times the games")
    return PageTable(columns, rows, 1, "versus.csv")
