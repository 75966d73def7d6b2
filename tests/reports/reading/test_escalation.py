"""Rules, table sizes and strategies of Escalation! in question files: they come back as they went."""

from __future__ import annotations

import pytest

from reports.reading.escalation import (
    RULES_KEYS,
    read_rules,
    read_seat,
    read_strategy,
    read_table_sizes,
    rules_spec,
    strategies_spec,
)
from reports.reading.spec_reader import SpecReader
from simulate import Deck, Rules
from simulate.escalation.rules import RULINGS
from strategies.catalogue import strategy
from strategies.errors import InputError

ODD = Rules(Deck.parse("1-12x4,Wx2,Px4"), 3, 5, 6)


def reader(data) -> SpecReader:
    return SpecReader(data, "spec", [*RULES_KEYS, "players"])


@pytest.mark.parametrize("turned", [{}, *({name: not ruling.default} for name, ruling in RULINGS.items())])
def test_rules_come_back_as_they_went(turned):
    rules = ODD.with_rulings(turned)
    assert tuple(rules_spec(rules)) == RULES_KEYS
    assert read_rules(reader(rules_spec(rules)), 3) == rules


def test_what_a_file_does_not_say_is_as_published():
    assert read_rules(reader({}), 5) == Rules(players=5)


def test_a_file_that_knows_fewer_rulings_asks_what_it_asked():
    """Question files name every ruling that there was; one that came later is at its default, and leaves play alone."""
    named = {"lead_pass": True, "draw_before_end_check": False, "beat_own_total": True, "wild_only_sets": False}
    assert read_rules(reader({"rulings": named}), 4) == Rules(pass_hand_takes=True, **named)


@pytest.mark.parametrize(
    ("data", "message"),
    [
        ({"deck": "no-such"}, "no-such"),
        ({"hand_size": "6"}, "hand_size is '6', not a whole number"),
        ({"hand_size": 99}, "99"),
        ({"rulings": {"lead_pas": True}}, "did you mean 'lead_pass'"),
    ],
)
def test_rules_that_are_none_are_told(data, message):
    with pytest.raises(InputError, match=message):
        read_rules(reader(data), 4)


def test_table_sizes_are_two_to_nine():
    assert read_table_sizes(reader({"players": [2, 9]})) == (2, 9)
    assert read_table_sizes(reader({}), []) == ()
    for wrong in (1, 10):
        message = f"players={wrong} is not allowed: players is a whole number of players from 2 to 9"
        with pytest.raises(InputError, match=message):
            read_table_sizes(reader({"players": [wrong]}))


def test_strategies_come_back_by_their_labels():
    players = (strategy("standard,shed=1"), strategy("novice"))
    known = strategies_spec(players)
    assert list(known) == ["standard,shed=1", "novice"]
    assert all(value != 0 for values in known.values() for value in values.values())
    for player in players:
        again = read_seat(player.label, known)
        assert (again, again.label) == (player, player.label)


def test_a_seat_without_parameters_is_the_strategy_of_that_name():
    assert read_seat("hoarder", {}) == strategy("hoarder")
    with pytest.raises(InputError, match="did you mean 'hoarder'"):
        read_seat("horder", {})


@pytest.mark.parametrize(
    ("values", "message"),
    [({"nose": 1}, "did you mean 'noise'"), ({"noise": "1"}, "noise is '1', not a number"), ([], "is not a table")],
)
def test_parameters_that_are_none_are_told(values, message):
    with pytest.raises(InputError, match=message):
        read_strategy("mine", values)
