"""A grid of groups."""

from __future__ import annotations

from dataclasses import replace

import pytest

from reports.quickly.simulation import GroupPlan, simulate_group
from reports.quickly.summary import GAME_WINS
from reports.quickly.sweep import GroupSweepPlan, sweep_groups
from reports.reading.values import read_habit
from simulate.quickly.rules import GroupRules
from simulate.runner import How
from strategies.errors import InputError
from strategies.quickly import PERSON, person

PLAN = GroupSweepPlan(
    (read_habit("sigma=1,2", PERSON), read_habit("organiser=sort,replan", PERSON)),
    (GroupRules.printed(4), GroupRules.printed(5)),
    person("plain"),
    seed=3,
)


def test_every_combination_is_played_the_last_parameter_innermost():
    assert PLAN.size == 8
    assert [(rules.players, *values) for rules, values in PLAN.points] == [
        (players, sigma, organiser) for players in (4, 5) for sigma in (1, 2) for organiser in (0, 2)
    ]


def test_a_row_is_what_the_group_does_by_itself():
    row = sweep_groups(PLAN, 1).settings.query("players == 5 and sigma == 2 and organiser == 0").iloc[0]
    alone = simulate_group(GroupPlan(GroupRules.printed(5), (person("plain,sigma=2"),) * 5, seed=3), 1)
    assert row[GAME_WINS.name] == alone.numbers[GAME_WINS].estimate
    assert row["games"] == 5040


def test_a_run_that_is_stopped_keeps_the_settings_it_has_played():
    looks = iter(range(100))
    result = sweep_groups(PLAN, 1, How(threads=1, stop=lambda: next(looks) > 3))
    assert 0 < len(result.settings) < PLAN.size
    with pytest.raises(KeyboardInterrupt):
        sweep_groups(PLAN, 1, How(stop=lambda: True))


@pytest.mark.parametrize(
    ("variations", "message"),
    [((), "needs a parameter to vary"), ((PLAN.variations[0],) * 2, "given twice")],
)
def test_a_grid_that_makes_no_sense_is_refused(variations, message: str):
    with pytest.raises(InputError, match=message):
        replace(PLAN, variations=variations)


def test_the_question_comes_back_from_its_spec():
    assert GroupSweepPlan.from_spec(PLAN.spec(), 3) == PLAN
