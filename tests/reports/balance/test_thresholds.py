"""Thresholds of several sections: each is one and the same wherever it decides."""

from __future__ import annotations

import pytest

from reports.balance import thresholds
from reports.balance.plan import Threshold
from reports.balance.report import known_thresholds
from reports.balance.sections import player_count, positions, rulings

SHARED = [threshold for threshold in vars(thresholds).values() if isinstance(threshold, Threshold)]


@pytest.mark.parametrize("threshold", SHARED, ids=lambda threshold: threshold.name)
def test_a_threshold_of_several_sections_is_the_one_that_an_option_sets(threshold: Threshold):
    assert known_thresholds()[threshold.name] is threshold
    using = [section for section in (player_count, positions, rulings) if threshold in vars(section).values()]
    assert rulings in using
    assert len(using) > 1
