"""The page on the balance of That Escalated Quickly."""

from __future__ import annotations

from reports.quickly.balance_words import findings
from reports.quickly.output import group_balance_files
from reports.quickly.page import group_balance_page


def test_the_page_and_the_tables_tell_the_findings(balance):
    files = group_balance_files(balance)
    page = files["report.html"].decode()
    for section in findings(balance):
        assert section.title in page
    assert page.count("<svg") == 4
    assert set(files) == {
        "report.html", "tables.csv", "planned.csv",
        *(f"{name}.{kind}" for name in ("grid", "allowances", "flips", "confusions") for kind in ("csv", "svg", "png")),
    }  # fmt: skip
    assert group_balance_files(balance) == files


def test_a_figure_says_what_its_section_found_and_names_its_numbers(balance):
    page = group_balance_page(balance)
    assert page.answer == findings(balance)[0].finding
    drawn = {section.title: figure for section in page.sections for figure in section.figures}
    assert {title: figure.csv for title, figure in drawn.items()} == {
        "Difficulty by players": "grid.csv",
        "The allowance": "allowances.csv",
        "Where rounds die": "flips.csv",
        "What gets confused": "confusions.csv",
    }
    assert all(figure.alternative and figure.png for figure in drawn.values())
