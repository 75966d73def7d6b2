"""Numbers with intervals as columns and rows of tidy frames, and back."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, cast

import pandas as pd

from reports.estimates.intervals import Interval


@dataclass(frozen=True)
class Measure:
    """A number that games give: its name in files, how people read it, and its unit."""

    name: str
    label: str
    unit: str


def bounds_columns(name: str, interval: Interval) -> dict[str, float]:
    """Return an interval in three columns: `name`, `name_low`, `name_high`."""
    return {name: interval.estimate, f"{name}_low": interval.low, f"{name}_high": interval.high}


def interval_columns(measure: Measure, interval: Interval) -> dict[str, float]:
    """Return the three columns of a number with an interval."""
    return bounds_columns(measure.name, interval)


def columns_of(numbers: Mapping[Measure, Interval]) -> dict[str, float]:
    """Return the columns of several numbers with an interval (see `interval_columns`)."""
    return {name: value for one in numbers.items() for name, value in interval_columns(*one).items()}


def interval_from_row(row: Mapping[str, Any], measure: Measure) -> Interval:
    """Return the interval that a row holds in the columns of `interval_columns`."""
    return Interval(row[measure.name], row[f"{measure.name}_low"], row[f"{measure.name}_high"])


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


def records(frame: pd.DataFrame) -> list[dict[str, Any]]:
    """Return the rows of a frame."""
    rows: list[dict[str, Any]] = frame.to_dict(orient="records")  # type: ignore[assignment]
    return rows


def plain_records(frame: pd.DataFrame) -> list[dict[str, Any]]:
    """Return the rows of a frame as plain data, for JSON; a number that is not there is null."""
    return records(frame.astype(object).where(frame.notna(), None))


Row = dict[str, Any]


def rows_of(frame: pd.DataFrame) -> list[Row]:
    """Return a frame's rows as dictionaries."""
    return cast(list[Row], frame.to_dict(orient="records"))
