"""Groups of That Escalated Quickly in question files: they come back as they went, and a mistake is named."""

from __future__ import annotations

import pytest

from reports.quickly.spec import GROUPS_KEYS, group_provenance, groups_spec, read_alike, read_groups
from reports.reading.spec_reader import SpecReader
from simulate import Experiment
from simulate.quickly.engine import Group
from simulate.quickly.rules import GroupRules
from strategies.errors import InputError
from strategies.quickly import person

PERSONS = (person("plain"), person("plain,sigma=2"))


def reader(data) -> SpecReader:
    return SpecReader(data, "spec", GROUPS_KEYS)


@pytest.mark.parametrize("changes", [{}, {"mistakes": 0, "target": 2}, {"planned_mistake": True}])
def test_groups_come_back_as_they_went(changes):
    rules = tuple(GroupRules.printed(players, **changes) for players in (3, 6))
    spec = groups_spec(rules, PERSONS)
    assert tuple(spec) == GROUPS_KEYS
    again, persons = read_groups(reader(spec))
    assert again == rules
    assert [(one, one.label) for one in persons] == [(one, one.label) for one in PERSONS]
    assert read_alike(reader(groups_spec(rules, PERSONS[1:]))) == (rules, PERSONS[1])


@pytest.mark.parametrize(
    ("data", "message"),
    [
        ({"players": [], "seats": ["plain"]}, "players and seats need at least one entry"),
        ({"players": [4], "seats": []}, "players and seats need at least one entry"),
        ({"players": [4], "seats": ["plane"]}, "did you mean 'plain'"),
        ({"players": [4], "seats": ["plain"], "rules": {"mistaks": 1}}, "did you mean 'mistakes'"),
        ({"players": [4], "seats": ["plain"], "rules": {"planned_mistake": 1}}, "not true or false"),
    ],
)
def test_a_group_that_is_none_is_told(data, message):
    with pytest.raises(InputError, match=message):
        read_groups(reader(data))


def test_where_everybody_is_alike_there_is_one_seat():
    with pytest.raises(InputError, match="a single entry, as everybody is alike"):
        read_alike(reader({"players": [4], "seats": ["plain", "plain,sigma=2"]}))


def test_the_provenance_says_what_a_table_of_the_rules_is():
    rules = GroupRules.printed(3)
    experiment = Experiment((Group(rules, PERSONS[:1] * 3),), seed=5)
    told = group_provenance("quickly simulate", experiment, 1, (rules,), groups_spec((rules,), PERSONS[:1]))
    assert (told.seed, told.games, told.digest) == (5, 5040, experiment.digest)
    assert told.rules == "2 cards each, 1 mistake allowed, first to 3"
