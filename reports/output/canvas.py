"""Matplotlib, whatever surrounds it: the one module that imports it.

All figures are drawn on its defaults and the style of this project, without pyplot and without a backend for a screen.
What a file of settings (`matplotlibrc`) in the folder or at home says, or MPLBACKEND, does not matter, right or wrong.
"""

# ruff: noqa: E402

from __future__ import annotations

import logging
import os
import sys
import warnings
from collections.abc import Iterator
from contextlib import chdir, contextmanager
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import Final


def _import_matplotlib() -> None:
    """Import it as whoever runs this wants it, or, if that fails, without the surroundings."""
    log = logging.getLogger("matplotlib")
    was, log.disabled = log.disabled, True  # a file of settings that is not used need not be complained about
    try:
        import_module("matplotlib")
    except Exception:
        found = find_spec("matplotlib")
        if found is None or found.origin is None:
            raise
        for half in [name for name in sys.modules if name.partition(".")[0] == "matplotlib"]:
            del sys.modules[half]
        _import_alone(Path(found.origin).parent / "mpl-data")
    finally:
        log.disabled = was


def _import_alone(defaults: Path) -> None:
    """Import it in the folder of its own file of settings, which is then the first that it finds."""
    backend = os.environ.pop("MPLBACKEND", None)
    try:
        with chdir(defaults):
            import_module("matplotlib")
    finally:
        if backend is not None:
            os.environ["MPLBACKEND"] = backend


_import_matplotlib()

import matplotlib as mpl
from matplotlib.axes import Axes
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.colors import Normalize
from matplotlib.figure import Figure
from matplotlib.image import AxesImage
from matplotlib.layout_engine import ConstrainedLayoutEngine
from matplotlib.patches import Rectangle

__all__ = [
    "Axes",
    "AxesImage",
    "ConstrainedLayoutEngine",
    "Figure",
    "FigureCanvasAgg",
    "Normalize",
    "Rectangle",
    "mpl",
    "own_style",
]

STYLE: Final = {
    "svg.hashsalt": "escalation",
    "text.parse_math": False,  # a label may hold a dollar sign
    "font.size": 9.5,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.titlesize": 10,
}


@contextmanager
def own_style() -> Iterator[None]:
    """Draw on the defaults with the style of all figures; the settings of whoever calls are back afterwards."""
    # The backend is that of whoever calls, and none is needed.
    settings = {name: value for name, value in mpl.rcParamsDefault.items() if name != "backend"}
    with warnings.catch_warnings(), mpl.rc_context(settings | STYLE):  # type: ignore[arg-type]
        warnings.filterwarnings("ignore", "Glyph .* missing")  # a label may be in any script
        yield
