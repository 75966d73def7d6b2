"""How numbers are written for people."""

from __future__ import annotations

import pytest

from reports.estimates.intervals import Interval
from reports.output.words import plus_minus


@pytest.mark.parametrize(
    ("interval", "written"),
    [
        (Interval(25.0, 24.5, 25.5), "25.00 ± 0.50"),
        (Interval(25.0, 25.0, 25.0), "25.00 ± 0.00"),
        (Interval(0.0, 0.0, 0.0), "0.00 ± 0.00"),
        # Bounds that stand alone are rounded away from the estimate.
        (Interval(0.0, 0.0, 0.0761), "at most 0.08"),
        (Interval(100.0, 99.9299, 100.0), "at least 99.92"),
        (Interval(0.02, 0.004, 0.11), "0.02 (0.00 to 0.11)"),
        (Interval(99.98, 99.89, 99.996), "99.98 (99.89 to 100.00)"),
    ],
)
def test_an_interval_is_written_as_it_reaches(interval: Interval, written: str):
    assert plus_minus(interval) == written
