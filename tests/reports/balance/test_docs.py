"""The page on the balance report names every section, every threshold and every key."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import cli
from reports.balance.plan import QUICK, BalancePlan, Effort
from reports.balance.report import SECTIONS, balance, known_thresholds
from simulate import Rules

PAGE = (Path(cli.__file__).parent / "docs" / "balance.md").read_text(encoding="utf-8")
NAMED = set(re.findall(r"`([a-z0-9_.-]+)`", PAGE))

AT_SEVERAL_SIZES = ("setting", "positions", "player-count", "health")
LOOKED_AT_TOGETHER = {*AT_SEVERAL_SIZES, "strategies", "neighbours", "luck", "advice", "rulings"}
"""Sections whose columns the report below, or that of `sections/test_play_sections.py`, has: others come alone."""


@pytest.mark.parametrize("name", SECTIONS)
def test_every_section_has_its_place(name: str):
    assert f"\n### {name}\n" in PAGE


def test_every_threshold_is_named_with_its_value():
    for threshold in known_thresholds().values():
        assert re.search(rf"`{threshold.name}`[^.]*\b{threshold.value:g}\b", PAGE), threshold.name


def test_every_column_and_every_key_is_named():
    plan = BalancePlan(Rules(players=2), (2, 3), 1, QUICK, sections=AT_SEVERAL_SIZES, versus="even")
    report = balance(plan, games=1)
    columns = {name for frame in report.frames.values() for name in map(str, frame.columns)}
    data = report.as_data()
    keys = {*data, *data["sections"][0]}
    assert {re.sub(r"_(low|high)$", "", name) for name in columns} | keys <= NAMED
    assert {f"{name}.csv" for name in report.frames if not name.startswith("other_")} <= NAMED


@pytest.mark.parametrize("name", [name for name in SECTIONS if name not in LOOKED_AT_TOGETHER])
def test_every_file_and_column_of_all_other_sections_is_named(name: str, play):
    finding = SECTIONS[name](BalancePlan(Rules(players=2), (2,), effort=Effort("quick", 1, 3, 20)), play)
    columns = {str(column) for frame in finding.frames.values() for column in frame.columns}
    assert {re.sub(r"_(low|high)$", "", column) for column in columns} <= NAMED
    assert {f"{frame}.csv" for frame in finding.frames} <= NAMED
