"""Who sits where: in place, rotating, or shuffled."""

import numpy as np
from scipy import stats

from simulate import Rules, Table
from simulate.jit import numba_config
from strategies.catalogue import strategy

FOUR = tuple(strategy(text) for text in ("standard", "hoarder", "jumper", "minimal"))


def table(seating="rotate", **changes):
    return Table(Rules(players=4), FOUR, seating, **changes)


def test_given_seating_keeps_everybody_in_place():
    assert {table("given").seats_at(1, deal) for deal in range(20)} == {(0, 1, 2, 3)}


def test_rotated_seating_lets_each_seat_lead_in_turn_and_keeps_the_neighbours():
    orders = [table().seats_at(1, deal) for deal in range(5)]
    assert orders == [(0, 1, 2, 3), (1, 2, 3, 0), (2, 3, 0, 1), (3, 0, 1, 2), (0, 1, 2, 3)]


def test_shuffled_seating_makes_every_order_equally_likely():
    seating = table("shuffle").play(5, np.arange(12_000 if not numba_config.DISABLE_JIT else 240)).seating
    _, counts = np.unique(seating, axis=0, return_counts=True)
    assert len(counts) == 24
    assert stats.chisquare(counts).pvalue > 1e-4
