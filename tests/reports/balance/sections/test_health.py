"""Health: what is counted is what the slow engine meets, and what is wrong is told."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from reports.balance.finding import Play
from reports.balance.plan import BalancePlan, Effort
from reports.balance.sections.health import (
    CHECKS,
    RARE,
    RecalledTable,
    Replayed,
    checks_frame,
    differing_deals,
    measure,
    replay_sample,
)
from simulate import Rules, Table
from simulate.escalation.engine import Table as Engine
from strategies.catalogue import strategy
from tests.simulate.escalation.cases import by_reference
from tests.simulate.escalation.settings.test_recall import met_by_reference

PLAN = BalancePlan(Rules(), (2, 4), 5, Effort("quick", 1, 12, 4))


def test_rare_rules_are_counted_as_the_slow_engine_meets_them():
    # Small hands, so that rare rules are met in a few games.
    rules = Rules(players=2, hand_size=3)
    table = Table(rules, (strategy("random"), strategy("minimal")), "given")
    deals = np.arange(120, dtype=np.int64)
    counted = RecalledTable(table).play_deals(9, deals)
    records = [met_by_reference(table, 9, deal) for deal in deals.tolist()]
    expected = (np.array(records) > 0).sum(axis=0).tolist()
    assert [int(counted[name][0]) for name in ("only_passes", "passed_by_force", "short_draws")] == expected
    assert int(counted["deck_left"][0]) == sum(len(by_reference(table, 9, deal).final.rest) > 0 for deal in range(120))
    assert min(expected) > 0
    assert all(int(counted[f"failed_{name}"][0]) == 0 for name in CHECKS)


def test_all_checks_hold_and_every_game_is_looked_at():
    finding = measure(PLAN, Play(5))
    assert finding.light == "good"
    checks = finding.frames["health"].set_index("check")
    assert checks.loc[list(CHECKS), "games"].tolist() == [2 * 5040] * 3
    assert checks.loc["reference", "games"] == 12
    rare = finding.frames["rare_rules"]
    assert rare.groupby("players")["games"].first().to_dict() == {2: 5040, 4: 5040}
    assert set(rare["rule"]) == set(RARE)
    assert rare["games_per_100"].to_numpy() == pytest.approx(100 * rare["met"] / rare["games"])


def test_a_game_that_the_slow_engine_plays_otherwise_is_named(monkeypatch: pytest.MonkeyPatch):
    table, deals = Table(Rules(players=3), (strategy("standard"),) * 3), np.array([4, 7, 9], dtype=np.int64)
    assert differing_deals(table, 1, deals) == []
    honest = Engine.play

    def miscounted(self, seed, deals, **how):
        played = honest(self, seed, deals, **how)
        played.scores[1, 0] += 1
        return played

    monkeypatch.setattr(Engine, "play", miscounted)
    assert differing_deals(table, 1, deals) == [7]
    few = replace(PLAN, effort=Effort("quick", 1, 4, 4))
    assert all(" --deal " in command for command in replay_sample(few, Play(5)).different)


def test_what_failed_is_told(monkeypatch: pytest.MonkeyPatch):
    honest = Engine.play

    def miscounted(self, seed, deals, **how):
        played = honest(self, seed, deals, **how)
        played.scores[0, 0] += 1
        return played

    monkeypatch.setattr(Engine, "play", miscounted)
    finding = measure(PLAN, Play(5))
    assert finding.light == "bad"
    assert finding.headline == finding.finding
    assert "do not trust" in finding.finding
    checks = finding.frames["health"].set_index("check")["failed"]
    assert checks["scores"] == 2  # one game per block and table size
    assert checks["reference"] == 2
    assert checks["moves"] == 0


def test_each_check_is_added_up_over_tables():
    counts = [{"games": np.array([10]), **{f"failed_{name}": np.array([n]) for name in CHECKS}} for n in (1, 2)]
    frame = checks_frame(counts, Replayed(5, ("escalation trace",)))
    assert frame["failed"].tolist() == [3, 3, 3, 1]
    assert frame["games"].tolist() == [20, 20, 20, 5]
