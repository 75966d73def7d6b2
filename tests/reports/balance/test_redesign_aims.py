"""What a redesign aims at: every value from raw games by other code."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from reports.balance.option_worth import choices_of
from reports.balance.plan import BalancePlan, Effort
from reports.balance.redesign_aims import (
    AIMS,
    CHOICES,
    DIVERSITY,
    LENGTH,
    POSITIONS,
    AimSample,
    FairPositions,
    ShortGames,
    TurnsThatMatter,
    WaysToPlay,
)
from reports.balance.retuning import gain_of
from simulate import Rules, Table
from simulate.blocks import deals_of
from simulate.escalation.settings.comparison import Comparison, play_everything
from strategies.catalogue import strategy
from tests.reports.balance.raw_games import shares_of_wins

PLAN = BalancePlan(Rules(players=2), effort=Effort("quick", 1, 3, 20))


def test_positions_and_lengths_are_those_of_raw_games(play):
    table = Table(Rules(players=3), (PLAN.standard,) * 3, "given")
    fair, short = FairPositions(), ShortGames()
    assert fair.settings(table.rules, PLAN.standard, PLAN) == [table]
    played = play("positions", [table], 1, first_block=2)
    raw = table.play(1, deals_of(2))
    gap = 100 * (shares_of_wins(raw.scores)[:, 2] - shares_of_wins(raw.scores)[:, 0])
    value = fair.value(AimSample([table], played, (2, 0), 1))
    assert value.estimate == pytest.approx(gap.mean())
    # Two games that were not seen, won by one of the two alone, are added to the spread.
    spread = gap.var(ddof=1) + 2 * 100**2 / (len(gap) - 1)
    assert value.half_width == pytest.approx(1.959964 * np.sqrt(spread / len(gap)))
    assert short.value(AimSample([table], played, (), 1)).estimate == pytest.approx(raw.turns.mean())


def test_the_second_way_to_play_follows_from_raw_games():
    other = strategy("hoarder")
    settings = [Comparison(PLAN.rules, PLAN.standard, other)]
    played = [[settings[0].play_deals(1, deals_of(4))]]
    value = WaysToPlay().value(AimSample(settings, played, (0,), 1))
    raw = play_everything(settings[0], 1, deals_of(4))
    lost = [shares_of_wins(raw.base[seat])[:, seat] - shares_of_wins(raw.changed[seat])[:, seat] for seat in range(2)]
    assert value.estimate == pytest.approx(100 * np.mean(lost))
    assert value.low < value.estimate < value.high
    assert value.estimate == pytest.approx(-gain_of(played[0]).estimate)


def test_the_second_way_is_the_one_that_loses_least(play):
    plan = replace(PLAN, population=(PLAN.standard, strategy("minimal"), strategy("hoarder"), strategy("novice")))
    aim = WaysToPlay()
    settings = aim.settings(plan.rules, plan.standard, plan)
    played = play("ways", settings, 1)
    (picked,) = aim.pick(played)
    assert aim.narrowed([setting.changed.label for setting in settings], (picked,)) == ["hoarder"]


def test_turns_that_matter_are_looked_at_in_the_games_that_were_played(play):
    aim = TurnsThatMatter()
    settings = aim.settings(PLAN.rules, PLAN.standard, PLAN)
    value = aim.value(AimSample(settings, play("turns", settings, 2, first_block=3), (), 1))
    assert 0 <= value.low <= value.estimate <= value.high <= 100
    assert value.estimate > 0
    looked = choices_of(settings[0], 1, [settings[0].play_deals(1, deals_of(3))])
    turns = Table(PLAN.rules, (PLAN.standard,) * 2, "given").play(1, deals_of(3)[:2]).turns
    assert {choice.deal for choice in looked} == {3 * 5040, 3 * 5040 + 1}
    assert [choice.turns for choice in looked if choice.turn == 0] == turns.tolist()
    assert len(looked) == turns.sum()


def test_every_target_has_a_threshold_of_its_own():
    assert {aim.threshold for aim in AIMS.values()} == {POSITIONS, LENGTH, CHOICES, DIVERSITY}
    assert len({aim.threshold.name for aim in AIMS.values()}) == len(AIMS) == 4
