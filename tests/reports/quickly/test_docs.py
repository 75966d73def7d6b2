"""The page on That Escalated Quickly: its numbers are what its commands print, and it names every key."""

from __future__ import annotations

import json
import re
import shlex
from pathlib import Path

import pytest
from click.testing import CliRunner

import cli

PAGE = (Path(cli.__file__).parent / "docs" / "quickly.md").read_text(encoding="utf-8")
NAMED = set(re.findall(r"`([a-z0-9_]+)`", PAGE))
RESULTS = dict(re.findall(r"^\| `([^`]+)` \| (.*) \|$", PAGE, flags=re.MULTILINE))


def output(line: str) -> str:
    result = CliRunner().invoke(cli.main, ["quickly", *shlex.split(line)])
    assert result.exit_code == 0, result.stderr
    return result.stdout


@pytest.mark.parametrize(
    ("command", "numbers"),
    [
        ("simulate --players 5 --sigma 1.5 --games 20k", ["24.7 ± 0.6", "35.8 ± 0.3"]),
        ("exact --players 5 --sigma 1.5", ["0.358762", "0.248929", "4.007699", "1/120"]),
        ("fit --players 5 --good 7 --bad 4", ["0.87", "0.50 to 1.68"]),
        ("ask planned-mistake --players 8 --sigma 1.5", ["47.9", "47.3 to 48.5", "28.3", "76.3"]),
        ("ask answer-relative --players 5", ["35.8", "35.3 to 36.3"]),
        ("ask talk=1:4 --players 5", ["13.1", "17.7", "19.9", "19.5 to 20.4"]),
    ],
)
def test_what_the_page_says_is_what_the_command_prints(command, numbers):
    told, printed = RESULTS[command], output(f"{command} {'--quiet' if command.startswith(('sim', 'ask')) else ''}")
    for number in numbers:
        assert number in told
    for number in re.findall(r"\d+\.\d+", " ".join(numbers)):
        # The page may round further than the command.
        decimals = len(number.partition(".")[2])
        found = {f"{float(text):.{decimals}f}" for text in re.findall(r"\d+\.\d+", printed)}
        assert number in found


@pytest.mark.parametrize(
    "command",
    [
        "simulate --games 1 --quiet",
        "sweep sigma=1 --games 1 --quiet",
        "ask talk-it-over --max-games 5040 --quiet",
        "ask talk=1:2 --max-games 5040 --quiet",
        "balance --players 4-6 --games 1 --quiet",
        "trace",
        "exact",
        "fit --good 3 --bad 2",
    ],
)
def test_every_key_is_named(command):
    data = json.loads(output(f"{command} --json"))
    shared = re.findall(r"`([a-z_]+)`", (Path(cli.__file__).parent / "docs" / "results.md").read_text(encoding="utf-8"))
    rows = data.get("tables", []) if command.startswith("ask") else []
    keys = {*data, *data.get("numbers", {}), *(key for row in rows for key in row)}
    assert keys <= NAMED | set(shared)
