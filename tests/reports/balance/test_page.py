"""The page of the balance report: complete, self-contained, escaped, and every number of it in a file beside it."""

from __future__ import annotations

import io
import re
from dataclasses import replace

import pandas as pd
import pytest

from reports.balance.finding import Finding
from reports.balance.output import balance_files
from reports.balance.page import QUESTIONS, balance_page, verdict
from reports.balance.plan import SECTION_NAMES, BalancePlan, Effort
from reports.balance.report import BalanceReport, balance
from reports.output.html import PageTable, as_html
from simulate import Rules
from strategies.catalogue import strategy
from strategies.strategy import Strategy
from tests.reports.output.test_html import read

EVIL = "<script>alert(1)</script>"
SECTIONS = ("setting", "positions", "player-count", "health")
STANDARD = Strategy(EVIL, strategy("standard").values)
PLAN = BalancePlan(
    Rules(players=3), (2, 3), 1, Effort("quick", 1, 4, 4), standard=STANDARD, sections=SECTIONS, versus="even"
)


@pytest.fixture(scope="module")
def report() -> BalanceReport:
    return balance(PLAN)


@pytest.fixture(scope="module")
def files(report: BalanceReport) -> dict[str, bytes]:
    return balance_files(report)


def test_every_section_is_there_and_every_link_leads_somewhere(files: dict[str, bytes]):
    page = read(files["report.html"])
    assert len(page.ids) == len(set(page.ids))
    inner = {link[1:] for link in page.links if link.startswith("#")}
    assert {"versus", *SECTIONS} <= inner <= set(page.ids)
    outer = {link for link in page.links if not link.startswith("#")}
    assert outer
    assert outer <= set(files)
    assert not re.search(rb"@import|https?://(?!www\.w3\.org)|url\((?!#)", files["report.html"])


def test_every_figure_is_drawn_in_words_too_and_lies_beside_the_page(report: BalanceReport, files: dict[str, bytes]):
    figures = [figure for one in report.findings for figure in one.figures]
    page = read(files["report.html"])
    assert [label for label in page.labels if label] == [figure.alternative for figure in figures]
    assert len(figures) >= 2
    for figure in figures:
        assert figure.csv in files
        assert files[f"{figure.name}.svg"] == figure.svg


def test_names_are_shown_as_text(files: dict[str, bytes]):
    page = read(files["report.html"])
    assert page.scripts == 1, "only the page's own script"
    assert any(EVIL in text for text in page.texts)
    for name, content in files.items():
        if name.endswith(".svg"):
            assert EVIL.encode() not in content, name


def test_the_first_screen_answers_from_the_findings(report: BalanceReport, files: dict[str, bytes]):
    html = files["report.html"].decode()
    first = html[: html.index("<nav")]
    assert "Is it fair?" in first
    assert "Is it lively?" in first
    assert "What would I change?" not in first, "none of its sections was asked for"
    page = balance_page(report)
    points = {point.section: point for question in page.questions for point in question.points}
    for one in report.findings:
        if one.headline:
            assert (points[one.name].text, points[one.name].light) == (one.headline, one.light)


def test_the_questions_are_answered_in_a_word():
    def said(**lights: str) -> str:
        return verdict([Finding(name, name, "", light, headline="so") for name, light in lights.items()])  # type: ignore[arg-type]

    assert said(positions="good", neighbours="good", health="good") == "Is it fair? Yes. 3 of 3 lights are green."
    assert said(positions="bad", tension="middle") == "Is it fair? No. Is it lively? Partly. 0 of 2 lights are green."
    assert said(choices="good", luck="bad") == "Do decisions matter? Partly. 1 of 2 lights is green."
    assert said(setting="") == "What was looked at has no threshold to pass."


def test_two_games_stand_side_by_side(report: BalanceReport, files: dict[str, bytes]):
    table = pd.read_csv(io.BytesIO(files["findings.csv"]))
    games = table.groupby("game")["section"].agg(list)
    assert games["here"] == ["versus", *SECTIONS]
    assert games["even"] == ["positions", "player-count", "health"]
    there = balance(replace(PLAN, rules=PLAN.other_rules, versus="", sections=("positions",)))
    other = pd.read_csv(io.BytesIO(files["other_positions.csv"]))
    pd.testing.assert_frame_equal(other, there.findings[0].frames["positions"])
    assert files["report.html"].count(b"<table") == sum(
        len(one.tables) for one in (*report.findings, report.versus) if one
    ) + 1  # fmt: skip


def test_what_is_in_json_is_in_the_tables(report: BalanceReport):
    data = report.as_data()
    assert [one["section"] for one in data["sections"]] == list(SECTIONS)
    told = data["sections"][1]
    assert told["threshold"] == "position-advantage"
    assert pd.DataFrame(told["tables"]["positions"]).equals(report.frames["positions"])
    assert data["versus"]["section"] == "versus"


def test_the_same_report_gives_the_same_bytes(report: BalanceReport, files: dict[str, bytes]):
    assert balance_files(report) == files
    assert balance_files(balance(PLAN)) == files


def test_a_page_without_its_numbers_is_refused(report: BalanceReport):
    lost = Finding("positions", "Positions", "", tables=(PageTable(("a",), (("1",),), csv="lost.csv"),))
    with pytest.raises(ValueError, match=r"lost\.csv"):
        balance_files(replace(report, findings=(lost,)))
    twice = Finding("positions", "Positions", "", frames={"one": pd.DataFrame()})
    with pytest.raises(ValueError, match="'one'"):
        balance_files(replace(report, findings=(twice, twice)))


def test_a_stopped_report_says_so(report: BalanceReport):
    assert b"was stopped" in as_html(balance_page(replace(report, complete=False)))
    assert b"was stopped" not in as_html(balance_page(report))


def test_questions_are_about_sections_that_exist():
    assert {name for names in QUESTIONS.values() for name in names} <= set(SECTION_NAMES)
