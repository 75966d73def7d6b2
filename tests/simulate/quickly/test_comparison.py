"""A group with a change and without, on the same deals."""

from __future__ import annotations

import numpy as np

from simulate.quickly.comparison import GroupComparison, TurnedDeals, counts_of
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
    turned = TurnedDeals(compared).play_deals(SEED, DEALS)
    for name, turn in (("won", 1), ("lost", -1)):
        assert turned[name].tolist() == [deal for deal, difference in enumerate(differences) if difference == turn]


def test_a_change_that_is_none_changes_nothing():
    counts = GroupComparison(group("plain"), group("plain")).play_deals(SEED, DEALS)
    assert counts["win_differences"].tolist() == [0, 60, 0]
    assert counts["changed_games"].tolist() == [0]


def test_the_counts_of_a_comparison_are_those_of_its_groups():
    rules, deals = GroupRules.printed(4), np.arange(500)
    one, other = (Group(rules, (person(text),) * 4) for text in ("plain", "plain,talk=3"))
    counts = GroupComparison(one, other).play_deals(5, deals)
    played = [group.play(5, deals) for group in (one, other)]
    won = [result.good == 3 for result in played]
    assert counts["win_differences"].tolist() == [
        int((won[0] & ~won[1]).sum()), int((won[0] == won[1]).sum()), int((won[1] & ~won[0]).sum()),
    ]  # fmt: skip
    alike = (played[0].good == played[1].good) & (played[0].bad == played[1].bad)
    assert counts["changed_games"][0] == 500 - alike.sum() > 0
    for which, result in zip(("without", "with"), played, strict=True):
        sums = counts_of(counts, which)
        assert all(np.array_equal(sums[name], value) for name, value in result.sums._asdict().items())


def test_turned_deals_are_those_that_only_one_group_wins():
    rules, deals = GroupRules.printed(4), np.arange(300)
    groups = [Group(rules, (person(text),) * 4) for text in ("plain", "plain,talk=3")]
    turned = TurnedDeals(GroupComparison(*groups)).play_deals(5, deals)
    won = [{deal for deal in range(300) if play(group, 5, deal).good == 3} for group in groups]
    assert set(turned["won"].tolist()) == won[1] - won[0] != set()
    assert set(turned["lost"].tolist()) == won[0] - won[1]
    # Whoever listens more loses no deal by it, so deals are lost the other way round.
    back = TurnedDeals(GroupComparison(*reversed(groups))).play_deals(5, deals)
    assert set(back["lost"].tolist()) == won[1] - won[0]
