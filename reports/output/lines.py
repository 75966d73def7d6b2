"""Texts as lines of a terminal."""

from __future__ import annotations

import textwrap
from typing import Final

WIDTH: Final = 80
"""Columns that listings and replayed deals are laid out for."""
ENGINES_DIFFER: Final = "The fast engine plays a different game: one of the two engines is wrong."


def wrapped(text: str, indent: int = 0, hanging: int = 0) -> list[str]:
    """Break a text into lines, all of them indented and those after the first by `hanging` columns more."""
    return textwrap.wrap(
        text,
        WIDTH,
        initial_indent=" " * indent,
        subsequent_indent=" " * (indent + hanging),
        break_on_hyphens=False,
    )
