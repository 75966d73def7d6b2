"""Results as tables and sentences for a person at a terminal."""

from __future__ import annotations

import math
from itertools import groupby
from typing import Any, Final

from reports.basis import announce_basis, show_basis
from reports.batches import FEWEST_BLOCKS, OVER_BLOCKS
from reports.designs import DRAWN
from reports.effects import (
    best_settings,
    best_word,
    main_finding,
    sensitivity_finding,
    sensitivity_of,
    varied,
)
from reports.frames import MATCH_WINS, SCORE, WINS, Measure, interval_from_row, records
from reports.interval_text import INTERVAL_NOTE, plus_minus
from reports.paired import NUMBER, PairedPlan, PairedResult, best_first, share_different
from reports.simulation import SimulationPlan, SimulationResult
from reports.statistics import LEVEL
from reports.sweep import SweepPlan, SweepResult
from reports.terminal import Screen
from reports.values import shown
from reports.variation import Variation
from simulate.blocks import DEALS_PER_BLOCK

MOST_ROWS: Final = 24
"""A sweep of more settings than this shows only the best ones."""

MATCH_WORDS: Final = "; everybody minds the standing of the match"
BEST_SHOWN: Final = 3
MOST_VALUES: Final = 40

NOTE: Final = f"Score: penalty cards at the end, low is good. {INTERVAL_NOTE}"
BEHAVIOUR_NOTE: Final = (
    f"What players did: ± is the {LEVEL:.0%} interval {OVER_BLOCKS}; none with fewer than {FEWEST_BLOCKS} blocks "
    f"({FEWEST_BLOCKS * DEALS_PER_BLOCK:,} games)."
)
MATCH_NOTE: Final = "The games of a match depend on each other: intervals count each match as one game."
SEATING_WORDS: Final = {
    "given": "the first seat always starts",
    "rotate": "the starter rotates",
    "shuffle": "seats are drawn for each deal",
}


def announce_simulation(screen: Screen, plan: SimulationPlan, games: int) -> None:
    """Say what is about to be played."""
    played = plan.provenance(games)
    seats = ", ".join(_with_times(label, len(list(same))) for label, same in groupby(s.label for s in plan.seats))
    screen.note(f"Playing {played.games:,} games with {plan.rules.players} players: {seats}")
    screen.note(f"Seating: {SEATING_WORDS[plan.seating]}{MATCH_WORDS if plan.match else ''}")
    announce_basis(screen, played)


def announce_sweep(screen: Screen, plan: SweepPlan, games: int) -> None:
    """Say what is about to be played."""
    played = plan.provenance(games)
    sizes = ", ".join(map(str, plan.player_counts))
    screen.note(
        f"Playing {plan.size:,} settings of {played.games:,} games ({plan.size * played.games:,} in all), "
        f"each on the same deals, with {sizes} players"
    )
    for variation in plan.variations:
        screen.note(f"Varying {_tried(variation, plan)}")
    if plan.design.kind != "grid":
        screen.note(f"Design: {plan.design.kind}, {len(plan.rows):,} points at each table size")
    who = "everybody" if plan.who == "all" else "one player"
    opponents = "" if plan.who == "all" else f", opponents: {plan.opponents}"
    match = MATCH_WORDS if plan.match else ""
    screen.note(f"Varied for {who}: {plan.seats[0].label}{opponents}; the starter rotates{match}")
    announce_basis(screen, played)


def _tried(variation: Variation, plan: SweepPlan) -> str:
    unit = f" ({variation.unit})" if variation.unit else ""
    if variation.span and plan.design.kind in DRAWN:
        return f"{variation.name}{unit}: anything from {variation.span[0]:g} to {variation.span[1]:g}"
    values = ", ".join(shown(value) for value in variation.values[:MOST_VALUES])
    more = f", ... ({len(variation.values)} values)" if len(variation.values) > MOST_VALUES else ""
    return f"{variation.name}{unit}: {values}{more}"


def _with_times(label: str, times: int) -> str:
    return label if times == 1 else f"{label} (x{times})"


def show_simulation(screen: Screen, result: SimulationResult) -> None:
    """Print how each strategy did and what it did."""
    measures = [WINS, MATCH_WINS, SCORE] if result.summaries[0].matches else [WINS, SCORE]
    screen.table(
        ["strategy", "seats", *(measure.label for measure in measures)],
        [
            [readable(summary.strategy), str(len(summary.seats)), *(plus_minus(summary.outcomes[m]) for m in measures)]
            for summary in result.summaries
        ],
    )
    screen.remark(NOTE)
    if result.provenance.spec["match"]:
        screen.remark(MATCH_NOTE)
    screen.remark("Every game: " + ", ".join(f"{m.label} {plus_minus(i)}" for m, i in result.whole_games.items()) + ".")
    for forecast in result.until_better:
        screen.heading(forecast.sentence)
    screen.heading("\nPer player and game")
    screen.table(
        ["", *(readable(summary.strategy) for summary in result.summaries)],
        [
            [measure.label, *(f"{summary.behaviour[measure]:.2f}" for summary in result.summaries)]
            for measure in result.summaries[0].behaviour
        ],
    )
    show_basis(screen, result.provenance)


def readable(label: str) -> str:
    """Return a strategy's label with spaces at which a narrow column may fold it."""
    return label.replace(",", ", ")


def show_sweep(screen: Screen, result: SweepResult) -> None:
    """Print what the sweep found, and its settings or the best of them."""
    first = result.measures[0]
    measures = [*result.measures, *(m for m in (SCORE,) if m not in result.measures)]
    frame = result.settings
    if result.complete:
        _show_findings(screen, result)
    if len(frame) > MOST_ROWS:
        frame = best_settings(result, first, BEST_SHOWN)
        screen.heading(f"\nThe {BEST_SHOWN} {best_word(result, first)} settings of each table size, by {first.label}")
    columns = ["players", *(variation.name for variation in result.plan.variations)]
    screen.table(
        [*columns, *(measure.label for measure in measures)],
        [[*(shown(row[c]) for c in columns), *(_from_row(row, m) for m in measures)] for row in records(frame)],
        texts=0,
    )
    screen.remark(NOTE)
    if result.plan.behaviour:
        screen.remark(BEHAVIOUR_NOTE)
    if result.plan.match:
        screen.remark(MATCH_NOTE)
    if len(frame) > 1:
        screen.remark("The best of many settings looks better than it is: play it again with another --seed.")
    show_basis(screen, result.provenance)


def _show_findings(screen: Screen, result: SweepResult) -> None:
    """Print what matters: the effect of every value, or where points are drawn, how much each thing matters."""
    if varied(result):
        for measure in result.measures:
            for line in main_finding(result, measure).splitlines():
                screen.heading(line)
    elif len(result.plan.variations) > 1:
        for measure in result.measures:
            for line in sensitivity_finding(result, measure).splitlines():
                screen.heading(line)
            show_sensitivity(screen, result, measure)


def show_sensitivity(screen: Screen, result: SweepResult, measure: Measure) -> None:
    """Print how much each thing that varies matters."""
    table = sensitivity_of(result, measure).table
    if "total" in table:
        rows = [
            [
                str(row["factor"]),
                str(row["players"]),
                *(
                    f"{row[name]:.2f} ± {(row[f'{name}_high'] - row[f'{name}_low']) / 2:.2f}"
                    for name in ("first_order", "total")
                ),
            ]
            for row in records(table)
        ]
        screen.table(["", "players", "share alone", "share with interplay"], rows)
        return
    rows = [
        [str(row["factor"]), str(row["players"]), f"{row['share']:.2f}", f"{row['effect']:+.2f}"]
        for row in records(table)
    ]
    screen.table(["", "players", "share", f"from least to greatest ({measure.unit})"], rows)


def announce_paired(screen: Screen, plan: PairedPlan, games: int) -> None:
    """Say what is about to be played."""
    most = "at most " if plan.goal != "compare" else ""
    screen.note(
        f"Comparing {plan.sweep.size:,} settings with {plan.sweep.seats[0].label}, {most}{plan.deals(games):,} deals "
        f"each, every deal with the player at each of {plan.players} seats, as he is and changed"
    )
    for variation in plan.sweep.variations:
        screen.note(f"Varying {_tried(variation, plan.sweep)}")
    screen.note(f"Opponents: {plan.sweep.opponents}")
    announce_basis(screen, plan.provenance(games))


def show_paired(screen: Screen, result: PairedResult) -> None:
    """Print which settings differ from the base, or which one is best or worst."""
    plan = result.plan
    names = [variation.name for variation in plan.sweep.variations]
    frame = best_first(result).head(MOST_ROWS)
    if plan.goal == "compare":
        found, every = share_different(result)
        screen.heading(f"{found} of {every} settings differ from {plan.sweep.seats[0].label}")
        last, promise = "different", f"different: e-BH; of those marked at most {plan.rate:.0%} are wrong, on average."
    else:
        _show_winner(screen, result)
        last = "state"
        promise = f"± of this table holds for all settings together at every look ({1 - plan.rate:.0%}, anytime-valid)."
    screen.table(
        [*names, "deals", "wins per 100 games against the base", last],
        [
            [*(shown(row[name]) for name in names), f"{row['deals']:,}", _signed(row), str(row[last])]
            for row in records(frame)
        ],
        texts=0,
    )
    if len(result.settings) > MOST_ROWS:
        screen.remark(f"The first {MOST_ROWS} of {len(result.settings):,} settings.")
    screen.remark(promise if plan.goal != "compare" else f"{INTERVAL_NOTE} {promise}")
    show_basis(screen, result.provenance)


def _show_winner(screen: Screen, result: PairedResult) -> None:
    if result.winner is None or result.fresh is None:
        screen.heading("The race is not over")
        return
    plan, fresh = result.plan, result.fresh
    values = plan.sweep.values_at(plan.sweep.points[result.winner])
    where = ", ".join(f"{name}={shown(value)}" for name, value in values.items())
    left = int((result.settings["state"] == "in the race").sum())
    rivals = (
        f"; {left} more may be as good"
        if left and plan.goal == "best"
        else f"; {left} more may be as bad"
        if left
        else ""
    )
    screen.heading(f"{plan.goal.capitalize()}: {where}{rivals}")
    screen.heading(
        f"On fresh deals: {fresh.estimate:+.2f} ± {fresh.half_width:.2f} wins per 100 games against "
        f"{plan.sweep.seats[0].label} ({fresh.level:.0%}, {fresh.kind}); {result.saved:.0%} of the games were saved"
    )


def _signed(row: dict[str, Any]) -> str:
    low, high = row[f"{NUMBER}_low"], row[f"{NUMBER}_high"]
    return f"{row[NUMBER]:+.2f} ± {(high - low) / 2:.2f}"


def _from_row(row: dict[str, Any], measure: Measure) -> str:
    if math.isnan(row.get(f"{measure.name}_low", math.nan)):
        return f"{row[measure.name]:.2f}"
    return plus_minus(interval_from_row(row, measure))
