"""Games that share some of what decides them, and nothing else: pick-freeze.

Two outcomes with a mean of 0 that share one cause, all others being drawn anew, have a mean product that is the
variance which this cause explains. No noise of the deals is left in it to be taken out, whatever the number of games.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from simulate.escalation.kernel.win_shares import whole_win
from simulate.escalation.rules import Rules
from simulate.escalation.settings.lineups import LineUps
from simulate.escalation.settings.openings import by_group
from simulate.experiment import Counts, Spec
from simulate.rng import PURPOSE_OTHER, draw, draws, stream
from strategies.strategy import Strategy

ROW_GROUPS: Final = 60
"""Deals are divided into so many groups by turns: how far their sums differ says how sure a number is."""

CAUSES: Final = ("deal", "position", "own strategy", "others")
"""What decides the focal player's game; what players do at random counts as part of the deal."""
SUBSETS: Final = 1 << len(CAUSES)
"""A set of causes is a number of four bits, the deal's being the lowest."""

REPLICATES: Final = 4
"""Games that share an opening hand."""

_PARTNER: Final = 1
_ROWS: Final = 2
_REPLICATES: Final = 3
"""Streams of the purpose "other" that this module uses."""


def by_row_group(rows: NDArray[np.int64]) -> NDArray[np.int64]:
    """Add up rows (the first axis) by group, row r being of group r mod ROW_GROUPS."""
    return by_group(np.arange(len(rows)), rows, ROW_GROUPS)


@dataclass(frozen=True)
class PickFreeze:
    """Two independent settings of all causes per deal number, and the games of all their mixtures.

    Attributes
    ----------
    rules
        What is played.
    population
        Whom everybody is drawn from, evenly.
    """

    rules: Rules
    population: tuple[Strategy, ...]

    def spec(self) -> Spec:
        """Return everything that determines play."""
        return {"game": "escalation pick-freeze", **LineUps(self.rules, self.population).spec()}

    def play_deals(self, seed: int, deals: NDArray[np.int64]) -> Counts:
        """Play 16 games per deal number and return their counts.

        Returns
        -------
        mapping of str to numpy.ndarray of int64
            - rows: deal numbers of each group; shape (ROW_GROUPS,).
            - products: by group and set of causes, the sum over deal numbers of the products of two focal outcomes
              (win share less an equal share, in units of 1/whole_win) that share these causes alone; each row's eight
              such pairs are counted in both orders; shape (ROW_GROUPS, SUBSETS).
        """
        outcomes = self.outcomes(seed, deals)
        # Mixtures i and j agree just where i xor j has no bit.
        products = [
            sum(outcomes[mix] * outcomes[mix ^ (SUBSETS - 1 - shared)] for mix in range(SUBSETS))
            for shared in range(SUBSETS)
        ]
        ones = np.ones(len(deals), dtype=np.int64)
        return {"rows": by_row_group(ones), "products": by_row_group(np.stack(products, axis=1))}

    def outcomes(self, seed: int, deals: NDArray[np.int64]) -> NDArray[np.int64]:
        """Return the focal player's win share less an equal share by mixture and deal number, shape (SUBSETS, deals).

        Mixture m takes each cause whose bit is set in m from the second setting, the others from the first.
        """
        players = self.rules.players
        drawn = self.drawn(seed, deals)
        # A deal number of another seed is another deal.
        seeds = (seed, draw(stream(seed, PURPOSE_OTHER), _PARTNER) >> 1)
        shares = np.empty((SUBSETS, len(deals)), dtype=np.int64)
        for which, own_seed in enumerate(seeds):
            mixtures = [mix for mix in range(SUBSETS) if mix & 1 == which]
            seated = [self._seated(drawn, mix) for mix in mixtures]
            line_ups = np.concatenate([line_up for _, line_up in seated])
            game = LineUps(self.rules, self.population)
            wins = game.win_shares(own_seed, np.tile(deals, len(mixtures)), line_ups)
            focal = np.concatenate([position for position, _ in seated])
            own = np.take_along_axis(wins, focal[:, None], axis=1)
            shares[mixtures] = own.reshape(len(mixtures), -1)
        return shares - whole_win(players) // players

    def drawn(self, seed: int, deals: NDArray[np.int64]) -> NDArray[np.int64]:
        """Return both settings of all causes but the deal, shape (2, deals, 1 + players).

        The focal player's position and strategy, then the strategies of the others, clockwise from there.
        """
        players = self.rules.players
        keys = draws(np.uint64(draw(stream(seed, PURPOSE_OTHER), _ROWS)), deals.astype(np.uint64))
        bits = draws(keys[:, None], np.arange(2 * (1 + players), dtype=np.uint64)[None, :])
        bounds = np.array([players, *[len(self.population)] * players] * 2, dtype=np.uint64)
        chosen = ((bits >> np.uint64(32)) * bounds) >> np.uint64(32)
        return chosen.astype(np.int64).reshape(len(deals), 2, 1 + players).transpose(1, 0, 2)

    def _seated(self, drawn: NDArray[np.int64], mix: int) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """Return the focal position and the line-up of every row of a mixture."""
        position, own, others = (
            drawn[mix >> place & 1][:, columns] for place, columns in ((1, 0), (2, 1), (3, slice(2, None)))
        )
        clockwise = np.column_stack([own, others])
        seats = (np.arange(self.rules.players) - position[:, None]) % self.rules.players
        return position, np.take_along_axis(clockwise, seats, axis=1)


@dataclass(frozen=True)
class OpeningHands:
    """Several games per deal number that share one opening hand; all other cards are shuffled anew in each.

    Attributes
    ----------
    rules
        What is played.
    strategy
        What everybody plays; in deal d the hand is held at position d mod players.
    """

    rules: Rules
    strategy: Strategy

    def spec(self) -> Spec:
        """Return everything that determines play."""
        return {"game": "escalation opening hands", **LineUps(self.rules, (self.strategy,)).spec()}

    def play_deals(self, seed: int, deals: NDArray[np.int64]) -> Counts:
        """Play REPLICATES games per deal number and return their counts.

        Returns
        -------
        mapping of str to numpy.ndarray of int64
            By group and position, shape (ROW_GROUPS, players): hands, how many; sums and sums_squared, of the outcomes
            of each hand added up, and of the squares of that; squares, of the squares of single outcomes. Outcomes are
            win shares less an equal share, in units of 1/whole_win.
        """
        outcomes = self.outcomes(seed, deals)
        together = outcomes.sum(axis=0)
        squares = (outcomes**2).sum(axis=0)
        at = np.eye(self.rules.players, dtype=np.int64)[deals % self.rules.players]
        rows = {"hands": np.ones_like(together), "sums": together, "sums_squared": together**2, "squares": squares}
        return {name: by_row_group(at * row[:, None]) for name, row in rows.items()}

    def outcomes(self, seed: int, deals: NDArray[np.int64]) -> NDArray[np.int64]:
        """Return the holder's win share less an equal share, shape (REPLICATES, deals)."""
        players = self.rules.players
        numbers = (deals * REPLICATES + np.arange(REPLICATES)[:, None]).ravel()
        line_ups = np.zeros((len(numbers), players), dtype=np.int64)
        orders = np.concatenate([self.orders(seed, deals, replicate) for replicate in range(REPLICATES)])
        wins = LineUps(self.rules, (self.strategy,)).win_shares(seed, numbers, line_ups, orders)
        holder = np.tile(deals % players, REPLICATES)
        own: NDArray[np.int64] = np.take_along_axis(wins, holder[:, None], axis=1).reshape(REPLICATES, -1)
        return own - whole_win(players) // players

    def orders(self, seed: int, deals: NDArray[np.int64], replicate: int) -> NDArray[np.uint8]:
        """Return the deck order of each deal number in one replicate, as card codes, shape (deals, cards)."""
        size, players = self.rules.hand_size, self.rules.players
        cards = np.array(self.rules.deck.cards(), dtype=np.uint8)
        whole = cards[_shuffles(seed, deals, 0, len(cards))]
        hand, rest = whole[:, :size], whole[:, size:]
        rest = np.take_along_axis(rest, _shuffles(seed, deals, 1 + replicate, rest.shape[1]), axis=1)
        orders = np.empty_like(whole)
        for position in range(players):
            held = deals % players == position
            before, after = rest[held, : position * size], rest[held, position * size :]
            orders[held] = np.concatenate([before, hand[held], after], axis=1)
        return orders


def _shuffles(seed: int, deals: NDArray[np.int64], purpose: int, cards: int) -> NDArray[np.intp]:
    """Return a random order of so many cards per deal: by the size of draws, of which no two are equal."""
    key = draw(draw(stream(seed, PURPOSE_OTHER), _REPLICATES), purpose)
    keys = draws(np.uint64(key), deals.astype(np.uint64))
    bits = draws(keys[:, None], np.arange(cards, dtype=np.uint64)[None, :])
    return np.argsort(bits, axis=1)
