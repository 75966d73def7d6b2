"""Questions as TOML: they come back as they went, and a mistake in the file is named."""

from __future__ import annotations

import copy
import tomllib
from pathlib import Path

import pytest

from reports.ask.player_question import PlayerQuestion
from reports.ask.question import read_subject
from reports.ask.verdict import Stopping
from reports.output.toml import as_toml
from reports.questions import question_from, read_question
from reports.simulation.plan import SimulationPlan
from reports.sweep.designs import Design
from reports.sweep.plan import SweepPlan
from reports.sweep.variation import read_variation
from simulate import Deck, Rules
from strategies.catalogue import strategy
from strategies.errors import InputError

SEATS = (strategy("standard,shed=1"), strategy("novice"))


def plans() -> list[SweepPlan | SimulationPlan]:
    varied = tuple(
        read_variation(text) for text in ("early_take=0:6:2", "deck=even,one-wild", "rule.lead_pass=true,false")
    )
    drawn = tuple(read_variation(text) for text in ("shed=0:0.5", "opponents.noise=0:1:0.5"))
    listed = Design("points", rows=((0.0, 0.5), (1.0, 0.0), (0.0, 0.0)) * 2, players=(2, 2, 2, 4, 4, 4))
    odd = Rules(Deck.parse("1-12x4,Wx2,Px4"), 3, 5, 6, lead_pass=True, wild_only_sets=False)
    return [
        SweepPlan(varied, (2, 3), Rules(), SEATS, seed=7, metrics=("score", "takes")),
        SweepPlan(drawn, (4,), odd, SEATS, match=True, design=Design("sobol", 8)),
        SweepPlan(drawn, (2, 4), Rules(), SEATS, design=listed),
        SweepPlan(varied[:1], (3,), Rules(), SEATS[:1], "all", design=Design("one-at-a-time")),
        SimulationPlan(Rules(odd.deck, 2), SEATS, "rotate", seed=3),
        SimulationPlan(Rules(players=2), SEATS, match=True),
    ]


@pytest.mark.parametrize("plan", plans(), ids=range(6))
def test_a_question_comes_back_as_it_went(plan, tmp_path: Path):
    path = tmp_path / "question.toml"
    path.write_text(as_toml(plan.provenance(20_000).as_data()))
    back = read_question(path)
    assert back.games == 20_160
    assert back.provenance.digest == plan.provenance(1).digest
    assert back.provenance == plan.provenance(20_000)
    assert [t.spec() for t in back.plan.experiment.settings] == [t.spec() for t in plan.experiment.settings]
    if isinstance(plan, SweepPlan):
        assert back.plan.points == plan.points


def tactic_questions() -> list[PlayerQuestion]:
    odd = Rules(Deck.parse("1-12x4,Wx2,Px4"), 3, 5, 6, lead_pass=True)
    stopping = Stopping(0.01, 0.1, 0.002, 20_000)
    fields = (strategy("novice"), strategy("standard,shed=1"))
    tuned = strategy("standard,wild_hold=1.5")

    def asked(name, rules, counts, base, **more):
        return PlayerQuestion(name, read_subject(name), rules, counts, base, **more)

    return [
        asked("pass-hoarding", odd, (2, 3), tuned, fields=fields, match=True, stopping=stopping, seed=9),
        asked("early_take=3,early_take_limit=4", Rules(), (4,), strategy("standard"), everywhere=True),
        asked("wild_hold=0:4:0.5", Rules(), (2,), tuned),
    ]


@pytest.mark.parametrize("asked", tactic_questions(), ids=lambda asked: asked.name)
def test_a_question_about_a_tactic_comes_back_as_it_went(asked):
    back = question_from(tomllib.loads(as_toml(asked.provenance.as_data())))
    assert back.provenance == asked.provenance
    assert (back.subject, back.base, back.fields, back.match) == (asked.subject, asked.base, asked.fields, asked.match)
    assert (back.stopping.alpha, back.stopping.most_deals) == (asked.stopping.alpha, asked.stopping.most_deals)
    assert [one.spec() for one in back.experiment.settings] == [one.spec() for one in asked.experiment.settings]


TACTIC = tomllib.loads(as_toml(tactic_questions()[0].provenance.as_data()))
SWEEP = tomllib.loads(as_toml(plans()[0].provenance(5040).as_data()))
DRAWN = tomllib.loads(as_toml(plans()[1].provenance(5040).as_data()))


def changed(data, *path_and_value):
    *path, last, value = path_and_value
    data = copy.deepcopy(data)
    place = data
    for key in path:
        place = place[key]
    if value is None:
        del place[last]
    else:
        place[last] = value
    return data


@pytest.mark.parametrize(
    ("data", "complaint"),
    [
        (changed(TACTIC, "spec", "opponets", []), "did you mean 'opponents'"),
        (changed(TACTIC, "spec", "asked", "pass-hording"), "did you mean 'pass-hoarding'"),
        (changed(TACTIC, "spec", "alpha", "much"), "alpha is 'much', not a number"),
        (changed(TACTIC, "spec", "alpha", 0.6), "alpha 0.6 is not allowed: 1e-12 to 0.5"),
        (changed(TACTIC, "spec", "wins_of", "match"), "did you mean 'matches'"),
        (changed(TACTIC, "spec", "players", []), "at least one entry"),
        (changed(TACTIC, "spec", "base", "novice"), "its digest belongs to another experiment"),
        (changed(SWEEP, "sede", 1), "unknown key 'sede': did you mean 'seed'"),
        (changed(SWEEP, "seed", None), "the key 'seed' is missing"),
        (changed(SWEEP, "seed", "one"), "seed is 'one', not a whole number"),
        (changed(SWEEP, "seed", True), "seed is True, not a whole number"),
        (changed(SWEEP, "seed", -8), "seed -8 is not allowed"),
        (changed(DRAWN, "seed", -8), "seed -8 is not allowed"),
        (changed(SWEEP, "games_per_setting", 10**12 + 1), "1 to 1000000000000"),
        (changed(TACTIC, "spec", "most_deals", 10**13), "not allowed: 1 to 1000000000000"),
        (changed(SWEEP, "spec", "strategies", "novice", "noise", 10**400), "noise is too large a number"),
        (changed(SWEEP, "deck", "even"), "deck = 'even' stands at the top, but .* which one is meant"),
        (changed(SWEEP, "rules", "other"), "rules = 'other' stands at the top, but"),
        (changed(SWEEP, "settings", 3), "settings = 3 stands at the top, but"),
        (changed(SWEEP, "seed", 8), "its digest belongs to another experiment"),
        (changed(SWEEP, "kernel_version", 0), "kernel version 0, this is"),
        (changed(SWEEP, "question", "swep"), "did you mean 'sweep'"),
        (changed(SWEEP, "games_per_setting", 0), "not allowed"),
        (changed(SWEEP, "spec", "x"), "not a table"),
        (changed(SWEEP, "spec", "vray", {}), "spec: unknown key 'vray': did you mean 'vary'"),
        (changed(SWEEP, "spec", "vary", "early_tak", [1]), "did you mean 'early_take'"),
        (changed(SWEEP, "spec", "vary", "early_take", [1, "x"]), "'x' is not a number"),
        (changed(SWEEP, "spec", "vary", "deck", [1]), "1 is not a word"),
        (changed(SWEEP, "spec", "vary", "early_take", []), "no values"),
        (changed(SWEEP, "spec", "players", [1]), "from 2 to 9"),
        (changed(SWEEP, "spec", "players", ["2"]), "not a whole number"),
        (changed(SWEEP, "spec", "strategies", "novice", "nose", 1), "did you mean 'noise'"),
        (changed(SWEEP, "spec", "strategies", "novice", "noise", "1"), "not a number"),
        (changed(SWEEP, "spec", "rulings", "lead_pas", True), "did you mean 'lead_pass'"),
        (changed(SWEEP, "spec", "who", "everybody"), "unknown choice"),
        (changed(SWEEP, "spec", "metrics", ["scoer"]), "did you mean 'score'"),
        (changed(DRAWN, "spec", "design", "kind", "sobl"), "did you mean 'sobol'"),
        (changed(DRAWN, "spec", "design", "points", 9), "power of two"),
        (changed(DRAWN, "spec", "vary", "shed", 0.5), "not a list of values or a text"),
        (changed(DRAWN, "spec", "vary", "shed", "0:x"), "not a number"),
    ],
)
def test_a_mistake_is_named(data, complaint):
    with pytest.raises(InputError, match=complaint) as caught:
        question_from(data)
    assert "\n" not in str(caught.value)


def test_another_version_may_have_described_the_same_in_other_words():
    elsewhere = changed(changed(SWEEP, "rules", "as ever"), "toolkit_version", "0.0.1")
    assert question_from(elsewhere).provenance.digest == SWEEP["digest"]
    assert question_from(changed(SWEEP, "deck", None)).provenance.digest == SWEEP["digest"]


def test_a_strategy_may_be_left_to_the_catalogue():
    bare = changed(SWEEP, "spec", "strategies", None)
    assert question_from(bare).provenance.digest == SWEEP["digest"]


@pytest.mark.parametrize(("text", "complaint"), [(None, "cannot be read"), ("not = [toml", "is not TOML")])
def test_a_file_that_is_none_is_told(tmp_path: Path, text, complaint):
    path = tmp_path / "question.toml"
    if text:
        path.write_text(text)
    with pytest.raises(InputError, match=complaint):
        read_question(path)
