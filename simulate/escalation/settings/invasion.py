"""One player among equals: what each of several strategies wins alone among players of another one."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from simulate.escalation.kernel.win_shares import whole_win
from simulate.escalation.rules import Rules
from simulate.escalation.settings.lineups import LineUps
from simulate.experiment import Counts, Spec
from strategies.strategy import Strategy


def pairs_of(strategies: int) -> list[tuple[int, int]]:
    """Return every pair of places in a list of strategies, in the order in which differences are counted."""
    return list(combinations(range(strategies), 2))


@dataclass(frozen=True)
class Invasion:
    """Each invader in turn, at every position in turn, alone among players of one strategy, on the same deals.

    Attributes
    ----------
    rules
        What is played.
    field
        What all the others play.
    invaders
        Who is tried among them; the field itself may be one of them.
    """

    rules: Rules
    field: Strategy
    invaders: tuple[Strategy, ...]

    def spec(self) -> Spec:
        """Return everything that determines play."""
        return {"game": "escalation invasion", **self._line_ups.spec()}

    def play_deals(self, seed: int, deals: NDArray[np.int64]) -> Counts:
        """Play deals by number and return their counts.

        Returns
        -------
        mapping of str to numpy.ndarray of int64
            - deals: how many; shape (1,).
            - wins: sums of win shares, in units of 1/whole_win, by invader and position; shape (invaders, players).
            - shares: deals by the invader's wins summed over positions; shape (invaders, players x whole_win + 1).
            - differences: deals by the wins of the second less those of the first of each pair of invaders, summed
              over positions, from the least possible to the greatest; shape (pairs, 2 x players x whole_win + 1).
        """
        players, invaders = self.rules.players, len(self.invaders)
        wins = np.stack([self._wins(seed, deals, invader) for invader in range(invaders)])
        of_deal = wins.sum(axis=1)
        reach = players * whole_win(players)
        apart = [of_deal[second] - of_deal[first] + reach for first, second in pairs_of(invaders)]
        return {
            "deals": np.array([len(deals)]),
            "wins": wins.sum(axis=2),
            "shares": np.stack([np.bincount(wins, minlength=reach + 1) for wins in of_deal]),
            "differences": np.array([np.bincount(wins, minlength=2 * reach + 1) for wins in apart], dtype=np.int64),
        }

    @property
    def _line_ups(self) -> LineUps:
        return LineUps(self.rules, (self.field, *self.invaders))

    def _wins(self, seed: int, deals: NDArray[np.int64], invader: int) -> NDArray[np.int64]:
        """Return what an invader wins at each position in each deal, shape (players, deals)."""
        players = self.rules.players
        if self.invaders[invader].values == self.field.values:
            # The invader is one of them: all positions are played in one game.
            return self._line_ups.win_shares(seed, deals, np.zeros((len(deals), players), dtype=np.int64)).T
        line_ups = np.zeros((players, len(deals), players), dtype=np.int64)
        for position in range(players):
            line_ups[position, :, position] = invader + 1
        every = self._line_ups.win_shares(seed, np.tile(deals, players), line_ups.reshape(-1, players))
        return np.stack([every.reshape(line_ups.shape)[position, :, position] for position in range(players)])
