"""Options of turns: shares and kinds worked out by hand, and recounted by the slow engine."""

from __future__ import annotations

import numpy as np
import pytest

from reports.balance.option_worth import Choice
from reports.balance.plan import BalancePlan, Effort
from reports.balance.sections import choices
from reports.estimates.intervals import Interval
from simulate import Rules
from simulate.escalation.kernel.dealing import deck_order
from simulate.escalation.plain.reference import HeuristicPlayer
from simulate.escalation.plain.reference import play as play_slowly
from simulate.escalation.rules import Deck
from simulate.escalation.state import State

PLAN = BalancePlan(Rules(players=3), effort=Effort("quick", 1, 9, 20))


def choice(deal, spread=None, kinds=("take",), best="take", over=None):
    return Choice(deal, 0, 1, kinds, best, spread, over)


def test_shares_worked_out_by_hand():
    sure, close, none = Interval.around(0.3, 0.01), Interval.around(0.012, 0.02), Interval.around(0.0, 0.001)
    games = [choice(0), choice(0, sure), choice(0, close), choice(0, none)]
    games += [choice(1), choice(1), choice(1, sure), choice(1, none)]
    frame = choices.shares_frame(games).set_index("turns_with")["share"]
    # Game 0: 1, 1 and 2 of 4 turns; game 1: 2, 1 and 1.
    assert list(frame) == pytest.approx([3 / 8, 2 / 8, 3 / 8])
    found = choices.matter(games)
    assert found.low <= 0.25
    assert found.high >= 0.375


def test_kinds_worked_out_by_hand():
    sure, over = Interval.around(0.3, 0.01), Interval.around(0.2, 0.01)
    both = ("Pass", "take")
    games = [
        choice(0, sure, both, "Pass", over),
        choice(0, sure, both, "take", Interval.around(0.1, 0.2)),
        choice(1, sure, both, "Pass", Interval.around(0.4, 0.1)),
        choice(1, Interval.around(0.001, 0.01), both, "take", over),
    ]
    frame = choices.kinds_frame(games).set_index("kind")
    assert frame.loc["Pass", ["offered_in", "best_in", "surely_best_in"]].tolist() == [3, 2, 2]
    assert frame.loc["take", ["offered_in", "best_in", "surely_best_in"]].tolist() == [3, 1, 0]
    assert frame.loc["Pass", "share_best"] == pytest.approx(2 / 3)
    assert frame.loc["Pass", "gain"] == pytest.approx(30)


def test_forced_turns_are_those_that_the_slow_engine_counts(play):
    finding = choices.measure(PLAN, play)
    shares = []
    for deal in range(PLAN.effort.sample):
        start = State.dealt(PLAN.rules, deck_order(PLAN.rules.deck, 1, deal))
        record = play_slowly(PLAN.rules, [HeuristicPlayer(PLAN.standard)] * 3, start, 0)
        shares.append(np.mean([len(turn.first.options) == 1 for turn in record.turns]))
    frame = finding.frames["choices"].set_index("turns_with")
    assert frame.loc["one legal option", "share"] == pytest.approx(np.mean(shares))


def test_the_section_says_what_it_found(play):
    finding = choices.measure(PLAN, play)
    assert finding.name == "choices"
    assert "only one option is legal" in finding.finding
    assert {figure.csv for figure in finding.figures} | {table.csv for table in finding.tables} <= {
        f"{name}.csv" for name in finding.frames
    }
    few = BalancePlan(PLAN.rules, effort=PLAN.effort, thresholds={"turns-that-matter": 0.01})
    many = BalancePlan(PLAN.rules, effort=PLAN.effort, thresholds={"turns-that-matter": 0.99})
    assert (choices.measure(few, play).light, choices.measure(many, play).light) == ("good", "bad")


def test_a_game_without_choices_has_a_section_too(play):
    """Whoever leads the only card is out at once: nobody else has a turn, and a lead is the only option."""
    rules = Rules(deck=Deck.parse("1-12x1"), players=3, hand_size=1, draw_before_end_check=False)
    finding = choices.measure(BalancePlan(rules, (3,), effort=PLAN.effort), play)
    shares = finding.frames["choices"].set_index("turns_with")["share"]
    assert shares.tolist() == [1, 0, 0]
    assert finding.frames["choices_kinds"].empty
