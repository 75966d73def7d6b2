"""The notation `name,parameter=value,...`: what reads back, and how mistakes are told."""

from __future__ import annotations

import random
from dataclasses import replace

import numpy as np
import pytest

from strategies.catalogue import named_strategies, strategy
from strategies.errors import InputError
from strategies.parameters import PARAMETER_NAMES, PARAMETERS
from strategies.quickly import person
from strategies.strategy import Strategy, player_records, split_label


def test_a_name_is_the_named_strategy() -> None:
    assert strategy("minimal") == named_strategies()["minimal"].strategy
    assert strategy(" minimal ") == strategy("minimal")


def test_a_change_changes_that_parameter_alone() -> None:
    changed = strategy("standard,early_take=3")
    assert changed["early_take"] == 3.0
    assert changed.label == "standard,early_take=3"
    others = [name for name in PARAMETER_NAMES if name != "early_take"]
    assert [changed[name] for name in others] == [strategy("standard")[name] for name in others]


def test_spaces_and_number_formats_do_not_matter_to_the_values() -> None:
    assert strategy("standard, shed = 1e0 ,noise=.5").values == strategy("standard,shed=1,noise=0.5").values


def test_what_is_shown_reads_back_for_any_change() -> None:
    choose = random.Random(3)
    for _ in range(300):
        changed = choose.sample(PARAMETERS, choose.randint(1, 4))
        shown = strategy("standard").with_changes(
            {known.name: round(choose.uniform(known.lower, known.upper), choose.randint(0, 9)) for known in changed}
        )
        assert strategy(shown.label) == shown
        assert hash(strategy(shown.label)) == hash(shown)


def test_a_change_of_a_change_keeps_the_earlier_ones() -> None:
    twice = strategy("standard,shed=2").with_changes({"noise": 0.25}).with_changes({"shed": 3})
    assert twice.label == "standard,shed=3,noise=0.25"
    assert strategy(twice.label) == twice


def test_no_change_is_no_change() -> None:
    assert strategy("standard").with_changes({}) is strategy("standard")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("standrad", "unknown strategy 'standrad': did you mean 'standard'.*allowed: minimal"),
        ("Standard", "unknown strategy 'Standard': did you mean 'standard'"),
        ("qqqqqq", "unknown strategy 'qqqqqq': allowed: minimal"),
        ("", "unknown strategy ''"),
        ("standard,early_tak=1", "unknown parameter 'early_tak': did you mean 'early_take'"),
        ("standard,shed", "'shed' in 'standard,shed' is not parameter=value"),
        ("standard,shed=", "'shed=' in .* is not parameter=value"),
        ("standard,=1", "'=1' in .* is not parameter=value"),
        ("standard,", "'' in 'standard,' is not parameter=value"),
        ("standard,shed=1,shed=2", "parameter shed is given twice"),
        ("standard,shed=many", "shed=many is not a number: shed is a number of cards/card from -256 to 256"),
        ("standard,shed=nan", "shed=nan is not allowed: shed is a number of cards/card from -256 to 256"),
        ("standard,shed=inf", "shed=inf is not allowed"),
        ("standard,shed=257", "shed=257 is not allowed: .* from -256 to 256"),
        ("standard,noise=1.01", r"noise=1\.01 is not allowed: noise is a number of probability from 0 to 1"),
        ("standard,noise=-0.1", r"noise=-0\.1 is not allowed"),
    ],
)
def test_a_mistake_is_told_in_one_line_with_what_is_allowed(text: str, message: str) -> None:
    with pytest.raises(InputError, match=message) as mistake:
        strategy(text)
    assert "\n" not in str(mistake.value)


def test_parameters_not_named_are_zero() -> None:
    made = Strategy.from_parameters("mine", {"shed": 1})
    assert {name: made[name] for name in PARAMETER_NAMES if made[name]} == {"shed": 1.0}


def test_a_strategy_made_in_python_is_checked_too() -> None:
    with pytest.raises(InputError, match="unknown parameter 'sheds'"):
        Strategy.from_parameters("mine", {"sheds": 1})
    with pytest.raises(InputError, match="noise=2 is not allowed"):
        Strategy.from_parameters("mine", {"noise": 2})
    with pytest.raises(InputError, match=f"{len(PARAMETERS)} parameters, not 2"):
        Strategy("mine", (0.0, 1.0))
    with pytest.raises(InputError, match="unknown parameter 'sheds'"):
        strategy("standard")["sheds"]


def test_a_label_is_split_into_name_and_changes() -> None:
    assert split_label("a, x = 1,y=2") == ("a", {"x": "1", "y": "2"})
    assert split_label("a") == ("a", {})


def test_records_hold_whole_steps() -> None:
    records = player_records([strategy("random"), Strategy.from_parameters("mine", {"shed": -1.5, "finish": 2})])
    assert records.shape == (2,)
    assert records["noise"].tolist() == [2**32, 0]
    assert records["shed"].tolist() == [0, -98_304]
    assert records["finish"].tolist() == [0, 131_072]
    assert records.dtype.itemsize == len(PARAMETER_NAMES) * np.int64().itemsize


@pytest.mark.parametrize("player", [strategy("standard"), person("plain")])
@pytest.mark.parametrize("label", ["red\x1b[31m", "two\nlines", "turned\u202e round", "\x00"])
def test_a_label_holds_nothing_that_a_terminal_would_obey(player: Strategy, label: str) -> None:
    with pytest.raises(InputError, match=r"the label .* cannot be shown"):
        replace(player, label=label)
    assert replace(player, label="$x^{$ 漢字 =1+1").label == "$x^{$ 漢字 =1+1"
