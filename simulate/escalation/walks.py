"""Walks over the legal sets of a turn: each returns the least key, one for every kind of player and hand.

The common case reads one precomputed key per legal set. What depends on the turn beyond that (`reserve`, going out, a
jumping slope that moves with the pile) is added by other walks over the same sets, taken only by players who mind it.
"""

from __future__ import annotations

from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from simulate.escalation.counting import CountingTables, chance_not_beaten
from simulate.escalation.hands import (
    FIFTEEN,
    FOUR,
    LOW_NATURALS,
    NATURALS,
    NIBBLE_START,
    ONE,
    PASS_SHIFT,
    PLANES,
    ZERO,
    beyond_eight,
    every_value,
    sets_of_five_to_eight,
    sets_of_one_to_four,
    values_held,
    wilds_in,
)
from simulate.escalation.plays import (
    BITS,
    IMPOSSIBLE,
    KEY_ROW_BITS,
    KEY_SHIFT,
    SLOTS,
    STAGE_EARLY,
    STAGES,
    WILDS_ALONE_SHIFT,
    WORDS,
    OptionTable,
)
from simulate.escalation.rules import GREATEST_WILD_VALUE, MOST_WILDS
from simulate.escalation.seats import (
    COUNTS_CARDS,
    LOOKS_BEFORE_GOING_OUT,
    Seats,
    Unseen,
    unseen_by,
    wins_by_going_out,
)
from simulate.jit import jitted, leading_zeros, set_apart, trailing_zeros
from strategies.heuristic import (
    FIRST_OF_ALL,
    counting_cost,
    finishing_cost,
    reserve_cost,
)

ROW_MASK: Final = (1 << KEY_ROW_BITS) - 1
ONE_PASS: Final = ONE << PASS_SHIFT
TIE_MASK: Final = (1 << KEY_SHIFT) - 1
"""The part of a key that is not its cost."""
FIVE_OR_MORE: Final = every_value(3)
TOP_BITS: Final = every_value(8)
"""Adding three to a count reaches its top bit if it was five or more."""
NO_CARDS: Final = np.int64(0)
WILDS_ALONE: Final = np.uint64(((1 << GREATEST_WILD_VALUE) - 1) << WILDS_ALONE_SHIFT)
EMPTY_SLOT: Final = np.uint64(1 << (BITS - 1))
"""The last bit of a word never holds a set: its key is IMPOSSIBLE."""
_BITS = np.uint64(BITS)
_WORDS = np.uint64(WORDS)
_PLANE_WORDS = np.uint64(MOST_WILDS + 1)
TWO, _STAGES, _SLOTS = np.uint64(2), np.uint64(STAGES), np.uint64(SLOTS)
AT_ONCE: Final = 3
SIXTY_THREE = np.uint64(63)


class Players(NamedTuple):
    """The strategies at hand.

    Attributes
    ----------
    records
        One record per strategy.
    keys
        Their precomputed keys (see `plays.base_keys`), flattened.
    counting
        Tables for those who count cards; NOBODY_COUNTS if none does.
    mind_reserve
        True if any of them has a `reserve`; None if nobody has: kernels then have no code for it.
    """

    records: NDArray[np.void]
    keys: NDArray[np.int64]
    counting: CountingTables
    mind_reserve: bool | None


class RuleNumbers(NamedTuple):
    """The rules as integers, for the kernels."""

    players: int
    hand_size: int
    wild_max: int
    lead_pass: int
    draw_before_end_check: int
    beat_own_total: int
    wild_only_sets: int


class Turn(NamedTuple):
    """What a player sees on his turn, as far as costs depend on it.

    Attributes
    ----------
    position, strategy, habits
        Where he sits, which strategy he plays, and which habits it has that need extra work (see `habits_of`).
    hand
        His hand as a word.
    target, pile
        The total to beat (0 when leading) and the cards in the middle.
    stage
        STAGE_EARLY, STAGE_DECK_EMPTY or STAGE_DANGER.
    """

    position: np.uint64
    strategy: np.uint64
    habits: int
    hand: np.uint64
    target: int
    pile: int
    stage: int


class Reserve(NamedTuple):
    """The greatest totals that a hand can announce, before a play and with so many wilds left after it.

    Attributes
    ----------
    price
        Cost of one point of the greatest total, shifted like a key; 0 if the player does not mind.
    before
        The greatest total before the play.
    wilds_left
        The wilds left after it.
    greatest, value, second
        With all naturals and the wilds left: the greatest total, its value, and the greatest total of any other value.
    """

    price: int
    before: int
    wilds_left: int
    greatest: int
    value: int
    second: int


@jitted
def total_with(value: int, naturals: int, wilds: int, rules: RuleNumbers) -> int:
    """Return the greatest total of one value, from its naturals and the wilds that may stand beside them."""
    usable = wilds if value <= rules.wild_max else NO_CARDS
    if naturals == 0 and rules.wild_only_sets == 0:
        usable = min(usable, np.int64(1))
    return value * (naturals + usable)


@jitted
def reserve_with(naturals: np.uint64, price: int, before: int, wilds_left: int, rules: RuleNumbers) -> Reserve:
    """Work out the greatest totals of a hand's naturals with so many wilds."""
    # A total and its value share an integer, total x 16 + value, so that one maximum keeps both.
    alone = np.int64(rules.wild_max)
    greatest, second = total_with(alone, NO_CARDS, wilds_left, rules) * 16 + alone, NO_CARDS
    values = values_held(naturals)
    while values != ZERO:
        start = trailing_zeros(values)
        values &= values - ONE
        value = np.int64(start >> TWO) + 1
        usable = np.int64((naturals >> start) & FIFTEEN) + (wilds_left if value <= rules.wild_max else NO_CARDS)
        total = value * (usable * 16 + 1)
        second = max(second, min(greatest, total))
        greatest = max(greatest, total)
    return Reserve(price, max(before, greatest >> 4), wilds_left, greatest >> 4, greatest & 15, second >> 4)


@jitted
def cheapest_in_word(
    keys: NDArray[np.int64], first: np.uint64, legal: np.uint64, naturals: np.uint64, split: int, best: int
) -> int:
    """Return the least of `best` and the keys of one word's legal sets, by the precomputed part of costs.

    `first` is the place of the word's first key, `naturals` the natural cards in hand that the word's sets can use.
    """
    while legal != ZERO:
        # A few at a time: fewer unpredictable loop ends; past the last set the empty slot is read.
        for _ in range(AT_ONCE):
            bit = trailing_zeros(legal | EMPTY_SLOT)
            legal &= legal - ONE
            held = np.int64((naturals >> (bit & NIBBLE_START)) & FIFTEEN)
            best = min(best, keys[first + bit] + split * held)
    return best


@jitted
def cheapest_plainly(options: OptionTable, keys: NDArray[np.int64], first: np.uint64, turn: Turn, split: int) -> int:
    """Return the least key of the legal sets, by the precomputed part of costs."""
    naturals, wilds = turn.hand & NATURALS, wilds_in(turn.hand)
    sets, beats = sets_of_one_to_four(naturals), np.uint64(turn.target) * _WORDS
    best = cheapest_in_word(keys, first, sets & options.beats[beats], naturals, split, IMPOSSIBLE)
    word = ONE
    while word <= wilds:
        legal = ((sets & LOW_NATURALS) | WILDS_ALONE) & options.beats[beats + word]
        best = cheapest_in_word(keys, first + word * _BITS, legal, naturals & LOW_NATURALS, split, best)
        word += ONE
    return best


@jitted
def cheapest_in_word_minding_reserve(
    keys: NDArray[np.int64],
    first: np.uint64,
    legal: np.uint64,
    naturals: np.uint64,
    split: int,
    best: int,
    reserve: Reserve,
    rules: RuleNumbers,
) -> int:
    """Return the same as `cheapest_in_word`, with what each set takes from the greatest total in hand.

    A set leaves the greatest total alone unless it is of the very value that has it: all other sets of a word share one
    price, and only the few of that value are priced one by one.
    """
    start = np.uint64(reserve.value - 1) * FOUR
    held = np.int64((naturals >> start) & FIFTEEN)
    its_sets = legal & (FIFTEEN << start) if held > 0 else ZERO
    others = cheapest_in_word(keys, first, legal ^ its_sets, naturals, split, IMPOSSIBLE)
    best = min(best, others + reserve.price * (reserve.before - reserve.greatest))
    while its_sets != ZERO:
        bit = trailing_zeros(its_sets)
        its_sets &= its_sets - ONE
        left = total_with(reserve.value, held - np.int64(bit - start) - 1, reserve.wilds_left, rules)
        lost = reserve.before - max(reserve.second, left)
        best = min(best, keys[first + bit] + split * held + reserve.price * lost)
    return best


@jitted
def cheapest_minding_reserve(
    options: OptionTable,
    keys: NDArray[np.int64],
    first: np.uint64,
    turn: Turn,
    split: int,
    price: int,
    rules: RuleNumbers,
) -> int:
    """Return the least key of the legal sets, with what they take from the greatest total in hand."""
    naturals, wilds = turn.hand & NATURALS, wilds_in(turn.hand)
    sets, beats = sets_of_one_to_four(naturals), np.uint64(turn.target) * _WORDS
    legal = sets & options.beats[beats]
    if (legal == ZERO) & (wilds == ZERO):
        return np.int64(IMPOSSIBLE)
    reserve = reserve_with(naturals, price, NO_CARDS, np.int64(wilds), rules)
    best = cheapest_in_word_minding_reserve(keys, first, legal, naturals, split, IMPOSSIBLE, reserve, rules)
    word = ONE
    while word <= wilds:
        reserve = reserve_with(naturals, price, reserve.before, np.int64(wilds - word), rules)
        legal = ((sets & LOW_NATURALS) | WILDS_ALONE) & options.beats[beats + word]
        best = cheapest_in_word_minding_reserve(
            keys, first + word * _BITS, legal, naturals & LOW_NATURALS, split, best, reserve, rules
        )
        word += ONE
    return best


@jitted
def keeps_greatest_total(options: OptionTable, hand: np.uint64, key: int, rules: RuleNumbers) -> bool:
    """Tell whether a set surely leaves the greatest total in hand as it is; no set can do better by its reserve.

    It does if it spends no wild and one card of another value announces as much as all cards of its own: this is seen
    at once. Where that is not enough to tell, the walk that minds the reserve decides.
    """
    removal = options.row_removal[np.uint64(key & ROW_MASK)]
    naturals, wilds = hand & NATURALS, np.int64(wilds_in(hand))
    start = trailing_zeros(removal) & NIBBLE_START
    value, held = np.int64(start >> TWO) + 1, np.int64((naturals >> start) & FIFTEEN)
    others = (naturals & ~(FIFTEEN << start)) << FOUR | ONE
    single = np.int64((SIXTY_THREE - leading_zeros(others)) >> TWO)
    if value <= rules.wild_max:
        held += wilds
    return (removal <= NATURALS) & (value * held <= single)


@jitted
def key_minding_all(
    options: OptionTable,
    players: Players,
    slot: np.uint64,
    base_key: int,
    turn: Turn,
    player: np.void,
    slope: int,
    reserve: Reserve,
    unseen: Unseen,
    rules: RuleNumbers,
) -> int:
    """Return the key of one set with every part of its cost but going out."""
    value, naturals, cards = options.slot_value[slot], options.slot_naturals[slot], options.slot_cards[slot]
    held = np.int64((turn.hand >> (np.uint64(value - 1) * FOUR)) & FIFTEEN)
    others = reserve.second if value == reserve.value else reserve.greatest
    after = max(others, total_with(value, held - naturals, reserve.wilds_left, rules))
    cost = reserve_cost(player, reserve.before, after) + slope * (value * cards - turn.target - 1)
    if naturals > 0:
        cost += player["split_set"] * held
    if unseen.cards > 0:
        stuck = chance_not_beaten(
            players.counting, unseen.word, unseen.cards, unseen.next_hand, value * cards, rules.wild_max
        )
        cost += counting_cost(player, turn.pile + cards, stuck)
    return base_key + (cost << KEY_SHIFT)


@jitted
def going_out(seats: Seats, turn: Turn, player: np.void, key: int, rules: RuleNumbers) -> int:
    """Return the key of an option, now that it ends the game."""
    finishing = finishing_cost(player, wins_by_going_out(seats, turn.position, np.uint64(rules.players)))
    if finishing == FIRST_OF_ALL:
        return (FIRST_OF_ALL << KEY_SHIFT) + (key & TIE_MASK)
    return key + (finishing << KEY_SHIFT)


@jitted
def may_go_out(turn: Turn, rules: RuleNumbers) -> bool:
    """Tell whether emptying the hand now would end the game, and the player looks at that."""
    may_end = (turn.stage != STAGE_EARLY) | (rules.draw_before_end_check == 0)
    return ((turn.habits & LOOKS_BEFORE_GOING_OUT) != 0) & may_end


@set_apart
def cheapest_minding_all(
    options: OptionTable,
    players: Players,
    seats: Seats,
    first: np.uint64,
    turn: Turn,
    player: np.void,
    slope: int,
    rules: RuleNumbers,
) -> int:
    """Return the least key of the legal sets with every part of the cost, set by set."""
    naturals, wilds = turn.hand & NATURALS, np.int64(wilds_in(turn.hand))
    ending_cards = seats.cards[turn.position] if may_go_out(turn, rules) else NO_CARDS
    unseen = Unseen(ZERO, NO_CARDS, NO_CARDS)
    if ((turn.habits & COUNTS_CARDS) != 0) & (turn.stage != STAGE_EARLY):
        unseen = unseen_by(seats, turn.position, np.uint64(rules.players))
    best, before = np.int64(IMPOSSIBLE), NO_CARDS
    for plane in range(PLANES):
        sets = sets_of_plane(naturals, plane)
        if sets == ZERO and plane > 0:
            break
        for spent in range(wilds + 1):
            reserve = reserve_with(naturals, NO_CARDS, before, wilds - spent, rules)
            before = reserve.before
            word = np.uint64(plane) * _PLANE_WORDS + np.uint64(spent)
            bits = afforded_in_word(sets, plane, spent) & options.beats[np.uint64(turn.target) * _WORDS + word]
            while bits != ZERO:
                slot = word * _BITS + trailing_zeros(bits)
                bits &= bits - ONE
                key = players.keys[first + slot]
                key = key_minding_all(options, players, slot, key, turn, player, slope, reserve, unseen, rules)
                if options.slot_cards[slot] == ending_cards:
                    key = going_out(seats, turn, player, key, rules)
                best = min(best, key)
    return best


@jitted
def afforded_in_word(sets: np.uint64, plane: int, wilds: int) -> np.uint64:
    """Return the bits of the sets with so many wilds, from the bits of a plane's sets of naturals."""
    if wilds == 0:
        return sets
    return (sets & LOW_NATURALS) | (WILDS_ALONE if plane == 0 else ZERO)


@jitted
def cheapest_of_last_value(
    options: OptionTable,
    players: Players,
    seats: Seats,
    first: np.uint64,
    turn: Turn,
    player: np.void,
    split: int,
    price: int,
    rules: RuleNumbers,
) -> int:
    """Return the least key of the legal sets of a hand that may go out: up to four naturals of one value, and wilds."""
    naturals, wilds = turn.hand & NATURALS, np.int64(wilds_in(turn.hand))
    value = np.int64(trailing_zeros(naturals | EMPTY_SLOT) >> TWO) + 1
    cards = seats.cards[turn.position]
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
            played = options.slot_naturals[slot]
            after = max(total_with(value, held - played, left, rules), alone)
            key = players.keys[first + slot] + (split * held if played > 0 else NO_CARDS) + price * (before - after)
            if options.slot_cards[slot] == cards:
                key = going_out(seats, turn, player, key, rules)
            best = min(best, key)
    return best


@jitted
def cheapest_set(
    options: OptionTable,
    players: Players,
    seats: Seats,
    first: np.uint64,
    turn: Turn,
    player: np.void,
    slope: int,
    rules: RuleNumbers,
) -> int:
    """Return the least key of the legal sets; IMPOSSIBLE if there is none.

    `first` is the place of the player's first key. Hands with five or more of a value are rare and take the slow way.
    """
    many = (turn.hand + FIVE_OR_MORE) & TOP_BITS != ZERO
    counts = ((turn.habits & COUNTS_CARDS) != 0) & (turn.stage != STAGE_EARLY)
    split, price = player["split_set"] << KEY_SHIFT, player["reserve"] << KEY_SHIFT
    last_play = one_value_left(turn.hand) & may_go_out(turn, rules)
    if (slope != 0) | counts | many:
        return cheapest_minding_all(options, players, seats, first, turn, player, slope, rules)
    if last_play:
        return cheapest_of_last_value(options, players, seats, first, turn, player, split, price, rules)
    best = cheapest_plainly(options, players.keys, first, turn, split)
    if players.mind_reserve is None:
        return best
    if (price == 0) | ((price > 0) & keeps_greatest_total(options, turn.hand, best, rules)):
        return best
    return cheapest_minding_reserve(options, players.keys, first, turn, split, price, rules)


@jitted
def one_value_left(hand: np.uint64) -> bool:
    """Tell whether all cards of a hand may go in one set: no Passes, and at most one value beside the wilds."""
    values = values_held(hand & NATURALS)
    return ((values & (values - ONE)) == ZERO) & (hand < ONE_PASS)


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
def legal_sets(options: OptionTable, turn: Turn, legal: NDArray[np.uint64]) -> None:
    """Fill `legal`, shape (WORDS,), with the bits of every set that is legal on this turn."""
    naturals, wilds = turn.hand & NATURALS, wilds_in(turn.hand)
    beats = np.uint64(turn.target) * _WORDS
    for plane in range(PLANES):
        sets = sets_of_plane(naturals, plane)
        for wild in range(MOST_WILDS + 1):
            word = np.uint64(plane) * _PLANE_WORDS + np.uint64(wild)
            afforded = afforded_in_word(sets, plane, wild) if np.uint64(wild) <= wilds else ZERO
            legal[word] = afforded & options.beats[beats + word]
