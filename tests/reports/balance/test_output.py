"""The balance report on the screen and as files: every number of the page is in a file beside it."""

from __future__ import annotations

import io
from dataclasses import replace

import pandas as pd
import pytest

from reports.balance.finding import Finding
from reports.balance.output import announce_balance, balance_files, show_balance
from reports.balance.page import WORDS, verdict
from reports.balance.report import BalanceReport, balance
from reports.output.html import PageTable
from reports.output.terminal import Screen
from tests.reports.balance.conftest import EVIL, PLAN, SECTIONS


def test_what_will_be_looked_at_is_said_before(capsys):
    announce_balance(Screen(), PLAN, 1)
    first, games, beside, *basis = capsys.readouterr().err.splitlines()
    assert first == f"A balance report with 2 to 3 players: {', '.join(SECTIONS)}"
    assert games == f"5,040 games per setting, everybody {EVIL} where one player is meant"
    assert beside == "Side by side with even"
    assert [line.partition(":")[0] for line in basis] == ["Deck", "Seed"]


def test_the_screen_has_the_verdict_and_a_line_per_section(report: BalanceReport, capsys):
    show_balance(Screen(), report)
    lines = capsys.readouterr().out.splitlines()
    assert lines[0] == verdict(report.findings)
    beside = lines.index(report.versus.finding)
    for findings, shown in ((report.findings, lines[2:beside]), (report.other, lines[beside + 2 :])):
        for finding, line in zip(findings, shown, strict=False):
            name, light, said = line.rstrip().split(maxsplit=2)
            assert (name, light, said) == (finding.name, WORDS[finding.light], finding.finding)
    assert lines[-3].startswith("Lights: ")
    assert lines[-1].startswith(f"Seed: {PLAN.seed}; experiment {report.provenance.digest}")


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
