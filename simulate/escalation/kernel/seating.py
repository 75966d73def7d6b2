"""Who sits where in each deal."""

from __future__ import annotations

from typing import Final

import numpy as np
from numpy.typing import NDArray

from simulate.jit import kernel
from simulate.rng import below, draw_bits

GIVEN: Final = 0
ROTATE: Final = 1
SHUFFLE: Final = 2


@kernel
def fill_seating(deals: NDArray[np.int64], seating: int, key: np.uint64, seats: NDArray[np.int64]) -> None:
    """Fill `seats[game, position]` with the seat that has the position.

    Parameters
    ----------
    deals
        Deal numbers, shape (games,).
    seating
        GIVEN: seat i at position i. ROTATE: in deal d, seat d mod players leads. SHUFFLE: drawn for each deal.
    key
        The stream of seating draws.
    seats
        Filled in place, shape (games, players).
    """
    players = seats.shape[1]
    for game in range(deals.shape[0]):
        deal = deals[game]
        seat = deal % players if seating == ROTATE else np.int64(0)
        for position in range(players):
            seats[game, position] = seat
            seat = seat + 1 if seat + 1 < players else np.int64(0)
        if seating == SHUFFLE:
            deal_key = draw_bits(key, np.uint64(deal))
            for position in range(players - 1):
                bits = draw_bits(deal_key, np.uint64(position))
                other = position + np.int64(below(bits, np.uint64(players - position)))
                seats[game, position], seats[game, other] = seats[game, other], seats[game, position]
