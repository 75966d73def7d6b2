"""Intervals from the spread over blocks: what a textbook's t interval of the blocks' means is, and as often right."""

from __future__ import annotations

import math
from functools import reduce

import numpy as np
import pytest
from scipy import stats

from reports.estimates.spread_over_blocks import FEWEST_BLOCKS, as_batch, mean_over_blocks
from reports.sweep.plan import SweepPlan, sweep
from reports.sweep.variation import read_variation
from simulate import Rules, Table
from simulate.blocks import add_counts
from simulate.escalation.state import TELEMETRY
from strategies.catalogue import strategy

GAMES = 100
TAKES = TELEMETRY.index("takes")


def block(of_seat):
    """Counts of a block in which the seats took so many piles, at one position each."""
    telemetry = np.zeros((len(of_seat), 1, len(TELEMETRY)), dtype=np.int64)
    telemetry[:, 0, TAKES] = of_seat
    return {"games": np.array([GAMES]), "telemetry": telemetry}


def summed(blocks):
    return reduce(add_counts, (as_batch(block(one)) for one in blocks))


@pytest.mark.parametrize("seats", [(0,), (1, 2), (0, 1, 2)])
def test_it_is_the_t_interval_of_the_means_of_the_blocks(seats):
    blocks = np.random.default_rng(5).integers(50, 150, size=(14, 3))
    means = blocks[:, list(seats)].mean(axis=1) / GAMES
    found = mean_over_blocks(summed(blocks), "takes", seats, 0.9)
    low, high = stats.t.interval(0.9, len(means) - 1, means.mean(), stats.sem(means))
    assert (found.estimate, found.low, found.high) == pytest.approx((means.mean(), low, high))
    assert "from the spread over blocks" in found.kind


def test_a_few_blocks_give_no_bounds():
    for number, known in ((FEWEST_BLOCKS - 1, False), (FEWEST_BLOCKS, True)):
        found = mean_over_blocks(summed([[100 + place, 50, 50] for place in range(number)]), "takes", [0])
        assert found.estimate == pytest.approx(1 + (number - 1) / 2 / GAMES)
        assert math.isfinite(found.low) == math.isfinite(found.high) == known


def test_the_intervals_of_real_games_cover_as_often_as_they_say():
    """120 small experiments of 10 blocks against the mean over all; 95% of them, 3 standard errors apart."""
    table = Table(Rules(players=2), (strategy("standard"), strategy("novice")))
    batches = [as_batch(table.play_deals(1, np.arange(start, start + 60))) for start in range(0, 60 * 1200, 60)]
    truth = mean_over_blocks(reduce(add_counts, batches), "takes", [0]).estimate
    found = [
        mean_over_blocks(reduce(add_counts, batches[first : first + 10]), "takes", [0])
        for first in range(0, len(batches), 10)
    ]
    covered = np.mean([one.low <= truth <= one.high for one in found])
    assert abs(covered - 0.95) <= 3 * math.sqrt(0.95 * 0.05 / len(found))


def test_a_sweep_has_them_for_what_was_asked_for():
    plan = SweepPlan(
        (read_variation("early_take=-1,3"),), (2,), Rules(), (strategy("standard"),), metrics=("takes", "wins")
    )
    few, enough = sweep(plan, 5040), sweep(plan, FEWEST_BLOCKS * 5040)
    assert few.settings["takes_per_game_low"].isna().all()
    assert few.as_data()["grid"][0]["takes_per_game_low"] is None
    rows = enough.settings
    assert (rows["takes_per_game_low"] < rows["takes_per_game"]).all()
    assert (rows["takes_per_game"] < rows["takes_per_game_high"]).all()
    assert rows["takes_per_game_low"][1] > rows["takes_per_game_high"][0]
    assert "passes_per_game_low" not in rows
