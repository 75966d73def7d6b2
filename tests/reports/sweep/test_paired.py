"""Many alternatives on the same deals: marked at a rate, or raced; the winner measured on deals of its own."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from reports.estimates.betting import planned_interval, watched_interval
from reports.estimates.intervals import FIXED, Interval
from reports.questions import question_from
from reports.sweep.paired import NUMBER, PairedPlan, answer_paired, rounds, still_racing, watched_wins
from reports.sweep.plan import SweepPlan
from reports.sweep.variation import read_variation
from simulate import Experiment, Rules, run
from simulate.blocks import DEALS_PER_BLOCK, FRESH_BLOCK, deals_of
from simulate.runner import How
from simulate.store import Store
from strategies.catalogue import strategy
from strategies.errors import InputError


def plan_of(*texts: str, goal="compare", players=(2,), seats=("standard", "novice"), who="focal", **more) -> PairedPlan:
    variations = tuple(read_variation(text) for text in texts)
    strategies = tuple(strategy(seat) for seat in seats)
    return PairedPlan(SweepPlan(variations, players, Rules(), strategies, who), goal, **more)


def test_a_difference_is_that_of_two_tables_on_the_same_deals():
    result = answer_paired(plan_of("early_take=-1,2"), 2 * DEALS_PER_BLOCK)
    rows = result.settings.to_dict(orient="records")
    assert [row["deals"] for row in rows] == [DEALS_PER_BLOCK] * 2
    # The base's own value cannot change anything: that is no estimate, and has no interval.
    assert rows[0][NUMBER] == 0
    assert np.isnan([rows[0][f"{NUMBER}_low"], rows[0][f"{NUMBER}_high"]]).all()
    assert [row[f"{NUMBER}_low"] is None for row in result.as_data()["grid"]] == [True, False]
    assert (rows[0]["different"], rows[1]["different"]) == ("no", "yes")
    comparison = plan_of("early_take=2").experiment.settings[0]
    per_deal = np.zeros(DEALS_PER_BLOCK)
    for focal in range(2):
        shares = []
        for changed in (False, True):
            scores = comparison.table(focal, changed=changed).play(1, deals_of(0)).scores
            best = scores == scores.min(axis=1, keepdims=True)
            shares.append((best / best.sum(axis=1, keepdims=True))[:, focal])
        per_deal += (shares[1] - shares[0]) * 100 / 2
    assert rows[1][NUMBER] == pytest.approx(per_deal.mean())
    # Two deals that were not seen are added, with a whole win more and less.
    spread = ((per_deal - per_deal.mean()) ** 2).sum() + 2 * 100**2
    error = (spread / (DEALS_PER_BLOCK - 1) / DEALS_PER_BLOCK) ** 0.5
    assert rows[1][f"{NUMBER}_high"] - rows[1][NUMBER] == pytest.approx(1.959964 * error, rel=1e-6)


def test_those_that_cannot_reach_the_leader_are_dropped():
    intervals = {0: Interval(1, 0, 2), 1: Interval(5, 4, 6), 2: Interval(4, 3, 4), 3: Interval(3, 2, 3.9)}
    assert still_racing(intervals, [0, 1, 2, 3], 1) == [1, 2]
    assert still_racing(intervals, [0, 1, 2, 3], -1) == [0, 3]
    assert still_racing(intervals, [0, 2], 1) == [2]


def test_rounds_double_and_end_at_the_most():
    assert list(rounds(11)) == [(0, 1), (1, 2), (2, 4), (4, 8), (8, 11)]
    assert list(rounds(1)) == [(0, 1)]


@pytest.fixture(scope="module")
def equally():
    """The table of a race's settings, each of which was played as often as the race allows."""
    return answer_paired(plan_of("early_take=-1,1,2,4", "shed=0,0.98"), 16 * DEALS_PER_BLOCK).settings


@pytest.mark.parametrize("goal", ["best", "worst"])
def test_a_race_finds_what_playing_all_equally_finds_with_fewer_games(goal, equally):
    plan = plan_of("early_take=-1,1,2,4", "shed=0,0.98", goal=goal)
    raced = answer_paired(plan, 16 * DEALS_PER_BLOCK)
    expected = equally[NUMBER].idxmax() if goal == "best" else equally[NUMBER].idxmin()
    assert raced.winner == expected
    assert raced.saved > 0.3
    states = raced.settings.set_index("setting")["state"]
    assert states[expected] == "winner"
    assert (states == "dropped").sum() >= 4


def test_the_winner_is_measured_on_deals_that_nobody_raced_on():
    plan = plan_of("pass_hoard=0,6", goal="best")
    games, blocks = 8 * DEALS_PER_BLOCK, 4
    result = answer_paired(plan, games)
    winner = plan.experiment.settings[result.winner]
    deals = np.concatenate([deals_of(block) for block in range(FRESH_BLOCK, FRESH_BLOCK + blocks)])
    assert result.fresh == planned_interval(watched_wins(winner.play_deals(1, deals)))


def test_a_base_that_wins_the_race_is_not_measured_against_itself():
    result = answer_paired(plan_of("early_take=-1,2", goal="best"), 2 * DEALS_PER_BLOCK)
    assert result.as_data()["fresh"] == {"estimate": 0.0, "low": None, "high": None, "level": None}
    assert result.fresh.kind == FIXED


def test_intervals_of_a_race_share_the_rate():
    plan = plan_of("early_take=-1,2", goal="best", rate=0.1)
    result = answer_paired(plan, 2 * DEALS_PER_BLOCK)
    counts = run(Experiment((plan.experiment.settings[1],), 1), DEALS_PER_BLOCK)[0]
    expected = watched_interval(watched_wins(counts), 0.05)
    row = result.settings.iloc[1]
    assert (row[f"{NUMBER}_low"], row[f"{NUMBER}_high"]) == (expected.low, expected.high)


@pytest.mark.parametrize("goal", ["compare", "best"])
def test_stopping_and_going_on_gives_the_same(tmp_path: Path, goal):
    plan, games = plan_of("early_take=-1,0,1", goal=goal), 8 * DEALS_PER_BLOCK
    straight = answer_paired(plan, games)
    asked = []

    def stop():
        asked.append(None)
        return len(asked) > 6

    with Store(tmp_path, plan.experiment) as store:
        partial = answer_paired(plan, games, How(store=store, stop=stop, threads=1))
        assert not partial.complete
        assert 0 < len(store) < 12
    with Store(tmp_path, plan.experiment) as store:
        again = answer_paired(plan, games, How(store=store, threads=2))
    assert again.settings.equals(straight.settings)
    assert again.fresh == straight.fresh


def test_the_progress_of_a_race_is_that_of_one_run(tmp_path: Path):
    plan, games = plan_of("early_take=-1,0,1,4", goal="best"), 16 * DEALS_PER_BLOCK
    told = []
    with Store(tmp_path, plan.experiment) as store:
        answer_paired(plan, games, How(store=store, on_progress=told.append))
        assert told[-1].games == told[-1].planned == len(store) * DEALS_PER_BLOCK
    assert told[0].planned == (4 + 1) * games / 2
    games_told, shares = [one.games for one in told], [one.games / one.planned for one in told]
    assert games_told == sorted(games_told)
    assert shares == sorted(shares)
    again = []
    with Store(tmp_path, plan.experiment) as store:
        answer_paired(plan, games, How(store=store, on_progress=again.append))
    assert again[-1].stored == again[-1].games == told[-1].games


@pytest.mark.parametrize(
    ("make", "complaint"),
    [
        (lambda: plan_of("deck=even,one-wild"), "parameters of the first seat only, not deck"),
        (lambda: plan_of("opponents.shed=0,1"), "not opponents.shed"),
        (lambda: plan_of("shed=0,1", seats=("standard",), who="all"), "--who focal"),
        (lambda: plan_of("shed=0,1", players=(2, 3)), "one table size"),
        (lambda: plan_of("shed=0,1", rate=0.51), "1e-12 to 0.5"),
        (lambda: plan_of("shed=0,1", rate=1e-13), "1e-12 to 0.5"),
        (lambda: plan_of("shed=0,1", goal="bset"), "did you mean 'best'"),
    ],
)
def test_what_cannot_be_paired_is_refused(make, complaint):
    with pytest.raises(InputError, match=complaint):
        make()


@pytest.mark.parametrize("goal", ["compare", "best"])
def test_a_paired_question_comes_back_from_its_description(goal):
    plan = plan_of("early_take=-1:2", goal=goal, rate=0.1)
    back = question_from(plan.provenance(9999).as_data())
    assert back.provenance == plan.provenance(9999)
    assert (back.plan.goal, back.plan.rate) == (goal, 0.1)
