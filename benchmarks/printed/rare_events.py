"""Numbers of what hardly ever happens, or nearly always."""

from __future__ import annotations

from typing import Final

import numpy as np

from benchmarks.coverage import Kind, Printed, Source, Truth
from benchmarks.printed.small_runs import (
    ALPHA,
)
from reports.estimates.betting import (
    Watched,
    planned_interval,
    watched_interval,
)
from reports.estimates.intervals import mean_from_sums, share_from_sums
from simulate.runner import Workers

_RARE_DEALS: Final = 10_080
_SHOWS: Final = (6e-5, 4e-5)
"""How often a rare change gains a deal, and loses one."""
_RARE: Final = (0.0002, 0.002, 0.97, 0.999)
_FEW: Final = 30


def _ask_rare(seed: int, workers: Workers) -> Printed:
    generator = np.random.default_rng(seed)
    gained, lost = (int(generator.binomial(_RARE_DEALS, often)) for often in _SHOWS)
    watched = Watched.from_histogram([lost, _RARE_DEALS - gained - lost, gained], -100.0, 100.0)
    happens = [int(generator.binomial(5040, often)) for often in _RARE]
    few = [int(generator.binomial(_FEW, often)) for often in (0.5, 0.8, 0.97)]
    return {
        "difference from the base, rare change": {0: planned_interval(watched)},
        "effect on wins, rare change": {0: watched_interval(watched, ALPHA)},
        "effect on cards, rare change": {0: mean_from_sums(gained - lost, gained + lost, _RARE_DEALS, unseen=1)},
        "shares of games, rare or nearly always": {
            often: share_from_sums(n, n, 5040) for often, n in zip(_RARE, happens, strict=True)
        },
        "shares of few games": {often: share_from_sums(n, n, _FEW) for often, n in enumerate(few)},
    }


def _true_rare() -> Truth:
    effect = _SHOWS[0] - _SHOWS[1]
    return {
        "difference from the base, rare change": {0: 100 * effect},
        "effect on wins, rare change": {0: 100 * effect},
        "effect on cards, rare change": {0: effect},
        "shares of games, rare or nearly always": {often: often for often in _RARE},
        "shares of few games": dict(enumerate((0.5, 0.8, 0.97))),
    }


RARE: Final = Source(
    "rare events",
    (
        Kind("difference from the base, rare change", "sweep --paired", ("estimates/betting",)),
        Kind("effect on wins, rare change", "ask", ("estimates/betting",)),
        Kind("effect on cards, rare change", "ask, balance", ("estimates/intervals",)),
        Kind("shares of games, rare or nearly always", "everywhere", ("estimates/intervals",)),
        Kind("shares of few games", "quickly, balance", ("estimates/intervals",)),
    ),
    _ask_rare,
    truth=_true_rare,
)

SOURCES: Final = (RARE,)
"""Everything that is asked about rare events."""
