"""Win chances along whole games, and after every option of every turn: settings for the runner.

Of each run of deals only the first few games are looked at, since every turn costs hundreds of games. What is returned
is told game by game; it is summed over nothing, so blocks are put side by side and not added.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar, Final

import numpy as np
from numpy.typing import NDArray

from simulate.escalation.engine import Table
from simulate.escalation.plain.option_kinds import kinds_of
from simulate.escalation.plain.reference import Option, legal_options
from simulate.escalation.settings.rollouts import BATCHES, roll_out
from simulate.escalation.settings.situations import Fork, follow, fork_after, record
from simulate.escalation.state import State
from simulate.experiment import Counts, Spec

CANDIDATES: Final = 3
"""Options that are measured again: the seemingly best, the worst, and the best of another kind than the best."""
NOBODY_ELSE: Final = -1
"""Stands for an option where there is none."""
MEASURED_MORE: Final = 4
"""What was chosen is measured by so many times the playouts that chose it."""


@dataclass(frozen=True)
class _PlayedOn:
    """The first games of each run of deals, from whose turns many games are played on.

    Attributes
    ----------
    table
        Who plays; the seating is "given".
    games
        How many games of each run of deals are looked at.
    rollouts
        Games played on from every place, a multiple of `rollouts.BATCHES`.
    """

    table: Table
    games: int
    rollouts: int

    question: ClassVar[str]
    """What is asked, for `spec`."""

    def spec(self) -> Spec:
        """Return everything that determines the numbers."""
        return {"game": self.question, "table": self.table.spec(), "games": self.games, "rollouts": self.rollouts}


class AlongGames(_PlayedOn):
    """Win chances in every state of a game."""

    question = "escalation along recorded games"

    def play_deals(self, seed: int, deals: NDArray[np.int64]) -> Counts:
        """Look at the first games of a run of deals.

        Returns
        -------
        mapping of str to numpy.ndarray of int64
            - deals, moves, scores: the games (see `situations.record`).
            - wins: win shares added up over the games of a batch, in units of 1/2520, before each turn and at the end;
              shape (games, deck size + 1, BATCHES, players), zero beyond the end.
        """
        recorded = record(self.table, seed, deals[: self.games])
        followed = follow(self.table.rules, seed, recorded)
        places = [(row, turn) for row, game in enumerate(followed) for turn in range(len(game.states))]
        forks = [Fork(state) for game in followed for state in game.states]
        numbers = [_number(game.deal, turn) for game in followed for turn in range(len(game.states))]
        rules = self.table.rules
        wins = np.zeros((len(followed), rules.deck.size + 1, BATCHES, rules.players), dtype=np.int64)
        wins[tuple(np.transpose(places))] = roll_out(self.table, forks, numbers, seed, self.rollouts)
        return {**recorded, "wins": wins}


class AfterOptions(_PlayedOn):
    """Win chances of the mover after the options of each turn.

    Every option is played out on the same shuffles. These first playouts, `rollouts` of them, choose candidates; fresh
    ones, `MEASURED_MORE` times as many, measure them.
    """

    question = "escalation after options of recorded games"

    def play_deals(self, seed: int, deals: NDArray[np.int64]) -> Counts:
        """Look at the first games of a run of deals.

        Returns
        -------
        mapping of str to numpy.ndarray of int64
            - deals, moves, scores: the games (see `situations.record`).
            - chosen: for every turn the candidates by their place among the legal options, `NOBODY_ELSE` where there is
              none; shape (games, deck size, CANDIDATES).
            - wins: the mover's win shares after each candidate, added up over the games of a batch, in units of 1/2520;
              shape (games, deck size, CANDIDATES, BATCHES).
        """
        recorded = record(self.table, seed, deals[: self.games])
        followed = follow(self.table.rules, seed, recorded)
        turns = [
            _TurnOptions(self.table, state, row, turn, _number(game.deal, turn))
            for row, game in enumerate(followed)
            for turn, state in enumerate(game.states[:-1])
        ]
        turns = [turn for turn in turns if len(turn.options) > 1]
        seemed = self._played_on(turns, [range(len(turn.options)) for turn in turns], seed, self.rollouts)
        candidates = [turn.candidates(wins.sum(axis=1)) for turn, wins in zip(turns, seemed, strict=True)]
        fresh = self._played_on(turns, candidates, seed + 1, self.rollouts * MEASURED_MORE)
        shape = (len(followed), self.table.rules.deck.size, CANDIDATES)
        chosen, wins = np.full(shape, NOBODY_ELSE, dtype=np.int64), np.zeros((*shape, BATCHES), dtype=np.int64)
        for turn, options, measured in zip(turns, candidates, fresh, strict=True):
            chosen[turn.game, turn.turn, : len(options)] = options
            wins[turn.game, turn.turn, : len(options)] = measured
        return {**recorded, "chosen": chosen, "wins": wins}

    def _played_on(
        self, turns: Sequence[_TurnOptions], wanted: Sequence[Sequence[int]], seed: int, rollouts: int
    ) -> list[NDArray[np.int64]]:
        """Return the mover's wins after some options of some turns: per turn by option and batch."""
        asked = [(turn, option) for turn, options in zip(turns, wanted, strict=True) for option in options]
        if not asked:
            return []
        forks = [fork_after(self.table.rules, turn.state, turn.options[option]) for turn, option in asked]
        wins = roll_out(self.table, forks, [turn.number for turn, _ in asked], seed, rollouts)
        own = wins[np.arange(len(asked)), :, [turn.state.mover for turn, _ in asked]]
        return np.split(own, np.cumsum([len(options) for options in wanted])[:-1])


class _TurnOptions:
    """A turn with its options; `game` is its row, `number` numbers its shuffles."""

    def __init__(self, table: Table, state: State, game: int, turn: int, number: int) -> None:
        self.state, self.game, self.turn, self.number = state, game, turn, number
        self.options: tuple[Option, ...] = legal_options(table.rules, state)

    def candidates(self, wins: NDArray[np.int64]) -> tuple[int, ...]:
        """Return the options that seem best, worst and, if there is one, best of another kind than the best."""
        kinds = kinds_of(self.state, self.options)
        best, worst = int(wins.argmax()), int(wins.argmin())
        if best == worst:
            worst = (best + 1) % len(wins)
        others = [place for place, kind in enumerate(kinds) if kind != kinds[best]]
        return (best, worst, max(others, key=lambda place: int(wins[place]))) if others else (best, worst)


def _number(deal: int, turn: int) -> int:
    """Return a number of its own for every turn of every deal."""
    return deal << 8 | turn
