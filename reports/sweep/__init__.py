"""The question "how does play change as these things change?": settings on common deals."""

from reports.reading.values import Variation
from reports.sweep.plan import SweepPlan, SweepResult, sweep
from reports.sweep.variation import read_variation

__all__ = ["SweepPlan", "SweepResult", "Variation", "read_variation", "sweep"]
