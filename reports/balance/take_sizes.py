"""What many games tell take by take, without playing on from their states: the sizes of takes, the longest game."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from reports.estimates.intervals import LEVEL
from reports.estimates.jackknife import jackknife
from reports.estimates.measures import Row, bounds_columns
from simulate.blocks import deals_of
from simulate.escalation.engine import Table
from simulate.escalation.kernel.dealing import deck_orders
from simulate.escalation.settings.openings import by_group
from simulate.escalation.settings.retelling import retell
from simulate.runner import default_threads


@dataclass(frozen=True)
class Tales:
    """What many games tell without playouts.

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


def tell(table: Table, seed: int, blocks: int) -> Tales:
    """Play blocks of deals and tell them take by take; of equals the first deal is named."""
    with ThreadPoolExecutor(default_threads()) as executor:
        told = list(executor.map(lambda block: _tell_block(table, seed, block), range(blocks)))
    return Tales(
        sum(tales.games for tales in told),
        np.sum([tales.takes for tales in told], axis=0),
        max((tales.longest for tales in told), key=lambda pair: pair[1]),
        max((tales.largest_take for tales in told), key=lambda pair: pair[1]),
    )


def _tell_block(table: Table, seed: int, block: int) -> Tales:
    deals = deals_of(block)
    played = table.play(seed, deals, with_moves=True)
    retold = retell(table.rules, deck_orders(table.rules.deck, seed, deals), played.moves)
    sizes = np.where(retold.took, retold.pile, 0)
    of_size = np.arange(1, table.rules.deck.size + 1)
    willing = retold.took & ~retold.forced
    # One size at a time keeps the memory small.
    counted = np.stack(
        [[(sizes * kind == size).sum(axis=1) for kind in (retold.forced, willing)] for size in of_size], axis=-1
    )
    longest, largest = int(played.turns.argmax()), int(sizes.max(axis=1).argmax())
    return Tales(
        len(deals),
        by_group(deals, counted.transpose(1, 0, 2)),
        (int(deals[longest]), int(played.turns[longest])),
        (int(deals[largest]), int(sizes[largest].max())),
    )


def takes_frame(tales: Tales) -> pd.DataFrame:
    """Return the share of takes of each size, with its interval (games as units), and how many were not forced."""
    shares = jackknife({"takes": tales.takes}, lambda whole: whole["takes"].sum(axis=0) / max(1, whole["takes"].sum()))
    forced, willing = tales.takes.sum(axis=0)
    rows: list[Row] = [
        {
            "size": size,
            **bounds_columns("share_of_takes", share.within(0, 1)),
            "forced": int(forced[size - 1]),
            "willing": int(willing[size - 1]),
            "games": tales.games,
            "level": LEVEL,
        }
        for size, share in enumerate(shares, start=1)
    ]
    # Larger piles than any that was taken have no row.
    largest = max((row["size"] for row in rows if row["forced"] + row["willing"]), default=1)
    return pd.DataFrame(rows[:largest])
