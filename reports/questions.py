"""Each kind of question with what it takes to answer it, so that one way of running, storing and showing serves all."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from reports.balance.plan import BalancePlan
from reports.output.folder import open_store
from reports.output.provenance import Provenance
from reports.output.terminal import Screen
from reports.question import Question
from reports.quickly.balance import GroupBalancePlan, balance_groups
from reports.quickly.output import (
    announce_group,
    announce_group_balance,
    announce_group_sweep,
    group_balance_files,
    group_files,
    group_sweep_files,
    show_group,
    show_group_balance,
    show_group_sweep,
)
from reports.quickly.simulation import GroupPlan, simulate_group
from reports.quickly.sweep import GroupSweepPlan, sweep_groups
from reports.simulation.output import announce_simulation, show_simulation, simulation_files
from reports.simulation.plan import SimulationPlan, simulate_table
from reports.sweep.output import announce_sweep, show_sweep, sweep_files
from reports.sweep.paired import PairedPlan, answer_paired
from reports.sweep.paired_output import announce_paired, paired_files, show_paired
from reports.sweep.plan import SweepPlan, sweep
from simulate.runner import estimated_seconds
from simulate.store import Store
from strategies.errors import InputError

MINUTE: Final = 60
HOUR: Final = 3600
DAY: Final = 24 * HOUR


def keep_blocks(folder: Path, plan: Any, provenance: Provenance) -> Store:
    """Open the store of a question that is a single experiment."""
    return open_store(folder, plan.experiment, provenance)


@dataclass(frozen=True)
class Way:
    """How one kind of question is announced, asked, shown and written.

    Attributes
    ----------
    announce
        Says what is about to be played.
    ask
        Plays it and returns the result.
    show
        Prints the result.
    files
        Returns the files of an output folder, by name.
    table
        The one of them that is the table.
    keep
        Opens what keeps finished blocks in an output folder.
    """

    announce: Callable[[Screen, Any, int], None]
    ask: Callable[..., Any]
    show: Callable[[Screen, Any], None]
    files: Callable[..., Mapping[str, bytes]]
    table: str
    keep: Callable[[Path, Any, Provenance], Any] = keep_blocks


WAYS: Final[Mapping[type, Way]] = {
    SimulationPlan: Way(announce_simulation, simulate_table, show_simulation, simulation_files, "numbers.csv"),
    PairedPlan: Way(announce_paired, answer_paired, show_paired, paired_files, "settings.csv"),
    SweepPlan: Way(announce_sweep, sweep, show_sweep, sweep_files, "settings.csv"),
    GroupPlan: Way(announce_group, simulate_group, show_group, group_files, "numbers.csv"),
    GroupSweepPlan: Way(announce_group_sweep, sweep_groups, show_group_sweep, group_sweep_files, "settings.csv"),
    GroupBalancePlan: Way(
        announce_group_balance, balance_groups, show_group_balance, group_balance_files, "tables.csv"
    ),
}


def way_of(plan: Any) -> Way:
    """Return the way of a question; the thirteen sections of a balance report are imported only for one."""
    return _balance_way() if isinstance(plan, BalancePlan) else WAYS[type(plan)]


def _balance_way() -> Way:
    from reports.balance.output import announce_balance, balance_files, show_balance
    from reports.balance.playing import PartStores
    from reports.balance.report import balance

    return Way(announce_balance, balance, show_balance, balance_files, "findings.csv", PartStores.of_report)


def announce_time(screen: Screen, question: Question, threads: int | None) -> float:
    """Say how long the question will take here, from a short trial, and return it in seconds.

    Raises
    ------
    InputError
        If its parts are too unlike each other for a trial.
    """
    if isinstance(question.plan, BalancePlan):
        raise InputError("--dry-run is not for a balance report, whose sections differ: see what --quick takes")
    experiment = question.plan.experiment
    screen.get_ready(experiment)
    seconds = estimated_seconds(experiment, question.games, threads)
    settings, games = len(experiment.settings), question.provenance.games
    screen.heading(f"{settings:,} settings x {games:,} games = {settings * games:,} games: about {duration(seconds)}")
    screen.remark("From a trial of a second on this machine as busy as it is now; expect a third more or less.")
    return seconds


def duration(seconds: float) -> str:
    """Write a duration in the unit that suits it."""
    for unit, length in (("days", DAY), ("h", HOUR), ("min", MINUTE)):
        if seconds >= length:
            return f"{seconds / length:.1f} {unit}"
    return f"{seconds:.1f} s"
