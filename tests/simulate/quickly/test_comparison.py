"""A group with a change and without, on the same deals."""

from __future__ import annotations

import numpy as np

from simulate.quickly.comparison import GroupComparison, counts_of
from simulate.quickly.engine import Group
from simulate.quickly.reference import play
from simulate.quickly.rules import GroupRules
from strategies.quickly import person

RULES = GroupRules.printed(5)
SEED = 6
DEALS = np.arange(60, dtype=np.int64)


def group(text: str) -> Group:
    return Group(RULES, (person(text),) * 5)


def test_the_counts_are_those_of_games_replayed_one_by_one_with_the_slow_engine():
    compared = GroupComparison(group("plain,sigma=2"), group("plain,sigma=2,talk=4"))
    records = [[play(arm, SEED, deal) for deal in DEALS.tolist()] for arm in (compared.base, compared.changed)]
    won = [[record.good == RULES.target for record in arm] for arm in records]
    differences = [int(after) - int(before) for before, after in zip(*won, strict=True)]
    counts = compared.play_deals(SEED, DEALS)
    assert counts["deals"].tolist() == counts["units"].tolist() == [60]
    assert counts["win_differences"].tolist() == [differences.count(value) for value in (-1, 0, 1)]
    courses = [[(record.good, record.bad) for record in arm] for arm in records]
    assert counts["changed_games"].tolist() == [sum(a != b for a, b in zip(*courses, strict=True))]
    for which, arm in zip(("without", "with"), won, strict=True):
        assert counts_of(counts, which)["wins"].tolist() == [sum(arm)]
    for gained in (True, False):
        wanted = [deal for deal, difference in enumerate(differences) if difference == (1 if gained else -1)]
        assert compared.turned(SEED, DEALS, won=gained) == wanted


def test_a_change_that_is_none_changes_nothing():
    counts = GroupComparison(group("plain"), group("plain")).play_deals(SEED, DEALS)
    assert counts["win_differences"].tolist() == [0, 60, 0]
    assert counts["changed_games"].tolist() == [0]
