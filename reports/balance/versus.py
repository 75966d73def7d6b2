"""Two decks or two rulings side by side: differences deal by deal, and what the common deals really gained."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, Final

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from reports.balance.exhibits import Cell, estimated, page_table
from reports.balance.finding import Finding, Play, total
from reports.balance.plan import BalancePlan
from reports.balance.rosters import all_alike
from reports.estimates.intervals import LEVEL, mean_from_sums
from reports.estimates.joint import distance, greatest, greatest_named, level_of_each
from reports.estimates.measures import Measure, Row, bounds_columns, interval_from_row
from reports.output.words import with_bounds
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
LABELS: Final = {measure.name: measure.label for measure in MEASURES}
FAR: Final = 50
"""So many cards or turns a deal may differ by from one game to the other."""
_UNSEEN: Final = {STARTER: WIN, SHARED_WINS: 1}


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


def differences(counts: Counts, players: int, level: float) -> list[Row]:
    """Read every difference from the counts of two games.

    Parameters
    ----------
    counts
        What `TwoGames` counted.
    players
        At each table.
    level
        Of each difference, so high that all of them hold together.

    Returns
    -------
    list of dict
        One row per measure: players, measure, unit; the number here, there, and the difference (there less here, deal
        by deal), with bounds; pairing_gain, how many times the games would be needed without common deals (none if no
        game differs); level (of the numbers), level_of_all_differences_together.
    """
    games = int(counts["games"][0])
    rows = []
    for measure, (here, there, here_squared, there_squared, products) in zip(
        MEASURES, counts["sums"].tolist(), strict=True
    ):
        sums = {
            "here": (here, here_squared),
            "there": (there, there_squared),
            "difference": (there - here, here_squared + there_squared - 2 * products),
        }
        row: Row = {"players": players, "measure": measure.name, "unit": measure.unit}
        for name, (whole, squares) in sums.items():
            # Most deals may go alike in both games, and what differs in the rest may be rare.
            own_level, unseen = (level, _UNSEEN.get(measure, FAR)) if name == "difference" else (LEVEL, 0)
            interval = mean_from_sums(whole, squares, games, own_level, unseen=unseen)
            row |= bounds_columns(name, interval.times(_scale(measure, players)))
        own, other, apart = (games * squares - whole * whole for whole, squares in sums.values())
        gain = (own + other) / apart if apart else math.nan
        rows.append({**row, "pairing_gain": gain, "level": LEVEL, "level_of_all_differences_together": LEVEL})
    return rows


def measure_versus(plan: BalancePlan, play: Play) -> Finding:
    """Play both games on the same deal numbers at every table size and compare."""
    settings = [
        TwoGames(
            all_alike(plan.at(players), plan.standard),
            all_alike(replace(plan.other_rules, players=players), plan.standard),
        )
        for players in plan.player_counts
    ]
    played = play("versus", settings, plan.effort.blocks)
    level = level_of_each(len(MEASURES) * len(plan.player_counts))
    found = [
        row
        for players, blocks in zip(plan.player_counts, played, strict=True)
        for row in differences(total(blocks), players, level)
    ]
    return Finding(
        name="versus",
        title=f"Side by side: {plan.versus}",
        finding=_finding(plan, found),
        frames={"versus": pd.DataFrame(found)},
        tables=(page_table("versus", found, COLUMNS),),
        texts=(_gain_words(found), f"Everybody is {plan.standard.label}; the players are not tuned to either game."),
    )


def _finding(plan: BalancePlan, found: Sequence[Row]) -> str:
    starter, turns = (_most(found, measure) for measure in (STARTER, GAME_TURNS))
    return (
        f"With {plan.versus} instead, the starter's wins per 100 games change {starter}, and the turns of a game "
        f"{turns} ({LEVEL:.0%} for all differences together)."
    )


def _most(found: Sequence[Row], measure: Measure) -> str:
    """Say where a measure changes most, and by how much; or how much it may change at the most, if that is all."""
    rows = [row for row in found if row["measure"] == measure.name]
    changes = [distance(interval_from_row(row, "difference")) for row in rows]
    most = max(rows, key=lambda row: abs(row["difference"]))
    if not interval_from_row(most, "difference").excludes_zero:
        return f"by {greatest(changes).high:.2f} at the most, if at all"
    return (
        f"most with {greatest_named([row['players'] for row in rows], changes)} players, by {_change(most)} with "
        f"{most['players']}"
    )


def _change(row: Row) -> str:
    return with_bounds(interval_from_row(row, "difference"), 2)


def _gain_words(found: Sequence[Row]) -> str:
    gains = [row["pairing_gain"] for row in found if not math.isnan(row["pairing_gain"])]
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


COLUMNS: Final[dict[str, Cell]] = {
    "what": lambda row: LABELS[row["measure"]],
    "players": "{players}",
    "here": estimated("here"),
    "there": estimated("there"),
    "difference": _change,
    "worth so many times the games": lambda row: (
        "no game differs" if math.isnan(row["pairing_gain"]) else f"{row['pairing_gain']:.1f}"
    ),
}
