"""Numbers with intervals as columns and rows of tidy frames, and back."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeAlias, cast

from reports.estimates.intervals import Interval

if TYPE_CHECKING:
    import pandas as pd

Row: TypeAlias = dict[str, Any]
"""One row of a frame: a value by column."""


@dataclass(frozen=True)
class Measure:
    """A number that games give: its name in files, how people read it, and its unit."""

    name: str
    label: str
    unit: str


def bounds_columns(name: str, interval: Interval) -> dict[str, float]:
    """Return an interval in three columns: `name`, `name_low`, `name_high`."""
    return {name: interval.estimate, f"{name}_low": interval.low, f"{name}_high": interval.high}


def columns_of(numbers: Mapping[Measure, Interval]) -> dict[str, float]:
    """Return the columns of several numbers with an interval (see `bounds_columns`)."""
    columns: dict[str, float] = {}
    for measure, interval in numbers.items():
        columns |= bounds_columns(measure.name, interval)
    return columns


def interval_from_row(row: Row, name: str) -> Interval:
    """Return the interval that a row holds in the columns of `bounds_columns`."""
    return Interval(row[name], row[f"{name}_low"], row[f"{name}_high"])


def number_columns(measure: Measure, interval: Interval) -> dict[str, object]:
    """Return one number as the columns of a row of its own: measure, unit, estimate, low, high, level."""
    return {
        "measure": measure.name,
        "unit": measure.unit,
        "estimate": interval.estimate,
        "low": interval.low,
        "high": interval.high,
        "level": interval.level,
    }


def rows_of(frame: pd.DataFrame) -> list[Row]:
    """Return the rows of a frame."""
    return cast(list[Row], frame.to_dict(orient="records"))


def plain_rows(frame: pd.DataFrame) -> list[Row]:
    """Return the rows of a frame as plain data; what JSON has no number for is null."""
    finite = frame.astype(object).where(frame.notna() & ~frame.isin([math.inf, -math.inf]), None)
    return rows_of(finite)
