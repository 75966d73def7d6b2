"""How long people must play until the better player is ahead."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest

from reports.simulation.plan import SimulationPlan, simulate_table
from reports.simulation.until_better import until_better
from simulate import Rules, Table
from simulate.escalation.kernel.win_shares import WIN, win_shares
from strategies.catalogue import strategy
from strategies.errors import InputError

SEATS = (strategy("standard"), strategy("novice"), strategy("novice"))
PLAN = SimulationPlan(Rules(players=3), SEATS)


def test_the_forecast_is_right_for_games_really_played():
    """Play that many games many times: the better player is ahead of both others in as many runs as promised."""
    games, matches = simulate_table(replace(PLAN, sureness=0.95), 50_000).until_better
    number = int(games.needed.estimate)
    table = Table(Rules(players=3), SEATS)
    runs = 600
    played = table.play(9, np.arange(runs * number))
    shares = win_shares(played.scores.astype(np.int64))
    by_seat = np.empty_like(shares)
    np.put_along_axis(by_seat, played.seating, shares, axis=1)
    won = by_seat.reshape(runs, number, 3).sum(axis=1)
    share = (won[:, 0] > won[:, 1:].max(axis=1)).mean()
    assert abs(share - 0.95) < 3 * math.sqrt(0.95 * 0.05 / runs) + 0.01
    assert games.needed.low < games.needed.estimate < games.needed.high
    assert matches.needed.estimate < games.needed.estimate
    assert "on standard has won more of them than each novice with a probability of 95%" in games.sentence


def counted(wins: list[int], games: int) -> dict[str, np.ndarray]:
    """Counts of games with one winner each, and of no matches."""
    by_seat = WIN * np.array(wins)
    products = WIN * np.diag(by_seat)
    return {"games": np.array([games]), "matches": np.zeros(1, int), "wins": by_seat[:, None], "win_products": products}


def test_the_hardest_of_the_others_decides_and_not_the_next_one():
    counts = counted([4000, 1000, 3500, 1500], 10_000)
    players = (strategy("standard"), *(strategy("novice"),) * 3)
    (games,) = until_better(counts, players, 0.95)
    assert games.gap.estimate == pytest.approx(5.0)
    (alone,) = until_better(counted([4000, 3500], 10_000), (strategy("standard"), strategy("novice")), 0.95)
    assert games.needed.estimate == pytest.approx(alone.needed.estimate, rel=0.02)


def test_of_several_better_players_the_slowest_counts():
    players = (strategy("standard"), strategy("novice"), strategy("standard"), strategy("novice"))
    (games,) = until_better(counted([3500, 2000, 3000, 1500], 10_000), players, 0.95)
    (turned,) = until_better(counted([2000, 3500, 1500, 3000], 10_000), players, 0.95)
    assert games.gap.estimate == pytest.approx(10.0)
    assert (games.better, turned.better) == ("standard", "novice")
    assert (turned.gap.low, turned.gap.high) == pytest.approx((-games.gap.high, -games.gap.low))
    assert games.needed == turned.needed


def test_a_well_placed_other_may_never_be_passed():
    players = (strategy("standard"), *(strategy("novice"),) * 2)
    (games,) = until_better(counted([3600, 4000, 2400], 10_000), players, 0.95)
    assert "no number of them is enough. standard wins more on average, but less than the best placed" in games.sentence
    assert games.as_data()["needed"] is None


def test_numbers_are_whole_and_at_least_one():
    (games,) = until_better(counted([5000, 0], 5000), (strategy("standard"), strategy("random")), 0.95)
    assert (games.needed.low, games.needed.estimate, games.needed.high) == (1, 1, 1)
    assert "from 1 (1 to 1) on standard has won more of them than random" in games.sentence


def test_games_that_depend_on_each_other_are_not_forecast():
    (matches,) = simulate_table(replace(PLAN, sureness=0.9, match=True), 1).until_better
    assert matches.unit == "matches"


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
