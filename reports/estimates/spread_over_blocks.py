"""Intervals from the spread over blocks, for numbers of which the engine adds up no squares over games.

What players did (takes, Passes, ...) is only summed up. But every block is a sample of its own, as large as the others
and independent of them, so the spread of the blocks' means says how far their mean may be off. Games of a match that
depend on each other lie in one block.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Final

import numpy as np

from reports.estimates.intervals import LEVEL, PLANNED, Interval, mean_over_seats, reach_of
from simulate.escalation.state import TELEMETRY
from simulate.experiment import Counts

FEWEST_BLOCKS: Final = 10
"""With fewer blocks their spread says too little."""
OVER_BLOCKS: Final = f"{PLANNED}, from the spread over blocks"
"""The kind of these intervals."""


def as_batch(counts: Counts) -> Counts:
    """Return the counts of one block with what the spread over blocks is computed from; they still add up.

    Returns
    -------
    mapping of str to numpy.ndarray of int64
        Further names: blocks, shape (1,); telemetry_products, the product of two seats' sums of each of TELEMETRY,
        shape (seats, seats, len(TELEMETRY)).
    """
    of_seat = counts["telemetry"].sum(axis=1)
    return {
        **counts,
        "blocks": np.ones(1, dtype=np.int64),
        "telemetry_products": np.einsum("im,jm->ijm", of_seat, of_seat),
    }


def mean_over_blocks(counts: Counts, name: str, seats: Sequence[int], level: float = LEVEL) -> Interval:
    """Estimate how often, per seat and game, something was done, with an interval by Student's t over blocks.

    Parameters
    ----------
    counts
        Sums of what `as_batch` returned.
    name
        What was done: one of TELEMETRY.
    seats
        The seats to average over.
    level
        The level of the interval.

    Returns
    -------
    Interval
        Without bounds (nan) if there are fewer than FEWEST_BLOCKS blocks.
    """
    measure, blocks, games = TELEMETRY.index(name), int(counts["blocks"][0]), int(counts["games"][0])
    totals = counts["telemetry"].sum(axis=1)[:, measure]
    estimate = float(totals[list(seats)].sum() / (games * len(seats)))
    if blocks < FEWEST_BLOCKS:
        return Interval(estimate, math.nan, math.nan, level, OVER_BLOCKS)
    of_blocks = mean_over_seats(totals, counts["telemetry_products"][:, :, measure], blocks, seats, level)
    reach = of_blocks.half_width * blocks / games * reach_of(level, blocks - 1) / reach_of(level)
    return Interval.around(estimate, reach, level, OVER_BLOCKS)
