"""What surrounds a run - its environment, its terminal, other packages, memory - stops it in one line or not at all."""

from __future__ import annotations

import os
import sqlite3
import subprocess
import sys
from pathlib import Path

import pytest

import cli
from reports.output import terminal
from simulate import Experiment, Rules, Table
from simulate.store import Store
from strategies.catalogue import strategy
from strategies.errors import InputError
from tests.command_line import check_mistake, run

ROOT = Path(cli.__file__).parent


@pytest.mark.parametrize("text", ["0", "-1", "two", "1.5"])
def test_a_number_of_threads_that_numba_cannot_take_is_told(monkeypatch, text: str):
    monkeypatch.setenv("NUMBA_NUM_THREADS", text)
    check_mistake("tactics", f"the environment variable NUMBA_NUM_THREADS is '{text}': a whole number from 1 up")


def test_a_date_that_is_none_is_told(monkeypatch):
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "abc")
    check_mistake("rules", "the environment variable SOURCE_DATE_EPOCH is 'abc': a whole number from 0 up")
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "0")
    assert run("rules").exit_code == 0


def in_python(code: str, *options: str, **environment: str) -> subprocess.CompletedProcess[str]:
    known, line = {**os.environ, "PYTHONPATH": str(ROOT), **environment}, [sys.executable, "-P", *options, "-c", code]
    return subprocess.run(line, env=known, capture_output=True, text=True, check=False)


def test_without_docstrings_there_is_no_empty_help():
    told = in_python("import cli; cli.main(['simulate', '--help'])", "-OO")
    assert (told.returncode, told.stdout) == (2, "")
    assert told.stderr.startswith("Error: Python leaves out docstrings")
    assert told.stderr.count("\n") == 1


@pytest.mark.parametrize("name", ["strategies", "simulate", "reports"])
def test_a_foreign_package_of_the_same_name_is_named(tmp_path: Path, name: str):
    (tmp_path / f"{name}.py").write_text("x = 1")
    told = in_python("import cli", PYTHONPATH=f"{tmp_path}{os.pathsep}{ROOT}")
    assert told.returncode == 1
    assert told.stderr.startswith(f"Error: the toolkit's package '{name}' is hidden by {tmp_path / name}.py: rename")
    assert told.stderr.count("\n") == 1


def test_a_python_without_sqlite_is_told():
    told = in_python("import sys; sys.modules['_sqlite3'] = None; import cli; cli.main(['simulate', '--games', '1'])")
    assert told.returncode == 1
    assert told.stderr.startswith("Error: a library cannot be loaded: ")
    assert "_sqlite3" in told.stderr
    assert told.stderr.count("\n") == 1


def test_too_little_memory_is_told(monkeypatch):
    monkeypatch.setattr(cli.main.commands["tactics"], "callback", lambda **_: bytearray(1 << 62))
    told = run("tactics")
    assert told.exit_code == 1
    assert told.stderr == "Error: there is not enough memory: try fewer --threads or fewer settings\n"


@pytest.mark.parametrize(
    ("line", "cursor", "printed"),
    [
        ("escalation simulat --pl", 2, ""),
        ("escalation quickly simulat --pl", 3, ""),
        ("escalation simulate --pl", 2, "plain,--players"),
        ("escalation quickly simulate --pl", 3, "plain,--players"),
    ],
)
def test_completion_after_a_mistake_is_silent(line: str, cursor: int, printed: str):
    shell = {"_ESCALATION_COMPLETE": "bash_complete", "COMP_WORDS": line, "COMP_CWORD": str(cursor)}
    told = in_python("import cli; cli.main()", **shell)
    assert (told.returncode, told.stdout.strip(), told.stderr) == (0, printed, "")


@pytest.mark.parametrize(("columns", "width"), [("0", 80), ("3", 80), ("20", 20), ("132", 132)])
def test_a_terminal_that_does_not_know_its_width_has_the_usual_one(monkeypatch, columns: str, width: int):
    monkeypatch.setenv("COLUMNS", columns)
    monkeypatch.setenv("FORCE_COLOR", "1")  # which counts as a terminal
    assert terminal._console(stderr=False).width == width


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("SQLITE_IOERR_LOCK", "on a file system without locks"),
        ("SQLITE_PROTOCOL", "on a file system without locks"),
        ("SQLITE_IOERR_WRITE", "the disk may be full"),
        ("SQLITE_READONLY_DBMOVED", "cannot be written"),
        ("SQLITE_BUSY", "in use by another process"),
        ("SQLITE_CORRUPT", "is damaged"),
    ],
)
def test_trouble_with_a_store_is_said_as_what_it_is(tmp_path: Path, name: str, said: str):
    table = Table(Rules(players=2), (strategy("standard"),) * 2)
    error = sqlite3.OperationalError("trouble")
    error.sqlite_errorname = name
    with Store(tmp_path, Experiment((table,), 1)) as store, pytest.raises(InputError, match=said), store._told():
        raise error
