"""The balance report as a page, and its verdict."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Final, Literal

from reports.balance.finding import Finding
from reports.balance.plan import BalancePlan
from reports.balance.report import BalanceReport
from reports.output.html import Light, Page, PagePoint, PageQuestion, PageTable, Section, provenance_notes
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
    lit = [finding for finding in findings if finding.light]
    if not lit:
        return "What was looked at has no threshold to pass."
    words = []
    for question, names in QUESTIONS.items():
        lights = {finding.light for finding in lit if finding.name in names and finding.headline}
        if lights and question != CHANGES:
            words.append(f"{question} {'Yes' if lights == {'good'} else 'No' if lights == {'bad'} else 'Partly'}.")
    green = sum(finding.light == "good" for finding in lit)
    return " ".join([*words, f"{green} of {len(lit)} lights {'is' if green == 1 else 'are'} green."])


def balance_page(report: BalanceReport) -> Page:
    """Return the report as a page."""
    plan = report.plan
    sections = [_section(plan, finding) for finding in report.findings]
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
        answer=verdict(report.findings),
        summary=tuple(summary),
        questions=tuple(_questions(report.findings)),
        sections=tuple(sections),
        notes=(LEGEND, *provenance_notes(report.provenance), f"To ask again: {plan.command('FOLDER')}"),
    )


def _questions(findings: Sequence[Finding]) -> list[PageQuestion]:
    """Return what the first screen answers; a question without any headline is left out."""
    by_name = {finding.name: finding for finding in findings}
    found = []
    for question, names in QUESTIONS.items():
        known = [by_name[name] for name in names if name in by_name]
        points = [PagePoint(finding.headline, finding.light, finding.name) for finding in known if finding.headline]
        found += [PageQuestion(question, tuple(points))] if points else []
    return found


def _section(plan: BalancePlan, finding: Finding) -> Section:
    note = ""
    if threshold := finding.threshold:
        limit = f"{plan.limit(threshold):g} {threshold.unit}"
        note = f"Threshold {threshold.name}: {limit}, {threshold.meaning}."
    return Section(
        finding.title,
        finding.finding,
        finding.light,
        finding.texts,
        finding.figures,
        finding.tables,
        finding.commands,
        finding.name,
        note,
    )


def _versus_section(report: BalanceReport, versus: Finding) -> Section:
    """Return the section that puts two games side by side: differences, then every finding of both."""
    there = {finding.name: finding for finding in report.other}
    rows = tuple(
        (here.title, WORDS[here.light], here.finding, WORDS[other.light], other.finding)
        for here in report.findings
        if (other := there.get(here.name))
    )
    columns = ("section", "here", "finding here", report.plan.versus, "finding there")
    both = PageTable(columns, rows, len(columns), "findings.csv")
    return _section(report.plan, replace(versus, tables=(*versus.tables, both)))
