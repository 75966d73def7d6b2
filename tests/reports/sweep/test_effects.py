"""What is said about a sweep: averages, and sentences that claim no more than the intervals carry."""

from __future__ import annotations

import math

import pandas as pd
import pytest

from reports.simulation.summary import SCORE, WINS
from reports.sweep import SweepPlan, SweepResult, Variation, read_variation
from reports.sweep.effects import best_settings, freedom_of, jointly_widened, main_effects, main_finding, pair_finding
from simulate import Rules
from strategies.catalogue import strategy
from strategies.parameters import parameter


def result_of(
    wins, *, error: float, players: tuple[int, ...] = (4,), values=((0.0, 2.0, 4.0), (0.0, 1.0))
) -> SweepResult:
    """A sweep over pass_hoard and shed whose wins per 100 games are a given function with a given error."""
    names = ("pass_hoard", "shed")
    plan = SweepPlan(
        tuple(Variation(parameter(name), own) for name, own in zip(names, values, strict=True)),
        players,
        Rules(),
        (strategy("standard"),),
    )
    rows = []
    for point in plan.points:
        estimate = wins(point.players, *point.values)
        row = {"players": point.players, **dict(zip(names, point.values, strict=True))}
        for measure in (WINS, SCORE):
            row |= {
                measure.name: estimate,
                f"{measure.name}_low": estimate - error,
                f"{measure.name}_high": estimate + error,
            }
        rows.append(row)
    return SweepResult(plan, plan.provenance(1), pd.DataFrame(rows))


def test_a_main_effect_averages_over_the_other_parameter():
    effects = main_effects(result_of(lambda players, hoard, shed: 20 + hoard + 10 * shed, error=0.5), WINS)
    hoard = effects[effects["parameter"] == "pass_hoard"]
    assert hoard["value"].tolist() == [0, 2, 4]
    assert hoard["estimate"].tolist() == pytest.approx([25, 27, 29])
    assert (hoard["high"] - hoard["low"]).tolist() == pytest.approx([1, 1, 1])


def test_a_parameter_with_one_value_has_no_effect_to_show():
    result = result_of(lambda players, hoard, shed: 25 + hoard, error=0.1, values=((0.0, 1.0), (1.0,)))
    assert set(main_effects(result, WINS)["parameter"]) == {"pass_hoard"}


def test_widened_intervals_hold_together():
    # 20 rows share 5%: each has 0.25%, which is 3.023341 standard errors on either side instead of 1.959964.
    frame = pd.DataFrame({"estimate": [1.0] * 20, "low": [0.0] * 20, "high": [2.0] * 20})
    assert jointly_widened(frame)["high"].iloc[0] - 1 == pytest.approx(3.0233414397391 / 1.95996398454005)


def test_what_players_did_has_few_degrees_of_freedom():
    plan = SweepPlan((read_variation("shed=0,1"),), (2,), Rules(), (strategy("standard"),), metrics=("takes", "wins"))
    result = SweepResult(plan, plan.described(3 * 5040), pd.DataFrame())
    assert [freedom_of(result, measure) for measure in result.measures] == [2, math.inf]


def test_the_finding_names_what_matters_most_and_how_much():
    finding = main_finding(result_of(lambda players, hoard, shed: 20 + hoard + 10 * shed, error=0.1), WINS)
    headline, size = finding.split("\n")
    assert headline == "shed matters most: best at 1 card per card"
    assert size.startswith("+10.0 ± 0.3 wins per 100 games against shed = 0")


def test_values_that_may_be_as_good_are_named_together():
    finding = main_finding(result_of(lambda players, hoard, shed: 20 + min(hoard, 2), error=0.2), WINS)
    assert "best from 2 to 4 cards" in finding


def test_nothing_is_claimed_when_the_bands_touch():
    result = result_of(lambda players, hoard, shed: 25 + 0.1 * hoard, error=0.5)
    assert main_finding(result, WINS).startswith("No clear effect")
    assert pair_finding(result, WINS, "pass_hoard", "shed").startswith("No combination")


def test_few_cards_are_good_where_scores_are_compared():
    finding = main_finding(result_of(lambda players, hoard, shed: 10 + hoard, error=0.1), SCORE)
    assert "best at 0 cards" in finding
    assert "-4.0 ±" in finding


def test_table_sizes_that_agree_are_named_together():
    result = result_of(
        lambda players, hoard, shed: 100 / players + (hoard if players < 5 else 0), error=0.1, players=(3, 4, 5)
    )
    assert "best at 4 cards with 3 to 4 players" in main_finding(result, WINS)


def test_the_best_pair_is_named_with_those_that_may_be_as_good():
    result = result_of(lambda players, hoard, shed: 20 + 2 * hoard + 0.01 * shed, error=0.2)
    headline, tied = pair_finding(result, WINS, "pass_hoard", "shed").split("\n")
    assert headline == "pass_hoard 4 with shed 1 is among the best"
    assert tied == "Not clearly apart from the best: 2 of 6 with 4 players"


def test_table_sizes_that_disagree_on_the_best_pair_are_told_apart():
    result = result_of(lambda players, hoard, shed: hoard if players == 2 else -hoard, error=0.1, players=(2, 3))
    assert "depends on the number of players" in pair_finding(result, WINS, "pass_hoard", "shed")


def test_the_best_settings_come_first_at_each_table_size():
    result = result_of(lambda players, hoard, shed: hoard - shed, error=0.1, players=(2, 3))
    best = best_settings(result, WINS, 2)
    assert best[["players", "pass_hoard", "shed"]].to_numpy().tolist() == [[2, 4, 0], [2, 4, 1], [3, 4, 0], [3, 4, 1]]
