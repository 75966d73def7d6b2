"""Games played twice, with and without a change of one player's strategy, replaying only what the change changed."""

from __future__ import annotations

from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from simulate.escalation.kernel.dealing import shuffle
from simulate.escalation.kernel.game import Memory, Start, count_telemetry, play_to_end, set_up, sit_down
from simulate.escalation.kernel.option_table import OptionTable
from simulate.escalation.kernel.seats import Seats, compare_stacks
from simulate.escalation.kernel.shadow import MIDDLE, Shadow, cast_shadow
from simulate.escalation.kernel.turns import Players, RuleNumbers
from simulate.jit import jitted, kernel
from simulate.rng import draw_bits

_NEXT_CARD: Final = MIDDLE.index("next_card")


class PairDeals(NamedTuple):
    """Which deals are played twice, and what is compared.

    Attributes
    ----------
    numbers
        Deal numbers, shape (games,).
    order
        The order of the players around the table in each deal, as a row of `strategies`; shape (games,).
    strategies
        Which strategy plays each position in the base games of each order and focal position, shape (orders, players,
        players).
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
    order: NDArray[np.int64]
    strategies: NDArray[np.uint64]
    changed: np.uint64
    opponents_alike: int
    occasions: int
    limit: int
    streams: NDArray[np.uint64]


class PairResults(NamedTuple):
    """Both games of every deal and focal position; see `comparison.Pairs` for what the fields hold."""

    base: NDArray[np.int64]
    changed: NDArray[np.int64]
    differs: NDArray[np.bool_]
    telemetry: NDArray[np.int64]


@jitted
def put_scores(seats: Seats, scores: NDArray[np.int64]) -> None:
    """Write the scores of a finished game."""
    for position in range(scores.shape[0]):
        scores[position] = seats.at[position]["stack"] + seats.at[position]["cards"]


@jitted
def start_base(
    deals: PairDeals,
    game: int,
    focal: int,
    start: Start,
    memory: Memory,
    shadow: Shadow,
    players: Players,
    rules: RuleNumbers,
) -> int:
    """Put a base game before its players and let the shadow of its focal positions watch; return the next card."""
    order = deals.order[game]
    for position in range(rules.players):
        sit_down(memory.seats, position, deals.strategies[order, focal, position], players)
        shadow.at[position]["alike"] = 0
        if deals.opponents_alike == 1 or position == focal:
            cast_shadow(shadow, position, deals.changed, deals.occasions, deals.limit, players)
    dealt = set_up(memory.seats, start, rules, memory.drawn)
    compare_stacks(memory.seats, np.uint64(rules.players))
    return dealt


@jitted
def start_changed(deals: PairDeals, focal: int, seats: Seats, shadow: Shadow, players: Players) -> int:
    """Put the game before its players as it stood when the change first showed; return the next card."""
    for position in range(deals.strategies.shape[1]):
        seats.at[position] = shadow.seats[focal, position]
        shadow.at[position]["alike"] = 0
    sit_down(seats, focal, deals.changed, players)
    return shadow.middles[focal, _NEXT_CARD]


@jitted
def keep_changed(focal: int, game: int, seats: Seats, out: int, results: PairResults) -> None:
    """Note a game with the change."""
    put_scores(seats, results.changed[focal, game])
    count_telemetry(seats, 1, focal, out, results.telemetry)


@jitted
def keep_base(focal: int, game: int, seats: Seats, out: int, shadow: Shadow, results: PairResults) -> None:
    """Note a base game for one focal position, and for the changed one, too, if that is the same game."""
    put_scores(seats, results.base[focal, game])
    count_telemetry(seats, 0, focal, out, results.telemetry)
    results.differs[focal, game] = shadow.at[focal]["alike"] == 0
    if shadow.at[focal]["alike"] == 1:
        keep_changed(focal, game, seats, out, results)


@jitted
def keep_bases(
    deals: PairDeals, focal: int, game: int, seats: Seats, out: int, shadow: Shadow, results: PairResults
) -> None:
    """Note a base game for every focal position it serves."""
    if deals.opponents_alike == 0:
        keep_base(focal, game, seats, out, shadow, results)
    else:
        for position in range(deals.strategies.shape[1]):
            keep_base(position, game, seats, out, shadow, results)


@kernel
def play_pairs(
    options: OptionTable,
    players: Players,
    rules: RuleNumbers,
    start: Start,
    deals: PairDeals,
    memory: Memory,
    shadow: Shadow,
    results: PairResults,
) -> None:
    """Play every deal with the focal player at every position, without and with the change; fill the results."""
    seats, order, drawn, _, no_moves = memory
    deck_size = start.rest.shape[0]
    for game in range(deals.numbers.shape[0]):
        deal = np.uint64(deals.numbers[game])
        shuffle(start.rest, draw_bits(deals.streams[0], deal), order, drawn)
        noise_key = draw_bits(deals.streams[1], deal)
        for focal in range(rules.players):
            base_needed = focal == 0 or deals.opponents_alike == 0
            # Base game and changed one in one loop: the code of a game is large, and this way it is there once.
            for again in range(0 if base_needed else 1, 2):
                if again and not results.differs[focal, game]:
                    continue
                if again:
                    middle = shadow.middles[focal]
                    next_card = start_changed(deals, focal, seats, shadow, players)
                else:
                    middle = start.middle
                    next_card = start_base(deals, game, focal, start, memory, shadow, players, rules)
                out = play_to_end(
                    options, players, rules, seats, middle, drawn, deck_size, next_card, noise_key, no_moves, shadow
                )
                if again:
                    keep_changed(focal, game, seats, out, results)
                else:
                    keep_bases(deals, focal, game, seats, out, shadow, results)
