"""Kinds of options, as people speak of them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from simulate.escalation.plain.reference import NumberSet, Option, Pass, Take
from simulate.escalation.state import State

LEAD_LOW: Final = "lowest lead"
LEAD_HIGH: Final = "higher lead"
BEAT_LOW: Final = "lowest beat"
BEAT_HIGH: Final = "higher beat"
SET: Final = "multi-card set"
WITH_WILD: Final = "wild"
PASSING: Final = "Pass"
TAKING: Final = "take"
KINDS: Final = (LEAD_LOW, LEAD_HIGH, BEAT_LOW, BEAT_HIGH, SET, WITH_WILD, PASSING, TAKING)
"""Kinds of options: single cards, lowest or not; sets of two or more; anything with a wild; a Pass; a take."""


def kinds_of(state: State, options: Sequence[Option]) -> tuple[str, ...]:
    """Return the kind of each option of a state, in order."""
    singles = [option.value for option in options if isinstance(option, NumberSet) and option.laid == (option.value,)]
    lowest = min(singles, default=0)
    return tuple(_kind(state, option, lowest) for option in options)


def _kind(state: State, option: Option, lowest: int) -> str:
    if isinstance(option, Take):
        return TAKING
    if isinstance(option, Pass):
        return PASSING
    if option.wilds:
        return WITH_WILD
    if option.cards > 1:
        return SET
    if state.pile:
        return BEAT_LOW if option.value == lowest else BEAT_HIGH
    return LEAD_LOW if option.value == lowest else LEAD_HIGH
