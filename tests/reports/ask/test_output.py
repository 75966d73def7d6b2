"""An answer about a tactic on the screen and as files."""

from __future__ import annotations

import io
import math
from dataclasses import replace

import numpy as np
import pandas as pd
import pytest

from reports.ask.answer_words import headline
from reports.ask.asking import ask
from reports.ask.circumstances import CircumstanceEffect
from reports.ask.forecast import Forecast
from reports.ask.output import (
    announce_question,
    answer_files,
    answer_frame,
    look_line,
    picture,
    plan_sentence,
    show_answer,
)
from reports.ask.player_question import PlayerQuestion
from reports.ask.question import read_subject
from reports.ask.verdict import Stopping
from reports.estimates.intervals import Interval
from reports.output.terminal import Screen
from simulate import Rules
from strategies.catalogue import strategy


def question(name, players=(2,)):
    stopping = Stopping(most_deals=5040)
    return PlayerQuestion(
        name, read_subject(name), Rules(players=players[0]), players, strategy("standard"), stopping=stopping
    )


@pytest.fixture(scope="module")
def hoarding():
    return ask(question("wild-hoarding"))


def test_the_question_is_announced_with_the_dose_and_when_it_ends(hoarding, capsys):
    announce_question(Screen(), hoarding.question)
    printed = capsys.readouterr()
    first, dose, stopping, *basis = printed.err.splitlines()
    assert first == "Asking about wild-hoarding, base player standard: 2 players"
    assert "Dose: wild_hold;" in dose
    assert stopping == "Until the answer is clear, or at most 5,040 deals per table; margin 0.005, alpha 0.05"
    assert basis[0].startswith("Deck: ")
    assert printed.out == ""


def test_the_answer_comes_first_and_what_it_rests_on_last(hoarding, capsys):
    show_answer(Screen(), hoarding)
    lines = capsys.readouterr().out.splitlines()
    assert lines[0] == headline(hoarding)
    assert lines[1].startswith("table ")
    assert lines.index("Why") < lines.index("Deals to see") < lines.index("What it rests on") < len(lines) - 1
    assert "anytime-valid" in lines[-1]


def test_reasons_at_several_tables_are_a_row_each(capsys):
    show_answer(Screen(), ask(question("pass_hoard=0", (2, 3))))
    shown = capsys.readouterr().out
    assert "Deals to see" not in shown
    assert shown.count("\n2 players ") == shown.count("\n3 players ") == 2


def test_the_picture_shows_zero_the_interval_and_the_estimate():
    assert picture(Interval(0.5, 0.0, 1.0), width=9) == "-1 [    |=o==] +1".replace("|=o==", "|=o==")
    assert picture(Interval(-3.0, -4.0, -2.0), width=9) == "-4 [=o=  |   ] +4".replace("=o=  |   ", "=o= |    ")


def test_the_live_line_names_what_is_measured(hoarding):
    line = look_line("pass-hoarding 4 with 2 players", hoarding.tables[0].worth)
    assert line.startswith("pass-hoarding 4 with 2 players: ")
    assert "deals" in line
    assert "o" in line


@pytest.mark.parametrize(
    ("deals", "said"),
    [
        (
            1000.0,
            "With 2 players: 1,000 deals (2,000 games) show an effect of 0.5 wins per 100 games in 80% of runs; about "
            "3 s here.",
        ),
        (
            math.inf,
            "With 2 players: an effect of 0.5 wins per 100 games cannot be planned for: it takes more than "
            "1,000,000,000,000 deals.",
        ),
    ],
)
def test_a_forecast_is_a_sentence(hoarding, deals: float, said: str):
    (table,) = hoarding.tables
    assert plan_sentence(Forecast(table.table, table.worth, -0.5, deals, 3.0)) == said


def test_a_pilot_in_which_no_win_changed_says_so(hoarding):
    (table,) = hoarding.tables
    differences = np.zeros_like(table.worth.counts["win_differences"])
    differences[len(differences) // 2] = 5040
    pilot = replace(table.worth, counts={**table.worth.counts, "win_differences": differences})
    said = "With 2 players: no pilot deal changed any win, so there is nothing to go by."
    assert plan_sentence(Forecast(table.table, pilot, -0.5, math.inf, 3.0)) == said


def test_a_limit_is_rounded_up_to_whole_blocks_and_that_is_said(capsys):
    asked = replace(question("wild-hoarding"), stopping=Stopping(most_deals=5000))
    announce_question(Screen(), asked)
    assert "at most 5,040 deals per table (5,000 rounded up to whole blocks)" in capsys.readouterr().err
    assert asked.provenance.games == 5040


def test_files_hold_every_number_and_only_tables_that_have_rows(hoarding):
    files = answer_files(hoarding)
    assert list(files) == ["answer.csv", "doses.csv", "effects.svg", "doses.svg", "report.html"]
    rows = pd.read_csv(io.BytesIO(files["answer.csv"]))
    assert rows["measured"].tolist() == ["worth", *hoarding.tables[0].further]
    assert rows["wins_per_100"].iloc[0] == hoarding.tables[0].worth.wins.estimate
    assert len(pd.read_csv(io.BytesIO(files["doses.csv"]))) == len(hoarding.tables[0].tried)
    place = CircumstanceEffect("deck", "even", Interval(1.0, 0.0, 2.0), 3.0, "not clear")
    further = answer_files(replace(hoarding, circumstances=(place,)))
    assert set(further) - set(files) == {"elsewhere.csv"}


def test_a_curve_has_no_row_for_the_value_that_the_base_has_itself():
    answer = ask(question("wild_hold=0,2"))
    own = strategy("standard")["wild_hold"]
    frame = answer_frame(answer)
    assert frame["measured"].tolist() == [f"wild_hold={value:g}" for value in (0, 2) if value != own]
    assert set(answer_files(answer)) == {"answer.csv", "curve.svg", "report.html"}
