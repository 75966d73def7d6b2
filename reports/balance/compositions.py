"""Tables of two strategies in every proportion: whether it matters how many play like oneself."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Final

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from reports.balance.finding import Play, total
from reports.balance.plan import QUICK, BalancePlan
from reports.estimates.intervals import LEVEL, Interval, mean_from_sums
from reports.simulation.summary import summarise_table
from simulate import Table
from simulate.escalation.kernel.win_shares import WIN
from simulate.experiment import Counts
from strategies.strategy import Strategy

PART: Final = "compositions"
MOST: Final = 120
QUICK_MOST: Final = 30
"""More tables than so many are not played: a balanced sample is; in a quick report, one of fewer."""


@dataclass(frozen=True)
class Composition:
    """A table of two strategies.

    Attributes
    ----------
    first, second
        The strategies.
    seats
        How many play the first.
    games
        Games played, with seats drawn for each.
    first_wins, second_wins
        Wins per 100 games of a player of each, each interval for itself.
    gap
        The former less the latter; the gaps of all compositions hold together.
    """

    first: str
    second: str
    seats: int
    games: int
    first_wins: Interval
    second_wins: Interval
    gap: Interval


def compositions_of(strategies: Sequence[Strategy], players: int, most: int = MOST) -> list[tuple[Strategy, ...]]:
    """Return every table of two strategies, or a balanced sample: every strategy meets equally many others.

    The pairs of a sample join each strategy with those that follow it in the list at certain distances, all around.
    """
    pairs = list(combinations(range(len(strategies)), 2))
    proportions = range(1, players)
    if len(pairs) * len(proportions) > most:
        size = len(strategies)
        distances = range(1, 1 + max(1, most // (size * len(proportions))))
        pairs = sorted({tuple(sorted((one, (one + far) % size))) for far in distances for one in range(size)})  # type: ignore[misc]
    return [
        (strategies[one],) * seats + (strategies[other],) * (players - seats)
        for one, other in pairs
        for seats in proportions
    ]


def gap_between(counts: Counts, seats: int, level: float) -> Interval:
    """Return what a player of the first seats wins more than one of the others, per 100 games."""
    players = len(counts["scores"])
    weights: NDArray[np.int64] = np.where(np.arange(players) < seats, players - seats, -seats)
    difference = int(weights @ counts["wins"].sum(axis=1))
    squares = int(weights @ counts["win_products"] @ weights)
    unit = 100 / (WIN * seats * (players - seats))
    return mean_from_sums(difference, squares, int(counts["games"][0]), level).times(unit)


def measure_compositions(plan: BalancePlan, play: Play) -> list[Composition]:
    """Play every table of two strategies."""
    most = QUICK_MOST if plan.effort == QUICK else MOST
    tables = compositions_of(plan.population, plan.rules.players, most)
    settings = [Table(plan.rules, seats, "shuffle") for seats in tables]
    played = play(PART, settings, max(1, plan.effort.blocks // 2))
    level = 1 - (1 - LEVEL) / len(tables)
    return [_composition(total(blocks), seats, level) for blocks, seats in zip(played, tables, strict=True)]


def _composition(counts: Counts, seats: Sequence[Strategy], level: float) -> Composition:
    first, second = (one.outcomes for one in summarise_table(counts, seats, match=False))
    (measure, wins), *_ = first.items()
    own = sum(seat == seats[0] for seat in seats)
    gap = gap_between(counts, own, level)
    return Composition(seats[0].label, seats[-1].label, own, int(counts["games"][0]), wins, second[measure], gap)


def composition_frame(compositions: Sequence[Composition]) -> pd.DataFrame:
    """Return one row per table: both strategies, how many of each, their wins, and the gap, with bounds."""
    rows = []
    for one in compositions:
        row: dict[str, object] = {"first": one.first, "second": one.second, "seats_of_first": one.seats}
        row["games"] = one.games
        numbers = {"first_wins": one.first_wins, "second_wins": one.second_wins, "gap_in_wins": one.gap}
        for name, interval in numbers.items():
            row |= {
                f"{name}_per_100_games": interval.estimate,
                f"{name}_per_100_games_low": interval.low,
                f"{name}_per_100_games_high": interval.high,
            }
        rows.append({**row, "level_of_wins": LEVEL, "level_of_all_gaps_together": LEVEL})
    return pd.DataFrame(rows)


def composition_sentence(compositions: Sequence[Composition]) -> str:
    """Say whether the better of two strategies depends on how many play them."""
    pairs = dict.fromkeys((one.first, one.second) for one in compositions)
    gaps = {pair: [one.gap for one in compositions if (one.first, one.second) == pair] for pair in pairs}
    same = [pair for pair, own in gaps.items() if all(g.low > 0 for g in own) or all(g.high < 0 for g in own)]
    turned = [pair for pair, own in gaps.items() if any(g.low > 0 for g in own) and any(g.high < 0 for g in own)]
    text = (
        f"In {len(same)} of {len(pairs)} pairs the same strategy surely does better however many players play it "
        f"({LEVEL:.0%} for all together)"
    )
    if not turned:
        return f"{text}; in no pair does it surely depend on their number."
    return f"{text}; it depends on their number for {', '.join(f'{one} and {other}' for one, other in turned)}."
