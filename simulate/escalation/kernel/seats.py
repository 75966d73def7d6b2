"""The players of one game while it is played, and what they can see of each other."""

from __future__ import annotations

from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from simulate.escalation.kernel.hands import ONE, ZERO
from simulate.escalation.kernel.option_table import CARDS_TAKEN_SHIFT, TAKE_TALLY, WILLING_TALLY
from simulate.jit import jitted
from strategies.heuristic import NEARLY_OUT

HAS_NOISE: Final = 1
COUNTS_CARDS: Final = 2
JUMPS_BY_PILE: Final = 4
LOOKS_BEFORE_GOING_OUT: Final = 8
SPENDS_RESERVE: Final = 16

_CARDS_TAKEN_SHIFT = np.uint64(CARDS_TAKEN_SHIFT)
_TAKE_TALLY = np.uint64(TAKE_TALLY)
_WILLING_TALLY = np.uint64(WILLING_TALLY)
_TURNS_OF_TALLY = np.uint64(255)
_MANY: Final = 1 << 30


SEAT: Final = np.dtype(
    [
        ("hand", np.uint64),
        ("cards", np.int64),
        ("strategy", np.uint64),
        ("habits", np.int64),
        ("tally", np.uint64),
        ("stack", np.int64),
        ("carried", np.int64),
        ("smallest_other", np.int64),
        ("earlier_turns", np.uint64),
        ("greatest_total", np.int64),
        ("greatest_lane", np.uint64),
        ("second_total", np.int64),
    ]
)
"""One position of a game.

hand, cards
    The hand as a word, and its number of cards.
strategy, habits
    Which strategy sits there, and which habits it has that need extra work (see `habits_of`).
tally
    The tally word of telemetry since the start.
stack, carried
    Penalty cards of this game, and of earlier games of the match as far as the players mind them.
smallest_other
    The least that any other position has collected, carried scores included; it changes only with a take.
earlier_turns
    Turns taken before the start.
greatest_total, greatest_lane, second_total
    The greatest totals of the hand (see `reserve.Greatest`), where any player minds the reserve.
"""


class Seats(NamedTuple):
    """Working memory of one game.

    Attributes
    ----------
    at
        One record per position, shape (MOST_PLAYERS,), dtype SEAT.
    legal
        Scratch for the legal sets of a turn, one entry per word of the option table.
    """

    at: NDArray[np.void]
    legal: NDArray[np.uint64]


class Unseen(NamedTuple):
    """The cards that a player has not seen, as a word and their number, and the next player's hand size."""

    word: np.uint64
    cards: int
    next_hand: int


@jitted
def habits_of(player: np.void) -> int:
    """Return which habits a player has that need extra work; those who have none are not slowed by them."""
    habits = np.int64(0)
    if player["noise"] != 0:
        habits |= HAS_NOISE
    if player["count_cards"] != 0:
        habits |= COUNTS_CARDS
    if (player["pressure"] != 0) | (player["early_aggression"] != 0):
        habits |= JUMPS_BY_PILE
    if player["finish"] != 0:
        habits |= LOOKS_BEFORE_GOING_OUT
    if player["reserve"] < 0:
        habits |= SPENDS_RESERVE
    return habits


@jitted
def who_is_nearly_out(seats: Seats, players: np.uint64) -> np.uint64:
    """Mark the positions that hold so few cards that they are a danger, a bit each."""
    marked, position = ZERO, ZERO
    while position < players:
        marked |= ONE << position if seats.at[position]["cards"] <= NEARLY_OUT else ZERO
        position += ONE
    return marked


@jitted
def unseen_by(at: NDArray[np.void], position: np.uint64, players: np.uint64) -> Unseen:
    """Return what a player has not seen, once the deck is empty: all other hands."""
    word, cards, other = ZERO, np.int64(0), ZERO
    while other < players:
        if other != position:
            word += at[other]["hand"]
            cards += at[other]["cards"]
        other += ONE
    return Unseen(word, cards, at[ZERO if position + ONE == players else position + ONE]["cards"])


@jitted
def compare_stacks(seats: Seats, players: np.uint64) -> None:
    """Note for each position the least that any other has collected, earlier games of the match included."""
    # For everybody that is the least of all, but for the player who has it: there it is the second least.
    least, second, who, position = np.int64(_MANY), np.int64(_MANY), ZERO, ZERO
    while position < players:
        collected = seats.at[position]["stack"] + seats.at[position]["carried"]
        second = min(second, max(least, collected))
        who = position if collected < least else who
        least = min(least, collected)
        position += ONE
    position = ZERO
    while position < players:
        seats.at[position]["smallest_other"] = second if position == who else least
        position += ONE


@jitted
def wins_by_going_out(at: NDArray[np.void], position: np.uint64, players: np.uint64) -> bool:
    """Tell whether the own stack is at most every other stack with its hand."""
    other = ZERO
    while other < players:
        if other != position and at[position]["stack"] > at[other]["stack"] + at[other]["cards"]:
            return False
        other += ONE
    return True


@jitted
def own_turn(seats: Seats, position: np.uint64) -> np.uint64:
    """Return how many turns a player has had."""
    return seats.at[position]["earlier_turns"] + (seats.at[position]["tally"] & _TURNS_OF_TALLY)


@jitted
def take_pile(seats: Seats, position: np.uint64, players: np.uint64, pile: int, forced: bool) -> None:
    """Move the pile to the taker's stack."""
    seats.at[position]["stack"] += pile
    compare_stacks(seats, players)
    tally = _TAKE_TALLY + (np.uint64(pile) << _CARDS_TAKEN_SHIFT)
    seats.at[position]["tally"] += tally if forced else tally + _WILLING_TALLY
