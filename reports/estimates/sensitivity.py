"""Which of the things that vary matter, and how much of the differences between points each accounts for.

For a Saltelli design these are Sobol's indices. Let g be the true value of a measure at a point. The first-order share
of a factor is the part of the variance of g over the ranges that goes away once the factor is known; its total share is
the part that remains as long as only the factor is unknown. What is measured is not g but g plus the luck of the deals,
which would add to every variance. So deals are divided into groups, each an independent measurement of all points, and
whatever would be a square of one measurement is a product of two groups: in it luck averages to nothing, although all
points of a group share their deals.

For other designs a linear regression is fitted, which sees no curves and no interplay, and says so. The share of a
factor is how much more of the variance between the points it explains with the factor than without; here, too, squares
are products of two groups.

Where the variance between points is not clearly more than luck makes it, nothing is shared out.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from reports.estimates.intervals import LEVEL, Interval, reach_of
from simulate.blocks import DEALS_PER_BLOCK
from strategies.errors import InputError

MOST_GROUPS: Final = 8
FEWEST_GROUPS: Final = 4
RESAMPLES: Final = 1000
FEWEST_POINTS: Final = 8
ENOUGH_POINTS: Final = 32
"""With fewer points Sobol's shares are told with a warning."""

SOBOL: Final = "Sobol indices (shares of the variance between points, noise of the deals removed)"
REGRESSION: Final = "linear regression (it sees no curves and no interplay; noise of the deals removed)"

CONSTANT: Final = "it is the same at every point"
NOISE: Final = "points differ by no more than the luck of the deals"
TOO_FEW_DEALS: Final = (
    f"shares need {FEWEST_GROUPS} blocks per point: --games {FEWEST_GROUPS * DEALS_PER_BLOCK:,} or more"
)
FEW_POINTS: Final = f"fewer than {ENOUGH_POINTS} points: take the shares as a rough guide"


def groups_of_blocks(blocks: int) -> int:
    """Return into how many groups of deals so many blocks are divided; one if they are too few for shares."""
    return min(blocks, MOST_GROUPS) if blocks >= FEWEST_GROUPS else 1


def check_sobol(points: int, blocks: int) -> None:
    """Make sure that there is enough for Sobol's shares.

    Raises
    ------
    InputError
        If there are too few points or blocks per point.
    """
    if points < FEWEST_POINTS:
        raise InputError(f"sensitivity needs {FEWEST_POINTS} points or more, not {points}")
    if blocks < FEWEST_GROUPS:
        raise InputError(
            f"sensitivity needs {FEWEST_GROUPS} blocks per point: --games {FEWEST_GROUPS * DEALS_PER_BLOCK:,} or more"
        )


def check_regression(points: pd.DataFrame) -> None:
    """Make sure that a regression on these points says anything.

    Raises
    ------
    InputError
        If there are fewer points than terms.
    """
    terms = 1 + sum(_as_columns(points[name]).shape[1] for name in points)
    if len(points) < terms:
        raise InputError(
            f"{len(points)} points are too few to tell {len(points.columns)} names apart: {terms} or more, one for the "
            "whole, one for each name with numbers, and one less than its words for each other name"
        )


@dataclass(frozen=True)
class Sensitivity:
    """How much each factor matters for one measure.

    Attributes
    ----------
    method
        How it was found out, in words.
    table
        One row per factor. Sobol: factor, first_order, total; shares of the variance. Regression: factor, share (of the
        variance between points that the regression explains only with the factor), effect (from the least to the
        greatest value; missing for words). Each with _low and _high; missing where a remark says why.
    remarks
        What keeps shares from being told, or from being trusted, in words.
    """

    method: str
    table: pd.DataFrame
    remarks: tuple[str, ...] = ()


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
    products = _products(shaped)
    estimate, reach = products.shares(), np.full((2, len(factors)), math.nan)
    left_out = [_products(np.delete(shaped, group, axis=0)) for group in range(groups)]
    remarks = (FEW_POINTS,) if points < ENOUGH_POINTS else ()
    if doubt := _doubt(values, float(products.variance.mean()), [float(less.variance.mean()) for less in left_out]):
        estimate, remarks = np.full_like(estimate, math.nan), (doubt,)
    else:
        generator = np.random.default_rng(seed)
        drawn = [products.shares(generator.integers(0, points, points)) for _ in range(RESAMPLES)]
        valid = [shares for shares in drawn if not np.isnan(shares).any()] or [np.zeros_like(estimate)]
        of_points, of_deals = np.var(valid, axis=0), _jackknifed(np.array([less.shares() for less in left_out]))
        reach = _reach(of_points, of_deals, points, groups)
    columns: dict[str, object] = {"factor": list(factors)}
    for place, name in enumerate(("first_order", "total")):
        columns[name] = estimate[place]
        columns[f"{name}_low"] = estimate[place] - reach[place]
        columns[f"{name}_high"] = estimate[place] + reach[place]
    return Sensitivity(SOBOL, pd.DataFrame(columns), remarks)


def _jackknifed(left_out: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return variances from what comes out without each of the groups in turn, groups being the first axis."""
    variances: NDArray[np.float64] = (len(left_out) - 1) * np.var(left_out, axis=0)
    return variances


def _reach(
    of_points: NDArray[np.float64], of_deals: NDArray[np.float64], points: int, groups: int
) -> NDArray[np.float64]:
    """Return how far intervals reach that add up two variances, one over points and one over groups.

    The degrees of freedom are those of Satterthwaite (1946).
    """
    together = of_points + of_deals
    unsure = of_points**2 / (points - 1) + of_deals**2 / (groups - 1)
    freedom = np.divide(together**2, unsure, out=np.full_like(unsure, groups - 1.0), where=unsure > 0)
    quantiles = np.vectorize(reach_of)(LEVEL, freedom)
    reach: NDArray[np.float64] = quantiles * np.sqrt(together)
    return reach


def _doubt(values: NDArray[np.float64], variance: float, left_out: Sequence[float]) -> str:
    """Say why the variance between points cannot be shared out; nothing if it can."""
    if not np.ptp(values, axis=1).any():
        return CONSTANT
    reach = reach_of(LEVEL, len(values) - 1) * math.sqrt(float(_jackknifed(np.array(left_out))))
    return "" if variance - reach > 0 else NOISE


def regression_ranking(points: pd.DataFrame, values: NDArray[np.float64]) -> Sensitivity:
    """Say how much of the differences between points a linear regression needs each factor for.

    Parameters
    ----------
    points
        One row per point, one column per factor: numbers, or words. As `check_regression` wants them.
    values
        The measure, shape (groups, points): groups of deals are independent, points of a group may share their deals.

    Returns
    -------
    Sensitivity
        Of these points, not of ranges from which they were drawn: intervals tell the luck of the deals. With a single
        group there are effects only. Factors that always go together have no row of numbers.
    """
    columns = {str(name): _as_columns(points[name]) for name in points}
    alike = _inseparable(columns)
    used = {name: own for name, own in columns.items() if name not in alike}
    remarks = [f"{' and '.join(alike)} cannot be told apart: at these points they go together"] if alike else []
    shares = {name: Interval(math.nan, math.nan, math.nan) for name in columns}
    if len(values) < FEWEST_GROUPS:
        remarks.append(TOO_FEW_DEALS)
    else:
        found = np.array([_shares_of(columns, some) for some in (values, *_leaving_one_out(values))])
        if doubt := _doubt(values, found[0, -1], found[1:, -1].tolist()):
            remarks.append(doubt)
        else:
            shares |= {
                name: _ratio(found[:, place], found[:, -1]) for place, name in enumerate(columns) if name not in alike
            }
    numbers = [name for name, own in used.items() if own.shape[1] == 1 and pd.api.types.is_numeric_dtype(points[name])]
    effects = {name: _effect_of(name, columns, values) for name in numbers}
    unknown = Interval(math.nan, math.nan, math.nan)
    rows = [
        {
            "factor": name,
            **{f"share{end}": bound for end, bound in _ends(shares[name])},
            **{f"effect{end}": bound for end, bound in _ends(effects.get(name, unknown))},
        }
        for name in columns
    ]
    return Sensitivity(REGRESSION, pd.DataFrame(rows), tuple(remarks))


def _ratio(parts: NDArray[np.float64], wholes: NDArray[np.float64]) -> Interval:
    """Return part / whole, each given with all groups and then without each in turn, with Fieller's interval (1954).

    It holds all ratios r at which part - r x whole may be 0, and is bounded where the whole is surely positive.
    """
    (part, whole), freedom = (parts[0], wholes[0]), len(parts) - 2
    spread = np.cov(parts[1:], wholes[1:], bias=True) * freedom * reach_of(LEVEL, freedom) ** 2
    square, middle = whole**2 - spread[1, 1], part * whole - spread[0, 1]
    reach = math.sqrt(max(middle**2 - square * (part**2 - spread[0, 0]), 0.0))
    return Interval(part / whole, (middle - reach) / square, (middle + reach) / square)


def _ends(interval: Interval) -> tuple[tuple[str, float], ...]:
    return ("", interval.estimate), ("_low", interval.low), ("_high", interval.high)


def _leaving_one_out(values: NDArray[np.float64]) -> list[NDArray[np.float64]]:
    return [np.delete(values, group, axis=0) for group in range(len(values))]


def _shares_of(columns: Mapping[str, NDArray[np.float64]], values: NDArray[np.float64]) -> list[float]:
    """Return what is explained only with each factor, and all there is: sums of squares without the deals' luck."""
    every = _explained(list(columns.values()), values)
    without = [_explained([own for other, own in columns.items() if other != name], values) for name in columns]
    centred = values - values.mean(axis=1, keepdims=True)
    return [*(every - less for less in without), float(_cross(centred, centred).sum())]


def _explained(columns: Sequence[NDArray[np.float64]], values: NDArray[np.float64]) -> float:
    """Return the sum of squares that a regression explains, every square being a product of two groups."""
    matrix = _centred(columns, values.shape[1])
    directions, sizes, _ = np.linalg.svd(matrix, full_matrices=False)
    along = values @ directions[:, sizes > _least(matrix, sizes)]
    return float(_cross(along, along).sum())


def _centred(columns: Sequence[NDArray[np.float64]], rows: int) -> NDArray[np.float64]:
    """Put factors side by side, each taken from its mean and of the same size; without any, a column of 0."""
    matrix = np.concatenate([np.zeros((rows, 1)), *columns], axis=1)
    matrix = matrix - matrix.mean(axis=0)
    size = np.linalg.norm(matrix, axis=0)
    scaled: NDArray[np.float64] = np.divide(matrix, size, out=np.zeros_like(matrix), where=size > 0)
    return scaled


def _least(matrix: NDArray[np.float64], sizes: NDArray[np.float64]) -> float:
    """Return below which size a direction is rounding, as numpy's `matrix_rank` does."""
    return float(sizes.max(initial=0.0) * max(matrix.shape) * np.finfo(np.float64).eps)


def _inseparable(columns: Mapping[str, NDArray[np.float64]]) -> list[str]:
    """Return the factors that vary, but not otherwise than others let one foresee."""

    def rank(chosen: Sequence[NDArray[np.float64]]) -> int:
        return int(np.linalg.matrix_rank(_centred(chosen, len(next(iter(columns.values()))))))

    every = rank(list(columns.values()))
    return [
        name
        for name, own in columns.items()
        if rank([other for key, other in columns.items() if key != name]) + rank([own]) > every
    ]


def _effect_of(name: str, columns: Mapping[str, NDArray[np.float64]], values: NDArray[np.float64]) -> Interval:
    """Return the fitted difference from the least to the greatest value of a factor, by Student's t over groups."""
    own, others = columns[name], [other for key, other in columns.items() if key != name]
    matrix = np.concatenate([np.ones((len(own), 1)), own, *others], axis=1)
    slopes = np.linalg.lstsq(matrix, values.T, rcond=None)[0][1] * float(np.ptp(own))
    groups = len(values)
    error = math.nan if groups < FEWEST_GROUPS else float(np.std(slopes, ddof=1)) / math.sqrt(groups)
    return Interval.around(float(slopes.mean()), reach_of(LEVEL, max(groups - 1, 1)) * error)


def _as_columns(factor: pd.Series) -> NDArray[np.float64]:
    """Return a factor as columns of numbers: itself, or one per word but the first."""
    if pd.api.types.is_numeric_dtype(factor):
        return factor.to_numpy(dtype=np.float64)[:, None]
    words = list(dict.fromkeys(factor))
    return np.array([[float(value == word) for word in words[1:]] for value in factor]).reshape(len(factor), -1)
