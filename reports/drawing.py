"""Parts of figures that questions of either game share."""

from __future__ import annotations

from collections.abc import Sequence

from matplotlib.axes import Axes
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure

from reports.plots import MARKERS, OKABE_ITO
from reports.statistics import Interval


def new_figure(width: float, height: float) -> tuple[Figure, Axes]:
    """Return an empty figure of one panel."""
    figure = Figure(figsize=(width, height), layout="constrained")
    FigureCanvasAgg(figure)
    return figure, figure.subplots()


def draw_line(panel: Axes, line: int, places: Sequence[float], numbers: Sequence[Interval], label: str) -> None:
    """Draw numbers with a band for their intervals; `line` says which colour and mark."""
    colour = OKABE_ITO[line % len(OKABE_ITO)]
    panel.fill_between(
        places, [one.low for one in numbers], [one.high for one in numbers], color=colour, alpha=0.2, linewidth=0
    )
    estimates = [one.estimate for one in numbers]
    panel.plot(places, estimates, color=colour, marker=MARKERS[line % len(MARKERS)], markersize=4, label=label)
