"""How many games until a player is ahead: against full convolutions, enumeration, and counts whose truth is known."""

from __future__ import annotations

import math

import numpy as np
import pytest

from reports.estimates import until_ahead
from reports.estimates.until_ahead import Lead, ahead_of_each, chance_ahead_of_all, games_until_ahead

LEADS = [Lead(0.6, 0.35), Lead(0.55, 0.45), Lead(0.9, 0.05), Lead(0.3, 0.1)]


def convolved(lead: Lead, games: int) -> list[float]:
    """The chance of being ahead after 1, 2, ... games, one convolution per game."""
    of_a_game, so_far, chances = [lead.minus, 1 - lead.plus - lead.minus, lead.plus], np.ones(1), []
    for number in range(1, games + 1):
        so_far = np.convolve(so_far, of_a_game)
        chances.append(float(so_far[number + 1 :].sum()))
    return chances


@pytest.mark.parametrize("lead", LEADS)
def test_chances_are_those_of_a_convolution_and_the_number_is_the_first_from_which_on_they_suffice(lead):
    chances = convolved(lead, 600)
    assert [lead.chance_ahead(games) for games in range(1, 601)] == pytest.approx(chances, abs=1e-12)
    for sureness in (0.6, 0.8, 0.95, 0.99):
        short = [games for games, chance in enumerate(chances, start=1) if chance < sureness]
        assert games_until_ahead([lead], 0, sureness) == max(short, default=0) + 1


def test_as_many_games_are_not_ahead_and_the_number_holds_from_there_on():
    """Three of four games are won, none is level: after one game 3/4, after two 9/16 (level: 3/8), then 27/32."""
    lead = Lead(0.75, 0.25)
    assert [lead.chance_ahead(games) for games in (1, 2, 3)] == pytest.approx([3 / 4, 9 / 16, 27 / 32])
    assert games_until_ahead([lead], 0, 0.7) == 3


@pytest.mark.parametrize("lead", [Lead(0.5, 0.48), Lead(0.1, 0.09), Lead(0.3, 0.29), Lead(0.02, 0.015)])
def test_the_approximation_for_many_games_is_as_good_as_the_exact_number(lead, monkeypatch):
    exact = games_until_ahead([lead], 0, 0.95)
    monkeypatch.setattr(until_ahead, "MOST_EXACT", 0)
    assert games_until_ahead([lead], 0, 0.95) == pytest.approx(exact, rel=0.002, abs=1)


def test_against_several_all_are_passed_at_once():
    """Three players who win 5, 3 and 2 of 10: every way in which that many games can be divided, counted."""
    leads = [Lead(0.5, 0.3), Lead(0.5, 0.2)]
    spreads = [lead.variance**0.5 for lead in leads]
    correlation = (0.5 - 0.2 * 0.3) / (spreads[0] * spreads[1])
    games = int(games_until_ahead(leads, correlation, 0.95))
    true = sum(
        math.comb(games, first) * math.comb(games - first, second)
        * 0.5**first * 0.3**second * 0.2 ** (games - first - second)
        for first in range(games + 1)
        for second in range(games - first + 1)
        if first > max(second, games - first - second)
    )  # fmt: skip
    assert true == pytest.approx(0.95, abs=0.006)
    assert chance_ahead_of_all(leads, correlation, games) == pytest.approx(true, abs=0.006)


def test_four_players_are_passed_as_rarely_as_in_drawn_games():
    wins, games = (0.31, 0.23, 0.23, 0.23), games_until_ahead([Lead(0.31, 0.23)] * 3, 0.5, 0.95)
    drawn = np.random.default_rng(1).multinomial(int(games), wins, 40_000)
    assert (drawn[:, :1] > drawn[:, 1:]).all(axis=1).mean() == pytest.approx(0.95, abs=0.006)
    assert games > 1.4 * games_until_ahead([Lead(0.31, 0.23)], 0, 0.95)


def sums(wins: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """What players won, and products, where every game has one winner."""
    return wins, np.diag(wins)


@pytest.mark.parametrize(
    ("units", "plus", "minus"),
    [
        (100_800, 0.78, 0.18),  # two players, standard against novice
        (2_520, 0.83, 0.10),  # matches
        (2_520, 0.93, 0.03),
        (560, 0.30, 0.10),
        (100_800, 0.500, 0.490),
        (100_800, 0.499, 0.497),  # too close to say, mostly
        (2_520, 0.999, 0.0005),
    ],
)
def test_the_interval_holds_the_true_number_as_often_as_it_says(units, plus, minus):
    runs, generator = 1000, np.random.default_rng(7)
    true, held, gaps = games_until_ahead([Lead(plus, minus)], 0, 0.95), 0, 0
    for won, lost, _ in generator.multinomial(units, [plus, minus, 1 - plus - minus], runs).tolist():
        ahead = ahead_of_each(sums(np.array([won, lost])), units, 1, 0, [1], 0.95)
        held += ahead.games.low <= true <= ahead.games.high
        gaps += ahead.gap.low <= plus - minus <= ahead.gap.high
        assert 1 <= ahead.games.low <= ahead.games.estimate <= ahead.games.high
        assert (ahead.games.high == math.inf) == (ahead.gap.low <= 0)
    assert min(held, gaps) / runs > 0.95 - 3 * math.sqrt(0.95 * 0.05 / runs)


def test_against_several_the_interval_holds_the_number_of_the_best_of_them():
    wins, units, runs = [0.40, 0.21, 0.21, 0.18], 5_000, 300
    leads = [Lead(wins[0], other) for other in wins[1:]]
    gaps = np.array([lead.mean for lead in leads])
    spread = np.array([lead.variance**0.5 for lead in leads])
    common = (wins[0] - np.outer(gaps, gaps)) / np.outer(spread, spread)
    true, held = games_until_ahead(leads, common[np.triu_indices(3, 1)].min(), 0.95), 0
    for won in np.random.default_rng(3).multinomial(units, wins, runs):
        ahead = ahead_of_each(sums(won), units, 1, 0, [1, 2, 3], 0.95)
        held += ahead.games.low <= true <= ahead.games.high and ahead.gap.low <= 0.19 <= ahead.gap.high
    assert held / runs > 0.95


def test_shared_wins_keep_mean_and_spread():
    """Of four games one is won, one lost, one shared with a third player, and one is the third player's."""
    wins = np.array([[6, 0, 0], [0, 6, 0], [3, 0, 3], [0, 0, 6]])
    ahead = ahead_of_each((wins.sum(axis=0), wins.T @ wins), 4, 6, 0, [1], 0.95)
    assert ahead.gap.estimate == pytest.approx(np.mean([1, -1, 0.5, 0]))
    lead = Lead.of_moments(0.125, np.mean([1, 1, 0.25, 0]))
    assert (lead.mean, lead.plus + lead.minus) == (pytest.approx(0.125), pytest.approx(2.25 / 4))
    assert ahead.games.estimate == games_until_ahead([lead], 0, 0.95)


def test_whoever_does_not_win_more_is_never_ahead():
    assert games_until_ahead([Lead(0.4, 0.4)], 0, 0.9) == math.inf
    assert games_until_ahead([Lead(0.5, 0.3), Lead(0.2, 0.3)], 0.5, 0.9) == math.inf
    assert games_until_ahead([Lead(1.0, 0.0)], 0, 0.999) == 1
