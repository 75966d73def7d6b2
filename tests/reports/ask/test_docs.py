"""The page on asking about tactics names every column and every key there is, and its Python works."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path

import pytest

import cli
from reports.ask.asking import ask
from reports.ask.circumstances import CircumstanceEffect
from reports.ask.forecast import forecast
from reports.ask.output import answer_frame, circumstances_frame, doses_frame
from reports.ask.player_question import PlayerQuestion
from reports.ask.question import read_subject
from reports.ask.verdict import Stopping
from reports.estimates.intervals import Interval
from simulate import Rules
from strategies.catalogue import strategy

PAGE = (Path(cli.__file__).parent / "docs" / "ask.md").read_text(encoding="utf-8")
NAMED = set(re.findall(r"`([a-z0-9_]+)`", PAGE)) | {"rules"}
STOPPING = Stopping(most_deals=5040)


def asked(name):
    return PlayerQuestion(name, read_subject(name), Rules(), (2,), strategy("standard"), stopping=STOPPING)


@pytest.fixture(scope="module")
def tactic():
    place = CircumstanceEffect("deck", "even", Interval(1.0, 0.0, 2.0), 3.0, "not clear")
    return replace(ask(asked("wild-hoarding")), circumstances=(place,))


def keys_in(data) -> set[str]:
    """Every key of objects in objects and lists, without what is named by users and the spec."""
    if isinstance(data, list):
        return set().union(*(keys_in(one) for one in data)) if data else set()
    if not isinstance(data, dict):
        return set()
    inner = (keys_in(value) for name, value in data.items() if name not in {"spec", "further", "score_parts_in_cards"})
    return set(data).union(*inner, *(keys_in(one) for one in data.get("further", {}).values()))


def test_every_column_is_explained(tactic):
    for frame in (answer_frame(tactic), doses_frame(tactic), circumstances_frame(tactic)):
        assert {re.sub(r"_(low|high)$", "", name) for name in frame.columns} <= NAMED


def test_every_key_is_explained(tactic):
    assert keys_in(tactic.as_data()) <= NAMED
    assert keys_in(ask(asked("wild_hold=0,1.5")).as_data()) <= NAMED
    plans = {"plans": [one.as_data() for one in forecast(asked("wild_hold=0"), 0.01)]}
    assert keys_in(plans) <= NAMED


def test_the_python_on_the_page_works(capsys):
    (code,) = re.findall(r"```python\n(.*?)```", PAGE, flags=re.DOTALL)
    exec(code, {})
    assert capsys.readouterr().out.startswith("No. pass_hoard=0 for standard, on average over 2 tables, costs ")
