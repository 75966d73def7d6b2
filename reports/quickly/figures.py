"""Figures of That Escalated Quickly."""

from __future__ import annotations

import textwrap
from typing import Final, NamedTuple

import numpy as np
import pandas as pd

from reports.estimates.intervals import PLANNED
from reports.estimates.measures import Measure, interval_from_row, rows_of
from reports.output.canvas import Figure
from reports.output.figures import BESIDE, GREY, draw_line, one_panel
from strategies.parameters import Parameter

CELL: Final = 0.55
"""Inches across of a cell of a heatmap."""


def plot_sweep(settings: pd.DataFrame, known: Parameter, measure: Measure, basis: str) -> Figure:
    """Plot a measure against one varied parameter, averaged over the others, a line per number of players.

    Parameters
    ----------
    settings
        One row per setting, with columns players, the parameter, and the measure with its bounds.
    known
        The parameter.
    measure
        What to plot.
    basis
        What the numbers rest on, for the note below.
    """
    columns = [measure.name, f"{measure.name}_low", f"{measure.name}_high"]
    averaged = settings.groupby(["players", known.name], as_index=False)[columns].mean()
    with one_panel(6.4, 4.4) as (figure, panel):
        for line, (players, rows) in enumerate(averaged.groupby("players")):
            numbers = [interval_from_row(row, measure.name) for row in rows_of(rows)]
            draw_line(panel, line, list(rows[known.name]), numbers, f"{players} players")
        if known.choices:
            panel.set_xticks(range(len(known.choices)), known.choices)
        panel.set_xlabel(f"{known.name} ({known.unit})\n" + "\n".join(textwrap.wrap(known.meaning, 70)))
        panel.set_ylabel(measure.unit)
        panel.legend(frameon=False, fontsize=9, **BESIDE)
        panel.grid(axis="y", color="#dddddd", linewidth=0.6)
        panel.set_title(f"{measure.label.capitalize()} by {known.name}", fontweight="bold", loc="left")
        figure.supxlabel(f"Bands: 95%, {PLANNED}. {basis}.", fontsize=7.8, color=GREY)
    return figure


class Axis(NamedTuple):
    """One of the two directions of a heatmap: the column it shows, and what stands beside it."""

    column: str
    label: str


def plot_grid(frame: pd.DataFrame, across: Axis, upwards: Axis, values: str, title: str, note: str) -> Figure:
    """Plot numbers over two things as a heatmap with the numbers written in.

    Parameters
    ----------
    frame
        One row per cell, with the three columns named next.
    across, upwards
        The two things.
    values
        The column of the number, which is written without decimals.
    title, note
        What it shows, and what the numbers are and rest on.
    """
    cells = frame.pivot_table(index=upwards.column, columns=across.column, values=values)
    shown = cells.to_numpy(dtype=np.float64)
    width = max(5.0, CELL * shown.shape[1] + 1.2)
    lines = textwrap.wrap(title, int(width * 11))
    below = textwrap.wrap(note, int(width * 15))
    height = 0.38 * shown.shape[0] + 0.7 + 0.18 * (len(lines) + len(below))
    with one_panel(width, height) as (figure, panel):
        panel.imshow(shown, cmap="cividis", origin="lower", aspect="auto")
        middle = (np.nanmin(shown) + np.nanmax(shown)) / 2
        for (row, column), value in np.ndenumerate(shown):
            if not np.isnan(value):
                colour = "black" if value > middle else "white"
                panel.text(column, row, f"{value:.0f}", ha="center", va="center", color=colour)
        panel.set_xticks(range(shown.shape[1]), [f"{value:g}" for value in cells.columns])
        panel.set_yticks(range(shown.shape[0]), [f"{value:g}" for value in cells.index])
        panel.tick_params(length=0)
        panel.set_xlabel(across.label)
        panel.set_ylabel(upwards.label)
        figure.suptitle("\n".join(lines), fontweight="bold", fontsize=10, x=0.01, ha="left")
        figure.supxlabel("\n".join(below), fontsize=7.8, color=GREY)
    return figure
