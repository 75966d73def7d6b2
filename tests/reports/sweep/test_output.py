"""The page on results names every column and every key there is, and its Python works."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import cli
from reports.simulation.plan import SimulationPlan, simulate_table
from reports.simulation.summary import numbers_frame
from reports.sweep import SweepPlan, read_variation, sweep
from simulate import Rules
from strategies.catalogue import strategy

PAGE = (Path(cli.__file__).parent / "docs" / "results.md").read_text(encoding="utf-8")
NAMED = set(re.findall(r"`([a-z0-9_]+)`", PAGE))


def without_bounds(names) -> set[str]:
    return {re.sub(r"_(low|high)$", "", name) for name in names}


@pytest.fixture(scope="module")
def simulation():
    return simulate_table(SimulationPlan(Rules(players=2), (strategy("minimal"), strategy("shedder"))), 1)


@pytest.fixture(scope="module")
def swept():
    return sweep(SweepPlan((read_variation("shed=0,1"),), (2,), Rules(), (strategy("standard"),)), 1)


def test_every_column_is_explained(simulation, swept):
    assert without_bounds(simulation.strategies.columns) <= NAMED
    assert set(numbers_frame(simulation.summaries, simulation.whole_games).columns) <= NAMED
    assert without_bounds(swept.settings.columns) - {"shed"} <= NAMED


def test_every_key_of_the_json_objects_is_explained(simulation, swept):
    told = simulation.as_data()
    keys = {*told, *told["whole_games"], *told["strategies"][0], *told["strategies"][0]["score"], *swept.as_data()}
    assert keys <= NAMED


def test_the_python_on_the_page_works():
    (code,) = re.findall(r"```python\n(.*?)```", PAGE, flags=re.DOTALL)
    names: dict[str, object] = {}
    exec(code.replace("20_000", "1"), names)
    assert len(names["result"].settings) == 10
