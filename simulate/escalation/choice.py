"""How a player chooses: the option with the least key.

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
    NIBBLE,
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
    STAGE_EARLY,
    STAGES,
    WILDS_ALONE_SHIFT,
    WORDS,
    OptionTable,
)
from simulate.escalation.rules import GREATEST_WILD_VALUE, MOST_WILDS
from simulate.escalation.seats import Seats, own_turn
from simulate.jit import jitted, trailing_zeros
from simulate.rng import below, draw_bits
from strategies.heuristic import (
    FIRST_OF_ALL,
    counting_cost,
    finishing_cost,
    jumping_slope,
    pass_cost,
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
_TWO, _STAGES, _SLOTS = np.uint64(2), np.uint64(STAGES), np.uint64(SLOTS)
AT_ONCE: Final = 4

FIRE: Final = np.uint64(0)
PICK: Final = np.uint64(1)
LEAD: Final = np.uint64(2)
_POSITION_DRAWS = np.uint64(1024)
_TURN_DRAWS = np.uint64(4)
_32 = np.uint64(32)


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
    """

    records: NDArray[np.void]
    keys: NDArray[np.int64]
    counting: CountingTables


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
    hand
        His hand as a word.
    target, pile
        The total to beat (0 when leading) and the cards in the middle.
    stage
        STAGE_EARLY, STAGE_DECK_EMPTY or STAGE_DANGER.
    ending_cards
        How many cards an option must have to end the game: the whole hand's, or 0 while none can or the player does not
        look.
    wins_outright
        Whether ending the game now wins it.
    unseen, unseen_cards, next_cards
        For players who count, once the deck is empty: the cards he has not seen, as a word and their number, and the
        next player's hand size.
    """

    hand: np.uint64
    target: int
    pile: int
    stage: int
    ending_cards: int
    wins_outright: bool
    unseen: np.uint64
    unseen_cards: int
    next_cards: int


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
def reserve_with(hand: np.uint64, price: int, before: int, wilds_left: int, rules: RuleNumbers) -> Reserve:
    """Work out the greatest totals of a hand's naturals with so many wilds."""
    value = np.int64(rules.wild_max)
    greatest, second = total_with(value, NO_CARDS, wilds_left, rules), NO_CARDS
    left = hand & NATURALS
    while left != ZERO:
        start = trailing_zeros(left) & NIBBLE_START
        this_value = np.int64(start // FOUR) + 1
        total = total_with(this_value, np.int64((left >> start) & FIFTEEN), wilds_left, rules)
        left &= ~(FIFTEEN << start)
        second = max(second, min(greatest, total))
        value = this_value if total > greatest else value
        greatest = max(greatest, total)
    return Reserve(price, max(before, greatest), wilds_left, greatest, value, second)


@jitted
def cheapest_in_word(
    keys: NDArray[np.int64], first: np.uint64, legal: np.uint64, naturals: np.uint64, split: int, best: int
) -> int:
    """Return the least of `best` and the keys of one word's legal sets, by the precomputed part of costs.

    `first` is the place of the word's first key, `naturals` the natural cards in hand that the word's sets can use.
    """
    while legal != ZERO:
        # Four at a time: fewer unpredictable loop ends; past the last set the empty slot is read.
        for _ in range(AT_ONCE):
            bit = trailing_zeros(legal | EMPTY_SLOT)
            legal &= legal - ONE
            held = np.int64((naturals >> (bit & NIBBLE_START)) & FIFTEEN)
            best = min(best, keys[first + bit] + split * held)
    return best


@jitted
def cheapest_minding_reserve(
    keys: NDArray[np.int64],
    first: np.uint64,
    legal: np.uint64,
    naturals: np.uint64,
    split: int,
    best: int,
    naturals_of_bit: int,
    reserve: Reserve,
    rules: RuleNumbers,
) -> int:
    """Return the same with what each set takes from the greatest total in hand.

    A set leaves the greatest total alone unless it is of the very value that has it: all other sets of a word share one
    price, and only the few of that value are priced one by one. `naturals_of_bit` are those of the first bit of a nibble.
    """
    start = np.uint64(reserve.value - 1) * FOUR
    its_sets = legal & (FIFTEEN << start) if naturals >> start & FIFTEEN != ZERO else ZERO
    others = cheapest_in_word(keys, first, legal ^ its_sets, naturals, split, IMPOSSIBLE)
    best = min(best, others + reserve.price * (reserve.before - reserve.greatest))
    held = np.int64((naturals >> start) & FIFTEEN)
    while its_sets != ZERO:
        bit = trailing_zeros(its_sets)
        its_sets &= its_sets - ONE
        left = held - naturals_of_bit - np.int64(bit - start)
        after = max(reserve.second, total_with(reserve.value, left, reserve.wilds_left, rules))
        best = min(best, keys[first + bit] + split * held + reserve.price * (reserve.before - after))
    return best


@jitted
def cheapest_minding_all(
    options: OptionTable,
    players: Players,
    first: np.uint64,
    word: np.uint64,
    legal: np.uint64,
    turn: Turn,
    player: np.void,
    slope: int,
    best: int,
    reserve: Reserve,
    rules: RuleNumbers,
) -> int:
    """Return the same with every part of the cost, set by set: also the pile's slope and going out."""
    while legal != ZERO:
        bit = trailing_zeros(legal)
        legal &= legal - ONE
        slot = word * _BITS + bit
        value, naturals, cards = options.slot_value[slot], options.slot_naturals[slot], options.slot_cards[slot]
        held = np.int64((turn.hand >> (np.uint64(value - 1) * FOUR)) & FIFTEEN)
        others = reserve.second if value == reserve.value else reserve.greatest
        after = max(others, total_with(value, held - naturals, reserve.wilds_left, rules))
        key = players.keys[first + bit] + reserve.price * (reserve.before - after)
        if naturals > 0:
            key += (player["split_set"] * held) << KEY_SHIFT
        key += (slope * (value * cards - turn.target - 1)) << KEY_SHIFT
        if turn.unseen_cards > 0:
            stuck = chance_not_beaten(
                players.counting, turn.unseen, turn.unseen_cards, turn.next_cards, value * cards, rules.wild_max
            )
            key += counting_cost(player, turn.pile + cards, stuck) << KEY_SHIFT
        if cards == turn.ending_cards:
            finishing = finishing_cost(player, turn.wins_outright)
            key = (
                (FIRST_OF_ALL << KEY_SHIFT) + options.slot_row[slot]
                if finishing == FIRST_OF_ALL
                else (key + (finishing << KEY_SHIFT))
            )
        best = min(best, key)
    return best


@jitted
def cheapest_set(
    options: OptionTable,
    players: Players,
    first: np.uint64,
    turn: Turn,
    player: np.void,
    slope: int,
    rules: RuleNumbers,
) -> int:
    """Return the least key of the legal sets; IMPOSSIBLE if there is none. `first` is the place of the player's first key."""
    naturals, wilds = turn.hand & NATURALS, wilds_in(turn.hand)
    split, price = player["split_set"] << KEY_SHIFT, player["reserve"] << KEY_SHIFT
    mind_all = (slope != 0) | (turn.ending_cards > 0) | (turn.unseen_cards > 0)
    keys = players.keys
    reserve = Reserve(price, NO_CARDS, NO_CARDS, NO_CARDS, NO_CARDS, NO_CARDS)
    beats = np.uint64(turn.target) * _WORDS
    best, plane = np.int64(IMPOSSIBLE), 0
    while plane < rules.planes:
        sets = sets_of_plane(naturals, plane, rules.planes)
        afforded, usable, wild = sets, naturals, ZERO
        while wild <= wilds:
            word = np.uint64(plane) * _PLANE_WORDS + wild
            legal = afforded & options.beats[beats + word]
            here = first + word * _BITS
            if (price != 0) | mind_all:
                before = reserve.before if wild > ZERO else NO_CARDS
                reserve = reserve_with(turn.hand, price, before, np.int64(wilds - wild), rules)
            if mind_all:
                best = cheapest_minding_all(
                    options, players, here, word, legal, turn, player, slope, best, reserve, rules
                )
            elif price != 0:
                smallest = plane * NIBBLE + 1
                best = cheapest_minding_reserve(keys, here, legal, usable, split, best, smallest, reserve, rules)
            else:
                best = cheapest_in_word(keys, here, legal, usable, split, best)
            afforded = (sets & LOW_NATURALS) | (WILDS_ALONE if plane == 0 else ZERO)
            usable = naturals & LOW_NATURALS
            wild += ONE
        plane += 1
    return best


@jitted
def sets_of_plane(naturals: np.uint64, plane: int, planes: int) -> np.uint64:
    """Return the bits of the sets of naturals that a hand affords in one plane."""
    if planes == 1:
        return sets_of_one_to_four(naturals)
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
        sets = sets_of_plane(naturals, plane, PLANES)
        for wild in range(MOST_WILDS + 1):
            word = np.uint64(plane) * _PLANE_WORDS + np.uint64(wild)
            afforded = sets
            if wild > 0:
                afforded = (sets & LOW_NATURALS) | (WILDS_ALONE if plane == 0 else ZERO)
            legal[word] = afforded & options.beats[beats + word] if np.uint64(wild) <= wilds else ZERO


@jitted
def pass_key(player: np.void, turn: Turn) -> int:
    """Return the key of playing a Pass."""
    cost = pass_cost(player)
    if turn.ending_cards == 1:
        finishing = finishing_cost(player, turn.wins_outright)
        cost = FIRST_OF_ALL if finishing == FIRST_OF_ALL else cost + finishing
    return (cost << KEY_SHIFT) + PASS_KEY


@jitted
def best_play(
    options: OptionTable,
    players: Players,
    strategy: np.uint64,
    player: np.void,
    turn: Turn,
    rules: RuleNumbers,
) -> int:
    """Return the least key of the sets and the Pass facing a pile; above NOTHING_BEATS if there is neither."""
    first = (strategy * _TWO * _STAGES + np.uint64(turn.stage)) * _SLOTS
    slope = jumping_slope(player, turn.pile) - player["overshoot"]
    best = cheapest_set(options, players, first, turn, player, slope, rules)
    if best > GOING_OUT_WINS:
        best -= (player["overshoot"] * turn.target) << KEY_SHIFT
    return min(best, pass_key(player, turn) if passes_in(turn.hand) != ZERO else IMPOSSIBLE)


@jitted
def best_response(
    options: OptionTable,
    players: Players,
    seats: Seats,
    position: np.uint64,
    player: np.void,
    turn: Turn,
    rules: RuleNumbers,
) -> int:
    """Return the key of the choice facing a pile."""
    best = best_play(options, players, seats.strategies[position], player, turn, rules)
    own, other = seats.stacks[position] + seats.carried[position], seats.smallest_others[position]
    cost = take_cost(player, turn.pile, turn.stage != STAGE_EARLY, own, other)
    take = (cost << KEY_SHIFT) + (FORCED_TAKE_KEY if best > NOTHING_BEATS else TAKE_KEY)
    return min(best, take if may_take(turn.hand, rules) else IMPOSSIBLE)


@jitted
def best_lead(
    options: OptionTable,
    players: Players,
    seats: Seats,
    position: np.uint64,
    player: np.void,
    turn: Turn,
    rules: RuleNumbers,
) -> int:
    """Return the key of the choice when leading."""
    if (turn.hand & NUMBER_CARDS) == ZERO:
        return PASS_KEY
    first = ((seats.strategies[position] * _TWO + ONE) * _STAGES + np.uint64(turn.stage)) * _SLOTS
    best = cheapest_set(options, players, first, turn, player, NO_CARDS, rules)
    if may_lead_pass(turn.hand, rules):
        best = min(best, pass_key(player, turn))
    return best


@jitted
def may_take(hand: np.uint64, rules: RuleNumbers) -> bool:
    """Tell whether a pile may be taken: the lead that follows must be legal."""
    return ((hand & NUMBER_CARDS) != ZERO) | (rules.lead_pass == 1)


@jitted
def may_lead_pass(hand: np.uint64, rules: RuleNumbers) -> bool:
    """Tell whether a Pass may be led: by ruling, or because there is nothing else in hand."""
    return (rules.lead_pass == 1 and passes_in(hand) != ZERO) or (hand & NUMBER_CARDS) == ZERO


@jitted
def noise_draw(noise_key: np.uint64, position: np.uint64, turns: np.uint64, purpose: np.uint64) -> np.uint64:
    """Return the draw of policy noise for one decision: the same in every arm as long as the turns are alike."""
    return draw_bits(noise_key, position * _POSITION_DRAWS + turns * _TURN_DRAWS + purpose)


@jitted
def fires(player: np.void, noise_key: np.uint64, seats: Seats, position: np.uint64) -> bool:
    """Tell whether this turn's option is random."""
    if player["noise"] == 0:
        return False
    return np.int64(noise_draw(noise_key, position, own_turn(seats, position), FIRE) >> _32) < player["noise"]


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
    options: OptionTable, turn: Turn, draw: np.uint64, a_pass: bool, a_take: bool, legal: NDArray[np.uint64]
) -> int:
    """Return the key of an option picked uniformly: the sets in the order of rows, then the Pass, then the take."""
    legal_sets(options, turn, legal)
    sets, _ = nth_set(options, legal, -1)
    pick = np.int64(below(draw, np.uint64(sets + a_pass + a_take)))
    if pick < sets:
        return nth_set(options, legal, pick)[1]
    if a_pass and pick == sets:
        return PASS_KEY
    return TAKE_KEY if sets + a_pass > 0 else FORCED_TAKE_KEY


@jitted
def choose_response(
    options: OptionTable,
    players: Players,
    seats: Seats,
    position: np.uint64,
    turn: Turn,
    rules: RuleNumbers,
    noise_key: np.uint64,
    random_turn: bool,
    legal: NDArray[np.uint64],
) -> int:
    """Return the key of what a player does facing a pile."""
    if random_turn:
        draw = noise_draw(noise_key, position, own_turn(seats, position), PICK)
        return random_option(options, turn, draw, passes_in(turn.hand) != ZERO, may_take(turn.hand, rules), legal)
    player = players.records[seats.strategies[position]]
    return best_response(options, players, seats, position, player, turn, rules)


@jitted
def choose_lead(
    options: OptionTable,
    players: Players,
    seats: Seats,
    position: np.uint64,
    turn: Turn,
    rules: RuleNumbers,
    noise_key: np.uint64,
    random_turn: bool,
    legal: NDArray[np.uint64],
) -> int:
    """Return the key of what a player leads."""
    if random_turn:
        draw = noise_draw(noise_key, position, own_turn(seats, position), LEAD)
        return random_option(options, turn, draw, may_lead_pass(turn.hand, rules), False, legal)
    player = players.records[seats.strategies[position]]
    return best_lead(options, players, seats, position, player, turn, rules)
