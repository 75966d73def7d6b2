"""What varies, as users write it: values, ranges, player counts, and values in words."""

from __future__ import annotations

import pytest

from reports.reading.values import Variation, read_habit, read_player_counts, with_unit
from strategies.errors import InputError
from strategies.parameters import PLAYER_VOCABULARY, parameter
from strategies.quickly import PERSON


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


@pytest.mark.parametrize(("text", "counts"), [("4", (4,)), ("2-6", (2, 3, 4, 5, 6)), (" 9 ", (9,)), ("3-3", (3,))])
def test_player_counts_are_a_number_or_a_span(text: str, counts: tuple[int, ...]):
    assert read_player_counts(text) == counts


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("1", "within 2-9"),
        ("10", "within 2-9"),
        ("2-10", "within 2-9"),
        ("4-2", "write 2-4"),
        ("-3", "malformed"),
        ("2-", "malformed"),
        ("nan", "malformed"),
        ("", "malformed"),
        ("2,3", "malformed"),
        ("2.5", "malformed"),
        ("9" * 5000, "malformed"),
        ("2-" + "9" * 5000, "malformed"),
    ],
)
def test_mistakes_in_player_counts_are_explained(text: str, complaint: str):
    with pytest.raises(InputError, match=complaint):
        read_player_counts(text)


def test_a_range_keeps_its_ends_only_without_a_step():
    assert read_habit("shed=0:2", PLAYER_VOCABULARY) == Variation(parameter("shed"), (0.0, 1.0, 2.0), (0.0, 2.0))
    assert read_habit("shed=0:2:1", PLAYER_VOCABULARY) == Variation(parameter("shed"), (0.0, 1.0, 2.0))
    # Where only whole numbers make sense, nothing lies between them.
    assert read_habit("talk=1:3", PERSON).span is None


@pytest.mark.parametrize("text", ["shed=3:3", "shed=3:3:1", "shed=0:1e-5000"])
def test_a_range_that_goes_nowhere_is_refused(text: str):
    with pytest.raises(InputError, match="starts where it stops: write shed="):
        read_habit(text, PLAYER_VOCABULARY)


def test_a_value_is_taken_from_a_list_or_from_anywhere_in_a_range():
    listed, ranged = Variation(parameter("shed"), (5.0, 1.0)), Variation(parameter("shed"), (0.0, 1.0), (0.0, 0.3))
    assert [listed.at(share) for share in (0, 0.49, 0.5, 0.99)] == [5, 5, 1, 1]
    assert [ranged.at(share) for share in (0, 0.5, 1 / 3 / 7)] == [0, 0.15, 0.014286]


def test_numbers_are_ordered_by_size_and_words_stay_as_given():
    assert Variation(parameter("shed"), (5.0, -1.0, 2.0)).ordered == [-1, 2, 5]
    assert Variation(parameter("shed"), ("one-wild", "even")).ordered == ["one-wild", "even"]
