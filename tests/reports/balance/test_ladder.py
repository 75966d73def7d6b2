"""The skill ladder: rungs, the steps chosen, and their gaps from single games of fresh deals."""

from __future__ import annotations

import numpy as np
import pytest

from reports.balance.ladder import chain, ladder_frame, measure_ladder, rungs
from reports.balance.plan import BalancePlan, Effort
from simulate import Rules
from strategies.catalogue import strategy
from tests.reports.balance.raw_games import ahead_of_all, win_shares

PLAN = BalancePlan(Rules(players=3), (3,), effort=Effort("quick", 1, 1, 1))


def test_steps_of_the_ladder_are_measured_on_deals_beyond_those_they_were_chosen_on(play):
    frame = ladder_frame(measure_ladder(PLAN, play, 100.0))
    assert frame["weaker"].iloc[0] == "random"
    assert frame["better"].iloc[-1] == "standard"
    assert "novice" in frame["better"].tolist()
    assert frame["better"].tolist()[:-1] == frame["weaker"].tolist()[1:]
    last = frame.iloc[-1]
    weaker = strategy(last["weaker"])
    deals = np.arange(5040, 10080)
    at_seat = win_shares((strategy("standard"), weaker, weaker), deals, "rotate")
    gap = min(at_seat[:, 0].mean() - at_seat[:, other].mean() for other in (1, 2))
    assert last["gap_in_wins_per_100_games"] == pytest.approx(100 * gap, abs=1e-9)
    assert ahead_of_all(at_seat, int(last["games_until_ahead"])) == pytest.approx(0.95, abs=0.015)
    assert (frame["clear"] == "yes").sum() >= 2


def test_a_chain_takes_the_first_clear_step_and_ends_where_it_is_to_end():
    games = {(low, high): 100 / (high - low) for low in range(6) for high in range(low + 1, 6)}
    assert chain(games, 0, 5, 100) == [0, 1, 2, 3, 4, 5]
    assert chain(games, 0, 5, 50) == [0, 2, 5]
    assert chain(games, 1, 3, 10) == [1, 3]
    assert chain(games, 3, 3, 100) == [3]


@pytest.mark.parametrize("name", ["standard", "novice", "minimal", "random", "minimal,noise=0.2"])
def test_rungs_are_different_players_whoever_the_best_is(name):
    best = strategy(name)
    lower, upper = rungs(best)
    assert lower[0] == strategy("random")
    assert lower[-1] == upper[0] == strategy("novice")
    assert upper[-1].values == best.values
    for half in (lower, upper):
        assert len({one.values for one in half}) == len(half)
