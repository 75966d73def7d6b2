"""What a strategy prefers, worked out before play: its best set of each value, for every target and hand.

Without a `reserve`, a jumping slope that moves with the pile, or the end of the game, the cost of a set depends on the
hand through the number of equal cards held and on nothing else. So for every stage, target, value, number of cards held
of it and number of wilds, the best set of that value is known beforehand, and a turn is one look per value.

Costs are large numbers and would crowd the processor's cache. Each strategy therefore ranks its sets at each stage, the
best first: the table holds ranks, which are small, and a list tells the key of each rank.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from simulate.escalation.kernel.option_table import IMPOSSIBLE, KEY_SHIFT, STAGES, is_allowed, rows
from simulate.escalation.rules import WILD, Rules
from simulate.jit import jitted
from simulate.lanes import LANES, Lanes, everywhere, sixteen, where

FEWEST_ROWS: Final = 4
"""Hands with more of a value than this are looked up in a loop, all others without one."""

_CACHE_LINE: Final = 64
_FIRST, _BEYOND = np.uint64(1), np.uint64(FEWEST_ROWS + 1)
_ONE, _LANES = np.uint64(1), np.uint64(LANES)


class Preferences(NamedTuple):
    """Ranks of the best sets, as arrays for the kernels.

    A *block* holds the ranks for one number of wilds: for 1, 2, ... equal cards held a row with a lane for every nibble
    of a hand, in it the rank of the best set of that value. Sets of wilds alone stand at the nibble of the wilds. For
    every strategy, stage and situation there are these blocks, in this order, for a deck with so many wilds: any set
    of a hand with 0, 1, ... wilds; those that spend some wilds, of a hand with 1, 2, ...; those that spend exactly 1,
    2, ... of them. Situation 0 is a lead; situation target + 1 is to beat that target.

    Attributes
    ----------
    best
        All blocks, flattened in the order of strategies, stages, situations, blocks, rows and lanes; at the end a block
        without any set.
    keys
        Shape (strategies * STAGES * ranks,): the key of each rank; the last is no set's, IMPOSSIBLE.
    stage_size, situation_size, block_size
        How many entries of `best` a stage, a situation and a block have.
    ranks
        How many ranks there are at a stage.
    wilds
        How many wilds the deck has.
    most_held
        How many rows a block has.
    no_sets
        Where the block without any set starts.
    """

    best: NDArray[np.uint16]
    keys: NDArray[np.int64]
    stage_size: np.uint64
    situation_size: np.uint64
    block_size: np.uint64
    ranks: np.uint64
    wilds: np.uint64
    most_held: np.uint64
    no_sets: np.uint64


class _Holdings(NamedTuple):
    """Every set that a hand of the deck can afford, with every number of its cards that may be held beside it.

    Attributes
    ----------
    slot, total, naturals, wilds
        The set, one entry each.
    held, nibble
        How many of its value are held (of wilds, for wilds alone), and the nibble that counts them.
    """

    slot: NDArray[np.int64]
    total: NDArray[np.int64]
    naturals: NDArray[np.int64]
    wilds: NDArray[np.int64]
    held: NDArray[np.int64]
    nibble: NDArray[np.int64]


@lru_cache(maxsize=64)
def _holdings(rules: Rules) -> _Holdings:
    deck = rules.deck
    found = []
    for row in rows():
        copies = deck.copies[row.value - 1] if row.naturals else deck.wilds
        if is_allowed(row, rules) and row.wilds <= deck.wilds and row.cards <= rules.hand_size:
            nibble = row.value - 1 if row.naturals else WILD - 1
            for held in range(max(row.naturals, 1), min(copies, rules.hand_size) + 1):
                found.append((row.slot, row.total, row.naturals, row.wilds, held, nibble))
    return _Holdings(*np.array(found, dtype=np.int64).reshape(-1, len(_Holdings._fields)).T)


def preferences(players: NDArray[np.void], base_keys: NDArray[np.int64], rules: Rules) -> Preferences:
    """Work out the preferences of some strategies.

    Parameters
    ----------
    players
        Records of the players, shape (players,), dtype PLAYER_RECORD.
    base_keys
        Their keys, shape (players, 2, STAGES, SLOTS): see `plays.base_keys`.
    rules
        What is played.
    """
    sets = _holdings(rules)
    ranks, keys = _ranked(players, base_keys, sets)
    most_held = max(FEWEST_ROWS, min(rules.hand_size, max(*rules.deck.copies, rules.deck.wilds)))
    blocks = _blocks(ranks, sets, rules, most_held)
    no_sets = np.full((most_held, LANES), keys.shape[-1] - 1, dtype=np.uint16)
    sizes = (blocks[0, 0].size, blocks[0, 0, 0].size, no_sets.size, keys.shape[-1], rules.deck.wilds, most_held)
    best = _on_cache_lines(np.concatenate([blocks.ravel(), no_sets.ravel()]))
    return Preferences(best, keys.ravel(), *(np.uint64(size) for size in (*sizes, blocks.size)))


def _ranked(
    players: NDArray[np.void], base_keys: NDArray[np.int64], sets: _Holdings
) -> tuple[NDArray[np.uint16], NDArray[np.int64]]:
    """Return ranks, shape (players, STAGES, 2 (beat, lead), sets), and keys, (players, STAGES, ranks)."""
    split = np.where(sets.naturals > 0, players["split_set"][:, None] * sets.held, 0) << KEY_SHIFT
    keys = (base_keys[..., sets.slot] + split[:, None, None]).swapaxes(1, 2)
    flat = np.ascontiguousarray(keys).reshape(len(players), STAGES, -1)
    order = flat.argsort(axis=-1, kind="stable")
    ranks = np.empty(flat.shape, dtype=np.uint16)
    np.put_along_axis(ranks, order, np.arange(flat.shape[-1], dtype=np.uint16)[None, None], axis=-1)
    none = np.full((len(players), STAGES, 1), IMPOSSIBLE)
    return ranks.reshape(keys.shape), np.concatenate([np.take_along_axis(flat, order, axis=-1), none], axis=-1)


def _blocks(ranks: NDArray[np.uint16], sets: _Holdings, rules: Rules, most_held: int) -> NDArray[np.uint16]:
    """Return the blocks, shape (players, STAGES, situations, blocks, most held, LANES)."""
    players, (none, wilds) = len(ranks), (2 * len(sets.slot), rules.deck.wilds)
    # A total, the wilds spent and the nibble make the set: nothing is written twice.
    alone = np.full((2, players, STAGES, rules.greatest_total + 1, wilds + 1, most_held, LANES), none, dtype=np.uint16)
    for way in range(2):
        alone[way][:, :, sets.total, sets.wilds, sets.held - 1, sets.nibble] = ranks[:, :, way]
    beats, leads = alone
    # To beat a target is to have the best of all greater totals.
    _run_minimum(beats[:, :, ::-1], axis=2)
    beats = np.concatenate([beats[:, :, 1:], np.full_like(beats[:, :, :1], none)], axis=2)
    exactly = np.concatenate([leads.min(axis=2, keepdims=True), beats], axis=2)
    any_set, some_wilds = exactly.copy(), exactly[:, :, :, 1:].copy()
    _run_minimum(any_set, axis=3)
    _run_minimum(some_wilds, axis=3)
    return np.concatenate([any_set, some_wilds, exactly[:, :, :, 1:]], axis=3)


def _run_minimum(numbers: NDArray[np.uint16], axis: int) -> None:
    """Replace every entry along an axis by the least up to it; numpy's own is slow off the last axis."""
    along = np.moveaxis(numbers, axis, 0)
    for place in range(1, len(along)):
        np.minimum(along[place - 1], along[place], out=along[place])


def _on_cache_lines(numbers: NDArray[np.uint16]) -> NDArray[np.uint16]:
    """Copy numbers to where a cache line starts: a block of four rows then takes two lines, not three."""
    room = np.empty(numbers.size + _CACHE_LINE // numbers.itemsize, dtype=numbers.dtype)
    skipped = (-room.ctypes.data % _CACHE_LINE) // numbers.itemsize
    there = room[skipped : skipped + numbers.size]
    there[:] = numbers
    return there


@jitted
def ranks_of(table: Preferences, block: np.uint64, counts: Lanes) -> Lanes:
    """Return the rank of the best set of every value, from where a block starts and the nibbles of a hand."""
    ranks = everywhere(table.ranks - _ONE)
    for held in range(_FIRST, _BEYOND):
        ranks = where(counts, held, sixteen(table.best, block), ranks)
        block += _LANES
    more = _BEYOND
    while more <= table.most_held:
        ranks = where(counts, more, sixteen(table.best, block), ranks)
        block += _LANES
        more += _ONE
    return ranks
