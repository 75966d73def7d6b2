"""The command line as a user meets it: what works as printed, what is refused in one line, what goes where."""

from __future__ import annotations

import json
import os
import re
import shlex
import signal
import subprocess
import sys
import time
import tomllib
from pathlib import Path

import pandas as pd
import pytest

import cli
from simulate import KERNEL_VERSION
from tests.command_line import check_help, check_mistake, run

ROOT = Path(cli.__file__).parent
COMMANDS = sorted(cli.main.commands)


def fresh_python(code: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=False)


def test_help_loads_nothing_heavy():
    code = (
        "import sys, contextlib, io\nimport cli\n"
        "for arguments in (['--help'], ['simulate', '--help'], ['sweep', '--help']):\n"
        "    with contextlib.suppress(SystemExit), contextlib.redirect_stdout(io.StringIO()):\n"
        "        cli.main(arguments)\n"
        "heavy = {'numba', 'numpy', 'pandas', 'matplotlib', 'scipy', 'rich'} & set(sys.modules)\n"
        "sys.exit(', '.join(heavy) or 0)"
    )
    done = fresh_python(code)
    assert done.returncode == 0, done.stderr


def test_the_version_names_the_kernel_version():
    result = run("--version")
    assert result.exit_code == 0
    assert f"kernel version {KERNEL_VERSION}" in result.output


def test_without_a_command_there_is_help():
    assert run("").exit_code == 0
    assert run("").stdout == run("--help").stdout


@pytest.mark.parametrize("name", COMMANDS)
def test_help_explains_every_option_in_words_and_ends_with_an_example(name: str):
    check_help([name], cli.main.commands[name])


@pytest.mark.parametrize("name", COMMANDS)
def test_every_command_has_an_example_that_can_be_read(name: str):
    command = cli.main.commands[name]
    program, used, *arguments = shlex.split(command.example)
    assert (program, used) == ("escalation", name)
    command.make_context(name, arguments).close()


@pytest.mark.parametrize("name", ["simulate", "sweep"])
def test_the_examples_work_as_printed(name: str, tmp_path: Path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    # All but the number of games, for the sake of time.
    result = run([*shlex.split(cli.main.commands[name].example)[1:], "--games", "1"])
    assert result.exit_code == 0, result.stderr
    if name == "sweep":
        rows = pd.read_csv("out/first/settings.csv")
        assert len(rows) == 7 * 5 * 3
        assert {path.suffix for path in Path("out/first").iterdir()} == {".sqlite", ".toml", ".csv", ".svg", ".png"}


# --- What works ----------------------------------------------------------------------------------------------------


def test_simulate_tells_the_plan_on_one_stream_and_the_results_on_the_other():
    result = run("simulate --players 3 --seat standard --seat hoarder --games 1 --seed 42")
    assert result.exit_code == 0, result.stderr
    for word in ("5,040 games", "3 players", "hoarder (x2)", "copies per value are an assumption", "Seed: 42"):
        assert word in result.stderr
    for word in ("standard", "hoarder", "wins per 100 games", "score", "willing takes", "planned number of games"):
        assert word in result.stdout


def test_quiet_prints_results_only():
    result = run("simulate --games 1 --quiet")
    assert "wins per 100 games" in result.stdout
    assert result.stderr == ""


@pytest.mark.parametrize("line", ["simulate --games 1 --quiet", "sweep shed=1 --games 1 --quiet"])
def test_results_say_what_they_rest_on(line: str):
    *_, deck, seed = run(line).stdout.splitlines()
    assert "copies per value are an assumption" in deck
    assert re.fullmatch(r"Seed: 1; experiment [0-9a-f]{16}, kernel version \d+", seed)


@pytest.mark.parametrize(
    "line",
    [
        "simulate --players 2 --seat standard --seat novice --games 1 --json",
        "sweep shed=0,1 --players 2-3 --games 1 --json",
        "sweep shed=0,1 --players 2 --games 1 --who all --match --json --quiet",
    ],
)
def test_json_is_one_object_and_nothing_else(line: str):
    result = run(line)
    assert result.exit_code == 0, result.stderr
    data = json.loads(result.stdout)
    assert {"question", "digest", "seed", "games_per_setting", "deck", "kernel_version", "spec"} <= set(data)
    assert data["games_per_setting"] == 5040


def test_json_and_csv_and_folder_tell_the_same_numbers(tmp_path: Path):
    out, csv = tmp_path / "out", tmp_path / "numbers.csv"
    line = "simulate --players 2 --seat standard --seat minimal --games 1 --json"
    result = run([*shlex.split(line), "--out", str(out), "--csv", str(csv)])
    data = json.loads(result.stdout)
    numbers = pd.read_csv(csv)
    assert list(numbers.columns) == [
        "strategy", "seats", "games", "measure", "unit", "estimate", "low", "high", "level",
    ]  # fmt: skip
    assert (out / "numbers.csv").read_bytes() == csv.read_bytes()
    for told in data["strategies"]:
        row = numbers.query("strategy == @told['strategy'] and measure == 'score'").iloc[0]
        assert (row["estimate"], row["low"], row["high"]) == pytest.approx(
            (told["score"]["estimate"], told["score"]["low"], told["score"]["high"])
        )
        assert row["level"] == told["score"]["level"] == 0.95
    assert tomllib.loads((out / "experiment.toml").read_text())["digest"] == data["digest"]


def test_the_same_seed_gives_the_same_numbers_on_any_threads():
    one, three, other = (
        run(f"simulate --players 2 --seat standard --seat random --games 10k --json {more}").stdout
        for more in ("--threads 1", "--threads 3", "--seed 2")
    )
    assert one == three
    assert json.loads(one)["strategies"] != json.loads(other)["strategies"]


def test_rules_reach_the_game():
    line = "simulate --players 3 --deck 1-9x4,Wx1,Px3 --hand-size 4 --wild-max 5 --rule lead_pass=true --games 1 --json"
    data = json.loads(run(line).stdout)
    rules = data["spec"]["rules"]
    assert (rules["deck"], rules["hand_size"], rules["wild_max"]) == ("1-9x4,Wx1,Px3", 4, 5)
    assert rules["lead_pass"] is True
    assert "lead_pass" in data["rules"]


@pytest.mark.parametrize(
    ("text", "games"), [("1", 1), ("5040", 5040), ("200k", 200_000), ("2M", 2_000_000), ("1e6", 10**6), ("1.5k", 1500)]
)
def test_sizes_are_read_as_people_write_them(text: str, games: int):
    assert cli.Size().convert(text, None, None) == games


def test_a_sweep_may_be_repeated_into_its_folder_but_no_other(tmp_path: Path):
    line = ["sweep", "shed=0,1", "--players", "2", "--games", "1", "--out", str(tmp_path / "out")]
    first = run(line)
    assert first.exit_code == 0, first.stderr
    files = {path.name: path.read_bytes() for path in (tmp_path / "out").iterdir()}
    assert run(line).exit_code == 0
    assert {path.name: path.read_bytes() for path in (tmp_path / "out").iterdir()} == files
    other = run([*line, "--seed", "2"])
    assert other.exit_code == 2
    assert "new or an empty folder" in other.stderr


def test_a_match_is_announced_and_its_intervals_are_explained():
    for line in ("simulate --players 2 --games 1 --match", "sweep shed=0,1 --players 2 --games 1 --match"):
        result = run(line)
        assert "standing of the match" in result.stderr
        assert "games of a match depend on each other" in result.stdout


def test_a_dry_run_is_told_as_json_too():
    told = json.loads(run("sweep shed=0,1 --players 2 --games 1 --dry-run --json").stdout)
    assert told["settings"] == 2
    assert told["estimated_seconds"] > 0


def test_a_dry_run_leaves_everything_as_it_was(tmp_path: Path):
    out, spec, line = tmp_path / "out", tmp_path / "spec.toml", "sweep shed=0,1 --players 2 --games 1 --quiet"
    assert run(f"{line} --dry-run --out {out} --force-new").exit_code == 0
    assert list(tmp_path.iterdir()) == []
    assert run(f"{line} --out {out}").exit_code == 0
    before = {path: (path.read_bytes(), path.stat().st_mtime_ns) for path in out.iterdir()}
    assert run(f"{line} --dry-run --out {out} --force-new --save-spec {spec}").exit_code == 0
    assert {path: (path.read_bytes(), path.stat().st_mtime_ns) for path in out.iterdir()} == before
    # What is asked for by name is written; a folder that would be refused is told.
    assert {path.name for path in tmp_path.iterdir()} == {"out", "spec.toml"}
    assert tomllib.loads(spec.read_text())["spec"]["vary"] == {"shed": [0.0, 1.0]}
    check_mistake(f"{line} --dry-run --seed 2 --out {out}", "seed is 1 there and 2 here")


def test_who_never_won_may_still_win_one_day():
    # The deck's first player lays his only card and is out; whoever never starts never wins.
    result = run(
        "simulate --players 2 --deck 1x2 --hand-size 1 --seat random --seat standard --seating given --games 1"
    )
    assert "at most 0.08" in result.stdout
    assert "at least 99.92" in result.stdout


def test_characters_that_the_output_lacks_are_replaced():
    line = [sys.executable, "cli.py", "simulate", "--players", "2", "--games", "1", "--quiet"]
    done = subprocess.run(
        line, cwd=ROOT, env={**os.environ, "PYTHONIOENCODING": "ascii"}, capture_output=True, text=True, check=True
    )
    assert " +- " in done.stdout


def test_control_characters_are_shown_and_never_sent(tmp_path: Path):
    name = "red\x1b[31m"
    result = run(["simulate", "--games", "1", "--csv", str(tmp_path / name)])
    assert result.exit_code == 0
    refused = run(["simulate", "--csv", str(tmp_path / "none" / name)]), run(["simulate", f"--{name}"]), run([name])
    for text in (result.stderr, *(mistake.stderr for mistake in refused)):
        assert "red\\x1b[31m" in text
        assert "\x1b" not in text


def test_the_command_that_asks_again_can_be_typed(tmp_path: Path):
    saved = tmp_path / "my question $1.toml"
    result = run(["simulate", "--games", "1", "--save-spec", str(saved)])
    _, _, command = next(line for line in result.stderr.splitlines() if str(saved) in line).rpartition(": ")
    assert shlex.split(command) == ["escalation", "run", str(saved)]


# --- What is refused -----------------------------------------------------------------------------------------------

MISTAKES = [
    ("simulat", "did you mean 'simulate'"),
    ("simulate --gmaes 5", "--games"),
    ("simulate surplus", "surplus"),
    ("simulate --players 1", "2 to 9"),
    ("simulate --players 10", "2 to 9"),
    ("simulate --players 4-2", "2 to 9"),
    ("simulate --players nan", "2 to 9"),
    ("simulate --games 0", "from 1 to 1e12"),
    ("simulate --games=-5", "from 1 to 1e12"),
    ("simulate --games nan", "from 1 to 1e12"),
    ("simulate --games 1e999999999", "from 1 to 1e12"),
    ("simulate --games 0.5", "from 1 to 1e12"),
    ("simulate --games many", "from 1 to 1e12"),
    ("simulate --games k", "from 1 to 1e12"),
    ("simulate --threads 0", "1 to 1024"),
    ("simulate --seed -1", "0 to"),
    ("simulate --hand-size 0", "1 to 10"),
    ("simulate --hand-size 11", "1 to 10"),
    ("simulate --wild-max 8", "1 to 7"),
    ("simulate --players 9 --hand-size 7", "at least 63"),
    ("simulate --deck 1-12x4,13", "malformed"),
    ("simulate --deck 1-14x4", "from 1 to 13"),
    ("simulate --deck 1x11", "0 to 10"),
    ("simulate --deck joker3", "did you mean 'jokers3'"),
    ("simulate --seat standrd", "did you mean 'standard'"),
    ("simulate --seat standard,early_tak=1", "did you mean 'early_take'"),
    ("simulate --seat standard,noise=2", "from 0 to 1"),
    ("simulate --seat standard,noise=nan", "from 0 to 1"),
    ("simulate --seat standard,noise", "parameter=value"),
    ("simulate --players 2 --seat random --seat random --seat random", "at most once per player"),
    ("simulate --seating roatte", "rotate"),
    ("simulate --seating given --match", "must be every or rotate"),
    ("simulate --seating shuffle", "every"),
    ("simulate --rule lead_pas=true", "did you mean 'lead_pass'"),
    ("simulate --rule lead_pass=maybe", "NAME=true"),
    ("simulate --rule lead_pass=true --rule lead_pass=false", "twice"),
    ("sweep", "needs a parameter to vary"),
    ("sweep early_take=0:6:0", "other than 0"),
    ("sweep early_take=0:1000000:0.001", "at most 100,000"),
    ("sweep early_take=0:999 pass_hoard=0:999 shed=0:255", "at most 100,000"),
    ("sweep early_take=0:6 early_take=7", "given twice"),
    ("sweep shed=1 --metric scoer", "did you mean 'score'"),
    ("sweep rule.lead_pas=true", "did you mean 'rule.lead_pass'"),
    ("sweep shed=0:1 --design sobol --points 100", "64 or 128"),
    ("sweep shed=0:1 --points 64", "--points is for designs"),
    ("sweep shed=0:1 players=2:3 --players 3", "players is given twice"),
    ("sweep shed=0:1 --points-file points.csv", "no NAME=VALUES"),
    ("sweep --points-file missing.csv", "cannot be read"),
    ("sweep shed=0:1 noise=0:1 --design saltelli --points 64 --games 5k", "20,160 or more"),
    ("sweep early_take=0:9999 noise=0:1:0.001", "10,010,000 settings: at most 100,000"),
    ("sweep shed=0:1 --find best --compare", "exclude each other"),
    ("sweep deck=even,one-wild --compare", "first seat only"),
    ("sweep shed=0:1 --rate 0.1", "--rate goes with"),
    ("sweep shed=0:1 --parquet", "--parquet needs --out"),
    ("sweep shed=0:1 --force-new", "--force-new needs --out"),
    ("sweep shed=0:1 --dask local:0", "local:1 to"),
    ("sweep shed=0:1 --dask nowhere", "malformed"),
    ("sweep shed=0:1 --dask local:1 --threads 1", "exclude each other"),
    ("run missing.toml", "cannot be read"),
    ("run missing.toml --csv missing.toml", "--csv 'missing.toml' is the file that is read"),
    ("sweep --points-file points.csv --save-spec ./points.csv", "is the file that is read"),
    ("ask shed=1 --plan --csv same --save-spec same", "--csv and --save-spec are one file"),
    ("quickly simulate --out out --csv out/blocks.sqlite", "collides with --out"),
    ("sweep early_tak=0:6", "did you mean 'early_take'"),
    ("sweep noise=0:2", "from 0 to 1"),
    ("sweep noise=0:1:1e-999999999", "other than 0"),
    ("sweep noise=0:1:1e999999999", "other than 0"),
    ("sweep noise=nan", "from 0 to 1"),
    ("sweep shed=1 --players 1", "within 2-9"),
    ("sweep shed=1 --players 10", "within 2-9"),
    ("sweep shed=1 --players 4-2", "write 2-4"),
    ("sweep shed=1 --games 0", "from 1 to 1e12"),
    ("sweep shed=1 --players 2-9 --hand-size 10", "at least 90"),
    ("sweep shed=1 --who everybody", "focal"),
    ("sweep shed=1 --out /dev/null/out", "cannot be written"),
    ("simulate --out /dev/null", "cannot be written"),
    ("simulate --csv /dev/null/numbers.csv", "cannot be written"),
    ("simulate --csv /dev/stdout", "cannot be written"),
    ("simulate --csv -", "give a path"),
    ("simulate --out ''", "give a path"),
    ("simulate --players ''", "2 to 9"),
]


@pytest.mark.parametrize(("line", "allowed"), MISTAKES, ids=[line for line, _ in MISTAKES])
def test_a_mistake_costs_one_line(line: str, allowed: str):
    check_mistake(line, allowed)


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="there is no device that is always full")
def test_a_full_disk_costs_one_line():
    usual = {name: value for name, value in os.environ.items() if name != "PYTHONUNBUFFERED"}
    for line in (
        "rules",
        "simulate --players 2 --games 1 --quiet",
        "simulate --players 2 --games 1 --quiet --json",
        "sweep shed=0 --players 2 --games 1 --quiet --json --dry-run",
    ):
        with open("/dev/full", "w") as full:
            done = subprocess.run(
                [sys.executable, "cli.py", *shlex.split(line)],
                cwd=ROOT, stdout=full, stderr=subprocess.PIPE, text=True, check=False, env=usual,
            )  # fmt: skip
        assert done.returncode == 1
        assert done.stderr == "Error: the results cannot be written: no space left on device\n"


@pytest.mark.parametrize(
    ("trouble", "told"),
    [
        (OSError("libsomething.so: cannot open shared object file"), "libsomething.so: cannot open shared object file"),
        (EOFError("Ran out of input"), "a file ends too soon: Ran out of input"),
    ],
)
def test_trouble_is_not_taken_for_something_else(monkeypatch: pytest.MonkeyPatch, trouble, told):
    def fail(**_options):
        raise trouble

    monkeypatch.setattr(cli.main.commands["rules"], "callback", fail)
    done = run("rules")
    assert (done.exit_code, done.stderr.strip()) == (1, f"Error: {told}")


@pytest.mark.skipif(os.name == "nt", reason="signals work differently there")
@pytest.mark.parametrize("option", ["--players", "--seed", "--games", "--threads", "--dask", "--deck", "--seat"])
def test_a_mistake_that_is_long_is_told_shortly(option: str):
    told = run(["simulate", option, "9" * 5000])
    assert told.exit_code == 2
    assert told.stderr.startswith("Error: ")
    assert told.stderr.count("\n") == 1
    assert len(told.stderr) < 1100


def test_control_c_finishes_what_is_under_way_and_the_next_run_goes_on(tmp_path: Path):
    out = tmp_path / "out"
    line = ["sweep", "shed=0:2:0.1", "--players", "2", "--out", str(out)]
    far = [sys.executable, "cli.py", *line, "--games", "1e9"]
    with subprocess.Popen(far, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        while process.poll() is None and not (out / "blocks.sqlite").exists():
            time.sleep(0.05)
        time.sleep(2)
        process.send_signal(signal.SIGINT)
        stdout, stderr = process.communicate(timeout=120)
    assert process.returncode == 130
    assert "Traceback" not in stderr
    assert "the same command goes on from here" in stderr
    assert stdout.startswith("players")
    played = pd.read_csv(out / "settings.csv")
    assert {path.name for path in out.iterdir()} == {"blocks.sqlite", "experiment.toml", "settings.csv"}
    # What was played is what a run that ends by itself plays, and it is not played again.
    again = run([*line, "--games", "5040"])
    assert again.exit_code == 0, again.stderr
    assert "are not played again" in again.stderr
    assert run([*line[:-1], str(tmp_path / "other"), "--games", "5040"]).stdout == again.stdout
    assert (played["games"] % 5040 == 0).all()
