"""Persons: their parameters as text, and the named ones."""

from __future__ import annotations

import pytest

from strategies.quickly import PERSON, QUICKLY


def test_choices_are_read_and_shown_by_name():
    person = QUICKLY.strategy("plain,organiser=replan")
    assert person["organiser"] == 2
    assert QUICKLY.strategy(person.label) == person
    assert QUICKLY.strategy("plain,organiser=2") == QUICKLY.strategy("plain,organiser=replan")


@pytest.mark.parametrize("entry", QUICKLY.strategies.values(), ids=lambda entry: entry.name)
def test_every_named_strategy_reads_back(entry):
    assert QUICKLY.strategy(entry.name) == entry.strategy
    changed = entry.strategy.with_changes({"sigma": 0.75, "organiser": 1})
    assert QUICKLY.strategy(changed.label) == changed


@pytest.mark.parametrize("tactic", QUICKLY.tactics.values(), ids=lambda tactic: tactic.name)
def test_every_tactic_can_be_off_and_within_its_range(tactic):
    low, high = tactic.dose_range
    assert tactic.dose in tactic.off
    assert low <= tactic.off[tactic.dose] <= high
    assert low < high
    known = PERSON.parameter(tactic.dose)
    assert known.check(low) == low
    assert known.check(high) == high


@pytest.mark.parametrize(
    "text",
    ["plain,sigma=-1", "plain,sigma=nan", "plain,talk=1.5", "plain,organiser=sorted", "plain,burn=0.5", "plane"],
)
def test_mistakes_are_refused(text):
    with pytest.raises(ValueError, match=r"allowed|one of|did you mean"):
        QUICKLY.strategy(text)
