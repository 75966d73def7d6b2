"""What is asked of a balance report, and how it is told as a command, as data and as a digest."""

from __future__ import annotations

import shlex
import sys
from dataclasses import fields, replace

import pytest

import cli
from reports.balance import redesign_aims
from reports.balance.plan import (
    QUICK,
    SECTION_NAMES,
    BalancePlan,
    Threshold,
    closer_look,
    light_above,
    light_below,
    population_with,
    read_versus,
)
from reports.balance.report import SECTIONS, known_thresholds, read_thresholds
from reports.estimates.intervals import Interval
from reports.questions import question_from
from simulate import Rules
from simulate.escalation.rules import PRESETS
from strategies.catalogue import strategy
from strategies.errors import InputError


def plan_of(line: str) -> BalancePlan:
    """Return the plan that the command line makes of a command, without playing it."""
    _, name, *arguments = shlex.split(line)
    with cli.main.commands[name].make_context(name, arguments) as context:
        options, rules = (
            kind(**{field.name: context.params[field.name] for field in fields(kind)})
            for kind in (cli.BalanceOptions, cli.RulesOptions)
        )
    return options.plan(rules)


@pytest.mark.parametrize(
    "line",
    [
        "escalation balance",
        "escalation balance --quick --players 3-4",
        "escalation balance --players 2 --deck even --hand-size 5 --wild-max 6 --rule lead_pass=true --seed 9",
        "escalation balance --section positions --section health --threshold position-advantage=3.5 --versus lead_pass",
        "escalation balance --seat standard,early_take=2 --target length --versus beat_own_total=false",
        "escalation balance --deck '1-12x4,13x3,Wx1,Px4'",
    ],
)
def test_the_command_that_asks_again_asks_the_same(line: str):
    plan = plan_of(line)
    assert plan_of(plan.command("out/again")) == plan
    assert plan.command("out/again").endswith("--out out/again") or "--out out/again --" in plan.command("out/again")


def test_the_command_that_asks_again_names_rules_behind_the_players_and_rulings_last():
    line = (
        "escalation balance --quick --players 2 --deck even --hand-size 5 --wild-max 6 --seat novice --target length "
        "--versus one-wild --seed 9 --out out/again --rule lead_pass=true --section setting --threshold card-worth=4"
    )
    assert plan_of(line).command("out/again") == line


def test_what_options_cannot_say_is_asked_from_the_file():
    plan = BalancePlan(Rules(players=3), (2, 4))
    assert plan.command() == "escalation run experiment.toml"
    for changed in (
        replace(BalancePlan(Rules()), weaker=(strategy("random"),)),
        replace(BalancePlan(Rules()), effort=replace(QUICK, blocks=3)),
    ):
        assert "run experiment.toml" in changed.command()


@pytest.mark.parametrize(
    "plan",
    [
        BalancePlan(Rules()),
        BalancePlan(
            Rules(PRESETS["even"], 3, 5).with_rulings({"lead_pass": True}), (2, 3), 7, QUICK, "choices",
            strategy("standard,shed=0.5"), (strategy("random"),), population_with(strategy("jumper")),
            {"position-advantage": 4.0}, ("positions",), "one-wild",
        ),
    ],
)  # fmt: skip
def test_a_plan_is_read_from_its_own_description(plan: BalancePlan):
    question = question_from(plan.provenance(plan.games).as_data())
    assert question.plan == plan
    assert question.games == plan.games


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"effort": "quik"}, "did you mean 'quick'"),
        ({"target": "lenght"}, "did you mean 'length'"),
        ({"sections": ["positons"]}, "did you mean 'positions'"),
        ({"thresholds": {"position-advantage": "much"}}, "not a number"),
        ({"versus": "evn"}, "did you mean 'even'"),
        ({"weakr": []}, "did you mean 'weaker'"),
        ({"players": []}, "at least one"),
    ],
)
def test_mistakes_in_a_description_are_named(changes: dict[str, object], message: str):
    data = BalancePlan(Rules()).provenance(1).as_data()
    data = {name: value for name, value in data.items() if name != "digest"}
    with pytest.raises(InputError, match=message):
        question_from({**data, "spec": {**data["spec"], **changes}})


def test_the_digest_covers_what_decides_numbers_and_nothing_else():
    plan = BalancePlan(Rules())
    same = (
        replace(plan, thresholds={"position-advantage": 4.0}),
        replace(plan, sections=("positions",)),
        replace(plan, versus="even"),
        replace(plan, effort=replace(plan.effort, blocks=3)),
    )
    other = (
        replace(plan, seed=2),
        replace(plan, rules=replace(plan.rules, hand_size=5)),
        replace(plan, effort=QUICK),
        replace(plan, standard=strategy("minimal")),
        replace(plan, player_counts=(4,)),
    )
    assert {one.digest for one in same} == {plan.digest}
    assert plan.digest not in {one.digest for one in other}


def test_another_deck_or_a_ruling_can_be_put_beside():
    rules = Rules()
    assert read_versus("even", rules) == replace(rules, deck=PRESETS["even"])
    assert read_versus("lead_pass", rules).lead_pass is True
    assert read_versus("beat_own_total", rules).beat_own_total is False
    assert read_versus("lead_pass=true", rules) == read_versus("lead_pass", rules)
    assert read_versus("pass_hand_takes", rules) == replace(rules, lead_pass=True, pass_hand_takes=False)
    for text, message in (
        ("jokers3", "already"),
        ("lead_pass=false", "already"),
        ("pass_hand_takes=false", "changes nothing without lead_pass=true"),
        ("lead_pass=perhaps", "malformed"),
        ("lead_pas", "lead_pass"),
        ("evn", "did you mean 'even'"),
    ):
        with pytest.raises(InputError, match=message):
            read_versus(text, rules)


def test_a_deck_too_small_for_the_largest_table_is_refused():
    with pytest.raises(InputError, match="too few"):
        BalancePlan(Rules(players=2, hand_size=10), (2, 6))


def test_lights_depend_on_the_whole_interval():
    for low, high, below, above in ((0, 1, "good", "bad"), (1, 3, "middle", "middle"), (3, 4, "bad", "good")):
        interval = Interval((low + high) / 2, low, high)
        assert light_below(interval, 2) == below
        assert light_above(interval, 2) == above


def test_the_closer_look_is_at_four_players_or_next_to_it():
    assert [closer_look(counts) for counts in ((2, 3, 4, 5, 6), (2, 3), (5, 6), (3, 5))] == [4, 3, 5, 3]


def test_every_section_has_its_name_in_the_order_of_the_report():
    assert tuple(SECTIONS) == SECTION_NAMES


def test_every_threshold_of_a_section_is_known_in_the_order_of_the_report():
    parts = [*(sys.modules[measure.__module__] for measure in SECTIONS.values()), redesign_aims]
    found = {value.name for part in parts for value in vars(part).values() if isinstance(value, Threshold)}
    assert found == set(known_thresholds())
    with pytest.raises(InputError) as mistake:
        read_thresholds(["nonsense=1"])
    named = [name.strip() for name in str(mistake.value).rpartition("allowed:")[2].split(",")]
    assert named[:4] == ["position-advantage", "match-evenness", "seconds-per-turn", "game-minutes"]
    assert named[-4:] == ["redesign-choices", "redesign-diversity", "redesign-length", "redesign-positions"]
