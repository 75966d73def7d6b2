"""Changes of the game: tuned by search, chosen on some deals, measured on others; numbers recomputed from raw games."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest

from reports.balance.plan import BalancePlan, Effort
from reports.balance.redesign_aims import (
    AIMS,
    LENGTH,
)
from reports.balance.retuning import SEARCHES
from reports.balance.sections import redesign
from reports.estimates.intervals import Interval, normal_interval
from reports.estimates.joint import greatest, level_of_each
from simulate import Rules, Table
from simulate.blocks import deals_of
from simulate.escalation.rules import Deck
from tests.reports.balance.raw_games import shares_of_wins

TINY = Effort("quick", 1, 3, 20)
PLAN = BalancePlan(Rules(players=2), effort=TINY)
FRESH = SEARCHES["quick"].blocks_in_all + redesign.CHOOSING_BLOCKS["quick"]
"""The first block of deals that had no part in choosing or tuning."""


def test_candidates_change_one_thing_at_a_time():
    found = redesign.candidates(Rules(), 1)
    assert [words for words, _ in found] == [
        "as it is",
        "2 wilds",
        "1 Pass",
        "5 cards in hand",
        "4 wilds",
        "3 Passes",
        "7 cards in hand",
    ]
    decks = {words: (rules.deck.wilds, rules.deck.passes, rules.hand_size) for words, rules in found}
    assert decks["1 Pass"] == (3, 1, 6)
    assert decks["7 cards in hand"] == (3, 2, 7)


def test_games_that_cannot_be_are_not_tried():
    bare = Rules(deck=Deck.parse("1-12x4"), players=4, hand_size=1)
    assert [words for words, _ in redesign.candidates(bare, 1)] == ["as it is", "1 wild", "1 Pass", "2 cards in hand"]


def test_a_gain_is_a_difference_in_the_wanted_direction():
    here, there = Interval(10.0, 7.0, 13.0), Interval(6.0, 2.0, 10.0)
    for target, sign in (("positions", 1), ("length", 1), ("choices", -1), ("diversity", 1)):
        gain = redesign.gain_over(here, there, AIMS[target])
        assert gain.estimate == sign * 4
        assert gain.half_width == pytest.approx(5)


def shown(play, target, **changes):
    plan = replace(PLAN, target=target, **changes)
    finding = redesign.measure(plan, play)
    frame = finding.frames["redesign"].set_index("change")
    return plan, finding, frame


def table_of(plan, frame, change, rules):
    changed = (part.split("=") for part in frame.loc[change, "player"].split(",")[1:])
    player = plan.standard.with_changes({name: float(value) for name, value in changed})
    return Table(rules, (player,) * plan.rules.players, "given")


def test_gaps_between_positions_follow_from_raw_games(play):
    plan, _, frame = shown(play, "positions")
    for change, rules in redesign.candidates(plan.rules, 1)[:3]:
        table = table_of(plan, frame, change, rules)
        chosen_by = shares_of_wins(table.play(1, deals_of(FRESH - 1)).scores).mean(axis=0)
        fresh = shares_of_wins(table.play(1, deals_of(FRESH)).scores)
        gap = 100 * (fresh[:, chosen_by.argmax()] - fresh[:, chosen_by.argmin()])
        assert frame.loc[change, "value"] == pytest.approx(gap.mean())
        half = (frame.loc[change, "value_high"] - frame.loc[change, "value_low"]) / 2
        assert half == pytest.approx(1.96 * gap.std(ddof=1) / math.sqrt(5040), rel=0.001)


def test_lengths_follow_from_raw_games(play):
    plan, finding, frame = shown(play, "length")
    for change, rules in redesign.candidates(plan.rules, 1)[1:4]:
        turns = table_of(plan, frame, change, rules).play(1, deals_of(FRESH)).turns
        assert frame.loc[change, "value"] == pytest.approx(turns.mean())
    best = frame[frame["chosen"] == "yes"].iloc[0]
    others = frame.drop("as it is")
    assert best["value_when_choosing"] == others["value_when_choosing"].min()
    assert best["gain"] == pytest.approx(frame.loc["as it is", "value"] - best["value"])
    assert f"shorter by {best['gain']:.1f} (" in finding.finding


def test_the_light_says_whether_to_change_anything(play):
    _, easy, _ = shown(play, "length", thresholds={LENGTH.name: 0.01})
    _, hard, _ = shown(play, "length", thresholds={LENGTH.name: 30.0})
    assert (easy.light, easy.finding.split()[0]) == ("bad", "Change")
    assert (hard.light, hard.finding.split()[0]) == ("good", "No")
    assert easy.commands[0].startswith("escalation balance --players 2 ")


def change(words, chosen_by, gain, error, changes):
    """A change that shortens games of 40 turns by so much, measured with such an error."""
    level = level_of_each(changes)
    value = 40 - gain
    fresh, together = (normal_interval(value, error, each) for each in (0.95, level))
    return redesign.Change(words, Rules(), PLAN.standard, Interval.around(40 - chosen_by, 1), fresh, together, fresh)


@pytest.mark.parametrize("others", [0.0, 0.5])
def test_green_is_seldom_wrong_even_if_the_best_change_was_not_the_one_chosen(others):
    """One of twelve changes gains more than the limit, and few deals choose: it is mostly not the one."""
    gains, limit, aim, generator = [1.1, *[others] * 11], 1.0, AIMS["length"], np.random.default_rng(6)
    wrong, by_the_chosen_alone, runs = 0, 0, 300
    for _ in range(runs):
        looked, fresh = np.array(gains) + generator.normal(size=(2, 12)) * [[0.6], [0.2]]
        here = change("as it is", 0, 0, 1e-9, 12)
        tried = [change(str(number), *pair, 0.2, 12) for number, pair in enumerate(zip(looked, fresh, strict=True))]
        changes = [here, *tried]
        best = redesign.best_change(changes, aim)
        gain = redesign.gain_over(here.fresh, best.fresh, aim)
        by_the_chosen_alone += gain.high <= limit
        wrong += redesign.light_of(gain, greatest(redesign.gains_together(changes, aim)[1:]), limit) == "good"
    assert by_the_chosen_alone / runs > 0.2
    assert wrong / runs <= 0.05


def test_green_is_reached_where_no_change_gains():
    aim, here = AIMS["length"], change("as it is", 0, 0, 1e-9, 3)
    changes = [here, *(change(str(number), 0.1, 0.1, 0.1, 3) for number in range(3))]
    most = greatest(redesign.gains_together(changes, aim)[1:])
    gain = redesign.gain_over(here.fresh, changes[1].fresh, aim)
    assert redesign.light_of(gain, most, 1.0) == "good"
    assert "the most that one of them may gain is 0.3 (95% for all together)" in redesign.finding_of(
        changes[1], gain, most, aim, "good", 1.0
    )
