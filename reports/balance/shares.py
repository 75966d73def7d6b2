"""Who wins how often at one table, by position or by seat: shares with intervals, and tests that they are equal."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
import pandas as pd
from numpy.typing import NDArray
from scipy.special import chdtrc

from reports.estimates.intervals import Interval, mean_from_sums, share_from_sums
from reports.estimates.measures import Measure, interval_columns
from reports.simulation.summary import MATCH_WINS, SCORE, WINS
from simulate.escalation.kernel.win_shares import WIN
from simulate.experiment import Counts

ABOVE: Final = Measure("above_equal_share", "above an equal share", "wins per 100")


def equal_means_p(totals: NDArray[np.int64], products: NDArray[np.int64], units: int) -> float:
    """Return the p-value of the hypothesis that several numbers of a unit have the same mean (Wald's test).

    The numbers of one unit may depend on each other, and may add up to the same whole in every unit.

    Parameters
    ----------
    totals
        Sums over units, shape (numbers,).
    products
        Sums over units of the product of two numbers, shape (numbers, numbers).
    units
        How many independent units.
    """
    # In whole numbers of any size, so that what never varies shows no spread.
    sums, pairs = totals.astype(object), products.astype(object)
    to_last = np.eye(len(totals), dtype=object)[:-1] - np.eye(len(totals), dtype=object)[-1]
    gaps = to_last @ sums
    spread = (units * (to_last @ pairs @ to_last.T) - np.outer(gaps, gaps)).astype(np.float64) / units
    rank = int(np.linalg.matrix_rank(spread, hermitian=True))
    if rank == 0:
        return 0.0 if any(gaps) else 1.0
    apart = gaps.astype(np.float64)
    return float(chdtrc(rank, apart @ np.linalg.pinv(spread, hermitian=True) @ apart))


def at_once(p_values: Sequence[float]) -> list[float]:
    """Return p-values made so large that all tests together are wrong as rarely as one (Holm)."""
    order = np.argsort(p_values, kind="stable")
    adjusted, least = [0.0] * len(p_values), 0.0
    for place, number in enumerate(order):
        least = min(1.0, max(least, p_values[number] * (len(p_values) - place)))
        adjusted[number] = least
    return adjusted


def greatest_distance(intervals: Sequence[Interval]) -> Interval:
    """Return the interval of the greatest distance from 0, from intervals that hold all together."""
    least = max(max(0.0, one.low, -one.high) for one in intervals)
    most = max(max(abs(one.low), abs(one.high)) for one in intervals)
    return Interval(max(abs(one.estimate) for one in intervals), least, most)


@dataclass(frozen=True)
class Shares:
    """Who wins how often at one table, by position or by seat.

    Attributes
    ----------
    players
        How many there are.
    who
        Who plays, in words.
    units
        Games, or matches.
    wins
        Wins per 100, with intervals.
    above
        The same above an equal share.
    scores
        Penalty cards per game, by position; empty for matches.
    p_value
        Of the hypothesis that all win equally often, this table alone.
    """

    players: int
    who: str
    units: int
    wins: tuple[Interval, ...]
    above: tuple[Interval, ...]
    scores: tuple[Interval, ...]
    p_value: float


def shares_of(counts: Counts, who: str, *, match: bool, level: float, compared: slice = slice(None)) -> Shares:
    """Read who wins how often from the counts of a table.

    Parameters
    ----------
    counts
        As `simulate.Table` counts; seats are positions unless matches are asked for.
    who
        Who plays, in words.
    match
        Whether to look at matches by seat and not at games by position.
    level
        The level of each interval.
    compared
        The seats that are compared with each other.
    """
    units = int(counts["matches" if match else "games"][0])
    names = ("match_wins", "match_win_products") if match else ("wins", "position_win_products")
    wins = (counts[names[0]] if match else counts["wins"].sum(axis=0))[compared]
    products = counts[names[1]][compared, compared]
    own = [int(square) for square in np.diag(products)]
    shares = [share_from_sums(int(won), own[p], units, WIN, level).times(100) for p, won in enumerate(wins)]
    average = products.sum(axis=1)
    above = [_above(int(wins[p]), wins, products, average, units, level, p) for p in range(len(wins))]
    return Shares(
        len(counts["scores"]), who, units, tuple(shares), tuple(above), () if match else _scores(counts, level),
        equal_means_p(wins, products, units),
    )  # fmt: skip


def _above(
    won: int,
    wins: NDArray[np.int64],
    products: NDArray[np.int64],
    average: NDArray[np.int64],
    units: int,
    level: float,
    place: int,
) -> Interval:
    """Return by how much one wins more than the average of those compared, per 100, from sums of whole numbers."""
    count = len(wins)
    gap = count * won - int(wins.sum())
    squares = count * count * int(products[place, place]) - 2 * count * int(average[place]) + int(products.sum())
    return mean_from_sums(gap, squares, units, level).times(100 / (count * WIN))


def _scores(counts: Counts, level: float) -> tuple[Interval, ...]:
    squares = np.diag(counts["position_score_products"])
    games = int(counts["games"][0])
    totals = counts["scores"].sum(axis=0)
    return tuple(mean_from_sums(int(t), int(s), games, level) for t, s in zip(totals, squares, strict=True))


def shares_frame(shares: Iterable[Shares], place_name: str) -> pd.DataFrame:
    """Return one row per table and place: players, strategy, place, units, wins, above, score, level."""
    rows: list[dict[str, Any]] = []
    for one in shares:
        first = one.players - len(one.wins)
        for place, (wins, above) in enumerate(zip(one.wins, one.above, strict=True)):
            measure = WINS if one.scores else MATCH_WINS
            row: dict[str, Any] = {"players": one.players, "strategy": one.who, place_name: place + first}
            row |= {"games" if one.scores else "matches": one.units}
            row |= interval_columns(measure, wins) | interval_columns(ABOVE, above)
            row |= interval_columns(SCORE, one.scores[place]) if one.scores else {}
            rows.append({**row, "level": wins.level})
    return pd.DataFrame(rows)
