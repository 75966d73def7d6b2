"""A comparison and a race on the screen and as files; the numbers are given by hand."""

from __future__ import annotations

from dataclasses import replace

import pandas as pd

from reports.estimates.intervals import Interval
from reports.output.terminal import Screen
from reports.sweep.paired import NUMBER, PairedPlan, PairedResult
from reports.sweep.paired_output import announce_paired, paired_files, show_paired
from reports.sweep.plan import SweepPlan
from reports.sweep.variation import read_variation
from simulate import Rules
from strategies.catalogue import strategy


def result_of(goal, winner: int | None = None, fresh: Interval | None = None, states=()) -> PairedResult:
    sweep = SweepPlan((read_variation("shed=0,1"),), (3,), Rules(), (strategy("standard"),))
    plan = PairedPlan(sweep, goal)
    rows = pd.DataFrame({"setting": [0, 1], "players": 3, "shed": [0.0, 1.0], "deals": 5040, NUMBER: [-2.0, 0.5]})
    rows = rows.assign(**{f"{NUMBER}_low": [-2.5, 0.25], f"{NUMBER}_high": [-1.5, 0.75]})
    own = {"evidence": [99.0, 1.0], "different": ["yes", "no"]} if goal == "compare" else {"state": list(states)}
    return PairedResult(plan, plan.provenance(1), rows.assign(**own), winner, fresh, 0.25)


def shown(result: PairedResult, capsys) -> list[str]:
    show_paired(Screen(), result)
    return capsys.readouterr().out.splitlines()


def test_a_comparison_says_how_many_differ_and_lists_the_best_first(capsys):
    lines = shown(result_of("compare"), capsys)
    assert lines[0] == "1 of 2 settings differ from standard"
    rows = [line.split() for line in lines if "±" in line and line.split()[0].isdigit()]
    assert rows == [["1", "5,040", "+0.50", "±", "0.25", "no"], ["0", "5,040", "-2.00", "±", "0.50", "yes"]]


def test_a_race_names_the_winner_and_what_it_gains_on_fresh_deals(capsys):
    fresh = Interval(0.4, 0.1, 0.7)
    lines = shown(result_of("best", 1, fresh, ("in the race", "winner")), capsys)
    assert lines[0] == "Best: shed=1; 1 more may be as good"
    assert lines[1].startswith("On fresh deals: +0.40 ± 0.30 wins per 100 games against standard (95%, ")
    assert lines[1].endswith("; 25% of the games were saved")
    lines = shown(result_of("worst", 0, fresh, ("winner", "dropped")), capsys)
    assert lines[0] == "Worst: shed=0"


def test_a_rate_close_to_nothing_is_told_as_it_is(capsys):
    for goal, said in (("compare", "at most 0.05% are wrong"), ("best", "at every look (99.95%, anytime-valid)")):
        states = ("winner", "dropped")
        result = result_of(goal, states=states)
        lines = shown(replace(result, plan=replace(result.plan, rate=0.0005)), capsys)
        assert any(said in line for line in lines)


def test_a_race_that_was_stopped_has_no_winner(capsys):
    assert shown(result_of("best", states=("in the race",) * 2), capsys)[0] == "The race is not over"


def test_the_plan_of_a_comparison_is_told(capsys):
    announce_paired(Screen(), result_of("best", states=("winner", "dropped")).plan, 5040)
    told = capsys.readouterr().err
    assert "Comparing 2 settings with standard, at most 5,040 deals each" in told
    assert "Varying shed (cards/card): 0, 1" in told


def test_there_is_one_file_with_a_row_per_setting():
    files = paired_files(result_of("compare"))
    assert list(files) == ["settings.csv"]
    assert len(files["settings.csv"].decode().splitlines()) == 1 + 2
