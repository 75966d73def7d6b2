"""Games with a line-up of their own each: who plays each position is given game by game."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from simulate.escalation.engine import NO_ORDERS, opening, prepared, rule_numbers
from simulate.escalation.kernel.game import Deals, new_results, play_games, working_memory
from simulate.escalation.kernel.hands import card_words
from simulate.escalation.kernel.option_table import option_table
from simulate.escalation.kernel.win_shares import win_shares
from simulate.escalation.rules import Rules
from simulate.experiment import Spec, no_counts
from simulate.rng import deal_streams
from strategies.strategy import Strategy


@dataclass(frozen=True)
class LineUps:
    """Rules, and the players from whom the line-up of each game is made.

    Attributes
    ----------
    rules
        What is played.
    strategies
        The players; a line-up names one of them for each position by the place in this list.
    """

    rules: Rules
    strategies: tuple[Strategy, ...]

    def spec(self) -> Spec:
        """Return rules and players as plain data."""
        return {"rules": self.rules.spec(), "strategies": [strategy.spec() for strategy in self.strategies]}

    def win_shares(
        self,
        seed: int,
        deals: NDArray[np.int64],
        line_ups: NDArray[np.int64],
        orders: NDArray[np.uint8] | None = None,
    ) -> NDArray[np.int64]:
        """Play deals by number and return each position's share of the win.

        Parameters
        ----------
        seed, deals
            Number the shuffles and the policy noise, shape (games,).
        line_ups
            The player at each position, shape (games, players).
        orders
            Deck orders as card codes, shape (games, cards), to be played instead of the shuffles.

        Returns
        -------
        numpy.ndarray of int64, shape (games, players)
            In units of 1/`whole_win`.
        """
        games, players = line_ups.shape
        known = len(self.strategies)
        results = new_results(games, players, self.rules.deck.size, seats=known)
        # The kernel calls "seat" what a line-up names: as many seats as players are known, not only those at the table.
        given = NO_ORDERS if orders is None else card_words()[orders]
        wanted = Deals(deals, line_ups, np.arange(known, dtype=np.uint64), given, deal_streams(seed), 0)
        memory = working_memory(self.rules.deck.size)._replace(match_scores=no_counts(known))
        start, habits = opening(self.rules), prepared(self.rules, self.strategies)
        play_games(option_table(self.rules), habits, rule_numbers(self.rules), start, wanted, memory, results)
        return win_shares(results.scores.astype(np.int64))
