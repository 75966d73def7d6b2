"""Several numbers at once: intervals that hold together, and tests as strict as Holm says."""

from __future__ import annotations

import math

import numpy as np
import pytest
from scipy.stats import norm

from reports.estimates.intervals import Interval, normal_interval
from reports.estimates.joint import (
    at_once,
    difference,
    greatest,
    greatest_distance,
    greatest_named,
    level_of_each,
    may_be_greatest,
)


def test_intervals_that_each_hold_more_often_hold_together_as_often_as_one():
    assert level_of_each(1) == pytest.approx(0.95)
    assert level_of_each(10) == pytest.approx(0.995)
    rng = np.random.default_rng(3)
    level = level_of_each(10)
    reach = norm.ppf((1 + level) / 2)
    missed = (np.abs(rng.normal(size=(20_000, 10))) > reach).any(axis=1).mean()
    # Independent numbers miss a little less often than the 5% that holds whatever they have to do with each other.
    expected = 1 - level**10
    assert missed == pytest.approx(expected, abs=4 * math.sqrt(expected * (1 - expected) / 20_000))
    assert expected < 0.05


def test_many_tests_are_as_strict_as_holm_says():
    assert at_once([0.01, 0.04, 0.03]) == pytest.approx([0.03, 0.06, 0.06])
    assert at_once([0.9]) == [0.9]


def test_the_greatest_distance_is_known_as_well_as_its_parts():
    far = greatest_distance([Interval(-3, -4, -2), Interval(1, -1, 2.5)])
    assert (far.estimate, far.low, far.high) == (3, 2, 4)
    near = greatest_distance([Interval(0.5, -1, 2)])
    assert (near.low, near.high) == (0, 2)


def test_the_greatest_is_covered_whichever_it_is():
    """Of eight numbers that are equal the one that looks greatest is none of them in particular."""
    level, rng, held = level_of_each(8), np.random.default_rng(1), 0
    for numbers in rng.normal(size=(500, 8)).tolist():
        found = greatest([normal_interval(number, 1.0, level) for number in numbers])
        held += found.low <= 0 <= found.high
        assert found.estimate == max(numbers)
    assert held / 500 > 0.95 - 3 * math.sqrt(0.95 * 0.05 / 500)


def test_everything_that_may_be_the_greatest_is_named_the_likeliest_first():
    numbers = [Interval(2, 1, 3), Interval(4, 2.5, 5), Interval(1, 0, 2)]
    assert may_be_greatest(numbers) == [1, 0]
    assert greatest_named(["a", "b", "c"], numbers) == "b or a"
    assert greatest_named(["a", "b", "c"], [Interval(n, n, n) for n in (1, 3, 2)]) == "b"
    assert greatest_named("abcde", [Interval(n, 0, 9) for n in (1, 2, 3, 4, 5)]) == "e, d, c or another"


def test_differences_of_independent_numbers_add_their_variances():
    apart = difference(Interval(10.0, 7.0, 13.0), Interval(12.0, 8.0, 16.0))
    assert (apart.estimate, apart.low, apart.high) == (2.0, -3.0, 7.0)


def test_the_error_of_a_difference_is_that_of_two_normal_numbers():
    apart = difference(normal_interval(1.0, 3.0), normal_interval(-2.0, 4.0))
    assert apart.estimate == -3
    assert apart.half_width == pytest.approx(1.959964 * 5)
