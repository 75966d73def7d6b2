"""The printed advice: numbers from plain games, and verdicts in words."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from reports.ask.answer import DoseTried
from reports.balance.plan import FULL, QUICK, BalancePlan, Effort
from reports.balance.sections import advice as section
from reports.balance.sections.advice import WRONG, Advice, doses_tried, main_finding, measure, wrong_pieces
from reports.estimates.intervals import Interval
from simulate import Rules, Table
from strategies.catalogue import named_tactics, strategy, tactic

PLAN = BalancePlan(Rules(players=2), (2,), effort=Effort("quick", 1, 1, 1))
FEW = ("early-aggression", "pass-hoarding", "wild-hoarding")


@pytest.fixture(scope="module")
def finding(play):
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(section, "named_tactics", lambda: {name: tactic(name) for name in FEW})
        patch.setattr(
            section, "doses_tried", lambda plan, asked: sorted({asked.dose_range[1] / 2, asked.dose_range[1]})
        )
        return measure(PLAN, play)


def wins(player, deals):
    """Return wins per 100 games against a standard player, over both positions."""
    standard, won = strategy("standard"), []
    for place in range(2):
        seats = (player, standard) if place == 0 else (standard, player)
        scores = Table(PLAN.rules, seats, "given").play(1, deals).scores.tolist()
        won += [(row[place] == min(row)) / row.count(min(row)) for row in scores]
    return 100 * np.mean(won)


@pytest.mark.parametrize("name", FEW)
def test_the_best_dose_is_measured_against_none_on_fresh_deals(finding, name):
    row = finding.frames["advice"].set_index("advice").loc[name]
    standard, asked = strategy("standard"), tactic(name)
    without = standard.with_changes(asked.off)
    doses = [asked.dose_range[1] / 2, asked.dose_range[1]]
    # Chosen on the second block, measured on the first.
    choosing, fresh = np.arange(5040, 10080), np.arange(5040)
    seemed = [wins(standard.with_changes({asked.dose: dose}), choosing) for dose in doses]
    best = doses[int(np.argmax(seemed))]
    assert row["best_dose"] == best
    gained = wins(standard.with_changes({asked.dose: best}), fresh) - wins(without, fresh)
    assert row["wins_per_100_games"] == pytest.approx(gained, abs=1e-9)
    assert row["wins_per_100_games_low"] < gained < row["wins_per_100_games_high"]
    tried = finding.frames["advice_doses"].set_index(["advice", "dose"])["wins_per_100_games"]
    seemed_without = wins(without, choosing)
    for dose, won in zip(doses, seemed, strict=True):
        assert tried.loc[name, dose] == pytest.approx(won - seemed_without, abs=1e-9)


def test_the_section_says_whether_the_rulebook_is_right(finding):
    assert finding.name == "advice"
    assert (finding.light, finding.threshold) == ("bad", WRONG)
    assert finding.finding == (
        "Of 2 pieces of advice printed with the rules, 1 is right (pass-hoarding); 1 is wrong (early-aggression)."
    )
    assert finding.texts[0].startswith("“Drive the total up early in a trick” (early-aggression) is wrong: it costs ")
    assert "wild-hoarding" not in " ".join(finding.texts)
    assert "wild-hoarding" in [row[0] for row in finding.tables[0].rows]
    assert "escalation ask pass-hoarding --players 2" in finding.commands


def told(name, low, high, answer):
    return Advice(tactic(name), 1.0, 0.0, Interval((low + high) / 2, low, high), answer)


def test_undecided_advice_may_be_wrong():
    every = [
        told("early-aggression", 1, 2, "good"),
        told("pass-hoarding", -1, 2, "undecided"),
        told("endgame-dump", -3, -2, "bad"),
        told("wild-hoarding", -3, -2, "bad"),
    ]
    counted = wrong_pieces(every)
    assert (counted.low, counted.high) == (1, 2)
    assert "1 is undecided (pass-hoarding)" in main_finding(every)
    assert every[2].line.endswith(
        "it costs 2.5 wins per 100 games (2.0 to 3.0) even at 1 cards/card, the best dose tried."
    )


def test_a_good_piece_of_advice_may_be_overdone():
    doses = (DoseTried(0.5, Interval(1.5, 1.0, 2.0), 5040), DoseTried(3.0, Interval(-7.0, -8.0, -6.0), 5040))
    overdone = replace(told("endgame-dump", 1, 2, "good"), tried=doses)
    assert overdone.line.endswith("the best dose tried; at 3 it costs 7.0 (6.0 to 8.0).")
    assert replace(overdone, tried=doses[:1]).line.endswith("the best dose tried.")


def test_a_quick_report_tries_fewer_doses_of_every_habit():
    quick, full = (BalancePlan(Rules(), effort=effort) for effort in (QUICK, FULL))
    for asked in named_tactics().values():
        few, many = doses_tried(quick, asked), doses_tried(full, asked)
        assert set(few) < set(many)
        low, high = asked.dose_range
        own = quick.standard[asked.dose]
        assert own in few or not low <= own <= high or asked.off[asked.dose] == own
        assert (few[0], few[-1]) == (many[0], many[-1])


def test_a_habit_that_is_more_than_its_dose_says_what_goes_with_it():
    dump = replace(told("endgame-dump", 1, 2, "good"), rest=tuple(tactic("endgame-dump").rest(strategy("standard"))))
    assert dump.line.endswith("the best dose tried, with danger_shed, which the habit's absence takes away, too.")
    assert tactic("pass-hoarding").rest(strategy("standard")) == {}
    # A player who has none of the rest has nothing else to lose.
    assert tactic("endgame-dump").rest(strategy("standard,danger_shed=0")) == {}
