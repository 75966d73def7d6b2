"""Takes of many games: every number from games of the slow engine; of equals the first deal is named."""

from __future__ import annotations

import numpy as np
import pytest

from reports.balance.take_sizes import TakeSizes, TakesTable, takes_frame
from simulate import Rules, Table
from strategies.catalogue import strategy
from tests.simulate.escalation.cases import by_reference

TABLE = Table(Rules(players=3), (strategy("standard"), strategy("minimal"), strategy("novice")), "given")
SEED = 4


def test_takes_are_those_of_the_slow_engine():
    deals = np.arange(60, dtype=np.int64)
    records = [by_reference(TABLE, SEED, deal) for deal in deals.tolist()]
    taken = [[turn.pile for turn in record.turns if turn.took] for record in records]
    counts = TakesTable(TABLE).play_deals(SEED, deals)
    of_size = counts["takes"].sum(axis=(0, 1))
    assert of_size.tolist() == [sum(piles.count(size) for piles in taken) for size in range(1, 1 + len(of_size))]
    turns, largest = [len(record.turns) for record in records], [max(piles, default=0) for piles in taken]
    assert counts["games"].tolist() == [60]
    assert counts["longest"].tolist() == [turns.index(max(turns)), max(turns)]
    assert counts["largest_take"].tolist() == [largest.index(max(largest)), max(largest)]


def block(games, takes, longest, largest):
    return {
        "games": np.array([games]),
        "takes": np.array([takes]),
        "longest": np.array(longest),
        "largest_take": np.array(largest),
    }


def test_blocks_are_put_together_and_of_equals_the_first_is_named():
    """Two forced takes of one card and three willing ones of two; the longest games of both blocks have 30 turns."""
    one = block(10, [[1, 0], [0, 2]], (3, 30), (4, 1))
    other = block(10, [[1, 0], [0, 1]], (12, 30), (15, 2))
    sizes = TakeSizes.of_blocks([one, other])
    assert (sizes.games, sizes.longest, sizes.largest_take) == (20, (3, 30), (15, 2))
    frame = takes_frame(TakeSizes(20, np.concatenate([one["takes"], other["takes"]]), (3, 30), (15, 2)))
    assert frame["forced"].tolist() == [2, 0]
    assert frame["willing"].tolist() == [0, 3]
    assert frame["share_of_takes"].tolist() == [0.4, 0.6]


def test_a_size_that_was_never_taken_may_still_be():
    """Of 100 takes none had 2 cards: Wilson's bound is z^2 / (n + z^2), not 0."""
    takes = np.zeros((20, 2, 3), dtype=np.int64)
    takes[:, 0, 0], takes[:, 1, 2] = 4, 1
    row = takes_frame(TakeSizes(60, takes, (0, 9), (0, 3))).iloc[1]
    assert row["share_of_takes"] == row["share_of_takes_low"] == 0
    assert row["share_of_takes_high"] == pytest.approx(1.959964**2 / (100 + 1.959964**2), rel=1e-6)
