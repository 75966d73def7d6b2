"""Player counts: every number from raw games by other code, and lights that follow their limits."""

from __future__ import annotations

from dataclasses import replace
from statistics import NormalDist

import numpy as np
import pytest

from reports.balance.finding import Finding, Play
from reports.balance.plan import BalancePlan, Effort, light_below
from reports.balance.sections.player_count import measure
from reports.estimates.intervals import Interval
from reports.estimates.joint import greatest, level_of_each
from simulate import Rules, Table
from simulate.blocks import deals_of
from strategies.catalogue import strategy

PLAN = BalancePlan(Rules(), (2, 5), 3, Effort("quick", 1, 4, 4), thresholds={"seconds-per-turn": 20.0})


@pytest.fixture(scope="module")
def finding() -> Finding:
    return measure(PLAN, Play(3))


@pytest.mark.parametrize("players", [2, 5])
def test_every_number_is_that_of_the_raw_games(finding: Finding, players: int):
    played = Table(Rules(players=players), (strategy("standard"),) * players).play(3, deals_of(0))
    scores, turns = played.scores.astype(int), played.turns.astype(int)
    shared = ((scores == scores.min(axis=1, keepdims=True)).sum(axis=1) > 1).mean()
    row = finding.frames["player_count"].set_index("players").loc[players]
    assert row["score"] == pytest.approx(scores.mean())
    assert row["game_turns"] == pytest.approx(turns.mean())
    assert row["shared_wins_per_100_games"] == pytest.approx(100 * shared)
    assert row["minutes"] == pytest.approx(turns.mean() * 20 / 60)
    # Three numbers at two table sizes: 5% divided by six is 2.638 standard errors.
    reach = 2.638257 * turns.std(ddof=1) / np.sqrt(len(turns))
    assert row["game_turns_high"] - row["game_turns"] == pytest.approx(reach, rel=1e-5)
    assert row["waiting_seconds"] == 20 * (players - 1)
    for share, name in ((0.05, "game_turns_p05"), (0.95, "game_turns_p95")):
        assert row[name] == np.quantile(turns, share, method="inverted_cdf")
    histogram = finding.frames["game_turns"].query("players == @players").set_index("turns")["games"]
    values, counts = np.unique(turns, return_counts=True)
    assert histogram.to_dict() == dict(zip(values.tolist(), counts.tolist(), strict=True))


def test_the_light_is_the_worst_and_names_its_limit():
    limits = {"game-minutes": 1000.0, "waiting-seconds": 1000.0, "shared-wins": 100.0}
    calm = measure(replace(PLAN, thresholds=limits), Play(3))
    assert calm.light == "good"
    for name, limit in (("game-minutes", 2.0), ("waiting-seconds", 30.0), ("shared-wins", 1.0)):
        strict = measure(replace(PLAN, thresholds={**limits, name: limit}), Play(3))
        assert strict.light == "bad"
        assert strict.threshold is not None
        assert strict.threshold.name == name
        words = {"game-minutes": "minutes", "waiting-seconds": "waits", "shared-wins": "shared win"}
        assert words.pop(name) in strict.headline
        assert not any(other in strict.headline for other in words.values())


def test_the_light_is_seldom_wrong_whichever_size_looks_worst():
    """Five sizes, all just beyond a limit: green is wrong, red is right, and where one is at it neither is sure."""
    runs, generator, wrong = 400, np.random.default_rng(2), 0
    for _ in range(runs):
        shared = generator.normal(10.0, 0.3, 5)
        level = level_of_each(3 * 5)
        reach = NormalDist().inv_cdf((1 + level) / 2) * 0.3
        intervals = [Interval.around(number, reach, level) for number in shared.tolist()]
        wrong += light_below(greatest(intervals), 10.0) != "middle"
        assert greatest(intervals).low == pytest.approx(max(shared) - reach)
    assert wrong / runs <= 0.05
