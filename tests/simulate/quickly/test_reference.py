"""The compiled engine plays as the slow one does, flip by flip, whatever the rules, the persons and the deal."""

from __future__ import annotations

import random

import pytest

from simulate.jit import numba_config
from simulate.quickly.reference import play_round
from simulate.quickly.rules import GroupRules
from tests.simulate.quickly.cases import check_case, random_group

BATCHES = 10


CASES_PER_BATCH = 100 if not numba_config.DISABLE_JIT else 3


@pytest.mark.parametrize("batch", range(BATCHES))
def test_random_cases_are_played_alike_flip_by_flip(batch):
    rng = random.Random(2000 + batch)
    for _ in range(CASES_PER_BATCH):
        check_case(random_group(rng), rng.randrange(1 << 62), rng.randrange(1 << 40))


class Laid:
    """An organiser who flips the cards in the order in which they are given."""

    organiser, heard = 0, ()

    def next_card(self, flipped, last, left):
        return len(flipped)


@pytest.mark.parametrize(
    ("allowed", "values", "rows", "good"),
    [
        (0, (1, 4, 6, 9), [(), (1,), (1, 4), (1, 4, 6)], True),
        (0, (1, 4, 3, 9), [(), (1,), (1, 4)], False),
        # A mistake wipes the row, itself included: after 4 3* the 2 lies free, and 9 is on 2.
        (1, (1, 4, 3, 2, 9), [(), (1,), (1, 4), (), (2,)], True),
        (1, (1, 4, 3, 2, 9, 5), [(), (1,), (1, 4), (), (2,), (2, 9)], False),
        # On the last card, too.
        (1, (2, 5, 7, 1), [(), (2,), (2, 5), (2, 5, 7)], True),
        (2, (5, 4, 3, 2, 1), [(), (5,), (), (3,), ()], True),
        (2, (6, 5, 4, 3, 2, 1), [(), (6,), (), (4,), (), (2,)], False),
    ],
)
def test_rounds_played_out_by_hand(allowed, values, rows, good):
    rules = GroupRules(2, len(values) // 2, allowed) if len(values) % 2 == 0 else GroupRules(5, 1, allowed)
    record = play_round(rules, Laid(), values)
    assert [flip.row for flip in record.flips] == rows
    assert [flip.value for flip in record.flips] == list(values[: len(rows)])
    assert record.good == good
