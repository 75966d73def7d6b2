"""The rules of That Escalated Quickly in words, in files and as options."""

from __future__ import annotations

import pytest

from reports.quickly.rules_words import rule_changes, rules_note, rules_notes, rules_options
from simulate.quickly.rules import CARDS_EACH, GroupRules


def test_the_printed_rules_are_one_phrase():
    assert rules_note(GroupRules.printed(5)) == "one card each, no mistake allowed, first to 3"
    assert rules_note(GroupRules.printed(2, cards_each=3, mistakes=1)).startswith(
        "3 cards each, 1 mistake allowed, first to"
    )
    assert "2 mistakes allowed" in rules_note(GroupRules.printed(8, mistakes=2))


def test_several_tables_are_told_one_by_one():
    four, five = GroupRules.printed(4), GroupRules.printed(5)
    assert rules_notes([five]) == rules_note(five)
    assert rules_notes([four, five]) == f"4 players: {rules_note(four)}; 5 players: {rules_note(five)}"


@pytest.mark.parametrize("players", CARDS_EACH)
def test_nothing_differs_from_the_printed_rules_in_them(players: int):
    assert rule_changes(GroupRules.printed(players)) == {}
    assert rules_options(GroupRules.printed(players)) == []


def test_what_differs_comes_back_as_options_and_changes():
    rules = GroupRules.printed(6, mistakes=2, target=2, planned_mistake=True)
    changes = rule_changes(rules)
    assert changes == {"mistakes": 2, "target": 2, "planned_mistake": True}
    assert GroupRules.printed(6, **changes) == rules
    assert rules_options(rules) == ["--mistakes", "2", "--target", "2", "--rule", "planned_mistake=true"]
    assert rules_options(GroupRules.printed(3, cards_each=1)) == ["--cards-each", "1"]


def test_changes_of_several_tables_are_gathered():
    assert rule_changes(GroupRules.printed(4), GroupRules.printed(6, target=2)) == {"target": 2}
