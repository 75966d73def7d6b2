"""Published experiments: their questions are valid, and playing some of their settings gives the published numbers."""

from __future__ import annotations

import csv
import re
from dataclasses import replace
from pathlib import Path

import pytest

from reports.questions import read_question
from reports.sweep.designs import Design
from reports.sweep.plan import SweepPlan, sweep

SEEDS = Path(__file__).resolve().parents[2] / "seeds"
NAMES = sorted(path.stem for path in SEEDS.glob("*.toml"))


def test_there_are_the_experiments_that_the_readme_lists():
    assert len(NAMES) >= 6
    text = (SEEDS / "README.md").read_text()
    for name in NAMES:
        assert f"| `{name}` |" in text


@pytest.mark.parametrize("name", NAMES)
def test_a_slice_replays_to_the_last_bit(name):
    question = read_question(SEEDS / f"{name}.toml")
    plan = question.plan
    assert isinstance(plan, SweepPlan)
    with (SEEDS / f"{name}.csv").open() as file:
        published = list(csv.DictReader(file))
    assert len(published) == plan.size == len(plan.points)
    chosen = [0, plan.size // 2, plan.size - 1]
    points = [plan.points[setting] for setting in chosen]
    design = Design("points", rows=tuple(one.values for one in points), players=tuple(one.players for one in points))
    played = sweep(replace(plan, design=design), question.games).as_data()["grid"]
    for setting, point in zip(chosen, played, strict=True):
        row = published[setting]
        assert point.keys() == row.keys()
        for column, number in point.items():
            if column == "setting" or column in plan.values_at(plan.points[setting]):
                continue
            if number is None:
                # Players that are all alike win alike by construction: such a share has no interval.
                assert row[column] == ""
                assert re.fullmatch(r"(match_)?wins_per_100_\w+_(low|high)", column)
            elif column.endswith(("_low", "_high")):
                assert float(row[column]) == pytest.approx(number, rel=1e-12)
            else:
                assert row[column] == repr(number), column
