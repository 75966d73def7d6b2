"""A comparison or search of settings on the screen and as files."""

from __future__ import annotations

from typing import Final

from reports.estimates.measures import rows_of
from reports.output.table_files import tables_as_files
from reports.output.terminal import Screen, announce, show_basis
from reports.output.words import INTERVAL_NOTE, counted, percent, row_with_error
from reports.reading.values import shown
from reports.sweep.output import MOST_ROWS, tried
from reports.sweep.paired import NUMBER, PairedPlan, PairedResult, best_first, share_different
from simulate.escalation.rules import FEWEST_PLAYERS

IN_EVERY_ORDER: Final = ", in every order of the seats equally often"


def announce_paired(screen: Screen, plan: PairedPlan, games: int) -> None:
    """Say what is about to be played."""
    most = "at most " if plan.goal != "compare" else ""
    lines = [
        f"Comparing {counted(plan.sweep.size, 'setting')} with {plan.sweep.seats[0].label}, {most}"
        f"{plan.deals(games):,} deals each, every deal with the player at each of {plan.players} seats, as he is and "
        "changed",
        *(f"Varying {tried(variation, plan.sweep)}" for variation in plan.sweep.variations),
        f"Opponents: {plan.sweep.opponents}{IN_EVERY_ORDER if len(plan.sweep.seats) > FEWEST_PLAYERS else ''}",
    ]
    announce(screen, lines, plan.provenance(games))


def show_paired(screen: Screen, result: PairedResult) -> None:
    """Print which settings differ from the base, or which one is best or worst."""
    plan = result.plan
    names = [variation.name for variation in plan.sweep.variations]
    frame = best_first(result).head(MOST_ROWS)
    if plan.goal == "compare":
        found, every = share_different(result)
        screen.heading(f"{found} of {counted(every, 'setting')} differ from {plan.sweep.seats[0].label}")
        last, promise = (
            "different",
            f"different: e-BH; of those marked at most {percent(plan.rate)} are wrong, on average.",
        )
    else:
        _show_winner(screen, result)
        last = "state"
        promise = (
            f"± of this table holds for all settings together at every look ({percent(1 - plan.rate)}, anytime-valid)."
        )
    screen.table(
        [*names, "deals", "wins per 100 games against the base", last],
        [
            [*(shown(row[name]) for name in names), f"{row['deals']:,}", row_with_error(row, NUMBER, 2), str(row[last])]
            for row in rows_of(frame)
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
    rivals = f"; {left} more may be as {'good' if plan.goal == 'best' else 'bad'}" if left else ""
    screen.heading(f"{plan.goal.capitalize()}: {where}{rivals}")
    if plan.is_base(result.winner):
        screen.heading(f"That is {plan.sweep.seats[0].label} itself; {result.saved:.0%} of the games were saved")
        return
    against = f"{plan.sweep.seats[0].label} ({percent(fresh.level)}, {fresh.kind})"
    screen.heading(
        f"On fresh deals: {fresh.estimate:+.2f} ± {fresh.half_width:.2f} wins per 100 games against {against}; "
        f"{result.saved:.0%} of the games were saved"
    )


def paired_files(result: PairedResult, *, parquet: bool = False) -> dict[str, bytes]:
    """Return `settings.csv`, one row per setting."""
    return tables_as_files({"settings": result.settings}, parquet=parquet, looked_at=result.provenance.looked_at)
