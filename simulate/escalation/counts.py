"""Reducing finished games to integer sums that add up exactly over blocks."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from simulate.escalation.rules import MOST_PLAYERS
from simulate.experiment import Counts
from simulate.jit import jitted, kernel

WIN: Final = 2520
"""A whole win in the integer units of win share: 1/k of it is whole for every k from 1 to 9 (and 10)."""


@dataclass(frozen=True)
class Played:
    """Finished games, one row each.

    Attributes
    ----------
    scores
        Penalty cards by position, int16, shape (games, players).
    seating
        The seat at each position, int64, shape (games, players).
    turns
        Turns of each game, int16, shape (games,).
    telemetry
        Sums over the games by seat and position, int64, shape (players, players, len(TELEMETRY)).
    moves
        One move per turn where they were asked for, int16, shape (games or 0, deck size): the row of the play (see
        `plays.rows`; PASS_ROW is a Pass), plus TOOK if the player took the pile first; NO_MOVE after the end.
    """

    scores: NDArray[np.int16]
    seating: NDArray[np.int64]
    turns: NDArray[np.int16]
    telemetry: NDArray[np.int64]
    moves: NDArray[np.int16]


class Sums(NamedTuple):
    """Integer sums over games.

    Attributes
    ----------
    games, matches
        How many of each, shape (1,).
    scores, wins
        Sums of scores, and of win share in units of 1/2520; shape (seats, positions).
    score_products, win_products
        Sums over games of the product of two seats' scores and win shares; shape (seats, seats).
    position_score_products, position_win_products
        The same for two positions; shape (positions, positions).
    score_histogram
        Games by seat and score, shape (seats, deck size + 1).
    turns_histogram
        Games by number of turns, shape (deck size + 1,).
    winners
        Games by the number of players who shared the win, shape (players + 1,).
    match_wins, match_win_products
        As for games, over matches; shapes (seats,) and (seats, seats).
    """

    games: NDArray[np.int64]
    matches: NDArray[np.int64]
    scores: NDArray[np.int64]
    wins: NDArray[np.int64]
    score_products: NDArray[np.int64]
    win_products: NDArray[np.int64]
    position_score_products: NDArray[np.int64]
    position_win_products: NDArray[np.int64]
    score_histogram: NDArray[np.int64]
    turns_histogram: NDArray[np.int64]
    winners: NDArray[np.int64]
    match_wins: NDArray[np.int64]
    match_win_products: NDArray[np.int64]


def reduce_games(played: Played, deck_size: int, *, matches: bool) -> Counts:
    """Reduce finished games to named integer sums (`Sums`, and "telemetry" by seat, position and measure).

    Parameters
    ----------
    played
        The games; with `matches`, whole matches in order.
    deck_size
        Cards in the deck: no score and no number of turns is greater.
    matches
        Whether each run of as many games as players is a match.
    """
    players = played.scores.shape[1]

    def zeros(*shape: int) -> NDArray[np.int64]:
        return np.zeros(shape, dtype=np.int64)

    square, line = (players, players), (players,)
    sums = Sums(
        zeros(1), zeros(1), *(zeros(*square) for _ in range(6)), zeros(players, deck_size + 1), zeros(deck_size + 1),
        zeros(players + 1), zeros(*line), zeros(*square),
    )  # fmt: skip
    memory = np.zeros((5, MOST_PLAYERS), dtype=np.int64)
    add_games(played.scores, played.seating, played.turns, players if matches else 0, memory, sums)
    named: dict[str, NDArray[np.int64]] = sums._asdict()
    both_ways = {name: matrix + np.triu(matrix, 1).T for name, matrix in named.items() if name.endswith("_products")}
    return {**named, **both_ways, "telemetry": played.telemetry}


@jitted
def share_win(scores: NDArray[np.int64], players: int, win: int, shares: NDArray[np.int64]) -> int:
    """Fill the win shares of one game or match, lowest score first; return how many share the win."""
    lowest, winners = scores[0], 0
    for player in range(players):
        lowest = min(lowest, scores[player])
    for player in range(players):
        winners += scores[player] == lowest
    share = win // winners
    for player in range(players):
        shares[player] = share if scores[player] == lowest else 0
    return winners


@jitted
def add_products(values: NDArray[np.int64], players: int, sums: NDArray[np.int64]) -> None:
    """Add the products of all pairs, each pair once: to the diagonal and above it."""
    for first in range(players):
        for second in range(first, players):
            sums[first, second] += values[first] * values[second]


@jitted
def add_win_products(shares: NDArray[np.int64], players: int, winners: int, sums: NDArray[np.int64]) -> None:
    """Do as `add_products` with win shares: where one player has the whole win, the product of any pair is 0."""
    for player in range(players):
        sums[player, player] += shares[player] * shares[player]
    if winners > 1:
        for first in range(players):
            for second in range(first + 1, players):
                sums[first, second] += shares[first] * shares[second]


@jitted
def add_match(match: NDArray[np.int64], players: int, shares: NDArray[np.int64], sums: Sums) -> None:
    """Add a finished match, and make its scores 0 for the next one."""
    winners = share_win(match, players, WIN, shares)
    add_win_products(shares, players, winners, sums.match_win_products)
    sums.matches[0] += 1
    for seat in range(players):
        sums.match_wins[seat] += shares[seat]
        match[seat] = 0


@kernel
def add_games(
    scores: NDArray[np.int16],
    seating: NDArray[np.int64],
    turns: NDArray[np.int16],
    games_per_match: int,
    memory: NDArray[np.int64],
    sums: Sums,
) -> None:
    """Add every game to the sums in place; `memory` is scratch of shape (5, MOST_PLAYERS), zero at the start."""
    games, players = scores.shape
    at_position, shares, at_seat, seat_shares, match = memory
    games_in_match = 0
    for game in range(games):
        for position in range(players):
            at_position[position] = scores[game, position]
        winners = share_win(at_position, players, WIN, shares)
        sums.winners[winners] += 1
        add_products(at_position, players, sums.position_score_products)
        add_win_products(shares, players, winners, sums.position_win_products)
        for position in range(players):
            seat, score = np.uint64(seating[game, position]), at_position[position]
            sums.scores[seat, position] += score
            sums.wins[seat, position] += shares[position]
            sums.score_histogram[seat, np.uint64(score)] += 1
            at_seat[seat], seat_shares[seat] = score, shares[position]
            match[seat] += score
        add_products(at_seat, players, sums.score_products)
        add_win_products(seat_shares, players, winners, sums.win_products)
        sums.turns_histogram[turns[game]] += 1
        games_in_match += 1
        if games_in_match == games_per_match:
            add_match(match, players, shares, sums)
            games_in_match = 0
    sums.games[0] += games
