"""A table on the screen and as files."""

from __future__ import annotations

import io

import pandas as pd
import pytest

from reports.estimates.intervals import FIXED
from reports.output.terminal import Screen
from reports.output.words import plus_minus
from reports.simulation.output import MATCH_NOTE, announce_simulation, show_simulation, simulation_files
from reports.simulation.plan import SimulationPlan, simulate_table
from reports.simulation.summary import MATCH_WINS, SCORE, WINS
from simulate import Rules
from strategies.catalogue import strategy

SEATS = tuple(strategy(name) for name in ("standard", "hoarder", "hoarder"))


@pytest.fixture(scope="module")
def result():
    return simulate_table(SimulationPlan(Rules(players=3), SEATS, match=True, sureness=0.9), 1)


def test_seats_that_follow_each_other_are_counted(capsys):
    announce_simulation(Screen(), SimulationPlan(Rules(players=3), SEATS, match=True), 1)
    told = capsys.readouterr().err
    assert "Playing 5,040 games with 3 players: standard, hoarder (x2)" in told
    assert "the starter rotates; everybody minds the standing of the match" in told


def test_every_number_of_a_table_is_shown(result, capsys):
    show_simulation(Screen(), result)
    shown = capsys.readouterr().out
    for summary in result.summaries:
        (row,) = [line for line in shown.splitlines() if line.startswith(summary.strategy + " ")]
        for measure in (WINS, MATCH_WINS, SCORE):
            assert plus_minus(summary.outcomes[measure]) in row
    for forecast in result.until_better:
        assert forecast.sentence in shown
    assert MATCH_NOTE in shown


def test_files_have_a_row_per_strategy_and_a_row_per_number(result):
    files = simulation_files(result)
    strategies, numbers = (pd.read_csv(io.BytesIO(files[name])) for name in ("strategies.csv", "numbers.csv"))
    assert strategies["strategy"].tolist() == ["standard", "hoarder"]
    assert strategies[WINS.name].tolist() == [summary.outcomes[WINS].estimate for summary in result.summaries]
    own = numbers[(numbers["strategy"] == "hoarder") & (numbers["measure"] == WINS.name)]
    assert own["estimate"].tolist() == [strategies[WINS.name][1]]


def test_what_neighbours_do_is_a_line_and_tables(result, capsys):
    show_simulation(Screen(), result)
    assert result.neighbours.sentence in capsys.readouterr().out
    files = simulation_files(result)
    neighbours = pd.read_csv(io.BytesIO(files["neighbours.csv"]))
    assert neighbours[["strategy", "right_after"]].values.tolist() == [["hoarder", "standard"], ["hoarder", "hoarder"]]
    assert pd.read_csv(io.BytesIO(files["orders.csv"]))["order"].unique().tolist() == ["standard; hoarder; hoarder"]
    assert result.as_data()["neighbours"]["sentence"] == result.neighbours.sentence


def test_what_is_fixed_by_construction_has_no_interval(capsys):
    """Equal players together win every game: half of the games each is no estimate."""
    result = simulate_table(SimulationPlan(Rules(players=2), SEATS[:1] * 2), 1)
    show_simulation(Screen(), result)
    (row,) = [line for line in capsys.readouterr().out.splitlines() if line.startswith("standard ")]
    assert row.split()[:4] == ["standard", "2", "50.00", "50.00"]
    files = simulation_files(result)
    assert set(files) == {"strategies.csv", "numbers.csv"}
    numbers = pd.read_csv(io.BytesIO(files["numbers.csv"])).set_index("measure")
    fixed = numbers.loc[[WINS.name, MATCH_WINS.name]]
    assert fixed["estimate"].tolist() == [50, 50]
    assert fixed[["low", "high", "level"]].isna().all(axis=None)
    (summary,) = result.as_data()["strategies"]
    assert summary[WINS.name] == {"estimate": 50.0, "low": None, "high": None, "level": None, "kind": FIXED}
