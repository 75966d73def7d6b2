"""Summaries of a table, recomputed game by game from what the engine played."""

from __future__ import annotations

import math

import numpy as np
import pytest

from reports.estimates.intervals import Interval
from reports.simulation.summary import (
    BEHAVIOUR,
    GAME_TURNS,
    MATCH_WINS,
    SCORE,
    SHARED_WINS,
    WINS,
    numbers_frame,
    strategies_frame,
    summarise_games,
    summarise_table,
)
from simulate import Rules, Table
from simulate.escalation.state import TELEMETRY
from strategies.catalogue import strategy

DEALS = np.arange(2520)
SEED = 7


@pytest.fixture(scope="module")
def table() -> Table:
    seats = tuple(strategy(name) for name in ("standard", "minimal", "standard", "random"))
    return Table(Rules(players=4), seats, "rotate")


@pytest.fixture(scope="module")
def by_seat(table: Table) -> np.ndarray:
    """Scores with a column per seat, one row per game."""
    played = table.play(SEED, DEALS)
    scores = np.empty(played.scores.shape)
    np.put_along_axis(scores, played.seating, played.scores, axis=1)
    return scores


@pytest.fixture(scope="module")
def summaries(table: Table):
    return summarise_table(table.play_deals(SEED, DEALS), table.seats, match=False)


def shares(scores: np.ndarray) -> np.ndarray:
    best = scores == scores.min(axis=1, keepdims=True)
    return best / best.sum(axis=1, keepdims=True)


def assert_is_mean_of(interval: Interval, per_game: np.ndarray) -> None:
    reach = 1.959963984540054 * per_game.std(ddof=1) / math.sqrt(len(per_game))
    assert interval.estimate == pytest.approx(per_game.mean())
    assert interval.low == pytest.approx(per_game.mean() - reach)
    assert interval.high == pytest.approx(per_game.mean() + reach)


def assert_is_share_of(interval: Interval, per_game: np.ndarray, most: float) -> None:
    """Wins and shared wins: each bound is as far away as the number's error would be if the bound were the truth."""
    assert interval.estimate == pytest.approx(per_game.mean())
    share = per_game.mean()
    alike = share * (most - share) / per_game.var() if share else 1.0
    for bound in (interval.low, interval.high):
        error = math.sqrt(bound * (most - bound) / alike / len(per_game))
        assert abs(bound - share) == pytest.approx(1.959963984540054 * error)


def test_seats_of_one_strategy_are_one_row(summaries):
    assert [(s.strategy, s.seats) for s in summaries] == [("standard", (0, 2)), ("minimal", (1,)), ("random", (3,))]


def test_scores_are_those_of_the_games(summaries, by_seat):
    for summary in summaries:
        assert_is_mean_of(summary.outcomes[SCORE], by_seat[:, summary.seats].mean(axis=1))


def test_wins_are_shared_and_counted_per_100_games(summaries, by_seat):
    for summary in summaries:
        won = shares(by_seat)[:, summary.seats].mean(axis=1)
        assert_is_share_of(summary.outcomes[WINS], 100 * won, 100 / len(summary.seats))


def test_a_match_is_as_many_games_as_players(summaries, by_seat):
    matches = by_seat.reshape(-1, 4, 4).sum(axis=1)
    for summary in summaries:
        assert summary.matches == len(matches)
        won = shares(matches)[:, summary.seats].mean(axis=1)
        assert_is_share_of(summary.outcomes[MATCH_WINS], 100 * won, 100 / len(summary.seats))


def test_there_are_no_matches_unless_the_starter_rotates():
    table = Table(Rules(players=2), (strategy("minimal"),) * 2, seating="given")
    (summary,) = summarise_table(table.play_deals(SEED, DEALS), table.seats, match=False)
    assert summary.matches == 0
    assert MATCH_WINS not in summary.outcomes


def test_behaviour_is_per_player_and_game(table, summaries):
    telemetry = table.play(SEED, DEALS).telemetry
    for summary in summaries:
        for place, name in enumerate(TELEMETRY):
            expected = telemetry[list(summary.seats), :, place].sum() / len(summary.seats) / len(DEALS)
            assert summary.behaviour[BEHAVIOUR[name]] == pytest.approx(expected)


def test_every_count_of_the_engine_has_a_name():
    assert tuple(BEHAVIOUR) == TELEMETRY


def test_whole_games_have_turns_and_shared_wins(table, by_seat):
    games = summarise_games(table.play_deals(SEED, DEALS), match=False)
    assert_is_mean_of(games[GAME_TURNS], table.play(SEED, DEALS).turns.astype(float))
    shared = (by_seat == by_seat.min(axis=1, keepdims=True)).sum(axis=1) > 1
    assert_is_share_of(games[SHARED_WINS], 100.0 * shared, 100)


def test_games_of_a_match_count_as_one(table):
    counts = table.play_deals(SEED, DEALS)
    alone, together = (summarise_table(counts, table.seats, match=match)[1].outcomes for match in (False, True))
    for measure in (SCORE, WINS):
        assert together[measure].half_width == pytest.approx(2 * alone[measure].half_width, rel=0.01)
    assert together[MATCH_WINS] == alone[MATCH_WINS]
    turns, longer = (summarise_games(counts, match=match)[GAME_TURNS].half_width for match in (False, True))
    assert longer == pytest.approx(2 * turns)


def test_frames_hold_every_number_once(table, summaries):
    games = summarise_games(table.play_deals(SEED, DEALS), match=False)
    wide, long = strategies_frame(summaries), numbers_frame(summaries, games)
    assert len(wide) == len(summaries)
    assert len(long) == len(games) + len(summaries) * (3 + len(TELEMETRY))
    assert not long.duplicated(["strategy", "measure"]).any()
    for row in long[long["strategy"] != "everyone"].itertuples():
        assert wide.set_index("strategy").loc[row.strategy, row.measure] == row.estimate
