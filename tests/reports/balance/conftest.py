"""Plays jobs of a balance report in memory."""

from __future__ import annotations

import pytest

from simulate.blocks import play_block
from simulate.experiment import Experiment


@pytest.fixture(scope="session")
def play():
    """A `Play` that keeps nothing: every block is played when it is asked for, with seed 1."""

    def in_memory(part, settings, blocks, *, first_block=0):
        experiment = Experiment(tuple(settings), seed=1)
        numbers = range(first_block, first_block + blocks)
        return [[play_block(experiment, setting, block) for block in numbers] for setting in range(len(settings))]

    return in_memory
