"""Two games side by side: differences and what common deals gain, from raw games by other code."""

from __future__ import annotations

import numpy as np
import pytest

from reports.balance.finding import Finding, Play
from reports.balance.plan import BalancePlan, Effort
from reports.balance.versus import _most, differences, measure_versus
from reports.estimates.joint import level_of_each
from reports.simulation.summary import GAME_TURNS
from simulate import Rules, Table
from simulate.blocks import deals_of
from simulate.escalation.rules import PRESETS, Deck
from strategies.catalogue import strategy

SMALL = Effort("quick", 1, 4, 4)


def measured(versus: str, players: int = 3) -> Finding:
    return measure_versus(BalancePlan(Rules(players=players), (players,), 2, SMALL, versus=versus), Play(2))


def raw(rules: Rules) -> dict[str, np.ndarray]:
    played = Table(rules, (strategy("standard"),) * rules.players, "given").play(2, deals_of(0))
    scores = played.scores.astype(float)
    lowest = scores == scores.min(axis=1, keepdims=True)
    return {
        "starter_wins_per_100_games": 100 * lowest[:, 0] / lowest.sum(axis=1),
        "starter_score": scores[:, 0],
        "score": scores.mean(axis=1),
        "game_turns": played.turns.astype(float),
        "shared_wins_per_100_games": 100.0 * (lowest.sum(axis=1) > 1),
    }


@pytest.mark.parametrize("deck", ["even", "one-wild", "1-9x5,10-12x3,Wx1,Px4"])
def test_differences_and_gains_are_those_of_the_raw_games(deck: str):
    here, there = raw(Rules(players=3)), raw(Rules(Deck.parse(deck), 3))
    rows = measured(deck).frames["versus"].set_index("measure")
    assert set(rows.index) == set(here)
    for name, row in rows.iterrows():
        apart = there[name] - here[name]
        # Five differences: 5% divided among them is 2.576 standard errors.
        # Two deals that were not seen are added: a win or a shared win, 50 cards or 50 turns off.
        far = 50 / 3 if name == "score" else 50 if name in {"starter_score", "game_turns"} else 100
        spread = ((apart - apart.mean()) ** 2).sum() + 2 * far**2
        reach = 2.575829 * np.sqrt(spread / (len(apart) - 1) / len(apart))
        assert (row["here"], row["there"]) == pytest.approx((here[name].mean(), there[name].mean()))
        assert (row["difference"], row["difference_high"]) == pytest.approx((apart.mean(), apart.mean() + reach))
        gain = (here[name].var() + there[name].var()) / apart.var()
        assert row["pairing_gain"] == pytest.approx(gain)


def test_a_ruling_that_changes_nothing_differs_in_no_game():
    # A Pass can neither be led nor repeat a total where the deck has none.
    plan = BalancePlan(Rules(Deck.parse("1-12x4"), 2), (2,), 2, SMALL, versus="lead_pass")
    finding = measure_versus(plan, Play(2))
    assert (finding.frames["versus"]["difference"] == 0).all()
    assert finding.frames["versus"]["pairing_gain"].isna().all()
    assert "No game differs." in finding.texts


def test_unlike_decks_gain_little_and_that_is_said():
    other = Deck(tuple(reversed(PRESETS["descending"].copies)), 0, 6)
    finding = measured(str(other))
    assert finding.frames["versus"]["pairing_gain"].max() < 1.2


def test_the_greatest_of_all_differences_is_covered_as_often_as_it_says():
    """Nothing differs at five table sizes: what is named for being the greatest must still hold 0, in 95 of 100."""
    games, runs, generator = 1000, 500, np.random.default_rng(4)
    held = {0.95: 0, level_of_each(5): 0}
    for _ in range(runs):
        here, there = generator.integers(20, 60, (2, 5, games))
        sums = [
            [a.sum(), b.sum(), (a * a).sum(), (b * b).sum(), (a * b).sum()] for a, b in zip(here, there, strict=True)
        ]
        counts = {"games": np.array([games]), "sums": np.array(sums)}
        for level in held:
            # Every measure of the table stands for another size here: turns, which need no scale.
            rows = [differences({**counts, "sums": np.array([own] * 5)}, 2, level)[3] for own in sums]
            most = max(rows, key=lambda row: abs(row["difference"]))
            held[level] += most["difference_low"] <= 0 <= most["difference_high"]
    single, together = (number / runs for number in held.values())
    assert single < 0.82
    assert together > 0.95 - 3 * np.sqrt(0.95 * 0.05 / runs)


def test_what_may_be_nothing_is_told_by_its_bound():
    rows = [
        {"measure": GAME_TURNS.name, "players": players, "difference": change, "difference_low": change - reach,
         "difference_high": change + reach}
        for players, change, reach in ((2, 0.1, 0.3), (3, -0.2, 0.3), (4, 0.0, 0.6))
    ]  # fmt: skip
    assert _most(rows, GAME_TURNS) == "by 0.60 at the most, if at all"
    rows[1]["difference"], rows[1]["difference_low"], rows[1]["difference_high"] = -0.5, -0.8, -0.2
    assert _most(rows, GAME_TURNS) == "most with 3, 2 or 4 players, by -0.50 (-0.80 to -0.20) with 3"
