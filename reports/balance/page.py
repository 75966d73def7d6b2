"""The balance report on the screen, as files and as a page."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Final, Literal

from reports.balance.finding import Finding
from reports.balance.plan import BalancePlan
from reports.balance.report import BalanceReport
from reports.output.html import Light, Page, PagePoint, PageQuestion, PageTable, Section, as_html, provenance_notes
from reports.output.table_files import tables_as_files
from reports.output.terminal import Screen, announce_basis
from reports.output.words import players_text

CHANGES: Final = "What would I change?"
QUESTIONS: Final[Mapping[str, tuple[str, ...]]] = {
    "Is it fair?": ("positions", "neighbours", "cards"),
    "Is it lively?": ("tension", "player-count"),
    "Do decisions matter?": ("choices", "luck", "strategies", "advice"),
    CHANGES: ("redesign", "rulings", "health"),
}
"""What the first screen answers, from the headlines of which sections."""

WORDS: Final[Mapping[Light | Literal[""], str]] = {"good": "green", "middle": "yellow", "bad": "red", "": "-"}
LEGEND: Final = (
    "Lights: green means surely within the threshold, red surely beyond it, yellow in between or too close to call. "
    "Every threshold is an opinion; another one is a matter of --threshold NAME=VALUE."
)


def verdict(findings: Sequence[Finding]) -> str:
    """Answer the questions of the first screen in a word each, and say how many lights are green."""
    lit = [one for one in findings if one.light]
    if not lit:
        return "What was looked at has no threshold to pass."
    words = []
    for question, names in QUESTIONS.items():
        lights = {one.light for one in lit if one.name in names and one.headline}
        if lights and question != CHANGES:
            words.append(f"{question} {'Yes' if lights == {'good'} else 'No' if lights == {'bad'} else 'Partly'}.")
    green = sum(one.light == "good" for one in lit)
    return " ".join([*words, f"{green} of {len(lit)} lights {'is' if green == 1 else 'are'} green."])


def announce_balance(screen: Screen, plan: BalancePlan, games: int) -> None:
    """Say what is about to be played."""
    played = plan.provenance(games)
    sections = ", ".join(plan.sections) or "every section"
    screen.note(f"A balance report with {players_text(list(plan.player_counts))}: {sections}")
    screen.note(f"{played.games:,} games per setting, everybody {plan.standard.label} where one player is meant")
    if plan.versus:
        screen.note(f"Side by side with {plan.versus}")
    announce_basis(screen, played)


def show_balance(screen: Screen, report: BalanceReport) -> None:
    """Print one line per section: the light in a word, and the finding."""
    screen.heading(verdict(report.findings))
    screen.table(("section", "light", "finding"), _rows(report.findings), texts=3)
    if report.versus is not None:
        screen.heading(report.versus.finding)
        screen.table((f"beside: {report.plan.versus}", "light", "finding"), _rows(report.other), texts=3)
    screen.remark(LEGEND)
    screen.remark(f"Deck: {report.provenance.deck}")
    screen.remark(
        f"Seed: {report.plan.seed}; experiment {report.provenance.digest}, kernel version "
        f"{report.provenance.kernel_version}"
    )


def _rows(findings: Sequence[Finding]) -> list[tuple[str, str, str]]:
    return [(one.name, WORDS[one.light], one.finding) for one in findings]


def balance_files(report: BalanceReport, *, parquet: bool = False) -> dict[str, bytes]:
    """Return every table, every figure as SVG, and the page `report.html`.

    Raises
    ------
    ValueError
        If a figure or a table on the page names a file that is not there.
    """
    files = tables_as_files(report.frames, parquet=parquet)
    shown = [*report.findings, *([report.versus] if report.versus else [])]
    named = [figure.csv for one in shown for figure in one.figures]
    for csv in [*named, *(table.csv for one in shown for table in one.tables)]:
        if csv and csv not in files:
            raise ValueError(f"the page refers to '{csv}', which no section has")
    figures = {f"{figure.name}.svg": figure.svg for one in shown for figure in one.figures}
    return {**files, **figures, "report.html": as_html(balance_page(report))}


def balance_page(report: BalanceReport) -> Page:
    """Return the report as a page."""
    plan, shown = report.plan, list(report.findings)
    sections = [_section(plan, one) for one in shown]
    if report.versus is not None:
        sections.insert(0, _versus_section(report, report.versus))
    summary = [
        f"{players_text(list(plan.player_counts)).capitalize()}, {report.provenance.games:,} games per setting, deck "
        f"{report.provenance.deck}."
    ]
    if not report.complete:
        summary.append("This report was stopped before its end: the same command goes on from here.")
    return Page(
        title="Escalation! Is it fair, is it lively, do decisions matter, what would I change?",
        answer=verdict(shown),
        summary=tuple(summary),
        questions=tuple(_questions(shown)),
        sections=tuple(sections),
        notes=(LEGEND, *provenance_notes(report.provenance.as_data()), f"To ask again: {plan.command('FOLDER')}"),
    )


def _questions(findings: Sequence[Finding]) -> list[PageQuestion]:
    """Return what the first screen answers; a question without any headline is left out."""
    by_name = {one.name: one for one in findings}
    found = []
    for question, names in QUESTIONS.items():
        known = [by_name[name] for name in names if name in by_name]
        points = [PagePoint(one.headline, one.light, one.name) for one in known if one.headline]
        found += [PageQuestion(question, tuple(points))] if points else []
    return found


def _section(plan: BalancePlan, one: Finding) -> Section:
    note = ""
    if one.threshold is not None:
        limit = f"{plan.limit(one.threshold):g} {one.threshold.unit}"
        note = f"Threshold {one.threshold.name}: {limit}, {one.threshold.meaning}."
    return Section(one.title, one.finding, one.light, one.texts, one.figures, one.tables, one.commands, one.name, note)


def _versus_section(report: BalanceReport, versus: Finding) -> Section:
    """Return the section that puts two games side by side: differences, then every finding of both."""
    there = {one.name: one for one in report.other}
    rows = []
    for one in report.findings:
        if other := there.get(one.name):
            rows.append((one.title, WORDS[one.light], one.finding, WORDS[other.light], other.finding))
    columns = ("section", "here", "finding here", report.plan.versus, "finding there")
    both = PageTable(columns, tuple(rows), len(columns), "findings.csv")
    return _section(report.plan, replace(versus, tables=(*versus.tables, both)))
