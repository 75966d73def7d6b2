"""Kill a run with SIGKILL at random moments, resume it each time, and compare its files with an undisturbed run.

    python benchmarks/kills.py [kills] [sweep|ask]

The sweep reports its progress: no block may be missing after a kill that had been reported done. Neither may any block
that was stored at the kill before.
"""

from __future__ import annotations

import random
import shutil
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
SWEEP = """
import sys
from pathlib import Path
from reports.output.folder import open_store, write_folder
from reports.sweep import SweepPlan, read_variation, sweep
from reports.sweep.output import sweep_files
from simulate import Rules
from simulate.runner import How
from strategies.catalogue import strategy

folder, games = Path(sys.argv[1]), 100_000
plan = SweepPlan((read_variation("early_take=0:9"), read_variation("shed=0:3")), (2,), Rules(), (strategy("standard"),))
def told(progress):
    print(progress.games, flush=True)
with open_store(folder, plan.experiment, plan.provenance(games)) as store:
    result = sweep(plan, games, How(store=store, on_progress=told))
    write_folder(folder, result.provenance, sweep_files(result))
"""
RUNS = {
    "sweep": ["-c", SWEEP],
    "ask": [
        "cli.py", "ask", "wild-hoarding", "--players", "2-3", "--precision", "0.0005", "--max-games", "100k", "--quiet",
        "--out",
    ],
}  # fmt: skip

SHARE_PLAYED = {"sweep": 0.1, "ask": 0.4}
"""A kill comes at the latest after this share of the playing that an undisturbed run does."""


def start(what: str, folder: Path) -> subprocess.Popen[str]:
    """Start a run into a folder."""
    line = [sys.executable, *RUNS[what], str(folder)]
    return subprocess.Popen(line, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)


def blocks_in(folder: Path) -> int:
    """Return how many blocks are stored, reading as any program would."""
    found = 0
    for path in folder.rglob("blocks.sqlite"):
        with closing(sqlite3.connect(path)) as file:
            tables = file.execute("SELECT count(*) FROM sqlite_master WHERE name = 'blocks'").fetchone()[0]
            found += int(file.execute("SELECT count(*) FROM blocks").fetchone()[0]) if tables else 0
    return found


def emptied(folder: Path) -> None:
    """Start over in a folder."""
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir()


def seconds_until_playing(what: str, folder: Path) -> tuple[float, float]:
    """Run undisturbed and return how long it took until it played, and from there to the end."""
    # The first run compiles the engine; only the second one shows when playing begins.
    start(what, folder).communicate()
    emptied(folder)
    started = time.monotonic()
    process = start(what, folder)
    if what == "sweep":
        process.stdout.readline()
    while process.poll() is None and not list(folder.rglob("blocks.sqlite")):
        time.sleep(0.05)
    ready = time.monotonic() - started
    process.communicate()
    return ready, time.monotonic() - started - ready


def main(kills: int, what: str) -> None:
    """Kill so many times, then compare."""
    generator = random.Random(7)
    with tempfile.TemporaryDirectory() as scratch:
        straight, killed = Path(scratch) / "straight", Path(scratch) / "killed"
        emptied(straight)
        emptied(killed)
        ready, playing = seconds_until_playing(what, straight)
        safe = lost = done = 0
        while done < kills:
            process = start(what, killed)
            # From the moment before the first block is stored until well into playing, wherever the last kill left it.
            time.sleep(generator.uniform(0.7 * ready, ready + playing * SHARE_PLAYED[what]))
            process.send_signal(signal.SIGKILL)
            lines = process.communicate()[0].split()
            safe = max([safe, *(int(line) // DEALS_PER_BLOCK for line in lines if line.isdecimal())])
            stored = blocks_in(killed)
            lost += stored < safe
            safe = max(safe, stored)
            done += process.returncode == -signal.SIGKILL
            if process.returncode == 0:
                print(f"the run ended after {done} kills; starting over")
                emptied(killed)
                safe = 0
        start(what, killed).communicate()
        files = [path.relative_to(straight) for path in straight.rglob("*") if path.is_file()]
        names = [name for name in files if name.suffix != ".sqlite"]
        same = all((straight / name).read_bytes() == (killed / name).read_bytes() for name in names)
        print(f"{kills} kills; blocks stored at the last one: {safe}; kills that lost one of them: {lost}")
        print(f"{len(names)} files byte-identical to the undisturbed run: {same}")
        sys.exit(0 if same and not lost else 1)


if __name__ == "__main__":
    how_many, which, *_ = [*sys.argv[1:], *("30", "sweep")[len(sys.argv) - 1 :]]
    main(int(how_many), which)
