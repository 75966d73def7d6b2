"""Runs blocks on threads; the numbers do not depend on how many there are or which finishes first."""

from __future__ import annotations

import os
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass
from itertools import islice

from simulate.blocks import DEALS_PER_BLOCK, add_counts, blocks_for, play_block
from simulate.experiment import Counts, Experiment
from strategies.errors import InputError


@dataclass(frozen=True)
class Job:
    """One block of one setting."""

    setting: int
    block: int


@dataclass(frozen=True)
class Progress:
    """How far a run has come: finished and planned games over all settings."""

    games: int
    planned: int


def default_threads() -> int:
    """Return the number of processors that this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def check_threads(threads: int | None) -> int:
    """Return the number of threads to use; None means one per processor.

    Raises
    ------
    InputError
        If it is not positive.
    """
    if threads is None:
        return default_threads()
    if threads < 1:
        raise InputError(f"{threads} threads are not allowed: 1 or more")
    return threads


def finished_blocks(experiment: Experiment, jobs: Iterable[Job], threads: int) -> Iterator[tuple[Job, Counts]]:
    """Play jobs on threads and yield each with its counts, in the order of the jobs.

    Only a few blocks per thread are under way at a time, so memory stays flat however many there are. When the caller
    stops early, or is interrupted, blocks not yet begun are dropped and those under way are waited for.
    """
    waiting: deque[tuple[Job, Future[Counts]]] = deque()
    queue = iter(jobs)
    executor = ThreadPoolExecutor(threads)
    try:
        for job in islice(queue, 3 * threads):
            waiting.append((job, executor.submit(play_block, experiment, job.setting, job.block)))
        while waiting:
            job, future = waiting.popleft()
            counts = future.result()
            for following in islice(queue, 1):
                waiting.append((following, executor.submit(play_block, experiment, following.setting, following.block)))
            yield job, counts
    finally:
        executor.shutdown(wait=True, cancel_futures=True)


def run(
    experiment: Experiment,
    games: int,
    *,
    threads: int | None = None,
    on_progress: Callable[[Progress], None] | None = None,
) -> list[Counts]:
    """Play an experiment and return the counts of each setting.

    Parameters
    ----------
    experiment
        What to play.
    games
        Games per setting, rounded up to whole blocks of 5,040 deals.
    threads
        Threads to play on; None means one per processor.
    on_progress
        Called after every block, from the calling thread.

    Returns
    -------
    list of mappings from str to numpy.ndarray of int64
        One entry per setting, in order: sums over all its games (see the setting for their names and shapes).

    Raises
    ------
    InputError
        If games or threads are not positive.

    Examples
    --------
    >>> from simulate import Experiment, Rules, Table, run
    >>> from strategies.catalogue import strategy
    >>> table = Table(Rules(players=2), (strategy("minimal"), strategy("shedder")))
    >>> counts = run(Experiment((table,), seed=1), games=5040)
    >>> int(counts[0]["games"][0])
    5040
    """
    if games < 1:
        raise InputError(f"{games} games are not allowed: 1 or more")
    blocks = blocks_for(games)
    planned = blocks * DEALS_PER_BLOCK * len(experiment.settings)
    jobs = (Job(setting, block) for setting in range(len(experiment.settings)) for block in range(blocks))
    sums: dict[int, Counts] = {}
    for done, (job, counts) in enumerate(finished_blocks(experiment, jobs, check_threads(threads)), start=1):
        sums[job.setting] = add_counts(sums[job.setting], counts) if job.setting in sums else counts
        if on_progress:
            on_progress(Progress(done * DEALS_PER_BLOCK, planned))
    return [sums[setting] for setting in range(len(experiment.settings))]
