"""What may be asked: subjects, and the doses of a tactic."""

from __future__ import annotations

import pytest

from reports.ask.player_question import PlayerQuestion
from reports.ask.question import doses_of, read_subject, step_of
from reports.reading.values import Variation
from simulate import Rules
from strategies.catalogue import named_tactics, strategy, tactic
from strategies.errors import InputError
from strategies.parameters import parameter
from strategies.quickly import QUICKLY, person

TUNED = strategy("standard,wild_hold=1.5")


def question(name, base=TUNED):
    return PlayerQuestion(name, read_subject(name), Rules(players=2), (2,), base)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("early_take=3,early_take_limit=4", {"early_take": 3.0, "early_take_limit": 4.0}),
        ("early_take=3", {"early_take": 3.0}),
        ("early_take=0:4:2", Variation(parameter("early_take"), (0.0, 2.0, 4.0))),
        ("early_take=0,2,4", Variation(parameter("early_take"), (0.0, 2.0, 4.0))),
    ],
)
def test_a_change_and_several_values_are_told_apart(text, expected):
    assert read_subject(text) == expected


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("pass-hording", "did you mean 'pass-hoarding'"),
        ("erly_take=3", "did you mean 'early_take'"),
        ("early_take=3,early_take=4", "given twice"),
        ("early_take=much", "is not a number"),
        ("early_take=9:0", "never gets there"),
        ("early_take=3\x0b", "cannot be shown"),
    ],
)
def test_a_mistaken_subject_is_told_with_the_nearest_name(text, message):
    with pytest.raises(InputError, match=message):
        read_subject(text)


@pytest.mark.parametrize("name", ["wild_hold=1.5", "wild_hold=1.5,shed=0.98", "wild_hold=1.50000"])
def test_a_change_that_changes_nothing_is_refused(name):
    with pytest.raises(InputError, match="changes nothing"):
        question(name)


def test_doses_cover_the_range_with_the_own_one_and_without_the_absent_one():
    assert doses_of(tactic("pass-hoarding"), strategy("standard")) == [1, 2, 3, 3.7, 4, 5, 6, 7, 8]
    # A base without the habit has no dose of its own within the range of this one.
    assert doses_of(tactic("early-pile-taking"), strategy("standard,early_take=-5"))[0] == -1


@pytest.mark.parametrize("name", list(named_tactics()))
def test_every_named_tactic_can_be_asked_about(name):
    asked = question(name, base=strategy("standard"))
    assert len(asked.experiment.settings) == len(doses_of(tactic(name), strategy("standard")))


def test_a_dose_moves_by_an_eighth_of_its_range_and_whole_ones_by_whole_steps():
    assert tactic("multi-card-shedding").dose_range == (0, 3)
    assert step_of(tactic("multi-card-shedding"), TUNED) == 3 / 8
    # Two to seven listeners: an eighth of five is rounded up to one listener.
    talk = QUICKLY.tactic("talk-it-over")
    assert step_of(talk, person("plain")) == 1
    assert all(dose == int(dose) for dose in doses_of(talk, person("plain")))


def test_a_tactic_is_compared_with_its_absence_and_anything_else_with_the_base():
    assert question("wild-hoarding").without == tactic("wild-hoarding").absent(TUNED)
    assert question("shed=1").without == question("shed=0:1").without == TUNED


def test_alpha_is_split_evenly_over_the_tables():
    asked = PlayerQuestion("shed=1", {"shed": 1.0}, Rules(players=2), (2, 3, 4), TUNED)
    assert asked.stopping_of_table.own_alpha == pytest.approx(0.05 / 3)
    assert asked.stopping_of_table.margin == asked.stopping.margin
