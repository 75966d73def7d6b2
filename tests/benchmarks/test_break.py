"""A small version of the campaign of damage: every outcome is right, or refused in one line."""

from __future__ import annotations

import random
from importlib import import_module

import pytest

breaking = import_module("benchmarks.break")  # `import` knows the word as another


@pytest.mark.parametrize(("what", "count", "seen"), [("store", 6, "same bytes"), ("questions", 40, "refused")])
def test_whatever_is_damaged_the_outcome_is_right_or_refused(what: str, count: int, seen: str):
    found = breaking.outcomes(what, count, seed=7)
    assert found.total() == count
    assert not [outcome for outcome in found if outcome.startswith("WRONG")]
    assert any(seen in outcome for outcome in found)


def test_damage_changes_a_file():
    content = random.Random(1).randbytes(1 << 16)
    every = [breaking.damaged(content, random.Random(f"{number} of a file")) for number in range(60)]
    # A byte may happen to be drawn as it was, and a page to be put in its own place.
    assert sum(one != content for one in every) > 50
    assert {len(one) == len(content) for one in every} == {True, False}


def test_what_is_not_told_in_one_line_is_wrong(monkeypatch):
    def broken(*words: str):
        raise ZeroDivisionError

    monkeypatch.setattr(breaking.cli, "read_question", broken, raising=False)
    monkeypatch.setattr("reports.questions.question_from", broken)
    assert set(breaking.outcomes("questions", 20, seed=8)) >= {"WRONG"}
