"""The balance report: every section measured, and put together."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final

import pandas as pd

from reports.balance import redesign_aims
from reports.balance.finding import Finding, Measuring, Play
from reports.balance.plan import BalancePlan, Threshold
from reports.balance.sections import (
    advice,
    cards,
    choices,
    health,
    luck,
    neighbours,
    player_count,
    positions,
    redesign,
    rulings,
    setting,
    strategies,
    tension,
)
from reports.balance.thresholds import ADVANTAGE, MINUTES, SECONDS, SHARED
from reports.balance.versus import measure_versus
from reports.estimates.measures import plain_rows
from reports.output.parts import Parts, Stopped
from reports.output.provenance import Provenance
from simulate.blocks import blocks_for
from simulate.runner import USUAL, How
from strategies.errors import InputError, unknown_name

SECTIONS: Final[Mapping[str, Measuring]] = {
    "setting": setting.measure,
    "positions": positions.measure,
    "player-count": player_count.measure,
    "strategies": strategies.measure,
    "neighbours": neighbours.measure,
    "luck": luck.measure,
    "cards": cards.measure,
    "tension": tension.measure,
    "choices": choices.measure,
    "advice": advice.measure,
    "rulings": rulings.measure,
    "health": health.measure,
    "redesign": redesign.measure,
}
"""Every section by name, in the order of the report."""

THRESHOLDS: Final = (
    ADVANTAGE,
    positions.EVEN,
    SECONDS,
    MINUTES,
    player_count.WAITING,
    SHARED,
    strategies.WAYS,
    strategies.NEAR,
    strategies.STEP,
    neighbours.BESIDE,
    luck.SKILL,
    cards.MOST_OF_ONE_CARD,
    tension.DECIDED_AFTER,
    choices.TURNS_THAT_MATTER,
    advice.WRONG,
    advice.MARGIN,
    rulings.OVERTURNED,
    rulings.GAP,
    health.FAILED,
    redesign_aims.CHOICES,
    redesign_aims.DIVERSITY,
    redesign_aims.LENGTH,
    redesign_aims.POSITIONS,
)
"""Every threshold that a section has, in the order of the report."""

OF_ONE_GAME: Final = ("setting", "advice", "rulings", "redesign")
"""Sections that are not repeated for the other of two games: they look at further games or take long by themselves."""


def known_thresholds() -> dict[str, Threshold]:
    """Return every threshold that a section has, by name."""
    return {threshold.name: threshold for threshold in THRESHOLDS}


def read_thresholds(texts: Sequence[str]) -> dict[str, float]:
    """Read thresholds written as NAME=VALUE.

    Raises
    ------
    InputError
        If one is malformed, unknown or given twice.
    """
    found: dict[str, float] = {}
    for text in texts:
        name, equals, value = (part.strip() for part in text.partition("="))
        try:
            number = float(value)
        except ValueError:
            number = math.nan
        if not equals or not math.isfinite(number):
            raise InputError(f"threshold '{text}' is malformed: write NAME=NUMBER, such as position-advantage=3")
        if name in found:
            raise InputError(f"threshold '{name}' is given twice")
        found[name] = number
    check_thresholds(found)
    return found


def check_thresholds(thresholds: Mapping[str, float]) -> None:
    """Make sure that every threshold exists; the nearest one is named.

    Raises
    ------
    InputError
        If one does not.
    """
    known = known_thresholds()
    for name in thresholds:
        if name not in known:
            raise unknown_name("threshold", name, known)


@dataclass(frozen=True)
class BalanceReport:
    """A game looked at from every side.

    Attributes
    ----------
    plan, provenance
        What was looked at.
    findings
        One per section, in the order of the report.
    other
        The same of the game that it is put beside, where there is one.
    versus
        Both games side by side, where there are two.
    complete
        Whether every section that was asked for is there; not if the run was stopped.
    """

    plan: BalancePlan
    provenance: Provenance
    findings: tuple[Finding, ...]
    other: tuple[Finding, ...] = ()
    versus: Finding | None = None
    complete: bool = True

    @property
    def table(self) -> pd.DataFrame:
        """One row per section: section, title, light, finding, threshold, limit, unit; of two games, game, too."""
        rows = [_row(self.plan, finding) for finding in self.findings]
        if self.versus is None:
            return pd.DataFrame(rows)
        rows = [{"game": "here", **row} for row in (_row(self.plan, self.versus), *rows)]
        rows += [{"game": self.plan.versus, **_row(self.plan, finding)} for finding in self.other]
        return pd.DataFrame(rows)

    @property
    def frames(self) -> dict[str, pd.DataFrame]:
        """Every table by the name of its file without ending; those of the other game begin with `other_`."""
        found: dict[str, pd.DataFrame] = {"findings": self.table}
        for finding in (*self.findings, *([self.versus] if self.versus else [])):
            _add(found, finding.frames, "")
        for finding in self.other:
            _add(found, finding.frames, "other_")
        return found

    def as_data(self) -> dict[str, object]:
        """Return everything as plain data, for JSON; a number that is not there is null."""
        data = {
            **self.provenance.as_data(),
            "complete": self.complete,
            "sections": [_finding_data(self.plan, finding) for finding in self.findings],
        }
        if self.versus is not None:
            data["versus"] = _finding_data(self.plan, self.versus)
            data["other_sections"] = [_finding_data(self.plan, finding) for finding in self.other]
        return data


def _add(found: dict[str, pd.DataFrame], frames: Mapping[str, pd.DataFrame], prefix: str) -> None:
    for name, frame in frames.items():
        if f"{prefix}{name}" in found:
            raise ValueError(f"two tables of a report are called '{prefix}{name}'")
        found[f"{prefix}{name}"] = frame


def _row(plan: BalancePlan, finding: Finding) -> dict[str, object]:
    threshold = finding.threshold
    return {
        "section": finding.name,
        "title": finding.title,
        "light": finding.light,
        "finding": finding.finding,
        "threshold": threshold.name if threshold else "",
        "limit": plan.limit(threshold) if threshold else math.nan,
        "unit": threshold.unit if threshold else "",
    }


def _finding_data(plan: BalancePlan, finding: Finding) -> dict[str, object]:
    row = _row(plan, finding)
    return {
        **row,
        "limit": None if finding.threshold is None else row["limit"],
        "headline": finding.headline,
        "texts": list(finding.texts),
        "commands": list(finding.commands),
        "tables": {name: plain_rows(frame) for name, frame in finding.frames.items()},
    }


def balance(plan: BalancePlan, games: int | None = None, how: How = USUAL) -> BalanceReport:
    """Measure every section that a plan asks for.

    Parameters
    ----------
    plan
        The game, and how to look at it.
    games
        Games per setting where one number is estimated well, rounded up to whole blocks of 5,040; None: as the plan's
        effort says.
    how
        How to run; no number depends on it. Finished blocks are kept beside those of its store.

    Returns
    -------
    BalanceReport
        If it was stopped, with the sections that were finished.

    Raises
    ------
    InputError
        If a threshold does not exist, or a folder cannot be used.
    KeyboardInterrupt
        If it was stopped before anything was finished.

    Examples
    --------
    >>> from reports.balance.plan import QUICK
    >>> from simulate import Rules
    >>> plan = BalancePlan(Rules(), (4,), effort=QUICK, sections=("positions",))
    >>> balance(plan).findings[0].light
    'bad'
    """
    check_thresholds(plan.thresholds)
    if games is not None:
        plan = replace(plan, effort=replace(plan.effort, blocks=blocks_for(games)))
    asked = [name for name in SECTIONS if not plan.sections or name in plan.sections]
    parts = Parts(how)
    findings: list[Finding] = []
    other: list[Finding] = []
    versus: Finding | None = None
    complete = True
    try:
        if plan.versus:
            slug = re.sub(r"[^a-z0-9]+", "-", plan.versus.lower()).strip("-")
            beside = replace(parts, prefix=f"versus-{slug}-", place=f"beside {plan.versus}")
            versus = measure_versus(plan, Play(plan.seed, beside))
            there = replace(plan, rules=plan.other_rules, versus="")
            _measure([name for name in asked if name not in OF_ONE_GAME], there, beside, other)
        _measure(asked, plan, parts, findings)
    except Stopped:
        complete = False
        if not findings:
            raise KeyboardInterrupt from None
    return BalanceReport(plan, plan.provenance(plan.games), tuple(findings), tuple(other), versus, complete)


def _measure(names: Sequence[str], plan: BalancePlan, parts: Parts, findings: list[Finding]) -> None:
    for number, name in enumerate(names, start=1):
        if parts.stopped:
            raise Stopped
        place = ", ".join(filter(None, (parts.place, f"{name} ({number} of {len(names)})")))
        findings.append(SECTIONS[name](plan, Play(plan.seed, replace(parts, place=place))))
