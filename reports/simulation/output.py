"""A table's result on the screen and as files."""

from __future__ import annotations

from itertools import groupby
from typing import Final

from reports.estimates.intervals import LEVEL
from reports.estimates.spread_over_blocks import FEWEST_BLOCKS, OVER_BLOCKS
from reports.output.table_files import tables_as_files
from reports.output.terminal import Screen, announce, show_basis
from reports.output.words import INTERVAL_NOTE, plus_minus
from reports.simulation.plan import SimulationPlan, SimulationResult
from reports.simulation.summary import MATCH_WINS, SCORE, WINS
from simulate.blocks import DEALS_PER_BLOCK

MATCH_WORDS: Final = "; everybody minds the standing of the match"
NOTE: Final = f"Score: penalty cards at the end, low is good. {INTERVAL_NOTE}"
BEHAVIOUR_NOTE: Final = (
    f"What players did: ± is the {LEVEL:.0%} interval {OVER_BLOCKS}; none with fewer than {FEWEST_BLOCKS} blocks "
    f"({FEWEST_BLOCKS * DEALS_PER_BLOCK:,} games)."
)
MATCH_NOTE: Final = "The games of a match depend on each other: intervals count each match as one game."
SEATING_WORDS: Final = {
    "every": "every order of the seats equally often, the starter rotates",
    "rotate": "one order, the starter rotates",
    "given": "one order, the first seat always starts",
}


def announce_simulation(screen: Screen, plan: SimulationPlan, games: int) -> None:
    """Say what is about to be played."""
    played = plan.provenance(games)
    seats = ", ".join(_with_times(label, len(list(same))) for label, same in groupby(s.label for s in plan.seats))
    lines = [
        f"Playing {played.games:,} games with {plan.rules.players} players: {seats}",
        f"Seating: {SEATING_WORDS[plan.seating]}{MATCH_WORDS if plan.match else ''}",
    ]
    announce(screen, lines, played)


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
    sentences = [forecast.sentence for forecast in result.until_better]
    if result.neighbours:
        sentences.append(result.neighbours.sentence)
    screen.heading(*sentences, "\nPer player and game")
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


def simulation_files(result: SimulationResult, *, parquet: bool = False) -> dict[str, bytes]:
    """Return `strategies.csv`, one row per strategy, and `numbers.csv`, one row per number.

    Where it may matter who sits beside whom: `neighbours.csv` and, up to six players, `orders.csv`, too.
    """
    import pandas as pd

    tables = {"strategies": result.strategies, "numbers": result.numbers}
    if result.neighbours:
        tables |= {name: pd.DataFrame(rows) for name, rows in result.neighbours.tables().items()}
    return tables_as_files(tables, parquet=parquet, looked_at=result.provenance.looked_at)
