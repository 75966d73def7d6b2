"""Games with a line-up of their own each."""

from __future__ import annotations

import numpy as np

from simulate import Rules, Table
from simulate.escalation.settings.lineups import LineUps
from strategies.catalogue import named_strategies

DEALS = np.arange(30, 130)


def shares(scores):
    lowest = min(scores)
    winners = scores.count(lowest)
    return [(score == lowest) * 6 // winners for score in scores]


def test_a_line_up_may_name_any_of_many_players():
    known = tuple(entry.strategy for entry in named_strategies().values())
    known = (*known, *(one.with_changes({"noise": 0.5}) for one in known))
    line_ups = np.stack([np.roll(np.arange(len(known)), turn)[:3] for turn in range(len(DEALS))])
    found = LineUps(Rules(players=3), known).win_shares(7, DEALS, line_ups)
    for deal, line_up, row in zip(DEALS[:25], line_ups, found, strict=False):
        table = Table(Rules(players=3), tuple(known[one] for one in line_up), "given")
        assert row.tolist() == shares(table.play(7, np.array([deal])).scores[0].tolist())
