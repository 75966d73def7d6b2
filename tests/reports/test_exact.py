"""The report on exact expectations: both engines, compared, as fractions and decimals."""

from __future__ import annotations

import json
from dataclasses import replace
from fractions import Fraction

import pytest

from reports.exact import ENGINES, ExactReport, exact, exact_data, exact_lines, warning
from reports.output.words import both_ways
from simulate import Deck, Rules
from simulate.runner import Progress
from strategies.catalogue import strategy
from strategies.errors import InputError

FOUR_CARDS = Rules(Deck.parse("1-4x1"), players=2, hand_size=2)
MINIMAL = [strategy("minimal")] * 2


@pytest.fixture(scope="module")
def report() -> ExactReport:
    return exact(FOUR_CARDS, MINIMAL)


def test_both_engines_are_asked_and_agree(report: ExactReport) -> None:
    assert set(report.results) == {"reference", "kernel"}
    assert report.agree


def test_the_lines_show_fractions_and_decimals(report: ExactReport) -> None:
    # Six first hands are equally likely; with them position 0 scores 2, 0, 0, 2, 0, 0 and position 1 1, 1, 1, 1, 1, 2.
    lines = list(exact_lines(report))
    assert "24 orderings of the deck, each played once" in lines
    assert [line.split() for line in lines if line.startswith(("0 ", "1 "))] == [
        ["0", "minimal", "2/3", "=", "0.666667", "2/3", "=", "0.666667"],
        ["1", "minimal", "7/6", "=", "1.166667", "1/3", "=", "0.333333"],
    ]
    assert "tie    0" in lines
    assert "turns  3" in lines
    assert lines[-1] == "reference and kernel agree"


def test_the_lines_say_what_differs_from_the_printed_rules() -> None:
    rules = replace(FOUR_CARDS, lead_pass=True, wild_max=3)
    assert "rules lead_pass = true, 2 cards in hand, wilds up to 3" in list(exact_lines(exact(rules, MINIMAL)))


def test_a_difference_is_shown_with_both_results(report: ExactReport) -> None:
    other = replace(report.results["kernel"], turns=Fraction(7, 2))
    differing = replace(report, results={**report.results, "kernel": other})
    lines = list(exact_lines(differing))
    assert not differing.agree
    assert lines[-1] == "reference and kernel DISAGREE: one of them is wrong"
    assert [line for line in lines if line.startswith("turns")] == ["turns  7/2 = 3.500000", "turns  3"]
    assert [line.split()[-1] for line in lines if "orderings" in line] == ["kernel", "reference"]
    assert exact_data(differing)["agree"] is False


@pytest.mark.parametrize("engine", ENGINES)
def test_one_engine_alone_compares_nothing_and_says_so(engine: str, report: ExactReport) -> None:
    alone = exact(FOUR_CARDS, MINIMAL, (engine,))
    assert alone.results == {engine: report.results[engine]}
    assert list(exact_lines(alone))[-1] == f"played by the {engine} alone: nothing was compared"
    assert exact_data(alone)["agree"] is None


def test_progress_is_that_of_the_slow_engine() -> None:
    told: list[Progress] = []
    exact(FOUR_CARDS, MINIMAL, on_progress=told.append)
    assert told == [Progress(24, 24)]


def test_a_long_wait_is_announced_with_the_way_around_it() -> None:
    rules = Rules(Deck.parse("1-9x1"), players=2, hand_size=2)  # 9! = 362,880 orderings, some two minutes
    assert "362,880 orderings: the reference will take about 3 min; --engine kernel" in str(
        warning(rules, list(ENGINES))
    )
    assert warning(rules, ["kernel"]) is None
    assert warning(FOUR_CARDS, list(ENGINES)) is None


def test_the_data_is_plain_and_exact(report: ExactReport) -> None:
    data = exact_data(report)
    assert json.loads(json.dumps(data, allow_nan=False)) == data
    assert (data["orderings"], data["agree"], data["strategies"]) == (24, True, ["minimal", "minimal"])
    assert data["rules"]["deck"] == "1-4x1"
    for engine in ENGINES:
        assert data["results"][engine]["scores"] == [
            {"fraction": "2/3", "decimal": 2 / 3},
            {"fraction": "7/6", "decimal": 7 / 6},
        ]
        assert data["results"][engine]["tie"] == {"fraction": "0", "decimal": 0.0}


def test_mistakes_are_told_before_anything_is_played() -> None:
    with pytest.raises(InputError, match="2,000,000"):
        exact(Rules(Deck.parse("1-10x1"), players=2, hand_size=2), MINIMAL)
    with pytest.raises(InputError, match="'random' has noise"):
        exact(FOUR_CARDS, [strategy("random")] * 2)
    with pytest.raises(InputError, match="about 3e"):
        exact(Rules(), [strategy("minimal")] * 4)


def test_whole_numbers_need_no_decimals() -> None:
    assert (both_ways(Fraction(3)), both_ways(Fraction(1, 3))) == ("3", "1/3 = 0.333333")
