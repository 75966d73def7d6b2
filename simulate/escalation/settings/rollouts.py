"""Win chances: states played on many times, the hands kept and the rest of the deck shuffled anew each time."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from simulate.escalation.engine import Table, prepared, rule_numbers
from simulate.escalation.kernel.dealing import shuffle
from simulate.escalation.kernel.game import Memory, Start, play_to_end, set_up, sit_down, working_memory
from simulate.escalation.kernel.hands import card_words, cards_in, pack
from simulate.escalation.kernel.option_table import OptionTable, option_table
from simulate.escalation.kernel.seats import compare_stacks
from simulate.escalation.kernel.turns import Players, RuleNumbers
from simulate.escalation.kernel.win_shares import WIN, share_win, win_shares
from simulate.escalation.rules import MOST_PLAYERS
from simulate.escalation.settings.situations import Fork
from simulate.jit import kernel
from simulate.rng import PURPOSE_OTHER, draw, draw_bits, stream
from strategies.errors import InputError

BATCHES: Final = 20
"""The games played on from a state are counted in so many batches, from which the error of any estimate follows."""


class Places(NamedTuple):
    """Where to play on from, one row each.

    Attributes
    ----------
    hands, stacks, own_turns
        By position; shape (places, players).
    middle
        Pile, target, announcer, mover; shape (places, 4).
    rest, cards
        Words of the cards still to be drawn, sorted, and how many of each row there are.
    owed
        Cards that the player before the mover draws first.
    numbers
        Places of one number see the same shuffles and the same policy noise.
    """

    hands: NDArray[np.uint64]
    stacks: NDArray[np.int64]
    own_turns: NDArray[np.uint64]
    middle: NDArray[np.int64]
    rest: NDArray[np.uint64]
    cards: NDArray[np.int64]
    owed: NDArray[np.int64]
    numbers: NDArray[np.int64]


def roll_out(
    table: Table,
    forks: Sequence[Fork],
    numbers: Sequence[int],
    seed: int,
    rollouts: int,
) -> NDArray[np.int64]:
    """Play on from each state.

    Parameters
    ----------
    table
        Who plays each position; the seating is "given".
    forks
        Where to play on from.
    numbers
        One per fork: forks of the same number see the same shuffles, so that their differences are surer.
    seed
        The seed of the shuffles.
    rollouts
        Games played on from each, rounded up to a multiple of `BATCHES`.

    Returns
    -------
    numpy.ndarray of int64, shape (forks, BATCHES, players)
        Mean win shares of each batch, times 2,520 and times the games of a batch.
    """
    if table.seating != "given" or table.match:
        raise InputError("games are played on by the players at their positions: seating must be given")
    per_batch = games_per_batch(rollouts)
    wins = np.empty((len(forks), BATCHES, table.rules.players), dtype=np.int64)
    going_on = [place for place, fork in enumerate(forks) if not fork.over]
    for place, fork in enumerate(forks):
        if fork.over:
            wins[place] = _shares(fork) * per_batch
    if going_on:
        places = _places([forks[place] for place in going_on], [numbers[place] for place in going_on])
        wins[going_on] = _play(table, places, seed, per_batch)
    return wins


def games_per_batch(rollouts: int) -> int:
    """Return how many games a batch has if so many are asked for in all."""
    return -(-rollouts // BATCHES)


def win_chances(wins: NDArray[np.int64]) -> NDArray[np.float64]:
    """Return win chances by position from the sums of `roll_out`, or from some of their batches."""
    totals = wins.sum(axis=-2)
    chances: NDArray[np.float64] = totals / totals.sum(axis=-1, keepdims=True)
    return chances


def _shares(fork: Fork) -> NDArray[np.int64]:
    return win_shares(np.array(fork.scores, dtype=np.int64), WIN)


def _places(forks: Sequence[Fork], numbers: Sequence[int]) -> Places:
    states = [fork.state for fork in forks]
    most = max(len(state.rest) for state in states)
    rest = np.zeros((len(states), most), dtype=np.uint64)
    for row, state in enumerate(states):
        rest[row, : len(state.rest)] = card_words()[sorted(state.rest)]
    return Places(
        np.array([[pack(hand) for hand in state.hands] for state in states], dtype=np.uint64),
        np.array([state.stacks for state in states], dtype=np.int64),
        np.array([state.turns_taken for state in states], dtype=np.uint64),
        np.array([(s.pile, s.target, s.announcer, s.mover) for s in states], dtype=np.int64),
        rest,
        np.array([len(state.rest) for state in states], dtype=np.int64),
        np.array([fork.owed for fork in forks], dtype=np.int64),
        np.array(numbers, dtype=np.int64),
    )


def _play(table: Table, places: Places, seed: int, per_batch: int) -> NDArray[np.int64]:
    distinct = tuple(dict.fromkeys(table.seats))
    sitting = np.array([distinct.index(seat) for seat in table.seats], dtype=np.uint64)
    key = stream(seed, PURPOSE_OTHER)
    keys = np.array([draw(key, 2), draw(key, 3)], dtype=np.uint64)
    wins = np.zeros((len(places.numbers), BATCHES, table.rules.players), dtype=np.int64)
    scratch = np.zeros((2, MOST_PLAYERS), dtype=np.int64)
    memory = working_memory(table.rules.deck.size)
    inputs = option_table(table.rules), prepared(table.rules, distinct), rule_numbers(table.rules)
    play_on(*inputs, places, sitting, keys, per_batch, memory, scratch, wins)
    return wins


@kernel
def play_on(
    options: OptionTable,
    players: Players,
    rules: RuleNumbers,
    places: Places,
    sitting: NDArray[np.uint64],
    keys: NDArray[np.uint64],
    per_batch: int,
    memory: Memory,
    scratch: NDArray[np.int64],
    wins: NDArray[np.int64],
) -> None:
    """Play on from every place, so many games per batch, and add the win shares up in `wins`."""
    seats, order, drawn, nobody_carries, no_moves = memory
    scores, shares = scratch
    for position in range(rules.players):
        sit_down(seats, position, sitting[position], players)
    for place in range(places.numbers.shape[0]):
        size, owed = places.cards[place], places.owed[place]
        middle = places.middle[place]
        rest = places.rest[place][:size]
        start = Start(places.hands[place], places.stacks[place], places.own_turns[place], nobody_carries, middle, rest)
        drawer = (middle[3] - 1) % rules.players
        for batch in range(wins.shape[1]):
            for game in range(per_batch):
                index = np.uint64((places.numbers[place] * wins.shape[1] + batch) * per_batch + game)
                shuffle(rest, draw_bits(keys[0], index), order, drawn)
                set_up(seats, start, rules, drawn)
                seats.at[drawer]["hand"] = start.hands[drawer] + (drawn[owed] - drawn[0])
                seats.at[drawer]["cards"] = cards_in(seats.at[drawer]["hand"])
                compare_stacks(seats, np.uint64(rules.players))
                noise_key = draw_bits(keys[1], index)
                play_to_end(options, players, rules, seats, middle, drawn, size, owed, noise_key, no_moves, None)
                for position in range(rules.players):
                    scores[position] = seats.at[position]["stack"] + seats.at[position]["cards"]
                share_win(scores, rules.players, WIN, shares)
                for position in range(rules.players):
                    wins[place, batch, position] += shares[position]
