"""Who sits where in each deal."""

from __future__ import annotations

from typing import Final

import numpy as np
from numpy.typing import NDArray

from simulate.jit import jitted, kernel
from simulate.rng import below, draw_bits

EVERY: Final = 0
ROTATE: Final = 1
GIVEN: Final = 2

MOST_IN_TURN: Final = 7
"""Up to so many players the orders of the seats take turns: all 6! in 7! deals. At larger tables they are drawn."""


@jitted
def put_order(match: int, key: np.uint64, order: NDArray[np.int64]) -> None:
    """Write the order in which seats sit in a match, a run of as many deals as players, clockwise from seat 0.

    Match m of n players has the one with number m mod (n - 1)! in the lexicographic list of all orders, which begins
    with 0, 1, 2, ...; at large tables it is drawn.
    """
    players = order.shape[0]
    orders = 1
    for place in range(2, players):
        orders *= place
    number = match % orders
    match_key = draw_bits(key, np.uint64(match))
    for place in range(players):
        order[place] = place
    for place in range(1, players - 1):
        # The seats from this place on are sorted; who of them sits here divides the orders left into equal runs.
        orders //= players - place
        chosen = number // orders
        if players > MOST_IN_TURN:
            chosen = np.int64(below(draw_bits(match_key, np.uint64(place)), np.uint64(players - place)))
        number %= orders
        seat = order[place + chosen]
        for later in range(place + chosen, place, -1):
            order[later] = order[later - 1]
        order[place] = seat


@kernel
def fill_seating(
    deals: NDArray[np.int64], seating: int, key: np.uint64, order: NDArray[np.int64], seats: NDArray[np.int64]
) -> None:
    """Fill `seats[game, position]` with the seat that has the position.

    Parameters
    ----------
    deals
        Deal numbers, shape (games,).
    seating
        GIVEN: seat i at position i. ROTATE: in deal d, seat d mod players leads, and the others follow in their order.
        EVERY: the same with another order in every match (see `put_order`).
    key
        The stream of seating draws.
    order
        Scratch, shape (players,).
    seats
        Filled in place, shape (games, players).
    """
    players = seats.shape[1]
    for place in range(players):
        order[place] = place
    match = np.int64(-1)
    for game in range(deals.shape[0]):
        deal = deals[game]
        if seating == EVERY and deal // players != match:
            match = deal // players
            put_order(match, key, order)
        place = np.int64(0) if seating == GIVEN else deal % players
        for position in range(players):
            seats[game, position] = order[place]
            place = place + 1 if place + 1 < players else np.int64(0)
