"""Results as the files of an output folder: contents by file name."""

from __future__ import annotations

from collections.abc import Mapping

import pandas as pd

from reports.effects import main_effects, sensitivity_of, varied
from reports.folder import as_csv, as_parquet
from reports.paired import PairedResult
from reports.simulation import SimulationResult
from reports.sweep import SweepResult


def tables_as_files(tables: Mapping[str, pd.DataFrame], *, parquet: bool) -> dict[str, bytes]:
    """Return each table as CSV and, if asked for, as Parquet."""
    files = {f"{name}.csv": as_csv(table) for name, table in tables.items()}
    if parquet:
        files |= {f"{name}.parquet": as_parquet(table) for name, table in tables.items()}
    return files


def simulation_files(result: SimulationResult, *, parquet: bool = False) -> dict[str, bytes]:
    """Return `strategies.csv`, one row per strategy, and `numbers.csv`, one row per number."""
    return tables_as_files({"strategies": result.strategies, "numbers": result.numbers}, parquet=parquet)


def paired_files(result: PairedResult, *, parquet: bool = False) -> dict[str, bytes]:
    """Return `settings.csv`, one row per setting."""
    return tables_as_files({"settings": result.settings}, parquet=parquet)


def sweep_files(result: SweepResult, *, parquet: bool = False) -> dict[str, bytes]:
    """Return `settings.csv`, one row per setting; `main_effects_*.csv`; and every figure as SVG and PNG.

    Of a run that was stopped early there is `settings.csv` alone: averages over what happens to be played mislead.
    """
    from reports.plots import as_png, as_svg, sweep_figures

    tables = {"settings": result.settings}
    if not result.complete:
        return tables_as_files(tables, parquet=parquet)
    if varied(result):
        for measure in result.measures:
            tables[f"main_effects_{measure.name}"] = main_effects(result, measure)
    if len(result.plan.variations) > 1:
        for measure in result.measures:
            tables[f"sensitivity_{measure.name}"] = sensitivity_of(result, measure).table
    files = tables_as_files(tables, parquet=parquet)
    for name, figure in sweep_figures(result).items():
        files[f"{name}.svg"] = as_svg(figure)
        files[f"{name}.png"] = as_png(figure)
    return files
