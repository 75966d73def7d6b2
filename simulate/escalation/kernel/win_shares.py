"""Shares of a win, counted in whole numbers: whoever has the lowest score wins, and ties share."""

from __future__ import annotations

import math
from typing import Final

import numpy as np
from numpy.typing import NDArray

from simulate.escalation.rules import MOST_PLAYERS
from simulate.jit import jitted


def whole_win(players: int) -> int:
    """Return the units that a win is counted in: 1/k of it is whole for every k up to the number of players."""
    return math.lcm(*range(1, players + 1))


WIN: Final = whole_win(MOST_PLAYERS)
"""A whole win, 2,520, wherever one unit has to serve tables of any size."""


def win_shares(scores: NDArray[np.int64], win: int | None = None) -> NDArray[np.int64]:
    """Return each player's share of the win.

    Parameters
    ----------
    scores
        Scores, last axis players.
    win
        A whole win; None means the `whole_win` of so many players.
    """
    win = win or whole_win(scores.shape[-1])
    winners = scores == scores.min(axis=-1, keepdims=True)
    return np.where(winners, win // winners.sum(axis=-1, keepdims=True), 0)


@jitted
def share_win(scores: NDArray[np.int64], players: int, win: int, shares: NDArray[np.int64]) -> int:
    """Fill the win shares of one game or match; return how many share the win."""
    lowest, winners = scores[0], 0
    for player in range(players):
        lowest = min(lowest, scores[player])
    for player in range(players):
        winners += scores[player] == lowest
    share = win // winners
    for player in range(players):
        shares[player] = share if scores[player] == lowest else 0
    return winners
