"""The fast engine: plays games to their end, many per call."""

from __future__ import annotations

from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from simulate.escalation.kernel.choice import KIND_FORCED_TAKE, KIND_MASK, KIND_TAKE, choose, is_random
from simulate.escalation.kernel.dealing import add_up, shuffle
from simulate.escalation.kernel.hands import ONE, ZERO, cards_in
from simulate.escalation.kernel.option_table import (
    KEY_ROW_BITS,
    PASS_ROW,
    ROW_MASK,
    STAGE_DANGER,
    STAGE_DECK_EMPTY,
    STAGE_EARLY,
    TALLIED,
    TALLY_BITS,
    WORDS,
    OptionTable,
)
from simulate.escalation.kernel.reserve import note_greatest
from simulate.escalation.kernel.seats import (
    SEAT,
    Seats,
    compare_stacks,
    habits_of,
    take_pile,
    who_is_nearly_out,
)
from simulate.escalation.kernel.shadow import Shadow, compare, save
from simulate.escalation.kernel.turns import Players, RuleNumbers, TurnView
from simulate.escalation.rules import MOST_PLAYERS
from simulate.escalation.state import TELEMETRY
from simulate.experiment import no_counts
from simulate.jit import copied, jitted, kernel
from simulate.rng import draw_bits
from strategies.heuristic import NEARLY_OUT

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


def new_results(
    games: int, players: int, deck_size: int, *, seats: int | None = None, with_moves: bool = False
) -> Results:
    """Allocate the results of so many games; there are as many seats as players unless said otherwise."""
    return Results(
        np.empty((games, players), dtype=np.int16),
        np.empty(games, dtype=np.int16),
        no_counts(seats or players, players, len(TELEMETRY)),
        np.full((games if with_moves else 0, deck_size), NO_MOVE, dtype=np.int16),
    )


class Memory(NamedTuple):
    """Working memory of one call, allocated once."""

    seats: Seats
    order: NDArray[np.uint64]
    drawn: NDArray[np.uint64]
    match_scores: NDArray[np.int64]
    no_moves: NDArray[np.int16]


def working_memory(deck_size: int) -> Memory:
    """Allocate what a call of `play_games` needs."""
    legal, order, drawn = (np.zeros(size, dtype=np.uint64) for size in (WORDS, deck_size, deck_size + 1))
    seats = Seats(np.zeros(MOST_PLAYERS, dtype=SEAT), legal)
    return Memory(seats, order, drawn, no_counts(MOST_PLAYERS), np.zeros(0, dtype=np.int16))


@jitted
def stage_for(position: np.uint64, deck_empty: bool, nearly_out: np.uint64) -> int:
    """Return how far the game has come, as a player sees it; `nearly_out` has a bit for each position nearly out."""
    if not deck_empty:
        return np.int64(STAGE_EARLY)
    return np.int64(STAGE_DANGER if nearly_out & ~(ONE << position) else STAGE_DECK_EMPTY)


@jitted
def sit_down(seats: Seats, position: int, strategy: np.uint64, players: Players) -> None:
    """Let a strategy play a position."""
    seats.at[position]["strategy"] = strategy
    seats.at[position]["habits"] = habits_of(players.records[strategy])


@jitted
def note_every_greatest(seats: Seats, rules: RuleNumbers) -> None:
    """Note the greatest totals of every hand at the start."""
    for position in range(rules.players):
        note_greatest(seats, position, rules)


@jitted
def marked(nearly_out: np.uint64, position: np.uint64, cards: int) -> np.uint64:
    """Return who is nearly out, now that one position has so many cards."""
    return (nearly_out & ~(ONE << position)) | (ONE << position if cards <= NEARLY_OUT else ZERO)


@jitted
def turn_at(seats: Seats, players: Players, position: np.uint64, target: int, pile: int, stage: int) -> TurnView:
    """Return what the player at a position sees."""
    seat = seats.at[position]
    situation = ZERO if pile == 0 else np.uint64(target + 1) * players.preferences.situation_size
    return TurnView(position, seat["strategy"], seat["habits"], seat["hand"], target, pile, situation, stage)


@copied
def decide(
    options: OptionTable,
    players: Players,
    seats: Seats,
    turn: TurnView,
    rules: RuleNumbers,
    noise_key: np.uint64,
    random_turn: bool,
    shadow: Shadow | None,
    target: int,
    announcer: int,
    next_card: int,
) -> int:
    """Return the key of what a player does; with a `shadow`, save the game if the other strategy would part from it."""
    key = choose(options, players, seats, turn, rules, noise_key, random_turn)
    if shadow is not None and compare(shadow, key, random_turn, options, players, seats, turn, rules, noise_key):
        save(shadow, seats, rules.players, turn, target, announcer, next_card)
    return key


@jitted
def refill_hand(
    seats: Seats,
    players: Players,
    position: np.uint64,
    removal: np.uint64,
    refill: int,
    drawn: NDArray[np.uint64],
    next_card: int,
    rules: RuleNumbers,
) -> None:
    """Take the cards played out of a hand and put the next cards of the deck in."""
    mover = seats.at[position]
    mover["hand"] += drawn[np.uint64(next_card + refill)] - drawn[np.uint64(next_card)] - removal
    mover["cards"] += refill
    if players.mind_reserve is not None:
        note_greatest(seats, position, rules)


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
    if players.mind_reserve is not None:
        note_every_greatest(seats, rules)
    turn_number = 0
    while True:
        stage = stage_for(position, next_card == deck_size, nearly_out)
        random_turn = is_random(players, seats.at[position], seats, position, noise_key)
        own_total_back = rules.beat_own_total == 0 and announcer == np.int64(position)
        turn = turn_at(seats, players, position, 0 if own_total_back else target, pile, stage)
        key = decide(options, players, seats, turn, rules, noise_key, random_turn, shadow, target, announcer, next_card)
        kind, took = (key >> KEY_ROW_BITS) & KIND_MASK, 0
        if kind >= KIND_TAKE:
            take_pile(seats, position, last + ONE, pile, kind == KIND_FORCED_TAKE)
            pile, target, announcer, took = np.int64(0), np.int64(0), np.int64(position), TOOK
            turn = turn_at(seats, players, position, target, pile, stage)
            key = decide(
                options, players, seats, turn, rules, noise_key, random_turn, shadow, target, announcer, next_card
            )
        row = np.uint64(key & ROW_MASK)
        if moves.shape[0] > 0:
            moves[turn_number] = np.int64(row) + took
            turn_number += 1
        mover, laid = seats.at[position], options.rows[row]
        if row != PASS_ROW:
            target, announcer = laid["total"], np.int64(position)
        pile += laid["cards"]
        mover["tally"] += laid["tally"]
        left = mover["cards"] - laid["cards"]
        mover["cards"] = left
        refill = min(rules.hand_size - left, deck_size - next_card)
        if left == 0 and (rules.draw_before_end_check == 0 or refill == 0):
            return np.int64(position)
        refill_hand(seats, players, position, laid["removal"], refill, drawn, next_card, rules)
        next_card += refill
        if next_card == deck_size:
            nearly_out = who_is_nearly_out(seats, last + ONE) if refill > 0 else marked(nearly_out, position, left)
        position = ZERO if position == last else position + ONE


@jitted
def set_up(seats: Seats, start: Start, rules: RuleNumbers, drawn: NDArray[np.uint64]) -> int:
    """Put a start before the players, dealing hands if it has none; return how many cards that drew."""
    dealt = 0
    for position in range(rules.players):
        seats.at[position]["hand"] = start.hands[position]
        seats.at[position]["cards"] = cards_in(start.hands[position])
        if start.hands[position] == ZERO:
            seats.at[position]["hand"] = drawn[dealt + rules.hand_size] - drawn[dealt]
            seats.at[position]["cards"] = rules.hand_size
            dealt += rules.hand_size
        seats.at[position]["stack"] = start.stacks[position]
        seats.at[position]["earlier_turns"] = start.own_turns[position]
        seats.at[position]["carried"] = start.carried[position]
        seats.at[position]["tally"] = ZERO
    return dealt


@jitted
def count_telemetry(seats: Seats, seat: int, position: int, out: int, telemetry: NDArray[np.int64]) -> None:
    """Add one player's game to the sums of the player's seat and position."""
    sums = telemetry[seat, position]
    tally = seats.at[position]["tally"]
    for index in range(len(TALLIED)):
        sums[index] += np.int64((tally >> (np.uint64(index) * _TALLY_BITS)) & _TALLY_MASK)
    sums[_CARDS_LEFT] += seats.at[position]["cards"]
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
                seats.at[position]["carried"] = match_scores[seat] if deals.numbers[game] % deals.games_per_match else 0
        compare_stacks(seats, np.uint64(rules.players))
        noise_key = draw_bits(deals.streams[1], deal)
        moves = results.moves[game] if results.moves.shape[0] > 0 else no_moves
        out = play_to_end(options, players, rules, seats, start.middle, drawn, deck_size, dealt, noise_key, moves, None)
        turns = ZERO
        for position in range(rules.players):
            seat = deals.seating[game, position]
            score = seats.at[position]["stack"] + seats.at[position]["cards"]
            results.scores[game, position] = score
            match_scores[seat] = seats.at[position]["carried"] + score
            turns += seats.at[position]["tally"] & _TALLY_MASK
            count_telemetry(seats, seat, position, out, results.telemetry)
        results.turns[game] = np.int64(turns)
