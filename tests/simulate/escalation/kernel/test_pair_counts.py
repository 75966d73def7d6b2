"""Sums over pairs of games are those of the differences one by one."""

from __future__ import annotations

import numpy as np

from simulate import Rules
from simulate.escalation.kernel.win_shares import whole_win
from simulate.escalation.settings.comparison import Comparison, reduce_pairs, unit_differences
from strategies.catalogue import strategy

STANDARD = strategy("standard")


CHANGED = strategy("standard,pass_hoard=0")


SEED = 3


def comparison(players=3, **more):
    return Comparison(Rules(players=players), STANDARD, CHANGED, **more)


def test_differences_by_deal_are_what_the_histogram_counts():
    paired, deals = comparison(2), np.arange(300)
    pairs = paired.pairs(SEED, deals)
    differences = unit_differences(pairs, match=False)[0]
    histogram = reduce_pairs(pairs, paired.rules, match=False)["win_differences"]
    reach = 2 * whole_win(2)
    assert np.bincount(differences + reach, minlength=2 * reach + 1).tolist() == histogram.tolist()
