"""Figures of That Escalated Quickly."""

from __future__ import annotations

import textwrap
from collections.abc import Sequence

import matplotlib as mpl
import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure

from reports.answer_plots import VERDICT_COLOURS
from reports.frames import Measure
from reports.plots import BESIDE, GREY, MARKERS, OKABE_ITO, STYLE
from reports.statistics import PLANNED
from reports.verdict import Measured
from strategies.parameters import Parameter


def new_figure(width: float, height: float) -> tuple[Figure, Axes]:
    """Return an empty figure of one panel."""
    figure = Figure(figsize=(width, height), layout="constrained")
    FigureCanvasAgg(figure)
    return figure, figure.subplots()


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
    with mpl.rc_context(STYLE):  # type: ignore[arg-type]
        figure, panel = new_figure(6.4, 4.4)
        for line, (players, one) in enumerate(averaged.groupby("players")):
            colour = OKABE_ITO[line]
            panel.fill_between(one[known.name], one[columns[1]], one[columns[2]], color=colour, alpha=0.22, linewidth=0)
            panel.plot(
                one[known.name], one[measure.name], color=colour, marker=MARKERS[line], markersize=4.5,
                label=f"{players} players",
            )  # fmt: skip
        if known.choices:
            panel.set_xticks(range(len(known.choices)), known.choices)
        panel.set_xlabel(f"{known.name} ({known.unit})\n" + "\n".join(textwrap.wrap(known.meaning, 70)))
        panel.set_ylabel(measure.unit)
        panel.legend(frameon=False, fontsize=9, **BESIDE)
        panel.grid(axis="y", color="#dddddd", linewidth=0.6)
        panel.set_title(f"{measure.label.capitalize()} by {known.name}", fontweight="bold", loc="left")
        figure.supxlabel(f"Bands: 95%, {PLANNED}. {basis}.", fontsize=7.8, color=GREY)
    return figure


def plot_tables(measured: Sequence[tuple[str, Measured]], margin: float) -> Figure:
    """Plot an effect with its interval at each table, beside the margin within which it does not matter.

    Parameters
    ----------
    measured
        The effect at each table, with words for it.
    margin
        The greatest effect that does not matter, in wins per 100 games.
    """
    with mpl.rc_context(STYLE):  # type: ignore[arg-type]
        figure, panel = new_figure(7.2, 0.9 + 0.35 * len(measured))
        panel.axvspan(-margin, margin, color="#000000", alpha=0.07, linewidth=0)
        panel.axvline(0, color=GREY, linewidth=0.8)
        for place, (_, one) in enumerate(measured):
            colour, wins = VERDICT_COLOURS[one.answer], one.wins
            panel.plot([wins.low, wins.high], [place, place], color=colour, linewidth=2.5)
            panel.plot([wins.estimate], [place], color=colour, marker="o", markersize=6)
        panel.set_yticks(range(len(measured)), [words for words, _ in measured])
        panel.set_ylim(len(measured) - 0.5, -0.5)
        panel.set_xlabel("games won per 100, with the change less without it")
        panel.grid(axis="x", color="#dddddd", linewidth=0.6)
        panel.set_axisbelow(True)
    return figure


def plot_grid(frame: pd.DataFrame, across: str, upwards: str, values: str, title: str, note: str) -> Figure:
    """Plot numbers over two things as a heatmap with the numbers written in.

    Parameters
    ----------
    frame
        One row per cell, with the three columns named next.
    across, upwards, values
        Columns: the two things, and the number, which is written without decimals.
    title, note
        What it shows, and what it rests on.
    """
    cells = frame.pivot_table(index=upwards, columns=across, values=values)
    shown = cells.to_numpy(dtype=np.float64)
    with mpl.rc_context(STYLE):  # type: ignore[arg-type]
        figure, panel = new_figure(max(5.0, 0.75 * shown.shape[1] + 1.5), 0.45 * shown.shape[0] + 1.8)
        panel.imshow(shown, cmap="cividis", origin="lower", aspect="auto")
        middle = (np.nanmin(shown) + np.nanmax(shown)) / 2
        for (row, column), value in np.ndenumerate(shown):
            colour = "black" if value > middle else "white"
            panel.text(column, row, f"{value:.0f}", ha="center", va="center", color=colour, fontsize=8.5)
        panel.set_xticks(range(shown.shape[1]), [f"{value:g}" for value in cells.columns])
        panel.set_yticks(range(shown.shape[0]), [f"{value:g}" for value in cells.index])
        panel.tick_params(length=0)
        panel.set_xlabel(across)
        panel.set_ylabel(upwards)
        panel.set_title("\n".join(textwrap.wrap(title, 70)), fontweight="bold", loc="left")
        figure.supxlabel(note, fontsize=7.8, color=GREY)
    return figure
