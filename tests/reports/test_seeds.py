"""Published experiments: their questions are valid, and playing some of their settings gives the published numbers."""

from __future__ import annotations

import csv
from pathlib import Path

import pytest

from reports.question import read_question
from reports.sweep import SweepPlan, numbers_of
from simulate import Experiment, run

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
    slice_ = Experiment(tuple(plan.experiment.settings[setting] for setting in chosen), plan.seed)
    for setting, counts in zip(chosen, run(slice_, question.games), strict=True):
        row = published[setting]
        for column, number in numbers_of(plan, plan.points[setting], counts).items():
            if column.endswith(("_low", "_high")):
                assert float(row[column]) == pytest.approx(number, rel=1e-12)
            else:
                assert row[column] == repr(number), column
