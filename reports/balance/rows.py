"""Numbers of tidy frames as sections tell them."""

from __future__ import annotations

from reports.estimates.measures import Row


def plus_minus(row: Row, name: str, decimals: int = 1, *, sign: bool = True) -> str:
    """Return a number with half the width of its interval."""
    half = (row[f"{name}_high"] - row[f"{name}_low"]) / 2
    return f"{row[name]:{'+' if sign else ''}.{decimals}f} ± {half:.{decimals}f}"
