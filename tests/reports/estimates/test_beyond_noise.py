"""How far numbers differ beyond noise: equal ones are said to be equal, a planted spread is found as large as it is."""

from __future__ import annotations

import math

import numpy as np
import pytest

from reports.estimates.beyond_noise import beyond_noise

TRIALS = 400


def measured(truth, groups, noise, generator):
    """Measure numbers in groups that share much of their luck."""
    common = 5 * generator.normal(size=(groups, 1))
    return truth + common + noise * generator.normal(size=(groups, len(truth)))


@pytest.mark.parametrize(("groups", "many"), [(2, 64), (4, 5), (4, 9), (8, 40)])
def test_equal_numbers_are_said_to_differ_as_seldom_as_promised(groups, many):
    shown = [
        beyond_noise(measured(np.full(many, 3.0), groups, 0.2, np.random.default_rng(t))).shown for t in range(TRIALS)
    ]
    assert np.mean(shown) <= 0.05 + 3 * math.sqrt(0.05 * 0.95 / TRIALS)


@pytest.mark.parametrize(("groups", "many"), [(2, 64), (4, 9)])
def test_a_planted_spread_is_found_and_has_its_size(groups, many):
    # The variance between groups' means is unbiased by theory; where nearly all are shown, so is what is told.
    found = []
    for trial in range(TRIALS):
        generator = np.random.default_rng(trial)
        truth = 3 + 0.5 * generator.normal(size=many)
        found.append(beyond_noise(measured(truth, groups, 0.2, generator)).spread ** 2)
    assert np.mean(np.array(found) > 0) > 0.95
    assert np.mean(found) == pytest.approx(0.25, abs=4 * np.std(found) / math.sqrt(TRIALS))


def test_without_noise_the_range_is_that_of_the_numbers():
    found = beyond_noise(np.array([[1.0, 2.0, 6.0], [11.0, 12.0, 16.0]]))
    assert (found.middle, found.low, found.high) == pytest.approx((8, 6, 11))
    assert found.spread == pytest.approx(np.std([1, 2, 6], ddof=1))


def test_the_range_is_narrower_than_that_of_the_estimates():
    values = measured(np.linspace(-1, 1, 30), 2, 1.0, np.random.default_rng(3))
    found, means = beyond_noise(values), values.mean(axis=0)
    assert found.shown
    assert means.min() < found.low < found.high < means.max()


def test_numbers_that_are_all_the_same_do_not_differ():
    assert not beyond_noise(np.full((2, 5), 3.0)).shown
