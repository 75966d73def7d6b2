"""What is known exactly about a group, as lines and as data."""

from __future__ import annotations

import json

import pytest

from reports.quickly.exact import exact_group, exact_group_data, exact_group_lines
from simulate.quickly.rules import GroupRules
from strategies.errors import InputError
from strategies.quickly import person


def report(players, text="plain,sigma=1.5"):
    return exact_group(GroupRules.printed(players), person(text))


def test_four_cards_in_random_order_are_right_once_in_24():
    lines = list(exact_group_lines(report(4)))
    assert "  good round  1/24 = 0.041667" in lines
    # Three good rounds before three bad ones: p**3 (1 + 3 (1 - p) + 6 (1 - p)**2) with p = 1/24.
    won = 1 / 24**3 * (1 + 3 * 23 / 24 + 6 * (23 / 24) ** 2)
    assert exact_group_data(report(4))["random_order"]["win"]["decimal"] == pytest.approx(won)
    assert any(line.startswith("  win ") and line.endswith(f"{won:.6f}") for line in lines)


def test_nobody_errs_without_noise():
    noiseless = report(4, "plain,sigma=0.02")
    assert noiseless.sort == pytest.approx(1)
    data = exact_group_data(noiseless)
    assert data["sort"]["win"] == pytest.approx(1)
    # Three good rounds in a row.
    assert data["sort"]["expected_rounds"] == pytest.approx(3)


def test_the_best_timing_is_told_only_where_no_mistake_is_allowed():
    without, allowed = report(4), report(8)
    assert (without.rules.mistakes, allowed.rules.mistakes > 0) == (0, True)
    assert any("backward induction" in line for line in exact_group_lines(without))
    assert not any("backward induction" in line for line in exact_group_lines(allowed))
    assert exact_group_data(without)["best_timing_knowing_only_the_order"] == {"round_success": without.timing}
    assert exact_group_data(allowed)["best_timing_knowing_only_the_order"] is None


def test_the_data_is_plain():
    data = exact_group_data(report(5))
    assert json.loads(json.dumps(data, allow_nan=False)) == data
    assert (data["person"], data["rules"]["players"]) == ("plain,sigma=1.5", 5)
    assert data["random_order"]["round_success"] == {"fraction": "1/120", "decimal": 1 / 120}


def test_what_exact_results_do_not_cover_is_refused():
    with pytest.raises(InputError):
        report(4, "plain,organiser=replan")
