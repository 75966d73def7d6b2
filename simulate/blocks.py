"""Blocks: the unit of work on which progress, stopping, resuming, clusters and replay rest.

A block is a fixed run of consecutive deals of one setting of one experiment. Playing it is a pure function of
(experiment, setting, block number) and returns integer counts only, so adding blocks is exact and no order of
completion shows.
"""

from __future__ import annotations

from typing import Final

import numpy as np
from numpy.typing import NDArray

from simulate.experiment import Counts, Experiment
from strategies.errors import InputError

DEALS_PER_BLOCK: Final = 5040
"""A multiple of 2,520, so that whole rotations and whole matches of 2-9 players fill a block."""

# Runs count their blocks from 0 and get nowhere near these: 10^12 games, the most there may be, are 2 x 10^8 blocks.
FRESH_BLOCK: Final = 3 * 10**8
"""What a search chose is measured again on the deals from this block on."""
JUDGING_BLOCK: Final = 5 * 10**8
"""Tactics are judged on the deals from this block on, which have chosen nothing in any sweep or report."""
CHOOSING_BLOCK: Final = 10**9
"""The best dose of a tactic is chosen on the deals from this block on."""


def blocks_for(games: int) -> int:
    """Return how many whole blocks play at least so many games."""
    return -(-games // DEALS_PER_BLOCK)


def deals_of(block: int) -> NDArray[np.int64]:
    """Return the deal numbers of a block, shape (DEALS_PER_BLOCK,)."""
    return np.arange(block * DEALS_PER_BLOCK, (block + 1) * DEALS_PER_BLOCK, dtype=np.int64)


def play_block(experiment: Experiment, setting: int, block: int) -> Counts:
    """Play one block of one setting.

    Returns
    -------
    mapping of str to numpy.ndarray of int64
        Named sums over the block's games; what they are is the setting's business.
    """
    return experiment.settings[setting].play_deals(experiment.seed, deals_of(block))


def add_counts(first: Counts, second: Counts) -> Counts:
    """Add the counts of two sets of blocks of the same setting.

    Raises
    ------
    InputError
        If their names or shapes differ, as they may where somebody else wrote a store.
    """
    if first.keys() != second.keys() or any(first[name].shape != second[name].shape for name in first):
        raise InputError(
            "finished blocks have other counts than these here: another version played them; move the folder aside "
            "with --force-new"
        )
    return {name: first[name] + second[name] for name in first}
