"""Results as the files of an output folder: contents by file name."""

from __future__ import annotations

from reports.effects import main_effects, varied
from reports.folder import as_csv
from reports.plots import as_png, as_svg, sweep_figures
from reports.simulation import SimulationResult
from reports.sweep import SweepResult


def simulation_files(result: SimulationResult) -> dict[str, bytes]:
    """Return `strategies.csv`, one row per strategy, and `numbers.csv`, one row per number."""
    return {"strategies.csv": as_csv(result.strategies), "numbers.csv": as_csv(result.numbers)}


def sweep_files(result: SweepResult) -> dict[str, bytes]:
    """Return `settings.csv`, one row per setting; `main_effects_*.csv`; and every figure as SVG and PNG."""
    files = {"settings.csv": as_csv(result.settings)}
    if varied(result):
        for measure in result.measures:
            files[f"main_effects_{measure.name}.csv"] = as_csv(main_effects(result, measure))
    for name, figure in sweep_figures(result).items():
        files[f"{name}.svg"] = as_svg(figure)
        files[f"{name}.png"] = as_png(figure)
    return files
