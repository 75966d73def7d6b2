"""A table's result on the screen and as files."""

from __future__ import annotations

import io

import pandas as pd
import pytest

from reports.output.terminal import Screen
from reports.output.words import plus_minus
from reports.simulation.output import MATCH_NOTE, announce_simulation, readable, show_simulation, simulation_files
from reports.simulation.plan import SimulationPlan, simulate_table
from reports.simulation.summary import SCORE, WINS
from simulate import Rules
from strategies.catalogue import strategy

SEATS = (strategy("minimal"), strategy("shedder"), strategy("minimal"))
PLAN = SimulationPlan(Rules(players=3), SEATS)


@pytest.fixture(scope="module")
def result():
    return simulate_table(PLAN, 1)


@pytest.mark.parametrize(
    ("more", "seating"),
    [
        ({"seating": "shuffle"}, "seats are drawn for each deal"),
        ({"match": True}, "the starter rotates; everybody minds the standing of the match"),
    ],
)
def test_seats_in_a_row_are_counted_and_the_basis_follows(capsys, more, seating: str):
    seats = (*[strategy("minimal")] * 2, strategy("shedder"))
    announce_simulation(Screen(), SimulationPlan(Rules(players=3), seats, **more), 1)
    lines = capsys.readouterr().err.splitlines()
    assert lines[:2] == ["Playing 5,040 games with 3 players: minimal (x2), shedder", f"Seating: {seating}"]
    assert [line.partition(":")[0] for line in lines[2:]] == ["Deck", "Seed"]


def test_every_strategy_is_a_row_with_its_wins_and_its_score(result, capsys):
    show_simulation(Screen(), result)
    shown = capsys.readouterr().out
    for summary in result.summaries:
        (line,) = [line for line in shown.splitlines() if line.startswith(f"{summary.strategy} ")]
        assert line.split()[1] == str(len(summary.seats))
        for measure in (WINS, SCORE):
            assert plus_minus(summary.outcomes[measure]) in line
    assert MATCH_NOTE not in shown
    assert f"experiment {result.provenance.digest}" in shown


def test_a_label_may_be_folded_at_its_commas():
    assert readable("standard,shed=1,noise=2") == "standard, shed=1, noise=2"


def test_both_tables_are_files(result):
    files = simulation_files(result)
    assert list(files) == ["strategies.csv", "numbers.csv"]
    frame = pd.read_csv(io.BytesIO(files["strategies.csv"]))
    assert frame["strategy"].tolist() == ["minimal", "shedder"]
