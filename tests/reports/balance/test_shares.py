"""Shares of wins: one test on all places, and weighted sums, against raw games and by hand."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.stats import norm

from reports.balance.shares import equal_means_p, shares_frame, shares_of, weighted_wins
from simulate import Rules, Table
from simulate.blocks import deals_of, play_block
from simulate.escalation.kernel.win_shares import WIN
from simulate.experiment import Experiment
from strategies.catalogue import strategy


def test_p_values_are_right_as_often_as_they_say():
    """5% of 2,000 vectors of equal shares, whose numbers depend on each other as shares of one win do."""
    rng = np.random.default_rng(5)
    p_values = []
    for _ in range(2000):
        winners = rng.integers(4, size=500)
        wins = np.eye(4, dtype=np.int64)[winners]
        p_values.append(equal_means_p(wins.sum(axis=0), wins.T @ wins, 500))
    wrong = np.mean(np.array(p_values) <= 0.05)
    assert abs(wrong - 0.05) <= 3 * np.sqrt(0.05 * 0.95 / 2000)


def test_what_never_varies_is_equal_or_it_is_not():
    ones = np.ones(3, dtype=np.int64)
    assert equal_means_p(10 * ones, 10 * np.ones((3, 3), dtype=np.int64), 10) == 1
    different = np.array([1, 0, 0])
    assert equal_means_p(10 * different, 10 * np.outer(different, different), 10) == 0


def test_weighted_wins_are_those_of_single_games():
    """Four games of three players, worked out game by game."""
    wins = np.array([[WIN, 0, 0], [0, WIN // 2, WIN // 2], [0, 0, WIN], [WIN, 0, 0]])
    weights = np.array([2, -1, -1])
    each = 100 * (wins @ weights) / WIN / 3
    found = weighted_wins(weights, (wins.sum(axis=0), wins.T @ wins), 4, 3)
    assert found.estimate == pytest.approx(each.mean())
    # Two games that were not seen are added, as far off as the greatest weight allows: two thirds of a win.
    spread = ((each - each.mean()) ** 2).sum() + 2 * (100 * 2 / 3) ** 2
    assert found.half_width == pytest.approx(norm.ppf(0.975) * np.sqrt(spread / 3 / 4))


def test_only_those_compared_are_compared():
    table = Table(Rules(players=3), tuple(map(strategy, ("novice", "standard", "standard"))))
    counts = play_block(Experiment((table,), 1), 0, 0)
    shares = shares_of(counts, "others", match=True, level=0.95, compared=slice(1, None))
    played = table.play(1, deals_of(0))
    at_seat = np.take_along_axis(played.scores, np.argsort(played.seating, axis=1), axis=1).astype(int)
    lowest = at_seat.reshape(-1, 3, 3).sum(axis=1)
    won = lowest == lowest.min(axis=1, keepdims=True)
    wins = 100 * (won / won.sum(axis=1, keepdims=True)).mean(axis=0)
    assert [share.estimate for share in shares.wins] == pytest.approx(wins[1:])
    assert [share.estimate for share in shares.above] == pytest.approx(wins[1:] - wins[1:].mean())
    frame = shares_frame([shares], "seat")
    assert frame["seat"].tolist() == [1, 2]
    assert frame["matches"].tolist() == [1680, 1680]
    assert "score" not in frame
