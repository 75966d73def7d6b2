"""Reducing games played twice to integer sums that add up exactly over blocks."""

from __future__ import annotations

from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from simulate.escalation.kernel.win_shares import share_win
from simulate.escalation.rules import MOST_PLAYERS
from simulate.jit import jitted, kernel

MEASURES: Final = ("wins", "scores", "next_wins", "next_scores", "previous_wins", "previous_scores")
"""What is compared: the focal player's own outcome and those of the next and the previous player."""


class PairSums(NamedTuple):
    """Integer sums over units (deals or matches); see `comparison.reduce_pairs` for what the fields hold."""

    win_differences: NDArray[np.int64]
    score_differences: NDArray[np.int64]
    differences: NDArray[np.int64]
    wins: NDArray[np.int64]
    scores: NDArray[np.int64]
    win_squares: NDArray[np.int64]


class Outcome(NamedTuple):
    """Scores and win shares of one unit by seat, shape (MOST_PLAYERS,) each."""

    scores: NDArray[np.int64]
    shares: NDArray[np.int64]


def scratch() -> tuple[Outcome, Outcome, NDArray[np.int64]]:
    """Allocate what `add_pairs` works with: an outcome per arm, and the differences of a unit."""
    outcomes = [Outcome(*np.zeros((2, MOST_PLAYERS), dtype=np.int64)) for _ in range(2)]
    return outcomes[0], outcomes[1], np.zeros(len(MEASURES), dtype=np.int64)


@jitted
def work_out(games: NDArray[np.int64], first: int, after: int, win: int, outcome: Outcome) -> None:
    """Fill the outcome of the unit that games `first` up to `after` make, from scores by game and seat."""
    players = games.shape[1]
    for seat in range(players):
        outcome.scores[seat] = 0
        for game in range(first, after):
            outcome.scores[seat] += games[game, seat]
    share_win(outcome.scores, players, win, outcome.shares)


@jitted
def add_arm(outcome: Outcome, arm: int, focal: int, sums: PairSums) -> None:
    """Add the focal player's outcome in one arm."""
    share = outcome.shares[focal]
    sums.wins[arm, focal] += share
    sums.scores[arm, focal] += outcome.scores[focal]
    sums.win_squares[arm] += share * share


@jitted
def add_differences(base: Outcome, changed: Outcome, focal: int, players: int, difference: NDArray[np.int64]) -> None:
    """Add what the change made of each measure with the focal player at one seat, in the order of MEASURES."""
    following = focal + 1 if focal + 1 < players else 0
    preceding = focal - 1 if focal > 0 else players - 1
    for place, seat in enumerate((focal, following, preceding)):
        difference[2 * place] += changed.shares[seat] - base.shares[seat]
        difference[2 * place + 1] += changed.scores[seat] - base.scores[seat]


@jitted
def add_unit(difference: NDArray[np.int64], sums: PairSums) -> None:
    """Add a unit's differences to the sums and the histograms, and make them 0 for the next one."""
    # The middle of a histogram is a difference of 0.
    sums.win_differences[(sums.win_differences.shape[0] >> 1) + difference[0]] += 1
    sums.score_differences[(sums.score_differences.shape[0] >> 1) + difference[1]] += 1
    for place in range(len(MEASURES)):
        sums.differences[place, 0] += difference[place]
        sums.differences[place, 1] += difference[place] * difference[place]
        difference[place] = 0


@kernel
def add_pairs(
    base: NDArray[np.int64],
    changed: NDArray[np.int64],
    games_per_unit: int,
    win: int,
    memory: tuple[Outcome, Outcome, NDArray[np.int64]],
    sums: PairSums,
) -> None:
    """Add every unit to the sums in place.

    Parameters
    ----------
    base, changed
        Scores by focal seat, game and seat, shape (players, games, players).
    games_per_unit
        1, or the number of players where matches are the units.
    win
        A whole win, in units of win share.
    memory
        See `scratch`.
    sums
        Added to.
    """
    players, games, _ = base.shape
    before, after, difference = memory
    for unit in range(games // games_per_unit):
        first, following = unit * games_per_unit, (unit + 1) * games_per_unit
        for focal in range(players):
            work_out(base[focal], first, following, win, before)
            work_out(changed[focal], first, following, win, after)
            add_arm(before, 0, focal, sums)
            add_arm(after, 1, focal, sums)
            add_differences(before, after, focal, players, difference)
        add_unit(difference, sums)
