"""What many games show without playing on from their states: the sizes of takes, the longest game."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from reports.balance.finding import SettingBlocks
from reports.estimates.intervals import LEVEL, share_from_sums
from reports.estimates.jackknife import jackknife
from reports.estimates.measures import Row, bounds_columns
from simulate.escalation.engine import Table
from simulate.escalation.kernel.dealing import deck_orders
from simulate.escalation.settings.openings import by_group
from simulate.escalation.settings.retelling import retell
from simulate.experiment import Counts


@dataclass(frozen=True)
class TakesTable:
    """A table of which every take is looked at: a setting for the runner.

    Attributes
    ----------
    table
        What is played.
    """

    table: Table

    def spec(self) -> dict[str, object]:
        """Return everything that determines play."""
        return {**self.table.spec(), "game": "escalation take by take"}

    def play_deals(self, seed: int, deals: NDArray[np.int64]) -> Counts:
        """Play deals by number and follow them take by take.

        Returns
        -------
        mapping of str to numpy.ndarray of int64
            - games: how many, shape (1,).
            - takes: piles taken, shape (groups of deals, 2, deck size): by whether anything else was legal (no, yes)
              and by size, from 1.
            - longest, largest_take: the deal with the most turns and their number; that with the largest pile taken,
              and its size; of equals the first. Shape (2,); they do not add up.
        """
        rules = self.table.rules
        played = self.table.play(seed, deals, with_moves=True)
        retold = retell(rules, deck_orders(rules.deck, seed, deals), played.moves)
        sizes = np.where(retold.took, retold.pile, 0)
        of_size = np.arange(1, rules.deck.size + 1)
        willing = retold.took & ~retold.forced
        # One size at a time keeps the memory small.
        counted = np.stack(
            [[(sizes * kind == size).sum(axis=1) for kind in (retold.forced, willing)] for size in of_size], axis=-1
        )
        turns, largest = played.turns.astype(np.int64), sizes.max(axis=1)
        return {
            "games": np.array([len(deals)], dtype=np.int64),
            "takes": by_group(deals, counted.transpose(1, 0, 2)),
            **{
                name: np.array([deals[numbers.argmax()], numbers.max()], dtype=np.int64)
                for name, numbers in (("longest", turns), ("largest_take", largest))
            },
        }


@dataclass(frozen=True)
class TakeSizes:
    """What many games show without playouts.

    Attributes
    ----------
    games
        How many there were.
    takes
        Piles taken by group of deals, by whether anything else was legal (no, yes) and by size.
    longest, largest_take
        The deal with the most turns and their number; that with the largest pile taken, and its size.
    """

    games: int
    takes: NDArray[np.int64]
    longest: tuple[int, int]
    largest_take: tuple[int, int]

    @classmethod
    def of_blocks(cls, blocks: SettingBlocks) -> TakeSizes:
        """Put together what blocks of a `TakesTable` show; of equals the first deal is named."""
        longest, largest = (
            max(((int(block[name][0]), int(block[name][1])) for block in blocks), key=lambda pair: pair[1])
            for name in ("longest", "largest_take")
        )
        games = sum(int(block["games"][0]) for block in blocks)
        return cls(games, np.sum([block["takes"] for block in blocks], axis=0), longest, largest)


def takes_frame(sizes: TakeSizes) -> pd.DataFrame:
    """Return the share of takes of each size, with its interval, and how many were not forced.

    Games are the units; but no interval is narrower than if every take were one, so that what was taken seldom or never
    keeps a width.
    """
    forced, willing = sizes.takes.sum(axis=0)
    of_size, every = (forced + willing).tolist(), max(1, int(sizes.takes.sum()))
    by_games = jackknife(
        {"takes": sizes.takes}, lambda whole: whole["takes"].sum(axis=0) / max(1, whole["takes"].sum())
    )
    by_takes = [share_from_sums(number, number, every) for number in of_size]
    shares = [
        replace(own, low=min(own.low, least.low), high=max(own.high, least.high))
        for own, least in zip(by_games, by_takes, strict=True)
    ]
    rows: list[Row] = [
        {
            "size": size,
            **bounds_columns("share_of_takes", share.within(0, 1)),
            "forced": int(forced[size - 1]),
            "willing": int(willing[size - 1]),
            "games": sizes.games,
            "level": LEVEL,
        }
        for size, share in enumerate(shares, start=1)
    ]
    # Larger piles than any that was taken have no row.
    largest = max((row["size"] for row in rows if row["forced"] + row["willing"]), default=1)
    return pd.DataFrame(rows[:largest])
