"""Numbers with intervals as columns and rows, and back."""

from __future__ import annotations

import json
import math

import pandas as pd

from reports.estimates.intervals import Interval
from reports.estimates.measures import (
    Measure,
    bounds_columns,
    columns_of,
    interval_from_row,
    number_columns,
    plain_rows,
    rows_of,
)

WINS = Measure("wins", "wins won", "wins per 100")
TURNS = Measure("turns", "turns taken", "turns per game")


def test_an_interval_in_columns_is_read_back_from_its_row():
    frame = pd.DataFrame([columns_of({WINS: Interval(25.0, 24.0, 27.0), TURNS: Interval(8.0, 7.5, 8.5)})])
    assert list(frame) == ["wins", "wins_low", "wins_high", "turns", "turns_low", "turns_high"]
    (row,) = rows_of(frame)
    assert interval_from_row(row, "wins") == Interval(25.0, 24.0, 27.0)
    assert interval_from_row(row, "turns") == Interval(8.0, 7.5, 8.5)


def test_several_numbers_have_the_columns_of_each():
    wins, turns = Interval(25.0, 24.0, 27.0), Interval(8.0, 7.5, 8.5)
    assert columns_of({WINS: wins, TURNS: turns}) == bounds_columns("wins", wins) | bounds_columns("turns", turns)


def test_a_number_in_a_row_of_its_own_has_its_unit_and_its_level():
    assert number_columns(WINS, Interval(25.0, 24.0, 27.0, 0.9)) == {
        "measure": "wins",
        "unit": "wins per 100",
        "estimate": 25.0,
        "low": 24.0,
        "high": 27.0,
        "level": 0.9,
    }


def test_plain_rows_hold_nothing_that_json_has_no_number_for():
    frame = pd.DataFrame({"name": ["a", "b", None], "value": [1.5, math.nan, -math.inf], "games": [1, 2, 3]})
    rows = plain_rows(frame)
    assert rows == [
        {"name": "a", "value": 1.5, "games": 1},
        {"name": "b", "value": None, "games": 2},
        {"name": None, "value": None, "games": 3},
    ]
    assert json.loads(json.dumps(rows, allow_nan=False)) == rows
