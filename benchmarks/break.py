"""Damage what a run rests on, again and again, and see that every outcome is right or refused.

    python -m benchmarks.break store --count 2000         # bits, bytes, sectors and pages of a store
    python -m benchmarks.break compiled --count 200       # files of compiled code
    python -m benchmarks.break questions --count 5000     # question files
    python -m benchmarks.break kills --count 16           # runs stopped by KILL, TERM, HUP and INT

Each prints how often what came of it. The exit status is 1 if anything came that should not; the seed and the number of
the trial (`--trial`) repeat it.
"""

from __future__ import annotations

import os
import random
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

import click
from click.testing import CliRunner, Result

import cli
from simulate.store import STORE_FILE

ROOT = Path(__file__).resolve().parent.parent
SECONDS = 10.0
"""No question takes longer to be refused."""
PAGE = 4096
SECTOR = 512

Outcome = str
WRONG = "WRONG: "
"""What an outcome begins with that must not be."""


def run(*words: str) -> Result:
    """Run a command in this process."""
    return CliRunner().invoke(cli.main, list(words))


def told_in_one_line(result: Result) -> bool:
    """Whether a command was refused as a user's mistake is: exit status 2, one line that begins with `Error:`."""
    errors = [line for line in result.stderr.splitlines() if line.startswith("Error: ")]
    quiet = result.exception is None or isinstance(result.exception, SystemExit)
    return result.exit_code == cli.MISTAKE and len(errors) == 1 and quiet


@contextmanager
def away() -> Iterator[Path]:
    """Provide a folder that is gone afterwards."""
    with tempfile.TemporaryDirectory() as folder:
        yield Path(folder)


def results_in(folder: Path) -> dict[str, bytes]:
    """Return the files of a result; a store may lie differently and hold the same."""
    files = (path for path in folder.rglob("*") if path.is_file() and path.suffix in {".csv", ".html", ".toml"})
    return {str(path.relative_to(folder)): path.read_bytes() for path in sorted(files)}


# --- Stores -----------------------------------------------------------------------------------------------------------


def damaged(content: bytes, rng: random.Random) -> bytes:
    """Return a file with a random bit, byte, sector or page that is another one."""
    kind, changed = rng.choice(["bit", "byte", "sector", "page", "other page", "end"]), bytearray(content)
    if kind == "bit":
        changed[rng.randrange(len(changed))] ^= 1 << rng.randrange(8)
    elif kind == "byte":
        changed[rng.randrange(len(changed))] = rng.randrange(256)
    elif kind == "end":
        del changed[rng.randrange(len(changed)) :]
    else:
        size = SECTOR if kind == "sector" else PAGE
        place = rng.randrange(max(1, len(changed) // size)) * size
        other = rng.randrange(max(1, len(changed) // size)) * size
        new = (
            bytes(changed[other : other + size])
            if kind == "other page"
            else rng.choice([bytes(size), rng.randbytes(size)])
        )
        changed[place : place + size] = new
    return bytes(changed)


class Stores:
    """A simulation's folder whose store is damaged, and the run resumed."""

    def __init__(self, folder: Path) -> None:
        self.whole, self.folder = folder / "whole", folder / "broken"
        self.line = ["simulate", "--players", "2", "--seat", "standard", "--seat", "novice", "--games", "60k", "--out"]
        result = run(*self.line, str(self.whole))
        assert result.exit_code == 0, result.output
        self.right = results_in(self.whole)

    def trial(self, rng: random.Random) -> Outcome:
        """Damage the store once and resume."""
        shutil.rmtree(self.folder, ignore_errors=True)
        shutil.copytree(self.whole, self.folder)
        for path in self.folder.glob("*.csv"):
            path.unlink()
        store = self.folder / STORE_FILE
        store.write_bytes(damaged(store.read_bytes(), rng))
        result = run(*self.line, str(self.folder))
        if result.exit_code == 0:
            again = "played again" if "damaged block" in result.stderr else "unharmed"
            return f"{again}, same bytes" if results_in(self.folder) == self.right else f"{WRONG}different bytes"
        if not told_in_one_line(result):
            return f"{WRONG}not told in one line: {result.exit_code}, {result.exception!r}, {result.stderr[-200:]}"
        result = run(*self.line, str(self.folder), "--force-new")
        if result.exit_code != 0 or results_in(self.folder) != self.right:
            return f"{WRONG}refused, and not played anew with --force-new: {result.stderr[-200:]}"
        return "refused, same bytes when played anew"


# --- Compiled code ----------------------------------------------------------------------------------------------------


class Compiled:
    """A folder of compiled code of which a file is damaged, and a run that needs it."""

    def __init__(self, folder: Path) -> None:
        self.whole, self.cache = folder / "whole", folder / "cache"
        self.right = self.printed(self.whole)
        assert self.right.startswith("strategy"), self.right

    def printed(self, cache: Path) -> str:
        """Return what a process of its own prints with that cache."""
        known = {**os.environ, "NUMBA_CACHE_DIR": str(cache)}
        line = [sys.executable, "cli.py", "simulate", "--players", "3", "--games", "1", "--quiet"]
        done = subprocess.run(line, cwd=ROOT, env=known, capture_output=True, text=True, check=False)
        return done.stdout if done.returncode == 0 else f"{done.returncode}: {done.stderr}"

    def trial(self, rng: random.Random) -> Outcome:
        """Damage one file and run twice: the second time all is whole again."""
        shutil.rmtree(self.cache, ignore_errors=True)
        shutil.copytree(self.whole, self.cache)
        path = rng.choice(sorted(path for path in self.cache.rglob("*") if path.is_file()))
        how = rng.choice(["damaged", "damaged", "empty", "gone"])
        if how == "gone":
            path.unlink()
        else:
            path.write_bytes(b"" if how == "empty" else damaged(path.read_bytes(), rng))
        for _ in range(2):
            if (printed := self.printed(self.cache)) != self.right:
                return f"{WRONG}{path.name} {how}: {printed[-300:]}"
        return f"{path.suffix} {how}: same tables"


# --- Question files ---------------------------------------------------------------------------------------------------


QUESTIONS = (
    "simulate --players 3 --seat standard --seat novice --games 1",
    "sweep early_take=0,1 rule.lead_pass=true,false --players 2-3 --games 1",
    "sweep shed=0:1 noise=0:0.5 --design sobol --points 8 --games 20k",
    "sweep shed=0,1 --compare --games 1",
    "ask pass-hoarding --players 3 --max-games 1",
    "ask early_take=3 --max-games 1",
    "quickly simulate --players 5 --games 1",
    "quickly sweep sigma=1,2 --players 4 --games 1",
    "quickly ask talk-it-over --players 5 --max-games 1",
    "balance --quick --section setting --players 2",
)
ODD = (*'[]"=\n\0\ufeffé$', "-1", "0", "1e999", "nan", "true", "{}", "9" * 400, "9" * 5000, "[" * 2000)


def mutated(text: str, rng: random.Random) -> bytes:
    """Return a question file with something wrong, or not, in one to three places."""
    for _ in range(rng.randint(1, 3)):
        lines = text.splitlines(keepends=True)
        here, there = rng.randrange(len(lines)), rng.randrange(len(lines))
        place = rng.randrange(len(text))
        kind = rng.choice(["drop line", "double line", "swap lines", "cut", "insert", "value", "value"])
        if kind == "drop line":
            del lines[here]
        elif kind == "double line":
            lines.insert(there, lines[here])
        elif kind == "swap lines":
            lines[here], lines[there] = lines[there], lines[here]
        elif kind == "value":
            lines[here] = re.sub(r"=.*", lambda _: f"= {rng.choice(ODD)}", lines[here])
        text = "".join(lines)
        if kind == "cut":
            text = text[:place] + text[place + rng.randint(1, 20) :]
        elif kind == "insert":
            text = text[:place] + rng.choice(ODD) + text[place:]
        text = text or "\n"
    return text.encode("utf-8", "surrogatepass")


class Questions:
    """Question files that are changed at random, and asked."""

    def __init__(self, folder: Path) -> None:
        self.path = folder / "question.toml"
        self.texts = []
        for number, line in enumerate(QUESTIONS):
            saved = folder / f"{number}.toml"
            result = run(*line.split(), "--save-spec", str(saved), "--quiet")
            assert result.exit_code == 0, result.output
            text = saved.read_text(encoding="utf-8")
            # Without its digest a changed question may be a right one.
            self.texts += [text, re.sub(r"(?m)^(digest|kernel_version|deck|rules|settings) = .*\n", "", text)]

    def trial(self, rng: random.Random) -> Outcome:
        """Ask a changed question; what can be asked is only announced, since it may take for ever."""
        self.path.write_bytes(mutated(rng.choice(self.texts), rng))
        started = time.monotonic()
        result = run("run", str(self.path), "--dry-run", "--quiet")
        seconds = time.monotonic() - started
        if seconds > SECONDS:
            return f"{WRONG}{seconds:.0f} seconds for {self.path.read_bytes()[:2000]!r}"
        if result.exit_code == 0:
            return "asked"
        return (
            "refused in one line"
            if told_in_one_line(result)
            else f"{WRONG}{result.exception!r}: {result.output[-300:]}"
        )


# --- Kills ------------------------------------------------------------------------------------------------------------


class Kills:
    """Commands that are stopped by a signal, and asked again."""

    LINES = (
        "exact --deck 1-3x2,Px1 --hand-size 2 --players 2 --seat minimal",
        "ask wild-hoarding --players 2-3 --precision 0.001 --max-games 50k --quiet",
        "quickly ask talk-it-over --players 5 --precision 0.001 --max-games 50k --quiet",
        "balance --quick --players 2 --section positions --section cards --quiet",
    )
    SIGNALS = (signal.SIGKILL, signal.SIGTERM, signal.SIGHUP, signal.SIGINT)

    def __init__(self, folder: Path) -> None:
        self.folder, self.turn = folder / "stopped", 0
        self.right, self.seconds = {}, {}
        for line in self.LINES:
            for _ in range(2):  # the first time the engine may have to be compiled
                shutil.rmtree(self.folder, ignore_errors=True)
                started = time.monotonic()
                printed = self.start(line).communicate()[0]
                self.seconds[line] = time.monotonic() - started
            self.right[line] = (printed, results_in(self.folder))

    def start(self, line: str) -> subprocess.Popen[str]:
        """Start a command; all but `exact` write into a folder."""
        words = [
            sys.executable,
            "cli.py",
            *line.split(),
            *([] if line.startswith("exact") else ["--out", str(self.folder)]),
        ]
        return subprocess.Popen(words, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)

    def trial(self, rng: random.Random) -> Outcome:
        """Stop a command at a random moment, then let it go on to its end."""
        line = self.LINES[self.turn % len(self.LINES)]
        sent = self.SIGNALS[self.turn // len(self.LINES) % len(self.SIGNALS)]
        self.turn += 1
        shutil.rmtree(self.folder, ignore_errors=True)
        process = self.start(line)
        time.sleep(rng.uniform(0.2, 0.95) * self.seconds[line])
        process.send_signal(sent)
        notes = process.communicate(timeout=120)[1]
        if "Traceback" in notes and sent in {signal.SIGINT, signal.SIGTERM}:
            return f"{WRONG}{sent.name} to {line}: {notes[-300:]}"
        if any(self.folder.rglob(".*.partial")) and sent == signal.SIGINT:
            return f"{WRONG}{sent.name} to {line} left halves of files"
        printed = self.start(line).communicate()[0]
        same = (printed, results_in(self.folder)) == self.right[line]
        name = line.partition(" -")[0]
        return f"{sent.name}, {name}: same bytes" if same else f"{WRONG}{sent.name} to {line}: other bytes"


# --- All of it --------------------------------------------------------------------------------------------------------


KINDS: dict[str, tuple[Callable[[Path], Stores | Compiled | Questions | Kills], int]] = {
    "store": (Stores, 2000),
    "compiled": (Compiled, 200),
    "questions": (Questions, 5000),
    "kills": (Kills, 16),
}
"""What is damaged, by its name, and how often if nothing is said."""


def outcomes(what: str, count: int, seed: int, numbers: Sequence[int] = ()) -> Counter[Outcome]:
    """Damage something so many times and count what came of it; each trial draws from a stream of its own."""
    found: Counter[Outcome] = Counter()
    with away() as folder:
        broken = KINDS[what][0](folder)
        for number in numbers or range(count):
            outcome = broken.trial(random.Random(f"{what} {seed} {number}"))
            if outcome.startswith(WRONG):
                print(f"trial {number}: {outcome}", flush=True)
                outcome = outcome.partition(":")[0]
            found[outcome] += 1
    return found


@click.command(help=__doc__)
@click.argument("what", type=click.Choice(list(KINDS)))
@click.option("--count", type=click.IntRange(1), help="How many times.")
@click.option("--seed", default=1, show_default=True, help="Of everything that is drawn.")
@click.option("--trial", "numbers", multiple=True, type=int, help="Only this one; repeat for more.")
def main(what: str, count: int | None, seed: int, numbers: tuple[int, ...]) -> None:
    """Damage something again and again."""
    started = time.monotonic()
    found = outcomes(what, count or KINDS[what][1], seed, numbers)
    for outcome, times in found.most_common():
        print(f"{times:6,}  {outcome}")
    print(f"{found.total():,} in {time.monotonic() - started:.0f} s")
    sys.exit(any(outcome.startswith(WRONG.rstrip(": ")) for outcome in found))


if __name__ == "__main__":
    main()
