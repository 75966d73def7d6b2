"""Cards and what players do with them, in words."""

from __future__ import annotations

from collections.abc import Iterable

from simulate.escalation.plain.reference import Option, Pass, Take
from simulate.escalation.rules import card_name


def cards_text(cards: Iterable[int]) -> str:
    """Return cards as players read them: `3 3 7 W P`."""
    return " ".join(map(card_name, cards))


def option_text(option: Option, pile: int = 0) -> str:
    """Return an option as players would say it: `3 3 W = 9`, `W as 5`, `12`, `Pass`, `take 4`."""
    if isinstance(option, Take):
        return f"take {pile}"
    if isinstance(option, Pass):
        return "Pass"
    of_value = "" if option.naturals else f" as {option.value}"
    total = f" = {option.total}" if option.cards > 1 else ""
    return f"{cards_text(option.laid)}{of_value}{total}"
