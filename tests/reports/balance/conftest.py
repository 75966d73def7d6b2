"""Plays jobs of a balance report in memory."""

from __future__ import annotations

import pytest

from reports.balance.output import balance_files
from reports.balance.plan import BalancePlan, Effort
from reports.balance.report import BalanceReport, balance
from simulate import Rules
from simulate.blocks import play_block
from simulate.experiment import Experiment
from strategies.catalogue import strategy
from strategies.strategy import Strategy


@pytest.fixture(scope="session")
def play():
    """A `Play` that keeps nothing: every block is played when it is asked for, with seed 1."""

    def in_memory(part, settings, blocks, *, first_block=0):
        experiment = Experiment(tuple(settings), seed=1)
        numbers = range(first_block, first_block + blocks)
        return [[play_block(experiment, setting, block) for block in numbers] for setting in range(len(settings))]

    return in_memory


EVIL = "<script>alert(1)</script>"
SECTIONS = ("setting", "positions", "player-count", "health")
STANDARD = Strategy(EVIL, strategy("standard").values)
PLAN = BalancePlan(
    Rules(players=3), (2, 3), 1, Effort("quick", 1, 4, 4), standard=STANDARD, sections=SECTIONS, versus="even"
)


@pytest.fixture(scope="session")
def report() -> BalanceReport:
    """Return a small report of two games whose standard player has a name that a page must not take for markup."""
    return balance(PLAN)


@pytest.fixture(scope="session")
def files(report: BalanceReport) -> dict[str, bytes]:
    """Return its files."""
    return balance_files(report)
