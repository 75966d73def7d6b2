"""Every kind of number that is printed with an interval: the sources, in the order of the page."""

from __future__ import annotations

from typing import Final

from benchmarks.coverage import Source
from benchmarks.printed import balance_report, groups, questions, rare_events, tables, variance_shares

SOURCES: Final = tuple(
    source
    for module in (tables, variance_shares, questions, rare_events, balance_report, groups)
    for source in module.SOURCES
)


def source_named(name: str) -> Source:
    """Return the source of that name."""
    return next(source for source in SOURCES if source.name == name)
