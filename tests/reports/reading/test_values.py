"""Values in words."""

from __future__ import annotations

import pytest

from reports.reading.values import with_unit


@pytest.mark.parametrize(
    ("text", "values", "unit", "expected"),
    [
        ("at 1", [1.0], "cards/card", "at 1 card per card"),
        ("at -1", [-1.0], "cards", "at -1 card"),
        ("at 1.5", [1.5], "cards/point", "at 1.5 cards per point"),
        ("from 1 to 2", [1.0, 2.0], "cards", "from 1 to 2 cards"),
        ("at 2", [2.0], "cards/(point x card)", "at 2 cards per point and card"),
        ("at 0.1", [0.1], "probability", "at 0.1"),
        ("at even", ["even"], "", "at even"),
        ("1", [1.0], "card values", "1 card value"),
    ],
)
def test_units_are_written_as_people_say_them(text, values, unit, expected):
    assert with_unit(text, values, unit) == expected
