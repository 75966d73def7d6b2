"""How fast: one table and one JSON object, from interleaved runs.

    python -m benchmarks.speed [--yardstick DIR] [--repeats 7] [--games 151200] [--json FILE]

Contenders take turns, so that whatever else the machine does hits all of them; ratios are medians over rounds. DIR has
the prototype's `c4_rich.py` and `core4.cpp`; the latter is compiled with g++ into a temporary folder.
"""

from __future__ import annotations

import argparse
import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from simulate import Deck, Rules, Table
from simulate.blocks import DEALS_PER_BLOCK
from simulate.escalation.engine import NO_ORDERS, opening
from simulate.escalation.kernel.dealing import deck_order
from simulate.escalation.kernel.game import Results, play_games, working_memory
from simulate.escalation.plain.reference import HeuristicPlayer, play
from simulate.escalation.settings.comparison import Comparison
from simulate.escalation.state import TELEMETRY, State
from simulate.experiment import Experiment
from simulate.runner import How, run
from strategies.catalogue import named_tactics, strategy, tactic

ROOT = Path(__file__).resolve().parent.parent
SEED = 1


@dataclass(frozen=True)
class Contender:
    """Something that plays games: `play(games)` returns how many turns were taken."""

    name: str
    play: Callable[[int], int]


def ours(players: int, texts: tuple[str, ...], deck: str = "jokers3") -> Table:
    """Return a table whose last strategy fills the remaining seats, by the rules that the yardstick plays."""
    seats = [strategy(text) for text in texts]
    rules = Rules(Deck.parse(deck), players=players, draw_before_end_check=False)
    return Table(rules, tuple(seats + [seats[-1]] * (players - len(seats))))


def bare(table: Table) -> Callable[[int], int]:
    """Play with the kernel alone: everything that the interface prepares is prepared before."""

    def play_all(games: int) -> int:
        deals = np.arange(games)
        inputs = table.kernel_inputs(SEED, deals, table.seating_of(SEED, deals), opening(table.rules), NO_ORDERS)
        shape = (table.rules.players, table.rules.players, len(TELEMETRY))
        results = Results(
            np.empty((games, table.rules.players), dtype=np.int16),
            np.empty(games, dtype=np.int16),
            np.zeros(shape, dtype=np.int64),
            np.empty((0, table.rules.deck.size), dtype=np.int16),
        )
        play_games(*inputs, working_memory(table.rules.deck.size), results)
        return int(results.turns.sum())

    return play_all


def through_the_interface(table: Table, threads: int) -> Callable[[int], int]:
    """Play through the public interface: blocks, counts and all."""

    def play_all(games: int) -> int:
        counts = run(Experiment((table,), SEED), games, How(threads=threads))[0]
        turns: np.ndarray = counts["turns_histogram"]
        return int(turns @ np.arange(len(turns)))

    return play_all


def yardsticks(folder: Path, scratch: Path, players: int) -> list[Contender]:
    """Return the prototype's numba kernel and, where g++ is at hand, its C++ twin."""
    sys.path.insert(0, str(folder))
    library = scratch / "yardstick.so"
    command = ["g++", "-O3", "-march=native", "-shared", "-fPIC", "-o", str(library), str(folder / "core4.cpp")]
    if not library.exists():
        subprocess.run(command, check=True)
    os.environ["CPP2LIB"] = str(library)
    import c4_rich  # type: ignore[import-not-found]  # noqa: PLC0415
    import cpp4  # type: ignore[import-not-found]  # noqa: PLC0415

    weights = np.tile(c4_rich.BASE, (players, 1))

    def turns_of(module: Any) -> Callable[[int], int]:
        return lambda games: int(module.run(weights, SEED, 0, games)[24])

    return [Contender("yardstick numba", turns_of(c4_rich)), Contender("yardstick C++", turns_of(cpp4))]


def race(contenders: list[Contender], games: int, repeats: int) -> dict[str, list[tuple[float, int]]]:
    """Let contenders take turns; return seconds and turns of every run."""
    runs: dict[str, list[tuple[float, int]]] = {contender.name: [] for contender in contenders}
    for contender in contenders:
        contender.play(DEALS_PER_BLOCK)
    for _ in range(repeats):
        for contender in contenders:
            begin = time.perf_counter()
            turns = contender.play(games)
            runs[contender.name].append((time.perf_counter() - begin, turns))
    return runs


def nanoseconds_per_turn(runs: list[tuple[float, int]]) -> list[float]:
    """Return the time per turn of every run."""
    return [seconds / turns * 1e9 for seconds, turns in runs]


def rows_of(players: int, runs: dict[str, list[tuple[float, int]]], games: int) -> list[dict[str, Any]]:
    """Return one row per contender, with its ratio to the yardstick if that raced, else to the default table."""
    measure = "yardstick numba" if "yardstick numba" in runs else "interface, reserve 0"
    reference = nanoseconds_per_turn(runs[measure])
    rows = []
    for name, of_contender in runs.items():
        own = nanoseconds_per_turn(of_contender)
        rows.append(
            {
                "players": players,
                "contender": name,
                "games_per_second": round(games / statistics.median(seconds for seconds, _ in of_contender)),
                "nanoseconds_per_turn": round(statistics.median(own), 1),
                "speed_against": measure,
                "speed": round(statistics.median(r / o for r, o in zip(reference, own, strict=True)), 3),
            }
        )
    return rows


def kernel_rows(arguments: argparse.Namespace, scratch: Path) -> list[dict[str, Any]]:
    """Race the kernel and the interface at 2, 4 and 6 players."""
    plain, counter = "standard,reserve=0", "standard,reserve=0,count_cards=0.1"
    rows = []
    for players in (2, 4, 6):
        contenders = [
            Contender("bare kernel, reserve 0", bare(ours(players, (plain,)))),
            Contender("interface, reserve 0", through_the_interface(ours(players, (plain,)), 1)),
            Contender("interface, two threads", through_the_interface(ours(players, (plain,)), 2)),
            Contender("interface, standard", through_the_interface(ours(players, ("standard",)), 1)),
            Contender("interface, one counter", through_the_interface(ours(players, (counter, plain)), 1)),
            Contender("interface, all count", through_the_interface(ours(players, (counter,)), 1)),
            Contender("interface, descending", through_the_interface(ours(players, (plain,), "descending"), 1)),
        ]
        if arguments.yardstick:
            contenders += yardsticks(arguments.yardstick, scratch, players)
        rows += rows_of(players, race(contenders, arguments.games, arguments.repeats), arguments.games)
    return rows


def reference_rate(games: int = 60) -> float:
    """Return the games per second of the slow engine at four players."""
    table = ours(4, ("standard,reserve=0",))
    players = [HeuristicPlayer(seat) for seat in table.seats]
    begin = time.perf_counter()
    for deal in range(games):
        state = State.dealt(table.rules, deck_order(table.rules.deck, SEED, deal))
        play(table.rules, players, state, table.noise_key(SEED, deal))
    return games / (time.perf_counter() - begin)


def tactic_row(name: str, games: int) -> dict[str, Any]:
    """Measure what a paired question costs and what it gains over independent games, for one named tactic."""
    known, base = tactic(name), strategy("standard")
    off = known.absent(base)
    on = base if base[known.dose] > 0 else known.present(off, known.dose_range[1] / 2)
    question = Experiment((Comparison(Rules(), off, on),), SEED)
    single = Experiment((Table(Rules(), (off,) * 4, "given"),), SEED)
    for experiment in (question, single):
        run(experiment, DEALS_PER_BLOCK, How(threads=1))
    seconds, alone = [], []
    for _ in range(5):
        begin = time.perf_counter()
        counts = run(question, games, How(threads=1))[0]
        middle = time.perf_counter()
        run(single, games, How(threads=1))
        seconds.append(middle - begin)
        alone.append(time.perf_counter() - middle)
    unit = (len(counts["win_differences"]) - 1) // 2
    values = (np.arange(2 * unit + 1) - unit) / unit
    weights = counts["win_differences"] / games
    paired = float(weights @ values**2 - (weights @ values) ** 2)
    # Two independent games differ by twice the variance of a win share, here that of one in four.
    reduction = 2 * 0.25 * 0.75 / paired
    changed = float(counts["changed_games"].sum()) / games / 4
    return {
        "tactic": name,
        "share_of_games_changed": round(changed, 4),
        "asked_for_at_most": round(1.6 + 4 * changed, 2),
        "games_time_per_deal": round(statistics.median(s / a for s, a in zip(seconds, alone, strict=True)), 2),
        "variance_reduction_per_deal": round(reduction, 1),
        "effective_games_per_second": round(2 * games / statistics.median(seconds) * reduction),
    }


def start_up(scratch: Path) -> dict[str, float]:
    """Time the command: help, a first run ever, and a warm one."""
    environment = {**os.environ, "NUMBA_CACHE_DIR": str(scratch / "cache")}
    commands = {
        "help": ["--help"],
        "first simulate ever": ["simulate", "--games", "100k", "--quiet"],
        "warm simulate": ["simulate", "--games", "100k", "--quiet"],
    }
    seconds = {}
    for name, words in commands.items():
        begin = time.perf_counter()
        subprocess.run([sys.executable, str(ROOT / "cli.py"), *words], env=environment, check=True, capture_output=True)
        seconds[name] = round(time.perf_counter() - begin, 2)
    return seconds


def show(title: str, rows: list[dict[str, Any]]) -> None:
    """Print rows as a table."""
    print(f"\n{title}")
    names = list(rows[0])
    widths = [max(len(str(row[name])) for row in [*rows, dict(zip(names, names, strict=True))]) for name in names]
    for row in [dict(zip(names, names, strict=True)), *rows]:
        print("  ".join(str(row[name]).ljust(width) for name, width in zip(names, widths, strict=True)))


def main() -> None:
    """Run all parts and print them."""
    parser = argparse.ArgumentParser(description="Measure speed; see the top of the file.")
    parser.add_argument("--yardstick", type=lambda text: Path(text).resolve())
    parser.add_argument("--repeats", type=int, default=7)
    parser.add_argument("--games", type=int, default=30 * DEALS_PER_BLOCK)
    parser.add_argument("--json", type=Path)
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        scratch = Path(folder)
        kernel = kernel_rows(arguments, scratch)
        tactics = [tactic_row(name, arguments.games) for name in named_tactics()]
        starts = start_up(scratch)
    slow = reference_rate()
    fast = next(r["games_per_second"] for r in kernel if (r["players"], r["contender"]) == (4, "interface, reserve 0"))
    show("Playing", kernel)
    show("Paired questions", tactics)
    show("Start-up, seconds", [starts])
    print(f"\nReference engine: {slow:.0f} games/s at four players; the interface is {fast / slow:.0f} times as fast.")
    if arguments.json:
        everything = {"playing": kernel, "tactics": tactics, "start_up": starts, "reference_games_per_second": slow}
        arguments.json.write_text(json.dumps(everything, indent=2) + "\n")


if __name__ == "__main__":
    main()
