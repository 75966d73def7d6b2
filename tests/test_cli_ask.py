"""`escalation ask` as a user meets it."""

from __future__ import annotations

import json
import os
import shlex
import signal
import subprocess
import sys
import time
import tomllib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pandas as pd
import pytest

import cli
from tests.command_line import check_mistake, run

ROOT = Path(cli.__file__).parent


def test_the_first_line_is_the_answer_and_the_table_follows():
    result = run("ask pass_hoard=0 --players 2 --quiet")
    assert result.exit_code == 0
    assert result.stderr == ""
    first, second, *_ = result.stdout.splitlines()
    assert first.startswith("No. pass_hoard=0 for standard, with 2 players, costs ")
    assert second.split()[:2] == ["table", "measured"]


def test_several_tables_have_their_reasons_in_a_row_each():
    lines = run("ask pass_hoard=0 --players 2-3 --max-games 5040 --quiet").stdout.splitlines()
    place = next(place for place, line in enumerate(lines) if line.startswith("why "))
    assert [line[:9] for line in lines[place + 1 : place + 3]] == ["2 players", "3 players"]
    assert run("ask pass_hoard=0 --players 2-3 --max-games 5040 --metric match --quiet").exit_code == 0


def test_json_is_one_object_and_nothing_else():
    result = run("ask pass_hoard=0 --players 2-3 --json --alpha 0.1")
    data = json.loads(result.stdout)
    assert data["answer"] == "bad"
    assert [table["players"] for table in data["tables"]] == [2, 3]
    worth = data["tables"][0]["worth"]["wins_per_100"]
    assert worth["low"] < worth["estimate"] < worth["high"] < 0
    assert worth["level"] == pytest.approx(0.95)
    assert data["spec"]["alpha"] == 0.1


def test_everything_goes_into_the_output_folder(tmp_path: Path):
    out = tmp_path / "out"
    result = run(f"ask pass_hoard=0,3.7,9 --players 2 --max-games 5040 --out {out} --csv {tmp_path / 'own.csv'}")
    assert result.exit_code == 0, result.output
    frame = pd.read_csv(out / "answer.csv")
    assert frame["measured"].tolist() == ["pass_hoard=0", "pass_hoard=9"]
    assert (tmp_path / "own.csv").read_bytes() == (out / "answer.csv").read_bytes()
    assert (out / "experiment.toml").exists()
    page = (out / "report.html").read_text(encoding="utf-8")
    assert "pass_hoard is best " in page
    assert (out / "curve.svg").exists()


def test_a_tactic_has_its_page_with_the_doses_that_were_tried(tmp_path: Path):
    line = f"ask wild-hoarding --players 2 --max-games 5040 --out {tmp_path / 'out'}"
    result = run(line)
    assert result.exit_code == 0, result.output
    page = (tmp_path / "out" / "report.html").read_text(encoding="utf-8")
    assert result.stdout.splitlines()[0] in page
    doses = pd.read_csv(tmp_path / "out" / "doses.csv")
    assert doses["dose"].tolist() == [0.5, 1, 1.5, 2, 2.5, 3, 3.5, 4]
    files = results_in(tmp_path / "out")
    assert run(line).exit_code == 0
    assert results_in(tmp_path / "out") == files


def results_in(folder: Path) -> dict[str, bytes]:
    """Return the files of an output folder, but for the stores of finished blocks."""
    return {path.name: path.read_bytes() for path in folder.iterdir() if path.is_file() and path.suffix != ".sqlite"}


SLOW = "ask wild-hoarding --players 2 --precision 0.0002 --max-games 40k"
"""A few seconds of playing, in several parts."""


@contextmanager
def asked_elsewhere(line: str, out: Path) -> Iterator[subprocess.Popen[str]]:
    """Ask in a process of its own, and wait until it has begun to play."""
    command = [sys.executable, "cli.py", *shlex.split(line), "--out", str(out)]
    with subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        while process.poll() is None and not (out / "parts").exists():
            time.sleep(0.02)
        yield process


@pytest.mark.skipif(os.name == "nt", reason="signals work differently there")
def test_a_question_that_is_interrupted_and_killed_gives_the_same_bytes(tmp_path: Path):
    whole, broken = tmp_path / "whole", tmp_path / "broken"
    assert run(f"{SLOW} --out {whole} --quiet").exit_code == 0
    with asked_elsewhere(SLOW, broken) as process:
        process.send_signal(signal.SIGINT)
        stdout, stderr = process.communicate(timeout=120)
    assert process.returncode == 130
    assert stdout == ""
    assert stderr.splitlines()[-1] == "Stopped before the end: the same command goes on from here."
    assert "Traceback" not in stderr
    with asked_elsewhere(SLOW, broken) as process:
        time.sleep(0.7)
        process.kill()
    assert process.returncode == -signal.SIGKILL
    assert set(results_in(broken)) == {"experiment.toml"}
    again = run(f"{SLOW} --out {broken} --quiet")
    assert again.exit_code == 0, again.stderr
    assert results_in(broken) == results_in(whole)


@pytest.mark.skipif(os.name == "nt", reason="signals work differently there")
def test_a_second_process_in_the_folder_is_refused(tmp_path: Path):
    with asked_elsewhere(SLOW, tmp_path) as process:
        check_mistake(f"{SLOW} --out {tmp_path} --quiet", "in use by another process")
        process.kill()


def test_another_question_needs_another_folder_or_the_earlier_one_moved_aside(tmp_path: Path):
    out = tmp_path / "out"
    line = f"ask pass_hoard=0 --players 2 --max-games 5040 --quiet --out {out}"
    assert run(line).exit_code == 0
    check_mistake(
        line.replace("pass_hoard=0", "pass_hoard=1"), "spec.asked is pass_hoard=0 there and pass_hoard=1 here"
    )
    before = results_in(out)
    assert run(line.replace("pass_hoard=0", "pass_hoard=1") + " --force-new").exit_code == 0
    assert results_in(tmp_path / "out.old-1") == before


def test_a_saved_question_is_asked_again_with_the_same_answer(tmp_path: Path):
    spec, first, second = tmp_path / "question.toml", tmp_path / "first", tmp_path / "second"
    line = "ask pass_hoard=0 --players 2-3 --field novice --max-games 10k --alpha 0.1 --quiet"
    told = run(f"{line} --save-spec {spec} --out {first}")
    again = run(f"run {spec} --out {second} --quiet")
    assert again.exit_code == 0, again.stderr
    assert again.stdout == told.stdout
    assert results_in(second) == results_in(first)
    assert spec.read_bytes() == results_in(first)["experiment.toml"]
    fewer = json.loads(run(f"run {spec} --games 5040 --json").stdout)
    assert fewer["spec"]["most_deals"] == 5040
    check_mistake(f"run {spec} --dry-run", "--dry-run is not for a question about a tactic")


def test_another_guarantee_is_another_answer_from_the_same_blocks(tmp_path: Path):
    out, fresh = tmp_path / "out", tmp_path / "fresh"
    line = "ask pass_hoard=0 --players 2 --max-games 10k --quiet"
    assert run(f"{line} --out {out}").exit_code == 0
    for folder in (out, fresh):
        assert run(f"{line} --alpha 0.01 --margin 0.02 --precision 0.01 --out {folder}").exit_code == 0
    assert results_in(out) == results_in(fresh)
    assert tomllib.loads((out / "experiment.toml").read_text())["spec"]["alpha"] == 0.01


def test_a_plan_says_how_much_shows_an_effect():
    few, many = (
        json.loads(run(f"ask pass_hoard=0 --players 2 --plan --effect {effect} --json").stdout)["plans"][0]
        for effect in (0.02, 0.01)
    )
    # Half the effect takes four times as many deals, give or take what the grid of stakes makes of it.
    assert 3 < many["deals"] / few["deals"] < 5
    assert many["games"] == 2 * many["deals"]
    text = run("ask wild-hoarding --players 2-3 --plan --quiet").stdout.splitlines()
    assert [line.partition(":")[0] for line in text] == ["With 2 players", "With 3 players"]
    assert "show an effect of 0.5 wins per 100 games in 80% of runs" in text[0]


MISTAKES = [
    ("ask pass-hoarding --force-new", "--force-new needs --out"),
    ("ask pass-hoarding --effect 0.1", "--effect goes with --plan"),
    ("ask pass-hoarding --plan --effect 0", "effect 0 is not allowed"),
    ("ask pass_hoard=1:3 --plan", "has several values"),
    ("ask pass-hoarding --plan --dask local:2 --threads 1", "--threads and --dask exclude each other"),
    ("ask pass_hoard=1:3 --everywhere", "has several values"),
    ("simulate --seat standard --until-better 95", "two strategies, not 1"),
    ("simulate --seat standard --seat novice --until-better 40", "more than 50 and less than 100"),
    ("ask pas-hoarding", "did you mean 'pass-hoarding'"),
    ("ask pass_hoard=3.7", "changes nothing"),
    ("ask pass_hoard=3.7,3.70", "given twice"),
    ("ask pass-hoarding --alpha 0.51", "alpha 0.51 is not allowed: 1e-12 to 0.5"),
    ("ask pass-hoarding --alpha 1e-300", "alpha 1e-300 is not allowed: 1e-12 to 0.5"),
    ("quickly ask own-early --alpha nan", "alpha nan is not allowed: 1e-12 to 0.5"),
    ("ask pass-hoarding --margin 0.001 --precision 0.01", "is wider than margin"),
    ("ask pass-hoarding --margin -1", "margin -1 is not allowed"),
    ("ask pass-hoarding --max-games many", "--max-games 'many'"),
    ("ask pass-hoarding --base standrd", "did you mean 'standard'"),
    ("ask pass-hoarding --field standard --field standard", "given twice"),
    ("ask pass-hoarding --players 10", "within 2-9"),
]


@pytest.mark.parametrize(("line", "allowed"), MISTAKES, ids=[line for line, _ in MISTAKES])
def test_a_mistake_costs_one_line(line: str, allowed: str):
    check_mistake(line, allowed)
