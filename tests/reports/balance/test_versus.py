"""Two games side by side: differences and what common deals gain, from raw games by other code."""

from __future__ import annotations

import numpy as np
import pytest

from reports.balance.finding import Finding, Play
from reports.balance.plan import BalancePlan, Effort
from reports.balance.versus import measure_versus
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
        reach = 1.959964 * apart.std(ddof=1) / np.sqrt(len(apart))
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
