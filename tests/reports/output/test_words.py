"""How numbers are written for people."""

from __future__ import annotations

import math
from fractions import Fraction

import pytest

from reports.estimates.intervals import Interval, fixed
from reports.estimates.measures import Measure
from reports.output.words import (
    both_ways,
    bounds,
    counted,
    number_in,
    percent,
    players_text,
    plus,
    plus_minus,
    row_with_error,
    signed,
    span_of,
    with_error,
)


@pytest.mark.parametrize(
    ("share", "written"),
    [
        (0.95, "95%"),
        (0.9995, "99.95%"),
        (1 - 0.05 / 3, "98.33%"),
        (1 - 0.05 / 40, "99.875%"),
        (1 - 1e-12, "99.9999999999%"),
        (0.5, "50%"),
        (0.9, "90%"),
        (0.05, "5%"),
        (1e-6, "0.0001%"),
        (1.0, "100%"),
        (0.0, "0%"),
    ],
)
def test_a_level_has_as_many_digits_as_it_needs(share: float, written: str):
    assert percent(share) == written


def test_one_of_a_thing_is_not_several():
    assert [counted(number, "card") for number in (0, 1, 2, 5040)] == ["0 cards", "1 card", "2 cards", "5,040 cards"]


@pytest.mark.parametrize(
    ("interval", "written"),
    [
        (Interval(25.0, 24.5, 25.5), "25.00 ± 0.50"),
        (Interval(25.0, 25.0, 25.0), "25.00 ± 0.00"),
        (Interval(0.0, 0.0, 0.0), "0.00 ± 0.00"),
        # Bounds that stand alone are rounded away from the estimate.
        (Interval(0.0, 0.0, 0.0761), "at most 0.08"),
        (Interval(100.0, 99.9299, 100.0), "at least 99.92"),
        (Interval(0.02, 0.004, 0.11), "0.02 (0.00 to 0.11)"),
        (Interval(99.98, 99.89, 99.996), "99.98 (99.89 to 100.00)"),
        (Interval(3.00004, 2.99992, 3.00016), "3.0000 ± 0.0001"),
        (Interval(13.04, 13.036, 13.044), "13.040 ± 0.004"),
        (Interval(-0.001, -0.021, 0.019), "0.00 ± 0.02"),
    ],
)
def test_an_interval_is_written_as_it_reaches(interval: Interval, written: str):
    assert plus_minus(interval) == written


def test_an_error_is_written_to_the_decimals_that_are_given():
    assert with_error(1.234, 0.056, 1) == "+1.2 ± 0.1"
    assert with_error(1.234, 0.056, 3, sign=False) == "1.234 ± 0.056"


def test_a_number_without_an_interval_is_written_alone():
    assert plus_minus(fixed(50.0)) == "50.00"
    assert with_error(0.0, fixed(0.0).half_width, 2) == "+0.00"


def test_a_row_is_written_with_half_the_width_of_its_interval():
    row = {"wins": 4.0, "wins_low": 3.0, "wins_high": 6.0}
    assert row_with_error(row, "wins") == "+4.0 ± 1.5"
    assert row_with_error(row, "wins", 2, sign=False) == "4.00 ± 1.50"


def test_words_are_listed_in_the_order_they_were_tried():
    assert span_of(["even", "one-wild"], ["one-wild", "even", "jokers3"]) == "at one-wild, even"


def test_a_fraction_is_written_both_ways():
    assert both_ways(Fraction(2, 3)) == "2/3 = 0.666667"
    assert both_ways(Fraction(4, 2)) == "2"


@pytest.mark.parametrize(
    ("number", "error", "text"),
    [
        (3.14159, 0.26, "+3.1 ± 0.3"),
        (-48.3, 1.2, "-48 ± 1"),
        (120.0, 14.0, "+120 ± 14"),
        (0.0123, 0.004, "+0.012 ± 0.004"),
    ],
)
def test_a_number_is_written_to_the_first_digit_of_its_error(number: float, error: float, text: str):
    assert with_error(number, error) == text


@pytest.mark.parametrize(
    ("chosen", "text"), [([2.0], "at 2"), ([2.0, 4.0, 6.0], "from 2 to 6"), ([0.0, 6.0], "at 0, 6")]
)
def test_spans_are_written_shortly_but_without_gaps(chosen: list[float], text: str):
    assert span_of(chosen, [0.0, 2.0, 4.0, 6.0]) == text


def test_table_sizes_are_written_shortly():
    assert [players_text(counts) for counts in ([4], [2, 3, 4], [2, 5], [2, 5, 7])] == [
        "4 players",
        "2 to 4 players",
        "2 and 5 players",
        "2, 5 and 7 players",
    ]


def test_a_row_is_written_as_far_as_it_has_numbers():
    wins = Measure("wins", "wins", "wins per 100")
    assert number_in({"wins": 25.0, "wins_low": 24.5, "wins_high": 25.5}, wins) == "25.00 ± 0.50"
    assert number_in({"wins": 25.0, "wins_low": math.nan, "wins_high": math.nan}, wins) == "25.00"
    assert number_in({"wins": 25.0}, wins) == "25.00"
    assert number_in({"wins": math.nan, "wins_low": math.nan, "wins_high": math.nan}, wins) == "-"


def test_a_rounded_zero_has_no_sign():
    assert [plus(number, 1) for number in (0.04, -0.04, 0.06, -0.06)] == ["0.0", "0.0", "+0.1", "-0.1"]


def test_numbers_carry_as_many_decimals_as_their_interval_warrants():
    assert signed(6.86, Interval(6.86, 6.45, 7.27)) == "+6.9"
    assert signed(-0.0243, Interval(-0.0243, -0.06, 0.01)) == "-0.02"
    assert signed(-0.001, Interval(-0.001, -0.3, 0.3)) == "0.0"
    # An end that is not 0 does not read as 0.
    assert bounds(Interval(0.3, 0.04, 0.6)) == "+0.04 to +0.60"
    assert bounds(Interval(0.3, 0.06, 0.6)) == "+0.1 to +0.6"
    assert bounds(Interval(0.0, -0.0061, 0.0061)) == "-0.006 to +0.006"
