"""Results of That Escalated Quickly on the screen and as files."""

from __future__ import annotations

import csv
import io
from dataclasses import replace

import pytest

from reports.output.terminal import Screen
from reports.quickly.balance_words import findings
from reports.quickly.output import (
    announce_group,
    announce_group_balance,
    announce_group_sweep,
    group_files,
    group_sweep_files,
    show_group,
    show_group_balance,
    show_group_sweep,
)
from reports.quickly.simulation import GroupPlan, simulate_group
from reports.quickly.sweep import GroupSweepPlan, sweep_groups
from reports.reading.values import read_habit
from simulate.quickly.rules import GroupRules
from strategies.quickly import PERSON, person

PLAN = GroupPlan(GroupRules.printed(5), (person("plain,sigma=1"), *[person("replanner,sigma=1")] * 4))
GRID = GroupSweepPlan(
    (read_habit("sigma=1,2", PERSON), read_habit("organiser=replan", PERSON)),
    (GroupRules.printed(4), GroupRules.printed(5)),
    person("plain"),
)


@pytest.fixture(scope="module")
def result():
    return simulate_group(PLAN, 1)


@pytest.fixture(scope="module")
def swept():
    return sweep_groups(GRID, 1)


def test_what_will_be_played_is_said_before(balance, capsys):
    announce_group(Screen(), PLAN, 1)
    announce_group_sweep(Screen(), GRID, 1)
    announce_group_balance(Screen(), balance.plan, 1)
    printed = capsys.readouterr()
    told = [line for line in printed.err.splitlines() if not line.startswith(("Deck: ", "Rules: ", "Seed: "))]
    assert told == [
        "Playing 5,040 games of That Escalated Quickly with 5 players",
        "Players: plain,sigma=1, replanner,sigma=1",
        "Playing 4 settings of 5,040 games, each on the same deals: plain",
        "Varying sigma: 1, 2",
        "Varying organiser: replan",
        f"Playing {len(balance.plan.settings)} settings of 5,040 games with 5 to 6 players, everybody plain,sigma=1.5",
    ]
    assert printed.err.count("Deck: one each of 1 to 10") == 3
    assert printed.out == ""


def test_every_number_is_shown_and_where_rounds_die(result, capsys):
    show_group(Screen(), result)
    lines = capsys.readouterr().out.splitlines()
    for measure in result.numbers:
        assert any(line.startswith(measure.label) and line.endswith(measure.unit) for line in lines)
    first = result.flips[result.flips["bad_rounds_per_100"] > 0].iloc[0]
    assert lines[-2].split(": ", 1)[1].startswith(f"{first['flip']:.0f}: {first['bad_rounds_per_100']:.1f}")
    assert lines[-1].count(" after ") == 5


def test_who_never_errs_has_no_mistakes_to_show(capsys):
    everybody = (person("plain,sigma=0"),) * 5
    show_group(Screen(), simulate_group(replace(PLAN, persons=everybody), 1))
    assert "mistakes per 100" not in capsys.readouterr().out.lower()


def test_every_table_of_a_group_is_a_file(result):
    files = group_files(result)
    assert list(files) == ["numbers.csv", "organisers.csv", "flips.csv", "confusions.csv"]
    numbers = csv.DictReader(io.StringIO(files["numbers.csv"].decode()))
    assert [float(row["estimate"]) for row in numbers] == [interval.estimate for interval in result.numbers.values()]


def test_a_sweep_is_a_row_per_setting_with_its_values_in_words(swept, capsys):
    show_group_sweep(Screen(), swept)
    head, *rows, note = capsys.readouterr().out.splitlines()
    assert head.split()[:3] == ["players", "sigma", "organiser"]
    assert [row.split()[:3] for row in rows] == [[p, s, "replan"] for p in "45" for s in "12"]
    assert note.startswith("Per 100, but game length in rounds.")


def test_there_are_figures_only_of_what_varies_and_of_a_whole_grid(swept):
    assert list(group_sweep_files(swept)) == ["settings.csv", "sigma.svg", "sigma.png"]
    assert list(group_sweep_files(replace(swept, settings=swept.settings.head(3)))) == ["settings.csv"]


def test_the_balance_is_told_finding_by_finding(balance, capsys):
    show_group_balance(Screen(), balance)
    lines = capsys.readouterr().out.splitlines()
    told = [section.finding for section in findings(balance)]
    assert lines[: len(told)] == told
    assert [line.split()[0] for line in lines[len(told) : -1]] == ["players", "5", "6"]
