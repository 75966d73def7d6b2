"""What sections show on the page: tables, as views of their frames, and figures."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final, TypeAlias

import pandas as pd

from reports.estimates.intervals import Interval
from reports.estimates.measures import Row, interval_from_row, rows_of
from reports.output.canvas import Axes
from reports.output.figures import as_svg, panels
from reports.output.html import PageFigure, PageTable
from reports.output.words import plus_minus, row_with_error

Cell: TypeAlias = str | Callable[[Row], str]
"""What stands in a cell: a text with columns of the row in braces, or a function of the row."""

LEGEND_ON_TOP: Final[dict[str, Any]] = {
    "frameon": False, "fontsize": 8, "loc": "lower left", "bbox_to_anchor": (0, 1), "ncols": 3, "borderaxespad": 0,
}  # fmt: skip


def page_table(csv: str, rows: pd.DataFrame | Sequence[Row], columns: Mapping[str, Cell], texts: int = 1) -> PageTable:
    """Return a table for the page.

    Parameters
    ----------
    csv
        The file of the same numbers, without its ending.
    rows
        What is shown.
    columns
        What stands in each column, by the column's name.
    texts
        How many of the first columns hold texts.
    """
    found = rows_of(rows) if isinstance(rows, pd.DataFrame) else rows
    cells = tuple(
        tuple(cell.format(**row) if isinstance(cell, str) else cell(row) for cell in columns.values()) for row in found
    )
    return PageTable(tuple(columns), cells, texts, f"{csv}.csv")


def estimated(name: str, write: Callable[[Interval], str] = plus_minus) -> Cell:
    """Show a number with its interval, as one of `reports.output.words` writes it."""
    return lambda row: write(interval_from_row(row, name))


def cell_with_error(name: str, decimals: int = 1, *, sign: bool = True) -> Cell:
    """Show a number with half the width of its interval."""
    return lambda row: row_with_error(row, name, decimals, sign=sign)


def page_figure(
    name: str, draw: Callable[..., None], shows: str, title: str, note: str, *, csv: str = "", columns: int = 1,
    width: float = 7.2, height: float = 3.6, sharey: bool = True,
) -> PageFigure:  # fmt: skip
    """Draw a figure for the page.

    Parameters
    ----------
    name
        What its file is called, and that of its numbers unless `csv` says otherwise.
    draw
        Draws on the panels that it is handed.
    shows, title, note
        What is drawn, for those who cannot see it; what it shows, above it; what it rests on, below it.
    columns, width, height, sharey
        As for `reports.output.figures.panels`.
    """
    with panels(columns, title, note, width=width, height=height, sharey=sharey) as (figure, axes):
        draw(*axes)
    return PageFigure(name, as_svg(figure), f"{shows}. {title.removesuffix('.')}.", csv=f"{csv or name}.csv")


def draw_bars(
    panel: Axes, numbers: Sequence[Interval], colours: Sequence[str], linewidth: float, markersize: float
) -> None:
    """Draw intervals as thick bars, one below the other, a dot at each estimate."""
    for place, (number, colour) in enumerate(zip(numbers, colours, strict=True)):
        panel.plot([number.low, number.high], [place, place], color=colour, linewidth=linewidth)
        panel.plot([number.estimate], [place], "o", color=colour, markersize=markersize)


def draw_errors(
    panel: Axes,
    places: Sequence[float],
    numbers: Sequence[Interval],
    *,
    flat: bool = False,
    **style: Any,
) -> None:
    """Draw estimates with thin bars for their intervals: upright, or flat where the places go down the panel."""
    estimates, reach = [number.estimate for number in numbers], [number.half_width for number in numbers]
    drawn = {"markersize": 4.5, "capsize": 2, **style}
    if flat:
        panel.errorbar(estimates, places, xerr=reach, **drawn)
    else:
        panel.errorbar(places, estimates, yerr=reach, **drawn)
