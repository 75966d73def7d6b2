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
        # Six orders of two bad rounds among the first four; the fifth is good. All who lose stood so badly, too.
        COMEBACKS: 100 * 6 * good**3 * bad**2 / (1 - win_chance(good) + 6 * good**3 * bad**2),
    }
    numbers = summarise_group(counts(60_000, sigma=1.5), level=0.9999)
    for measure, value in expected.items():
        assert numbers[measure].low < value < numbers[measure].high, measure


def test_a_comeback_stood_one_bad_round_from_the_end_whenever_that_was():
    counted = {name: numbers * 0 for name, numbers in counts(1).items()}
    # Won 3:0, 3:1 and 3:2 (the last only one bad round from the end), lost 0:3 and 2:3.
    ends = np.repeat([(3, 0), (3, 1), (3, 2), (0, 3), (2, 3)], [50, 40, 10, 5, 25], axis=0)
    np.add.at(counted["final_scores"], tuple(ends.T), 1)
    good, rounds = ends[:, 0], ends.sum(axis=1)
    counted |= {"games": np.array([130]), "wins": np.array([100]), "good": good[:, None].sum(axis=0)}
    counted |= {"rounds": rounds[:, None].sum(axis=0), "mistakes": np.array([200, 200])}
    counted["good_products"] = np.array([good @ good, good @ rounds, rounds @ rounds])
    numbers = summarise_group(counted)
    assert numbers[COMEBACKS].estimate == pytest.approx(100 * 10 / (10 + 30))
    assert numbers[NEAR_MISSES].estimate == pytest.approx(100 * 25 / 130)


def test_the_error_of_the_share_of_good_rounds_is_the_spread_over_repetitions():
    shares = [round_success(counts(200, 200 * repetition)) for repetition in range(400)]
    spread = np.std([share.estimate for share in shares], ddof=1)
    told = np.mean([share.half_width for share in shares]) / 1.959964
    assert told == pytest.approx(spread, rel=4 / math.sqrt(2 * len(shares)))


def test_one_game_has_no_error_and_no_comebacks():
    one = summarise_group(counts(1))
    assert math.isinf(one[GOOD_ROUNDS].half_width)
    assert COMEBACKS not in one
