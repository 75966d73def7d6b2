"""What the figures of a balance report share: a finding as title, and a way onto the page."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

import matplotlib as mpl
from matplotlib.axes import Axes
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure

from reports.plots import STYLE

WIDTH: Final = 7.2
TITLE_COLUMNS: Final = 74


@contextmanager
def canvas(finding: str, height: float, panels: int = 1) -> Iterator[tuple[Figure, list[Axes]]]:
    """Make a figure in the project's style whose title states its finding.

    Parameters
    ----------
    finding
        One plain sentence.
    height
        Of the drawing below the title, in inches.
    panels
        Side by side.

    Yields
    ------
    figure, axes
        To be drawn on within the `with` block.
    """
    title = textwrap.fill(finding, TITLE_COLUMNS)
    with mpl.rc_context(STYLE):  # type: ignore[arg-type]
        figure = Figure(figsize=(WIDTH, height + 0.2 * (title.count("\n") + 1)), layout="constrained")
        FigureCanvasAgg(figure)
        axes = list(figure.subplots(1, panels, squeeze=False).flat)
        figure.suptitle(title, x=0.01, ha="left", fontsize=10.5, fontweight="bold")
        for panel in axes:
            panel.grid(axis="both", color="#e4e4e4", linewidth=0.6)
            panel.set_axisbelow(True)
        yield figure, axes
