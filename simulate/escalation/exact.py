"""Exact expectations of tiny games: every distinct ordering of the deck is played, each equally likely."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Final

import numpy as np
from numpy.typing import NDArray

from simulate.escalation.engine import Table
from simulate.escalation.plain.reference import HeuristicPlayer, play
from simulate.escalation.rules import Deck, Rules
from simulate.escalation.state import State
from strategies.errors import InputError
from strategies.strategy import Strategy

MOST_ORDERINGS: Final = 2_000_000
"""Decks with more distinct orderings are refused."""

READABLE: Final = 10**12
"""Greater numbers are told by their size only."""

BATCH: Final = 5_000
"""Orderings played between two additions: the slow engine takes a second or two for so many."""

PlayOrders = Callable[[NDArray[np.uint8]], tuple[NDArray[np.int64], NDArray[np.int64]]]
"""An engine: from deck orders, shape (games, cards), to scores, shape (games, players), and turns, shape (games,)."""

OnProgress = Callable[[int], None]
"""Told after every batch how many orderings have been played so far."""


@dataclass(frozen=True)
class ExactResult:
    """Expectations per game over every ordering of the deck.

    Attributes
    ----------
    orderings
        How many distinct orderings there are.
    scores
        Expected score of each position, in cards.
    turns
        Expected number of turns; a take and the lead after it are one.
    sole_win
        Probability that the position alone has the lowest score.
    tie
        Probability that the lowest score is shared.
    """

    orderings: int
    scores: tuple[Fraction, ...]
    turns: Fraction
    sole_win: tuple[Fraction, ...]
    tie: Fraction

    @classmethod
    def from_totals(cls, orderings: int, scores: Sequence[int], turns: int, sole_wins: Sequence[int]) -> ExactResult:
        """Divide what was counted over all orderings by their number.

        Parameters
        ----------
        orderings
            Games played, one per distinct ordering.
        scores, sole_wins
            Sums over the games, one per position.
        turns
            Sum over the games.
        """

        def per_game(total: int) -> Fraction:
            return Fraction(int(total), orderings)

        return cls(
            orderings=orderings,
            scores=tuple(map(per_game, scores)),
            turns=per_game(turns),
            sole_win=tuple(map(per_game, sole_wins)),
            tie=1 - per_game(sum(int(wins) for wins in sole_wins)),
        )


def distinct_orders(deck: Deck) -> NDArray[np.uint8]:
    """Return every distinct ordering of a deck, in lexicographic order.

    Returns
    -------
    numpy.ndarray, shape (deck.orderings(), deck.size)
        Card codes, the first card to be dealt first.
    """
    kinds, copies = np.unique(np.array(deck.cards(), dtype=np.uint8), return_counts=True)
    orders = np.zeros((1, 0), dtype=np.uint8)
    left = copies.astype(np.uint8)[np.newaxis, :]
    # Row by row: a beginning of an ordering, and how many cards of each kind it has left to go on with.
    for _ in range(deck.size):
        beginning, kind = np.nonzero(left)
        orders = np.column_stack((orders[beginning], kinds[kind]))
        left = left[beginning]
        left[np.arange(len(left)), kind] -= 1
    return orders


def check_exact(rules: Rules, strategies: Sequence[Strategy]) -> None:
    """Check that a game has exact expectations that can be enumerated.

    Raises
    ------
    InputError
        If the strategies are not as many as the players, if one of them has noise (its random choices are not
        enumerated), or if the deck has too many orderings.
    """
    if len(strategies) != rules.players:
        raise InputError(f"{len(strategies)} strategies given, the rules have {rules.players} players")
    for strategy in strategies:
        if strategy["noise"] > 0:
            raise InputError(f"strategy '{strategy.label}' has noise: only players without noise have exact results")
    count = rules.deck.orderings()
    if count > MOST_ORDERINGS:
        told = f"{count:,}" if count < READABLE else f"about {count:.0e}"
        raise InputError(
            f"deck '{rules.deck.name}' has {told} distinct orderings, too many to play them all: "
            f"at most {MOST_ORDERINGS:,}"
        )


def expectations(
    rules: Rules, strategies: Sequence[Strategy], play_orders: PlayOrders, on_progress: OnProgress | None = None
) -> ExactResult:
    """Play every distinct ordering of the deck with one engine and average.

    Parameters
    ----------
    rules, strategies
        What is played, and who sits at each position.
    play_orders
        The engine.
    on_progress
        Called after every batch.

    Raises
    ------
    InputError
        See `check_exact`.
    """
    check_exact(rules, strategies)
    orders = distinct_orders(rules.deck)
    score_sums = np.zeros(rules.players, dtype=np.int64)
    sole_wins = np.zeros(rules.players, dtype=np.int64)
    turn_sum = 0
    for start in range(0, len(orders), BATCH):
        scores, turns = play_orders(orders[start : start + BATCH])
        lowest = scores == scores.min(axis=1, keepdims=True)
        alone = lowest.sum(axis=1, keepdims=True) == 1
        score_sums += scores.sum(axis=0)
        sole_wins += (lowest & alone).sum(axis=0)
        turn_sum += int(turns.sum())
        if on_progress:
            on_progress(start + len(scores))
    return ExactResult.from_totals(len(orders), score_sums.tolist(), turn_sum, sole_wins.tolist())


def exact_by_reference(
    rules: Rules, strategies: Sequence[Strategy], on_progress: OnProgress | None = None
) -> ExactResult:
    """Return the exact expectations of a tiny game, played by the slow engine.

    Raises
    ------
    InputError
        See `check_exact`.

    Examples
    --------
    >>> from strategies.catalogue import strategy
    >>> rules = Rules(Deck.parse("1-4x1"), players=2, hand_size=2)
    >>> exact_by_reference(rules, [strategy("minimal")] * 2).turns
    Fraction(3, 1)
    """
    players = [HeuristicPlayer(strategy) for strategy in strategies]

    def play_orders(orders: NDArray[np.uint8]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        games = [play(rules, players, State.dealt(rules, tuple(order)), noise_key=0) for order in orders.tolist()]
        scores = np.array([game.scores for game in games], dtype=np.int64)
        return scores, np.array([len(game.turns) for game in games], dtype=np.int64)

    return expectations(rules, strategies, play_orders, on_progress)


def exact_by_kernel(rules: Rules, strategies: Sequence[Strategy], on_progress: OnProgress | None = None) -> ExactResult:
    """Return the exact expectations of a tiny game, played by the fast engine.

    Raises
    ------
    InputError
        See `check_exact`.

    Examples
    --------
    >>> from strategies.catalogue import strategy
    >>> rules = Rules(Deck.parse("1-4x1"), players=2, hand_size=2)
    >>> exact_by_kernel(rules, [strategy("minimal")] * 2).scores
    (Fraction(2, 3), Fraction(7, 6))
    """
    check_exact(rules, strategies)
    table = Table(rules, tuple(strategies), seating="given")

    def play_orders(orders: NDArray[np.uint8]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        played = table.play_orders(orders)
        return played.scores.astype(np.int64), played.turns.astype(np.int64)

    return expectations(rules, strategies, play_orders, on_progress)
