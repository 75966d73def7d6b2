"""The fast engine: plays games to their end, many per call."""

from __future__ import annotations

from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from simulate.escalation.choice import KIND_FORCED_TAKE, KIND_MASK, KIND_TAKE, choose, fires
from simulate.escalation.dealing import add_up, shuffle
from simulate.escalation.hands import ONE, ZERO, cards_in
from simulate.escalation.plays import (
    KEY_ROW_BITS,
    PASS_ROW,
    STAGE_DANGER,
    STAGE_DECK_EMPTY,
    STAGE_EARLY,
    TALLIED,
    TALLY_BITS,
    WORDS,
    OptionTable,
)
from simulate.escalation.rules import MOST_PLAYERS
from simulate.escalation.seats import (
    HAS_NOISE,
    NEARLY_OUT,
    Seats,
    compare_stacks,
    habits_of,
    take_pile,
    who_is_nearly_out,
)
from simulate.escalation.shadow import Shadow, compare
from simulate.escalation.state import TELEMETRY
from simulate.escalation.walks import ROW_MASK, Players, RuleNumbers, Turn
from simulate.jit import copied, jitted, kernel
from simulate.rng import draw_bits

TOOK: Final = 1 << KEY_ROW_BITS
"""Added to a recorded move when the player took the pile first."""
NO_MOVE: Final = -1

_TALLY_BITS = np.uint64(TALLY_BITS)
_TALLY_MASK = np.uint64((1 << TALLY_BITS) - 1)
_CARDS_LEFT: Final = TELEMETRY.index("cards_left")
_OUT_FIRST: Final = TELEMETRY.index("out_first")


class Start(NamedTuple):
    """Where games start from.

    Attributes
    ----------
    hands, stacks, own_turns, carried
        As in `Seats`, shape (players,); all hands empty means that hands are dealt.
    middle
        Shape (4,): pile, target, announcer, mover.
    rest
        The words of the cards still to be drawn, sorted, shape (cards,).
    """

    hands: NDArray[np.uint64]
    stacks: NDArray[np.int64]
    own_turns: NDArray[np.uint64]
    carried: NDArray[np.int64]
    middle: NDArray[np.int64]
    rest: NDArray[np.uint64]


class Deals(NamedTuple):
    """Which deals to play and who sits where.

    Attributes
    ----------
    numbers
        Deal numbers, shape (games,).
    seating
        The seat at each position, shape (games, players).
    strategy_of_seat
        Shape (seats,): which strategy each seat plays.
    orders
        Deck orders as words, shape (games, cards), or (0, 0) to shuffle.
    deck_key, noise_key
        Streams: `draw(deck_key, deal)` shuffles a deal, `draw(noise_key, deal)` is its policy noise. Shape (2,).
    games_per_match
        From this many consecutive deals a match is made whose scores the players mind; 0 for none.
    """

    numbers: NDArray[np.int64]
    seating: NDArray[np.int64]
    strategy_of_seat: NDArray[np.uint64]
    orders: NDArray[np.uint64]
    streams: NDArray[np.uint64]
    games_per_match: int


class Results(NamedTuple):
    """What the games came to.

    Attributes
    ----------
    scores
        Penalty cards at the end, shape (games, players), by position.
    turns
        Turns of each game, shape (games,).
    telemetry
        Sums over games, shape (seats, players, len(TELEMETRY)), by seat and position.
    moves
        The move of every turn, shape (games, deck size), or (0, deck size) to record none.
    """

    scores: NDArray[np.int16]
    turns: NDArray[np.int16]
    telemetry: NDArray[np.int64]
    moves: NDArray[np.int16]


class Memory(NamedTuple):
    """Working memory of one call, allocated once."""

    seats: Seats
    order: NDArray[np.uint64]
    drawn: NDArray[np.uint64]
    match_scores: NDArray[np.int64]
    no_moves: NDArray[np.int16]


def working_memory(deck_size: int) -> Memory:
    """Allocate what a call of `play_games` needs."""

    def counts() -> NDArray[np.int64]:
        return np.zeros(MOST_PLAYERS, dtype=np.int64)

    def words(size: int = MOST_PLAYERS) -> NDArray[np.uint64]:
        return np.zeros(size, dtype=np.uint64)

    seats = Seats(words(), counts(), words(), counts(), counts(), counts(), counts(), words(), words(), words(WORDS))
    return Memory(seats, words(deck_size), words(deck_size + 1), counts(), np.zeros(0, dtype=np.int16))


@jitted
def stage_for(position: np.uint64, deck_empty: bool, nearly_out: np.uint64) -> int:
    """Return how far the game has come, as a player sees it; `nearly_out` has a bit for each position nearly out."""
    if not deck_empty:
        return np.int64(STAGE_EARLY)
    return np.int64(STAGE_DANGER if nearly_out & ~(ONE << position) else STAGE_DECK_EMPTY)


@jitted
def sit_down(seats: Seats, position: int, strategy: np.uint64, players: Players) -> None:
    """Let a strategy play a position."""
    seats.strategies[position] = strategy
    seats.habits[position] = habits_of(players.records[strategy])


@jitted
def is_random(players: Players, seats: Seats, position: np.uint64, noise_key: np.uint64) -> bool:
    """Tell whether this turn's option is random."""
    if seats.habits[position] & HAS_NOISE:
        return fires(players.records[seats.strategies[position]], noise_key, seats, position)
    return False


@copied
def play_to_end(
    options: OptionTable,
    players: Players,
    rules: RuleNumbers,
    seats: Seats,
    middle: NDArray[np.int64],
    drawn: NDArray[np.uint64],
    deck_size: int,
    next_card: int,
    noise_key: np.uint64,
    moves: NDArray[np.int16],
    shadow: Shadow | None,
) -> int:
    """Play a game from where `seats` and `middle` stand to its end; return the position that went out.

    With a `shadow`, note who would have chosen otherwise at some turn; without one that is compiled away.
    """
    pile, target, announcer = middle[0], middle[1], middle[2]
    position = np.uint64(middle[3])
    last = np.uint64(rules.players - 1)
    nearly_out = who_is_nearly_out(seats, last + ONE)
    turn_number = 0
    while True:
        hand, strategy, habits = seats.hands[position], seats.strategies[position], seats.habits[position]
        stage = stage_for(position, next_card == deck_size, nearly_out)
        random_turn = is_random(players, seats, position, noise_key)
        own_total_back = rules.beat_own_total == 0 and announcer == np.int64(position)
        turn = Turn(position, strategy, habits, hand, 0 if own_total_back else target, pile, stage)
        key = choose(options, players, seats, turn, rules, noise_key, random_turn)
        if shadow is not None:
            compare(shadow, key, random_turn, options, players, seats, turn, rules, noise_key)
        kind, took = (key >> KEY_ROW_BITS) & KIND_MASK, 0
        if kind >= KIND_TAKE:
            take_pile(seats, position, last + ONE, pile, kind == KIND_FORCED_TAKE)
            pile, target, announcer, took = np.int64(0), np.int64(0), np.int64(position), TOOK
            turn = Turn(position, strategy, habits, hand, target, pile, stage)
            key = choose(options, players, seats, turn, rules, noise_key, random_turn)
            if shadow is not None:
                compare(shadow, key, random_turn, options, players, seats, turn, rules, noise_key)
        row = np.uint64(key & ROW_MASK)
        if moves.shape[0] > 0:
            moves[turn_number] = np.int64(row) + took
            turn_number += 1
        if row != PASS_ROW:
            target, announcer = options.row_total[row], np.int64(position)
        played = options.row_cards[row]
        pile += played
        seats.tallies[position] += options.row_tally[row]
        left = seats.cards[position] - played
        refill = min(rules.hand_size - left, deck_size - next_card)
        if left == 0 and (rules.draw_before_end_check == 0 or refill == 0):
            seats.cards[position] = 0
            return np.int64(position)
        refilled = drawn[np.uint64(next_card + refill)] - drawn[np.uint64(next_card)]
        seats.hands[position] = hand - options.row_removal[row] + refilled
        seats.cards[position] = left + refill
        next_card += refill
        nearly_out = (nearly_out & ~(ONE << position)) | (ONE << position if left + refill <= NEARLY_OUT else ZERO)
        position = ZERO if position == last else position + ONE


@jitted
def set_up(seats: Seats, start: Start, rules: RuleNumbers, drawn: NDArray[np.uint64]) -> int:
    """Put a start before the players, dealing hands if it has none; return how many cards that drew."""
    dealt = 0
    for position in range(rules.players):
        seats.hands[position] = start.hands[position]
        seats.cards[position] = cards_in(start.hands[position])
        if start.hands[position] == ZERO:
            seats.hands[position] = drawn[dealt + rules.hand_size] - drawn[dealt]
            seats.cards[position] = rules.hand_size
            dealt += rules.hand_size
        seats.stacks[position] = start.stacks[position]
        seats.earlier_turns[position] = start.own_turns[position]
        seats.carried[position] = start.carried[position]
        seats.tallies[position] = ZERO
    return dealt


@jitted
def count_telemetry(seats: Seats, seat: int, position: int, out: int, telemetry: NDArray[np.int64]) -> None:
    """Add one player's game to the sums of his seat and position."""
    sums = telemetry[seat, position]
    tally = seats.tallies[position]
    for index in range(len(TALLIED)):
        sums[index] += np.int64((tally >> (np.uint64(index) * _TALLY_BITS)) & _TALLY_MASK)
    sums[_CARDS_LEFT] += seats.cards[position]
    if position == out:
        sums[_OUT_FIRST] += 1


@kernel
def play_games(
    options: OptionTable,
    players: Players,
    rules: RuleNumbers,
    start: Start,
    deals: Deals,
    memory: Memory,
    results: Results,
) -> None:
    """Play every deal from the start and fill the results in place; telemetry is added to what is there."""
    deck_size = start.rest.shape[0]
    seats, order, drawn, match_scores, no_moves = memory
    for game in range(deals.numbers.shape[0]):
        deal = np.uint64(deals.numbers[game])
        if deals.orders.shape[0] > 0:
            add_up(deals.orders[game], drawn)
        else:
            shuffle(start.rest, draw_bits(deals.streams[0], deal), order, drawn)
        dealt = set_up(seats, start, rules, drawn)
        for position in range(rules.players):
            seat = deals.seating[game, position]
            sit_down(seats, position, deals.strategy_of_seat[seat], players)
            if deals.games_per_match > 0:
                seats.carried[position] = match_scores[seat] if deals.numbers[game] % deals.games_per_match else 0
        compare_stacks(seats, np.uint64(rules.players))
        noise_key = draw_bits(deals.streams[1], deal)
        moves = results.moves[game] if results.moves.shape[0] > 0 else no_moves
        out = play_to_end(options, players, rules, seats, start.middle, drawn, deck_size, dealt, noise_key, moves, None)
        turns = ZERO
        for position in range(rules.players):
            seat = deals.seating[game, position]
            score = seats.stacks[position] + seats.cards[position]
            results.scores[game, position] = score
            match_scores[seat] = seats.carried[position] + score
            turns += seats.tallies[position] & _TALLY_MASK
            count_telemetry(seats, seat, position, out, results.telemetry)
        results.turns[game] = np.int64(turns)
