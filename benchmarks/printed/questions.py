"""What `ask` prints."""

from __future__ import annotations

import math
from collections.abc import Hashable, Sequence
from dataclasses import replace
from functools import cache
from typing import Final

import numpy as np
from numpy.typing import NDArray

from benchmarks.coverage import Kind, Printed, Source, Truth, happened
from benchmarks.printed.small_runs import (
    ALPHA,
    FAR,
    GAMES,
    HOARDER,
    LONG,
    NEVER_ENOUGH,
    POWER,
    STANDARD,
    all_zero,
    long_run,
)
from reports.ask.doses import race_doses
from reports.ask.player_effect import MeasuredPlayer
from reports.ask.player_question import PlayerQuestion
from reports.ask.player_reason import firings_per_game, worth_of
from reports.ask.question import doses_of
from reports.estimates.betting import (
    units_needed,
    watched_interval,
    watched_wins,
)
from reports.estimates.beyond_noise import beyond_noise
from reports.estimates.intervals import Interval
from simulate import Rules
from simulate.blocks import DEALS_PER_BLOCK
from simulate.escalation.settings.comparison import Comparison
from simulate.escalation.settings.reasons import Reasons, ReasonsAtSeat
from simulate.runner import Workers
from strategies.catalogue import Tactic, named_tactics, strategy

_LOOKED: Final = Comparison(Rules(players=3), STANDARD, STANDARD.with_changes({"wild_hold": 2.2}))


def _ask_effect(seed: int, workers: Workers) -> Printed:
    looks = list(MeasuredPlayer.looks(_LOOKED, seed, NEVER_ENOUGH, workers))
    return {
        "effect on wins, at every look": {0: looks[-1].wins},
        "effect on the score, at every look": {0: _at_every_look([look.score for look in looks])},
        "who pays: neighbours' wins, at every look": {
            name: _at_every_look([look.effect(name) for look in looks]) for name in ("next_wins", "previous_wins")
        },
    }


def _at_every_look(intervals: Sequence[Interval]) -> Interval:
    """Return what all looks leave; it may be empty, and then one of them was wrong."""
    low, high = max(seen.low for seen in intervals), min(seen.high for seen in intervals)
    return replace(intervals[-1], low=low, high=high)


ASK: Final = Source(
    "ask",
    (
        Kind(
            "effect on wins, at every look",
            "ask",
            ("ask/verdict", "ask/circumstances", "ask/answer", "ask/answer_words", "ask/output", "ask/figures"),
        ),
        Kind("effect on the score, at every look", "ask", ("ask/player_effect",)),
        Kind("who pays: neighbours' wins, at every look", "ask", ("ask/player_effect", "ask/player_reason")),
    ),
    _ask_effect,
    deals=168,
)  # fmt: skip

_NOTHING: Final = Comparison(
    Rules(players=2), strategy("standard,noise=0.1"), strategy("standard,noise=0.1"), (HOARDER,), noise_salt=1
)


def _ask_about_nothing(seed: int, workers: Workers) -> Printed:
    hopeful, right = (-math.inf, Interval(0, 0, 0)), True
    for look in MeasuredPlayer.looks(_NOTHING, 1, replace(NEVER_ENOUGH, most_deals=2 * GAMES), workers):
        watched = watched_wins(look.counts)
        hopeful = max(hopeful, (watched.mean * math.sqrt(watched.units), look.wins), key=lambda seen: seen[0])
        right &= look.answer not in {"good", "bad"}
    return {
        "verdict about no difference: not good or bad": {0: happened(right)},
        "0 at the look that promises most": {0: hopeful[1]},
    }


NOTHING: Final = Source(
    "ask about nothing",
    (
        Kind("verdict about no difference: not good or bad", "ask", ("ask/verdict",)),
        Kind("0 at the look that promises most", "ask", ("ask/verdict", "estimates/betting")),
    ),
    _ask_about_nothing,
    deals=252,
    pool=1000,
    truth=lambda: all_zero(*NOTHING.kinds),
)

_REAL: Final = Comparison(Rules(players=2), STANDARD, strategy("standard,wild_hold=2.2"))


@cache
def _real_effect() -> tuple[float, int]:
    """Return an effect and the deals that the forecast says show it."""
    truth = watched_wins(long_run(_REAL)).mean
    pilot = watched_wins(_REAL.play_deals(1, np.arange(2 * FAR, 2 * FAR + DEALS_PER_BLOCK)))
    return truth, int(units_needed(pilot, truth, ALPHA, POWER))


def _ask_planned(seed: int, workers: Workers) -> Printed:
    truth, deals = _real_effect()
    counts = _REAL.play_deals(1, np.arange(seed * deals, (seed + 1) * deals))
    interval = watched_interval(watched_wins(counts), ALPHA)
    shown = interval.high < 0 if truth < 0 else interval.low > 0
    wrong = interval.low > 0 if truth < 0 else interval.high < 0
    return {
        "forecast: the effect is shown": {0: happened(shown)},
        "forecast: not with the wrong sign": {0: happened(not wrong)},
    }


PLANNED: Final = Source(
    "ask --plan",
    (
        Kind("forecast: the effect is shown", "ask --plan", ("ask/forecast", "estimates/betting"), level=POWER),
        Kind("forecast: not with the wrong sign", "ask --plan", ("ask/forecast",), level=1 - ALPHA / 2),
    ),
    _ask_planned,
    truth=lambda: all_zero(*PLANNED.kinds),
    fewer=10,
)


@cache
def _dose_question(seed: int) -> PlayerQuestion:
    tactic = named_tactics()["pass-hoarding"]
    return PlayerQuestion(
        name=tactic.name, subject=tactic, rules=Rules(players=2), player_counts=(2,), base=STANDARD, seed=seed
    )


def _ask_doses(seed: int, workers: Workers) -> Printed:
    question = _dose_question(seed)
    (table,) = question.tables
    assert isinstance(question.subject, Tactic)
    tried = race_doses(table, question.subject, workers)
    return {"doses tried, all together": {own.dose: own.wins for own in tried}}


def _true_doses() -> Truth:
    question = _dose_question(1)
    (table,) = question.tables
    doses = doses_of(question.subject, question.base)  # type: ignore[arg-type]
    comparisons = [table.comparison(question.without, player) for player in question.changed_players]
    wins = [watched_wins(long_run(own, LONG // 4)).mean for own in comparisons]
    return {"doses tried, all together": dict(zip(doses, wins, strict=True))}


DOSES: Final = Source(
    "ask: doses",
    (Kind("doses tried, all together", "ask", ("ask/doses",), together=True),),
    _ask_doses,
    truth=_true_doses,
    fewer=2,
)

_PLACES: Final = 40
_TIMES: Final = 2
_ALIKE: Final = 2400
"""Pairs of blocks from which places that are all alike are drawn."""


@cache
def _alike() -> NDArray[np.float64]:
    """Return effects of one change in many small blocks, wins per 100."""
    return np.array([watched_wins(_REAL.play_deals(1, np.arange(504 * k, 504 * k + 504))).mean for k in range(_ALIKE)])


def _ask_ranges(seed: int, workers: Workers) -> Printed:
    generator, alike = np.random.default_rng(seed), _alike()
    groups = alike[generator.permutation(_ALIKE)[: _PLACES * _TIMES]].reshape(_TIMES, _PLACES)
    planted = groups + generator.normal(0, float(alike.std()), _PLACES)
    return {
        "places alike: no more than noise": {0: happened(not beyond_noise(groups).shown)},
        "places as different as their noise: shown": {0: happened(beyond_noise(planted).shown)},
    }


RANGES: Final = Source(
    "ask --everywhere: ranges",
    (
        Kind("places alike: no more than noise", "ask --everywhere", ("estimates/beyond_noise",)),
        Kind("places as different as their noise: shown", "ask --everywhere", ("estimates/beyond_noise",), level=0.9),
    ),
    _ask_ranges,
    truth=lambda: all_zero(*RANGES.kinds),
)

_REASON_DEALS: Final = 12_600
_REASON_RUN: Final = 252


@cache
def _reasons() -> Reasons:
    seats = [ReasonsAtSeat(_REAL, focal, _REASON_DEALS) for focal in range(2)]
    return Reasons.of_seats([seat.play_deals(1, np.arange(_REASON_DEALS)) for seat in seats])


def _ask_reason(seed: int, workers: Workers) -> Printed:
    reasons, generator = _reasons(), np.random.default_rng(seed)
    deals = generator.permutation(_REASON_DEALS)[:_REASON_RUN]
    chosen = np.isin(reasons.deal, deals)
    few = chosen & np.isin(reasons.deal, deals[:12])
    firings = reasons.firings
    looked_at = generator.permutation(firings.deals)[: firings.deals // 10]
    these = np.isin(firings.deal, looked_at)
    own = replace(
        firings,
        deals=len(looked_at),
        games=2 * len(looked_at),
        **{name: getattr(firings, name)[these] for name in ("deal", "focal", "target", "pile", "deck")},
    )
    printed: dict[str, dict[Hashable, Interval]] = {"how often it would show": {0: firings_per_game(own)}}
    for name, which in (("worth of a turn on which it shows", chosen), ("the same, of few games", few)):
        if which.any():
            printed[name] = {0: worth_of(reasons, which, 2)}
    return printed


def _true_reasons() -> Truth:
    reasons = _reasons()
    worth = {0: worth_of(reasons, np.ones(len(reasons.deal), dtype=np.bool_), 2).estimate}
    return {
        "how often it would show": {0: firings_per_game(reasons.firings).estimate},
        "worth of a turn on which it shows": worth,
        "the same, of few games": worth,
    }


REASON: Final = Source(
    "ask: why",
    tuple(
        Kind(name, "ask", ("ask/player_reason",))
        for name in (
            "how often it would show", "worth of a turn on which it shows", "the same, of few games",
        )
    ),
    _ask_reason,
    truth=_true_reasons,
)  # fmt: skip

SOURCES: Final = (ASK, NOTHING, PLANNED, DOSES, RANGES, REASON)
"""Everything that is asked of `ask`."""
