"""The cheapest legal set of a turn: one way for every kind of player and hand, each returning the least key.

What most players prefer is known beforehand (`preferences`), and a `reserve` is minded by looking at the greatest total
in hand beside it (`reserve`). Here are the walks over all legal sets, one by one, for what remains: a slope that moves
with the pile, counted cards, and hands that may go out; and the choice among these ways.
"""

from __future__ import annotations

from typing import Final

import numpy as np
from numpy.typing import NDArray

from simulate.escalation.kernel.card_counting import CountingTables, chance_not_beaten
from simulate.escalation.kernel.hands import (
    ALL_WILDS,
    FIFTEEN,
    FOUR,
    LOW_NATURALS,
    NATURALS,
    NIBBLE_START,
    ONE,
    ONE_PASS,
    PLANES,
    ZERO,
    beyond_eight,
    every_value,
    sets_of_five_to_eight,
    sets_of_one_to_four,
    wilds_in,
)
from simulate.escalation.kernel.option_table import (
    BITS,
    IMPOSSIBLE,
    KEY_SHIFT,
    STAGE_EARLY,
    TIE_MASK,
    WILDS_ALONE_SHIFT,
    WORDS,
    OptionTable,
)
from simulate.escalation.kernel.preferences import ranks_of
from simulate.escalation.kernel.reserve import Greatest, cheapest_minding_reserve, greatest_of, total_with
from simulate.escalation.kernel.seats import (
    COUNTS_CARDS,
    JUMPS_BY_PILE,
    LOOKS_BEFORE_GOING_OUT,
    SPENDS_RESERVE,
    Seats,
    Unseen,
    unseen_by,
    wins_by_going_out,
)
from simulate.escalation.kernel.turns import Players, RuleNumbers, TurnView, block_of, first_key, stage_of
from simulate.escalation.rules import GREATEST_WILD_VALUE, MOST_WILDS
from simulate.jit import jitted, set_apart, trailing_zeros
from simulate.lanes import nibbles, smallest
from strategies.heuristic import FIRST_OF_ALL, counting_cost, finishing_cost, jumping_slope, reserve_cost

MAY_WALK_APART: Final = JUMPS_BY_PILE | COUNTS_CARDS | SPENDS_RESERVE
FIVE_OR_MORE: Final = every_value(3)
TOP_BITS: Final = every_value(8)
"""Adding three to a count reaches its top bit if it was five or more."""
NO_CARDS: Final = np.int64(0)
WILDS_ALONE: Final = np.uint64(((1 << GREATEST_WILD_VALUE) - 1) << WILDS_ALONE_SHIFT)
_BITS = np.uint64(BITS)
_WORDS = np.uint64(WORDS)
_PLANE_WORDS = np.uint64(MOST_WILDS + 1)
_TWO = np.uint64(2)


@jitted
def cheapest_set(
    options: OptionTable, players: Players, seats: Seats, turn: TurnView, player: np.void, rules: RuleNumbers
) -> int:
    """Return the least key of the legal sets; IMPOSSIBLE if there is none."""
    if turn.habits & MAY_WALK_APART:
        slope = extra_slope(turn, player)
        if (slope != 0) | counts_now(turn) | (player["reserve"] < 0):
            return walk_apart(options, players, seats, turn, player, slope, rules)
    if one_value_left(turn.hand) and may_go_out(turn, rules):
        if five_or_more(turn.hand):
            return walk_apart(options, players, seats, turn, player, NO_CARDS, rules)
        return cheapest_of_last_value(options, players, seats, turn, player, rules)
    if players.mind_reserve is None or player["reserve"] == 0:
        return cheapest_plainly(players, turn)
    return cheapest_minding_reserve(options, players, seats, turn, player, rules)


@jitted
def cheapest_plainly(players: Players, turn: TurnView) -> int:
    """Return the least key of the legal sets of a player whose preferences are all known beforehand."""
    table = players.preferences
    ranks = ranks_of(table, block_of(table, turn, wilds_in(turn.hand)), nibbles(turn.hand))
    return table.keys[stage_of(turn) * table.ranks + smallest(ranks)]


@jitted
def extra_slope(turn: TurnView, player: np.void) -> int:
    """Return the part of the jumping slope that moves with the pile; 0 when leading."""
    if (turn.habits & JUMPS_BY_PILE) and turn.pile > 0:
        return jumping_slope(player, turn.pile) - player["overshoot"]
    return NO_CARDS


@jitted
def counts_now(turn: TurnView) -> bool:
    """Tell whether the player counts cards on this turn."""
    return ((turn.habits & COUNTS_CARDS) != 0) & (turn.stage != STAGE_EARLY)


@jitted
def one_value_left(hand: np.uint64) -> bool:
    """Tell whether all cards of a hand may go in one set: no Passes, and at most one value beside the wilds."""
    beside_wilds = hand & ~ALL_WILDS
    from_lowest = beside_wilds >> (trailing_zeros(beside_wilds) & NIBBLE_START)
    # In this order: what is seldom true first, so that the processor guesses right.
    return from_lowest <= FIFTEEN and hand < ONE_PASS


@jitted
def walk_apart(
    options: OptionTable,
    players: Players,
    seats: Seats,
    turn: TurnView,
    player: np.void,
    slope: int,
    rules: RuleNumbers,
) -> int:
    """Return the same as `cheapest_minding_all`, which is handed only what it reads and not called for nothing."""
    if cheapest_plainly(players, turn) == IMPOSSIBLE:
        return np.int64(IMPOSSIBLE)
    return cheapest_minding_all(
        options.beats, options.slots, players.keys, players.counting, seats.at, turn, player, slope, rules
    )


@set_apart
def cheapest_minding_all(
    beats: NDArray[np.uint64],
    slots: NDArray[np.void],
    keys: NDArray[np.int64],
    counting: CountingTables,
    at: NDArray[np.void],
    turn: TurnView,
    player: np.void,
    slope: int,
    rules: RuleNumbers,
) -> int:
    """Return the least key of the legal sets with every part of the cost, set by set."""
    first, counts = first_key(turn), nibbles(turn.hand)
    naturals, wilds = turn.hand & NATURALS, np.int64(wilds_in(turn.hand))
    ending_cards = at[turn.position]["cards"] if may_go_out(turn, rules) else NO_CARDS
    unseen = Unseen(ZERO, NO_CARDS, NO_CARDS)
    if counts_now(turn):
        unseen = unseen_by(at, turn.position, np.uint64(rules.players))
    best, before = np.int64(IMPOSSIBLE), NO_CARDS
    for spent in range(wilds + 1):
        left = greatest_of(counts, np.uint64(wilds - spent), rules)
        before = max(before, left.total)
        for plane in range(planes_of(naturals)):
            word = np.uint64(plane) * _PLANE_WORDS + np.uint64(spent)
            bits = afforded_in_word(sets_of_plane(naturals, plane), plane, spent)
            bits &= beats[np.uint64(turn.target) * _WORDS + word]
            while bits != ZERO:
                slot = word * _BITS + trailing_zeros(bits)
                bits &= bits - ONE
                there = slots[slot]
                key = key_minding_all(
                    there, keys[first + slot], counting, turn, player, slope, left, before, unseen, rules
                )
                if there["cards"] == ending_cards:
                    key = going_out(at, turn, player, key, rules)
                best = min(best, key)
    return best


@jitted
def key_minding_all(
    there: np.void,
    base_key: int,
    counting: CountingTables,
    turn: TurnView,
    player: np.void,
    slope: int,
    left: Greatest,
    before: int,
    unseen: Unseen,
    rules: RuleNumbers,
) -> int:
    """Return the key of one set with every part of its cost but going out.

    `left` has the greatest totals of the hand without the wilds that the set spends, `before` that of the whole hand.
    """
    value, naturals, cards = there["value"], there["naturals"], there["cards"]
    wilds_left = np.int64(wilds_in(turn.hand)) - there["wilds"]
    held = np.int64((turn.hand >> (np.uint64(value - 1) * FOUR)) & FIFTEEN)
    others = left.second if np.uint64(value - 1) == left.lane else left.total
    after = max(others, total_with(value, held - naturals, wilds_left, rules))
    cost = reserve_cost(player, before, after) + slope * (value * cards - turn.target - 1)
    if naturals > 0:
        cost += player["split_set"] * held
    if unseen.cards > 0:
        stuck = chance_not_beaten(
            counting, unseen.word, unseen.cards, unseen.next_hand, value * cards, rules.wild_max, rules.wild_only_sets
        )
        cost += counting_cost(player, turn.pile + cards, stuck)
    return base_key + (cost << KEY_SHIFT)


@jitted
def going_out(at: NDArray[np.void], turn: TurnView, player: np.void, key: int, rules: RuleNumbers) -> int:
    """Return the key of an option, now that it ends the game."""
    finishing = finishing_cost(player, wins_by_going_out(at, turn.position, np.uint64(rules.players)))
    if finishing == FIRST_OF_ALL:
        return (FIRST_OF_ALL << KEY_SHIFT) + (key & TIE_MASK)
    return key + (finishing << KEY_SHIFT)


@jitted
def may_go_out(turn: TurnView, rules: RuleNumbers) -> bool:
    """Tell whether emptying the hand now would end the game, and the player looks at that."""
    may_end = (turn.stage != STAGE_EARLY) | (rules.draw_before_end_check == 0)
    return ((turn.habits & LOOKS_BEFORE_GOING_OUT) != 0) & may_end


@jitted
def afforded_in_word(sets: np.uint64, plane: int, wilds: int) -> np.uint64:
    """Return the bits of the sets with so many wilds, from the bits of a plane's sets of naturals."""
    if wilds == 0:
        return sets
    return (sets & LOW_NATURALS) | (WILDS_ALONE if plane == 0 else ZERO)


@jitted
def cheapest_of_last_value(
    options: OptionTable, players: Players, seats: Seats, turn: TurnView, player: np.void, rules: RuleNumbers
) -> int:
    """Return the least key of the legal sets of a hand that may go out: up to four naturals of one value, and wilds."""
    first, split, price = first_key(turn), player["split_set"] << KEY_SHIFT, player["reserve"] << KEY_SHIFT
    naturals, wilds = turn.hand & NATURALS, np.int64(wilds_in(turn.hand))
    # Without naturals this is a value that no wild can stand beside.
    value = np.int64(trailing_zeros(naturals) >> _TWO) + 1
    cards = seats.at[turn.position]["cards"]
    held, best, sets = cards - wilds, np.int64(IMPOSSIBLE), sets_of_one_to_four(naturals)
    before = max(total_with(value, held, wilds, rules), total_with(rules.wild_max, NO_CARDS, wilds, rules))
    for spent in range(wilds + 1):
        word, left = np.uint64(spent), wilds - spent
        alone = total_with(rules.wild_max, NO_CARDS, left, rules)
        bits = afforded_in_word(sets, 0, spent)
        bits &= options.beats[np.uint64(turn.target) * _WORDS + word]
        while bits != ZERO:
            slot = word * _BITS + trailing_zeros(bits)
            bits &= bits - ONE
            there = options.slots[slot]
            after = max(total_with(value, held - there["naturals"], left, rules), alone)
            key = players.keys[first + slot] + price * (before - after)
            if there["naturals"] > 0:
                key += split * held
            if there["cards"] == cards:
                key = going_out(seats.at, turn, player, key, rules)
            best = min(best, key)
    return best


@jitted
def five_or_more(hand: np.uint64) -> bool:
    """Tell whether a hand holds five or more of a value."""
    return (hand + FIVE_OR_MORE) & TOP_BITS != ZERO


@jitted
def planes_of(naturals: np.uint64) -> int:
    """Return how many planes of sets a hand can reach."""
    return PLANES if five_or_more(naturals) else 1


@jitted
def sets_of_plane(naturals: np.uint64, plane: int) -> np.uint64:
    """Return the bits of the sets of naturals that a hand affords in one plane."""
    beyond = beyond_eight(naturals)
    if plane == 0:
        return sets_of_one_to_four(naturals - beyond)
    if plane == 1:
        return sets_of_five_to_eight(naturals - beyond)
    return sets_of_one_to_four(beyond)


@jitted
def legal_sets(options: OptionTable, turn: TurnView, legal: NDArray[np.uint64]) -> None:
    """Fill `legal`, shape (WORDS,), with the bits of every set that is legal on this turn."""
    naturals, wilds = turn.hand & NATURALS, wilds_in(turn.hand)
    beats = np.uint64(turn.target) * _WORDS
    for plane in range(PLANES):
        sets = sets_of_plane(naturals, plane)
        for wild in range(MOST_WILDS + 1):
            word = np.uint64(plane) * _PLANE_WORDS + np.uint64(wild)
            afforded = afforded_in_word(sets, plane, wild) if np.uint64(wild) <= wilds else ZERO
            legal[word] = afforded & options.beats[beats + word]
