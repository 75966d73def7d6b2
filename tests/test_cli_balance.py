"""`escalation balance` as a user meets it."""

from __future__ import annotations

import json
import os
import shlex
import signal
import subprocess
import sys
import time
from pathlib import Path

import pandas as pd
import pytest
from click.testing import CliRunner, Result

import cli

ROOT = Path(cli.__file__).parent
FAST = "balance --quick --section positions --section player-count"


def run(line: str | list[str]) -> Result:
    return CliRunner().invoke(cli.main, shlex.split(line) if isinstance(line, str) else line)


def test_each_section_is_one_line_with_its_light_in_a_word(tmp_path: Path):
    result = run(f"{FAST} --players 3-4 --out {tmp_path / 'out'}")
    assert result.exit_code == 0, result.stderr
    rows = [line.strip().split(maxsplit=2) for line in result.stdout.splitlines() if line.startswith("p")]
    table = pd.read_csv(tmp_path / "out" / "findings.csv")
    words = {"good": "green", "middle": "yellow", "bad": "red"}
    assert rows == [[row.section, words[row.light], row.finding] for row in table.itertuples()]
    assert "copies per value are an assumption" in result.stdout
    assert {path.name for path in (tmp_path / "out").iterdir()} >= {
        "experiment.toml", "blocks.sqlite", "parts", "findings.csv", "report.html", "positions.csv", "positions.svg",
    }  # fmt: skip


def test_json_is_one_object_and_quiet_says_nothing_else():
    result = run(f"{FAST} --players 2 --json --quiet")
    assert result.stderr == ""
    data = json.loads(result.stdout)
    assert data["question"] == "balance"
    assert data["games_per_setting"] == 10080
    assert [one["section"] for one in data["sections"]] == ["positions", "player-count"]


def test_another_limit_gives_another_light():
    lights = []
    for limit in (0.1, 50):
        data = json.loads(run(f"{FAST} --players 4 --json --quiet --threshold position-advantage={limit}").stdout)
        lights.append(data["sections"][0]["light"])
        assert data["sections"][0]["limit"] == limit
    assert lights == ["bad", "good"]


def test_rules_players_and_seed_reach_the_game():
    line = f"{FAST} --players 2 --deck even --rule lead_pass=true --seat minimal --seed 4 --json --quiet"
    data = json.loads(run(line).stdout)
    assert (data["seed"], data["spec"]["standard"], data["spec"]["deck"]) == (4, "minimal", "1-13x4,Wx2,Px2")
    assert data["spec"]["rulings"]["lead_pass"] is True
    simulated = json.loads(
        run(
            "simulate --players 2 --deck even --rule lead_pass=true --seat minimal --seed 4 --games 10080 --json "
            "--quiet"
        ).stdout
    )
    turns = data["sections"][1]["tables"]["player_count"][0]["game_turns"]
    assert turns == simulated["whole_games"]["game_turns"]["estimate"]


def test_a_saved_question_is_asked_again_in_the_same_folder(tmp_path: Path):
    spec, out = tmp_path / "question.toml", tmp_path / "out"
    first = run(f"{FAST} --players 2 --quiet --save-spec {spec} --out {out} --threshold shared-wins=3")
    files = {path.name: path.read_bytes() for path in out.iterdir() if path.is_file()}
    again = run(f"run {spec} --quiet --out {out}")
    assert again.stdout == first.stdout
    assert {path.name: path.read_bytes() for path in out.iterdir() if path.is_file()} == files
    other = run(f"{FAST} --players 3 --quiet --out {out}")
    assert other.exit_code == 2
    assert "--force-new" in other.stderr
    assert run(f"{FAST} --players 3 --quiet --force-new --out {out}").exit_code == 0
    assert (tmp_path / "out.old-1" / "report.html").exists()


def test_further_sections_find_what_is_played_already(tmp_path: Path):
    out = tmp_path / "out"
    run(f"balance --quick --players 2 --section positions --quiet --out {out}")
    result = run(f"balance --quick --players 2 --section positions --section setting --out {out}")
    assert result.exit_code == 0, result.stderr
    assert "games are in" in result.stderr
    assert pd.read_csv(out / "findings.csv")["section"].tolist() == ["setting", "positions"]


def test_how_long_it_takes_is_not_guessed(tmp_path: Path):
    spec = tmp_path / "question.toml"
    run(f"{FAST} --players 2 --quiet --save-spec {spec}")
    result = run(f"run {spec} --dry-run --quiet")
    assert result.exit_code == 2
    assert "see what --quick takes" in result.stderr


def test_two_games_are_put_side_by_side():
    result = run(f"{FAST} --players 2 --quiet --versus one-wild")
    assert "With one-wild instead" in result.stdout
    assert result.stdout.count("\npositions ") == 2


@pytest.mark.parametrize(
    ("line", "says"),
    [
        ("--section positons", "did you mean 'positions'"),
        ("--threshold position-advantag=2", "did you mean 'position-advantage'"),
        ("--threshold position-advantage", "NAME=NUMBER"),
        ("--threshold position-advantage=nan", "NAME=NUMBER"),
        ("--threshold shared-wins=1 --threshold shared-wins=2", "twice"),
        ("--versus evn", "did you mean 'even'"),
        ("--versus lead_pass=maybe", "malformed"),
        ("--versus jokers3", "nothing to put side by side"),
        ("--target lenght", "length"),
        ("--players 7-3", "write 3-7"),
        ("--players 2-9 --hand-size 10", "too few"),
        ("--seat standrd", "did you mean 'standard'"),
        ("--rule lead_pas=true", "did you mean 'lead_pass'"),
        ("--parquet", "--out"),
        ("--dask local:1 --threads 1", "exclude each other"),
        ("--out /dev/null", "cannot be written"),
    ],
)
def test_mistakes_are_one_line_before_anything_is_played(line: str, says: str):
    result = run(f"balance --quick {line}")
    assert result.exit_code == 2
    assert says in result.stderr
    assert [text for text in result.stderr.splitlines() if text.startswith("Error")] == [result.stderr.splitlines()[-1]]
    assert result.stdout == ""


@pytest.mark.skipif(os.name != "posix", reason="signals are sent as on POSIX")
def test_a_report_that_is_stopped_goes_on_from_there(tmp_path: Path):
    out = tmp_path / "out"
    line = [sys.executable, "cli.py", "balance", "--players", "2", "--section", "setting", "--section", "positions"]
    line += ["--threads", "1", "--out", str(out)]
    process = subprocess.Popen(line, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    store = out / "parts" / "positions" / "blocks.sqlite"
    deadline = time.monotonic() + 120
    while not store.exists() and time.monotonic() < deadline:
        time.sleep(0.05)
    process.send_signal(signal.SIGINT)
    told, notes = process.communicate(timeout=120)
    assert process.returncode == 130, notes
    assert "the same command goes on from here" in notes
    assert "setting" in told
    assert "positions " not in told
    assert b"was stopped" in (out / "report.html").read_bytes()
    again = subprocess.run(line, cwd=ROOT, capture_output=True, text=True, check=True)
    whole = run("balance --players 2 --section setting --section positions --quiet")
    assert again.stdout == whole.stdout
