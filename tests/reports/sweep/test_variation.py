"""What can vary besides a player's habits, and that each value gets where it belongs."""

from __future__ import annotations

import math

import pytest

from reports.sweep.plan import SweepPlan
from reports.sweep.variation import factors, habit_of, read_variation, variation_from
from simulate import Deck, Rules
from simulate.escalation.rules import RULINGS
from strategies.catalogue import strategy
from strategies.errors import InputError
from strategies.parameters import PARAMETER_NAMES


def plan_of(*texts: str, seats=("standard", "novice"), players=(3,), **more) -> SweepPlan:
    variations = tuple(read_variation(text) for text in texts)
    return SweepPlan(variations, players, Rules(), tuple(strategy(seat) for seat in seats), **more)


def only_table(*texts: str, **more):
    (table,) = plan_of(*texts, **more).experiment.settings
    return table


def test_every_parameter_ruling_and_part_of_the_table_can_vary():
    expected = {f"{whose}{name}" for whose in ("", "opponents.", "all.") for name in PARAMETER_NAMES}
    expected |= {f"rule.{name}" for name in RULINGS}
    expected |= {"players", "hand_size", "wild_max", "deck", "deck.wilds", "deck.passes"}
    assert set(factors()) == expected


@pytest.mark.parametrize(
    ("text", "values"),
    [
        ("deck=jokers3,one-wild", ("jokers3", "one-wild")),
        ("deck=1-12x4,13x3,Wx3,Px2", ("jokers3",)),
        ("deck=1-13x3,Px2;even", ("1-13x3,Px2", "even")),
        ("deck.wilds=0:6:3", (0, 3, 6)),
        ("rule.lead_pass=False,true", ("false", "true")),
        ("hand_size=5:7", (5, 6, 7)),
        ("opponents.noise=0,0.5", (0, 0.5)),
    ],
)
def test_values_are_read_as_written(text, values):
    assert read_variation(text).values == values


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("rule.lead_pas=true", "did you mean 'rule.lead_pass'"),
        ("opponents.early_tak=1", "did you mean 'opponents.early_take'"),
        ("rule.lead_pass=maybe", "true or false"),
        ("deck=joker3", "did you mean 'jokers3'"),
        ("deck=even,even", "even is given twice"),
        ("deck.wilds=7", "from 0 to 6"),
        ("deck.wilds=0.5", "whole number"),
        ("hand_size=0:11", "from 1 to 10"),
        ("players=1:4", "from 2 to 9"),
    ],
)
def test_mistakes_are_explained_in_one_line(text, complaint):
    with pytest.raises(InputError, match=complaint) as caught:
        read_variation(text)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    ("text", "values"),
    [
        ("early_take=0:6:2", (0, 2, 4, 6)),
        ("early_take=0:3", (0, 1, 2, 3)),
        ("early_take=0:5:2", (0, 2, 4)),
        ("early_take=2:-1:-1", (2, 1, 0, -1)),
        ("noise=0:0.3:0.1", (0, 0.1, 0.2, 0.3)),
        ("noise=0:1e-3:5e-4", (0, 0.0005, 0.001)),
        ("pass_hoard=8,0,4.5", (8, 0, 4.5)),
        ("pass_hoard=4", (4,)),
        (" pass_hoard = 1 , 2 ", (1, 2)),
    ],
)
def test_numbers_are_read_as_written(text: str, values: tuple[float, ...]):
    assert read_variation(text).values == values


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("early_take", "does not vary a parameter"),
        ("=1", "does not vary a parameter"),
        ("early_tak=1", "did you mean 'early_take'"),
        ("early_take=0:6:0", "a number other than 0"),
        ("early_take=0:6:nan", "a number other than 0"),
        ("early_take=0:6:inf", "a number other than 0"),
        ("early_take=0:6:-1", "points away"),
        ("early_take=6:0", "points away"),
        ("early_take=0:6:x", "no step"),
        ("early_take=0:x", "not a number"),
        ("early_take=nan:6", "not allowed"),
        ("early_take=0:inf", "not allowed"),
        ("early_take=0:2e6", "from -1e+06 to 1e+06"),
        ("early_take=0:1000000:0.001", "at most 100,000"),
        ("early_take=0:1:1e-300", "at most 100,000"),
        ("early_take=0:1:2:3", "malformed"),
        ("early_take=1,,2", "not a number"),
        ("early_take=1,2,1", "given twice"),
        ("noise=0.5,1.5", "from 0 to 1"),
    ],
)
def test_mistakes_in_numbers_are_explained(text: str, complaint: str):
    with pytest.raises(InputError, match="(?s)" + complaint.replace("+", r"\+")) as caught:
        read_variation(text)
    assert "\n" not in str(caught.value)


def test_a_value_reaches_those_it_is_written_for():
    table = only_table("shed=0.5", "opponents.early_take=2", "all.noise=0.25")
    focal, *opponents = table.seats
    assert (focal["shed"], focal["early_take"], focal["noise"]) == (0.5, strategy("standard")["early_take"], 0.25)
    for opponent in opponents:
        assert (opponent["shed"], opponent["early_take"], opponent["noise"]) == (0, 2, 0.25)


def test_when_everybody_varies_a_plain_name_means_everybody():
    table = only_table("shed=0.5", seats=("standard",), who="all")
    assert [seat["shed"] for seat in table.seats] == [0.5] * 3


def test_the_deck_and_the_rules_change():
    table = only_table("deck=even", "deck.passes=4", "hand_size=5", "wild_max=3", "rule.lead_pass=true")
    even = Deck.parse("even")
    assert table.rules == Rules(Deck(even.copies, even.wilds, 4), 3, 5, 3, lead_pass=True)


@pytest.mark.parametrize(
    ("texts", "more", "complaint"),
    [
        (("shed=1", "all.shed=2"), {}, "shed and all.shed set the same"),
        (("opponents.shed=1", "all.shed=2"), {}, "opponents.shed and all.shed"),
        (("shed=1", "shed=2"), {}, "shed is given twice"),
        (("deck=even", "deck=one-wild"), {}, "deck is given twice"),
        (("opponents.shed=1",), {"who": "all", "seats": ("standard",)}, "no opponents"),
        (("shed=1",), {"metrics": ("scoer",)}, "did you mean 'score'"),
    ],
)
def test_what_contradicts_itself_is_refused(texts, more, complaint):
    with pytest.raises(InputError, match=complaint):
        plan_of(*texts, **more)


def test_focal_and_opponents_may_have_the_same_parameter():
    table = only_table("shed=1", "opponents.shed=2")
    assert [seat["shed"] for seat in table.seats] == [1, 2, 2]


@pytest.mark.parametrize(
    ("name", "whose"),
    [
        ("shed", ("", "shed")),
        ("opponents.noise", ("opponents", "noise")),
        ("all.early_take", ("all", "early_take")),
        ("deck.wilds", None),
        ("rule.lead_pass", None),
        ("players", None),
    ],
)
def test_a_name_says_whose_habit_it_is(name: str, whose: tuple[str, str] | None):
    assert habit_of(name) == whose


@pytest.mark.parametrize("text", ["early_take=0:6:2", "shed=0:0.5", "deck=even,one-wild", "rule.lead_pass=true,false"])
def test_what_varies_is_read_back_from_plain_data(text: str):
    variation = read_variation(text)
    assert variation_from(variation.name, variation.spec()) == variation


def test_a_negative_zero_is_a_plain_one():
    values = [*read_variation("shed=-0,1").values, *read_variation("shed=-0:-1:-1").values]
    values += variation_from("shed", [-0.0, 1.0]).values
    assert [math.copysign(1, value) for value in values if value == 0] == [1, 1, 1]
