"""Intervals: against theory, and against the same numbers recomputed from single games."""

from __future__ import annotations

import math

import numpy as np
import pytest
from scipy.stats import binom

from reports.estimates.betting import Watched, planned_interval
from reports.estimates.intervals import (
    FIXED,
    LEVEL,
    PLANNED,
    Interval,
    fixed,
    interval_data,
    jointly,
    mean_from_sums,
    mean_of,
    mean_of_histogram,
    mean_over_seats,
    normal_interval,
    reach_of,
    share_from_sums,
    share_over_seats,
)


def interval_from_games(values: np.ndarray, quantile: float = 1.959963984540054) -> tuple[float, float, float]:
    """The textbook way, from one number per game."""
    error = values.std(ddof=1) / math.sqrt(len(values))
    return values.mean(), values.mean() - quantile * error, values.mean() + quantile * error


def share_of(count: int, units: int) -> Interval:
    return share_from_sums(count, count, units)


def as_tuple(interval: Interval) -> tuple[float, float, float]:
    return interval.estimate, interval.low, interval.high


def test_a_normal_interval_reaches_the_normal_quantiles():
    interval = normal_interval(10.0, 2.0)
    assert as_tuple(interval) == pytest.approx((10.0, 10.0 - 2 * 1.959963984540054, 10.0 + 2 * 1.959963984540054))
    assert normal_interval(0.0, 1.0, level=0.99).high == pytest.approx(2.5758293035489004)


def test_an_interval_says_its_level_and_its_kind():
    interval = normal_interval(0.0, 1.0)
    assert (interval.level, interval.kind) == (LEVEL, PLANNED)
    assert "planned number of games" in interval.times(100).kind
    assert interval.times(100).half_width == pytest.approx(100 * interval.half_width)


def test_an_average_keeps_the_guarantee_of_its_parts():
    mean = mean_of([Interval(1.0, 0.0, 3.0, 0.95, "joint"), Interval(2.0, 1.0, 5.0, 0.95, "joint")], 0.9)
    assert mean == Interval(1.5, 0.5, 4.0, 0.9, "joint")


def test_an_interval_is_turned_round_scaled_and_cut():
    interval = Interval(1.0, -1.0, 4.0, 0.9, "some")
    assert -interval == Interval(-1.0, -4.0, 1.0, 0.9, "some")
    assert interval.times(3) == Interval(3.0, -3.0, 12.0, 0.9, "some")
    assert interval.within(0, 3) == Interval(1.0, 0.0, 3.0, 0.9, "some")
    assert Interval.around(5.0, 2.0, 0.9, "some") == Interval(5.0, 3.0, 7.0, 0.9, "some")


@pytest.mark.parametrize(("low", "high", "apart"), [(0.1, 2, True), (-2, -0.1, True), (-1, 1, False), (0, 1, False)])
def test_an_interval_excludes_zero_when_it_lies_on_one_side(low: float, high: float, apart: bool):
    assert Interval((low + high) / 2, low, high).excludes_zero == apart


def test_a_mean_from_sums_is_the_mean_from_single_numbers():
    values = np.random.default_rng(1).integers(-50, 50, size=1000)
    interval = mean_from_sums(int(values.sum()), int((values**2).sum()), len(values))
    assert as_tuple(interval) == pytest.approx(interval_from_games(values))


def test_a_small_spread_beside_a_large_mean_is_not_lost():
    values = [10**9, 10**9 + 1] * 500
    interval = mean_from_sums(sum(values), sum(v * v for v in values), len(values))
    assert interval.half_width == pytest.approx(1.959963984540054 * 0.5 / math.sqrt(999))


def test_one_unit_says_nothing_about_the_spread():
    interval = mean_from_sums(3, 9, 1)
    assert interval.estimate == 3
    assert (interval.low, interval.high) == (-math.inf, math.inf)


@pytest.mark.parametrize("seats", [[0], [1, 2]])
def test_the_mean_over_seats_adds_up_within_each_game(seats: list[int]):
    # Three seats that share twelve points: what one has, another lacks.
    games = np.random.default_rng(2).multinomial(12, [0.5, 0.3, 0.2], size=2000)
    interval = mean_over_seats(games.sum(axis=0), games.T @ games, len(games), seats)
    assert as_tuple(interval) == pytest.approx(interval_from_games(games[:, seats].mean(axis=1)))


def test_what_all_seats_share_is_fixed_and_has_no_interval():
    games = np.random.default_rng(3).multinomial(1, [0.25] * 4, size=500)
    interval = share_over_seats(games.sum(axis=0), games.T @ games, len(games), range(4), most=1)
    assert (interval.estimate, interval.kind) == (0.25, FIXED)
    assert np.isnan([interval.low, interval.high, interval.level, interval.half_width]).all()
    nothing = dict.fromkeys(("low", "high", "level"))
    assert interval_data(interval.times(100)) == {"estimate": 25.0, **nothing, "kind": FIXED}


def test_the_mean_of_a_histogram_is_the_mean_of_what_was_counted():
    values = np.random.default_rng(4).poisson(5, size=3000)
    assert as_tuple(mean_of_histogram(np.bincount(values))) == pytest.approx(interval_from_games(values))


def test_a_share_has_wilsons_interval():
    interval = share_of(300, 1000)
    # The bounds are the shares from which 0.3 is 1.96 standard errors away, each with its own standard error.
    for bound in (interval.low, interval.high):
        assert abs(0.3 - bound) == pytest.approx(1.959963984540054 * math.sqrt(bound * (1 - bound) / 1000))
    assert interval.estimate == pytest.approx(0.3)


def test_what_never_happened_may_still_happen():
    never, always = share_of(0, 5040), share_of(5040, 5040)
    assert (never.estimate, never.low) == (0.0, 0.0)
    assert (always.estimate, always.high) == (1.0, 1.0)
    # With a true share of 3.84/5040 nothing at all happens in one of 47 experiments: less often than the level allows.
    assert never.high == pytest.approx(1 - always.low) == pytest.approx(3.8415 / 5040, rel=1e-3)


def test_shared_wins_count_as_many_units_as_their_variance_says():
    # Half of the time: a quarter of the variance of whole wins.
    values = np.random.default_rng(6).choice([630, 1890], size=4000)
    interval = share_from_sums(int(values.sum()), int((values**2).sum()), 4000, most=2520)
    assert as_tuple(interval) == pytest.approx(interval_from_games(values / 2520), abs=2e-5)


UNITS = 10_080
RATES = [0.05, 0.17, 0.3, 0.5, 0.8, 1.0, 1.5, 2.0, 3.0, 3.8, 4.5, 6.0, 9.0, 15.0, 40.0]
RARE = {
    "a share": (lambda k: share_from_sums(k, k, UNITS), 1.0),
    "a share that is nearly always": (lambda k: share_from_sums(UNITS - k, UNITS - k, UNITS), -1.0),
    "always shared but for a few": (
        lambda k: share_from_sums(UNITS + k, UNITS + 3 * k, UNITS, most=2).times(2), 1.0
    ),
    "a change that seldom shows": (lambda k: mean_from_sums(50 * k, 2500 * k, UNITS, unseen=50), 50.0),
    "the same, watched to the end": (
        lambda k: planned_interval(Watched.from_histogram([0, 0, UNITS - k, 0, k], -50.0, 50.0)), 50.0
    ),
    "a number that seldom is another": (lambda k: mean_from_sums(k, k, UNITS, unseen=1), 1.0),
}  # fmt: skip


@pytest.mark.parametrize("rate", RATES)
@pytest.mark.parametrize("kind", RARE)
def test_what_happens_seldom_is_covered_as_often_as_promised(kind, rate):
    """Exactly: the probability of every number of rare events, and whether the interval then holds the truth."""
    interval_of, size = RARE[kind]
    none = interval_of(0).estimate
    covered = 0.0
    for times in range(120):
        interval, truth = interval_of(times), none + size * rate / UNITS
        covered += float(binom.pmf(times, UNITS, rate / UNITS)) * (interval.low <= truth <= interval.high)
    assert covered >= 0.93


def test_what_was_the_same_in_every_unit_keeps_a_width():
    assert mean_from_sums(5 * 900, 25 * 900, 900).half_width == pytest.approx(1.96 * math.sqrt(2 / 899 / 900), rel=1e-4)


def test_games_of_a_match_may_depend_on_each_other_completely():
    values = np.random.default_rng(7).integers(0, 50, size=500)
    copied = np.repeat(values, 4)
    interval = mean_from_sums(int(copied.sum()), int((copied**2).sum()), 2000, dependent=4)
    assert as_tuple(interval) == pytest.approx(interval_from_games(values), rel=1e-3)
    won = int((values < 20).sum())
    assert as_tuple(share_from_sums(4 * won, 4 * won, 2000, dependent=4)) == pytest.approx(as_tuple(share_of(won, 500)))


@pytest.mark.parametrize("share", [0.002, 0.3])
def test_intervals_cover_the_truth_as_often_as_they_say(share: float):
    # 2,000 experiments of 5,000 games. With so few wins as in the first case, textbook intervals cover less often.
    wins = np.random.default_rng(5).binomial(5000, share, size=2000)
    covered = sum(interval.low <= share <= interval.high for interval in (share_of(int(w), 5000) for w in wins))
    error = math.sqrt(0.95 * 0.05 / 2000)
    assert covered / 2000 == pytest.approx(0.95, abs=4 * error)


def test_rows_from_few_blocks_hold_together_as_often_as_one_of_them():
    blocks, rows, trials = 10, 60, 4000
    values = np.random.default_rng(4).normal(size=(trials, blocks, rows))
    off = np.abs(values.mean(axis=1)) / (values.std(axis=1, ddof=1) / math.sqrt(blocks))
    own = reach_of(0.95, blocks - 1)
    held = {freedom: np.mean((off <= own * jointly(rows, freedom)).all(axis=1)) for freedom in (blocks - 1, math.inf)}
    # Rows are independent here, so that all hold with this probability.
    assert held[blocks - 1] == pytest.approx((1 - 0.05 / rows) ** rows, abs=3 * math.sqrt(0.05 * 0.95 / trials))
    assert held[math.inf] < 0.85, "normal factors on intervals by Student's t would mislead"


@pytest.mark.parametrize(("freedom", "reach"), [(1, 12.7062), (9, 2.2622), (100, 1.9840), (math.inf, 1.9600)])
def test_an_interval_reaches_as_far_as_tables_of_students_t_say(freedom, reach):
    assert reach_of(0.95, freedom) == pytest.approx(reach, abs=5e-5)


def test_numbers_without_bounds_are_equal_if_they_are_alike():
    assert fixed(25) == fixed(25)
    assert hash(fixed(25)) == hash(fixed(25))
    assert fixed(25) != fixed(26)
    assert fixed(25) != Interval(25, 24, 26)
    assert Interval(25, 24, 26) != 25
