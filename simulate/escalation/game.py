"""The fast engine: plays games to their end, many per call."""

from __future__ import annotations

from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from simulate.escalation.choice import (
    KIND_FORCED_TAKE,
    KIND_MASK,
    KIND_TAKE,
    LEAD,
    NUMBER_CARDS,
    PICK,
    ROW_MASK,
    RuleNumbers,
    Turn,
    best_lead,
    best_response,
    fires,
    noise_draw,
    random_option,
)
from simulate.escalation.dealing import add_up, shuffle
from simulate.escalation.hands import NATURALS, NIBBLE_START, ZERO, cards_in, passes_in, wilds_in
from simulate.escalation.plays import (
    CARDS_TAKEN_SHIFT,
    KEY_ROW_BITS,
    PASS_ROW,
    STAGE_DANGER,
    STAGE_DECK_EMPTY,
    STAGE_EARLY,
    TAKE_TALLY,
    TALLIED,
    TALLY_BITS,
    WILLING_TALLY,
    WORDS,
    OptionTable,
)
from simulate.escalation.rules import MOST_PLAYERS
from simulate.escalation.state import NOBODY, TELEMETRY
from simulate.jit import jitted, kernel, trailing_zeros
from simulate.rng import draw_bits

TOOK: Final = 1 << KEY_ROW_BITS
"""Added to a recorded move when the player took the pile first."""
NO_MOVE: Final = -1

NEARLY_OUT: Final = 2
"""An opponent with this many cards or fewer is a danger once the deck is empty."""

_TAKEN = np.uint64(CARDS_TAKEN_SHIFT)
_TAKE_TALLY = np.uint64(TAKE_TALLY)
_WILLING_TALLY = np.uint64(WILLING_TALLY)
_TALLY_BITS = np.uint64(TALLY_BITS)
_TALLY_MASK = np.uint64((1 << TALLY_BITS) - 1)
_ONE = np.uint64(1)
_FOUR = np.uint64(4)
_NIBBLES = np.uint64(15)
_CARDS_LEFT: Final = TELEMETRY.index("cards_left")
_OUT_FIRST: Final = TELEMETRY.index("out_first")


class Players(NamedTuple):
    """The strategies at hand: their records and their precomputed keys (see `plays.base_keys`, here flattened)."""

    records: NDArray[np.void]
    keys: NDArray[np.int64]


class Seats(NamedTuple):
    """Working memory of one game, one entry per position.

    Attributes
    ----------
    strategies
        Which strategy sits there.
    hands, cards
        The hand as a word, and its number of cards.
    stacks, carried
        Penalty cards of this game, and of earlier games of the match as far as the players mind them.
    own_turns, tallies
        Turns taken, and the tally word of telemetry.
    """

    strategies: NDArray[np.int64]
    hands: NDArray[np.uint64]
    cards: NDArray[np.int64]
    stacks: NDArray[np.int64]
    carried: NDArray[np.int64]
    own_turns: NDArray[np.uint64]
    tallies: NDArray[np.uint64]


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
    strategy_of_seat: NDArray[np.int64]
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
    legal: NDArray[np.uint64]
    match_scores: NDArray[np.int64]


def working_memory(deck_size: int) -> Memory:
    """Allocate what a call of `play_games` needs."""

    def counts() -> NDArray[np.int64]:
        return np.zeros(MOST_PLAYERS, dtype=np.int64)

    def words(size: int) -> NDArray[np.uint64]:
        return np.zeros(size, dtype=np.uint64)

    seats = Seats(counts(), words(MOST_PLAYERS), counts(), counts(), counts(), words(MOST_PLAYERS), words(MOST_PLAYERS))
    return Memory(seats, words(deck_size), words(deck_size + 1), words(WORDS), counts())


@jitted
def fewest_cards_of_others(cards: NDArray[np.int64], position: np.uint64, players: np.uint64) -> int:
    """Return the size of the smallest hand at the other positions."""
    fewest, other = np.int64(1 << 30), ZERO
    while other < players:
        if other != position:
            fewest = min(fewest, cards[other])
        other += _ONE
    return fewest


@jitted
def smallest_other_stack(seats: Seats, position: np.uint64, players: np.uint64) -> int:
    """Return the least that any other position has collected, earlier games of the match included."""
    smallest, other = np.int64(1 << 30), ZERO
    while other < players:
        if other != position:
            smallest = min(smallest, seats.stacks[other] + seats.carried[other])
        other += _ONE
    return smallest


@jitted
def wins_by_going_out(seats: Seats, position: np.uint64, players: np.uint64) -> bool:
    """Tell whether the own stack is at most every other stack with its hand."""
    other = ZERO
    while other < players:
        if other != position and seats.stacks[position] > seats.stacks[other] + seats.cards[other]:
            return False
        other += _ONE
    return True


@jitted
def one_play_from_out(hand: np.uint64) -> bool:
    """Tell whether all cards of a hand may go in one play: one value with wilds, or a single Pass."""
    naturals = hand & NATURALS
    if passes_in(hand) != ZERO:
        return (naturals == ZERO) & (wilds_in(hand) == ZERO) & (passes_in(hand) == _ONE)
    if naturals == ZERO:
        return True
    return ((naturals >> (trailing_zeros(naturals) & NIBBLE_START)) >> _FOUR) == ZERO


@jitted
def see(
    seats: Seats,
    position: np.uint64,
    target: int,
    pile: int,
    deck_empty: bool,
    player: np.void,
    rules: RuleNumbers,
) -> Turn:
    """Gather what a player sees on his turn."""
    hand, cards, players = seats.hands[position], seats.cards[position], np.uint64(rules.players)
    stage = STAGE_EARLY
    if deck_empty:
        danger = fewest_cards_of_others(seats.cards, position, players) <= NEARLY_OUT
        stage = STAGE_DANGER if danger else STAGE_DECK_EMPTY
    ending, wins = np.int64(0), False
    if player["finish"] != 0 and one_play_from_out(hand) and (deck_empty or rules.draw_before_end_check == 0):
        ending, wins = cards, wins_by_going_out(seats, position, players)
    return Turn(hand, cards, target, pile, stage, ending, wins)


@jitted
def choose_response(
    options: OptionTable,
    players: Players,
    seats: Seats,
    position: np.uint64,
    turn: Turn,
    rules: RuleNumbers,
    random_turn: bool,
    noise_key: np.uint64,
    legal: NDArray[np.uint64],
) -> int:
    """Return the key of what a player does facing a pile."""
    strategy = seats.strategies[position]
    if random_turn:
        draw = noise_draw(noise_key, position, seats.own_turns[position], PICK)
        may_take = (turn.hand & NUMBER_CARDS) != ZERO or rules.lead_pass == 1
        return random_option(options, turn, draw, passes_in(turn.hand) != ZERO, may_take, legal)
    player = players.records[strategy]
    own, other = np.int64(0), np.int64(0)
    if player["standing"] != 0:
        own = seats.stacks[position] + seats.carried[position]
        other = smallest_other_stack(seats, position, np.uint64(rules.players))
    return best_response(options, players.keys, strategy, player, turn, rules, own, other, legal)


@jitted
def choose_lead(
    options: OptionTable,
    players: Players,
    seats: Seats,
    position: np.uint64,
    turn: Turn,
    rules: RuleNumbers,
    random_turn: bool,
    noise_key: np.uint64,
    legal: NDArray[np.uint64],
) -> int:
    """Return the key of what a player leads."""
    strategy = seats.strategies[position]
    if random_turn:
        draw = noise_draw(noise_key, position, seats.own_turns[position], LEAD)
        only_passes = (turn.hand & NUMBER_CARDS) == ZERO
        may_pass = only_passes or (rules.lead_pass == 1 and passes_in(turn.hand) != ZERO)
        return random_option(options, turn, draw, may_pass, False, legal)
    return best_lead(options, players.keys, strategy, players.records[strategy], turn, rules, legal)


@jitted
def take_pile(seats: Seats, position: np.uint64, pile: int, forced: bool) -> None:
    """Move the pile to the taker's stack."""
    seats.stacks[position] += pile
    seats.tallies[position] += _TAKE_TALLY + (np.uint64(pile) << _TAKEN)
    if not forced:
        seats.tallies[position] += _WILLING_TALLY


@jitted
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
    legal: NDArray[np.uint64],
    moves: NDArray[np.int16],
) -> int:
    """Play a game from where `seats` and `middle` stand to its end; return the position that went out."""
    pile, target, announcer = middle[0], middle[1], middle[2]
    position = np.uint64(middle[3])
    last = np.uint64(rules.players - 1)
    turn_number = 0
    while True:
        player = players.records[seats.strategies[position]]
        deck_empty = next_card == deck_size
        random_turn = fires(player, noise_key, position, seats.own_turns[position])
        key, took = np.int64(0), 0
        if pile > 0:
            own_total_back = rules.beat_own_total == 0 and announcer == np.int64(position)
            turn = see(seats, position, 0 if own_total_back else target, pile, deck_empty, player, rules)
            key = choose_response(options, players, seats, position, turn, rules, random_turn, noise_key, legal)
            kind = (key >> KEY_ROW_BITS) & KIND_MASK
            if kind >= KIND_TAKE:
                take_pile(seats, position, pile, kind == KIND_FORCED_TAKE)
                pile, took = np.int64(0), TOOK
        if pile == 0:
            target, announcer = np.int64(0), np.int64(position)
            turn = see(seats, position, target, pile, deck_empty, player, rules)
            key = choose_lead(options, players, seats, position, turn, rules, random_turn, noise_key, legal)
        row = np.uint64(key & ROW_MASK)
        if moves.shape[0] > 0:
            moves[turn_number] = np.int64(row) + took
            turn_number += 1
        if row != PASS_ROW:
            target, announcer = options.row_total[row], np.int64(position)
        played = options.row_cards[row]
        pile += played
        seats.tallies[position] += options.row_tally[row]
        seats.own_turns[position] += _ONE
        left = seats.cards[position] - played
        refill = min(rules.hand_size - left, deck_size - next_card)
        if left == 0 and (rules.draw_before_end_check == 0 or refill == 0):
            seats.cards[position] = 0
            return np.int64(position)
        seats.hands[position] += (
            drawn[np.uint64(next_card + refill)] - drawn[np.uint64(next_card)] - options.row_removal[row]
        )
        seats.cards[position] = left + refill
        next_card += refill
        position = ZERO if position == last else position + _ONE


@jitted
def set_up(seats: Seats, start: Start, rules: RuleNumbers, drawn: NDArray[np.uint64]) -> int:
    """Put a start before the players, dealing hands if it has none; return how many cards that drew."""
    dealt = 0
    for position in range(rules.players):
        seats.hands[position] = start.hands[position]
        if start.hands[position] == ZERO:
            seats.hands[position] = drawn[dealt + rules.hand_size] - drawn[dealt]
            dealt += rules.hand_size
        seats.cards[position] = cards_in(seats.hands[position])
        seats.stacks[position] = start.stacks[position]
        seats.own_turns[position] = start.own_turns[position]
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
    seats, order, drawn, legal, match_scores = memory
    for game in range(deals.numbers.shape[0]):
        deal = np.uint64(deals.numbers[game])
        if deals.orders.shape[0] > 0:
            add_up(deals.orders[game], drawn)
        else:
            shuffle(start.rest, draw_bits(deals.streams[0], deal), order, drawn)
        dealt = set_up(seats, start, rules, drawn)
        for position in range(rules.players):
            seat = deals.seating[game, position]
            seats.strategies[position] = deals.strategy_of_seat[seat]
            if deals.games_per_match > 0:
                seats.carried[position] = match_scores[seat] if deals.numbers[game] % deals.games_per_match else 0
        noise_key = draw_bits(deals.streams[1], deal)
        moves = results.moves[game] if results.moves.shape[0] > 0 else results.moves[:, 0]
        out = play_to_end(
            options, players, rules, seats, start.middle, drawn, deck_size, dealt, noise_key, legal, moves
        )
        turns = ZERO
        for position in range(rules.players):
            seat = deals.seating[game, position]
            score = seats.stacks[position] + seats.cards[position]
            results.scores[game, position] = score
            match_scores[seat] = seats.carried[position] + score
            turns += seats.own_turns[position]
            count_telemetry(seats, seat, position, out, results.telemetry)
        results.turns[game] = np.int64(turns)
