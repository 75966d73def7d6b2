"""Recorded games replayed card by card, many at once: what the rare rules did, and whether all adds up.

It reads the moves that the fast engine recorded and shares nothing with it but the numbers of the rows: hands are
counts by card, decks are dealt from their orders, and scores, legality and the number of cards are worked out anew.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import Final

import numpy as np
from numpy.typing import NDArray

from simulate.escalation.kernel.game import NO_MOVE, TOOK
from simulate.escalation.kernel.option_table import PASS_ROW, rows
from simulate.escalation.rules import PASS, WILD, Rules

CARD_KINDS: Final = PASS
"""Kinds of cards: code c is counted in place c - 1."""


@dataclass(frozen=True)
class Recalled:
    """What the moves of games come to, one row per game.

    Attributes
    ----------
    scores
        Penalty cards by position, shape (games, players).
    middle, deck_left
        Cards in the middle and in the deck at the end, shape (games,).
    lawful
        Whether every move could be made: the cards were held, the target was beaten, no take went without a pile, and
        the last hand was empty.
    only_passes, passed_by_force
        Turns begun with nothing but Passes in hand, and those of them that faced a pile.
    short_draws
        Turns after which the deck held some of the cards wanted, but not all.
    """

    scores: NDArray[np.int64]
    middle: NDArray[np.int64]
    deck_left: NDArray[np.int64]
    lawful: NDArray[np.bool_]
    only_passes: NDArray[np.int64]
    passed_by_force: NDArray[np.int64]
    short_draws: NDArray[np.int64]


@lru_cache(maxsize=8)
def _rows_as_counts(rules: Rules) -> tuple[NDArray[np.int16], NDArray[np.int64], NDArray[np.bool_]]:
    """Return each row's cards, shape (rows + 1, CARD_KINDS), total, and whether the rules have it; last the Pass."""
    counts = np.zeros((PASS_ROW + 1, CARD_KINDS), dtype=np.int16)
    counts[PASS_ROW, PASS - 1] = 1
    totals, known = np.zeros(PASS_ROW + 1, dtype=np.int64), np.ones(PASS_ROW + 1, dtype=np.bool_)
    for number, row in enumerate(rows()):
        counts[number, row.value - 1], counts[number, WILD - 1] = row.naturals, row.wilds
        totals[number] = row.total
        too_high = row.wilds > 0 and row.value > rules.wild_max
        known[number] = not too_high and (row.naturals > 0 or row.wilds == 1 or rules.wild_only_sets)
    return counts, totals, known


class _RecalledGames:
    """Games under way, one entry or row per game."""

    def __init__(self, rules: Rules, orders: NDArray[np.uint8]) -> None:
        games, players, size = len(orders), rules.players, rules.hand_size
        self.rules, self.everyone = rules, np.arange(games)
        self.row_counts, self.row_totals, self.row_known = _rows_as_counts(rules)
        self.drawn = np.zeros((games, rules.deck.size + 1, CARD_KINDS), dtype=np.int16)
        np.cumsum(orders[:, :, None] == np.arange(1, CARD_KINDS + 1), axis=1, out=self.drawn[:, 1:])
        dealt = [self.drawn[:, (p + 1) * size] - self.drawn[:, p * size] for p in range(players)]
        self.hands = np.stack(dealt, axis=1)
        self.stacks = np.zeros((games, players), dtype=np.int64)
        self.place, self.announcer = np.full(games, players * size), np.full(games, -1)
        self.pile, self.target = np.zeros((2, games), dtype=np.int64)
        self.lawful, self.ended = np.ones(games, dtype=np.bool_), np.zeros(games, dtype=np.bool_)
        self.only_passes, self.passed_by_force, self.short_draws = np.zeros((3, games), dtype=np.int64)

    def move(self, mover: int, moves: NDArray[np.int16]) -> None:
        """Let a position make its move in every game that has one."""
        moving = moves != NO_MOVE
        self.lawful &= ~(moving & self.ended)
        hand = self.hands[:, mover]
        stuck = moving & (hand.sum(axis=1) == hand[:, PASS - 1])
        self.only_passes += stuck
        self.passed_by_force += stuck & (self.pile > 0)
        took = moving & (moves >= TOOK)
        self.lawful &= ~(took & stuck) | self.rules.pass_hand_takes
        self._take(mover, took)
        self._lay(mover, moving, np.where(moving, moves, PASS_ROW) % TOOK, stuck & (moves < TOOK))
        self._draw(mover, moving)

    def _take(self, mover: int, took: NDArray[np.bool_]) -> None:
        self.lawful &= ~took | (self.pile > 0)
        self.stacks[:, mover] += np.where(took, self.pile, 0)
        self.pile, self.target = np.where(took, 0, self.pile), np.where(took, 0, self.target)

    def _lay(self, mover: int, moving: NDArray[np.bool_], row: NDArray[np.int16], must_open: NDArray[np.bool_]) -> None:
        passing, total = row == PASS_ROW, self.row_totals[row]
        to_beat = self.target if self.rules.beat_own_total else np.where(self.announcer == mover, 0, self.target)
        may_pass = (self.pile > 0) | must_open | self.rules.lead_pass
        self.lawful &= ~moving | np.where(passing, may_pass, (total > to_beat) & self.row_known[row])
        laid = np.where(moving[:, None], self.row_counts[row], 0)
        self.hands[:, mover] -= laid
        self.lawful &= (self.hands[:, mover] >= 0).all(axis=1)
        announces = moving & ~(passing & (self.pile > 0))
        self.target = np.where(announces, total, self.target)
        self.announcer = np.where(announces, mover, self.announcer)
        self.pile = self.pile + laid.sum(axis=1)

    def _draw(self, mover: int, moving: NDArray[np.bool_]) -> None:
        left, in_deck = self.hands[:, mover].sum(axis=1), self.deck_left
        out = moving & (left == 0) & ((in_deck == 0) | (not self.rules.draw_before_end_check))
        self.ended |= out
        wanted = np.where(moving & ~out, self.rules.hand_size - left, 0)
        got = np.minimum(wanted, in_deck)
        self.short_draws += (got > 0) & (got < wanted)
        self.hands[:, mover] += self.drawn[self.everyone, self.place + got] - self.drawn[self.everyone, self.place]
        self.place = self.place + got

    @property
    def deck_left(self) -> NDArray[np.int64]:
        """Cards still to be drawn."""
        return self.rules.deck.size - self.place


def recall(rules: Rules, orders: NDArray[np.uint8], moves: NDArray[np.int16]) -> Recalled:
    """Replay recorded games.

    Parameters
    ----------
    rules
        What was played.
    orders
        The deck of each game, first card first, as card codes, shape (games, cards).
    moves
        The moves of each game as `counts.Played` has them, shape (games, turns).
    """
    games = _RecalledGames(rules, orders)
    for turn in range(moves.shape[1]):
        games.move(turn % rules.players, moves[:, turn])
    return Recalled(
        games.stacks + games.hands.sum(axis=2),
        games.pile,
        games.deck_left,
        games.lawful & games.ended,
        games.only_passes,
        games.passed_by_force,
        games.short_draws,
    )
