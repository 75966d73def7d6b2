"""Tables of two strategies in every proportion: whether it matters how many play like oneself."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations
from typing import Final

import numpy as np
import pandas as pd

from reports.balance.finding import Play, total
from reports.balance.plan import QUICK, BalancePlan
from reports.balance.shares import weighted_wins
from reports.estimates.intervals import LEVEL, Interval
from reports.estimates.joint import level_of_each
from reports.estimates.measures import Row, bounds_columns, interval_from_row, rows_of
from reports.simulation.summary import WINS, summarise_table
from simulate import Table
from simulate.experiment import Counts
from strategies.strategy import Strategy

PART: Final = "compositions"
GAP: Final = "gap_in_wins_per_100_games"
MOST: Final = 120
QUICK_MOST: Final = 30
"""More tables than so many are not played: a balanced sample is; in a quick report, one of fewer."""


def compositions_of(strategies: Sequence[Strategy], players: int, most: int = MOST) -> list[tuple[Strategy, ...]]:
    """Return every table of two strategies, or a balanced sample: every strategy meets equally many others.

    The pairs of a sample join each strategy with those that follow it in the list at certain distances, all around.
    """
    size, proportions = len(strategies), range(1, players)
    pairs = list(combinations(range(size), 2))
    if len(pairs) * len(proportions) > most:
        distances = range(1, 1 + max(1, most // (size * len(proportions))))
        around = [sorted((place, (place + far) % size)) for far in distances for place in range(size)]
        pairs = sorted({(first, second) for first, second in around})
    return [
        (strategies[first],) * seats + (strategies[second],) * (players - seats)
        for first, second in pairs
        for seats in proportions
    ]


def gap_between(counts: Counts, seats: int, level: float) -> Interval:
    """Return what a player of the first seats wins more than one of the others, per 100 games."""
    others = len(counts["scores"]) - seats
    weights = np.array([others] * seats + [-seats] * others, dtype=np.int64)
    sums = counts["wins"].sum(axis=1), counts["win_products"]
    return weighted_wins(weights, sums, int(counts["games"][0]), seats * others, level)


def measure_compositions(plan: BalancePlan, play: Play) -> pd.DataFrame:
    """Play every table of two strategies.

    Returns
    -------
    pandas.DataFrame
        One row per table: both strategies, how many play the first, games, wins of a player of each (every interval
        for itself), and the gap between them (all gaps hold together), with bounds.
    """
    tables = compositions_of(plan.population, plan.rules.players, QUICK_MOST if plan.effort == QUICK else MOST)
    settings = [Table(plan.rules, seats) for seats in tables]
    played = play(PART, settings, max(1, plan.effort.blocks // 2))
    level = level_of_each(len(tables))
    return pd.DataFrame(_row(total(blocks), seats, level) for blocks, seats in zip(played, tables, strict=True))


def _row(counts: Counts, seats: Sequence[Strategy], level: float) -> Row:
    first, second = summarise_table(counts, seats, match=False)
    own = sum(seat == seats[0] for seat in seats)
    return {
        "first": seats[0].label,
        "second": seats[-1].label,
        "seats_of_first": own,
        "games": int(counts["games"][0]),
        **bounds_columns("first_wins_per_100_games", first.outcomes[WINS]),
        **bounds_columns("second_wins_per_100_games", second.outcomes[WINS]),
        **bounds_columns(GAP, gap_between(counts, own, level)),
        "level_of_wins": LEVEL,
        "level_of_all_gaps_together": LEVEL,
    }


def composition_sentence(frame: pd.DataFrame) -> str:
    """Say whether the better of two strategies depends on how many play them."""
    gaps: dict[str, list[Interval]] = {}
    for row in rows_of(frame):
        gaps.setdefault(f"{row['first']} and {row['second']}", []).append(interval_from_row(row, GAP))
    ahead = {pair: (_surely(own), _surely([-gap for gap in own])) for pair, own in gaps.items()}
    same = [pair for pair, counts in ahead.items() if len(gaps[pair]) in counts]
    turned = [pair for pair, counts in ahead.items() if all(counts)]
    text = (
        f"In {len(same)} of {len(gaps)} pairs the same strategy surely does better however many players play it "
        f"({LEVEL:.0%} for all together)"
    )
    if not turned:
        return f"{text}; in no pair does it surely depend on their number."
    return f"{text}; it depends on their number for {', '.join(turned)}."


def _surely(gaps: Sequence[Interval]) -> int:
    """Count the gaps that are surely positive."""
    return sum(gap.low > 0 for gap in gaps)
