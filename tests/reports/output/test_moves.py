"""Cards and what players do with them, in words."""

from __future__ import annotations

import pytest

from reports.output.moves import cards_text, option_text
from simulate.escalation.plain.reference import NumberSet, Option, Pass, Take
from simulate.escalation.rules import PASS, WILD


def test_cards_are_told_as_players_read_them() -> None:
    assert cards_text([3, 3, 13, WILD, PASS]) == "3 3 13 W P"
    assert cards_text([]) == ""


@pytest.mark.parametrize(
    ("option", "text"),
    [
        (NumberSet(3, 2), "3 3 = 6"),
        (NumberSet(12, 1), "12"),
        (NumberSet(7, 2, 1), "7 7 W = 21"),
        (NumberSet(5, 0, 1), "W as 5"),
        (NumberSet(5, 0, 2), "W W as 5 = 10"),
        (Pass(), "Pass"),
        (Take(), "take 4"),
    ],
)
def test_an_option_is_told_as_players_would(option: Option, text: str) -> None:
    assert option_text(option, pile=4) == text
