"""Figures of a sweep: each says in its title what it shows, and below what it rests on."""

from __future__ import annotations

import textwrap
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from itertools import combinations
from typing import Final

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from reports.estimates.intervals import PLANNED
from reports.estimates.measures import Measure
from reports.estimates.spread_over_blocks import OVER_BLOCKS
from reports.output.canvas import Axes, AxesImage, ConstrainedLayoutEngine, Figure, Normalize, Rectangle
from reports.output.figures import DASHED, GREY, MARKERS, OKABE_ITO, draw_grid, drawing
from reports.reading.values import Value, Variation, shown
from reports.simulation.summary import BEHAVIOUR, WINS
from reports.sweep.effects import (
    HIGH_IS_GOOD,
    averaged,
    best_word,
    main_effects,
    main_finding,
    pair_finding,
    sensitivity_finding,
    sensitivity_of,
    varied,
)
from reports.sweep.plan import SweepResult

PANELS_PER_ROW: Final = 3
MOST_TICKS: Final = 11
MOST_CELLS_WITH_NUMBERS: Final = 130
UNEVEN: Final = 20
"""Values are spaced evenly instead of to scale if one gap is so many times another."""


_HEIGHT_ABOVE: Final = 0.78
_HEIGHT_OF_LINE: Final = 0.135
_HEIGHT_BETWEEN: Final = 0.25


def plot_main_effects(result: SweepResult, measure: Measure) -> Figure:
    """Plot a measure against each varied parameter, averaged over the others, with 95% bands.

    Parameters
    ----------
    result
        A sweep in which at least one parameter takes more than one value.
    measure
        What to plot; wins are shown as the difference from an equal share.

    Returns
    -------
    matplotlib.figure.Figure
        A panel per varied parameter, a line per player count.
    """
    variations = varied(result)
    effects = main_effects(result, measure)
    others = {"grid": "Each line averages over the other parameters. "}.get(
        result.plan.design.kind, "The other parameters have their base values. "
    )
    averaging = others if len(variations) > 1 else ""
    note = f"{averaging}Bands: 95%, {OVER_BLOCKS if measure in BEHAVIOUR.values() else PLANNED}."
    framed = _framed(
        result, main_finding(result, measure), note, len(variations), width=4.4, height=3.3, left=_axis_label(measure)
    )
    with framed as (figure, panels):
        for panel, variation in zip(panels, variations, strict=True):
            _draw_effect(panel, effects[effects["parameter"] == variation.name], variation, measure)
        if len(result.plan.player_counts) > 1:
            right = panels[min(len(panels), PANELS_PER_ROW) - 1]
            right.legend(frameon=False, fontsize=9, loc="upper left", bbox_to_anchor=(1.02, 1), borderaxespad=0)
    return figure


def _draw_effect(panel: Axes, effects: pd.DataFrame, variation: Variation, measure: Measure) -> None:
    places = _places(variation, list(effects["value"]))
    if measure == WINS:
        panel.axhline(0, color=GREY, linewidth=0.8, linestyle=DASHED)
    for line, (players, own) in enumerate(effects.groupby("players")):
        colour, marker = OKABE_ITO[line], MARKERS[line]
        at = [places[value] for value in own["value"]]
        shift = _equal_share(measure, int(str(players)))
        dense = len(at) > MOST_TICKS * 2
        panel.fill_between(at, own["low"] - shift, own["high"] - shift, color=colour, alpha=0.22, linewidth=0)
        panel.plot(
            at,
            own["estimate"] - shift,
            color=colour,
            marker=None if dense else marker,
            markersize=4.5,
            linewidth=1.6,
            label=f"{players} players",
        )
    chosen = variation.ordered[:: _step(variation)]
    panel.set_xticks([places[value] for value in chosen], [shown(value) for value in chosen])
    meaning = "\n".join(textwrap.wrap(variation.factor.meaning, 52))
    panel.set_xlabel(f"{_with_unit(variation)}\n{meaning}")
    draw_grid(panel, "y")


def plot_pair(result: SweepResult, measure: Measure, first: str, second: str) -> Figure:
    """Plot a measure over two parameters, averaged over any others, as one heatmap per player count.

    Parameters
    ----------
    result
        A sweep in which both parameters take more than one value.
    measure
        What to plot; wins are shown as the difference from an equal share.
    first, second
        The parameters: across and upwards.
    """
    across, upwards = (next(v for v in result.plan.variations if v.name == name) for name in (first, second))
    cells = averaged(result, measure, [first, second])
    cells["shown"] = cells["estimate"] - [_equal_share(measure, players) for players in cells["players"]]
    scale = Normalize(cells["shown"].min(), cells["shown"].max())
    counts = result.plan.player_counts
    width, height = max(3.0, 0.42 * len(across.values) + 1.2), max(2.6, 0.3 * len(upwards.values) + 1.2)
    others = "Averaged over the other parameters. " if len(varied(result)) > len((first, second)) else ""
    finding, note = pair_finding(result, measure, first, second), others + _mark(result, measure)
    left = _with_unit(upwards)
    framed = _framed(result, finding, note, len(counts), width=min(width, 6), height=min(height, 6), left=left)
    with framed as (figure, panels):
        for panel, players in zip(panels, counts, strict=True):
            own = cells[cells["players"] == players].pivot_table(index=second, columns=first, values="shown")
            own = own.reindex(index=upwards.ordered, columns=across.ordered)
            image = _draw_cells(panel, own.to_numpy(), scale, measure)
            _value_ticks(panel.set_xticks, across)
            _value_ticks(panel.set_yticks, upwards)
            panel.tick_params(length=0)
            panel.set_title(f"{players} players")
            panel.set_xlabel(_with_unit(across))
        figure.colorbar(image, ax=panels, label=_axis_label(measure), fraction=0.04, pad=0.02)
    return figure


def _draw_cells(panel: Axes, cells: NDArray[np.float64], scale: Normalize, measure: Measure) -> AxesImage:
    image = panel.imshow(cells, cmap="cividis", norm=scale, origin="lower", aspect="auto")
    if cells.size <= MOST_CELLS_WITH_NUMBERS:
        decimals = 1 if scale.vmax - scale.vmin >= 1 else 2  # type: ignore[operator]
        middle = (scale.vmin + scale.vmax) / 2  # type: ignore[operator]
        for (row, column), value in np.ndenumerate(cells):
            colour = "black" if value > middle else "white"
            panel.text(column, row, f"{value:.{decimals}f}", ha="center", va="center", color=colour, fontsize=7.5)
    best = np.nanargmax(cells) if HIGH_IS_GOOD.get(measure, True) else np.nanargmin(cells)
    row, column = np.unravel_index(best, cells.shape)
    corner = (float(column) - 0.5, float(row) - 0.5)
    panel.add_patch(Rectangle(corner, 1, 1, fill=False, edgecolor=OKABE_ITO[1], linewidth=2))
    for side in panel.spines.values():
        side.set_visible(False)
    return image


def plot_tornado(result: SweepResult, measure: Measure) -> Figure:
    """Plot how much each thing that varies matters, most important on top, one panel per player count.

    Parameters
    ----------
    result
        A sweep in which several things vary.
    measure
        What they matter for.
    """
    found = sensitivity_of(result, measure)
    sobol = "total" in found.table
    column = "total" if sobol else "share"
    note = " ".join([_TORNADO_NOTES[sobol], *(f"{remark[0].upper()}{remark[1:]}." for remark in found.remarks)])
    order = found.table.groupby("factor", sort=False)[column].mean().sort_values(kind="stable").index
    counts = list(dict.fromkeys(found.table["players"]))
    finding, height = sensitivity_finding(result, measure), max(1.6, 0.34 * len(order) + 0.9)
    with _framed(result, finding, note, len(counts), width=4.2, height=height) as (figure, panels):
        for panel, players in zip(panels, counts, strict=True):
            own = found.table[found.table["players"] == players].set_index("factor").loc[order]
            places = np.arange(len(order))
            panel.barh(places, own[column], color=OKABE_ITO[5], height=0.62, label="total" if sobol else None)
            reach = [own[column] - own[f"{column}_low"], own[f"{column}_high"] - own[column]]
            panel.errorbar(own[column], places, xerr=reach, fmt="none", ecolor=GREY, capsize=2, linewidth=1)
            if sobol:
                panel.plot(own["first_order"], places, "D", color=OKABE_ITO[1], markersize=4, label="alone")
            panel.set_yticks(places, list(order))
            panel.set_title(f"{players} players")
            panel.set_xlabel("share of the variance between points")
        if sobol:
            panels[0].legend(frameon=False, fontsize=8, loc="lower right")
    return figure


_TORNADO_NOTES: Final = {
    True: "Bars: with all interplay (total); diamonds: alone (first order). Lines: 95% intervals of the totals.",
    False: "Bars: what a linear regression explains only with it (no curves, no interplay). Lines: 95% intervals.",
}


def plot_players(result: SweepResult, measure: Measure) -> Figure:
    """Plot a measure over table size and each varied parameter, one heatmap per parameter.

    Parameters
    ----------
    result
        A sweep at several table sizes.
    measure
        What to plot; wins are shown as the difference from an equal share.
    """
    variations = varied(result)
    counts = sorted(result.plan.player_counts)
    effects = main_effects(result, measure)
    effects["shown"] = effects["estimate"] - [_equal_share(measure, players) for players in effects["players"]]
    scale = Normalize(effects["shown"].min(), effects["shown"].max())
    finding, note, height = main_finding(result, measure), _mark(result, measure), 0.36 * len(counts) + 1.4
    framed = _framed(result, finding, note, len(variations), width=4.4, height=height, left="players")
    with framed as (figure, panels):
        for panel, variation in zip(panels, variations, strict=True):
            own = effects[effects["parameter"] == variation.name]
            cells = own.pivot_table(index="players", columns="value", values="shown")
            cells = cells.reindex(index=counts, columns=variation.ordered)
            image = _draw_cells(panel, cells.to_numpy(), scale, measure)
            _value_ticks(panel.set_xticks, variation)
            panel.set_yticks(range(len(counts)), [str(players) for players in counts])
            panel.tick_params(length=0)
            panel.set_xlabel(_with_unit(variation))
        figure.colorbar(image, ax=panels, label=_axis_label(measure), fraction=0.04, pad=0.02)
    return figure


def sweep_figures(result: SweepResult) -> dict[str, Figure]:
    """Return every figure of a sweep by name.

    Of a grid: main effects, and a heatmap per pair. At several table sizes: each parameter by table size. Where several
    things vary, and there are games enough to tell: how much each matters.
    """
    figures: dict[str, Figure] = {}
    if len(result.plan.variations) > 1 and result.by_group:
        for measure in result.measures:
            figures[f"tornado_{measure.name}"] = plot_tornado(result, measure)
    if not varied(result):
        return figures
    if len(result.plan.player_counts) > 1:
        for measure in result.measures:
            figures[f"players_{measure.name}"] = plot_players(result, measure)
    for measure in result.measures:
        figures[f"main_effects_{measure.name}"] = plot_main_effects(result, measure)
    names = [variation.name for variation in varied(result)]
    for first, second in combinations(names if result.plan.design.kind == "grid" else [], 2):
        figures[f"heatmap_{first}_{second}"] = plot_pair(result, result.measures[0], first, second)
    return figures


# --- Parts that figures share --------------------------------------------------------------------------------------


@contextmanager
def _framed(
    result: SweepResult, finding: str, note: str, number: int, *, width: float, height: float, left: str = ""
) -> Iterator[tuple[Figure, list[Axes]]]:
    """Draw on so many panels, a few per row; `left` labels the leftmost ones."""
    columns = min(number, PANELS_PER_ROW)
    rows = -(-number // columns)
    with drawing(max(width * columns, 6.4), height * rows + _HEIGHT_ABOVE) as figure:
        panels = list(figure.subplots(rows, columns, squeeze=False, sharey=True).flat)
        yield figure, panels[:number]
        for unused in panels[number:]:
            unused.remove()
        if left:
            for leftmost in panels[:number:columns]:
                leftmost.set_ylabel(left)
        _frame(figure, finding, note, result)


def _frame(figure: Figure, title: str, note: str, result: SweepResult) -> None:
    """Write the finding above and, in room added for it, what it rests on below; then settle the layout."""
    width, height = (float(inches) for inches in figure.get_size_inches())
    lines = [line for part in (note, _basis(result)) for line in textwrap.wrap(part, int(width * 15.5))]
    below = _HEIGHT_OF_LINE * len(lines) + _HEIGHT_BETWEEN
    height += below
    figure.set_size_inches(width, height)
    headline, _, detail = title.partition("\n")
    headline_size, detail_size = min(13.0, 115 * width / len(headline)), min(10.5, 128 * width / max(len(detail), 1))
    left = 0.15 / width
    figure.text(left, 1 - 0.16 / height, headline, va="top", fontsize=headline_size, fontweight="bold")
    figure.text(left, 1 - 0.45 / height, detail, va="top", fontsize=detail_size, color=GREY)
    figure.text(left, 0.12 / height, "\n".join(lines), va="bottom", fontsize=7.8, color=GREY)
    inner = (0.01, below / height, 0.98, 1 - (below + _HEIGHT_ABOVE) / height)
    figure.set_layout_engine(ConstrainedLayoutEngine(rect=inner, wspace=0.04, hspace=0.06))
    # The layout is settled once, here: it would move a little with every drawing.
    figure.draw_without_rendering()
    figure.set_layout_engine("none")


def _basis(result: SweepResult) -> str:
    played = result.provenance
    who = "everybody varies" if result.plan.who == "all" else f"opponents: {result.plan.opponents}"
    parts = [
        f"{played.games:,} games per setting",
        who,
        f"deck {played.deck}",
        *([f"rules: {played.rules}"] if played.rules else []),
        f"seed {played.seed}",
        f"kernel version {played.kernel_version}",
    ]
    return " · ".join(parts)


def _equal_share(measure: Measure, players: int) -> float:
    """Return what wins are compared with: everybody's share if all were equally good."""
    return 100 / players if measure == WINS else 0.0


def _axis_label(measure: Measure) -> str:
    return "wins per 100 games\nabove an equal share" if measure == WINS else measure.unit


def _mark(result: SweepResult, measure: Measure) -> str:
    return f"The framed cell is the {best_word(result, measure)} of its panel."


def _with_unit(variation: Variation) -> str:
    return f"{variation.name} ({variation.unit})" if variation.unit else variation.name


def _places(variation: Variation, drawn: Sequence[Value]) -> dict[Value, float]:
    """Return where each value goes on an axis: to scale, or evenly spaced for words and very unequal gaps."""
    # One at a time, the base is drawn, too, and need not be among the values.
    every: list[Value] = list(dict.fromkeys([*variation.ordered, *drawn]))
    if not variation.words:
        numbers = sorted(float(value) for value in every)
        gaps = np.diff(numbers)
        if gaps.max() <= UNEVEN * gaps.min():
            return {number: number for number in numbers}
        every = list(numbers)
    return {value: float(place) for place, value in enumerate(every)}


def _step(variation: Variation) -> int:
    """Return which values get a tick: every first, second, third, ..."""
    return -(-len(variation.values) // MOST_TICKS)


def _value_ticks(set_ticks: Callable[..., object], variation: Variation) -> None:
    """Write the values beside evenly spaced cells."""
    step = _step(variation)
    set_ticks(range(0, len(variation.values), step), [shown(value) for value in variation.ordered[::step]])
