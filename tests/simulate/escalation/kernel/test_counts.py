"""Reduced counts against the same sums worked out from the games by other code."""

from fractions import Fraction
from itertools import permutations

import numpy as np
import pytest

from simulate import Rules, Table
from simulate.escalation.kernel.counts import reduce_games
from simulate.escalation.kernel.win_shares import WIN
from strategies.catalogue import strategy

GAMES = 60


@pytest.fixture(scope="module", params=["rotate", "given", "every"])
def case(request):
    seats = tuple(strategy(text) for text in ("standard", "novice", "random", "minimal"))
    table = Table(Rules(players=4), seats, request.param)
    played = table.play(31, np.arange(GAMES))
    return table, played, reduce_games(played, 56, matches=request.param != "given")


def shares(scores):
    lowest = min(scores)
    winners = [score == lowest for score in scores]
    return [Fraction(int(won), sum(winners)) for won in winners]


def by_seat(played, values_of_game):
    """Yield one list per game, reordered from positions to seats."""
    for game in range(GAMES):
        values = values_of_game(played.scores[game].tolist())
        yield [values[played.seating[game].tolist().index(seat)] for seat in range(4)]


def test_sums_by_seat_and_position(case):
    _, played, counts = case
    scores, wins = np.zeros((4, 4), dtype=int), np.zeros((4, 4), dtype=int)
    for game in range(GAMES):
        share = shares(played.scores[game].tolist())
        for position, seat in enumerate(played.seating[game]):
            scores[seat, position] += played.scores[game, position]
            wins[seat, position] += int(share[position] * WIN)
    assert np.array_equal(counts["scores"], scores)
    assert np.array_equal(counts["wins"], wins)
    assert counts["wins"].sum() == GAMES * WIN
    assert counts["games"].tolist() == [GAMES]


def test_products(case):
    _, played, counts = case
    scores = np.array(list(by_seat(played, lambda game: game)))
    wins = np.array([[int(w * WIN) for w in row] for row in by_seat(played, shares)])
    assert np.array_equal(counts["score_products"], scores.T @ scores)
    assert np.array_equal(counts["win_products"], wins.T @ wins)
    positions = played.scores.astype(int)
    assert np.array_equal(counts["position_score_products"], positions.T @ positions)


def test_histograms(case):
    _, played, counts = case
    scores = np.array(list(by_seat(played, lambda game: game)))
    for seat in range(4):
        assert np.array_equal(counts["score_histogram"][seat], np.bincount(scores[:, seat], minlength=57))
    assert np.array_equal(counts["turns_histogram"], np.bincount(played.turns, minlength=57))
    winners = [sum(share > 0 for share in shares(game.tolist())) for game in played.scores]
    assert np.array_equal(counts["winners"], np.bincount(winners, minlength=5))


def test_matches_go_to_the_lowest_sum_of_a_round_of_games(case):
    table, played, counts = case
    scores = list(by_seat(played, lambda game: game))
    expected = [Fraction(0)] * 4
    if table.seating != "given":
        for first in range(0, GAMES, 4):
            sums = [sum(column) for column in zip(*scores[first : first + 4], strict=True)]
            expected = [total + share for total, share in zip(expected, shares(sums), strict=True)]
        assert counts["matches"].tolist() == [GAMES // 4]
    assert counts["match_wins"].tolist() == [share * WIN for share in expected]


def test_telemetry_agrees_with_itself(case):
    _, played, counts = case
    turns, takes, willing, taken, _, _, jumps, sets, left, out = counts["telemetry"].sum(axis=(0, 1))
    assert turns == played.turns.sum()
    assert willing <= takes <= taken
    assert jumps <= sets <= turns
    assert out == GAMES
    # What a player scores is what he took and what he was left with.
    assert taken + left == played.scores.sum()


@pytest.mark.parametrize("players", [3, 4, 7, 8])
def test_results_by_the_order_of_the_seats(players):
    names = ("standard", "novice", "random", "minimal", "hoarder")
    seats = tuple(strategy(names[seat % len(names)]) for seat in range(players))
    table, deals = Table(Rules(players=players), seats), np.arange(12 * players, 36 * players)
    played, counts = table.play(31, deals), table.play_deals(31, deals)
    orders = [(0, *others) for others in permutations(range(1, players))]
    rows = len(orders) if players <= 6 else players
    games, wins, squares = (np.zeros((rows, players), dtype=int) for _ in range(3))
    for seating, scores in zip(played.seating.tolist(), played.scores.tolist(), strict=True):
        first = seating.index(0)
        number = orders.index((*seating[first:], *seating[:first])) if players <= 6 else None
        for position, share in enumerate(shares(scores)):
            row = seating[position - 1] if number is None else number
            games[row, seating[position]] += 1
            wins[row, seating[position]] += int(share * WIN)
            squares[row, seating[position]] += int(share * WIN) ** 2
    for name, expected in (("games", games), ("wins", wins), ("win_squares", squares)):
        assert np.array_equal(counts[f"order_{name}"], expected), name
