"""Recorded games turn by turn: pile, target and deck before each turn, and which takes were forced.

The fast engine records moves only. With the deck order they determine the game; here many games are followed at once.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from simulate.escalation.kernel.game import NO_MOVE, TOOK
from simulate.escalation.kernel.option_table import PASS_ROW, rows
from simulate.escalation.rules import PASS, VALUES, WILD, Rules

_ROWS = np.array([(row.value, row.naturals, row.wilds, row.cards, row.total) for row in rows()] + [(0, 0, 0, 1, 0)])
_VALUE, _NATURALS, _WILDS, _CARDS, _TOTAL = _ROWS.T
_CODES = PASS + 1


@dataclass(frozen=True)
class Retold:
    """Games told turn by turn; every array but `hands` has the shape (games, most turns).

    Attributes
    ----------
    pile, target, deck
        Cards in the middle, announced total and cards to be drawn before the turn.
    took, forced
        Whether the pile was taken, and whether nothing else was legal then.
    played
        Whether there was such a turn.
    hands
        Each position's cards at the end, counted by code, shape (games, players, codes).
    """

    pile: NDArray[np.int64]
    target: NDArray[np.int64]
    deck: NDArray[np.int64]
    took: NDArray[np.bool_]
    forced: NDArray[np.bool_]
    played: NDArray[np.bool_]
    hands: NDArray[np.int64]

    @property
    def left(self) -> NDArray[np.int64]:
        """Cards in each position's hand at the end, shape (games, players)."""
        left: NDArray[np.int64] = self.hands.sum(axis=2)
        return left

    @property
    def turns(self) -> NDArray[np.int64]:
        """Turns of each game, shape (games,)."""
        turns: NDArray[np.int64] = self.played.sum(axis=1)
        return turns


class GamesUnderWay:
    """Games while they are followed: hands by card code, shape (games, players, codes), and the middle of each."""

    def __init__(self, rules: Rules, orders: NDArray[np.uint8]) -> None:
        self.rules, self.orders = rules, orders
        games, size = len(orders), rules.hand_size
        self.games = np.arange(games)
        self.hands = np.zeros((games, rules.players, _CODES), dtype=np.int64)
        self.next_card = np.zeros(games, dtype=np.int64)
        self.pile, self.target = np.zeros(games, dtype=np.int64), np.zeros(games, dtype=np.int64)
        self.announcer = np.full(games, -1)
        everybody = np.full(games, size)
        for position in range(rules.players):
            self.draw(position, everybody)

    @property
    def deck(self) -> NDArray[np.int64]:
        """Cards still to be drawn."""
        left: NDArray[np.int64] = self.orders.shape[1] - self.next_card
        return left

    def draw(self, position: int, cards: NDArray[np.int64]) -> None:
        """Let a position draw so many cards in each game."""
        for count in range(self.rules.hand_size):
            drawing = self.games[count < cards]
            self.hands[drawing, position, self.orders[drawing, self.next_card[drawing] + count]] += 1
        self.next_card += cards

    def nothing_else(self, position: int) -> NDArray[np.bool_]:
        """Tell where a position facing a pile has neither a set that beats the target nor a Pass."""
        hand, rules = self.hands[:, position], self.rules
        own_back = (self.announcer == position) & (not rules.beat_own_total)
        greatest = np.zeros(len(hand), dtype=np.int64)
        for value in VALUES:
            usable = hand[:, WILD] if value <= rules.wild_max else np.zeros(len(hand), dtype=np.int64)
            if not rules.wild_only_sets:
                usable = np.where(hand[:, value] == 0, np.minimum(usable, 1), usable)
            greatest = np.maximum(greatest, value * (hand[:, value] + usable))
        stuck: NDArray[np.bool_] = (greatest <= np.where(own_back, 0, self.target)) & (hand[:, PASS] == 0)
        return stuck

    def play(self, position: int, row: NDArray[np.int64], took: NDArray[np.bool_], playing: NDArray[np.bool_]) -> None:
        """Play one turn in those games that still run."""
        leads = (took | (self.pile == 0)) & playing
        self.pile = np.where(leads, 0, self.pile)
        passes = row == PASS_ROW
        announces = playing & (leads | ~passes)
        self.target = np.where(announces, np.where(passes, 0, _TOTAL[row]), self.target)
        self.announcer = np.where(announces, position, self.announcer)
        self.pile = np.where(playing, self.pile + _CARDS[row], self.pile)
        on = self.games[playing]
        self.hands[on, position, _VALUE[row[on]]] -= _NATURALS[row[on]]
        self.hands[on, position, WILD] -= _WILDS[row[on]]
        self.hands[on, position, PASS] -= passes[on]
        held = self.hands[:, position].sum(axis=1)
        refill = np.minimum(self.rules.hand_size - held, self.deck)
        ends = (held == 0) & (not self.rules.draw_before_end_check)
        self.draw(position, np.where(playing & ~ends, refill, 0))


def retell(rules: Rules, orders: NDArray[np.uint8], moves: NDArray[np.int16]) -> Retold:
    """Follow recorded games turn by turn.

    Parameters
    ----------
    rules
        What was played.
    orders
        The deck order of each game as card codes, shape (games, cards).
    moves
        The moves of each game as the fast engine records them, shape (games, deck size).
    """
    games = GamesUnderWay(rules, orders)
    most = int((moves != NO_MOVE).sum(axis=1).max(initial=0))
    pile, target, deck = (np.zeros((len(moves), most), dtype=np.int64) for _ in range(3))
    took, forced = (np.zeros((len(moves), most), dtype=np.bool_) for _ in range(2))
    played = moves[:, :most] != NO_MOVE
    for turn in range(most):
        position = turn % rules.players
        pile[:, turn], target[:, turn], deck[:, turn] = games.pile, games.target, games.deck
        move = np.where(played[:, turn], moves[:, turn].astype(np.int64), PASS_ROW)
        took[:, turn] = played[:, turn] & (move >= TOOK)
        forced[:, turn] = took[:, turn] & games.nothing_else(position)
        games.play(position, move % TOOK, took[:, turn], played[:, turn])
    return Retold(pile, target, deck, took, forced, played, games.hands)
