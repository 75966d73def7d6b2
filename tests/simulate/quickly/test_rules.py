"""The table of the rules, what a designer may change, and rounds played out by hand."""

from __future__ import annotations

import pytest

from simulate.quickly.engine import Group
from simulate.quickly.reference import play_round
from simulate.quickly.rules import GroupRules
from strategies.errors import InputError
from strategies.quickly import QUICKLY


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


class Laid:
    """An organiser who flips the cards in the order in which they are given."""

    organiser, heard = 0, ()

    def next_card(self, flipped, last, left):
        return len(flipped)


@pytest.mark.parametrize(
    ("allowed", "values", "rows", "good"),
    [
        (0, (1, 4, 6, 9), [(), (1,), (1, 4), (1, 4, 6)], True),
        (0, (1, 4, 3, 9), [(), (1,), (1, 4)], False),
        # A mistake wipes the row, itself included: after 4 3* the 2 lies free, and 9 is on 2.
        (1, (1, 4, 3, 2, 9), [(), (1,), (1, 4), (), (2,)], True),
        (1, (1, 4, 3, 2, 9, 5), [(), (1,), (1, 4), (), (2,), (2, 9)], False),
        # On the last card, too.
        (1, (2, 5, 7, 1), [(), (2,), (2, 5), (2, 5, 7)], True),
        (2, (5, 4, 3, 2, 1), [(), (5,), (), (3,), ()], True),
        (2, (6, 5, 4, 3, 2, 1), [(), (6,), (), (4,), (), (2,)], False),
    ],
)
def test_rounds_played_out_by_hand(allowed, values, rows, good):
    rules = GroupRules(2, len(values) // 2, allowed) if len(values) % 2 == 0 else GroupRules(5, 1, allowed)
    record = play_round(rules, Laid(), values)
    assert [flip.row for flip in record.flips] == rows
    assert [flip.value for flip in record.flips] == list(values[: len(rows)])
    assert record.good == good


def test_a_planned_mistake_needs_an_allowance_and_the_ruling():
    burner = QUICKLY.strategy("burner")
    with pytest.raises(InputError, match=r"with 5 players none is allowed"):
        Group(GroupRules.printed(5, planned_mistake=True), (burner,) * 5)
    with pytest.raises(InputError, match="the ruling planned_mistake does not permit"):
        Group(GroupRules.printed(6), (burner,) * 6)
    assert Group(GroupRules.printed(6, planned_mistake=True), (burner,) * 6)


def test_own_cards_are_shifted_in_fixed_orders_only():
    with pytest.raises(InputError, match="own_shift"):
        Group(GroupRules.printed(4), (QUICKLY.strategy("replanner,own_shift=1"),) * 4)


def test_one_person_per_player_is_needed():
    with pytest.raises(InputError, match="2 strategies for 3 players"):
        Group(GroupRules.printed(3), (QUICKLY.strategy("plain"),) * 2)
