"""Numbers of a group and their errors."""

from __future__ import annotations

import math

import numpy as np
import pytest

from reports.quickly.summary import (
    COMEBACKS,
    GAME_WINS,
    GOOD_ROUNDS,
    NEAR_MISSES,
    ROUNDS,
    round_success,
    summarise_group,
)
from simulate.quickly.engine import Group
from simulate.quickly.exact import expected_rounds, sort_success, win_chance
from simulate.quickly.rules import GroupRules
from strategies.quickly import person


def counts(games, first=0, sigma=1.0):
    group = Group(GroupRules.printed(4), (person("plain").with_changes({"sigma": sigma}),) * 4)
    return group.play_deals(3, np.arange(first, first + games))


def test_numbers_are_what_the_chance_of_a_good_round_implies():
    good = sort_success(GroupRules.printed(4), person("plain,sigma=1.5"))
    bad = 1 - good
    expected = {
        GAME_WINS: 100 * win_chance(good),
        GOOD_ROUNDS: 100 * good,
        ROUNDS: expected_rounds(good),
        NEAR_MISSES: 100 * 6 * good**2 * bad**3,
        COMEBACKS: 100 * good**3,
    }
    numbers = summarise_group(counts(60_000, sigma=1.5), level=0.9999)
    for measure, value in expected.items():
        assert numbers[measure].low < value < numbers[measure].high, measure


def test_the_error_of_the_share_of_good_rounds_is_the_spread_over_repetitions():
    shares = [round_success(counts(200, 200 * repetition)) for repetition in range(400)]
    spread = np.std([share.estimate for share in shares], ddof=1)
    told = np.mean([share.half_width for share in shares]) / 1.959964
    assert told == pytest.approx(spread, rel=4 / math.sqrt(2 * len(shares)))


def test_one_game_has_no_error_and_no_comebacks():
    one = summarise_group(counts(1))
    assert math.isinf(one[GOOD_ROUNDS].half_width)
    assert COMEBACKS not in one
