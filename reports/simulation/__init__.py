"""The question "how do these strategies fare against each other at one table?"."""

from reports.simulation.plan import SimulationPlan, SimulationResult, simulate_table

__all__ = ["SimulationPlan", "SimulationResult", "simulate_table"]
