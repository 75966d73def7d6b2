"""The paired question: the same deals for a group as it is and for the same group with a change."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from simulate.experiment import Counts, Spec
from simulate.quickly.engine import Group
from simulate.quickly.game import GroupResults


@dataclass(frozen=True)
class GroupComparison:
    """Two groups on common deals.

    Attributes
    ----------
    base, changed
        The group as it is, and with the change.
    """

    base: Group
    changed: Group

    def play_deals(self, seed: int, deals: NDArray[np.int64]) -> Counts:
        """Play deals with both groups.

        Returns
        -------
        mapping of str to numpy.ndarray of int64
            "deals" and "units" (both the number of deals); "win_differences", deals by what the change did to the game:
            lost it, left it alone, won it; "changed_games", deals that went another course; and the sums of each group,
            named "without_..." and "with_..." (see `game.GroupSums`).
        """
        base, changed = self.base.play(seed, deals), self.changed.play(seed, deals)
        differences = self.won(changed) - self.won(base)
        other_course = (base.good != changed.good) | (base.bad != changed.bad)
        return {
            "deals": np.array([len(deals)], dtype=np.int64),
            "units": np.array([len(deals)], dtype=np.int64),
            "win_differences": np.bincount(differences + 1, minlength=3).astype(np.int64),
            "changed_games": np.array([other_course.sum()], dtype=np.int64),
            **{f"without_{name}": sums for name, sums in base.sums._asdict().items()},
            **{f"with_{name}": sums for name, sums in changed.sums._asdict().items()},
        }

    def spec(self) -> Spec:
        """Return everything that determines play, as plain data."""
        return {"base": self.base.spec(), "changed": self.changed.spec()}

    def won(self, played: GroupResults) -> NDArray[np.int64]:
        """Return 1 for each game that was won, else 0."""
        won: NDArray[np.int64] = (played.good == self.base.rules.target).astype(np.int64)
        return won


@dataclass(frozen=True)
class TurnedDeals:
    """Tells which deals only one of two groups wins: a setting for the runner.

    Attributes
    ----------
    comparison
        The two groups.
    """

    comparison: GroupComparison

    def play_deals(self, seed: int, deals: NDArray[np.int64]) -> Counts:
        """Play deals with both groups.

        Returns
        -------
        mapping of str to numpy.ndarray of int64
            "won" and "lost": the deals that only the changed group wins, and those that only the base does. Blocks are
            put side by side and not added.
        """
        groups = (self.comparison.base, self.comparison.changed)
        base, changed = (self.comparison.won(group.play(seed, deals)) for group in groups)
        return {"won": deals[changed > base], "lost": deals[changed < base]}

    def spec(self) -> Spec:
        """Return everything that determines play, as plain data."""
        return {"game": "quickly turned deals", **self.comparison.spec()}


def counts_of(counts: Counts, which: str) -> Counts:
    """Return the counts of one group, "without" or "with" the change, under their own names."""
    start = f"{which}_"
    return {name.removeprefix(start): sums for name, sums in counts.items() if name.startswith(start)}
