"""What `quickly` prints."""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from typing import Final

import numpy as np

from benchmarks.coverage import Kind, Printed, Source
from benchmarks.printed.small_runs import (
    NEVER_ENOUGH,
    intervals_in,
    small,
)
from reports.quickly.balance import GroupBalancePlan, balance_groups
from reports.quickly.fit import fit_sigma
from reports.quickly.group_effect import MeasuredGroup
from reports.quickly.simulation import GroupPlan, simulate_group
from simulate.blocks import DEALS_PER_BLOCK
from simulate.quickly.comparison import GroupComparison
from simulate.quickly.engine import Group
from simulate.quickly.exact import sort_success
from simulate.quickly.rules import GroupRules
from simulate.runner import Workers
from strategies.quickly import person

_GROUP: Final = GroupRules.printed(4)


def _ask_group(seed: int, workers: Workers) -> Printed:
    result = simulate_group(GroupPlan(_GROUP, (person("plain"),) * 4, seed), 2 * DEALS_PER_BLOCK, small(workers))
    return {f"quickly: {measure.label}": {0: interval} for measure, interval in result.numbers.items()}


QUICKLY: Final = Source(
    "quickly simulate",
    tuple(
        Kind(f"quickly: {name}", "quickly simulate, sweep, balance", ("quickly/summary", "quickly/simulation"))
        for name in ("games won", "good rounds", "game length", "mistakes", "near misses", "comebacks")
    ),
    _ask_group,
    deals=504,
)

_GROUP_CHANGE: Final = GroupComparison(
    Group(_GROUP, (person("plain"),) * 4), Group(_GROUP, (person("plain").with_changes({"sigma": 1.2}),) * 4)
)


def _ask_group_effect(seed: int, workers: Workers) -> Printed:
    measured = MeasuredGroup.measure(
        _GROUP_CHANGE, seed, replace(NEVER_ENOUGH, most_deals=4 * DEALS_PER_BLOCK), workers
    )
    return {
        "quickly: effect on games won, at every look": {0: measured.wins},
        "quickly: numbers with and without the change": intervals_in((measured.before, measured.after)),
    }


GROUP_EFFECT: Final = Source(
    "quickly ask",
    (
        Kind("quickly: effect on games won, at every look", "quickly ask", ("quickly/group_effect", "ask/verdict")),
        Kind("quickly: numbers with and without the change", "quickly ask", ("quickly/group_effect",)),
    ),
    _ask_group_effect,
    deals=252,
)


@cache
def _success() -> float:
    return sort_success(_GROUP, person("plain"))


@cache
def _fitted(good: int, bad: int) -> Printed:
    fitted = fit_sigma(_GROUP, person("plain"), good, bad)
    return {"quickly: sigma that fits": {0: fitted.sigma}, "quickly: rounds of the fit": {0: fitted.success}}


def _ask_fit(seed: int, workers: Workers) -> Printed:
    good = int(np.random.default_rng(seed).binomial(40, _success()))
    return _fitted(good, 40 - good)


FIT: Final = Source(
    "quickly fit",
    (
        Kind("quickly: sigma that fits", "quickly fit", ("quickly/fit",)),
        Kind("quickly: rounds of the fit", "quickly fit", ("quickly/fit",)),
    ),
    _ask_fit,
    truth=lambda: {
        "quickly: sigma that fits": {0: person("plain")["sigma"]},
        "quickly: rounds of the fit": {0: _success()},
    },
)

_SIZES: Final = tuple(GroupRules.printed(players) for players in (4, 5, 6, 7))


def _ask_balance(seed: int, workers: Workers) -> Printed:
    balance = balance_groups(GroupBalancePlan(_SIZES, person("plain,sigma=1.5"), seed), 1, small(workers))
    return {
        "quickly: steps from one number of players to the next": intervals_in(balance.steps),
        "quickly: gains of a planned mistake": intervals_in(balance.planned_gains),
    }


GROUP_BALANCE: Final = Source(
    "quickly balance",
    (
        Kind(
            "quickly: steps from one number of players to the next",
            "quickly balance",
            ("quickly/balance", "quickly/balance_words", "estimates/joint"),
            together=True,
        ),
        Kind("quickly: gains of a planned mistake", "quickly balance", ("quickly/balance",), together=True),
    ),
    _ask_balance,
    deals=1008,
    fewer=4,
)

SOURCES: Final = (QUICKLY, GROUP_EFFECT, GROUP_BALANCE, FIT)
"""Everything that is asked of `quickly`."""
