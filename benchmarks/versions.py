"""Whether a change costs speed: this checkout against another one, on the same games, in turns.

    python -m benchmarks.versions CHECKOUT [--pairs 20] [--games 75600]

Each version plays in a process of its own, and the two take turns for every contender of `benchmarks.speed`, so that
whatever else the machine does hits both. After every second pair both processes are started anew, since a process may
be slower than another from start to end. Printed are the median of new speed over old for each contender, and its
interval from the order statistics; a contender has lost nothing worth noticing if the interval reaches 0.97.
"""

from __future__ import annotations

import argparse
import importlib
import math
import os
import statistics
import subprocess
import sys
import time
from collections.abc import Callable
from contextlib import ExitStack
from pathlib import Path
from statistics import NormalDist

ROOT = Path(__file__).resolve().parent.parent
PAIRS_PER_PROCESS = 2
LEVEL = 0.95
TO_REACH = 0.97
PLAIN, COUNTER = "standard,reserve=0", "standard,reserve=0,count_cards=0.1"


def contenders() -> dict[str, Callable[[int], int]]:
    """Return what plays, by name, from the checkout that this process stands in: `play(games)` returns the turns."""
    speed = importlib.import_module("benchmarks.speed")
    found: dict[str, Callable[[int], int]] = {}
    for players in (2, 4, 6):
        plain = speed.ours(players, (PLAIN,))
        found |= {
            f"{players} bare kernel": speed.bare(plain),
            f"{players} interface": speed.through_the_interface(plain, 1),
            f"{players} two threads": speed.through_the_interface(plain, 2),
            f"{players} standard": speed.through_the_interface(speed.ours(players, ("standard",)), 1),
            f"{players} one counter": speed.through_the_interface(speed.ours(players, (COUNTER, PLAIN)), 1),
            f"{players} all count": speed.through_the_interface(speed.ours(players, (COUNTER,)), 1),
            f"{players} descending": speed.through_the_interface(speed.ours(players, (PLAIN,), "descending"), 1),
        }
    return found


def serve(games: int) -> None:
    """Play what is asked for on standard input, and answer with the nanoseconds per turn."""
    known = contenders()
    for play in known.values():
        play(1)
    print(*known, sep="\t", flush=True)
    for line in sys.stdin:
        begin = time.perf_counter()
        turns = known[line.strip()](games)
        print((time.perf_counter() - begin) / turns * 1e9, flush=True)


class Version:
    """A process that plays from one checkout; a context manager."""

    def __init__(self, checkout: Path, games: int) -> None:
        command = [sys.executable, str(Path(__file__).resolve()), "--serve", "--games", str(games)]
        environment = {**os.environ, "PYTHONPATH": str(checkout)}
        self.process = subprocess.Popen(
            command, cwd=checkout, env=environment, text=True, stdin=subprocess.PIPE, stdout=subprocess.PIPE
        )
        self.names = self._answer().split("\t")

    def __enter__(self) -> Version:
        """Return the version."""
        return self

    def __exit__(self, *error: object) -> None:
        """End the process."""
        self.process.kill()
        self.process.wait()

    def _answer(self) -> str:
        assert self.process.stdout is not None
        return self.process.stdout.readline().strip()

    def time(self, name: str) -> float:
        """Return the nanoseconds per turn of a contender, played now."""
        assert self.process.stdin is not None
        self.process.stdin.write(name + "\n")
        self.process.stdin.flush()
        return float(self._answer())


def median_with_bounds(values: list[float]) -> tuple[float, float, float]:
    """Return the median, and the order statistics between which the true one lies with probability LEVEL."""
    ordered, number = sorted(values), len(values)
    reach = NormalDist().inv_cdf((1 + LEVEL) / 2) * math.sqrt(number) / 2
    low = max(0, math.floor(number / 2 - reach))
    return statistics.median(ordered), ordered[low], ordered[number - 1 - low]


def main() -> None:
    """Race the two versions and print a row per contender."""
    parser = argparse.ArgumentParser(description="Compare the speed of two checkouts; see the top of the file.")
    parser.add_argument("checkout", type=Path, nargs="?")
    parser.add_argument("--pairs", type=int, default=20)
    parser.add_argument("--games", type=int, default=15 * 5040)
    parser.add_argument("--serve", action="store_true", help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    if arguments.serve:
        serve(arguments.games)
        return
    ratios: dict[str, list[float]] = {}
    for _ in range(0, arguments.pairs, PAIRS_PER_PROCESS):
        with ExitStack() as stack:
            old, new = (
                stack.enter_context(Version(checkout, arguments.games)) for checkout in (arguments.checkout, ROOT)
            )
            for turn in range(PAIRS_PER_PROCESS):
                for name in new.names:
                    # Who goes first changes, too.
                    first, second = (old, new) if turn % 2 else (new, old)
                    times = {id(first): first.time(name), id(second): second.time(name)}
                    ratios.setdefault(name, []).append(times[id(old)] / times[id(new)])
    for name, values in ratios.items():
        middle, low, high = median_with_bounds(values)
        verdict = "" if high >= TO_REACH else f"  slower: does not reach {TO_REACH}"
        print(f"{name:16} {middle:.3f} ({low:.3f} to {high:.3f}){verdict}")


if __name__ == "__main__":
    main()
