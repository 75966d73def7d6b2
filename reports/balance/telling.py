"""Numbers of tidy frames as sections tell them."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, cast

import pandas as pd

from reports.statistics import Interval

Row = dict[str, Any]


def rows_of(frame: pd.DataFrame) -> list[Row]:
    """Return a frame's rows as dictionaries."""
    return cast(list[Row], frame.to_dict(orient="records"))


def columns_of(name: str, interval: Interval) -> Row:
    """Return an interval as the three columns `name`, `name_low` and `name_high`."""
    return {name: interval.estimate, f"{name}_low": interval.low, f"{name}_high": interval.high}


def within(interval: Interval, least: float, most: float) -> Interval:
    """Return an interval without what lies outside the possible."""
    return replace(interval, low=max(least, interval.low), high=min(most, interval.high))


def plus_minus(row: Row, name: str, decimals: int = 1, *, sign: bool = True) -> str:
    """Return a number with half the width of its interval."""
    half = (row[f"{name}_high"] - row[f"{name}_low"]) / 2
    return f"{row[name]:{'+' if sign else ''}.{decimals}f} ± {half:.{decimals}f}"
