"""How a player chooses: the option with the least key.

The common case reads one precomputed key per legal set. What depends on the turn beyond that (`reserve`, going out, a jumping
slope that moves with the pile) is added by a second, careful walk over the same sets, taken only by players who mind it.
"""

from __future__ import annotations

from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

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
    passes_in,
    sets_of_five_to_eight,
    sets_of_one_to_four,
    wilds_in,
)
from simulate.escalation.plays import (
    BITS,
    IMPOSSIBLE,
    KEY_ROW_BITS,
    KEY_SHIFT,
    PASS_ROW,
    SLOTS,
    STAGES,
    WILDS_ALONE_SHIFT,
    WORDS,
    OptionTable,
)
from simulate.escalation.rules import GREATEST_WILD_VALUE, MOST_WILDS
from simulate.jit import jitted, trailing_zeros
from simulate.rng import below, draw_bits
from strategies.heuristic import (
    FIRST_OF_ALL,
    finishing_cost,
    jumping_slope,
    pass_cost,
    reserve_cost,
    take_cost,
)

KIND_PASS: Final = 1
KIND_TAKE: Final = 2
KIND_FORCED_TAKE: Final = 3
"""A take with no other legal option; nothing is there to be compared with it."""
KIND_MASK: Final = 3
PASS_KEY: Final = (KIND_PASS << KEY_ROW_BITS) + PASS_ROW
TAKE_KEY: Final = KIND_TAKE << KEY_ROW_BITS
FORCED_TAKE_KEY: Final = KIND_FORCED_TAKE << KEY_ROW_BITS
NOTHING_BEATS: Final = IMPOSSIBLE >> 1
"""A key above this is no option's."""
ROW_MASK: Final = (1 << KEY_ROW_BITS) - 1

GOING_OUT_WINS: Final = (FIRST_OF_ALL + 1) << KEY_SHIFT
"""A key below this puts an option before all others; its cost is not to be added to."""

NO_CARDS: Final = np.int64(0)
NUMBER_CARDS: Final = (ONE << PASS_SHIFT) - ONE
WILDS_ALONE: Final = np.uint64(((1 << GREATEST_WILD_VALUE) - 1) << WILDS_ALONE_SHIFT)
EMPTY_SLOT: Final = np.uint64(1 << (BITS - 1))
"""The last bit of a word never holds a set: its key is IMPOSSIBLE."""
_BITS = np.uint64(BITS)
_WORDS = np.uint64(WORDS)
_PLANE_WORDS = np.uint64(MOST_WILDS + 1)
_SECOND_PLANE, _THIRD_PLANE = np.uint64(1), np.uint64(2)
AT_ONCE: Final = 4

FIRE: Final = np.uint64(0)
PICK: Final = np.uint64(1)
LEAD: Final = np.uint64(2)
_POSITION_DRAWS = np.uint64(1024)
_TURN_DRAWS = np.uint64(4)
_32 = np.uint64(32)


class RuleNumbers(NamedTuple):
    """The rules as integers, for the kernels."""

    players: int
    hand_size: int
    wild_max: int
    lead_pass: int
    draw_before_end_check: int
    beat_own_total: int
    wild_only_sets: int
    planes: int


class Turn(NamedTuple):
    """What a player sees on his turn, as far as costs depend on it.

    Attributes
    ----------
    hand, cards
        His hand as a word, and its number of cards.
    target, pile
        The total to beat (0 when leading) and the cards in the middle.
    stage
        STAGE_EARLY, STAGE_DECK_EMPTY or STAGE_DANGER.
    ending_cards
        How many cards an option must have to end the game: `cards`, or 0 while none can.
    wins_outright
        Whether ending the game now wins it.
    """

    hand: np.uint64
    cards: int
    target: int
    pile: int
    stage: int
    ending_cards: int
    wins_outright: bool


@jitted
def cheapest_in_word(
    keys: NDArray[np.int64], first: np.uint64, legal: np.uint64, naturals: np.uint64, split: int, best: int
) -> int:
    """Return the least of `best` and the keys of one word's legal sets."""
    while legal != ZERO:
        # Four at a time: fewer unpredictable loop ends; past the last set the empty slot is read.
        for _ in range(AT_ONCE):
            bit = trailing_zeros(legal | EMPTY_SLOT)
            legal &= legal - ONE
            held = np.int64((naturals >> (bit & NIBBLE_START)) & FIFTEEN)
            best = min(best, keys[first + bit] + split * held)
    return best


@jitted
def cheapest_set(
    options: OptionTable, keys: NDArray[np.int64], first: np.uint64, turn: Turn, split: int, planes: int
) -> int:
    """Return the least key of the sets that beat the target, by the precomputed part of costs; IMPOSSIBLE if none does."""
    naturals = turn.hand & NATURALS
    beats = np.uint64(turn.target) * _WORDS
    small = sets_of_one_to_four(naturals if planes == 1 else naturals - beyond_eight(naturals))
    best = cheapest_in_word(keys, first, small & options.beats[beats], naturals, split, IMPOSSIBLE)
    wilds = wilds_in(turn.hand)
    low = naturals & LOW_NATURALS
    word = ONE
    while word <= wilds:
        legal = ((small & LOW_NATURALS) | WILDS_ALONE) & options.beats[beats + word]
        best = cheapest_in_word(keys, first + word * _BITS, legal, low, split, best)
        word += ONE
    if planes > 1:
        best = cheapest_large_set(options, keys, first, turn, split, best)
    return best


@jitted
def cheapest_large_set(
    options: OptionTable, keys: NDArray[np.int64], first: np.uint64, turn: Turn, split: int, best: int
) -> int:
    """Return the least of `best` and the keys of sets with five naturals or more."""
    naturals = turn.hand & NATURALS
    beyond = beyond_eight(naturals)
    beats = np.uint64(turn.target) * _WORDS
    wilds = wilds_in(turn.hand)
    for plane in range(1, 3):
        sets = sets_of_five_to_eight(naturals - beyond) if plane == 1 else sets_of_one_to_four(beyond)
        if sets != ZERO:
            wild = ZERO
            while wild <= wilds:
                word = np.uint64(plane) * _PLANE_WORDS + wild
                held = naturals if wild == ZERO else naturals & LOW_NATURALS
                best = cheapest_in_word(
                    keys, first + word * _BITS, sets & options.beats[beats + word], held, split, best
                )
                wild += ONE
    return best


@jitted
def legal_sets(options: OptionTable, turn: Turn, legal: NDArray[np.uint64]) -> None:
    """Fill `legal`, shape (WORDS,), with the bits of every set that is legal on this turn."""
    naturals = turn.hand & NATURALS
    beyond = beyond_eight(naturals)
    beats = np.uint64(turn.target) * _WORDS
    wilds = wilds_in(turn.hand)
    for plane in range(PLANES):
        if plane == 0:
            sets = sets_of_one_to_four(naturals - beyond)
        elif plane == 1:
            sets = sets_of_five_to_eight(naturals - beyond)
        else:
            sets = sets_of_one_to_four(beyond)
        for wild in range(MOST_WILDS + 1):
            word = np.uint64(plane * (MOST_WILDS + 1) + wild)
            afforded = ZERO
            if wild == 0:
                afforded = sets
            elif np.uint64(wild) <= wilds:
                afforded = (sets & LOW_NATURALS) | (WILDS_ALONE if plane == 0 else ZERO)
            legal[word] = afforded & options.beats[beats + word]


@jitted
def two_greatest(hand: np.uint64, wilds: int, rules: RuleNumbers) -> tuple[int, int, int]:
    """Return the greatest total that the naturals of a hand can announce with so many wilds, its value, and the second.

    The second is the greatest total of any other value.
    """
    greatest, value_of_greatest, second = NO_CARDS, NO_CARDS, NO_CARDS
    if wilds > 0:
        value_of_greatest = np.int64(rules.wild_max)
        greatest = value_of_greatest * (wilds if rules.wild_only_sets == 1 else 1)
    left = hand & NATURALS
    while left != ZERO:
        start = trailing_zeros(left) & NIBBLE_START
        naturals = np.int64((left >> start) & FIFTEEN)
        left &= ~(FIFTEEN << start)
        value = np.int64(start // FOUR) + 1
        total = value * (naturals + (wilds if value <= rules.wild_max else NO_CARDS))
        second = max(second, min(greatest, total))
        value_of_greatest = value if total > greatest else value_of_greatest
        greatest = max(greatest, total)
    return greatest, value_of_greatest, second


@jitted
def greatest_with(value: int, naturals: int, wilds: int, rules: RuleNumbers) -> int:
    """Return the greatest total of one value, from its naturals and the wilds that may stand beside them."""
    if value > rules.wild_max:
        return value * naturals
    if naturals == 0 and rules.wild_only_sets == 0:
        return value * min(wilds, 1)
    return value * (naturals + wilds)


@jitted
def careful_key(
    options: OptionTable,
    key: int,
    slot: np.uint64,
    turn: Turn,
    player: np.void,
    slope: int,
) -> int:
    """Add to a set's key what the pile makes of its total and what going out with it is worth."""
    cards = options.slot_naturals[slot] + options.slot_wilds[slot]
    extra = slope * (options.slot_total[slot] - turn.target - 1)
    if cards == turn.ending_cards:
        finishing = finishing_cost(player, turn.wins_outright)
        if finishing == FIRST_OF_ALL:
            return (FIRST_OF_ALL << KEY_SHIFT) + options.slot_row[slot]
        extra += finishing
    return key + (extra << KEY_SHIFT)


@jitted
def cheapest_carefully(
    options: OptionTable,
    keys: NDArray[np.int64],
    first: np.uint64,
    turn: Turn,
    player: np.void,
    slope: int,
    rules: RuleNumbers,
    legal: NDArray[np.uint64],
) -> int:
    """Return the least key of the legal sets with every part of the cost; IMPOSSIBLE if there is none."""
    legal_sets(options, turn, legal)
    wilds = np.int64(wilds_in(turn.hand))
    split = player["split_set"] << KEY_SHIFT
    before, _, _ = two_greatest(turn.hand, wilds, rules)
    best = IMPOSSIBLE
    for word in range(WORDS):
        bits = legal[word]
        if bits == ZERO:
            continue
        wilds_after = wilds - word % (MOST_WILDS + 1)
        greatest, value_of_greatest, second = two_greatest(turn.hand, wilds_after, rules)
        while bits != ZERO:
            slot = np.uint64(word * BITS) + trailing_zeros(bits)
            bits &= bits - ONE
            value, naturals = options.slot_value[slot], options.slot_naturals[slot]
            held = np.int64((turn.hand >> (FOUR * np.uint64(value - 1))) & FIFTEEN)
            others = second if value == value_of_greatest else greatest
            after = max(others, greatest_with(value, held - naturals, wilds_after, rules))
            key = keys[first + slot] + (reserve_cost(player, before, after) << KEY_SHIFT)
            if naturals > 0:
                key += split * held
            best = min(best, careful_key(options, key, slot, turn, player, slope))
    return best


@jitted
def pass_key(player: np.void, turn: Turn) -> int:
    """Return the key of playing a Pass."""
    cost = pass_cost(player)
    if turn.ending_cards == 1:
        finishing = finishing_cost(player, turn.wins_outright)
        cost = FIRST_OF_ALL if finishing == FIRST_OF_ALL else cost + finishing
    return (cost << KEY_SHIFT) + PASS_KEY


@jitted
def needs_care(player: np.void, turn: Turn, slope: int) -> bool:
    """Tell whether a set's cost has parts that are not precomputed."""
    return (slope != 0) | (player["reserve"] != 0) | ((player["finish"] != 0) & (turn.ending_cards > 0))


@jitted
def best_response(
    options: OptionTable,
    keys: NDArray[np.int64],
    strategy: int,
    player: np.void,
    turn: Turn,
    rules: RuleNumbers,
    own_stack: int,
    smallest_other_stack: int,
    legal: NDArray[np.uint64],
) -> int:
    """Return the key of the choice facing a pile."""
    first = np.uint64((strategy * 2 * STAGES + turn.stage) * SLOTS)
    slope = jumping_slope(player, turn.pile) - player["overshoot"]
    if needs_care(player, turn, slope):
        best = cheapest_carefully(options, keys, first, turn, player, slope, rules, legal)
    else:
        best = cheapest_set(options, keys, first, turn, player["split_set"] << KEY_SHIFT, rules.planes)
    if best > GOING_OUT_WINS:
        best -= (player["overshoot"] * turn.target) << KEY_SHIFT
    if passes_in(turn.hand) != ZERO:
        best = min(best, pass_key(player, turn))
    if ((turn.hand & NUMBER_CARDS) != ZERO) | (rules.lead_pass == 1):
        cost = take_cost(player, turn.pile, turn.stage > 0, own_stack, smallest_other_stack)
        best = min(best, (cost << KEY_SHIFT) + TAKE_KEY) if best < NOTHING_BEATS else FORCED_TAKE_KEY
    return best


@jitted
def best_lead(
    options: OptionTable,
    keys: NDArray[np.int64],
    strategy: int,
    player: np.void,
    turn: Turn,
    rules: RuleNumbers,
    legal: NDArray[np.uint64],
) -> int:
    """Return the key of the choice when leading."""
    if (turn.hand & NUMBER_CARDS) == ZERO:
        return PASS_KEY
    first = np.uint64(((strategy * 2 + 1) * STAGES + turn.stage) * SLOTS)
    if needs_care(player, turn, 0):
        best = cheapest_carefully(options, keys, first, turn, player, 0, rules, legal)
    else:
        best = cheapest_set(options, keys, first, turn, player["split_set"] << KEY_SHIFT, rules.planes)
    if (rules.lead_pass == 1) & (passes_in(turn.hand) != ZERO):
        best = min(best, pass_key(player, turn))
    return best


@jitted
def noise_draw(noise_key: np.uint64, position: np.uint64, own_turn: np.uint64, purpose: np.uint64) -> np.uint64:
    """Return the draw of policy noise for one decision: the same in every arm as long as the turns are alike."""
    return draw_bits(noise_key, position * _POSITION_DRAWS + own_turn * _TURN_DRAWS + purpose)


@jitted
def fires(player: np.void, noise_key: np.uint64, position: np.uint64, own_turn: np.uint64) -> bool:
    """Tell whether this turn's option is random."""
    if player["noise"] == 0:
        return False
    return np.int64(noise_draw(noise_key, position, own_turn, FIRE) >> _32) < player["noise"]


@jitted
def nth_set(options: OptionTable, legal: NDArray[np.uint64], index: int) -> tuple[int, int]:
    """Return how many sets are legal, and the row of number `index` in the order of rows (-1 beyond the last)."""
    count, found = 0, -1
    for row in range(PASS_ROW):
        slot = options.row_slot[row]
        if (legal[slot // BITS] >> np.uint64(slot % BITS)) & ONE:
            if count == index:
                found = row
            count += 1
    return count, found


@jitted
def random_option(
    options: OptionTable, turn: Turn, draw: np.uint64, may_pass: bool, may_take: bool, legal: NDArray[np.uint64]
) -> int:
    """Return the key of an option picked uniformly: the sets in the order of rows, then the Pass, then the take."""
    legal_sets(options, turn, legal)
    sets, _ = nth_set(options, legal, -1)
    pick = np.int64(below(draw, np.uint64(sets + may_pass + may_take)))
    if pick < sets:
        return nth_set(options, legal, pick)[1]
    if may_pass and pick == sets:
        return PASS_KEY
    return TAKE_KEY if sets + may_pass > 0 else FORCED_TAKE_KEY
