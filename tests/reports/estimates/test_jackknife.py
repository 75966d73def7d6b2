"""The jackknife against the textbook interval of a mean, and on a ratio with a known error."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.stats import t as student

from reports.estimates.jackknife import jackknife


def test_the_jackknife_of_a_mean_is_students_interval():
    numbers = np.array([3.0, 5.0, 4.0, 9.0, 1.0, 2.0])
    groups = {"sum": numbers, "games": np.ones(6)}
    (found,) = jackknife(groups, lambda sums: np.array([sums["sum"] / sums["games"]]), 0.9, "some")
    reach = student.ppf(0.95, 5) * numbers.std(ddof=1) / np.sqrt(6)
    assert (found.estimate, found.low, found.high) == pytest.approx((4.0, 4.0 - reach, 4.0 + reach))
    assert (found.level, found.kind) == (0.9, "some")


def test_groups_that_are_all_alike_leave_nothing_uncertain():
    groups = {"good": np.full(4, 3), "rounds": np.full(4, 5)}
    (found,) = jackknife(groups, lambda sums: np.array([sums["good"] / sums["rounds"]]))
    assert (found.low, found.estimate, found.high) == pytest.approx((0.6, 0.6, 0.6))


def test_a_ratio_has_the_error_of_its_linear_approximation():
    rng = np.random.default_rng(1)
    rounds = rng.integers(4, 9, size=400)
    good = rng.binomial(rounds, 0.7)
    (found,) = jackknife({"good": good, "rounds": rounds}, lambda sums: np.array([sums["good"] / sums["rounds"]]))
    share = good.sum() / rounds.sum()
    error = np.sqrt(((good - share * rounds) ** 2).sum()) / rounds.sum()
    assert found.estimate == pytest.approx(share)
    assert found.half_width == pytest.approx(1.96 * error, rel=0.02)
