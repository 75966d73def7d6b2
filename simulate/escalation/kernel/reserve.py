"""The greatest total in hand, and the choice of a player who would rather keep it."""

from __future__ import annotations

from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from simulate.escalation.kernel.hands import FIFTEEN, FOUR, ONE, ZERO, wilds_in
from simulate.escalation.kernel.option_table import BITS, IMPOSSIBLE, KEY_SHIFT, ROW_MASK, OptionTable
from simulate.escalation.kernel.preferences import ranks_of
from simulate.escalation.kernel.seats import Seats
from simulate.escalation.kernel.turns import Players, RuleNumbers, TurnView, block_of, first_key, stage_of
from simulate.escalation.rules import GREATEST_WILD_VALUE, HIGHEST_VALUE, MOST_WILDS
from simulate.jit import jitted
from simulate.lanes import (
    LANE_NUMBERS,
    LANES,
    Lanes,
    everywhere,
    largest,
    nibbles,
    plus,
    sixteen,
    smallest,
    times,
    where,
)

_NO_CARDS: Final = np.int64(0)
_LANES = np.uint64(LANES)
_BITS, _THREE, _TWO = np.uint64(BITS), np.uint64(3), np.uint64(2)
_PLANE_WORDS = np.uint64(MOST_WILDS + 1)

_SIXTEEN_VALUES: Final[NDArray[np.uint16]] = np.array(
    [LANES * (lane + 1) if lane < HIGHEST_VALUE else 0 for lane in range(LANES)], dtype=np.uint16
)
"""Sixteen times each value: a total and its lane share a number, so that one maximum keeps both."""

_TAKES_WILDS: Final[NDArray[np.uint16]] = np.array(
    [lane < wild_max for wild_max in range(GREATEST_WILD_VALUE + 1) for lane in range(LANES)], dtype=np.uint16
)
"""For every greatest value of wilds, 1 in the lanes of the values that a wild can stand beside."""


class Greatest(NamedTuple):
    """The greatest total that some cards can announce.

    Attributes
    ----------
    total, lane
        The greatest total, and the nibble of the value that has it.
    second
        The greatest total of any other value.
    """

    total: int
    lane: np.uint64
    second: int


@jitted
def total_with(value: int, naturals: int, wilds: int, rules: RuleNumbers) -> int:
    """Return the greatest total of one value, from its naturals and the wilds that may stand beside them."""
    usable = wilds if value <= rules.wild_max else _NO_CARDS
    if naturals == 0 and rules.wild_only_sets == 0:
        usable = min(usable, np.int64(1))
    return value * (naturals + usable)


@jitted
def greatest_of(counts: Lanes, wilds: np.uint64, rules: RuleNumbers) -> Greatest:
    """Work out the greatest totals of some naturals with so many wilds."""
    beside = sixteen(_TAKES_WILDS, np.uint64(rules.wild_max) * _LANES)
    cards = plus(counts, times(everywhere(wilds), beside))
    # A value without naturals has wilds alone, and these are best as the greatest value they may be.
    cards = where(counts, ZERO, counts, cards)
    totals = plus(times(cards, sixteen(_SIXTEEN_VALUES, ZERO)), sixteen(LANE_NUMBERS, ZERO))
    top = largest(totals)
    alone = np.uint64(total_with(np.int64(rules.wild_max), _NO_CARDS, np.int64(wilds), rules))
    greatest = max(top, alone * _LANES + np.uint64(rules.wild_max - 1))
    second = max(largest(where(totals, top, counts, totals)) >> FOUR, alone)
    return Greatest(np.int64(greatest >> FOUR), greatest & FIFTEEN, np.int64(second))


@jitted
def note_greatest(seats: Seats, position: np.uint64, rules: RuleNumbers) -> None:
    """Note the greatest totals of a hand; done when it changes, so that they are known when its turn comes."""
    seat = seats.at[position]
    greatest = greatest_of(nibbles(seat["hand"]), wilds_in(seat["hand"]), rules)
    seat["greatest_total"], seat["greatest_lane"] = greatest.total, greatest.lane
    seat["second_total"] = greatest.second


@jitted
def cheapest_minding_reserve(
    options: OptionTable, players: Players, seats: Seats, turn: TurnView, player: np.void, rules: RuleNumbers
) -> int:
    """Return the least key of the legal sets, with what they take from the greatest total in hand."""
    table, seat = players.preferences, seats.at[turn.position]
    counts, wilds = nibbles(turn.hand), wilds_in(turn.hand)
    left = Greatest(seat["greatest_total"], seat["greatest_lane"], seat["second_total"])
    before = left.total
    best = cheapest_spending(options, players, turn, player, ZERO, left, before, IMPOSSIBLE, rules)
    # Most hands that hold wilds keep them: only if the best set that spends some could win is each number looked at.
    some = block_of(table, turn, table.wilds + wilds) if wilds != ZERO else table.no_sets
    if table.keys[stage_of(turn) * table.ranks + smallest(ranks_of(table, some, counts))] < best:
        spent = ONE
        while spent <= wilds:
            left = greatest_of(counts, wilds - spent, rules)
            best = cheapest_spending(options, players, turn, player, spent, left, before, best, rules)
            spent += ONE
    return best


@jitted
def cheapest_spending(
    options: OptionTable,
    players: Players,
    turn: TurnView,
    player: np.void,
    spent: np.uint64,
    left: Greatest,
    before: int,
    best: int,
    rules: RuleNumbers,
) -> int:
    """Return the lesser of `best` and the keys of the sets that spend so many wilds.

    `left` has the greatest totals without these wilds, `before` is that with them. A set leaves the greatest total
    alone unless it is of the very value that has it: all others share one price.
    """
    table, price = players.preferences, player["reserve"] << KEY_SHIFT
    block = block_of(table, turn, table.wilds + table.wilds + spent if spent != ZERO else ZERO)
    first = stage_of(turn) * table.ranks
    ranks = ranks_of(table, block, nibbles(turn.hand))
    others = smallest(where(sixteen(LANE_NUMBERS, ZERO), left.lane, everywhere(table.ranks - ONE), ranks))
    best = min(best, table.keys[first + others] + price * (before - left.total))
    held = (turn.hand >> (left.lane * FOUR)) & FIFTEEN
    if held == ZERO:
        return best
    key = table.keys[first + np.uint64(table.best[block + (held - ONE) * _LANES + left.lane])]
    played = options.rows[np.uint64(key & ROW_MASK)]["cards"] - np.int64(spent)
    best = min(best, key + price * (before - greatest_without(played, held, turn, spent, left, rules)))
    # Other sets of that value have greater keys, and cost the greatest total no less than one card does.
    if key + price * (before - greatest_without(np.int64(1), held, turn, spent, left, rules)) < best:
        return cheapest_of_greatest(players, turn, player, spent, left, before, best, rules)
    return best


@jitted
def greatest_without(
    naturals: int, held: np.uint64, turn: TurnView, spent: np.uint64, left: Greatest, rules: RuleNumbers
) -> int:
    """Return the greatest total once some naturals of the value that had it are gone, and so many wilds."""
    value, staying = np.int64(left.lane) + 1, np.int64(held) - naturals
    usable = np.int64(wilds_in(turn.hand) - spent) if value <= rules.wild_max else _NO_CARDS
    # Without any left it has wilds alone at the most, which the second greatest total knows.
    return max(left.second, value * (staying + usable)) if staying > 0 else left.second


@jitted
def cheapest_of_greatest(
    players: Players,
    turn: TurnView,
    player: np.void,
    spent: np.uint64,
    left: Greatest,
    before: int,
    best: int,
    rules: RuleNumbers,
) -> int:
    """Return the lesser of `best` and the keys of the sets of the value that has the greatest total."""
    held, value = (turn.hand >> (left.lane * FOUR)) & FIFTEEN, np.int64(left.lane) + 1
    split, price = player["split_set"] << KEY_SHIFT, player["reserve"] << KEY_SHIFT
    naturals = max(np.int64(1), turn.target // value + 1 - np.int64(spent))
    while naturals <= np.int64(held):
        place = np.uint64(naturals - 1)
        slot = ((place >> _TWO) * _PLANE_WORDS + spent) * _BITS + left.lane * FOUR + (place & _THREE)
        lost = before - greatest_without(naturals, held, turn, spent, left, rules)
        key = players.keys[first_key(turn) + slot] + split * np.int64(held) + price * lost
        best = min(best, key)
        naturals += 1
    return best
