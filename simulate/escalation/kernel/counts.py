"""Reducing finished games to integer sums that add up exactly over blocks."""

from __future__ import annotations

from dataclasses import dataclass
from math import factorial
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from simulate.escalation.kernel.win_shares import WIN, share_win
from simulate.escalation.rules import MOST_PLAYERS
from simulate.experiment import Counts, no_counts
from simulate.jit import jitted, kernel


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
        `option_table.rows`; PASS_ROW is a Pass), plus TOOK if the player took the pile first; NO_MOVE after the end.
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

    square = (players, players)
    sums = Sums(
        no_counts(1), no_counts(1), *(no_counts(*square) for _ in range(6)), no_counts(players, deck_size + 1),
        no_counts(deck_size + 1), no_counts(players + 1), no_counts(players), no_counts(*square),
    )  # fmt: skip
    memory = no_counts(3, MOST_PLAYERS)
    add_games(played.scores, played.seating, played.turns, players if matches else 0, memory, sums)
    named: dict[str, NDArray[np.int64]] = sums._asdict()
    both_ways = {name: both_orders(matrix) for name, matrix in named.items() if name.endswith("_products")}
    return {**named, **both_ways, "telemetry": played.telemetry}


class OrderSums(NamedTuple):
    """Integer sums over games by the order of the seats.

    Attributes
    ----------
    order_games, order_wins, order_win_squares
        Games, and sums of each seat's win share (in units of 1/2520) and of its square; shape (orders, seats): by the
        number of the order. Where orders have no number, shape (seats, seats): by the seat directly before.
    """

    order_games: NDArray[np.int64]
    order_wins: NDArray[np.int64]
    order_win_squares: NDArray[np.int64]


def reduce_orders(played: Played, orders: NDArray[np.int64]) -> Counts:
    """Reduce finished games to sums by the order of the seats (`OrderSums`).

    Parameters
    ----------
    played
        The games.
    orders
        The number of each game's order, shape (games,); empty: go by who sits directly before whom.
    """
    players = played.scores.shape[1]
    rows = factorial(players - 1) if len(orders) else players
    sums = OrderSums(*(no_counts(rows, players) for _ in OrderSums._fields))
    add_orders(played.scores, played.seating, orders, no_counts(2, MOST_PLAYERS), sums)
    return sums._asdict()


def both_orders(matrix: NDArray[np.int64]) -> NDArray[np.int64]:
    """Complete a matrix of sums over pairs of which each was added in one order only."""
    return matrix + matrix.T - np.diag(np.diag(matrix))


@jitted
def add_win(game: int, winner: int, seating: NDArray[np.int64], sums: Sums) -> None:
    """Add a whole win; the products with other players' shares are 0."""
    position, seat = np.uint64(winner), np.uint64(seating[game, winner])
    sums.wins[seat, position] += WIN
    sums.win_products[seat, seat] += WIN * WIN
    sums.position_win_products[position, position] += WIN * WIN


@jitted
def add_shared_win(
    game: int, scores: NDArray[np.int64], seating: NDArray[np.int64], shares: NDArray[np.int64], sums: Sums
) -> None:
    """Add a win that several players share."""
    players = seating.shape[1]
    share_win(scores, players, WIN, shares)
    for first in range(players):
        seat = seating[game, first]
        sums.wins[seat, first] += shares[first]
        for second in range(first, players):
            product = shares[first] * shares[second]
            sums.position_win_products[first, second] += product
            sums.win_products[seat, seating[game, second]] += product


@jitted
def add_match(match: NDArray[np.int64], players: int, shares: NDArray[np.int64], sums: Sums) -> None:
    """Add a finished match, and make its scores 0 for the next one."""
    share_win(match, players, WIN, shares)
    sums.matches[0] += 1
    for seat in range(players):
        sums.match_wins[seat] += shares[seat]
        match[seat] = 0
        for other in range(seat, players):
            sums.match_win_products[seat, other] += shares[seat] * shares[other]


@jitted
def add_scores(scores: NDArray[np.int64], seated: NDArray[np.int64], match: NDArray[np.int64], sums: Sums) -> None:
    """Add the scores of a game and the product of each pair of them."""
    players = np.uint64(seated.shape[0])
    first = np.uint64(0)
    while first < players:
        seat, score = np.uint64(seated[first]), scores[first]
        sums.scores[seat, first] += score
        sums.score_histogram[seat, np.uint64(score)] += 1
        match[seat] += score
        by_position, by_seat = sums.position_score_products[first], sums.score_products[seat]
        second = first
        while second < players:
            product = score * scores[second]
            by_position[second] += product
            by_seat[np.uint64(seated[second])] += product
            second += np.uint64(1)
        first += np.uint64(1)


@kernel
def add_games(
    scores: NDArray[np.int16],
    seating: NDArray[np.int64],
    turns: NDArray[np.int16],
    games_per_match: int,
    memory: NDArray[np.int64],
    sums: Sums,
) -> None:
    """Add every game to the sums in place; `memory` is scratch of shape (3, MOST_PLAYERS), zero at the start."""
    games, players = scores.shape
    at_position, shares, match = memory
    games_in_match = 0
    for game in range(games):
        lowest, winner, winners = np.int64(scores[game, 0]), 0, 0
        for position in range(players):
            score = np.int64(scores[game, position])
            at_position[position] = score
            winners = 1 if score < lowest else winners + (score == lowest)
            winner = position if score <= lowest else winner
            lowest = min(lowest, score)
        sums.winners[winners] += 1
        if winners == 1:
            add_win(game, winner, seating, sums)
        else:
            add_shared_win(game, at_position, seating, shares, sums)
        add_scores(at_position, seating[game], match, sums)
        sums.turns_histogram[turns[game]] += 1
        games_in_match += 1
        if games_in_match == games_per_match:
            add_match(match, players, shares, sums)
            games_in_match = 0
    sums.games[0] += games


@kernel
def add_orders(
    scores: NDArray[np.int16],
    seating: NDArray[np.int64],
    orders: NDArray[np.int64],
    memory: NDArray[np.int64],
    sums: OrderSums,
) -> None:
    """Add every game to the sums in place; `memory` is scratch of shape (2, MOST_PLAYERS)."""
    games, players = scores.shape
    at_position, shares = memory
    for game in range(games):
        for position in range(players):
            at_position[position] = scores[game, position]
        share_win(at_position, players, WIN, shares)
        before = np.uint64(seating[game, players - 1])
        for position in range(players):
            seat, share = np.uint64(seating[game, position]), shares[position]
            row = np.uint64(orders[game]) if orders.shape[0] > 0 else before
            sums.order_games[row, seat] += 1
            if share > 0:
                sums.order_wins[row, seat] += share
                sums.order_win_squares[row, seat] += share * share
            before = seat
