"""What `simulate` and `sweep` print."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from functools import cache, partial
from typing import Any, Final

import numpy as np
import pandas as pd

from benchmarks.coverage import Kind, Printed, Source, Truth
from benchmarks.printed.small_runs import (
    GAMES,
    LONG,
    NOVICE,
    STANDARD,
    frame_intervals,
    long_run,
    small,
    unprinted,
)
from reports.balance.rosters import one_among
from reports.estimates.betting import (
    watched_wins,
)
from reports.estimates.intervals import Interval
from reports.estimates.measures import interval_from_row, rows_of
from reports.simulation.plan import SimulationPlan, simulate_table
from reports.simulation.seating_orders import DIFFERENCE
from reports.simulation.summary import BEHAVIOUR, GAME_TURNS, MATCH_WINS, METRICS, SCORE, SHARED_WINS, WINS
from reports.sweep.effects import averaged, ends_of, freedom_of, jointly_widened, main_effects
from reports.sweep.paired import NUMBER, PairedPlan, answer_paired
from reports.sweep.plan import SweepPlan, sweep
from reports.sweep.variation import read_variation
from simulate import Rules
from simulate.escalation.kernel.win_shares import WIN
from simulate.runner import Workers
from strategies.catalogue import strategy

_LABELS: Final = {measure.name: measure.label for measure in METRICS.values()}
_SUMMARY: Final = ("simulation/summary", "simulation/plan", "estimates/intervals", "estimates/measures")


def _ask_simulate(seed: int, workers: Workers, *, match: bool) -> Printed:
    plan = SimulationPlan(Rules(players=3), (STANDARD, strategy("minimal"), NOVICE), match=match, seed=seed)
    result, words = simulate_table(plan, GAMES, small(workers)), ", standing minded" if match else ""
    printed: dict[str, dict[Hashable, Interval]] = {}
    for row in rows_of(result.numbers):
        interval = Interval(row["estimate"], row["low"], row["high"])
        printed.setdefault(f"{_LABELS[row['measure']]}{words}", {})[row["strategy"]] = interval
    beside = result.neighbours.tables() if result.neighbours else {}
    after, orders = (pd.DataFrame(beside[name]) for name in ("neighbours", "orders"))
    printed |= {
        f"wins right after another{words}": frame_intervals(after, column=WINS.name),
        f"the same against the average, all together{words}": frame_intervals(after, column=DIFFERENCE.name),
        f"wins by order of the seats{words}": frame_intervals(orders),
    }
    return printed


SIMULATE: Final = Source(
    "simulate",
    (
        *(
            Kind(name, "simulate, sweep, balance", _SUMMARY)
            for name in (WINS.label, MATCH_WINS.label, SCORE.label, GAME_TURNS.label, SHARED_WINS.label)
        ),
        Kind("wins right after another", "simulate", ("simulation/seating_orders",)),
        Kind("the same against the average, all together", "simulate", ("simulation/seating_orders",), together=True),
        Kind("wins by order of the seats", "simulate", ("simulation/seating_orders",)),
    ),
    partial(_ask_simulate, match=False),
)

MATCHES: Final = Source(
    "simulate --match",
    tuple(
        Kind(f"{name}, standing minded", "simulate --match", _SUMMARY)
        for name in (WINS.label, MATCH_WINS.label, SCORE.label, GAME_TURNS.label)
    ),
    partial(_ask_simulate, match=True),
    fewer=2,
)


_SURENESS: Final = 0.95
_LONGEST: Final = 400
"""Two players need fewer games than that, so all can be gone through."""


@cache
def _two_players() -> Truth:
    """Return from which number of games on the better of two is ahead: every number of games gone through by itself."""
    counts = long_run(one_among(Rules(players=2), STANDARD, NOVICE), LONG * 4)
    needed: dict[Hashable, float] = {}
    gaps: dict[Hashable, float] = {}
    for unit, wins, products in (
        ("games", counts["wins"].sum(axis=1), counts["win_products"]),
        ("matches", counts["match_wins"], counts["match_win_products"]),
    ):
        number = int(counts[unit][0]) * WIN
        mean = (wins[0] - wins[1]) / number
        square = (products[0, 0] - 2 * products[0, 1] + products[1, 1]) / number / WIN
        of_a_game = np.array([(square - mean) / 2, 1 - square, (square + mean) / 2])
        leads, ahead = np.ones(1), []
        for games in range(1, _LONGEST):
            leads = np.convolve(leads, of_a_game)
            ahead.append(float(leads[games + 1 :].sum()))
        needed[unit] = 1 + max(games for games, chance in enumerate(ahead, start=1) if chance < _SURENESS)
        gaps[unit] = 100 * float(mean)
    return {_until(2)[0]: needed, _until(2)[1]: gaps}


def _until(players: int) -> tuple[str, str]:
    return (
        f"games and matches until the better one is ahead ({players} players)",
        f"their gap in wins ({players} players)",
    )


def _ask_until_better(seed: int, workers: Workers, *, players: int) -> Printed:
    seats = one_among(Rules(players=players), STANDARD, NOVICE).seats
    plan = SimulationPlan(Rules(players=players), seats, seed=seed, sureness=_SURENESS)
    found = simulate_table(plan, GAMES, small(workers)).until_better
    needed, gap = _until(players)
    return {needed: {own.unit: own.needed for own in found}, gap: {own.unit: own.gap for own in found}}


def _until_better_source(players: int, truth: Callable[[], Truth] | None = None) -> Source:
    modules = ("simulation/until_better", "estimates/until_ahead")
    return Source(
        f"simulate --until-better, {players} players",
        tuple(Kind(name, "simulate --until-better, balance", modules) for name in _until(players)),
        partial(_ask_until_better, players=players),
        deals=252,
        truth=truth,
    )


@cache
def _sweep_plan() -> SweepPlan:
    varied = (read_variation("pass_hoard=0,1,2,4"), read_variation("wild_hold=0,1.5,3"))
    return SweepPlan(varied, (2,), Rules(), (STANDARD, NOVICE), metrics=("wins", "takes"))


def _ask_sweep(seed: int, workers: Workers) -> Printed:
    result = sweep(_sweep_plan(), GAMES, small(workers))
    printed: dict[str, dict[Hashable, Interval]] = {
        "what players did": {
            place: interval_from_row(row, BEHAVIOUR["takes"].name) for place, row in enumerate(rows_of(result.settings))
        }
    }
    for measure in (WINS, BEHAVIOUR["takes"]):
        effects = main_effects(result, measure)
        printed[f"effects on {measure.label}"] = _rows(effects)
        widened = jointly_widened(effects, freedom_of(result, measure))
        printed[f"effects on {measure.label}, a figure's rows together"] = _rows(widened)
        pairs = jointly_widened(averaged(result, measure, ["pass_hoard", "wild_hold"]), freedom_of(result, measure))
        printed[f"pairs of values: {measure.label}, a figure's rows together"] = _rows(pairs)
        gaps: dict[Hashable, Interval] = {}
        for name, frame in widened.groupby("parameter", sort=False):
            (ends,) = ends_of(frame, measure)
            values = frame.set_index("value")["estimate"].to_dict()
            gaps |= {(name, a, b): unprinted(values[a] - values[b]) for a in values for b in values}
            gaps[name, ends.best["value"], ends.worst["value"]] = Interval.around(ends.gap, ends.error)
        printed[f"best less worst value: {measure.label}"] = gaps
    return printed


def _rows(frame: pd.DataFrame) -> dict[Hashable, Interval]:
    """Return the intervals of a frame with columns estimate, low and high."""
    return {place: Interval(row["estimate"], row["low"], row["high"]) for place, row in enumerate(rows_of(frame))}


SWEEP: Final = Source(
    "sweep",
    (
        Kind("what players did", "sweep --metric", ("estimates/spread_over_blocks", "sweep/plan")),
        *(
            Kind(name, "sweep", ("sweep/effects", "sweep/figures"), together="together" in name)
            for label in (WINS.label, BEHAVIOUR["takes"].label)
            for name in (
                f"effects on {label}",
                f"effects on {label}, a figure's rows together",
                f"pairs of values: {label}, a figure's rows together",
                f"best less worst value: {label}",
            )
        ),
    ),
    _ask_sweep,
    deals=84,
    pool=500,
)


@cache
def _paired_plan(goal: Any, seed: int) -> PairedPlan:
    plan = SweepPlan((read_variation("pass_hoard=0,1,3,4"),), (2,), Rules(), (STANDARD,), seed=seed)
    return PairedPlan(plan, goal)


def _ask_compare(seed: int, workers: Workers) -> Printed:
    result = answer_paired(_paired_plan("compare", 1), 2 * GAMES, small(workers))
    return {"difference from the base": frame_intervals(result.settings, key="setting")}


def _ask_find(seed: int, workers: Workers) -> Printed:
    result = answer_paired(_paired_plan("best", seed), 2 * GAMES, small(workers))
    assert result.fresh is not None
    return {
        "the best one, measured again": {(result.winner, NUMBER): result.fresh},
        "points of a race, all together": frame_intervals(result.settings, key="setting"),
    }


@cache
def _true_differences() -> Truth:
    settings = _paired_plan("best", 1).experiment.settings
    numbers = {(place, NUMBER): watched_wins(long_run(own)).mean for place, own in enumerate(settings)}
    return {kind.name: numbers for kind in FIND.kinds}


COMPARE: Final = Source(
    "sweep --paired",
    (Kind("difference from the base", "sweep --paired", ("sweep/paired", "estimates/betting")),),
    _ask_compare,
    deals=126,
    pool=500,
)
FIND: Final = Source(
    "sweep --find best",
    (
        Kind("the best one, measured again", "sweep --find best, worst", ("sweep/paired",)),
        Kind(
            "points of a race, all together",
            "sweep --find best, worst",
            ("sweep/paired", "estimates/betting"),
            together=True,
        ),
    ),
    _ask_find,
    deals=126,
    truth=_true_differences,
)

UNTIL_BETTER: Final = (_until_better_source(2, _two_players), _until_better_source(4))

SOURCES: Final = (SIMULATE, MATCHES, *UNTIL_BETTER, SWEEP, COMPARE, FIND)
"""Everything that is asked of `simulate` and `sweep`."""
