"""How much must be played to show an effect."""

from __future__ import annotations

import math

import pytest

from reports.ask.forecast import PLANNED_POWER, forecast
from reports.ask.player_question import PlayerQuestion
from reports.ask.question import read_subject
from reports.ask.verdict import Stopping
from reports.estimates.betting import watched_interval, watched_wins
from simulate import Rules
from strategies.catalogue import strategy
from strategies.errors import InputError


def question(name, base="standard", rules=None, **more):
    rules = rules or Rules(players=2)
    return PlayerQuestion(name, read_subject(name), rules, (rules.players,), strategy(base), **more)


def test_an_effect_as_large_as_it_seems_is_shown_in_the_stated_share_of_runs():
    (planned,) = forecast(question("pass_hoard=0"), 0.02)
    pilot = watched_wins(planned.pilot.counts)
    # In the run that is just unlucky enough, the effect looks smaller by its quantile of 80%.
    unlucky = 2 - 0.841621 * pilot.spread / math.sqrt(planned.deals)
    assert watched_interval(pilot.tilted(unlucky).scaled(planned.deals), 0.05).low > 0
    fewer = planned.deals / 1.05
    unlucky = 2 - 0.841621 * pilot.spread / math.sqrt(fewer)
    assert watched_interval(pilot.tilted(unlucky).scaled(fewer), 0.05).low < 0
    assert PLANNED_POWER == 0.8


def test_a_forecast_is_told_in_deals_and_games():
    (planned,) = forecast(question("pass_hoard=0"), 0.02)
    data = planned.as_data()
    assert (data["effect_in_wins_per_100"], data["players"]) == (2, 2)
    assert data["games"] == 2 * data["deals"] == 2 * round(planned.deals)
    assert data["pilot"]["deals"] == 5040


def test_stricter_questions_need_more():
    (usual,) = forecast(question("pass_hoard=0"), 0.02)
    (strict,) = forecast(question("pass_hoard=0", stopping=Stopping(alpha=0.001)), 0.02)
    assert strict.deals > usual.deals
    (harm,) = forecast(question("pass_hoard=0"), -0.02)
    assert harm.effect == -2


@pytest.mark.parametrize(
    ("base", "dose"),
    [
        ("standard", 3.7),
        # Without the habit there is no own dose; the middle one of 1, 2, ..., 8 is tried.
        ("standard,pass_hoard=0", 5),
    ],
)
def test_the_pilot_of_a_tactic_plays_the_own_dose_or_else_the_middle_one_against_none(base, dose):
    (planned,) = forecast(question("pass-hoarding", base), 0.02)
    comparison = planned.pilot.comparison
    assert (comparison.base["pass_hoard"], comparison.changed["pass_hoard"]) == (0, dose)


def test_a_change_that_never_shows_has_no_forecast():
    """Wild sevens cannot be declared when wilds stand for 1 to 6 only."""
    (planned,) = forecast(question("wild_seven_jump=3", rules=Rules(players=2, wild_max=6)), 0.02)
    data = planned.as_data()
    assert math.isinf(planned.deals)
    assert (data["deals"], data["games"], data["seconds"]) == (None, None, None)


@pytest.mark.parametrize("effect", [0, 1, -1, 2])
def test_an_effect_is_a_share_of_wins(effect):
    with pytest.raises(InputError, match=f"effect {effect} is not allowed"):
        forecast(question("pass_hoard=0"), effect)


def test_several_values_are_not_forecast():
    with pytest.raises(InputError, match="has several values: plan one of them"):
        forecast(question("pass_hoard=0:2"), 0.02)
