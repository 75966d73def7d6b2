"""Figures of an answer show its numbers."""

from __future__ import annotations

import pytest

from reports.ask.asking import ask
from reports.ask.figures import VERDICT_COLOURS, plot_curve, plot_doses, plot_effects
from reports.ask.player_question import PlayerQuestion
from reports.ask.question import read_subject
from reports.ask.verdict import Stopping
from simulate import Rules
from strategies.catalogue import strategy

STANDARD = strategy("standard")


def asked(name, players=(2,)):
    stopping = Stopping(most_deals=5040)
    return ask(PlayerQuestion(name, read_subject(name), Rules(players=2), players, STANDARD, stopping=stopping))


@pytest.fixture(scope="module")
def hoarding():
    return asked("wild-hoarding", (2, 3))


def test_every_effect_has_a_row_with_its_interval_in_the_colour_of_its_verdict(hoarding):
    (panel,) = plot_effects(hoarding).axes
    numbers = [number for table in hoarding.tables for number in (table.worth, *table.further.values())]
    intervals = [line for line in panel.lines if len(line.get_xdata()) == 2 and line.get_linewidth() == 2.5]
    assert [tuple(line.get_xdata()) for line in intervals] == [(n.wins.low, n.wins.high) for n in numbers]
    assert [line.get_color() for line in intervals] == [VERDICT_COLOURS[number.answer] for number in numbers]
    estimates = [line.get_xdata()[0] for line in panel.lines if line.get_marker() == "o"]
    assert estimates == [number.wins.estimate for number in numbers]
    labels = [label.get_text() for label in panel.get_yticklabels()]
    assert labels[0] == f"2 players: best dose {hoarding.tables[0].best:g} against none"
    assert panel.get_ylim()[0] > panel.get_ylim()[1], "the first row is on top"


def test_every_dose_is_a_point_and_the_own_one_is_dotted(hoarding):
    (panel,) = plot_doses(hoarding.tables, hoarding.question.subject).axes
    lines = [line for line in panel.lines if line.get_label() in {"2 players", "3 players"}]
    for line, table in zip(lines, hoarding.tables, strict=True):
        assert list(line.get_xdata()) == [dose.dose for dose in table.tried]
        assert list(line.get_ydata()) == [dose.wins.estimate for dose in table.tried]
    assert list(panel.lines[-1].get_xdata()) == [STANDARD["wild_hold"]] * 2


@pytest.mark.parametrize(("values", "dotted"), [("0,4", True), ("3,4", False)])
def test_a_curve_rises_through_its_values_and_dots_the_own_one_only_if_it_is_among_them(values: str, dotted: bool):
    answer = asked(f"wild_hold={values}")
    (panel,) = plot_curve(answer).axes
    (curve,) = [line for line in panel.lines if line.get_label() == "2 players"]
    assert list(curve.get_xdata()) == sorted(value.value for value in answer.values)
    assert 0 < STANDARD["wild_hold"] < 3
    assert any(list(line.get_xdata()) == [STANDARD["wild_hold"]] * 2 for line in panel.lines) == dotted
    assert panel.get_ylabel() == "wins per 100 games\nagainst standard"
