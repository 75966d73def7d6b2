"""The parameters as one place of truth: each says what it is, and bounds hold at both ends."""

from __future__ import annotations

import math

import numpy as np
import pytest

from strategies import heuristic
from strategies.errors import InputError
from strategies.parameters import (
    CARD,
    CERTAINTY,
    PARAMETER_NAMES,
    PARAMETERS,
    PLAYER_RECORD,
    Parameter,
    parameter,
)

NAMES = [
    "overshoot",
    "shed",
    "wild_hold",
    "wild_seven_jump",
    "split_set",
    "high_hold",
    "reserve",
    "pass_hoard",
    "early_take",
    "early_take_limit",
    "endgame_take",
    "standing",
    "lead_total",
    "lead_shed",
    "endgame_shed",
    "danger_shed",
    "finish",
    "pressure",
    "early_aggression",
    "count_cards",
    "noise",
]

every_parameter = pytest.mark.parametrize("known", PARAMETERS, ids=lambda known: known.name)


def test_there_are_these_parameters_and_no_others() -> None:
    assert list(PARAMETER_NAMES) == NAMES


def test_a_player_record_has_a_whole_number_for_each() -> None:
    assert PLAYER_RECORD.names == PARAMETER_NAMES
    assert all(PLAYER_RECORD[name] == np.int64 for name in PARAMETER_NAMES)


@every_parameter
def test_a_parameter_says_what_it_is_in_one_line(known: Parameter) -> None:
    for text in (known.unit, known.meaning, known.enters):
        assert text == text.strip() != ""
        assert "\n" not in text


@every_parameter
def test_the_term_names_its_parameter(known: Parameter) -> None:
    explained_elsewhere = {"count_cards", "noise"}
    assert known.name in known.enters or known.name in explained_elsewhere


@pytest.mark.parametrize(
    ("unit", "bounds"),
    [
        ("cards", (-1e6, 1e6)),
        ("cards/card", (-256, 256)),
        ("cards/point", (-256, 256)),
        ("cards/wild", (-256, 256)),
        ("cards/(point x card)", (-4, 4)),
        ("share", (0, 1)),
        ("probability", (0, 1)),
    ],
)
def test_the_bounds_follow_from_the_unit(unit: str, bounds: tuple[float, float]) -> None:
    of_unit = [known for known in PARAMETERS if known.unit == unit]
    assert of_unit
    assert all((known.lower, known.upper) == bounds for known in of_unit)


@every_parameter
def test_zero_and_both_bounds_are_allowed(known: Parameter) -> None:
    assert [known.check(value) for value in (0, known.lower, known.upper)] == [0, known.lower, known.upper]


@every_parameter
def test_what_is_out_of_bounds_is_refused_with_what_is_allowed(known: Parameter) -> None:
    beyond = [math.nextafter(known.lower, -math.inf), math.nextafter(known.upper, math.inf)]
    for value in [*beyond, math.inf, -math.inf, math.nan, 10**400, -(10**5000)]:
        with pytest.raises(InputError, match=f"{known.name}=.* is not allowed: .* from .* to "):
            known.check(value)


@every_parameter
def test_the_bounds_are_whole_steps(known: Parameter) -> None:
    for value in (known.lower, known.upper, 0.0):
        assert known.quantise(value) == value * known.steps


def test_values_are_rounded_to_the_nearest_step() -> None:
    assert parameter("shed").quantise(1.0) == CARD == 65_536
    assert parameter("shed").quantise(0.4 / CARD) == 0
    assert parameter("shed").quantise(-0.6 / CARD) == -1
    assert parameter("noise").quantise(0.5) == CERTAINTY // 2 == 2**31


def test_only_the_unfinished_parameter_is_experimental() -> None:
    assert [known.name for known in PARAMETERS if known.experimental] == ["count_cards"]


def test_an_unknown_parameter_is_refused_with_the_nearest_name() -> None:
    with pytest.raises(
        InputError, match=r"unknown parameter 'early_tak': did you mean 'early_take'.*allowed: overshoot"
    ):
        parameter("early_tak")
    with pytest.raises(InputError, match="unknown parameter 'zzzzzz': allowed: overshoot"):
        parameter("zzzzzz")


def test_the_small_pile_is_the_one_that_the_docs_speak_of() -> None:
    assert f"at most {heuristic.SMALL_PILE} cards" in parameter("early_aggression").enters
