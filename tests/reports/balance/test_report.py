"""The whole report, every section at a small size: what it shows is there, told alike as page, files and data; stopped
in order, taken up again, the same on any number of threads."""

from __future__ import annotations

import json
import re
from dataclasses import replace

import pytest

from reports.balance.output import balance_files
from reports.balance.page import QUESTIONS
from reports.balance.plan import SECTION_NAMES, BalancePlan, Effort
from reports.balance.report import BalanceReport, balance
from reports.balance.sections import advice as advice_section
from reports.balance.sections import rulings as rulings_section
from simulate import Rules
from simulate.runner import How, Progress
from strategies.catalogue import strategy, tactic
from strategies.errors import InputError
from tests.reports.output.test_html import read

PLAN = BalancePlan(
    Rules(players=3), (2, 3), 1, Effort("quick", 1, 4, 20),
    population=tuple(map(strategy, ("standard", "hoarder", "novice"))),
)  # fmt: skip
SMALL = Effort("quick", 1, 4, 4)
TWO_SECTIONS = BalancePlan(Rules(players=2), (2, 3), 3, SMALL, sections=("setting", "player-count"))


@pytest.fixture(scope="module", autouse=True)
def few_tactics_and_decks():
    """The same sections of fewer habits and decks, so that the whole takes seconds."""
    with pytest.MonkeyPatch.context() as patch:
        chosen = {name: tactic(name) for name in ("pass-hoarding", "early-aggression")}
        patch.setattr(advice_section, "named_tactics", lambda: chosen)
        patch.setattr(rulings_section, "QUICK_DECKS", 2)
        patch.setattr(rulings_section, "QUICK", PLAN.effort)
        yield


@pytest.fixture(scope="module")
def report() -> BalanceReport:
    return balance(PLAN)


@pytest.fixture(scope="module")
def files(report: BalanceReport) -> dict[str, bytes]:
    return balance_files(report)


def test_every_section_says_what_it_found(report: BalanceReport):
    assert tuple(one.name for one in report.findings) == SECTION_NAMES
    for one in report.findings:
        assert one.title
        assert one.finding.endswith((".", "!")), one.finding
        assert "nan" not in one.finding
        assert bool(one.light) == (one.threshold is not None), one.name
        assert one.frames, one.name
        assert all(len(frame) for frame in one.frames.values()), one.name


def test_the_page_is_whole(report: BalanceReport, files: dict[str, bytes]):
    page = read(files["report.html"])
    assert len(page.ids) == len(set(page.ids))
    assert set(SECTION_NAMES) <= set(page.ids)
    inner = {link[1:] for link in page.links if link.startswith("#")}
    assert inner <= set(page.ids)
    assert {link for link in page.links if not link.startswith("#")} <= set(files)
    figures = [figure for one in report.findings for figure in one.figures]
    assert [label for label in page.labels if label] == [figure.alternative for figure in figures]
    assert all(figure.csv for figure in figures), "the numbers of every figure can be had"
    assert all(table.csv for one in report.findings for table in one.tables), "and those of every table"
    assert not re.search(rb"@import|https?://(?!www\.w3\.org)|url\((?!#)", files["report.html"])
    assert page.scripts == 1


def test_the_first_screen_answers_all_four_questions(files: dict[str, bytes]):
    html = files["report.html"].decode()
    first = html[: html.index("<nav")]
    for question in ("Is it fair?", "Is it lively?", "Do decisions matter?", "What would I change?"):
        assert f"<h2>{question}</h2>" in first


def test_every_headline_answers_one_of_them(report: BalanceReport):
    told = [name for names in QUESTIONS.values() for name in names]
    assert {one.name for one in report.findings if one.headline} <= set(told)
    assert len(set(told)) == len(told)


def test_the_data_can_be_written_as_json(report: BalanceReport):
    data = json.loads(json.dumps(report.as_data(), allow_nan=False))
    assert [one["section"] for one in data["sections"]] == list(SECTION_NAMES)


def test_the_same_seed_gives_the_same_bytes_on_any_threads(files: dict[str, bytes]):
    # Every section but those that take longest; how they are played is the same.
    sections = tuple(name for name in SECTION_NAMES if name not in {"strategies", "luck", "advice", "redesign"})
    again = balance_files(balance(replace(PLAN, sections=sections), how=How(threads=1)))
    tables_and_figures = [name for name in again if name.endswith((".csv", ".svg")) and name != "findings.csv"]
    assert len(tables_and_figures) > 2 * len(sections)
    assert {name for name in tables_and_figures if files[name] != again[name]} == set()


def test_a_report_that_is_stopped_has_the_sections_that_were_finished():
    asked: list[bool] = []

    def stop() -> bool:
        asked.append(True)
        return len(asked) > 1

    report = balance(TWO_SECTIONS, how=How(stop=stop))
    assert [one.name for one in report.findings] == ["setting"]
    assert not report.complete
    with pytest.raises(KeyboardInterrupt):
        balance(TWO_SECTIONS, how=How(stop=lambda: True))


def test_the_numbers_do_not_depend_on_threads():
    one, three = (balance(TWO_SECTIONS, how=How(threads=threads)) for threads in (1, 3))
    assert one.complete
    assert one.as_data() == three.as_data()


def test_the_progress_says_which_section_is_at_work():
    seen: list[Progress] = []
    balance(TWO_SECTIONS, how=How(on_progress=seen.append))
    assert {progress.part for progress in seen} == {"player-count (2 of 2)"}
    assert seen[-1].games == seen[-1].planned == 2 * 5040


def test_the_number_of_games_may_be_another():
    report = balance(TWO_SECTIONS, games=5041)
    assert report.provenance.games == 2 * 5040
    assert report.findings[1].frames["player_count"]["games"].tolist() == [10080, 10080]


def test_a_threshold_that_no_section_has_is_refused():
    plan = BalancePlan(Rules(), (2,), 1, SMALL, thresholds={"shard-wins": 1.0})
    with pytest.raises(InputError, match="did you mean 'shared-wins'"):
        balance(plan)
