"""What all figures share: colours, marks, sizes, and writing them as SVG and PNG."""

from __future__ import annotations

import io
import textwrap
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Final, Literal, TypedDict

from reports.estimates.intervals import Interval
from reports.output.canvas import Axes, Figure, FigureCanvasAgg, own_style

OKABE_ITO: Final = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#000000", "#8C6D31")
"""Colours that people with any kind of colour vision tell apart (the last one added for an eighth table size)."""

MARKERS: Final = "osD^vPX*"
GREY: Final = "#555555"
DASHED: Final = (0, (4, 3))
LETTERS_PER_INCH: Final = 12.5


class _Place(TypedDict):
    loc: Literal["upper left"]
    bbox_to_anchor: tuple[float, float]
    borderaxespad: float


BESIDE: Final[_Place] = {"loc": "upper left", "bbox_to_anchor": (1.01, 1), "borderaxespad": 0}
"""Puts a legend beside its panel. Where it fits best inside is a search, which warns on a slow machine."""


def figure_files(figures: Mapping[str, Figure]) -> dict[str, bytes]:
    """Return each figure as SVG and as PNG, by the name of the file."""
    files: dict[str, bytes] = {}
    for name, figure in figures.items():
        files |= {f"{name}.svg": as_svg(figure), f"{name}.png": as_png(figure)}
    return files


def as_svg(figure: Figure) -> bytes:
    """Return a figure as SVG; the same figure gives the same bytes."""
    return _saved(figure, "svg", {"Date": None})


def as_png(figure: Figure) -> bytes:
    """Return a figure as PNG; the same figure gives the same bytes."""
    return _saved(figure, "png", {})


def _saved(figure: Figure, kind: str, metadata: dict[str, None]) -> bytes:
    target = io.BytesIO()
    with own_style():
        figure.savefig(target, format=kind, dpi=160, metadata=metadata)
    return target.getvalue()


@contextmanager
def drawing(width: float, height: float) -> Iterator[Figure]:
    """Draw on a figure in the style of all figures."""
    with own_style():
        figure = Figure(figsize=(width, height), layout="constrained")
        FigureCanvasAgg(figure)
        yield figure


@contextmanager
def one_panel(width: float, height: float) -> Iterator[tuple[Figure, Axes]]:
    """Draw on a figure of one panel."""
    with drawing(width, height) as figure:
        yield figure, figure.subplots()


@contextmanager
def panels(
    columns: int, finding: str, note: str, *, width: float = 7.2, height: float = 3.6, sharey: bool = True
) -> Iterator[tuple[Figure, list[Axes]]]:
    """Draw on some panels side by side, the finding above them and what they rest on below."""
    with drawing(width, height) as figure:
        axes = figure.subplots(1, columns, squeeze=False, sharey=sharey)
        yield figure, list(axes.flat)
        title = "\n".join(textwrap.wrap(finding, int(width * LETTERS_PER_INCH * 0.9)))
        figure.suptitle(title, fontsize=10.5, fontweight="bold", ha="left", x=0.01)
        below = "\n".join(textwrap.wrap(note, int(width * LETTERS_PER_INCH * 1.3)))
        figure.supxlabel(below, fontsize=7.8, color=GREY, ha="left", x=0.01)


def draw_grid(panel: Axes, axis: Literal["x", "y"]) -> None:
    """Draw pale lines below everything else."""
    panel.grid(axis=axis, color="#dddddd", linewidth=0.6)
    panel.set_axisbelow(True)


def draw_line(panel: Axes, line: int, places: Sequence[float], numbers: Sequence[Interval], label: str) -> None:
    """Draw numbers with a band for their intervals; `line` says which colour and mark."""
    colour = OKABE_ITO[line % len(OKABE_ITO)]
    lows, highs = [number.low for number in numbers], [number.high for number in numbers]
    panel.fill_between(places, lows, highs, color=colour, alpha=0.2, linewidth=0)
    estimates = [number.estimate for number in numbers]
    panel.plot(places, estimates, color=colour, marker=MARKERS[line % len(MARKERS)], markersize=4, label=label)
