"""The option table: every set of number cards that any hand could play, as rows and as bits.

A set is a value, a number of naturals and a number of wilds. *Rows* number the sets by (total, wilds, cards), which is
also the order in which ties are broken; the row after the last set is the Pass. *Bits* lay the same sets out so that
the sets a hand affords follow from its word by a few additions (see `hands`): word `plane * 7 + wilds` holds, in the
nibble of each value, sets of 4 * plane + 1 to 4 * plane + 4 naturals; sets of wilds alone are bits 28-34 of plane 0.
The sets that beat a target are a precomputed word beside each such word, and the legal sets are the bits set in both.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from simulate.escalation.kernel.hands import NIBBLE, PLANES, pack
from simulate.escalation.rules import (
    GREATEST_WILD_VALUE,
    HIGHEST_VALUE,
    MOST_COPIES,
    MOST_IN_HAND,
    MOST_WILDS,
    PASS,
    VALUES,
    WILD,
    Rules,
)
from simulate.escalation.state import TELEMETRY
from simulate.jit import kernel
from strategies.heuristic import JUMP_VALUE, hurrying_cost, keeping_cost, leading_cost

BITS: Final = 64
WORDS: Final = PLANES * (MOST_WILDS + 1)
SLOTS: Final = WORDS * BITS
"""Bit positions over all words; a slot is a word's number times 64 plus the bit."""

WILDS_ALONE_SHIFT: Final = NIBBLE * GREATEST_WILD_VALUE
TARGETS: Final = HIGHEST_VALUE * MOST_COPIES + 1

KEY_ROW_BITS: Final = 9
KEY_SHIFT: Final = 11
"""A key is cost << 11, two bits of kind (play 0, Pass 1, take 2) and nine bits of row: the least key is the choice."""

ROW_MASK: Final = (1 << KEY_ROW_BITS) - 1
TIE_MASK: Final = (1 << KEY_SHIFT) - 1
"""The part of a key that is not its cost."""

STAGE_EARLY: Final = 0
STAGE_DECK_EMPTY: Final = 1
STAGE_DANGER: Final = 2
STAGES: Final = 3

IMPOSSIBLE: Final = 1 << 62
"""The key of a slot without a set, greater than any other."""

TALLY_BITS: Final = 8
TALLIED: Final = TELEMETRY[:8]
"""Telemetry that grows during a game: byte i of a player's tally word counts TALLIED[i]; none can pass 142."""


ROW: Final = np.dtype([("removal", np.uint64), ("cards", np.int64), ("total", np.int64), ("tally", np.uint64)])
"""The word that leaves the hand with a row, its cards and announced total, and what it adds to a player's tally."""

SLOT: Final = np.dtype([(name, np.int64) for name in ("row", "value", "naturals", "wilds", "cards")])
"""The set at a slot and its row; value 0 where there is none."""


class OptionTable(NamedTuple):
    """The option table of some rules, as arrays for the kernels.

    Attributes
    ----------
    beats
        Shape (TARGETS * WORDS,): for each target, the bits of every word whose total is greater.
    slots
        Shape (SLOTS,), dtype SLOT: the set at each slot.
    row_slot
        Shape (2**KEY_ROW_BITS,): the slot of each row.
    rows
        Same shape, dtype ROW: what each row does; the row after the sets is the Pass.
    """

    beats: NDArray[np.uint64]
    slots: NDArray[np.void]
    row_slot: NDArray[np.int64]
    rows: NDArray[np.void]


@dataclass(frozen=True)
class OptionRow:
    """One set of number cards, and the slot of its bit."""

    value: int
    naturals: int
    wilds: int
    slot: int

    @property
    def cards(self) -> int:
        """Cards in the set."""
        return self.naturals + self.wilds

    @property
    def total(self) -> int:
        """The total it announces."""
        return self.value * self.cards


def _slot(value: int, naturals: int, wilds: int) -> int:
    if naturals == 0:
        return wilds * BITS + WILDS_ALONE_SHIFT + value - 1
    plane, place = divmod(naturals - 1, NIBBLE)
    return (plane * (MOST_WILDS + 1) + wilds) * BITS + NIBBLE * (value - 1) + place


@lru_cache(maxsize=1)
def rows() -> tuple[OptionRow, ...]:
    """Return every set that any rules allow, in the order of their rows."""
    sets = [
        OptionRow(value, naturals, wilds, _slot(value, naturals, wilds))
        for value in VALUES
        for wilds in range(MOST_WILDS + 1 if value <= GREATEST_WILD_VALUE else 1)
        for naturals in range(MOST_COPIES + 1)
        if 1 <= naturals + wilds <= MOST_IN_HAND
    ]
    return tuple(sorted(sets, key=lambda row: (row.total, row.wilds, row.cards)))


PASS_ROW: Final = len(rows())


def is_allowed(row: OptionRow, rules: Rules) -> bool:
    """Tell whether the rules allow a set."""
    if row.wilds == 0:
        return True
    alone = row.naturals == 0 and row.wilds > 1
    return row.value <= rules.wild_max and (rules.wild_only_sets or not alone)


def _tally(**counts: int) -> int:
    return sum(count << (TALLY_BITS * TALLIED.index(name)) for name, count in counts.items())


def _set_tally(row: OptionRow) -> int:
    jump = row.value == JUMP_VALUE and row.wilds > 0 and row.naturals > 0
    return _tally(turns=1, wilds=row.wilds, wild_seven_jumps=int(jump), sets=int(row.cards > 1))


TAKE_TALLY: Final = _tally(takes=1)
WILLING_TALLY: Final = _tally(willing_takes=1)
CARDS_TAKEN_SHIFT: Final = TALLY_BITS * TALLIED.index("cards_taken")


@lru_cache(maxsize=64)
def option_table(rules: Rules) -> OptionTable:
    """Build the option table of some rules."""
    slots = np.zeros(SLOTS, dtype=SLOT)
    table = np.zeros(1 << KEY_ROW_BITS, dtype=ROW)
    slot_of = np.zeros(1 << KEY_ROW_BITS, dtype=np.int64)
    totals = np.full(SLOTS, -1)
    for index, row in enumerate(rows()):
        slot_of[index] = row.slot
        slots[row.slot] = index, row.value, row.naturals, row.wilds, row.cards
        cards = [row.value] * row.naturals + [WILD] * row.wilds
        table[index] = pack(cards), row.cards, row.total, _set_tally(row)
        if is_allowed(row, rules):
            totals[row.slot] = row.total
    table[PASS_ROW] = pack([PASS]), 1, 0, _tally(turns=1, passes=1)
    above = totals.reshape(1, WORDS, BITS) > np.arange(TARGETS).reshape(-1, 1, 1)
    beats = (above.astype(np.uint64) << np.arange(BITS, dtype=np.uint64)).sum(axis=2, dtype=np.uint64)
    return OptionTable(beats.ravel(), slots, slot_of, table)


def base_keys(players: NDArray[np.void], options: OptionTable) -> NDArray[np.int64]:
    """Compute, once per player, the part of every set's key that does not depend on the hand.

    A key is complete after adding split_set x (naturals of the value in hand) for sets with naturals and, for beats,
    the jumping slope beyond `overshoot` x (total - target - 1) and - overshoot x target, all shifted by KEY_SHIFT.

    Parameters
    ----------
    players
        Records of the players, shape (players,), dtype PLAYER_RECORD.
    options
        The option table.

    Returns
    -------
    numpy.ndarray of int64, shape (players, 2, STAGES, SLOTS)
        Keys of beats (0) and leads (1) at each stage; IMPOSSIBLE where there is no set.
    """
    keys = np.full((len(players), 2, STAGES, SLOTS), IMPOSSIBLE, dtype=np.int64)
    fill_base_keys(players, options, keys)
    return keys


@kernel
def fill_base_keys(players: NDArray[np.void], options: OptionTable, keys: NDArray[np.int64]) -> None:
    """Fill `keys` of `base_keys` in place."""
    for index in range(players.shape[0]):
        player = players[index]
        for slot in range(SLOTS):
            there = options.slots[slot]
            value, naturals, wilds, cards = there["value"], there["naturals"], there["wilds"], there["cards"]
            if value == 0:
                continue
            total = value * cards
            # With none of the value held, the split term is what the naturals played will save.
            keeping = keeping_cost(player, value, naturals, wilds, 0)
            beating = keeping + player["overshoot"] * (total - 1) - player["shed"] * (cards - 1)
            leading = keeping + leading_cost(player, total, cards)
            for stage in range(STAGES):
                hurry = hurrying_cost(player, cards, stage != STAGE_EARLY, stage == STAGE_DANGER)
                row = there["row"]
                keys[index, 0, stage, slot] = ((beating + hurry) << KEY_SHIFT) + row
                keys[index, 1, stage, slot] = ((leading + hurry) << KEY_SHIFT) + row
