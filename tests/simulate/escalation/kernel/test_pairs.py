"""Replaying only what a change changes gives the numbers of playing everything, bit for bit."""

from __future__ import annotations

import random

import numpy as np
import pytest

from simulate import Rules
from simulate.escalation.settings.comparison import Comparison, Pairs, play_everything, replay_changed
from simulate.jit import numba_config
from strategies.catalogue import named_tactics, strategy
from strategies.parameters import PARAMETERS
from strategies.strategy import Strategy
from tests.simulate.escalation.cases import random_rules, random_strategy, random_value

DEALS = 40 if not numba_config.DISABLE_JIT else 2
BATCHES = 20
CASES_PER_BATCH = 15 if not numba_config.DISABLE_JIT else 1


def check_alike(comparison: Comparison, seed: int, deals: np.ndarray) -> Pairs:
    replayed, everything = replay_changed(comparison, seed, deals), play_everything(comparison, seed, deals)
    for field in ("base", "changed", "differs", "telemetry"):
        assert np.array_equal(getattr(replayed, field), getattr(everything, field)), field
    return replayed


def with_one_change(rng: random.Random, base: Strategy) -> Strategy:
    changed = rng.choice(PARAMETERS)
    return base.with_changes({changed.name: random_value(rng, changed)})


@pytest.mark.parametrize("batch", range(BATCHES))
def test_random_comparisons(batch):
    rng = random.Random(9000 + batch)
    for _ in range(CASES_PER_BATCH):
        rules, base = random_rules(rng), random_strategy(rng)
        changed = random_strategy(rng) if rng.random() < 0.2 else with_one_change(rng, base)
        opponents = tuple(random_strategy(rng) for _ in range(rules.players - 1)) if rng.random() < 0.4 else ()
        deals = np.arange(3) + rng.randrange(1 << 40)
        check_alike(Comparison(rules, base, changed, opponents), rng.randrange(1 << 62), deals)


@pytest.mark.parametrize("name", [p.name for p in PARAMETERS])
def test_a_change_of_each_parameter_alone(name):
    """Each parameter is compared only on occasions where it can matter: none of them may be missed."""
    base = strategy("standard,early_take=2,early_take_limit=9,noise=0.1,endgame_take=1")
    known = next(p for p in PARAMETERS if p.name == name)
    changed_games = 0
    for value in (known.lower, min(base[name] + 0.5, known.upper), known.upper):
        changed = base.with_changes({name: value})
        changed_games += check_alike(Comparison(Rules(), base, changed), 5, np.arange(DEALS)).differs.sum()
    assert changed_games > 0 or numba_config.DISABLE_JIT, "the change never mattered: nothing was tested"


@pytest.mark.parametrize("name", list(named_tactics()))
def test_every_named_tactic(name):
    tactic, base = named_tactics()[name], strategy("standard")
    off, on = tactic.absent(base), tactic.present(base, tactic.dose_range[1])
    check_alike(Comparison(Rules(), off, on), 6, np.arange(DEALS))


def test_no_change_replays_nothing():
    pairs = replay_changed(Comparison(Rules(), strategy("novice"), strategy("novice")), 7, np.arange(DEALS))
    assert not pairs.differs.any()
    assert np.array_equal(pairs.base, pairs.changed)
