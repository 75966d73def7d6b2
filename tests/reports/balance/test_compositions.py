"""Tables of two strategies: which are played, gaps from single games, and what is said of them."""

from __future__ import annotations

import math

import numpy as np
import pandas as pd
import pytest

from reports.balance.compositions import (
    GAP,
    MOST,
    composition_sentence,
    compositions_of,
    gap_between,
    measure_compositions,
)
from reports.balance.plan import BalancePlan, Effort
from reports.estimates.intervals import Interval
from reports.estimates.measures import bounds_columns
from simulate import Rules
from strategies.catalogue import strategy
from strategies.strategy import Strategy
from tests.reports.balance.raw_games import win_shares

POPULATION = tuple(strategy(name) for name in ("standard", "minimal", "novice"))
PLAN = BalancePlan(Rules(players=3), (3,), effort=Effort("quick", 1, 1, 1), population=POPULATION)


def test_gaps_between_seats_come_from_single_games(play):
    standard, _, novice = POPULATION
    at_seat = win_shares((standard, standard, novice), np.arange(5040), "every")
    gaps = 100 * (at_seat[:, :2].mean(axis=1) - at_seat[:, 2])
    frame = measure_compositions(PLAN, play).set_index(["first", "second", "seats_of_first"])
    row = frame.loc["standard", "novice", 2]
    assert row["gap_in_wins_per_100_games"] == pytest.approx(gaps.mean(), abs=1e-9)
    # Six tables of two strategies: 5% divided among them, two-sided, is 2.638 standard errors.
    reach = row["gap_in_wins_per_100_games_high"] - gaps.mean()
    assert reach == pytest.approx(2.638 * gaps.std(ddof=1) / math.sqrt(5040), rel=1e-3)
    assert row["first_wins_per_100_games"] == pytest.approx(100 * at_seat[:, :2].mean(), abs=1e-9)


def test_every_table_of_two_strategies_is_played_or_a_balanced_sample():
    few = compositions_of(POPULATION, 4)
    assert len(few) == len(set(few)) == 9
    many = [Strategy(f"s{place}", strategy("minimal").values) for place in range(11)]
    for most in (MOST, 60):
        sample = compositions_of(many, 6, most)
        assert len(sample) == len(set(sample)) <= most
        assert all(len(set(seats)) == 2 for seats in sample)
        pairs = {frozenset(seats) for seats in sample}
        met = [sum(one in pair for pair in pairs) for one in many]
        assert len(set(met)) == 1
        assert len(sample) == 5 * len(pairs)


def test_a_gap_of_seats_without_spread_keeps_a_width():
    counts = {
        "scores": np.zeros((2, 2), dtype=np.int64),
        "wins": np.array([[2520 * 10, 0], [0, 0]]),
        "win_products": np.array([[2520**2 * 10, 0], [0, 0]]),
        "games": np.array([10]),
    }
    gap = gap_between(counts, 1, 0.95)
    assert gap.estimate == 100
    assert gap.low < 100 < gap.high


def test_it_depends_on_their_number_only_if_both_are_surely_better_somewhere():
    def frame(*gaps):
        rows = [("a", "b", low, high) for low, high in gaps] + [("a", "c", 1, 3), ("a", "c", 2, 4)]
        return pd.DataFrame(
            {"first": first, "second": second, **bounds_columns(GAP, Interval((low + high) / 2, low, high))}
            for first, second, low, high in rows
        )

    assert composition_sentence(frame((1, 2), (-1, 1))) == (
        "In 1 of 2 pairs the same strategy surely does better however many players play it (95% for all together); in "
        "no pair does it surely depend on their number."
    )
    assert composition_sentence(frame((-4, -2), (-3, -1))).startswith("In 2 of 2 pairs")
    assert composition_sentence(frame((1, 2), (-3, -1))).endswith("; it depends on their number for a and b.")
