"""Positions: every number from raw games by other code; what is planted is found, and nothing where nothing is."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import pytest
from scipy.stats import chi2, norm

from reports.balance.finding import Finding, Play, SettingBlocks
from reports.balance.plan import BalancePlan, Effort, light_below
from reports.balance.sections.positions import EVEN, Positions, _match_words, measure
from reports.balance.shares import WinShares
from reports.estimates.intervals import Interval
from reports.estimates.joint import greatest_distance, level_of_each
from simulate import Rules, Table
from simulate.blocks import deals_of
from simulate.escalation.exact import exact_by_reference
from simulate.escalation.rules import Deck
from simulate.experiment import Counts, Setting
from strategies.catalogue import strategy

SMALL = Effort("quick", 1, 4, 4)
SEED = 11
PLAN = BalancePlan(Rules(players=3), (2, 3), SEED, SMALL, weaker=(strategy("minimal"), strategy("novice")))


@pytest.fixture(scope="module")
def finding() -> Finding:
    return measure(PLAN, Play(SEED))


def raw_wins(table: Table, seed: int = SEED) -> np.ndarray:
    """Return everybody's share of the win by position, one row per game."""
    scores = table.play(seed, deals_of(0)).scores
    lowest = scores == scores.min(axis=1, keepdims=True)
    return lowest / lowest.sum(axis=1, keepdims=True)


def test_wins_and_scores_by_position_are_those_of_the_raw_games(finding: Finding):
    table = Table(Rules(players=3), (strategy("minimal"),) * 3, "given")
    wins, scores = raw_wins(table), table.play(SEED, deals_of(0)).scores
    rows = finding.frames["positions"].query("players == 3 and strategy == 'minimal'")
    assert rows["position"].tolist() == [0, 1, 2]
    assert rows["wins_per_100_games"].to_numpy() == pytest.approx(100 * wins.mean(axis=0))
    assert rows["score"].to_numpy() == pytest.approx(scores.mean(axis=0))
    # Five positions at two table sizes: their intervals hold together.
    assert rows["level"].to_numpy() == pytest.approx(1 - 0.05 / 5)
    apart = 100 * (wins - wins.mean(axis=1, keepdims=True))
    # Two games that were not seen are added, two thirds of a win off.
    spread = ((apart - apart.mean(axis=0)) ** 2).sum(axis=0) + 2 * (100 * 2 / 3) ** 2
    reach = norm.ppf(1 - 0.05 / 10) * np.sqrt(spread / (len(apart) - 1) / len(apart))
    assert rows["above_equal_share"].to_numpy() == pytest.approx(apart.mean(axis=0))
    assert rows["above_equal_share_high"].to_numpy() == pytest.approx(apart.mean(axis=0) + reach)
    assert rows["score_high"].to_numpy() - rows["score"].to_numpy() == pytest.approx(
        norm.ppf(1 - 0.05 / 10) * scores.std(axis=0, ddof=1) / np.sqrt(len(scores))
    )


def test_the_test_is_one_on_the_vector_of_each_deal(finding: Finding):
    wins = raw_wins(Table(Rules(players=3), (strategy("standard"),) * 3, "given"))
    gaps = wins[:, :2] - wins[:, 2:]
    mean, covariance = gaps.mean(axis=0), np.cov(gaps.T, ddof=0) / len(gaps)
    expected = chi2.sf(mean @ np.linalg.solve(covariance, mean), df=2)
    tests = finding.frames["position_tests"].set_index(["unit", "strategy", "players"])
    assert tests.loc[("game", "standard", 3), "p_value"] == pytest.approx(expected, rel=1e-6)


def test_matches_are_those_of_the_raw_games(finding: Finding):
    seats = (strategy("novice"), strategy("standard"), strategy("standard"))
    table = Table(Rules(players=3), seats, "rotate", match=True)
    played = table.play(SEED, deals_of(0))
    scores = np.take_along_axis(played.scores, np.argsort(played.seating, axis=1), axis=1).astype(int)
    sums = scores.reshape(-1, 3, 3).sum(axis=1)
    lowest = sums == sums.min(axis=1, keepdims=True)
    wins = 100 * lowest / lowest.sum(axis=1, keepdims=True)
    rows = finding.frames["matches"].query("players == 3 and strategy == 'others than one novice'")
    assert rows["seat"].tolist() == [1, 2]
    assert rows["matches"].tolist() == [1680, 1680]
    assert rows["match_wins_per_100_matches"].to_numpy() == pytest.approx(wins[:, 1:].mean(axis=0))
    apart = (wins[:, 1] - wins[:, 2]) / 2
    assert rows["above_equal_share"].tolist() == pytest.approx([apart.mean(), -apart.mean()])
    # Whoever sits after the weak player gets his mistakes: the match does not rotate that.
    assert rows["above_equal_share_low"].iloc[0] > 10
    assert any("right after him" in text for text in finding.texts)


class Seated:
    """Plays other tables than asked for, and shows seats as if they were positions."""

    def __init__(self, seed: int, change) -> None:
        self.play, self.change = Play(seed), change

    def __call__(
        self, part: str, settings: Sequence[Setting], blocks: int, *, first_block: int = 0
    ) -> list[SettingBlocks]:
        changed = [self.change(table) if table.seating == "given" else table for table in settings]
        played = self.play(part, changed, blocks, first_block=first_block)
        return [[seats_for_positions(one) for one in each] for each in played]


def seats_for_positions(counts: Counts) -> Counts:
    return {
        **counts,
        "wins": counts["wins"].T,
        "scores": counts["scores"].T,
        "position_win_products": counts["win_products"],
        "position_score_products": counts["score_products"],
    }


def test_with_seats_in_every_order_nothing_is_found_at_the_stated_level():
    """Forty reports of two table sizes: at most 5% may find a difference, give or take three standard errors."""
    found = 0
    for seed in range(40):
        plan = replace(PLAN, seed=seed, weaker=())
        every = measure(plan, Seated(seed, lambda table: replace(table, seating="every")))
        tests = every.frames["position_tests"].query("unit == 'game'")
        surely_apart = bool((tests["p_value_together"] <= 0.05).any())
        assert surely_apart != ("no difference between positions is found" in every.finding)
        assert every.light in {"good", "middle"}
        found += surely_apart
    assert found <= 40 * 0.05 + 3 * np.sqrt(40 * 0.05 * 0.95)


def of_matches(far: float, level: float, matches: int) -> Positions:
    """Matches of four equals in which the first seat wins so many of 100 more than an equal share, as measured."""
    wins = 25 + np.array([far, *[-far / 3] * 3])
    reach = norm.ppf((1 + level) / 2) * 100 * np.sqrt(0.25 * 0.75 / matches)
    above = tuple(Interval.around(float(won) - 25, float(reach), level) for won in wins)
    p_value = float(chi2.sf(matches * ((wins - 25) ** 2 / 25).sum() / 100, df=3))
    return Positions((), (WinShares(4, "standard", matches, above, above, (), p_value),))


def test_that_a_match_evens_positions_out_is_more_than_nothing_found():
    """A test that finds nothing may have had too few matches; a difference that it finds may be too small to matter."""
    plan = replace(PLAN, player_counts=(4,), weaker=())
    assert "is open" in _match_words(plan, of_matches(1.0, 0.9875, 2_520))
    assert "evens positions out among equals, to within 2 wins" in _match_words(plan, of_matches(0.2, 0.9875, 25_200))
    small = _match_words(plan, of_matches(1.0, 0.9875, 25_200))
    assert "evens positions out" in small
    assert small.endswith("Its seats differ with 4 players.")
    assert "Even in a match" in _match_words(plan, of_matches(4.0, 0.9875, 25_200))


def test_evenness_is_seldom_claimed_where_a_seat_is_beyond_the_margin():
    """Four seats, one 2.2 wins per 100 matches off: quick and full, at most 5% of all reports call that even."""
    level, limit, shares = level_of_each(4), EVEN.value, np.array([0.272, 0.242, 0.243, 0.243])
    for matches in (2_520, 25_200):
        wins = np.random.default_rng(5).multinomial(matches, shares, 2000) / matches
        error = 100 * np.sqrt(wins * (1 - wins) / matches) * norm.ppf((1 + level) / 2)
        above = [
            [Interval.around(a, b) for a, b in zip(*run, strict=True)]
            for run in zip(100 * wins - 25, error, strict=True)
        ]
        claimed = np.mean([light_below(greatest_distance(run), limit) == "good" for run in above])
        # "No difference found" would be said of a third of the quick ones.
        assert claimed <= 0.05


def test_a_planted_advantage_is_found():
    def with_a_weak_player(table: Table) -> Table:
        return replace(table, seats=(*table.seats[:-1], strategy("random")))

    plan = replace(PLAN, weaker=(), player_counts=(3,))
    planted = measure(plan, Seated(SEED, with_a_weak_player))
    assert planted.light == "bad"
    assert planted.frames["position_tests"]["p_value_together"].iloc[0] < 1e-6
    last = planted.frames["positions"].iloc[2]
    assert last["above_equal_share_high"] < -10
    # Whoever plays after the weak player gains even more than he loses.
    assert "the starter of 3 is farthest" in planted.finding
    wins = raw_wins(Table(Rules(players=3), (*(strategy("standard"),) * 2, strategy("random")), "given"))
    assert last["wins_per_100_games"] == pytest.approx(100 * wins[:, 2].mean())


def test_positions_of_a_tiny_game_are_those_of_every_ordering():
    """Four cards, two each, enumerated."""
    rules = Rules(Deck.parse("1-4x1"), 2, 2)
    minimal = strategy("minimal")
    known = exact_by_reference(rules, (minimal, minimal))
    exact = [float(alone + known.tie / 2) for alone in known.sole_win]
    finding = measure(BalancePlan(rules, (2,), SEED, SMALL, standard=minimal, weaker=()), Play(SEED))
    for row, expected in zip(finding.frames["positions"].to_dict(orient="records"), exact, strict=True):
        error = (row["above_equal_share_high"] - row["above_equal_share"]) / norm.ppf(1 - 0.05 / 4)
        assert abs(row["wins_per_100_games"] - 100 * expected) <= 4 * error
