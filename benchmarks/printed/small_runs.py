"""What sources share: small runs, long runs, and every interval that is found in a result."""

from __future__ import annotations

import math
from collections.abc import Hashable, Iterable, Mapping
from dataclasses import fields, is_dataclass
from typing import Any, Final

import numpy as np
import pandas as pd

from benchmarks.coverage import Kind, Truth, total_of
from reports.ask.verdict import Stopping
from reports.balance.finding import Play
from reports.estimates.intervals import Interval
from reports.estimates.measures import interval_from_row, rows_of
from reports.output.parts import Parts
from simulate.blocks import DEALS_PER_BLOCK
from simulate.experiment import Counts
from simulate.runner import How, Workers
from strategies.catalogue import strategy

BLOCKS: Final = 10
"""Blocks of a run: as many as intervals from the spread over blocks need."""
GAMES: Final = BLOCKS * DEALS_PER_BLOCK
"""What is asked for to get so many blocks; they are smaller than usual."""
ALPHA: Final = 0.05
POWER: Final = 0.8
FAR: Final = 1 << 40
"""Deals of long runs, far from those of the seeds."""
LONG: Final = 400_000
NEVER_ENOUGH: Final = Stopping(precision=1e-9, most_deals=GAMES)
"""Measures on to the end, whatever is seen."""

STANDARD: Final = strategy("standard")
NOVICE: Final = strategy("novice")
HOARDER: Final = strategy("hoarder")


def intervals_in(found: object, at: tuple[Hashable, ...] = ()) -> dict[Hashable, Interval]:
    """Return every interval in a result, however deep, by its place: in tuples, mappings, dataclasses and frames."""
    if isinstance(found, Interval):
        return {at: found}
    pieces: Iterable[tuple[Hashable, object]] = ()
    if isinstance(found, pd.DataFrame):
        return frame_intervals(found, at)
    if isinstance(found, Mapping):
        pieces = found.items()
    elif isinstance(found, list | tuple):
        pieces = enumerate(found)
    elif is_dataclass(found):
        pieces = ((field.name, getattr(found, field.name)) for field in fields(found))
    return {place: own for key, piece in pieces for place, own in intervals_in(piece, (*at, key)).items()}


def frame_intervals(
    frame: pd.DataFrame, at: tuple[Hashable, ...] = (), *, key: str = "", column: str = ""
) -> dict[Hashable, Interval]:
    """Return every interval of a frame with columns NAME, NAME_low and NAME_high.

    Parameters
    ----------
    frame, at
        The frame, and its place in a result.
    key
        The column that tells rows apart; empty: their number.
    column
        Only names that begin like that.
    """
    names = [str(name) for name in frame if f"{name}_low" in frame and str(name).startswith(column)]
    return {
        (*at, row[key] if key else place, name): interval_from_row(row, name)
        for place, row in enumerate(rows_of(frame))
        for name in names
    }


def unprinted(number: float) -> Interval:
    """Return a number that takes part in the truth but was not printed."""
    return Interval(number, math.nan, math.nan)


def small(workers: Workers) -> How:
    """Return how to run on small blocks."""
    return How(workers=workers)


def play_of(workers: Workers, seed: int = 1) -> Play:
    """Return a balance report's way to play on small blocks."""
    return Play(seed, Parts(small(workers)))


def long_run(setting: Any, deals: int = LONG, pieces: int = 40) -> Counts:
    """Play a setting for long, on deals that no seed has."""
    size = deals // pieces
    return total_of([setting.play_deals(1, np.arange(FAR + p * size, FAR + (p + 1) * size)) for p in range(pieces)])


def all_zero(*kinds: Kind) -> Truth:
    """Return the truth of kinds that are no intervals (see `coverage.happened`)."""
    return {kind.name: {0: 0.0} for kind in kinds}
