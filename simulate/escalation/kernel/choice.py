"""How a player chooses: the option with the least key, or a random one."""

from __future__ import annotations

from typing import Final

import numpy as np
from numpy.typing import NDArray

from simulate.escalation.kernel.cheapest_set import cheapest_set, going_out, legal_sets, may_go_out
from simulate.escalation.kernel.hands import ONE, ONE_PASS, PASS_SHIFT, ZERO
from simulate.escalation.kernel.option_table import (
    BITS,
    IMPOSSIBLE,
    KEY_ROW_BITS,
    KEY_SHIFT,
    PASS_ROW,
    STAGE_EARLY,
    OptionTable,
)
from simulate.escalation.kernel.seats import HAS_NOISE, Seats, own_turn
from simulate.escalation.kernel.turns import Players, RuleNumbers, TurnView
from simulate.jit import copied, jitted, set_apart
from simulate.rng import below, draw_bits
from strategies.heuristic import (
    FIRST_OF_ALL,
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
GOING_OUT_WINS: Final = (FIRST_OF_ALL + 1) << KEY_SHIFT
"""A key below this puts an option before all others; its cost is not to be added to."""
NUMBER_CARDS: Final = (ONE << PASS_SHIFT) - ONE
FIRE: Final = np.uint64(0)
PICK: Final = np.uint64(1)
LEAD: Final = np.uint64(2)
_POSITION_DRAWS = np.uint64(1024)
_TURN_DRAWS = np.uint64(4)
_32 = np.uint64(32)


@jitted
def or_pass(seats: Seats, turn: TurnView, player: np.void, best: int, rules: RuleNumbers) -> int:
    """Return the lesser of the key of the best set and that of playing a Pass, where it is legal."""
    if turn.hand < ONE_PASS or not may_pass(turn, rules):
        return best
    key = (pass_cost(player) << KEY_SHIFT) + PASS_KEY
    if (turn.hand == ONE_PASS) & may_go_out(turn, rules):
        key = going_out(seats.at, turn, player, key, rules)
    return min(best, key)


@jitted
def or_take(seats: Seats, turn: TurnView, player: np.void, best: int, rules: RuleNumbers) -> int:
    """Return the lesser of the key of the best play and that of taking the pile, where it is legal."""
    seat = seats.at[turn.position]
    own = seat["stack"] + seat["carried"]
    cost = take_cost(player, turn.pile, turn.stage != STAGE_EARLY, own, seat["smallest_other"])
    key = (cost << KEY_SHIFT) + TAKE_KEY
    if key < best and may_take(turn, rules):
        return key if best < NOTHING_BEATS else key + (FORCED_TAKE_KEY - TAKE_KEY)
    return best


@copied
def best_option(
    options: OptionTable, players: Players, seats: Seats, player: np.void, turn: TurnView, rules: RuleNumbers
) -> int:
    """Return the key of the cheapest option, facing a pile or leading."""
    best = cheapest_set(options, players, seats, turn, player, rules)
    if best > GOING_OUT_WINS:
        # Precomputed keys do not know the target; leading, it is 0.
        best -= (player["overshoot"] * turn.target) << KEY_SHIFT
    return or_take(seats, turn, player, or_pass(seats, turn, player, best, rules), rules)


@jitted
def may_take(turn: TurnView, rules: RuleNumbers) -> bool:
    """Tell whether there is a pile that may be taken: the lead that follows must be legal."""
    leads_a_pass = (rules.lead_pass & rules.pass_hand_takes) == 1
    return (turn.pile > 0) & (((turn.hand & NUMBER_CARDS) != ZERO) | leads_a_pass)


@jitted
def may_pass(turn: TurnView, rules: RuleNumbers) -> bool:
    """Tell whether a Pass may be played: with a pile; else by ruling, or because there is nothing else in hand."""
    nothing_else = (turn.hand & NUMBER_CARDS) == ZERO
    return (turn.hand >= ONE_PASS) & ((turn.pile > 0) | (rules.lead_pass == 1) | nothing_else)


@jitted
def noise_draw(noise_key: np.uint64, position: np.uint64, turns: np.uint64, purpose: np.uint64) -> np.uint64:
    """Return the draw of policy noise for one decision: the same in every arm as long as the turns are alike."""
    return draw_bits(noise_key, position * _POSITION_DRAWS + turns * _TURN_DRAWS + purpose)


@jitted
def is_random(players: Players, sitting: np.void, seats: Seats, position: np.uint64, noise_key: np.uint64) -> bool:
    """Tell whether the option of this turn is random, for the strategy and the habits of a record such as SEAT."""
    if sitting["habits"] & HAS_NOISE:
        player = players.records[sitting["strategy"]]
        return np.int64(noise_draw(noise_key, position, own_turn(seats, position), FIRE) >> _32) < player["noise"]
    return False


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


@set_apart
def random_option(
    options: OptionTable, turn: TurnView, draw: np.uint64, rules: RuleNumbers, legal: NDArray[np.uint64]
) -> int:
    """Return the key of an option picked uniformly: the sets in the order of rows, then the Pass, then the take."""
    legal_sets(options, turn, legal)
    a_pass, a_take = may_pass(turn, rules), may_take(turn, rules)
    sets, _ = nth_set(options, legal, -1)
    pick = np.int64(below(draw, np.uint64(sets + a_pass + a_take)))
    if pick < sets:
        return nth_set(options, legal, pick)[1]
    if a_pass and pick == sets:
        return PASS_KEY
    return TAKE_KEY if sets + a_pass > 0 else FORCED_TAKE_KEY


@copied
def choose(
    options: OptionTable,
    players: Players,
    seats: Seats,
    turn: TurnView,
    rules: RuleNumbers,
    noise_key: np.uint64,
    random_turn: bool,
) -> int:
    """Return the key of what a player does, facing a pile or leading."""
    if random_turn:
        purpose = PICK if turn.pile > 0 else LEAD
        draw = noise_draw(noise_key, turn.position, own_turn(seats, turn.position), purpose)
        return random_option(options, turn, draw, rules, seats.legal)
    return best_option(options, players, seats, players.records[turn.strategy], turn, rules)
