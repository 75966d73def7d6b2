"""Runs blocks, on threads or on workers elsewhere; the numbers do not depend on how many or on who finishes first."""

from __future__ import annotations

import os
import time
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass
from functools import partial
from itertools import islice, takewhile, tee
from typing import Final, NamedTuple, TypeAlias

from simulate.blocks import DEALS_PER_BLOCK, add_counts, blocks_for, play_block
from simulate.experiment import Counts, Experiment
from simulate.store import Store
from strategies.errors import InputError

FIRST_PASS: Final = 4
"""Blocks of a setting that are played in a row before the next setting has its turn."""

SECONDS_OF_TRIAL: Final = 1.0
GOLDEN_RATIO: Final = 0.6180339887498949


class Job(NamedTuple):
    """One block of one setting."""

    setting: int
    block: int


Workers: TypeAlias = Callable[[Experiment, Iterable[Job]], Iterator[tuple[Job, Counts]]]
"""Whoever plays blocks: handed an experiment and jobs, yields each job with its counts, in the order of the jobs."""


@dataclass(frozen=True)
class Progress:
    """How far a run has come.

    Attributes
    ----------
    games, planned
        Finished and planned games over all settings.
    stored
        How many of the finished ones were read from the store, not played.
    setting, settings
        The number of the setting at work, from 1, and how many there are.
    part
        What is at work, in words, where a run has several parts.
    """

    games: int
    planned: int
    stored: int = 0
    setting: int = 1
    settings: int = 1
    part: str = ""


@dataclass(frozen=True)
class How:
    """How to run, as opposed to what: none of it changes a number.

    Attributes
    ----------
    threads
        Threads to play on; None means one per processor.
    on_progress
        Called from the calling thread after every block, or with a store whenever everything played so far is safe.
    workers
        Who plays instead of threads of this process.
    store
        Where finished blocks are kept and not played again.
    stop
        Asked before each block; once it says yes, blocks under way are finished and nothing more is begun.
    """

    threads: int | None = None
    on_progress: Callable[[Progress], None] | None = None
    workers: Workers | None = None
    store: Store | None = None
    stop: Callable[[], bool] | None = None

    @property
    def players(self) -> Workers:
        """Whoever plays."""
        return self.workers or threads_as_workers(self.threads)


USUAL: Final = How()
"""On a thread per processor, without progress, nothing kept."""


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


def threads_as_workers(threads: int | None = None) -> Workers:
    """Return threads of this process as workers; None means one per processor."""
    return partial(finished_blocks, threads=check_threads(threads))


def jobs_in_passes(settings: int, blocks: int, first_block: int = 0) -> Iterator[Job]:
    """Yield every job so that all settings come along together: each gets a few blocks, then twice as many in all, ...

    A run that is stopped early has then played about equally much of each setting, and a setting is still made ready
    only a few times.
    """
    start, stop = 0, min(FIRST_PASS, blocks)
    while start < blocks:
        for setting in range(settings):
            for block in range(start, stop):
                yield Job(setting, first_block + block)
        start, stop = stop, min(2 * stop, blocks)


def stored_or_played(
    experiment: Experiment,
    jobs: Iterable[Job],
    workers: Workers,
    store: Store | None = None,
    stop: Callable[[], bool] | None = None,
) -> Iterator[tuple[Job, Counts, bool]]:
    """Yield jobs with their counts, in the order of the jobs, playing only what the store does not have.

    Parameters
    ----------
    experiment
        What is played.
    jobs
        Each job at most once.
    workers
        Who plays.
    store
        Where finished blocks are kept, if anywhere.
    stop
        Asked before each block; once it says yes, no further block is begun, those under way are finished, and what
        the store has is still yielded.

    Yields
    ------
    Job, mapping of str to numpy.ndarray of int64, bool
        The job, its counts, and whether they were in the store already.
    """
    # Decided once per job, when it is first looked at: whether the store has it, undamaged.
    in_order, ahead = tee((job, store is not None and job in store) for job in jobs)
    refused: list[Job] = []
    missing = (job for job, stored in ahead if not stored)
    fresh = workers(experiment, missing if stop is None else _until(stop, missing, refused))
    left_in_store = len(store) if store is not None else 0
    try:
        for job, stored in in_order:
            if stored:
                left_in_store -= 1
                yield job, _read(store, job), True
            elif (counts := _answered(job, next(fresh, None), refused)) is not None:
                if store is not None:
                    store.add(*job, counts)
                yield job, counts, False
            elif left_in_store <= 0:
                return
    finally:
        # Whatever ends the run, blocks that were played are kept.
        if store is not None:
            store.commit()


def _named(job: Job) -> str:
    return f"block {job.block} of setting {job.setting}"


def _read(store: Store | None, job: Job) -> Counts:
    """Return the counts of a block that the store was found to have."""
    counts = store.read(*job) if store is not None else None
    if counts is None:
        raise InputError(f"{_named(job)} was in the store and is not any more: run the same command again")
    return counts


def _until(stop: Callable[[], bool], jobs: Iterator[Job], refused: list[Job]) -> Iterator[Job]:
    """Yield jobs until no further one is to be begun; that one is noted."""
    for job in jobs:
        if stop():
            refused.append(job)
            return
        yield job


def _answered(asked: Job, answer: tuple[Job, Counts] | None, refused: Sequence[Job]) -> Counts | None:
    """Return the counts of what was asked; None if it was not begun."""
    if answer is None:
        if not refused:
            raise InputError(f"{_named(asked)} was asked for and not played: whoever plays ended too soon")
        return None
    if answer[0] != asked:
        raise InputError(
            f"{_named(asked)} was asked for and {_named(answer[0])} was played: trust no number of this run"
        )
    return answer[1]


def run(experiment: Experiment, games: int, how: How = USUAL, *, first_block: int = 0) -> list[Counts]:
    """Play an experiment and return the counts of each setting.

    Parameters
    ----------
    experiment
        What to play.
    games
        Games per setting, rounded up to whole blocks of 5,040 deals.
    how
        How to run; no number depends on it.
    first_block
        The number of the first block of deals.

    Returns
    -------
    list of mappings from str to numpy.ndarray of int64
        One entry per setting, in order: sums over all its games (see the setting for their names and shapes). A setting
        of which a stopped run has played nothing has no entries in its mapping.

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
    blocks, settings = blocks_for(games), len(experiment.settings)
    sums: dict[int, Counts] = {}
    for job, counts in followed(experiment, jobs_in_passes(settings, blocks, first_block), blocks * settings, how):
        sums[job.setting] = add_counts(sums[job.setting], counts) if job.setting in sums else counts
    return [sums.get(setting, {}) for setting in range(settings)]


def followed(
    experiment: Experiment, jobs: Iterable[Job], planned: int, how: How = USUAL
) -> Iterator[tuple[Job, Counts]]:
    """Yield jobs with their counts, in the order of the jobs, telling the progress towards so many planned blocks."""
    store, on_progress = how.store, how.on_progress
    stored, progress = 0, None
    results = stored_or_played(experiment, jobs, how.players, store, how.stop)
    for done, (job, counts, was_stored) in enumerate(results, start=1):
        stored += was_stored
        played, wanted, known = (blocks * DEALS_PER_BLOCK for blocks in (done, planned, stored))
        progress = Progress(played, wanted, known, job.setting + 1, len(experiment.settings))
        yield job, counts
        if on_progress and (store is None or not store.pending):
            on_progress(progress)
    if on_progress and progress and store is not None:
        on_progress(progress)


def estimated_seconds(experiment: Experiment, games: int, threads: int | None = None) -> float:
    """Estimate how long a run would take, by playing blocks from all over the experiment for about a second.

    The engine must be compiled already.
    """
    number = len(experiment.settings)
    # Steps of about 0.618 of the whole visit every region early, however few blocks the time allows.
    visited = (
        Job(int(number * (turn * GOLDEN_RATIO % 1)), turn // number) for turn in range(number * blocks_for(games))
    )
    started = time.monotonic()
    in_time = takewhile(lambda job: time.monotonic() - started < SECONDS_OF_TRIAL, visited)
    played = sum(1 for _ in threads_as_workers(threads)(experiment, in_time))
    return (time.monotonic() - started) / played * number * blocks_for(games)
