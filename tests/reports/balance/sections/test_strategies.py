"""All strategies against each other: numbers from plain games, and what follows from them."""

from __future__ import annotations

import numpy as np
import pytest

from reports.balance.plan import BalancePlan, Effort
from reports.balance.sections import strategies as section
from reports.balance.sections.strategies import NEAR, WAYS, circles, main_finding, measure, read_matchups, ways_to_play
from simulate import Rules
from simulate.escalation.settings.invasion import Invasion
from strategies.catalogue import strategy
from strategies.strategy import Strategy
from tests.reports.balance.raw_games import win_shares

FEW = Effort("quick", 1, 1, 1)
POPULATION = tuple(strategy(name) for name in ("standard", "minimal", "novice"))
PLAN = BalancePlan(Rules(players=3), (3,), effort=FEW, population=POPULATION)


@pytest.fixture(scope="module")
def finding(play):
    return measure(PLAN, play)


def test_wins_are_those_of_plain_games(finding):
    standard, minimal = POPULATION[:2]
    deals = np.arange(5040)
    won = []
    for position in range(3):
        seats = [minimal] * 3
        seats[position] = standard
        won.append(win_shares(tuple(seats), deals)[:, position].mean())
    frame = finding.frames["matchups"].set_index(["strategy", "opponents"])
    row = frame.loc["standard", "minimal"]
    assert row["wins_per_100_games"] == pytest.approx(100 * np.mean(won), abs=1e-9)
    assert row["wins_per_100_games_low"] < row["wins_per_100_games"] < row["wins_per_100_games_high"]
    assert frame.loc["novice", "novice"]["wins_per_100_games"] == pytest.approx(100 / 3)
    assert frame.loc["novice", "novice"]["different_from_equal_share"] == "no"
    assert row["different_from_equal_share"] == "yes"


def test_the_section_opens_with_its_finding(finding):
    assert finding.name == "strategies"
    assert finding.finding.startswith("One way to play stands out: standard wins most")
    assert (finding.light, finding.threshold) == ("bad", WAYS)
    assert {figure.csv.removesuffix(".csv") for figure in finding.figures} <= set(finding.frames)
    assert {table.csv.removesuffix(".csv") for table in finding.tables} <= set(finding.frames)
    worst = finding.frames["strategies"].iloc[-1]
    assert worst["strategy"] == "novice"
    assert "standard" in worst["dominated_by"]
    assert finding.frames["strategies"]["dominated_by"].iloc[0] == ""


def test_thresholds_decide_the_light(play, finding):
    names = [one.label for one in POPULATION]
    settings = [Invasion(PLAN.rules, field, POPULATION) for field in POPULATION]
    every = [blocks[0] for blocks in play("", settings, 1)]
    matchups = read_matchups(names, 3, every)
    assert ways_to_play(matchups, 0.5).high == 1
    generous = ways_to_play(matchups, 100.0)
    assert (generous.low, generous.estimate, generous.high) == (3, 3, 3)
    assert "more than one way to play well" in main_finding(matchups, 100.0)
    assert {WAYS.name, NEAR.name, section.STEP.name} == {"ways-to-play", "near-best", "step-games"}


def test_equal_players_are_not_told_apart(play):
    """Three names for one habit: equal in every game, so no cell, no gap, no dominance."""
    twins = tuple(Strategy(name, strategy("minimal").values) for name in ("a", "b", "c"))
    settings = [Invasion(PLAN.rules, field, twins) for field in twins]
    matchups = read_matchups("abc", 3, [blocks[0] for blocks in play("", settings, 1)])
    assert not matchups.different.any()
    assert not matchups.invades.any()
    assert [matchups.dominated_by(one) for one in range(3)] == [[], [], []]
    assert all(gain.estimate == 0 for gains in matchups.gains.values() for gain in gains)
    assert ways_to_play(matchups, 2.0).low == 3


def test_circles_are_found_and_chains_are_not():
    invades = np.zeros((5, 5), dtype=bool)
    for one, other in ((0, 1), (1, 2), (2, 0), (3, 0), (3, 4)):
        invades[one, other] = True
    assert circles(invades) == [[0, 1, 2]]
    invades[4, 3] = True
    assert circles(invades) == [[0, 1, 2], [3, 4]]
    assert circles(np.triu(np.ones((4, 4), dtype=bool), 1)) == []
