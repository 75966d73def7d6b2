"""All strategies against each other: numbers from plain games, and what follows from them."""

from __future__ import annotations

import math

import numpy as np
import pytest

from reports.balance.compositions import MOST, compositions_of, gap_between
from reports.balance.ladder import chain, rungs
from reports.balance.plan import BalancePlan, Effort
from reports.balance.sections import strategies as section
from reports.balance.sections.strategies import NEAR, WAYS, circles, main_finding, measure, read_matchups, ways_to_play
from simulate import Rules, Table
from simulate.escalation.settings.invasion import Invasion
from strategies.catalogue import strategy
from strategies.strategy import Strategy

FEW = Effort("quick", 1, 1, 1)
POPULATION = tuple(strategy(name) for name in ("standard", "minimal", "novice"))
PLAN = BalancePlan(Rules(players=3), (3,), effort=FEW, population=POPULATION)


@pytest.fixture(scope="module")
def finding(play):
    return measure(PLAN, play)


def shares(seats, deals, seating="given"):
    """Return the win share of every seat in every game, from scores alone."""
    played = Table(Rules(players=3), seats, seating).play(1, deals)
    at_seat = np.empty(played.scores.shape)
    for game, (scores, seating_of_game) in enumerate(zip(played.scores.tolist(), played.seating, strict=True)):
        winners = [place for place, score in enumerate(scores) if score == min(scores)]
        for place in range(3):
            at_seat[game, seating_of_game[place]] = (place in winners) / len(winners)
    return at_seat


def test_wins_are_those_of_plain_games(finding):
    standard, minimal = POPULATION[:2]
    deals = np.arange(5040)
    won = []
    for position in range(3):
        seats = [minimal] * 3
        seats[position] = standard
        won.append(shares(tuple(seats), deals)[:, position].mean())
    frame = finding.frames["matchups"].set_index(["strategy", "opponents"])
    row = frame.loc["standard", "minimal"]
    assert row["wins_per_100_games"] == pytest.approx(100 * np.mean(won), abs=1e-9)
    assert row["wins_per_100_games_low"] < row["wins_per_100_games"] < row["wins_per_100_games_high"]
    assert frame.loc["novice", "novice"]["wins_per_100_games"] == pytest.approx(100 / 3)
    assert frame.loc["novice", "novice"]["different_from_equal_share"] == "no"
    assert row["different_from_equal_share"] == "yes"


def test_gaps_between_seats_come_from_single_games(finding):
    standard, _, novice = POPULATION
    at_seat = shares((standard, standard, novice), np.arange(5040), "shuffle")
    gaps = 100 * (at_seat[:, :2].mean(axis=1) - at_seat[:, 2])
    frame = finding.frames["compositions"].set_index(["first", "second", "seats_of_first"])
    row = frame.loc["standard", "novice", 2]
    assert row["gap_in_wins_per_100_games"] == pytest.approx(gaps.mean(), abs=1e-9)
    # Six tables of two strategies: 5% divided among them, two-sided, is 2.638 standard errors.
    reach = row["gap_in_wins_per_100_games_high"] - gaps.mean()
    assert reach == pytest.approx(2.638 * gaps.std(ddof=1) / math.sqrt(5040), rel=1e-3)
    assert row["first_wins_per_100_games"] == pytest.approx(100 * at_seat[:, :2].mean(), abs=1e-9)


def test_steps_of_the_ladder_are_measured_on_deals_beyond_those_they_were_chosen_on(finding):
    frame = finding.frames["ladder"]
    assert frame["weaker"].iloc[0] == "random"
    assert frame["better"].iloc[-1] == "standard"
    assert "novice" in frame["better"].tolist()
    assert frame["better"].tolist()[:-1] == frame["weaker"].tolist()[1:]
    last = frame.iloc[-1]
    weaker = strategy(last["weaker"])
    deals = np.arange(5040, 10080)
    at_seat = shares((strategy("standard"), weaker, weaker), deals, "rotate")
    gaps = at_seat[:, 0] - at_seat[:, 1]
    assert last["gap_in_wins_per_100_games"] == pytest.approx(100 * gaps.mean(), abs=1e-9)
    # After n games the better one is ahead with 95% if n x mean = 1.645 x sqrt(n) x spread.
    assert last["games_until_ahead"] == pytest.approx((1.64485 * gaps.std() / gaps.mean()) ** 2, rel=1e-3)
    assert (frame["clear"] == "yes").sum() >= 2


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


def test_a_chain_takes_the_first_clear_step_and_ends_where_it_is_to_end():
    games = {(low, high): 100 / (high - low) for low in range(6) for high in range(low + 1, 6)}
    assert chain(games, 0, 5, 100) == [0, 1, 2, 3, 4, 5]
    assert chain(games, 0, 5, 50) == [0, 2, 5]
    assert chain(games, 1, 3, 10) == [1, 3]
    assert chain(games, 3, 3, 100) == [3]


@pytest.mark.parametrize("name", ["standard", "novice", "minimal", "random", "minimal,noise=0.2"])
def test_rungs_are_different_players_whoever_the_best_is(name):
    best = strategy(name)
    lower, upper = rungs(best)
    assert lower[0] == strategy("random")
    assert lower[-1] == upper[0] == strategy("novice")
    assert upper[-1].values == best.values
    for half in (lower, upper):
        assert len({one.values for one in half}) == len(half)


def test_every_table_of_two_strategies_is_played_or_a_balanced_sample():
    few = compositions_of(POPULATION, 4)
    assert len(few) == len(set(few)) == 9
    many = [Strategy(f"s{place}", strategy("minimal").values) for place in range(11)]
    for most in (MOST, 60):
        sample = compositions_of(many, 6, most)
        assert len(sample) == len(set(sample)) <= most
        assert all(len(set(seats)) == 2 for seats in sample)
        pairs = {frozenset(seats) for seats in sample}
        met = [sum(one in pair for pair in pairs) for one in many]
        assert len(set(met)) == 1
        assert len(sample) == 5 * len(pairs)


def test_a_gap_of_seats_without_spread_is_exact():
    counts = {
        "scores": np.zeros((2, 2), dtype=np.int64),
        "wins": np.array([[2520 * 10, 0], [0, 0]]),
        "win_products": np.array([[2520**2 * 10, 0], [0, 0]]),
        "games": np.array([10]),
    }
    gap = gap_between(counts, 1, 0.95)
    assert (gap.low, gap.estimate, gap.high) == (100, 100, 100)
