"""The page of an answer: what is on it, and what each figure shows in words."""

from __future__ import annotations

from dataclasses import replace

import pytest

from reports.ask.answer_words import effects_table, headline, own_dose, remarks
from reports.ask.asking import ask
from reports.ask.circumstances import CircumstanceEffect
from reports.ask.page import answer_page
from reports.ask.player_question import PlayerQuestion
from reports.ask.question import read_subject
from reports.ask.verdict import Stopping
from reports.estimates.intervals import Interval
from simulate import Rules
from strategies.catalogue import strategy


def asked(name, players=(2,)):
    stopping = Stopping(most_deals=5040)
    base = strategy("standard")
    return ask(PlayerQuestion(name, read_subject(name), Rules(players=2), players, base, stopping=stopping))


@pytest.fixture(scope="module")
def hoarding():
    place = CircumstanceEffect("deck", "even", Interval(1.0, 0.0, 2.0), 3.0, "not clear")
    return replace(asked("wild-hoarding"), circumstances=(place,))


def test_a_tactic_has_sections_on_what_how_much_why_and_where(hoarding):
    page = answer_page(hoarding)
    assert page.title == "Escalation! Is it good? wild-hoarding"
    assert page.answer == headline(hoarding)
    assert [section.title for section in page.sections] == [
        "What was measured", "How much of it", "Why, with 2 players", "Where it holds",
    ]  # fmt: skip
    assert page.sections[0].tables == (effects_table(hoarding),)
    assert len(page.sections[2].commands) == len(hoarding.question.wording.reason(hoarding.tables[0].worth).deals)


def test_what_a_section_says_is_not_said_above_it(hoarding):
    page, (table,) = answer_page(hoarding), hoarding.tables
    assert page.sections[1].finding == own_dose(table)
    assert own_dose(table) not in page.summary
    assert [*page.summary, own_dose(table)] == sorted(remarks(hoarding), key=[*page.summary, own_dose(table)].index)


def test_a_change_has_no_section_on_doses():
    page = answer_page(asked("pass_hoard=0"))
    assert [section.title for section in page.sections] == ["What was measured", "Why, with 2 players"]
    assert [figure.name for section in page.sections for figure in section.figures] == ["effects"]


def test_a_curve_answers_for_one_table_and_says_the_others_below():
    answer = asked("wild_hold=0,4", (2, 3))
    page = answer_page(answer)
    assert "with 2 players" in page.answer
    assert "with 3 players" in page.summary[0]
    (section,) = page.sections
    (figure,) = section.figures
    assert figure.alternative == f"{page.answer} {page.summary[0]}"
    assert len(section.tables[0].rows) == 4
