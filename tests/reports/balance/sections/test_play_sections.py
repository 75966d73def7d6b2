"""The sections on play from end to end: on the page, in files and in the docs, whatever a strategy is called."""

from __future__ import annotations

import re

import pytest

from reports.balance.output import balance_files
from reports.balance.plan import BalancePlan, Effort
from reports.balance.report import balance
from reports.balance.sections import advice as advice_section
from reports.balance.sections import rulings as rulings_section
from simulate import Rules
from simulate.runner import How
from strategies.catalogue import strategy, tactic
from strategies.strategy import Strategy
from tests.reports.balance.test_docs import NAMED
from tests.reports.output.test_html import read

EVIL = "<script>alert(1)</script>"
SECTIONS = ("strategies", "neighbours", "luck", "advice", "rulings")
STANDARD = Strategy(EVIL, strategy("standard").values)
PLAN = BalancePlan(
    Rules(players=3),
    (3,),
    effort=Effort("quick", 1, 1, 1),
    standard=STANDARD,
    population=(STANDARD, strategy("minimal"), strategy("novice")),
    sections=SECTIONS,
)


@pytest.fixture(scope="module")
def report():
    """Every section, of fewer habits and decks."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(advice_section, "named_tactics", lambda: {"pass-hoarding": tactic("pass-hoarding")})
        patch.setattr(rulings_section, "QUICK_DECKS", 2)
        patch.setattr(rulings_section, "QUICK", PLAN.effort)
        return balance(PLAN)


def test_every_section_is_on_the_page_and_names_only_files_that_are_there(report):
    files = balance_files(report)
    page = read(files["report.html"])
    assert set(SECTIONS) <= set(page.ids)
    assert {link for link in page.links if not link.startswith("#")} <= set(files)
    assert [one.name for one in report.findings] == list(SECTIONS)
    assert all(one.finding.endswith(".") and one.light and one.headline for one in report.findings)


def test_a_strategy_may_be_called_anything(report):
    files = balance_files(report)
    assert EVIL.encode() not in files["report.html"]
    assert b"&lt;script&gt;alert(1)&lt;/script&gt;" in files["report.html"]
    assert EVIL in report.frames["matchups"]["strategy"].tolist()


def test_every_column_is_named_in_the_docs(report):
    columns = {name for frame in report.frames.values() for name in map(str, frame.columns)}
    assert {re.sub(r"_(low|high)$", "", name) for name in columns} <= NAMED
    assert {f"{name}.csv" for name in report.frames} <= NAMED


def test_the_same_plan_gives_the_same_bytes(report):
    again = balance(BalancePlan(**{**vars(PLAN), "sections": ("luck",)}), how=How(threads=1))
    (luck,) = again.findings
    (before,) = [one for one in report.findings if one.name == "luck"]
    assert luck.figures[0].svg == before.figures[0].svg
    assert luck.texts == before.texts
