"""Kill a sweep with SIGKILL at random moments, resume it each time, and compare its tables with an undisturbed run.

    python benchmarks/kills.py [kills]

Reads the progress that the run reports; no block may be missing after a kill that had been reported done.
"""

from __future__ import annotations

import random
import signal
import sqlite3
import subprocess
import sys
import tempfile
import time
from contextlib import closing
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
DEALS_PER_BLOCK = 5040
PROGRAM = """
import sys
from pathlib import Path
from reports.files import sweep_files
from reports.folder import open_store, write_folder
from reports.sweep import SweepPlan, read_variation, sweep
from simulate import Rules
from strategies.catalogue import strategy

folder, games = Path(sys.argv[1]), int(sys.argv[2])
plan = SweepPlan((read_variation("early_take=0:9"), read_variation("shed=0:3")), (2,), Rules(), (strategy("standard"),))
def told(progress):
    print(progress.games, flush=True)
with open_store(folder, plan.experiment, plan.provenance(games)) as store:
    result = sweep(plan, games, store=store, on_progress=told)
    write_folder(folder, result.provenance, sweep_files(result))
"""


def start(folder: Path, games: int) -> subprocess.Popen[str]:
    """Start the sweep into a folder."""
    line = [sys.executable, "-c", PROGRAM, str(folder), str(games)]
    return subprocess.Popen(line, cwd=ROOT, stdout=subprocess.PIPE, text=True)


def blocks_in(folder: Path) -> int:
    """Return how many blocks are stored, reading as any program would."""
    path = folder / "blocks.sqlite"
    if not path.exists():
        return 0
    with closing(sqlite3.connect(path)) as file:
        tables = file.execute("SELECT count(*) FROM sqlite_master WHERE name = 'blocks'").fetchone()[0]
        return int(file.execute("SELECT count(*) FROM blocks").fetchone()[0]) if tables else 0


def main(kills: int, games: int = 100_000) -> None:
    """Kill so many times, then compare."""
    generator = random.Random(7)
    with tempfile.TemporaryDirectory() as scratch:
        straight, killed = Path(scratch) / "straight", Path(scratch) / "killed"
        straight.mkdir()
        killed.mkdir()
        # The first run compiles the engine; only the second one shows when playing begins.
        start(straight, games).communicate()
        for path in straight.iterdir():
            path.unlink()
        started = time.monotonic()
        process = start(straight, games)
        process.stdout.readline()
        ready = time.monotonic() - started
        process.communicate()
        playing = time.monotonic() - started - ready
        told = lost = done = 0
        while done < kills:
            process = start(killed, games)
            # From the moment before the first block is stored until well into playing, wherever the last kill left it.
            time.sleep(generator.uniform(0.7 * ready, ready + playing / 10))
            process.send_signal(signal.SIGKILL)
            lines = process.communicate()[0].split()
            told = max(told, *(int(line) // DEALS_PER_BLOCK for line in lines if line.isdecimal()), 0, 0)
            lost += blocks_in(killed) < told
            done += process.returncode == -signal.SIGKILL
            if process.returncode == 0:
                print(f"the run ended after {done} kills; starting over")
                for path in killed.iterdir():
                    path.unlink()
                told = 0
        stored = blocks_in(killed)
        start(killed, games).communicate()
        names = sorted(path.name for path in straight.iterdir() if path.suffix != ".sqlite")
        same = all((straight / name).read_bytes() == (killed / name).read_bytes() for name in names)
        print(f"{kills} kills; blocks stored at the last one: {stored}; kills that lost a reported block: {lost}")
        print(f"{len(names)} files byte-identical to the undisturbed run: {same}")
        sys.exit(0 if same and not lost else 1)


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 30)
