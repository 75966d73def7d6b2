"""Which of the things that vary matter, and how much of the differences between points each accounts for.

For a Saltelli design these are Sobol's indices. Let g be the true value of a measure at a point. The first-order share
of a factor is the part of the variance of g over the ranges that goes away once the factor is known; its total share is
the part that remains as long as only the factor is unknown. What is measured is not g but g plus the luck of the deals,
which would add to every variance. So deals are divided into groups, each an independent measurement of all points, and
whatever would be a square of one measurement is a product of two groups: in it luck averages to nothing, although all
points of a group share their deals.

For other designs, factors are ranked by a linear regression, which sees no curves and no interplay, and says so.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from statistics import NormalDist
from typing import Final

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from reports.estimates.intervals import LEVEL
from strategies.errors import InputError

MOST_GROUPS: Final = 8
FEWEST_GROUPS: Final = 4
RESAMPLES: Final = 1000
FEWEST_POINTS: Final = 8

SOBOL: Final = "Sobol indices (shares of the variance between points, noise of the deals removed)"
REGRESSION: Final = "linear regression (a ranking: it sees no curves and no interplay)"


def groups_of_blocks(blocks: int) -> int:
    """Return into how many groups of deals so many blocks are divided.

    Raises
    ------
    InputError
        If they are too few.
    """
    if blocks < FEWEST_GROUPS:
        raise InputError(
            f"sensitivity needs {FEWEST_GROUPS} blocks per point: --games {FEWEST_GROUPS * 5040:,} or more"
        )
    return min(blocks, MOST_GROUPS)


@dataclass(frozen=True)
class Sensitivity:
    """How much each factor matters for one measure.

    Attributes
    ----------
    method
        How it was found out, in words.
    table
        One row per factor. Sobol: factor, first_order, total, each with _low and _high; shares of the variance.
        Regression: factor, share (of the variance that the regression takes away when it may use the factor), effect
        (from the least to the greatest value; missing for words).
    """

    method: str
    table: pd.DataFrame


@dataclass(frozen=True)
class _Products:
    """Per row of A and B: what the variance and, by factor, the first-order and total variances are means of."""

    variance: NDArray[np.float64]
    first: NDArray[np.float64]
    total: NDArray[np.float64]

    def shares(self, rows: NDArray[np.intp] | slice = slice(None)) -> NDArray[np.float64]:
        """Return first-order and total shares, shape (2, factors), from some of the rows."""
        variance = self.variance[rows].mean()
        if variance <= 0:
            return np.full((2, len(self.first)), math.nan)
        means = np.stack([self.first[:, rows].mean(axis=1), self.total[:, rows].mean(axis=1)])
        shares: NDArray[np.float64] = means / variance
        return shares


def _cross(first: NDArray[np.float64], second: NDArray[np.float64]) -> NDArray[np.float64]:
    """Average the products of two measurements over all pairs of different groups; groups are the first axis."""
    groups = len(first)
    crossed: NDArray[np.float64] = first.sum(axis=0) * second.sum(axis=0) - (first * second).sum(axis=0)
    return crossed / (groups * (groups - 1))


def _products(values: NDArray[np.float64]) -> _Products:
    """Take products over groups; `values` has shape (groups, factors + 2, points): A, B, then A with columns of B."""
    first, second, mixed = values[:, 0], values[:, 1], values[:, 2:]
    # What all points have in common cancels in differences; taking it from B spares the rest its spread.
    centre = (first.mean(axis=1) + second.mean(axis=1))[:, None] / 2
    exchanged = mixed - first[:, None]
    return _Products(
        _cross(first - second, first - second) / 2,
        _cross(np.broadcast_to((second - centre)[:, None], exchanged.shape), exchanged),
        _cross(exchanged, exchanged) / 2,
    )


def sobol_indices(values: NDArray[np.float64], factors: Sequence[str], seed: int = 0) -> Sensitivity:
    """Estimate first-order and total shares with intervals.

    Parameters
    ----------
    values
        The measure, shape (groups, (factors + 2) x points): for each group of deals the points of a Saltelli design, A,
        B, then A with each column of B in turn. Groups are independent; points of a group may share their deals.
    factors
        The names of the factors.
    seed
        Of the resampling.

    Returns
    -------
    Sensitivity
        The intervals add up two uncertainties: which points were drawn (resampling of rows) and which deals were played
        (leaving out one group at a time).
    """
    groups = len(values)
    shaped = values.reshape(groups, len(factors) + 2, -1)
    points = shaped.shape[2]
    if points < FEWEST_POINTS:
        raise InputError(f"sensitivity needs {FEWEST_POINTS} points or more, not {points}")
    products = _products(shaped)
    estimate = products.shares()
    generator = np.random.default_rng(seed)
    drawn = [products.shares(generator.integers(0, points, points)) for _ in range(RESAMPLES)]
    left_out = [_products(np.delete(shaped, group, axis=0)).shares() for group in range(groups)]
    valid = [shares for shares in drawn if not np.isnan(shares).any()] or [np.zeros_like(estimate)]
    of_points = np.var(valid, axis=0)
    of_deals = (groups - 1) * np.var(left_out, axis=0)
    if np.isnan(left_out).any():
        # So little differs between points that luck could account for all of it.
        estimate = np.full_like(estimate, math.nan)
    reach = NormalDist().inv_cdf((1 + LEVEL) / 2) * np.sqrt(of_points + of_deals)
    columns: dict[str, object] = {"factor": list(factors)}
    for place, name in enumerate(("first_order", "total")):
        columns[name] = estimate[place]
        columns[f"{name}_low"] = estimate[place] - reach[place]
        columns[f"{name}_high"] = estimate[place] + reach[place]
    return Sensitivity(SOBOL, pd.DataFrame(columns))


def regression_ranking(points: pd.DataFrame, values: NDArray[np.float64]) -> Sensitivity:
    """Rank factors by how much worse a linear regression fits without each.

    Parameters
    ----------
    points
        One row per point, one column per factor: numbers, or words.
    values
        The measure at each point, shape (points,).
    """
    columns = {str(name): _as_columns(points[name]) for name in points}
    spread = float(((values - values.mean()) ** 2).sum())
    full = _residual(list(columns.values()), values)
    rows: list[dict[str, object]] = []
    for name, own in columns.items():
        without = _residual([other for key, other in columns.items() if key != name], values)
        numbers = own.shape[1] == 1 and pd.api.types.is_numeric_dtype(points[name])
        effect = _slope(own[:, 0], list(columns.values()), values) if numbers else math.nan
        rows.append(
            {
                "factor": name,
                "share": (without - full) / spread if spread > 0 else 0.0,
                "effect": effect * float(np.ptp(own[:, 0])) if numbers else math.nan,
            }
        )
    return Sensitivity(REGRESSION, pd.DataFrame(rows, columns=["factor", "share", "effect"]))


def _as_columns(factor: pd.Series) -> NDArray[np.float64]:
    """Return a factor as columns of numbers: itself, or one per word but the first."""
    if pd.api.types.is_numeric_dtype(factor):
        return factor.to_numpy(dtype=np.float64)[:, None]
    words = list(dict.fromkeys(factor))
    return np.array([[float(value == word) for word in words[1:]] for value in factor]).reshape(len(factor), -1)


def _matrix(columns: Sequence[NDArray[np.float64]], rows: int) -> NDArray[np.float64]:
    return np.concatenate([np.ones((rows, 1)), *columns], axis=1)


def _residual(columns: Sequence[NDArray[np.float64]], values: NDArray[np.float64]) -> float:
    matrix = _matrix(columns, len(values))
    fitted = matrix @ np.linalg.lstsq(matrix, values, rcond=None)[0]
    return float(((values - fitted) ** 2).sum())


def _slope(own: NDArray[np.float64], columns: Sequence[NDArray[np.float64]], values: NDArray[np.float64]) -> float:
    matrix = _matrix(columns, len(values))
    coefficients = np.linalg.lstsq(matrix, values, rcond=None)[0]
    place = next(place for place in range(1, matrix.shape[1]) if np.array_equal(matrix[:, place], own))
    return float(coefficients[place])
