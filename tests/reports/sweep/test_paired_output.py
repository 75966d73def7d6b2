"""A comparison or a search of settings on the screen and as files."""

from __future__ import annotations

import io

import pandas as pd
import pytest

from reports.output.terminal import Screen
from reports.sweep.paired import PairedPlan, answer_paired
from reports.sweep.paired_output import announce_paired, paired_files, show_paired
from reports.sweep.plan import SweepPlan
from reports.sweep.variation import read_variation
from simulate import Rules
from simulate.blocks import DEALS_PER_BLOCK
from strategies.catalogue import strategy


def plan_of(goal: str) -> PairedPlan:
    seats = (strategy("standard"), strategy("novice"))
    return PairedPlan(SweepPlan((read_variation("early_take=-1,2,5"),), (2,), Rules(), seats), goal)


@pytest.mark.parametrize(("goal", "most"), [("compare", ""), ("best", "at most ")])
def test_a_comparison_is_announced_with_what_varies_and_the_opponents(capsys, goal: str, most: str):
    plan = plan_of(goal)
    announce_paired(Screen(), plan, 1)
    lines = capsys.readouterr().err.splitlines()
    assert lines[0].startswith(f"Comparing 3 settings with standard, {most}{plan.deals(1):,} deals each")
    assert lines[1] == f"Varying early_take ({plan.sweep.variations[0].unit}): -1, 2, 5"
    assert lines[2] == "Opponents: novice"


def test_a_comparison_says_how_many_differ_and_has_a_row_per_setting(capsys):
    result = answer_paired(plan_of("compare"), 2 * DEALS_PER_BLOCK)
    show_paired(Screen(), result)
    lines = capsys.readouterr().out.splitlines()
    different = (result.settings["different"] == "yes").sum()
    assert lines[0] == f"{different} of 3 settings differ from standard"
    assert sorted(int(line.split()[0]) for line in lines[2:5]) == [-1, 2, 5]
    # The base's own value is no change at all.
    (own,) = [line for line in lines[2:5] if line.startswith("-1 ") or line.split()[0] == "-1"]
    assert "+0.00 ± 0.00" in own
    frame = pd.read_csv(io.BytesIO(paired_files(result)["settings.csv"]))
    assert len(frame) == 3


def test_a_race_names_its_winner_with_a_number_from_fresh_deals(capsys):
    result = answer_paired(plan_of("best"), 4 * DEALS_PER_BLOCK)
    show_paired(Screen(), result)
    lines = capsys.readouterr().out.splitlines()
    if result.winner is None:
        assert lines[0] == "The race is not over"
    else:
        assert lines[0].startswith("Best: early_take=")
        assert lines[1].startswith(f"On fresh deals: {result.fresh.estimate:+.2f} ± {result.fresh.half_width:.2f} ")
