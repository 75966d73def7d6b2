"""Compare the fast engine with the slow one, move by move, on as many random cases as you like.

A case is drawn from its number and the seed alone: rules, deck, players, strategies, seating, deal. For example::

    python -m benchmarks.differential --cases 200000 --seed 1
    python -m benchmarks.differential --case 4711 --seed 1

The second line plays one case again. In every case all moves, scores and counts must be the same, and scores, middle
and deck must add up to the whole deck. Exit 0 if all agree, 1 with the first case that does not.
"""

from __future__ import annotations

import argparse
import json
import random
import signal
import sys
import time
import traceback
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor
from itertools import islice
from multiprocessing import get_context
from typing import Final

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TimeElapsedColumn, TimeRemainingColumn

from simulate.escalation.engine import Table
from tests.simulate.escalation.cases import check_case, random_table

CASES_AT_A_TIME: Final = 100
SECONDS_BETWEEN_LINES: Final = 60


def drawn_case(seed: int, case: int) -> tuple[Table, int, int]:
    """Draw one case: a table, the seed of its deals and the number of the deal."""
    rng = random.Random(f"differential {seed} {case}")
    return random_table(rng), rng.randrange(1 << 62), rng.randrange(1 << 40)


def mismatch(seed: int, case: int) -> str | None:
    """Play one case on both engines; tell everything about it if they differ."""
    table, deals, deal = drawn_case(seed, case)
    try:
        check_case(table, deals, deal)
    except Exception:
        played = json.dumps({**table.spec(), "seed": deals, "deal": deal}, indent=2)
        again = f"python -m benchmarks.differential --case {case} --seed {seed}"
        return f"{traceback.format_exc()}\n{played}\n\nCase {case} differs. To play it again:\n  {again}"
    return None


def first_mismatch(seed: int, cases: range) -> str | None:
    """Play cases in order up to the first that differs."""
    return next((told for case in cases if (told := mismatch(seed, case))), None)


def _leave_interrupts_to_the_parent() -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)


def compare(seed: int, cases: int, processes: int, console: Console) -> str | None:
    """Play so many cases on some processes, showing how they come along; return what the first mismatch was."""
    mismatch(seed, 0)  # compiles, so that the processes find the compiled engine
    chunks = [range(first, min(first + CASES_AT_A_TIME, cases)) for first in range(0, cases, CASES_AT_A_TIME)]
    bar = Progress(
        BarColumn(), MofNCompleteColumn(), TimeElapsedColumn(), TimeRemainingColumn(),
        console=console, disable=not console.is_terminal,
    )  # fmt: skip
    context = get_context("spawn")
    with bar, ProcessPoolExecutor(processes, context, initializer=_leave_interrupts_to_the_parent) as executor:
        shown, said, done = bar.add_task("cases", total=cases), time.monotonic(), 0
        queue = iter(chunks)
        waiting = [executor.submit(first_mismatch, seed, chunk) for chunk in islice(queue, 4 * processes)]
        try:
            for chunk in chunks:
                if told := waiting.pop(0).result():
                    return told
                waiting += [executor.submit(first_mismatch, seed, following) for following in islice(queue, 1)]
                done += len(chunk)
                bar.update(shown, completed=done)
                if not console.is_terminal and time.monotonic() - said >= SECONDS_BETWEEN_LINES:
                    said = time.monotonic()
                    console.print(f"{done:,} of {cases:,} cases agree")
        finally:
            executor.shutdown(wait=True, cancel_futures=True)
    return None


def main(arguments: Sequence[str] | None = None) -> int:
    """Read the command line, compare, and return the exit status."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--cases", type=int, default=20_000, help="how many cases (20000)")
    parser.add_argument("--seed", type=int, default=1, help="which cases (1)")
    parser.add_argument("--processes", type=int, default=2, help="processes to play on (2)")
    parser.add_argument("--case", type=int, help="play this single case")
    wanted = parser.parse_args(arguments)
    if not __debug__:
        parser.error("python -O leaves out the comparisons: run without it")
    if wanted.cases < 1 or wanted.processes < 1:
        parser.error("--cases and --processes must be 1 or more")
    console = Console(stderr=True, highlight=False)
    started = time.monotonic()
    try:
        if wanted.case is not None:
            told = mismatch(wanted.seed, wanted.case)
        else:
            told = compare(wanted.seed, wanted.cases, wanted.processes, console)
    except KeyboardInterrupt:
        console.print("Stopped before the end.")
        return 130
    if told:
        print(told)
        return 1
    print(f"{1 if wanted.case is not None else wanted.cases:,} cases agree ({time.monotonic() - started:.0f} s)")
    return 0


if __name__ == "__main__":
    sys.exit(main())
