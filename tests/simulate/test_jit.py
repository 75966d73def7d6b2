"""Compiled code is kept between runs, never stale, and never where it may not be written."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from simulate.jit import ROOT, CheckedFile, kernel, kernel_sources, source_hash, trailing_zeros

PROGRAM = """
import numpy as np
from simulate import Rules, Table
from simulate.escalation.kernel.seating import fill_seating
from strategies.heuristic import pass_cost
from simulate.jit import CACHE_FOLDER, kernel

@kernel
def cost(player, out):
    out[0] = pass_cost(player[0])

from strategies.catalogue import strategy
from strategies.strategy import player_records
out = np.zeros(1, dtype=np.int64)
cost(player_records([strategy("standard")]), out)
print(CACHE_FOLDER, any(cost.stats.cache_hits.values()), out[0])
"""


@pytest.fixture
def project(tmp_path):
    """A copy of the sources, to edit, with a program that runs one small kernel."""
    copy = tmp_path / "project"
    for package in ("strategies", "simulate"):
        shutil.copytree(ROOT / package, copy / package, ignore=shutil.ignore_patterns("__pycache__"))
    (copy / "program.py").write_text(PROGRAM)
    return copy


def run_program(project: Path, **environment: str) -> list[str]:
    inherited = {k: v for k, v in os.environ.items() if k not in {"NUMBA_CACHE_DIR", "NUMBA_DISABLE_JIT"}}
    command = [sys.executable, "-B", "program.py"]
    done = subprocess.run(
        command, cwd=project, env={**inherited, **environment}, capture_output=True, text=True, check=True
    )
    return done.stdout.split()


def test_an_edited_helper_is_noticed(project, tmp_path):
    home = {"XDG_CACHE_HOME": str(tmp_path / "home")}
    first, compiled, cost = run_program(project, **home)
    assert (compiled, int(cost)) == ("False", round(3.7 * 65536))
    assert run_program(project, **home) == [first, "True", cost]
    helper = project / "strategies" / "heuristic.py"
    text = helper.read_text()
    edited = text.replace('return player["pass_hoard"]', 'return player["pass_hoard"] + 1')
    assert edited != text
    helper.write_text(edited)
    second, compiled, new_cost = run_program(project, **home)
    assert (compiled, int(new_cost)) == ("False", int(cost) + 1)
    assert second != first


def test_an_explicit_cache_folder_is_respected(project, tmp_path):
    chosen = tmp_path / "chosen"
    folder, _, _ = run_program(project, NUMBA_CACHE_DIR=str(chosen), XDG_CACHE_HOME=str(tmp_path / "home"))
    assert Path(folder).parent == chosen
    assert list(chosen.rglob("*.nbi"))
    assert not (tmp_path / "home").exists()


def test_where_nothing_can_be_written_it_compiles_and_keeps_nothing(project, tmp_path):
    blocked = tmp_path / "a file, not a folder"
    blocked.write_text("")
    folder, compiled, cost = run_program(project, XDG_CACHE_HOME=str(blocked / "home"))
    assert (folder, compiled, int(cost)) == ("None", "False", round(3.7 * 65536))
    assert not list(project.rglob("*.nbi"))


def test_damaged_compiled_code_counts_as_not_there(project, tmp_path):
    home = {"XDG_CACHE_HOME": str(tmp_path / "home")}
    folder, _, cost = run_program(project, **home)
    for suffix in ("nbi", "nbc"):
        files = list(Path(folder).rglob(f"*.{suffix}"))
        assert files
        for path in files:
            content = path.read_bytes()
            path.write_bytes(content[:-9] + b"\xff" + content[-8:])
        assert run_program(project, **home) == [folder, "False", cost]
    assert run_program(project, **home) == [folder, "True", cost]


@pytest.fixture
def kept(tmp_path):
    """A file of compiled code, with something in it."""
    file = CheckedFile(str(tmp_path), "kernel", "stamp")
    file.save("signature", ["code", 7])
    assert file.load("signature") == ["code", 7]
    return file


@pytest.mark.parametrize("suffix", ["nbi", "1.nbc", "nbi.sha256", "1.nbc.sha256"])
@pytest.mark.parametrize(
    "damage",
    [
        lambda content: b"",
        lambda content: content[: len(content) // 2],
        lambda content: bytes([content[0] ^ 1]) + content[1:],
        lambda content: b"nothing of the kind",
        lambda content: content + b"\0",
    ],
)
def test_what_fails_its_checksum_is_made_anew(kept, tmp_path, suffix, damage):
    path = tmp_path / f"kernel.{suffix}"
    path.write_bytes(damage(path.read_bytes()))
    assert kept.load("signature") is None
    kept.save("signature", ["code", 8])
    assert kept.load("signature") == ["code", 8]


@pytest.mark.parametrize("suffix", ["nbi", "1.nbc", "nbi.sha256"])
def test_what_can_be_neither_read_nor_written_is_done_without(kept, tmp_path, suffix):
    path = tmp_path / f"kernel.{suffix}"
    path.unlink()
    path.mkdir()
    assert kept.load("signature") is None
    kept.save("signature", ["code", 8])
    assert kept.load("signature") in (None, ["code", 8])


def test_old_caches_are_pruned(project, tmp_path):
    caches = tmp_path / "home" / "escalation-lab"
    for age in range(9):
        (caches / f"kernels-{age}").mkdir(parents=True)
        os.utime(caches / f"kernels-{age}", (1000 - age, 1000 - age))
    folder, _, _ = run_program(project, XDG_CACHE_HOME=str(tmp_path / "home"))
    assert sorted(p.name for p in caches.iterdir()) == sorted(
        [Path(folder).name, *(f"kernels-{age}" for age in range(4))]
    )


def test_bounds_are_checked_on_demand(project, tmp_path):
    (project / "program.py").write_text(
        "import numpy as np\n"
        "from simulate.jit import kernel\n"
        "@kernel\n"
        "def read(numbers, index, out):\n"
        "    out[0] = numbers[index]\n"
        "try:\n"
        "    read(np.zeros(3), np.uint64(3), np.zeros(1))\n"
        "    print('unnoticed')\n"
        "except IndexError:\n"
        "    print('noticed')\n"
    )
    checked = run_program(project, NUMBA_BOUNDSCHECK="1", XDG_CACHE_HOME=str(tmp_path))
    assert checked == ["noticed"]


def test_the_hash_covers_every_source_that_kernels_are_made_of():
    names = {path.relative_to(ROOT).as_posix() for path in kernel_sources()}
    assert {"strategies/heuristic.py", "simulate/rng.py", "simulate/escalation/kernel/game.py"} <= names
    assert source_hash() == source_hash()


@pytest.mark.parametrize("bit", [0, 1, 31, 62, 63])
def test_trailing_zeros_of_a_single_bit(bit):
    assert trailing_zeros(np.uint64(1 << bit)) == bit
    assert trailing_zeros(np.uint64((1 << bit) | (1 << 63))) == bit


@kernel
def count_zeros(words, out):
    for place in range(words.shape[0]):
        out[place] = trailing_zeros(words[place])


def test_a_word_without_bits_ends_in_64_zeros():
    words, out = np.array([0, 1, 1 << 63, 96], dtype=np.uint64), np.zeros(4, dtype=np.uint64)
    count_zeros(words, out)
    assert out.tolist() == [64, 0, 63, 5] == [int(trailing_zeros(word)) for word in words]
