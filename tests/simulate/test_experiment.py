"""The digest of an experiment covers what determines its numbers, and nothing else."""

from __future__ import annotations

from dataclasses import replace

import pytest

from simulate import Deck, Experiment, Rules, Table
from simulate.experiment import first_difference
from strategies.catalogue import strategy
from strategies.errors import InputError
from strategies.strategy import Strategy

BASE = Table(Rules(players=2), (strategy("standard"), strategy("novice")))


def digest(table=BASE, seed=1):
    return Experiment((table,), seed).digest


@pytest.mark.parametrize(
    "other",
    [
        replace(BASE, rules=Rules(players=2, hand_size=5)),
        replace(BASE, rules=Rules(players=2, lead_pass=True)),
        replace(BASE, rules=Rules(Deck.parse("even"), players=2)),
        replace(BASE, seats=BASE.seats[::-1]),
        replace(BASE, seats=(strategy("standard,shed=1"), strategy("novice"))),
        replace(BASE, seating="given"),
        replace(BASE, match=True),
        replace(BASE, noise_salt=1),
    ],
)
def test_whatever_changes_play_changes_the_digest(other):
    assert digest(other) != digest()


def test_seed_and_settings_change_the_digest():
    assert digest(seed=2) != digest()
    assert Experiment((BASE, BASE), 1).digest != digest()


def test_a_label_does_not_change_the_digest():
    renamed = Strategy("somebody", BASE.seats[0].values)
    assert digest(replace(BASE, seats=(renamed, BASE.seats[1]))) == digest()


@pytest.mark.parametrize("seed", [-1, 1 << 63])
def test_a_seed_beyond_63_bits_is_refused(seed):
    with pytest.raises(InputError, match="seed"):
        Experiment((BASE,), seed)


def test_an_experiment_without_settings_is_refused():
    with pytest.raises(InputError, match="at least one setting"):
        Experiment((), 1)


@pytest.mark.parametrize(
    ("there", "here", "difference"),
    [
        ({"a": 1}, {"a": 1}, None),
        ({"a": {"b": [1, 2]}}, {"a": {"b": [1, 3]}}, "a.b[1] is 2 there and 3 here"),
        ({"a": [1]}, {"a": [1, 2]}, "a has 1 entries there and 2 here"),
        ({"a": 1, "b": 2}, {"a": 1}, "b is only there"),
        ({}, {"b": 2}, "b is only here"),
    ],
)
def test_the_first_difference_is_named(there, here, difference):
    assert first_difference(there, here) == difference
