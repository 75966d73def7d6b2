"""Shares of a win: the lowest score wins, and ties share."""

from __future__ import annotations

import numpy as np
import pytest

from simulate.escalation.kernel.win_shares import WIN, share_win, whole_win, win_shares
from simulate.jit import kernel


@kernel
def fill_shares(scores, win, shares, winners):
    for game in range(scores.shape[0]):
        winners[game] = share_win(scores[game], scores.shape[1], win, shares[game])


def test_wins_are_shared_among_the_lowest():
    shares = win_shares(np.array([[3, 3, 5], [1, 2, 3], [4, 4, 4]]))
    assert shares.tolist() == [[3, 3, 0], [6, 0, 0], [2, 2, 2]]


def test_a_whole_win_divides_evenly_among_any_number_of_winners():
    assert [whole_win(players) for players in range(2, 10)] == [2, 6, 12, 60, 60, 420, 840, 2520]
    assert WIN == 2520
    assert all(WIN % winners == 0 for winners in range(1, 11))


@pytest.mark.parametrize("players", [2, 5, 9])
def test_the_compiled_shares_are_the_plain_ones(players):
    scores = np.random.default_rng(players).integers(0, 4, (200, players))
    shares, winners = np.zeros_like(scores), np.zeros(200, dtype=np.int64)
    fill_shares(scores, WIN, shares, winners)
    assert np.array_equal(shares, win_shares(scores, WIN))
    assert winners.tolist() == [row.count(min(row)) for row in scores.tolist()]
