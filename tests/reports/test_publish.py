"""Published sweeps are played anew from their questions, and only sweeps are."""

from __future__ import annotations

import tomllib
from pathlib import Path

import pytest

from reports.output.toml import as_toml
from reports.publish import publish
from reports.simulation import SimulationPlan
from reports.sweep import SweepPlan, read_variation, sweep
from simulate import Rules
from strategies.catalogue import strategy
from strategies.errors import InputError

STANDARD = strategy("standard")
PLAN = SweepPlan((read_variation("pass_hoard=0,4"),), (2,), Rules(players=2), (STANDARD,), seed=3)


def test_a_question_of_an_earlier_version_is_played_by_this_one(tmp_path: Path):
    question, table = tmp_path / "hoarding.toml", tmp_path / "hoarding.csv"
    told = PLAN.provenance(1).as_data()
    question.write_text(as_toml({**told, "digest": "of another version", "kernel_version": 0}))
    publish(question)
    assert tomllib.loads(question.read_text()) == told
    written = tmp_path / "swept.csv"
    sweep(PLAN, 1).settings.to_csv(written, index=False)
    assert table.read_text() == written.read_text()
    before = question.read_bytes(), table.read_bytes()
    publish(question)
    assert (question.read_bytes(), table.read_bytes()) == before


def test_what_is_no_sweep_is_not_published(tmp_path: Path):
    question = tmp_path / "table.toml"
    question.write_text(as_toml(SimulationPlan(Rules(players=2), (STANDARD,) * 2).provenance(1).as_data()))
    with pytest.raises(InputError, match="is no sweep"):
        publish(question)
    assert not question.with_suffix(".csv").exists()
