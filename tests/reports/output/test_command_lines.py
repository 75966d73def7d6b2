"""Commands as a person would type them."""

from __future__ import annotations

import shlex

import pytest

from reports.output.command_lines import rules_options, trace_command
from simulate import Deck, Rules
from simulate.escalation.settings.comparison import Comparison
from strategies.catalogue import strategy


def test_rules_that_are_not_the_default_are_in_the_command():
    rules = Rules(Deck.parse("even"), 3, 5, 6).with_rulings({"lead_pass": True})
    words = ["--deck", "even", "--hand-size", "5", "--wild-max", "6", "--rule", "lead_pass=true"]
    assert rules_options(rules) == words
    assert rules_options(Rules(players=5)) == []
    own = Rules(Deck.parse("1-12x4,13x2,Wx3,Px2"), 3)
    assert rules_options(own) == ["--deck", "1-12x4,13x2,Wx3,Px2"]
    assert shlex.split(trace_command(Comparison(own, *[strategy("minimal")] * 2), 1, 2, 0))[-1] == str(own.deck)


@pytest.mark.parametrize(
    ("focal", "without", "with_change"),
    [
        # The last seat fills the rest; seat 0 starts.
        (0, ["minimal", "novice"], ["shedder", "novice"]),
        (2, ["novice", "novice", "minimal"], ["novice", "novice", "shedder"]),
    ],
)
def test_a_deal_is_shown_without_and_with_the_change(focal: int, without: list[str], with_change: list[str]):
    players = strategy("minimal"), strategy("shedder"), (strategy("novice"),) * 2
    words = shlex.split(trace_command(Comparison(Rules(players=3), *players), 5, 9, focal))
    assert words[:2] == ["escalation", "trace"]
    options = list(zip(words[2::2], words[3::2], strict=True))
    assert options == [
        ("--seed", "5"), ("--deal", "9"), ("--players", "3"), ("--seating", "given"),
        *(("--seat", label) for label in without),
        *(("--compare", label) for label in with_change),
    ]  # fmt: skip
