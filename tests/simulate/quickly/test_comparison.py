"""The same deals for a group without and with a change."""

from __future__ import annotations

import numpy as np

from simulate.quickly.comparison import GroupComparison, TurnedDeals, counts_of
from simulate.quickly.engine import Group
from simulate.quickly.reference import play
from simulate.quickly.rules import GroupRules
from strategies.quickly import person


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


def test_turned_deals_are_those_that_only_one_group_wins_in_the_slow_engine():
    rules, deals = GroupRules.printed(5), np.arange(40)
    groups = [Group(rules, (person(text),) * 5) for text in ("plain,sigma=2", "plain,sigma=2,talk=4")]
    without, with_change = ({d for d in range(40) if play(group, 6, d).good == rules.target} for group in groups)
    turned = TurnedDeals(GroupComparison(*groups)).play_deals(6, deals)
    assert turned["won"].tolist() == sorted(with_change - without)
    assert turned["lost"].tolist() == sorted(without - with_change)
