"""Win-chance curves: statistics worked out by hand, noise kept out, chances recomputed by other code."""

from __future__ import annotations

from types import SimpleNamespace

import numpy as np
import pytest

from reports.balance import curves as of
from reports.balance.curves import Curve
from simulate import Rules, Table
from simulate.blocks import deals_of
from simulate.escalation.settings.lookahead import AlongGames
from strategies.catalogue import strategy

TABLE = Table(Rules(players=3), (strategy("standard"),) * 3, "given")


def game(*winners):
    return SimpleNamespace(winners=winners)


def test_crossings_worked_out_by_hand():
    chances = np.array([[0.5, 0.5], [0.95, 0.05], [0.2, 0.8], [0.92, 0.08], [1.0, 0.0]])
    assert of.decided_at(game(0), chances) == 3
    assert of.decided_at(game(0, 1), chances) == 0
    # Position 0 leads at first, then 1, then 0 again.
    assert of.lead_changes(game(0), chances) == 2
    # Half of an equal share is 0.25.
    assert of.comes_back(game(0), chances) == 1
    assert of.comes_back(game(0), chances[[0, 1, 3, 4]]) == 0


def test_a_lead_does_not_flicker_between_equals():
    chances = np.array([[0.5, 0.5], [0.47, 0.53], [0.52, 0.48], [0.44, 0.56], [0.5, 0.5]])
    assert of.lead_changes(game(0), chances) == 1


def test_noise_of_playouts_does_not_enlarge_swings():
    """Chances that really move by 0.1 in every second turn, seen through 50 playouts per half."""
    rng = np.random.default_rng(3)
    truth = np.array([0.5 + 0.1 * (turn // 2 % 2) for turn in range(41)])
    squares, raw = [], []
    for _ in range(300):
        seen = rng.binomial(50, truth, (2, 41)) / 50
        curve = Curve(game(0), np.empty(0), np.stack([seen, 1 - seen], axis=-1))
        squares.append(of.squared_swings(curve).mean())
        raw.append((np.diff(seen.mean(axis=0)) ** 2).mean())
    error = np.std(squares) / np.sqrt(300)
    assert np.mean(squares) == pytest.approx(0.1**2 / 2, abs=4 * error)
    assert np.mean(raw) > 0.1**2 / 2 + 20 * error


def test_the_greatest_swing_is_not_the_luckiest_one():
    """Nothing moves at all: whatever one half takes for the greatest swing, the other half measures as none."""
    rng = np.random.default_rng(4)
    seen = rng.binomial(50, 0.5, (400, 2, 41)) / 50
    swings = [of.greatest_swing(Curve(game(0), np.empty(0), np.stack([one, 1 - one], axis=-1))) for one in seen]
    assert np.mean(swings) == pytest.approx(0, abs=4 * np.std(swings) / 20)


def test_curves_move_as_much_as_they_must():
    """Win chances are a martingale: over a game their squared steps add up, on average, to the squared whole way."""
    setting = AlongGames(TABLE, 60, 100)
    curves = of.curves_of(setting, 2, [setting.play_deals(2, deals_of(0))])
    steps = [2 * of.squared_swings(curve).sum() for curve in curves]
    ways = [((curve.halves[:, -1] - curve.halves[:, 0]).prod(axis=0)).sum() for curve in curves]
    gap = np.array(steps) - ways
    assert abs(gap.mean()) < 3.5 * gap.std(ddof=1) / np.sqrt(60)
    assert np.mean(steps) > 0.3
    drift = np.array([curve.chances[0] - curve.chances[-1] for curve in curves])
    assert np.all(np.abs(drift.mean(axis=0)) < 3.5 * drift.std(axis=0, ddof=1) / np.sqrt(60))


def test_chances_are_those_of_the_engine_that_plays_on_by_itself():
    setting = AlongGames(TABLE, 1, 2000)
    (curve,) = of.curves_of(setting, 1, [setting.play_deals(1, deals_of(0))])
    for turn in (0, 9, 17):
        scores = TABLE.play_from(curve.game.states[turn], 77, np.arange(4000), shuffle_rest=True).scores
        won = scores == scores.min(axis=1, keepdims=True)
        shares = won / won.sum(axis=1, keepdims=True)
        error = np.sqrt(shares.var(axis=0) * (1 / 4000 + 1 / 2000))
        assert np.all(np.abs(curve.chances[turn] - shares.mean(axis=0)) <= 4 * error)


def test_a_mean_of_few_large_squares_is_below_its_upper_bound_nearly_as_often_as_promised():
    """Exponential squares: skewness 2. Of Student's own interval the upper bound is too low more often."""
    rng, runs, games, below, below_plain = np.random.default_rng(1), 4000, 40, 0, 0
    for _ in range(runs):
        squares = rng.exponential(size=games)
        found = of._root_mean(squares, np.ones(games), 0.95)
        below += found.high**2 < 1
        below_plain += squares.mean() + 2.022691 * squares.std(ddof=1) / np.sqrt(games) < 1
    # What is left is of the order of 1 / games.
    assert below / runs < 0.025 + 1 / games + 3 * np.sqrt(0.025 * 0.975 / runs)
    assert below_plain > 1.3 * below


def test_without_skewness_the_interval_of_a_mean_square_is_student_s():
    squares = np.array([1.0, 2.0, 3.0, 4.0, 5.0])
    found = of._root_mean(squares, np.ones(5), 0.95)
    reach = 2.776445 * squares.std(ddof=1) / np.sqrt(5)
    assert (found.low**2, found.high**2) == pytest.approx((3 - reach, 3 + reach))
