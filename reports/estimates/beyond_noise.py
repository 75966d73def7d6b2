"""How far numbers differ from each other beyond what luck alone would make of equal ones.

The numbers are estimates of different things (the same change under many decks, say), all of them measured again in
several independent groups of deals. Estimates of equal things differ, too; how much shows in how the differences
between them change from group to group. What a group has in common at all places, as common deals make it, cancels.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from reports.estimates.intervals import LEVEL


@dataclass(frozen=True)
class BeyondNoise:
    """How far numbers differ beyond noise.

    Attributes
    ----------
    middle
        Their mean.
    spread
        The standard deviation of what is estimated; 0 where the estimates differ by no more than noise.
    low, high
        The least and the greatest of them once noise is taken out: drawn towards the middle until they differ as much
        as `spread` says.
    """

    middle: float
    spread: float
    low: float
    high: float

    @property
    def shown(self) -> bool:
        """Whether they surely differ."""
        return self.spread > 0

    def as_data(self) -> dict[str, object]:
        """Return everything as plain data."""
        return {"middle": self.middle, "spread": self.spread, "low": self.low, "high": self.high, "shown": self.shown}


def beyond_noise(groups: NDArray[np.float64], level: float = LEVEL) -> BeyondNoise:
    """Take the noise out of how far numbers differ.

    Parameters
    ----------
    groups
        Estimates, shape (groups of deals, numbers), two or more of each. Groups are independent of each other; within a
        group all may depend on the same deals.
    level
        How sure it must be that the numbers differ at all.

    Returns
    -------
    BeyondNoise
        By the analysis of variance in two ways (Fisher): the variance between numbers is compared with that of what is
        left once the means of numbers and of groups are taken away.
    """
    from scipy.stats import f as fisher

    times, many = groups.shape
    means = groups.mean(axis=0)
    middle = float(means.mean())
    left = groups - means - groups.mean(axis=1, keepdims=True) + middle
    between, freedom = times * float(means.var(ddof=1)), (many - 1) * (times - 1)
    noise = float((left**2).sum()) / freedom
    if between <= noise * float(fisher.ppf(level, many - 1, freedom)):
        return BeyondNoise(middle, 0.0, middle, middle)
    shrunk = middle + (means - middle) * np.sqrt((between - noise) / between)
    return BeyondNoise(middle, float(np.sqrt((between - noise) / times)), float(shrunk.min()), float(shrunk.max()))
