"""How much of the differences in a sweep each thing accounts for."""

from __future__ import annotations

from typing import Final

import numpy as np
import pandas as pd

from benchmarks.coverage import Kind, Printed, Source, Truth, happened
from benchmarks.printed.small_runs import (
    frame_intervals,
)
from reports.estimates.sensitivity import regression_ranking, sobol_indices
from simulate.runner import Workers


def _ask_sobol(seed: int, workers: Workers) -> Printed:
    """Ask which of three factors matter: x, y, and one that does not; the value is 3 x + 2 y + 2 x y beside luck."""
    generator = np.random.default_rng(seed)
    points, groups = 64, 8
    first, second = generator.uniform(-1, 1, (2, points, 3))
    designs = [first, second]
    for factor in range(3):
        mixed = first.copy()
        mixed[:, factor] = second[:, factor]
        designs.append(mixed)
    at = np.concatenate(designs)
    value = 3 * at[:, 0] + 2 * at[:, 1] + 2 * at[:, 0] * at[:, 1]
    measured = value + generator.normal(0, 2, (groups, 1)) + generator.normal(0, 2, (groups, len(at)))
    frame = sobol_indices(measured, ["x", "y", "nothing"], seed).table
    return {"Sobol shares": frame_intervals(frame, key="factor")}


def _true_sobol() -> Truth:
    x, y, both = 9 / 3, 4 / 3, 4 / 9
    whole = x + y + both
    first = {"x": x / whole, "y": y / whole, "nothing": 0.0}
    total = {"x": (x + both) / whole, "y": (y + both) / whole, "nothing": 0.0}
    return {
        "Sobol shares": {
            **{(name, "first_order"): share for name, share in first.items()},
            **{(name, "total"): share for name, share in total.items()},
        }
    }


SOBOL: Final = Source(
    "sweep --design saltelli",
    (Kind("Sobol shares", "sweep --design saltelli", ("estimates/sensitivity",)),),
    _ask_sobol,
    truth=_true_sobol,
    fewer=2,
)


_AT: Final = np.random.default_rng(13).permuted(np.tile(np.arange(12) / 11, (3, 1)), axis=1).T
"""Twelve points of a Latin hypercube."""
_VALUE: Final = 3 * _AT[:, 0] + 2 * _AT[:, 1] + _AT[:, 0] * _AT[:, 1]
_FACTORS: Final = ("x", "y", "nothing")


def _ask_regression(seed: int, workers: Workers) -> Printed:
    generator = np.random.default_rng(seed)
    noise = generator.normal(0, 1, (8, 1)) + generator.normal(0, 0.6, (8, len(_AT)))
    points = pd.DataFrame(_AT, columns=_FACTORS)
    table = regression_ranking(points, _VALUE + noise).table
    nothing = regression_ranking(points, noise)
    return {
        "regression shares": frame_intervals(table, key="factor", column="share"),
        "regression effects": frame_intervals(table, key="factor", column="effect"),
        "where nothing matters, nothing is shared out": {0: happened(bool(nothing.table["share"].isna().all()))},
    }


def _true_regression() -> Truth:
    def left(columns: list[int]) -> float:
        matrix = np.column_stack([np.ones(len(_AT)), _AT[:, columns]])
        return float(((_VALUE - matrix @ np.linalg.lstsq(matrix, _VALUE, rcond=None)[0]) ** 2).sum())

    every, whole = [0, 1, 2], float(((_VALUE - _VALUE.mean()) ** 2).sum())
    slopes = np.linalg.lstsq(np.column_stack([np.ones(len(_AT)), _AT]), _VALUE, rcond=None)[0][1:]
    shares = [(left([k for k in every if k != own]) - left(every)) / whole for own in every]
    return {
        "regression shares": {(name, "share"): share for name, share in zip(_FACTORS, shares, strict=True)},
        "regression effects": {(name, "effect"): float(slope) for name, slope in zip(_FACTORS, slopes, strict=True)},
        "where nothing matters, nothing is shared out": {0: 0.0},
    }


REGRESSION: Final = Source(
    "sweep --design latin",
    tuple(
        Kind(name, "sweep --design", ("estimates/sensitivity", "sweep/effects"))
        for name in ("regression shares", "regression effects", "where nothing matters, nothing is shared out")
    ),
    _ask_regression,
    truth=_true_regression,
)

SOURCES: Final = (SOBOL, REGRESSION)
"""Everything that is asked about shares of the variance."""
