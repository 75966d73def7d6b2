"""The balance report on the screen and as files."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from reports.balance.finding import Finding
from reports.balance.page import LEGEND, WORDS, balance_page, verdict
from reports.balance.plan import BalancePlan
from reports.balance.report import BalanceReport
from reports.output.html import page_files
from reports.output.terminal import Screen, announce, basis
from reports.output.words import players_text


def announce_balance(screen: Screen, plan: BalancePlan, games: int) -> None:
    """Say what is about to be played."""
    played = plan.provenance(games)
    sections = ", ".join(plan.sections) or "every section"
    lines = [
        f"A balance report with {players_text(list(plan.player_counts))}: {sections}",
        f"{played.games:,} games per setting, everybody {plan.standard.label} where one player is meant",
    ]
    if plan.versus:
        lines.append(f"Side by side with {plan.versus}")
    announce(screen, lines, played)


def show_balance(screen: Screen, report: BalanceReport) -> None:
    """Print one line per section: the light in a word, and the finding."""
    screen.heading(verdict(report.findings))
    _show_findings(screen, "section", report.findings)
    if report.versus is not None:
        screen.heading(report.versus.finding)
        _show_findings(screen, f"beside: {report.plan.versus}", report.other)
    # Rulings have a section of their own.
    screen.remark(LEGEND, *basis(replace(report.provenance, rules="")))


def _show_findings(screen: Screen, title: str, findings: Sequence[Finding]) -> None:
    rows = [(finding.name, WORDS[finding.light], finding.finding) for finding in findings]
    screen.table((title, "light", "finding"), rows, texts=3)


def balance_files(report: BalanceReport, *, parquet: bool = False) -> dict[str, bytes]:
    """Return every table, every figure as SVG, and the page `report.html`.

    Raises
    ------
    ValueError
        If a figure or a table on the page names a file that is not there.
    """
    return page_files(balance_page(report), report.frames, parquet=parquet)
