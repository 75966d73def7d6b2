"""Sensitivity: known functions, with noise of the simulator's size that points share as common deals make it."""

from __future__ import annotations

import math

import numpy as np
import pandas as pd
import pytest
from scipy.stats import qmc

from reports.estimates.sensitivity import (
    CONSTANT,
    FEW_POINTS,
    NOISE,
    TOO_FEW_DEALS,
    check_regression,
    check_sobol,
    groups_of_blocks,
    regression_ranking,
    sobol_indices,
)
from strategies.errors import InputError

A, B = 7.0, 0.1


def ishigami(x):
    """The usual test function, on [-pi, pi]^3."""
    return np.sin(x[:, 0]) + A * np.sin(x[:, 1]) ** 2 + B * x[:, 2] ** 4 * np.sin(x[:, 0])


def ishigami_shares():
    """First-order and total shares in closed form (Ishigami and Homma 1990)."""
    first = 0.5 * (1 + B * math.pi**4 / 5) ** 2
    second = A**2 / 8
    third = B**2 * math.pi**8 * (1 / 18 - 1 / 50)
    variance = first + second + third
    return np.array([[first, second, 0.0], [first + third, second, third]]) / variance


def saltelli(points, seed):
    both = qmc.Sobol(6, seed=np.random.default_rng(seed)).random(points)
    first, second = both[:, :3], both[:, 3:]
    mixed = [np.where(np.arange(3) == place, second, first) for place in range(3)]
    return (np.concatenate([first, second, *mixed]) * 2 - 1) * math.pi


def measured(x, groups, noise, generator):
    """Add noise to each group of deals: some of it the same at all points, some a smooth function of the point, some
    a point's own; together of the given size."""
    values = np.empty((groups, len(x)))
    for group in range(groups):
        common = generator.normal()
        smooth = np.sin(x @ generator.normal(size=3) / 2 + generator.uniform(0, 2 * math.pi)) * math.sqrt(2)
        own = generator.normal(size=len(x))
        values[group] = ishigami(x) + noise * (common + smooth + own) / math.sqrt(3)
    return values


def test_effects_of_a_known_function_lie_within_their_intervals():
    # A win share from 5,040 deals has a standard error of 0.006; swings of 0.05 between points make it an eighth of the
    # standard deviation. Here noise is a quarter: 0.25 x 3.72.
    truth, covered = ishigami_shares(), []
    trials = 60
    for seed in range(trials):
        x = saltelli(256, seed)
        values = measured(x, 4, 0.93, np.random.default_rng(1000 + seed))
        table = sobol_indices(values, ["a", "b", "c"]).table
        for place, name in enumerate(("first_order", "total")):
            covered.append((table[f"{name}_low"] <= truth[place]) & (truth[place] <= table[f"{name}_high"]))
    share = np.mean(covered, axis=0)
    # Six indices in 60 trials; three standard errors below 95% for each factor (two indices each).
    assert np.all(share >= 0.95 - 3 * math.sqrt(0.95 * 0.05 / (2 * trials))), share


def test_noise_is_removed_not_counted_as_interplay():
    truth = ishigami_shares()
    x = saltelli(1024, 1)
    values = measured(x, 8, 5.0, np.random.default_rng(2))
    table = sobol_indices(values, ["a", "b", "c"]).table
    # Each group alone holds more noise than signal.
    assert np.var(values[0] - ishigami(x)) > np.var(ishigami(x))
    assert (table["total_low"] <= truth[1]).all()
    assert (truth[1] <= table["total_high"]).all()
    plain = np.array([np.mean((part - values[0][:1024]) ** 2) / 2 for part in np.split(values[0], 5)[2:]])
    assert (plain / values[0][:2048].var() > truth[1] + 0.1).any(), "squares of one measurement would mislead"


def test_without_noise_indices_are_exact_in_the_limit():
    x = saltelli(2**13, 3)
    table = sobol_indices(np.tile(ishigami(x), (4, 1)), ["a", "b", "c"]).table
    truth = ishigami_shares()
    assert table["first_order"].to_numpy() == pytest.approx(truth[0], abs=0.02)
    assert table["total"].to_numpy() == pytest.approx(truth[1], abs=0.02)


def test_a_function_that_is_flat_has_no_shares():
    found = sobol_indices(np.ones((4, 5 * 16)), ["a", "b", "c"])
    assert found.table["total"].isna().all()
    assert found.remarks == (CONSTANT,)


def test_what_is_no_more_than_luck_has_no_shares():
    told = 0
    for seed in range(100):
        generator = np.random.default_rng(seed)
        values = generator.normal(size=(4, 1)) + generator.normal(size=(4, 5 * 16))
        found = sobol_indices(values, ["a", "b", "c"], seed)
        assert found.remarks in {(FEW_POINTS,), (NOISE,)}
        told += found.remarks == (FEW_POINTS,)
    # One side of a 95% interval, and three standard errors of a hundred trials.
    assert told <= 100 * 0.025 + 3 * math.sqrt(100 * 0.025 * 0.975)


def test_few_points_are_said_to_be_few():
    for points, remarks in ((16, (FEW_POINTS,)), (32, ())):
        values = np.tile(ishigami(saltelli(points, 3)), (4, 1))
        assert sobol_indices(values, ["a", "b", "c"]).remarks == remarks


def test_too_few_deals_or_points_are_refused():
    with pytest.raises(InputError, match="20,160 or more"):
        check_sobol(8, 3)
    with pytest.raises(InputError, match="8 points or more, not 4"):
        check_sobol(4, 4)
    check_sobol(8, 4)
    assert [groups_of_blocks(blocks) for blocks in (1, 3, 4, 5, 100)] == [1, 1, 4, 5, 8]
    three = pd.DataFrame({"a": [0.0, 1.0, 2.0], "word": ["x", "y", "z"]})
    with pytest.raises(InputError, match="3 points are too few to tell 2 names apart: 4 or more"):
        check_regression(three)
    check_regression(three.replace("z", "y"))


# --- Regression ------------------------------------------------------------------------------------------------------

SLOPES = np.array([1.0, 0.5, 0.0])


def drawn_points(generator, points=64):
    return pd.DataFrame(generator.uniform(size=(points, 3)), columns=["a", "b", "c"])


def with_luck(truth, groups, size, generator):
    """Measure in groups of deals: part of the luck is the same at all points of a group."""
    return truth + size * (generator.normal(size=(groups, 1)) + generator.normal(size=(groups, len(truth))))


def shares_in_theory(points):
    """What a perfectly linear function loses without each factor: slope^2 times what others leave of the factor."""
    matrix = points.to_numpy() - points.to_numpy().mean(axis=0)
    left = []
    for place in range(3):
        others = np.delete(matrix, place, axis=1)
        rest = matrix[:, place] - others @ np.linalg.lstsq(others, matrix[:, place], rcond=None)[0]
        left.append(SLOPES[place] ** 2 * rest @ rest)
    whole = matrix @ SLOPES
    return np.array(left) / (whole @ whole)


@pytest.mark.parametrize("groups", [4, 8])
def test_shares_and_effects_of_a_linear_function_lie_within_their_intervals(groups):
    trials, covered = 200, []
    for seed in range(trials):
        generator = np.random.default_rng(seed)
        points = drawn_points(generator)
        values = with_luck(points.to_numpy() @ SLOPES, groups, 0.3, generator)
        table = regression_ranking(points, values).table
        for name, truth in (
            ("share", shares_in_theory(points)),
            ("effect", SLOPES * np.ptp(points.to_numpy(), axis=0)),
        ):
            covered.append((table[f"{name}_low"] <= truth) & (truth <= table[f"{name}_high"]))
    for kind in (covered[::2], covered[1::2]):
        assert np.all(np.mean(kind, axis=0) >= 0.95 - 3 * math.sqrt(0.95 * 0.05 / trials))


@pytest.mark.parametrize("points", [9, 64])
def test_where_nothing_matters_nothing_accounts_for_anything(points):
    told, plain = 0, []
    for seed in range(200):
        generator = np.random.default_rng(seed)
        drawn = drawn_points(generator, points)
        values = with_luck(np.zeros(points), 4, 1.0, generator)
        found = regression_ranking(drawn, values)
        told += found.remarks != (NOISE,)
        fitted = np.linalg.lstsq(np.c_[np.ones(points), drawn], values.mean(axis=0), rcond=None)[0]
        plain.append(np.var(np.c_[np.ones(points), drawn] @ fitted) / np.var(values.mean(axis=0)))
    # One side of a 95% interval, and three standard errors.
    assert told <= 200 * 0.025 + 3 * math.sqrt(200 * 0.025 * 0.975)
    assert np.median(plain) == pytest.approx(3 / (points - 1), rel=0.25), "squares of one measurement would mislead"


def test_a_regression_ranks_what_is_linear():
    generator = np.random.default_rng(1)
    points = pd.DataFrame(
        {
            "strong": generator.uniform(0, 2, 200),
            "weak": generator.uniform(0, 1, 200),
            "none": generator.uniform(0, 1, 200),
            "word": [("a", "b", "c")[place % 3] for place in range(200)],
        }
    )
    values = 3 * points["strong"] - points["weak"] + points["word"].map({"a": 0, "b": 1, "c": 0})
    table = regression_ranking(points, np.tile(values, (4, 1))).table.set_index("factor")
    assert list(table["share"].sort_values(ascending=False).index) == ["strong", "word", "weak", "none"]
    assert table.loc["strong", "effect"] == pytest.approx(3 * np.ptp(points["strong"]))
    assert table.loc["weak", "effect"] == pytest.approx(-np.ptp(points["weak"]))
    assert table.loc["none", "share"] == pytest.approx(0, abs=1e-12)
    assert math.isnan(table.loc["word", "effect"])


def test_with_few_deals_there_are_effects_and_no_shares():
    points = drawn_points(np.random.default_rng(1))
    found = regression_ranking(points, (points.to_numpy() @ SLOPES)[None, :])
    assert found.remarks == (TOO_FEW_DEALS,)
    assert found.table["share"].isna().all()
    assert found.table["effect"].to_numpy() == pytest.approx(SLOPES * np.ptp(points, axis=0))
    assert found.table["effect_low"].isna().all()


def test_names_that_go_together_cannot_be_told_apart():
    points = drawn_points(np.random.default_rng(1))
    points["twice"] = 3 - 2 * points["a"]
    points["same"] = 1.0
    values = np.tile(points[["a", "b", "c"]].to_numpy() @ SLOPES, (4, 1))
    found = regression_ranking(points, values)
    table = found.table.set_index("factor")
    assert found.remarks == ("a and twice cannot be told apart: at these points they go together",)
    assert table.loc[["a", "twice"], ["share", "effect"]].isna().all(axis=None)
    assert table.loc["b", "effect"] == pytest.approx(SLOPES[1] * np.ptp(points["b"]))
    assert table.loc["same", ["share", "effect"]].to_list() == pytest.approx([0, 0], abs=1e-12)


def test_a_measure_that_is_the_same_everywhere_says_so():
    found = regression_ranking(drawn_points(np.random.default_rng(1)), np.tile(np.arange(4.0)[:, None], 64))
    assert found.remarks == (CONSTANT,)
    assert found.table["share"].isna().all()
