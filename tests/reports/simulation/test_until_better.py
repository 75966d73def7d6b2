"""How long people must play until the better player is ahead."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest

from reports.simulation.plan import SimulationPlan, simulate_table
from reports.simulation.until_better import until_better
from simulate import Rules, Table
from simulate.escalation.kernel.win_shares import win_shares
from strategies.catalogue import strategy
from strategies.errors import InputError

SEATS = (strategy("standard"), strategy("novice"), strategy("novice"))
PLAN = SimulationPlan(Rules(players=3), SEATS)


def test_the_forecast_is_right_for_games_really_played():
    """Play that many games many times: the better player is ahead in as many runs as promised."""
    games, matches = simulate_table(replace(PLAN, sureness=0.95), 50_000).until_better
    number = round(games.needed.estimate)
    table = Table(Rules(players=3), SEATS)
    runs = 600
    played = table.play(9, np.arange(runs * number))
    shares = win_shares(played.scores.astype(np.int64))
    by_seat = np.empty_like(shares)
    np.put_along_axis(by_seat, played.seating, shares, axis=1)
    ahead = (by_seat[:, 0] - by_seat[:, 1]).reshape(runs, number).sum(axis=1)
    # Runs in which both have won equally often are half a success: the forecast is of a continuous sum.
    share = ((ahead > 0).sum() + (ahead == 0).sum() / 2) / runs
    assert abs(share - 0.95) < 3 * math.sqrt(0.95 * 0.05 / runs) + 0.01
    assert games.needed.low < games.needed.estimate < games.needed.high
    assert matches.needed.estimate < games.needed.estimate
    assert "standard has won more of them than novice with a probability of 95%" in games.sentence


def test_the_order_of_seats_does_not_matter():
    turned = SimulationPlan(Rules(players=3), SEATS[::-1])
    one, other = (simulate_table(replace(plan, sureness=0.9), 30_000).until_better[0] for plan in (PLAN, turned))
    assert one.gap.estimate > 0 > other.gap.estimate
    assert other.needed.low < one.needed.high
    assert one.needed.low < other.needed.high


def test_equal_players_are_too_close_to_tell():
    seats = (strategy("standard"), strategy("standard,noise=0"), strategy("standard"))
    (games, _) = simulate_table(SimulationPlan(Rules(players=3), seats, sureness=0.95), 5040).until_better
    assert "too close to say who is better" in games.sentence
    assert games.as_data()["needed"] is None


@pytest.mark.parametrize(
    ("seats", "sureness", "message"),
    [
        (SEATS, 0.5, "more than 50 and less than 100"),
        (SEATS, 1.0, "more than 50 and less than 100"),
        (SEATS[1:], 0.9, "compares two strategies, not 1"),
    ],
)
def test_what_cannot_be_compared_is_refused(seats, sureness, message):
    with pytest.raises(InputError, match=message):
        until_better({}, seats, sureness)
