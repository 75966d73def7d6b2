"""Who wins how often at one table, by position or by seat: shares with intervals, and tests that they are equal."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

import numpy as np
import pandas as pd
from numpy.typing import NDArray
from scipy.special import chdtrc

from reports.estimates.intervals import LEVEL, Interval, mean_from_sums, share_from_sums
from reports.estimates.measures import Measure, columns_of
from reports.simulation.summary import MATCH_WINS, SCORE, WINS
from simulate.escalation.kernel.win_shares import WIN
from simulate.experiment import Counts

ABOVE: Final = Measure("above_equal_share", "above an equal share", "wins per 100")


def weighted_wins(
    weights: NDArray[np.int64], sums: tuple[NDArray[np.int64], NDArray[np.int64]], units: int, whole: int = 1,
    level: float = LEVEL,
) -> Interval:  # fmt: skip
    """Estimate what everybody's wins per 100 units add up to if each is weighted.

    Parameters
    ----------
    weights
        Whole numbers; they are divided by `whole`.
    sums
        Wins, and products of two players' wins, summed over units.
    units, whole, level
        How many units; what the weights are parts of; the level of the interval.
    """
    wins, products = sums
    total, squares = int(weights @ wins), int(weights @ products @ weights)
    unseen = int(np.abs(weights).max()) * WIN  # one player has a whole win
    return mean_from_sums(total, squares, units, level, unseen=unseen).times(100 / (whole * WIN))


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


@dataclass(frozen=True)
class WinShares:
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


def shares_of(counts: Counts, who: str, *, match: bool, level: float, compared: slice = slice(None)) -> WinShares:
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
    if match:
        units, wins, products = counts["matches"], counts["match_wins"], counts["match_win_products"]
    else:
        units, wins, products = counts["games"], counts["wins"].sum(axis=0), counts["position_win_products"]
    wins, products, number, places = wins[compared], products[compared, compared], int(units[0]), len(wins[compared])
    shares = [
        share_from_sums(int(won), int(own), number, WIN, level).times(100)
        for won, own in zip(wins, np.diag(products), strict=True)
    ]
    # Each less the average of those compared, in whole numbers.
    less_average = places * np.eye(places, dtype=np.int64) - 1
    above = [weighted_wins(weights, (wins, products), number, places, level) for weights in less_average]
    return WinShares(
        players=len(counts["scores"]),
        who=who,
        units=number,
        wins=tuple(shares),
        above=tuple(above),
        scores=() if match else _scores(counts, level),
        p_value=equal_means_p(wins, products, number),
    )


def _scores(counts: Counts, level: float) -> tuple[Interval, ...]:
    squares, totals = np.diag(counts["position_score_products"]), counts["scores"].sum(axis=0)
    games = int(counts["games"][0])
    return tuple(mean_from_sums(int(t), int(s), games, level) for t, s in zip(totals, squares, strict=True))


def shares_frame(every: Iterable[WinShares], place_name: str) -> pd.DataFrame:
    """Return one row per table and place: players, strategy, place, units, wins, above, score, level."""
    rows: list[dict[str, object]] = []
    for shares in every:
        # Whoever is not compared sits first.
        first = shares.players - len(shares.wins)
        for place, (wins, above) in enumerate(zip(shares.wins, shares.above, strict=True)):
            row: dict[str, object] = {"players": shares.players, "strategy": shares.who, place_name: place + first}
            if shares.scores:
                numbers = {WINS: wins, ABOVE: above, SCORE: shares.scores[place]}
                row["games"] = shares.units
            else:
                numbers = {MATCH_WINS: wins, ABOVE: above}
                row["matches"] = shares.units
            rows.append({**row, **columns_of(numbers), "level": wins.level})
    return pd.DataFrame(rows)
