"""Sensitivity: known functions, with noise of the simulator's size that points share as common deals make it."""

from __future__ import annotations

import math

import numpy as np
import pandas as pd
import pytest
from scipy.stats import qmc

from reports.estimates.sensitivity import groups_of_blocks, regression_ranking, sobol_indices
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
    assert sobol_indices(np.ones((4, 5 * 16)), ["a", "b", "c"]).table["total"].isna().all()


def test_too_few_deals_or_points_are_refused():
    with pytest.raises(InputError, match="20,160 or more"):
        groups_of_blocks(3)
    assert [groups_of_blocks(blocks) for blocks in (4, 5, 100)] == [4, 5, 8]
    with pytest.raises(InputError, match="8 points"):
        sobol_indices(np.ones((4, 5 * 4)), ["a", "b", "c"])


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
    table = regression_ranking(points, values.to_numpy()).table.set_index("factor")
    assert list(table["share"].sort_values(ascending=False).index) == ["strong", "word", "weak", "none"]
    assert table.loc["strong", "effect"] == pytest.approx(3 * np.ptp(points["strong"]))
    assert table.loc["weak", "effect"] == pytest.approx(-np.ptp(points["weak"]))
    assert table.loc["none", "share"] == pytest.approx(0, abs=1e-12)
    assert math.isnan(table.loc["word", "effect"])
