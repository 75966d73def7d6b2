"""Measure what a sweep of many settings costs: against one setting of as many games, and on Dask against threads.

python benchmarks/sweeps.py many [settings] [games]
python benchmarks/sweeps.py dask [games]
"""

from __future__ import annotations

import resource
import sys
import tempfile
import time
from pathlib import Path

import numpy as np

from reports.output.table_files import as_csv
from reports.sweep import SweepPlan, read_variation, sweep
from reports.sweep.output import sweep_files
from simulate import Rules
from simulate.cluster import cluster_as_workers
from simulate.runner import How
from simulate.store import Store
from strategies.catalogue import strategy


def plan_of(*texts: str) -> SweepPlan:
    """Return a sweep at four players."""
    return SweepPlan(tuple(read_variation(text) for text in texts), (4,), Rules(), (strategy("standard"),))


def timed(plan: SweepPlan, games: int) -> float:
    """Play a sweep with a store; return games per second, without compiling."""
    plan.experiment.settings[0].play_deals(1, np.arange(2520))
    with tempfile.TemporaryDirectory() as folder, Store(Path(folder), plan.experiment) as store:
        started = time.monotonic()
        result = sweep(plan, games, How(store=store))
        seconds = time.monotonic() - started
    return plan.size * result.provenance.games / seconds


def many(settings: int, games: int) -> None:
    """Compare many settings with one of as many games in all."""
    together = plan_of(f"early_take=0:{(settings // 10 - 1) / 100}:0.01", "shed=0:0.9:0.1")
    one = plan_of("early_take=0")
    rates = [(timed(one, settings * games), timed(together, games)) for _ in range(2)]
    single, several = (max(rate[place] for rate in rates) for place in (0, 1))
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    print(f"one setting of {settings * games:,} games: {single:,.0f} games/s")
    print(f"{together.size:,} settings of {games:,} games: {several:,.0f} games/s, ratio {several / single:.2f}")
    print(f"peak memory of this process: {peak:.0f} MB")


def dask(games: int) -> None:
    """Compare two worker processes with two threads."""
    plan = plan_of("early_take=0:4", "shed=0:1:0.5")
    sweep(plan, 1)
    started = time.monotonic()
    threads = sweep(plan, games, How(threads=2))
    on_threads = time.monotonic() - started
    with cluster_as_workers("local:2") as workers:
        sweep(plan, 100_000, How(workers=workers))
        started = time.monotonic()
        processes = sweep(plan, games, How(workers=workers))
        on_dask = time.monotonic() - started
    same = as_csv(threads.settings) == as_csv(processes.settings)
    total = plan.size * threads.provenance.games
    print(f"2 threads: {total / on_threads:,.0f} games/s; --dask local:2: {total / on_dask:,.0f} games/s")
    print(f"speed ratio {on_threads / on_dask:.2f}; tables byte-identical: {same}, files: {len(sweep_files(threads))}")


if __name__ == "__main__":
    kind, *numbers = sys.argv[1:] or ["many"]
    if kind == "many":
        many(*(list(map(int, numbers)) or [1000, 20_000]))
    else:
        dask(*(list(map(int, numbers)) or [1_000_000]))
