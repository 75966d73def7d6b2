"""Commands as a person would type them."""

from __future__ import annotations

import shlex

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


def test_the_seats_of_a_command_are_those_of_the_comparison():
    paired = Comparison(
        Rules(players=3), strategy("standard"), strategy("standard,pass_hoard=0"), (strategy("novice"),) * 2
    )
    words = shlex.split(trace_command(paired, 7, 11, 1))
    # The focal player sits at position 1; the last seat that is given fills the rest.
    assert words == [
        "escalation", "trace", "--seed", "7", "--deal", "11", "--players", "3", "--seating", "given",
        "--seat", "novice", "--seat", "standard", "--seat", "novice",
        "--compare", "novice", "--compare", "standard,pass_hoard=0", "--compare", "novice",
    ]  # fmt: skip
    assert shlex.split(trace_command(paired, 7, 11, 0))[10:] == [
        "--seat", "standard", "--seat", "novice", "--compare", "standard,pass_hoard=0", "--compare", "novice",
    ]  # fmt: skip
