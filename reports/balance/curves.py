"""How win chances move through games: curves, and what can be said of them although each point is an estimate.

A point of a curve is the share of wins among games played on from there, so it has noise of its own. What is linear in
the chances is unbiased as it is. Sizes of movements are taken from two independent halves of the playouts: one half
says which way the chances moved, the other how far. Statistics that count crossings of a line keep a bias, which
shrinks with the playouts: what they would be with half as many is told beside them, and the truth is nearer than that.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray
from scipy.stats import t as student

from reports.balance.finding import SettingBlocks
from reports.balance.plan import Effort
from reports.estimates.intervals import LEVEL, Interval
from simulate.escalation.settings.lookahead import AlongGames
from simulate.escalation.settings.rollouts import win_chances
from simulate.escalation.settings.situations import Followed, follow

DECIDED: Final = 0.9
"""The winner is decided once their win chance stays at least so high."""
CLEAR_LEAD: Final = 0.1
"""A new leader must be ahead of the old one by so much: the lead does not flicker between equals."""
TENTHS: Final = 10


@dataclass(frozen=True)
class Curve:
    """One game and its win chances.

    Attributes
    ----------
    game
        The game.
    chances
        Win chances before each turn and at the end, by position; shape (turns + 1, players).
    halves
        The same from two independent halves of the playouts; shape (2, turns + 1, players).
    """

    game: Followed
    chances: NDArray[np.float64]
    halves: NDArray[np.float64]


def games_per_block(effort: Effort) -> int:
    """Return how many games of each block make up the sample of which every turn is looked at."""
    return -(-effort.sample // effort.blocks)


def curves_of(setting: AlongGames, seed: int, blocks: SettingBlocks) -> list[Curve]:
    """Return the curve of every game that was looked at.

    Parameters
    ----------
    setting, seed, blocks
        What was played, and what it gave.
    """
    return [
        _curve(game, wins[: len(game.states)])
        for block in blocks
        for game, wins in zip(follow(setting.table.rules, seed, block), block["wins"], strict=True)
    ]


def _curve(game: Followed, wins: NDArray[np.int64]) -> Curve:
    return Curve(game, win_chances(wins), np.stack([win_chances(wins[:, half::2]) for half in range(2)]))


# --- Statistics of one game ------------------------------------------------------------------------------------------


def of_winners(game: Followed, chances: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the chance of whoever won in the end, together where the win was shared; shape (turns + 1,)."""
    together: NDArray[np.float64] = chances[:, list(game.winners)].sum(axis=1)
    return together


def squared_swings(curve: Curve) -> NDArray[np.float64]:
    """Return, for each turn, the square of the win chance that changed hands; unbiased, hence sometimes negative.

    A chance that goes from one player to another changes two of the chances by as much, hence the half.
    """
    first, second = np.diff(curve.halves, axis=1)
    squares: NDArray[np.float64] = (first * second).sum(axis=1) / 2
    return squares


def greatest_swing(curve: Curve) -> float:
    """Return how much win chance changed hands in the turn that moved most: one half finds it, one measures it."""
    moved = np.diff(curve.halves, axis=1)
    found = np.abs(moved).sum(axis=2).argmax(axis=1)
    each = [(np.sign(moved[h, turn]) * moved[1 - h, turn]).sum() / 2 for h, turn in enumerate(found)]
    return float(np.mean(each))


def decided_at(game: Followed, chances: NDArray[np.float64]) -> float:
    """Return the turns after which the winner's chance never fell below `DECIDED` again."""
    below = np.flatnonzero(of_winners(game, chances) < DECIDED)
    return float(below[-1] + 1) if len(below) else 0.0


def lead_changes(game: Followed, chances: NDArray[np.float64]) -> float:
    """Return how often the lead went to somebody else, who was then clearly ahead of the one who had it."""
    leader, changes = int(chances[0].argmax()), 0
    for now in chances:
        best = int(now.argmax())
        if best != leader and now[best] >= now[leader] + CLEAR_LEAD:
            leader, changes = best, changes + 1
    return float(changes)


def comes_back(game: Followed, chances: NDArray[np.float64]) -> float:
    """Return 1 if whoever won had once been below half of an equal share, else 0."""
    behind = len(game.winners) / chances.shape[1] / 2
    return float((of_winners(game, chances) < behind).any())


Crossing = Callable[[Followed, NDArray[np.float64]], float]
"""A statistic that counts crossings of a curve."""


def with_half(curve: Curve, statistic: Crossing) -> float:
    """Return what a crossing statistic is with half the playouts: how sensitive it is to their noise."""
    return float(np.mean([statistic(curve.game, chances) for chances in curve.halves]))


# --- Over games ------------------------------------------------------------------------------------------------------


def mean_over_games(numbers: Sequence[float] | NDArray[np.float64], level: float = LEVEL) -> Interval:
    """Estimate a mean, one number per game, with Student's t; of a single game nothing is sure."""
    values = np.asarray(numbers, dtype=float)
    middle = float(values.mean())
    if len(values) == 1:
        return Interval(middle, -math.inf, math.inf, level)
    error = float(values.std(ddof=1)) / math.sqrt(len(values))
    return Interval.around(middle, float(student.ppf((1 + level) / 2, len(values) - 1)) * error, level)


def swing_by_tenth(curves: Sequence[Curve], level: float = LEVEL) -> dict[int, Interval]:
    """Return how far one turn moves the win chances (root mean square) in each tenth of the game, from 1.

    A ratio of sums over games; the interval is that of the mean square, by leaving out one game at a time. Tenths in
    which fewer than two games have a turn, as games of a few turns have, are left out.
    """
    turns, squares = np.zeros((len(curves), TENTHS)), np.zeros((len(curves), TENTHS))
    for row, curve in enumerate(curves):
        swung = squared_swings(curve)
        tenth = np.arange(len(swung)) * TENTHS // len(swung)
        turns[row] = np.bincount(tenth, minlength=TENTHS)
        squares[row] = np.bincount(tenth, weights=swung, minlength=TENTHS)
    found = {}
    for place, (square, number) in enumerate(zip(squares.T, turns.T, strict=True), start=1):
        there = number > 0
        if there.sum() > 1:
            found[place] = _root_mean(square[there], number[there], level)
    return found


def _root_mean(totals: NDArray[np.float64], numbers: NDArray[np.float64], level: float) -> Interval:
    mean = totals.sum() / numbers.sum()
    without = (totals.sum() - totals) / (numbers.sum() - numbers)
    games = len(totals)
    apart = without.mean() - without
    spread = float((apart**2).sum())
    far = float(student.ppf((1 + level) / 2, games - 1))
    reach = far * math.sqrt((games - 1) / games * spread)
    # Few large swings make the mean, and a sample that misses some is too sure of itself: further up by the skewness,
    # as the expansion of Student's statistic has it (Johnson, JASA 73, 1978; Hall, The Bootstrap, 1992, section 2.6).
    skewed = float((apart**3).sum()) / spread * ((games - 1) / games) ** 2 * (2 * far**2 + 1) / 6 if spread else 0.0
    middle, low, high = (math.sqrt(max(0.0, end)) for end in (mean, mean - reach, mean + reach + max(0.0, skewed)))
    return Interval(middle, low, high, level)
