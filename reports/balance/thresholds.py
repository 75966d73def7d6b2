"""Thresholds that decide the lights of more than one section."""

from __future__ import annotations

from typing import Final

from reports.balance.plan import Threshold

ADVANTAGE: Final = Threshold(
    "position-advantage",
    2.0,
    "wins per 100 games",
    "the greatest distance of any position from an equal share, everybody standard",
)
SECONDS: Final = Threshold("seconds-per-turn", 15.0, "seconds", "how long a turn takes at the table (an assumption)")
MINUTES: Final = Threshold("game-minutes", 15.0, "minutes", "how long a game may take at any table size")
SHARED: Final = Threshold("shared-wins", 10.0, "games per 100", "how many games may end with a shared win")
