"""The order in which a planned mistake is laid: perceived ranks, found by a search and stored."""

from __future__ import annotations

import tomllib
from functools import cache
from importlib.resources import files
from typing import Any, Final

MOST_PLANNED: Final = 2
"""Of a larger allowance only so many mistakes are planned."""


@cache
def _stored() -> dict[str, Any]:
    return tomllib.loads(files("strategies").joinpath("burn_templates.toml").read_text(encoding="utf-8"))


def template(cards: int, mistakes: int, sigma: float) -> list[int]:
    """Return the best order known: the perceived rank (from 0) of the card to flip first, second, and so on.

    Parameters
    ----------
    cards
        Cards on the table, 2 to 10.
    mistakes
        Mistakes allowed, 1 or more.
    sigma
        The noise of the answers in the organiser's ears; the nearest stored value is taken.
    """
    rows = _stored()[f"cards_{cards}"][f"mistakes_{min(mistakes, MOST_PLANNED)}"]
    nearest = min(rows, key=lambda row: abs(row["sigma"] - sigma))
    return [rank - 1 for rank in nearest["order"]]
