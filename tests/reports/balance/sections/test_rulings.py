"""Rulings and decks: numbers from plain games, and which findings turn over."""

from __future__ import annotations

import re
from dataclasses import replace
from statistics import NormalDist

import numpy as np
import pytest

from reports.balance.plan import FULL, BalancePlan, Effort
from reports.balance.sections import rulings as section
from reports.balance.sections.rulings import (
    DISTANCE,
    FINDINGS,
    GAP,
    OVERTURNED,
    SKILL_GAP,
    MeasuredVariant,
    Variant,
    deck_sentences,
    deck_variants,
    main_finding,
    measure,
    overturned_findings,
    turned_over,
    variants,
)
from reports.estimates.intervals import Interval
from reports.simulation.summary import GAME_TURNS, SCORE, SHARED_WINS
from simulate import Rules, Table
from simulate.escalation.rules import PRESETS, RULINGS
from strategies.catalogue import strategy
from tests.reports.balance.raw_games import shares_of_wins

PLAN = BalancePlan(Rules(players=3), (3,), effort=Effort("quick", 1, 1, 1))


@pytest.fixture(scope="module")
def finding(play):
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(section, "deck_variants", lambda plan: deck_variants(plan)[:2])
        return measure(PLAN, play)


@pytest.mark.parametrize("name", ["as asked", "wild_only_sets=false", "one-wild"])
def test_numbers_are_those_of_plain_games(finding, name):
    rules = {"as asked": PLAN.rules, "one-wild": Rules(PRESETS["one-wild"], players=3)}.get(
        name, Rules(players=3, wild_only_sets=False)
    )
    standard, novice = strategy("standard"), strategy("novice")
    equals = Table(rules, (standard,) * 3, "given").play(1, np.arange(5040))
    scores = equals.scores
    shared = (scores == scores.min(axis=1, keepdims=True)).sum(axis=1)
    won = (scores == scores.min(axis=1, keepdims=True)) / shared[:, None]
    row = finding.frames["rulings"].set_index("variant").loc[name]
    assert row["game_turns"] == pytest.approx(equals.turns.mean())
    assert row["score"] == pytest.approx(scores.mean())
    assert row["shared_wins_per_100_games"] == pytest.approx(100 * (shared > 1).mean())
    assert row["position_advantage"] == pytest.approx(100 * np.abs(won.mean(axis=0) - 1 / 3).max())
    mixed = Table(rules, (standard, novice, novice), "rotate").play(1, np.arange(5040))
    at_seat = np.empty(mixed.scores.shape)
    np.put_along_axis(at_seat, mixed.seating, shares_of_wins(mixed.scores), axis=1)
    gaps = at_seat[:, :1] - at_seat[:, 1:]
    assert row["skill_gap"] == pytest.approx(100 * gaps.mean(axis=0).min())
    # 5% divided among the variants, seven intervals each, and this one's part between both of the others.
    errors = NormalDist().inv_cdf(1 - 0.05 / (2 * 7 * len(finding.frames["rulings"]) * 2))
    gaps = gaps[:, gaps.mean(axis=0).argmin()]
    reach = (row["skill_gap_high"] - row["skill_gap_low"]) / 2
    assert reach == pytest.approx(errors * 100 * np.std(gaps) / np.sqrt(5040), rel=4e-3)


def test_the_section_looks_at_every_ruling_and_deck(finding):
    frame, others = finding.frames["rulings"], len(PRESETS) - 1
    assert frame["kind"].tolist() == ["as asked", *["ruling"] * len(RULINGS), *["deck"] * others, *["unequal deck"] * 2]
    assert finding.threshold == OVERTURNED
    assert finding.name == "rulings"
    assert len(finding.tables[0].rows) == 1 + len(RULINGS) + others
    assert "The copies per value are an assumption" in " ".join(finding.texts)
    assert finding.figures[0].csv == "rulings.csv"


def test_variants_differ_from_the_game_asked_in_one_thing():
    plan = BalancePlan(Rules(PRESETS["even"], players=4, lead_pass=True), (4,), effort=FULL)
    asked, *others = variants(plan)
    assert asked.rules == plan.rules
    for one in others:
        differing = [name for name in (*RULINGS, "deck") if getattr(one.rules, name) != getattr(plan.rules, name)]
        assert len(differing) == 1
    names = [one.name for one in others]
    assert names[:2] == ["lead_pass=false", "pass_hand_takes=false"]
    assert [name.partition("=")[0] for name in names] == [*RULINGS, *(name for name in PRESETS if name != "even")]
    assert len({one.rules.deck for one in deck_variants(plan)}) == 64


def test_a_ruling_that_needs_another_is_turned_over_together_with_it():
    named = {one.name: one.rules for one in variants(BalancePlan(Rules(), (4,)))}
    assert named["lead_pass=true, pass_hand_takes=false"] == Rules(lead_pass=True, pass_hand_takes=False)
    assert "pass_hand_takes=false" not in named


def measured(name, *lights, kind="ruling", gap=20.0):
    numbers = {one: Interval(gap, gap - 1, gap + 1) for one in (DISTANCE, SKILL_GAP, SCORE, GAME_TURNS, SHARED_WINS)}
    return MeasuredVariant(Variant(kind, name, PLAN.rules), 5040, numbers, dict(zip(FINDINGS, lights, strict=True)))


def test_a_finding_is_overturned_only_if_both_sides_are_sure():
    base = measured("as asked", "good", "bad", "good", "middle", kind="as asked")
    same = measured("a", "good", "bad", "good", "middle")
    other = measured("b", "bad", "middle", "good", "good")
    assert turned_over(base, same) == []
    assert turned_over(base, other) == ["positions are even"]
    assert turned_over(base, other, surely=False) == [
        "positions are even",
        "skill shows",
        "wins are seldom shared",
    ]
    counted = overturned_findings([base, same, other])
    assert (counted.estimate, counted.low, counted.high) == (1, 1, 3)
    assert main_finding([base, same, other]) == (
        "Of 4 findings, rulings and decks overturn 1: “positions are even” by b."
    )
    # What an unequal deck does is told, but does not count: nobody prints it.
    odd = measured("c", "bad", "good", "bad", "bad", kind="unequal deck")
    assert overturned_findings([base, same, odd]).low == 0


def test_thresholds_of_other_sections_decide_here_too(play, finding):
    assert GAP.name == "skill-gap"
    lights = finding.frames["rulings"].set_index("variant").loc["as asked"]
    assert lights["skill_shows"] == "green light"
    strict = BalancePlan(Rules(players=3), (3,), effort=PLAN.effort, thresholds={"skill-gap": 99.0})
    base = finding.frames["rulings"].iloc[0]
    numbers = {SKILL_GAP: Interval(base["skill_gap"], base["skill_gap_low"], base["skill_gap_high"])}
    rest = dict.fromkeys((DISTANCE, SCORE, GAME_TURNS, SHARED_WINS), Interval(1.0, 1.0, 1.0))
    assert section.lights_of(strict, {**rest, **numbers})["skill shows"] == "bad"


def decks_with(scores):
    """Return unequal decks with these scores, shape (decks, blocks); all other numbers differ by noise alone."""
    rng = np.random.default_rng(1)

    def block(score):
        numbers = dict.fromkeys((DISTANCE, SKILL_GAP, SCORE, GAME_TURNS, SHARED_WINS), 9.0)
        numbers = {name: value + rng.normal() for name, value in numbers.items()} | {SCORE: score}
        return {name: Interval.around(value, 1) for name, value in numbers.items()}

    deck = measured("deck", "good", "good", "good", "good", kind="unequal deck")
    return [replace(deck, blocks=[block(score) for score in own]) for own in scores]


def test_ranges_over_unequal_decks_are_told_without_noise():
    base = measured("as asked", "good", "good", "good", "good", kind="as asked")
    noise = np.random.default_rng(2).normal(0, 1, (40, 4))
    planted = np.linspace(10, 30, 40)[:, None] + noise
    (said,) = deck_sentences([base, *decks_with(planted)])
    low, high = map(float, re.search(r"score ([0-9.]+) to ([0-9.]+) [^;]* beyond noise", said).groups())
    assert 9 < low < 11.5
    assert 28.5 < high < 31
    (said,) = deck_sentences([base, *decks_with(20 + noise)])
    assert re.search(r"score (19|20)\.\d [^;,]*, no difference beyond noise", said)
    assert said.count("no difference beyond noise") == 5
    # With a single block of deals noise cannot be told from decks.
    (said,) = deck_sentences([base, *decks_with(planted[:, :1])])
    assert said.count("noise included") == 5
