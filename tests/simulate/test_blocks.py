"""Blocks: whole rotations and matches, whose counts add up."""

from __future__ import annotations

import numpy as np
import pytest

from simulate import Experiment, Rules, Table, run
from simulate.blocks import DEALS_PER_BLOCK, add_counts, play_block
from simulate.runner import How
from strategies.catalogue import strategy
from strategies.errors import InputError


@pytest.fixture(scope="module")
def tables():
    seats = tuple(strategy(text) for text in ("standard", "novice", "random"))
    return tuple(Table(Rules(players=3), seats, seating) for seating in ("rotate", "every"))


def same(first, second):
    return all(np.array_equal(first[name], second[name]) for name in first) and first.keys() == second.keys()


def test_blocks_add_up_in_any_order(tables):
    experiment = Experiment(tables, seed=12)
    forwards = run(experiment, 3 * DEALS_PER_BLOCK, How(threads=1))[0]
    backwards = play_block(experiment, 0, 2)
    for block in (0, 1):
        backwards = add_counts(backwards, play_block(experiment, 0, block))
    assert same(forwards, backwards)


@pytest.mark.parametrize("players", range(2, 10))
def test_a_block_holds_whole_rotations_and_matches(players):
    assert DEALS_PER_BLOCK % players == 0


@pytest.mark.parametrize("other", [{"b": np.ones(2)}, {"a": np.ones(3)}, {"a": np.ones(2), "b": np.ones(2)}, {}])
def test_counts_of_another_kind_are_not_added(other):
    with pytest.raises(InputError, match="other counts than these"):
        add_counts({"a": np.ones(2)}, other)
