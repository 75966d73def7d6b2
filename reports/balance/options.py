"""What each option of a turn is worth, and which differences are more than the noise of playouts.

Every option of a turn is played out on the same shuffles. These first playouts choose: the best option, the worst, and
the best of another kind. Fresh ones measure what was chosen. So a difference is not large because it was picked for
being large, and the batches of the fresh playouts say how sure it is.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray
from scipy.stats import t as student

from reports.statistics import LEVEL
from simulate.escalation.engine import Table
from simulate.escalation.reference import NumberSet, Option, Pass, Take, legal_options
from simulate.escalation.rollouts import BATCHES, roll_out, win_chances
from simulate.escalation.situations import Followed, Fork, follow, fork_after
from simulate.escalation.state import State

LEAD_LOW: Final = "lowest lead"
LEAD_HIGH: Final = "higher lead"
BEAT_LOW: Final = "lowest beat"
BEAT_HIGH: Final = "higher beat"
SET: Final = "multi-card set"
WITH_WILD: Final = "wild"
PASSING: Final = "Pass"
TAKING: Final = "take"
KINDS: Final = (LEAD_LOW, LEAD_HIGH, BEAT_LOW, BEAT_HIGH, SET, WITH_WILD, PASSING, TAKING)
"""Kinds of options: single cards, lowest or not; sets of two or more; anything with a wild; a Pass; a take."""

MEASURED_MORE: Final = 4
"""What was chosen is measured by so many times the playouts that chose it."""
A_POINT: Final = 0.01
"""A choice matters if its best and its worst option differ by so much win chance or more."""


def kinds_of(state: State, options: Sequence[Option]) -> tuple[str, ...]:
    """Return the kind of each option of a state, in order."""
    singles = [option.value for option in options if isinstance(option, NumberSet) and option.laid == (option.value,)]
    lowest = min(singles, default=0)
    return tuple(_kind(state, option, lowest) for option in options)


def _kind(state: State, option: Option, lowest: int) -> str:
    if isinstance(option, Take):
        return TAKING
    if isinstance(option, Pass):
        return PASSING
    if option.wilds:
        return WITH_WILD
    if option.cards > 1:
        return SET
    if state.pile:
        return BEAT_LOW if option.value == lowest else BEAT_HIGH
    return LEAD_LOW if option.value == lowest else LEAD_HIGH


@dataclass(frozen=True)
class Difference:
    """A difference in win chance, as fresh playouts measured it, and its reach to either side at 95%."""

    estimate: float
    reach: float

    @property
    def surely_a_point(self) -> bool:
        """Whether it is surely a point or more."""
        return self.estimate - self.reach >= A_POINT

    @property
    def surely_less(self) -> bool:
        """Whether it is surely less than a point, either way."""
        return self.estimate + self.reach < A_POINT

    @property
    def surely_positive(self) -> bool:
        """Whether it is surely more than nothing."""
        return self.estimate - self.reach > 0


@dataclass(frozen=True)
class Choice:
    """One turn and what its options are worth.

    Attributes
    ----------
    deal, turn, turns
        The game's deal, the turn (from 0), and how many the game had.
    kinds
        The kind of each legal option.
    best
        The kind of the one that seemed best.
    spread
        From the option that seemed worst to the one that seemed best; None where only one is legal.
    over_others
        From the best option of another kind to the best one; None where there is no other kind.
    """

    deal: int
    turn: int
    turns: int
    kinds: tuple[str, ...]
    best: str
    spread: Difference | None
    over_others: Difference | None


def choices_of(table: Table, seed: int, deals: Sequence[int], rollouts: int) -> list[Choice]:
    """Play deals and weigh every option of every turn.

    Parameters
    ----------
    table
        Who plays; the seating is "given".
    seed
        The seed of everything.
    deals
        Deal numbers.
    rollouts
        Games played on after each option to choose; `MEASURED_MORE` times as many measure what was chosen.
    """
    turns = [
        _Turn(table, game, number) for game in follow(table, seed, deals) for number in range(len(game.states) - 1)
    ]
    open_turns = [(place, turn) for place, turn in enumerate(turns) if len(turn.options) > 1]
    seemed = _played_on(table, [(place, turn, range(len(turn.options))) for place, turn in open_turns], seed, rollouts)
    wanted = [
        (len(turns) + place, turn, turn.candidates(chances.mean(axis=1)))
        for (place, turn), chances in zip(open_turns, seemed, strict=True)
    ]
    measured = iter(_played_on(table, wanted, seed, rollouts * MEASURED_MORE))
    candidates = {place - len(turns): chosen for place, _, chosen in wanted}
    return [
        turn.weighed(candidates[place], next(measured)) if place in candidates else turn.forced()
        for place, turn in enumerate(turns)
    ]


def _played_on(
    table: Table, wanted: Sequence[tuple[int, _Turn, Sequence[int]]], seed: int, rollouts: int
) -> list[NDArray[np.float64]]:
    """Return the mover's win chance after some options of some turns, by option and batch."""
    forks = [turn.forks[option] for _, turn, options in wanted for option in options]
    numbers = [number for number, _, options in wanted for _ in options]
    movers = [turn.state.mover for _, turn, options in wanted for _ in options]
    wins = roll_out(table, forks, numbers, seed, rollouts)
    chances = win_chances(wins[:, :, None])[np.arange(len(forks)), :, movers]
    return np.split(chances, np.cumsum([len(options) for _, _, options in wanted])[:-1])


class _Turn:
    """A turn with its options."""

    def __init__(self, table: Table, game: Followed, number: int) -> None:
        self.game, self.number = game, number
        self.state = game.states[number]
        self.options = legal_options(table.rules, self.state)
        self.kinds = kinds_of(self.state, self.options)
        several = len(self.options) > 1
        self.forks: list[Fork] = [fork_after(table.rules, self.state, option) for option in self.options] * several

    def candidates(self, chances: NDArray[np.float64]) -> tuple[int, ...]:
        """Return the options that seem best, worst and, if there is one, best of another kind than the best."""
        best, worst = int(chances.argmax()), int(chances.argmin())
        if best == worst:
            worst = (best + 1) % len(chances)
        others = [place for place, kind in enumerate(self.kinds) if kind != self.kinds[best]]
        return (best, worst, max(others, key=lambda place: float(chances[place]))) if others else (best, worst)

    def weighed(self, candidates: Sequence[int], measured: NDArray[np.float64]) -> Choice:
        """Return the turn with what was measured of the candidates, by candidate and batch."""
        best, *others = measured
        spread, *over = (difference(best - other) for other in others)
        return self._choice(self.kinds[candidates[0]], spread, over[0] if over else None)

    def forced(self) -> Choice:
        """Return the turn of somebody who has no choice."""
        return self._choice(self.kinds[0], None, None)

    def _choice(self, best: str, spread: Difference | None, over_others: Difference | None) -> Choice:
        return Choice(self.game.deal, self.number, self.game.turns, self.kinds, best, spread, over_others)


def difference(batches: NDArray[np.float64]) -> Difference:
    """Return a mean over batches with its reach at 95%, one-sided at either end."""
    error = float(batches.std(ddof=1)) / len(batches) ** 0.5
    return Difference(float(batches.mean()), float(student.ppf(LEVEL, BATCHES - 1)) * error)
