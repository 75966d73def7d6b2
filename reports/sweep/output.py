"""A sweep on the screen and as files."""

from __future__ import annotations

import math
from typing import Final

from reports.estimates.measures import Measure, Row, interval_from_row, rows_of
from reports.output.table_files import tables_as_files
from reports.output.terminal import Screen, announce, show_basis
from reports.output.words import counted, number_in, plus_minus
from reports.reading.values import Variation, shown
from reports.simulation.output import BEHAVIOUR_NOTE, MATCH_NOTE, MATCH_WORDS, NOTE, SEATING_WORDS
from reports.simulation.summary import SCORE
from reports.sweep.designs import DRAWN
from reports.sweep.effects import (
    best_settings,
    best_word,
    main_effects,
    main_finding,
    sensitivity_finding,
    sensitivity_of,
    varied,
)
from reports.sweep.plan import SweepPlan, SweepResult

MOST_ROWS: Final = 24
"""A sweep of more settings than this shows only the best ones."""

BEST_SHOWN: Final = 3
MOST_VALUES: Final = 40


def announce_sweep(screen: Screen, plan: SweepPlan, games: int) -> None:
    """Say what is about to be played."""
    played = plan.provenance(games)
    sizes = ", ".join(map(str, plan.player_counts))
    lines = [
        f"Playing {counted(plan.size, 'setting')} of {played.games:,} games ({plan.size * played.games:,} in all), "
        f"each on the same deals, with {sizes} players",
        *(f"Varying {tried(variation, plan)}" for variation in plan.variations),
    ]
    if plan.design.kind != "grid":
        lines.append(f"Design: {plan.design.kind}, {counted(len(plan.rows), 'point')} at each table size")
    who = "everybody" if plan.who == "all" else "one player"
    opponents = "" if plan.who == "all" else f", opponents: {plan.opponents}"
    match = MATCH_WORDS if plan.match else ""
    lines.append(f"Varied for {who}: {plan.seats[0].label}{opponents}")
    lines.append(f"Seating: {SEATING_WORDS['every']}{match}")
    announce(screen, lines, played)


def tried(variation: Variation, plan: SweepPlan) -> str:
    """Say what of a variation is tried, in its unit."""
    unit = f" ({variation.unit})" if variation.unit else ""
    if variation.span and plan.design.kind in DRAWN:
        return f"{variation.name}{unit}: anything from {variation.span[0]:g} to {variation.span[1]:g}"
    values = ", ".join(shown(value) for value in variation.values[:MOST_VALUES])
    more = f", ... ({len(variation.values)} values)" if len(variation.values) > MOST_VALUES else ""
    return f"{variation.name}{unit}: {values}{more}"


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
        [[*(shown(row[c]) for c in columns), *(number_in(row, m) for m in measures)] for row in rows_of(frame)],
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
    effects = bool(varied(result))
    if not effects and len(result.plan.variations) == 1:
        return
    for measure in result.measures:
        finding = main_finding(result, measure) if effects else sensitivity_finding(result, measure)
        screen.heading(*finding.splitlines())
        if not effects:
            _show_sensitivity(screen, result, measure)


def _show_sensitivity(screen: Screen, result: SweepResult, measure: Measure) -> None:
    """Print how much each thing that varies matters."""
    found = sensitivity_of(result, measure)
    heads, numbers = ("share in %", f"from least to greatest ({measure.unit})"), _of_regression
    if "total" in found.table:
        heads, numbers = ("share in % alone", "in % with interplay"), _of_sobol
    rows = [[str(row["factor"]), str(row["players"]), *numbers(row)] for row in rows_of(found.table)]
    screen.table(["", "players", *heads], rows)
    for remark in found.remarks:
        screen.remark(f"{remark[0].upper()}{remark[1:]}.")


def _of_regression(row: Row) -> list[str]:
    return [_told(row, "share", 100), _told(row, "effect", 1)]


def _of_sobol(row: Row) -> list[str]:
    return [_told(row, name, 100) for name in ("first_order", "total")]


def _told(row: Row, name: str, unit: float) -> str:
    """Write a number in a unit with its interval, as far as there are any."""
    interval = interval_from_row(row, name).times(unit)
    if math.isnan(interval.estimate):
        return "-"
    return f"{interval.estimate:z.2f}" if math.isnan(interval.low) else plus_minus(interval)


def sweep_files(result: SweepResult, *, parquet: bool = False) -> dict[str, bytes]:
    """Return `settings.csv`, one row per setting; `main_effects_*.csv`; and every figure as SVG and PNG.

    Of a run that was stopped early there is `settings.csv` alone: averages over what happens to be played mislead.
    """
    from reports.output.figures import figure_files
    from reports.sweep.figures import sweep_figures

    tables = {"settings": result.settings}
    if not result.complete:
        return tables_as_files(tables, parquet=parquet, looked_at=result.provenance.looked_at)
    if varied(result):
        for measure in result.measures:
            tables[f"main_effects_{measure.name}"] = main_effects(result, measure)
    if len(result.plan.variations) > 1:
        for measure in result.measures:
            tables[f"sensitivity_{measure.name}"] = sensitivity_of(result, measure).table
    return tables_as_files(tables, parquet=parquet, looked_at=result.provenance.looked_at) | figure_files(
        sweep_figures(result)
    )
