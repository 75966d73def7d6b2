"""The page of the balance report: complete, self-contained, escaped, and every number of it in a file beside it."""

from __future__ import annotations

import re
from dataclasses import replace

from reports.balance.finding import Finding
from reports.balance.page import QUESTIONS, balance_page, verdict
from reports.balance.plan import SECTION_NAMES
from reports.balance.report import BalanceReport
from reports.output.html import as_html
from tests.reports.balance.conftest import EVIL, SECTIONS
from tests.reports.output.test_html import read


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


def test_a_stopped_report_says_so(report: BalanceReport):
    assert b"was stopped" in as_html(balance_page(replace(report, complete=False)))
    assert b"was stopped" not in as_html(balance_page(report))


def test_questions_are_about_sections_that_exist():
    assert {name for names in QUESTIONS.values() for name in names} <= set(SECTION_NAMES)
