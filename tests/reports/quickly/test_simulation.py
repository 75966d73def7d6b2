"""How a group fares."""

from __future__ import annotations

import pytest

from reports.quickly.simulation import GroupPlan, simulate_group
from reports.quickly.summary import GAME_WINS, GOOD_ROUNDS
from simulate.quickly.exact import sort_success, win_chance
from simulate.quickly.rules import GroupRules
from simulate.runner import How
from strategies.errors import InputError
from strategies.quickly import person

PLAN = GroupPlan(GroupRules.printed(5), (person("plain,sigma=1"),) * 5, seed=3)


def test_a_group_wins_as_often_as_integration_says():
    """Four standard errors: twice the half width of a 95% interval, roughly."""
    numbers = simulate_group(PLAN, 60_000).numbers
    good = sort_success(PLAN.rules, PLAN.persons[0])
    for measure, expected in ((GOOD_ROUNDS, good), (GAME_WINS, win_chance(good, PLAN.rules.target))):
        interval = numbers[measure]
        assert abs(interval.estimate - 100 * expected) <= 2.1 * interval.half_width


def test_the_numbers_of_the_data_are_those_of_the_frames():
    result = simulate_group(PLAN, 1)
    data, frame = result.as_data(), result.numbers_frame
    assert frame["measure"].tolist() == list(data["numbers"])
    assert frame["estimate"].tolist() == [number["estimate"] for number in data["numbers"].values()]
    assert len(data["organisers"]) == 5
    assert len(data["flips"]) == PLAN.rules.cards


def test_a_run_that_is_stopped_at_once_has_no_result():
    with pytest.raises(KeyboardInterrupt):
        simulate_group(PLAN, 1, How(stop=lambda: True))


def test_the_question_comes_back_from_its_spec():
    persons = (person("plain"), person("replanner,sigma=2"), person("plain,sigma=3"), *[person("plain")] * 2)
    plan = GroupPlan(GroupRules.printed(5, target=2, mistakes=1), persons, 9)
    assert GroupPlan.from_spec(plan.spec(), 9) == plan
    with pytest.raises(InputError, match="players needs a single entry"):
        GroupPlan.from_spec({"players": [4, 5], "seats": ["plain"]}, 1)
