"""The commands that tell the game: exact, trace, strategies, tactics, rules."""

from __future__ import annotations

import json
from typing import Any

import pytest

from simulate.escalation.rules import PRESETS, RULINGS
from strategies.catalogue import named_strategies, named_tactics
from strategies.parameters import PARAMETERS
from tests.command_line import check_mistake, run

TINY = "--deck 1-4x1 --hand-size 2 --players 2 --seat minimal"
COMMANDS = ["exact", "trace", "strategies", "tactics", "rules"]


def run_well(command: str) -> str:
    result = run(command)
    assert result.exit_code == 0, result.output
    return result.stdout


def json_of(command: str) -> dict[str, Any]:
    """Standard output must be one JSON object and nothing else."""
    data: dict[str, Any] = json.loads(run_well(command))
    return data


@pytest.mark.parametrize("command", COMMANDS)
def test_the_example_in_the_help_works_as_printed(command: str) -> None:
    words = " ".join(run_well(f"{command} --help").split())
    example = words.split("Example: escalation ")[1].split(" Options:")[0]
    assert example.startswith(command)
    assert run_well(example)


def test_exact_shows_the_fractions_and_the_agreement() -> None:
    # Worked out by hand for each of the six first hands; see the vector V1.
    told = run_well(f"exact {TINY}")
    assert "2/3 = 0.666667" in told
    assert "7/6 = 1.166667" in told
    assert told.endswith("reference and kernel agree\n")


def test_exact_takes_rulings_and_wilds() -> None:
    data = json_of(
        "exact --deck 1-4x1,Wx1,Px1 --hand-size 2 --players 2 --seat minimal --seat shedder --wild-max 2 "
        "--rule lead_pass=true --rule wild_only_sets=false --json"
    )
    assert data["rules"]["wild_max"] == 2
    assert (data["rules"]["lead_pass"], data["rules"]["wild_only_sets"]) == (True, False)
    assert data["strategies"] == ["minimal", "shedder"]
    assert data["agree"] is True


def test_exact_in_json_has_both_engines() -> None:
    data = json_of(f"exact {TINY} --json")
    assert data["results"]["kernel"] == data["results"]["reference"]
    assert [score["fraction"] for score in data["results"]["kernel"]["scores"]] == ["2/3", "7/6"]


def test_exact_may_ask_one_engine() -> None:
    data = json_of(f"exact {TINY} --engine kernel --json")
    assert (list(data["results"]), data["agree"]) == (["kernel"], None)


def test_trace_tells_a_deal() -> None:
    told = run_well("trace --seed 1 --deal 123 --players 3 --seat standard --seat hoarder --seat minimal")
    assert told.startswith("Deal 123 of seed 1: 3 players, seating every\n")
    # Deal 123 of three players: 123 is a multiple of 3, so seat 0 leads.
    assert "Turn 1: position 0 (seat 0, standard)" in told
    assert told.endswith("The fast engine plays the same game, move by move.\n")
    assert max(map(len, told.splitlines())) <= 80


def test_trace_rotates_the_starter_with_the_deal() -> None:
    assert "Turn 1: position 0 (seat 1, hoarder)" in run_well(
        "trace --deal 1 --players 2 --seat minimal --seat hoarder"
    )


def test_trace_is_brief_on_request() -> None:
    brief = run_well("trace --deal 5 --players 2 --brief")
    assert "shed" not in brief
    assert "goes out" in brief


def test_trace_in_json_is_the_whole_log() -> None:
    data = json_of("trace --seed 2 --deal 7 --players 3 --match --seat novice --deck even --rule lead_pass=true --json")
    assert (data["seed"], data["deal"], data["match"]) == (2, 7, True)
    assert data["engines_agree"] is True
    assert data["rules"]["deck"] == "1-13x4,Wx2,Px2"
    # The second game of a match: everybody brings the score of the first one, and somebody has lost that.
    assert sum(position["carried"] for position in data["positions"]) > 0


def test_a_trace_is_the_same_twice() -> None:
    command = "trace --seed 3 --deal 11 --players 4 --seat novice --seating rotate"
    assert run_well(command) == run_well(command)
    assert run_well(command) != run_well(command.replace("11", "12"))


@pytest.mark.parametrize(
    ("command", "names"),
    [
        ("strategies", [*named_strategies(), *(known.name for known in PARAMETERS)]),
        ("tactics", [*named_tactics()]),
        ("rules", [*PRESETS, *RULINGS]),
    ],
)
def test_a_listing_names_everything(command: str, names: list[str]) -> None:
    told = run_well(command)
    assert all(name in told for name in names)
    assert set(json_of(f"{command} --json"))


def test_the_json_listings_have_their_keys() -> None:
    assert set(json_of("strategies --json")) == {"strategies", "parameters"}
    assert set(json_of("tactics --json")) == {"tactics"}
    assert set(json_of("rules --json")) == {"decks", "assumption", "rulings", "fixed_rulings"}


@pytest.mark.parametrize(
    ("command", "message"),
    [
        ("exact", "at most 2,000,000"),
        ("exact --deck 1-10x1 --hand-size 2 --players 2", "3,628,800 distinct orderings"),
        (f"exact {TINY} --seat random", "'random' has noise"),
        ("exact --deck 1-4x1 --hand-size 3 --players 2 --seat minimal", "too few for 2 players with 3 cards each"),
        (f"exact {TINY} --hand-size 0", "0 is not allowed: 1 to 10"),
        (f"exact {TINY} --wild-max 8", "8 is not allowed: 1 to 7"),
        ("exact --deck 1-4y1", "malformed"),
        (f"exact {TINY} --engine fast", "fast"),
        ("trace --deal -1", "--deal -1 is not allowed: 0 to"),
        ("trace --deal many", "--deal 'many' is not a whole number"),
        ("trace --seed -1", "--seed -1 is not allowed"),
        ("trace --players 1", "--players 1 is not allowed: 2 to 9"),
        ("trace --seat standrad", "did you mean 'standard'"),
        ("trace --seat standard,early_tak=1", "did you mean 'early_take'"),
        ("trace --seat standard,noise=nan", "noise=nan is not allowed"),
        ("trace --seat standard,noise=2", "from 0 to 1"),
        ("trace --players 2 --seat minimal --seat minimal --seat minimal", "3 times for 2 players"),
        ("trace --deck joker3", "did you mean 'jokers3'"),
        ("trace --rule lead_pas=true", "did you mean 'lead_pass'"),
        ("trace --rule lead_pass=maybe", "NAME=true"),
        ("trace --match --seating given", "seating must be every or rotate"),
        ("strategies --jsno", "--json"),
        ("ruels", "did you mean 'rules'"),
    ],
)
def test_a_mistake_is_one_line_and_exit_2(command: str, message: str) -> None:
    check_mistake(command, message)
