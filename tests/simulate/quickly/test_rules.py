"""The table of the rules, what a designer may change, and rounds played out by hand."""

from __future__ import annotations

import pytest

from simulate.quickly.rules import GroupRules
from strategies.errors import InputError


@pytest.mark.parametrize(
    ("players", "cards_each", "mistakes"),
    [(2, 2, 0), (3, 2, 1), (4, 1, 0), (5, 1, 0), (6, 1, 1), (7, 1, 1), (8, 1, 1)],
)
def test_the_printed_table(players, cards_each, mistakes):
    rules = GroupRules.printed(players)
    assert (rules.cards_each, rules.mistakes, rules.target, rules.planned_mistake) == (cards_each, mistakes, 3, False)
    assert rules.changed == ""


def test_what_is_changed_is_said():
    rules = GroupRules.printed(4, cards_each=2, mistakes=1, target=5, planned_mistake=True)
    assert rules.changed == "2 cards each, mistakes allowed: 1, first to 5, planned_mistake = true"
    assert (rules.cards, rules.most_rounds) == (8, 9)


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"players": 1}, "1 players are not allowed: 2 to 8"),
        ({"players": 9}, "9 players are not allowed: 2 to 8"),
        ({"players": 4, "cards_each": 3}, "3 cards each are not allowed with 4 players: 1 to 2, as there are 10 cards"),
        ({"players": 4, "cards_each": 0}, "0 cards each"),
        ({"players": 4, "mistakes": -1}, "-1 mistakes are not allowed: 0 to 9"),
        ({"players": 4, "mistakes": 10}, "10 mistakes"),
        ({"players": 4, "target": 0}, "a target of 0 rounds is not allowed: 1 to 9"),
    ],
)
def test_what_cannot_be_played_is_refused(changes, message):
    with pytest.raises(InputError, match=message):
        GroupRules.printed(**changes)
