"""Intervals that may be watched: what theory promises, on synthetic units with known means."""

from __future__ import annotations

import math

import numpy as np
import pytest
from scipy.optimize import brentq
from scipy.stats import binom, norm

from reports.estimates.betting import (
    SHARES_OF_STAKES,
    STAKES,
    WATCHED,
    Watched,
    discoveries,
    evidence,
    intersection,
    log_capital,
    simultaneous,
    units_needed,
    watched_interval,
    watched_mean,
)
from reports.estimates.intervals import Interval, normal_interval

ALPHA = 0.05
FEW = np.array([-1.0, -0.25, 0.0, 0.25, 1.0])
FAIR = np.array([0.01, 0.02, 0.94, 0.02, 0.01])
"""Most deals are not changed at all; the mean is 0."""
SKEWED = np.array([0.002, 0.0, 0.96, 0.036, 0.002])
"""Often a small gain, never a small loss; the mean is 0.009."""


def looks(chances, runs, blocks, per_block, seed):
    """Cumulative histograms over FEW, shape (runs, blocks, 5)."""
    drawn = np.random.default_rng(seed).multinomial(per_block, chances, size=(runs, blocks))
    return drawn.cumsum(axis=1)


def watched(counts):
    return Watched((FEW + 1) / 2, np.asarray(counts, dtype=np.float64), -1.0, 1.0)


def beyond(interval, mean):
    return interval.low > mean or interval.high < mean


def at_most(rate, runs):
    """The greatest number of mistakes that three standard errors above the promised rate allow."""
    return runs * rate + 3 * math.sqrt(runs * rate * (1 - rate))


@pytest.mark.parametrize("chances", [FAIR, SKEWED], ids=["fair", "skewed"])
def test_the_true_mean_is_excluded_at_any_look_in_at_most_alpha_of_all_runs(chances):
    mean, runs = float(chances @ FEW), 400
    wrong = planned_wrong = 0
    for run in looks(chances, runs, blocks=40, per_block=500, seed=1):
        wrong += any(evidence_excludes(watched(counts), mean) for counts in run)
        planned_wrong += any(
            beyond(normal_interval(one.mean, one.spread / math.sqrt(one.units)), mean) for one in map(watched, run)
        )
    assert wrong <= at_most(ALPHA, runs)
    # The same looks at an interval for a planned number of games are wrong far more often: the test can tell.
    assert planned_wrong > at_most(ALPHA, runs)


def evidence_excludes(one, mean):
    """Whether the mean is outside the interval, by the capital itself."""
    share = (mean + 1) / 2
    up = log_capital(one.values, one.counts, share)
    down = log_capital(1 - one.values, one.counts, 1 - share)
    return max(up, down) > math.log(2 / ALPHA)


def test_the_interval_ends_where_the_capital_reaches_its_threshold():
    one = watched(looks(SKEWED, 1, 1, 5000, seed=2)[0, 0])
    interval = watched_interval(one, ALPHA)
    for mean in (interval.low, interval.high):
        assert not evidence_excludes(one, mean + (1e-7 if mean == interval.low else -1e-7))
        assert evidence_excludes(one, mean - (1e-7 if mean == interval.low else -1e-7))
    assert interval.kind == WATCHED
    assert interval.low < one.mean < interval.high


def test_the_capital_is_an_average_over_stakes_of_products_of_bets():
    numbers, mean = [0.0, 0.5, 0.5, 1.0, 0.25], 0.3
    products = [math.prod(1 + stake / mean * (number - mean) for number in numbers) for stake in STAKES]
    values, counts = np.unique(numbers, return_counts=True)
    assert math.exp(log_capital(values, counts.astype(float), mean)) == pytest.approx(SHARES_OF_STAKES @ products)
    assert SHARES_OF_STAKES.sum() == pytest.approx(1)


def test_coverage_holds_at_a_time_chosen_by_the_data():
    """Stop when the sample mean looks best: the worst that a hopeful player can do."""
    runs, blocks = 300, 30
    missed = 0
    for run in looks(FAIR, runs, blocks, 400, seed=3):
        everything = [watched(counts) for counts in run]
        chosen = max(everything, key=lambda one: one.mean * math.sqrt(one.units) / one.spread)
        missed += beyond(watched_interval(chosen, ALPHA), 0.0)
    assert missed <= at_most(ALPHA, runs)


def test_each_direction_is_wrong_in_at_most_half_of_alpha():
    runs, mean = 400, float(SKEWED @ FEW)
    above = 0
    for run in looks(SKEWED, runs, 30, 400, seed=4):
        above += any(
            log_capital(one.values, one.counts, (mean + 1) / 2) > math.log(2 / ALPHA) for one in map(watched, run)
        )
    assert above <= at_most(ALPHA / 2, runs)


@pytest.mark.parametrize("spread", [0.006, 0.02, 0.1, 0.3])
def test_the_price_of_watching_at_100_000_deals_is_below_1_9(spread):
    """Spread as a share of the range. If a deal is changed, one of four positions wins or loses it, or all four."""
    jump = 0.125 if spread < 0.1 else 0.5
    changed = (spread / jump) ** 2
    counts = 100_000 * np.array([changed / 2, 1 - changed, changed / 2])
    one = Watched(np.array([0.5 - jump, 0.5, 0.5 + jump]), counts, -1.0, 1.0)
    assert one.spread / 2 == pytest.approx(spread)
    planned = normal_interval(one.mean, one.spread / math.sqrt(one.units), 1 - ALPHA)
    assert watched_interval(one, ALPHA).half_width <= 1.9 * planned.half_width


def test_no_difference_at_all_still_leaves_a_bound():
    histogram = np.zeros(97, dtype=np.int64)
    histogram[48] = 100_800
    interval = watched_interval(Watched.from_histogram(histogram, -4.0, 4.0), ALPHA)
    assert interval.estimate == 0
    assert interval.low == pytest.approx(-interval.high)
    # The greatest stake alone, at 1/12 of the capital: (1 + .99 (.5 / m - 1)) ** n / 12 = 40 gives the bound.
    bound = 8 * (0.5 / ((math.exp(math.log(480) / 100_800) - 1) / 0.99 + 1) - 0.5)
    assert interval.low == pytest.approx(bound, rel=0.02)


@pytest.mark.parametrize(("place", "end"), [(0, -4.0), (96, 4.0)])
def test_units_that_are_all_at_an_end_of_the_range_keep_that_end(place, end):
    histogram = np.zeros(97, dtype=np.int64)
    histogram[place] = 1000
    interval = watched_interval(Watched.from_histogram(histogram, -4.0, 4.0), ALPHA)
    assert abs(interval.estimate) == 4
    assert interval.low == -4.0 if end < 0 else interval.high == 4.0
    assert 3.8 < max(abs(interval.low), abs(interval.high)) <= 4
    assert 0 < interval.high - interval.low < 0.2


def test_without_units_the_interval_is_the_whole_range():
    interval = watched_interval(Watched.from_histogram(np.zeros(5), -1.0, 1.0), ALPHA)
    assert (interval.low, interval.high) == (-1.0, 1.0)


def test_one_unit_among_a_million_is_no_proof_of_anything():
    histogram = np.zeros(3, dtype=np.int64)
    histogram[[0, 2]] = 1_000_000, 1
    interval = watched_interval(Watched.from_histogram(histogram, 0.0, 1.0), ALPHA)
    assert 0 <= interval.low < 1e-9
    assert 1e-6 < interval.high < 2e-5


def test_looks_in_a_row_are_intersected():
    first, second = Interval(0.1, 0.0, 0.2, 0.95, WATCHED), Interval(0.15, 0.05, 0.3, 0.95, WATCHED)
    assert intersection(first, second) == Interval(0.15, 0.05, 0.2, 0.95, WATCHED)
    apart = Interval(0.5, 0.4, 0.6, 0.95, WATCHED)
    assert intersection(first, apart) == Interval(0.5, 0.0, 0.2, 0.95, WATCHED)


def test_an_e_value_is_at_most_1_on_average_under_the_null():
    """Exactly, by enumerating every outcome of 8 units."""
    chance, units = 0.3, 8
    total = 0.0
    for wins in range(units + 1):
        one = Watched(np.array([0.0, 1.0]), np.array([units - wins, wins], dtype=float), 0.0, 1.0)
        total += binom.pmf(wins, units, chance) * evidence(one, chance)
    assert total == pytest.approx(1)


def test_discoveries_follow_the_definition_of_e_bh():
    # At rate 0.2 of 5: the k-th greatest must be at least 5 / (0.2 k) = 25 / k.
    assert discoveries([9.0, 30.0, 1.0, 8.5, 0.1], 0.2).tolist() == [True, True, False, True, False]
    assert discoveries([24.0, 12.0, 1.0, 1.0, 1.0], 0.2).tolist() == [False] * 5
    assert discoveries([], 0.2).tolist() == []


def test_false_discoveries_stay_below_the_stated_rate():
    """Sixteen comparisons, four of them real, all stopped at a random look."""
    rng = np.random.default_rng(6)
    runs, rate = 150, 0.1
    shifted = np.array([0.01, 0.02, 0.74, 0.22, 0.01])
    false, found = [], 0
    for _ in range(runs):
        units = int(rng.integers(200, 2000))
        values = [evidence(watched(rng.multinomial(units, shifted if k < 4 else FAIR)), 0.0) for k in range(16)]
        chosen = discoveries(values, rate)
        false.append(chosen[4:].sum() / max(1, chosen.sum()))
        found += int(chosen[:4].sum())
    assert np.mean(false) <= rate
    assert found > 0.9 * 4 * runs


def test_simultaneous_intervals_split_alpha_evenly():
    one, other = (watched(counts) for counts in looks(FAIR, 2, 1, 3000, seed=7)[:, 0])
    assert simultaneous([one, other], ALPHA) == [watched_interval(one, 0.025), watched_interval(other, 0.025)]


def test_a_tilted_histogram_has_the_wanted_mean_on_the_same_support():
    one = watched([10, 20, 940, 20, 10])
    tilted = one.tilted(0.05)
    assert tilted.mean == pytest.approx(0.05)
    assert tilted.units == pytest.approx(1000)
    assert (tilted.counts > 0).all()
    # An exponential tilt changes log ratios to the original linearly in the value.
    ratios = np.diff(np.log(tilted.counts / one.counts)) / np.diff(one.values)
    assert np.ptp(ratios) == pytest.approx(0, abs=1e-8)


def test_the_forecast_number_of_units_shows_the_effect_with_the_stated_power():
    pilot, effect, power = watched([10, 20, 940, 20, 10]), 0.02, 0.8
    units = units_needed(pilot, effect, ALPHA, power)
    truth = pilot.tilted(effect)
    rng = np.random.default_rng(8)
    runs = 400
    drawn = rng.multinomial(int(units), truth.counts / truth.units, size=runs)
    shown = sum(watched_interval(watched(counts), ALPHA).low > 0 for counts in drawn)
    error = math.sqrt(runs * power * (1 - power))
    assert abs(shown - runs * power) < 3 * error + 0.01 * runs


def normal_forecast(spread, effect, power):
    """How many units show an effect if sums are normal: the same stakes, in the limit of small ones (by hand)."""
    # Numbers from -1 to 1 have their middle, 0, at 1/2 of the range, which is 2 wide.
    stakes, effect, spread = STAKES / 0.5, effect / 2, spread / 2

    def short(log_units):
        units = math.exp(log_units)
        seen = effect - norm.ppf(power) * spread / math.sqrt(units)
        bets = stakes * units * seen - stakes**2 * units * spread**2 / 2
        return np.log(SHARES_OF_STAKES @ np.exp(bets - bets.max())) + bets.max() - math.log(2 / ALPHA)

    return math.exp(brentq(short, math.log(1e3), math.log(1e14)))


@pytest.mark.parametrize("effect", [1e-3, 1e-4, 1e-5, 1e-6])
def test_tiny_effects_are_forecast_as_theory_has_it(effect):
    pilot = watched([2, 10, 976, 10, 2])
    units = units_needed(pilot, effect, ALPHA, 0.8)
    assert units == pytest.approx(normal_forecast(pilot.spread, effect, 0.8), rel=0.03)
    # What no interval can do without: an error so small that the effect is shown if it is looked for once.
    once = ((norm.ppf(0.975) + norm.ppf(0.8)) * pilot.spread / effect) ** 2
    assert once < units < 3.2 * once


def test_an_effect_of_1e_5_is_shown_as_often_as_planned():
    pilot, effect, power, runs = watched([2, 10, 976, 10, 2]), 1e-5, 0.8, 100
    units = units_needed(pilot, effect, ALPHA, power)
    truth = pilot.tilted(effect)
    drawn = np.random.default_rng(9).multinomial(int(units), truth.counts / truth.units, size=runs)
    shown = sum(watched_interval(watched(counts), ALPHA).low > 0 for counts in drawn)
    assert abs(shown - runs * power) < 3 * math.sqrt(runs * power * (1 - power)) + 1


def test_beyond_10_to_the_12_units_there_is_no_number():
    assert units_needed(watched([10, 20, 940, 20, 10]), 1e-8, ALPHA, 0.8) == math.inf


@pytest.mark.parametrize("chances", [FAIR, SKEWED], ids=["fair", "skewed"])
def test_an_interval_from_sums_excludes_the_mean_at_any_look_in_at_most_alpha_of_all_runs(chances):
    mean, runs = float(chances @ FEW), 1000
    ever = np.zeros(runs, dtype=bool)
    for place, run in enumerate(looks(chances, runs, 40, 500, seed=10)):
        for counts in run:
            total, squares, units = float(counts @ FEW), float(counts @ FEW**2), int(counts.sum())
            ever[place] |= beyond(watched_mean(total, squares, units, 1.0, ALPHA), mean)
    assert ever.sum() <= at_most(ALPHA, runs)


def test_an_interval_from_sums_is_a_normal_mixture():
    """Robbins: the capital of bets on all slopes, normally distributed, is 1 / alpha at either end."""
    units, alpha = 20_000, 0.05
    interval = watched_mean(0.0, units * 0.3**2, units, 1.0, alpha)
    slopes = np.linspace(-2, 2, 400_001)
    reach = interval.high * units / 0.3
    # What the spread of the slopes is narrowest for, as the paper has it.
    width = math.sqrt((-2 * math.log(alpha) + math.log(-2 * math.log(alpha)) + 1) / units)
    capital = np.trapezoid(norm.pdf(slopes, scale=width) * np.exp(slopes * reach - slopes**2 * units / 2), slopes)
    assert capital == pytest.approx(1 / alpha, rel=1e-6)


@pytest.mark.parametrize("chance", [0.0, 1e-5, 1e-4])
def test_what_hardly_ever_happens_is_within_the_interval_all_the_same(chance):
    """One unit in 10,000 gains a whole: the spread of the sample says nothing about it."""
    runs, missed = 2000, 0
    for count in np.random.default_rng(11).binomial(5040, chance, size=runs):
        missed += beyond(watched_mean(float(count), float(count), 5040, 1.0, ALPHA), chance)
    assert missed <= at_most(ALPHA, runs)


def test_a_pilot_without_spread_forecasts_nothing():
    assert units_needed(watched([0, 0, 500, 0, 0]), 0.02, ALPHA, 0.8) == math.inf
