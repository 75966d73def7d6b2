"""What the figures of the balance report share."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

import matplotlib as mpl
from matplotlib.axes import Axes
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure

from reports.plots import GREY, STYLE

LETTERS_PER_INCH: Final = 12.5


@contextmanager
def panels(
    columns: int, finding: str, note: str, *, width: float = 7.2, height: float = 3.6, sharey: bool = True
) -> Iterator[tuple[Figure, list[Axes]]]:
    """Draw on some panels side by side, the finding above them and what they rest on below."""
    with mpl.rc_context(STYLE):  # type: ignore[arg-type]
        figure = Figure(figsize=(width, height), layout="constrained")
        FigureCanvasAgg(figure)
        axes = figure.subplots(1, columns, squeeze=False, sharey=sharey)
        yield figure, list(axes.flat)
        title = "\n".join(textwrap.wrap(finding, int(width * LETTERS_PER_INCH * 0.9)))
        figure.suptitle(title, fontsize=10.5, fontweight="bold", ha="left", x=0.01)
        below = "\n".join(textwrap.wrap(note, int(width * LETTERS_PER_INCH * 1.3)))
        figure.supxlabel(below, fontsize=7.8, color=GREY, ha="left", x=0.01)
