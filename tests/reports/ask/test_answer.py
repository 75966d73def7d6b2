"""What follows from what was measured: the average over tables, the verdicts, the data."""

from __future__ import annotations

import json

import pytest

from reports.ask.answer import CurveAnswer, DoseTried, TableAnswer, TacticAnswer, ValueAnswer
from reports.ask.circumstances import CircumstanceEffect
from reports.ask.player_effect import MeasuredPlayer
from reports.ask.player_question import PlayerQuestion
from reports.ask.question import read_subject
from reports.ask.verdict import Stopping
from reports.estimates.intervals import Interval
from simulate import Rules
from strategies.catalogue import strategy

STANDARD = strategy("standard")


def question(name, counts=(2, 3), **more):
    return PlayerQuestion(name, read_subject(name), Rules(players=counts[0]), counts, STANDARD, **more)


def measured(table, wins):
    comparison = table.comparison(STANDARD, strategy("standard,pass_hoard=0"))
    pilot = MeasuredPlayer.measure(comparison, 1, Stopping(most_deals=5040))
    return MeasuredPlayer(comparison, 1, pilot.stopping, pilot.counts, wins)


@pytest.mark.parametrize(
    ("first", "second", "answer"),
    [
        (Interval(-2.0, -3.0, -1.0), Interval(-4.0, -5.0, -3.0), "bad"),
        (Interval(2.0, 1.0, 3.0), Interval(0.0, -0.5, 0.5), "good"),
        (Interval(2.0, 1.0, 3.0), Interval(-2.0, -3.0, -1.0), "undecided"),
        (Interval(0.1, -0.2, 0.4), Interval(0.1, -0.2, 0.4), "no practical difference"),
    ],
)
def test_the_answer_over_tables_is_that_of_the_average(first, second, answer):
    asked = question("pass_hoard=0", stopping=Stopping(alpha=0.1))
    tables = [
        TableAnswer(table, measured(table, wins)) for table, wins in zip(asked.tables, (first, second), strict=True)
    ]
    found = TacticAnswer(asked, tuple(tables))
    assert found.answer == answer
    assert found.overall.estimate == pytest.approx((first.estimate + second.estimate) / 2)
    assert found.overall.low == pytest.approx((first.low + second.low) / 2)
    assert found.overall.high == pytest.approx((first.high + second.high) / 2)
    assert found.overall.level == pytest.approx(0.9)


def test_the_data_of_an_answer_holds_every_number_and_is_plain():
    asked = question("pass_hoard=0", counts=(2,))
    (table,) = asked.tables
    worth, step = measured(table, Interval(-2.0, -3.0, -1.0)), measured(table, Interval(0.5, 0.0, 1.0))
    tried = (DoseTried(3.0, Interval(1.0, 0.0, 2.0), 5040), DoseTried(4.0, Interval(2.0, 1.0, 3.0), 10_080))
    place = CircumstanceEffect("deck", "even", Interval(1.0, 0.0, 2.0), 3.0, "not clear")
    data = TacticAnswer(asked, (TableAnswer(table, worth, tried, 4.0, {"a step more": step}),), (place,)).as_data()
    (told,) = data["tables"]
    assert (told["players"], told["best_dose"], told["worth"]["answer"]) == (2, 4.0, "bad")
    assert told["further"]["a step more"]["wins_per_100"]["estimate"] == 0.5
    assert [(dose["dose"], dose["deals"]) for dose in told["doses_tried"]] == [(3.0, 5040), (4.0, 10_080)]
    assert [(there["name"], there["e_value"], there["effect"]) for there in data["elsewhere"]] == [
        ("even", 3.0, "not clear")
    ]
    assert json.loads(json.dumps(data, allow_nan=False)) == data


def test_the_own_value_of_the_base_has_no_effect_by_definition():
    asked = question("pass_hoard=0,3.7")
    two, three = asked.tables
    own = ValueAnswer(two, 3.7, None)
    assert (own.wins.estimate, own.wins.low, own.wins.high) == (0, 0, 0)
    assert own.answer == "no practical difference"
    bad = ValueAnswer(three, 0.0, measured(three, Interval(-2.0, -3.0, -1.0)))
    curve = CurveAnswer(asked, (own, bad))
    assert (curve.at(two), curve.at(three)) == ([own], [bad])
    values = curve.as_data()["values"]
    assert [(value["value"], value["answer"]) for value in values] == [(3.7, "no practical difference"), (0.0, "bad")]
    assert values[0]["measured"] is None
    assert values[1]["measured"]["wins_per_100"]["estimate"] == -2.0
