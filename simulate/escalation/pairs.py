"""Games played twice, with and without a change of one player's strategy, replaying only what the change changed."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from simulate.escalation.dealing import shuffle
from simulate.escalation.game import Memory, Start, count_telemetry, play_to_end, set_up, sit_down
from simulate.escalation.plays import OptionTable
from simulate.escalation.rules import MOST_PLAYERS
from simulate.escalation.seats import Seats, compare_stacks
from simulate.escalation.shadow import Shadow, cast_shadow
from simulate.escalation.walks import Players, RuleNumbers
from simulate.jit import jitted, kernel, set_apart
from simulate.rng import draw_bits


class Question(NamedTuple):
    """What is compared on which deals.

    Attributes
    ----------
    numbers
        Deal numbers, shape (games,).
    strategies
        Which strategy plays each position in the base games of each focal position, shape (players, players).
    changed
        Which strategy the focal player plays in the other games.
    opponents_alike
        1 if everybody plays the same base strategy: one base game then serves every focal position.
    occasions, limit
        See `shadow.Shadow`.
    streams
        Of the deck and of policy noise, shape (2,).
    """

    numbers: NDArray[np.int64]
    strategies: NDArray[np.uint64]
    changed: np.uint64
    opponents_alike: int
    occasions: int
    limit: int
    streams: NDArray[np.uint64]


class Answers(NamedTuple):
    """Both games of every deal and focal position; see `comparison.Pairs` for what the fields hold."""

    base: NDArray[np.int64]
    changed: NDArray[np.int64]
    differs: NDArray[np.bool_]
    telemetry: NDArray[np.int64]


def no_shadow() -> Shadow:
    """Allocate a shadow that compares nobody yet."""
    counts = [np.zeros(MOST_PLAYERS, dtype=np.int64) for _ in range(4)]
    return Shadow(np.zeros(MOST_PLAYERS, dtype=np.uint64), *counts)


@jitted
def put_scores(seats: Seats, scores: NDArray[np.int64]) -> None:
    """Write the scores of a finished game."""
    for position in range(scores.shape[0]):
        scores[position] = seats.stacks[position] + seats.cards[position]


@set_apart
def play_once(
    options: OptionTable,
    players: Players,
    rules: RuleNumbers,
    start: Start,
    memory: Memory,
    noise_key: np.uint64,
    shadow: Shadow,
) -> int:
    """Play the deal that is shuffled with the players who sit there; return who went out."""
    dealt = set_up(memory.seats, start, rules, memory.drawn)
    compare_stacks(memory.seats, np.uint64(rules.players))
    deck_size, no_moves = start.rest.shape[0], memory.no_moves
    return play_to_end(
        options, players, rules, memory.seats, start.middle, memory.drawn, deck_size, dealt, noise_key, no_moves, shadow
    )


@jitted
def seat_base(question: Question, focal: int, seats: Seats, shadow: Shadow, players: Players) -> None:
    """Seat the base players of one focal position; the shadow compares nobody."""
    for position in range(question.strategies.shape[0]):
        sit_down(seats, position, question.strategies[focal, position], players)
        shadow.alike[position] = 0


@jitted
def keep_base(
    question: Question, focal: int, game: int, seats: Seats, out: int, shadow: Shadow, answers: Answers
) -> None:
    """Note a base game for one focal position, and for the changed one, too, if that is the same game."""
    put_scores(seats, answers.base[focal, game])
    count_telemetry(seats, 0, focal, out, answers.telemetry)
    answers.differs[focal, game] = shadow.alike[focal] == 0
    if shadow.alike[focal] == 1:
        put_scores(seats, answers.changed[focal, game])
        count_telemetry(seats, 1, focal, out, answers.telemetry)


@jitted
def play_base(
    options: OptionTable,
    players: Players,
    rules: RuleNumbers,
    start: Start,
    question: Question,
    memory: Memory,
    shadow: Shadow,
    answers: Answers,
    game: int,
    noise_key: np.uint64,
) -> None:
    """Play the base games of a shuffled deal: one for all focal positions among equal players, else one each."""
    alike = question.opponents_alike == 1
    for focal in range(1 if alike else rules.players):
        seat_base(question, focal, memory.seats, shadow, players)
        first, last = (0, rules.players) if alike else (focal, focal + 1)
        for position in range(first, last):
            cast_shadow(shadow, position, question.changed, question.occasions, question.limit, players)
        out = play_once(options, players, rules, start, memory, noise_key, shadow)
        for position in range(first, last):
            keep_base(question, position, game, memory.seats, out, shadow, answers)


@kernel
def play_pairs(
    options: OptionTable,
    players: Players,
    rules: RuleNumbers,
    start: Start,
    question: Question,
    memory: Memory,
    shadow: Shadow,
    answers: Answers,
) -> None:
    """Play every deal with the focal player at every position, as he is and with the change; fill the answers."""
    for game in range(question.numbers.shape[0]):
        deal = np.uint64(question.numbers[game])
        shuffle(start.rest, draw_bits(question.streams[0], deal), memory.order, memory.drawn)
        noise_key = draw_bits(question.streams[1], deal)
        play_base(options, players, rules, start, question, memory, shadow, answers, game, noise_key)
        for focal in range(rules.players):
            if answers.differs[focal, game]:
                seat_base(question, focal, memory.seats, shadow, players)
                sit_down(memory.seats, focal, question.changed, players)
                out = play_once(options, players, rules, start, memory, noise_key, shadow)
                put_scores(memory.seats, answers.changed[focal, game])
                count_telemetry(memory.seats, 1, focal, out, answers.telemetry)
