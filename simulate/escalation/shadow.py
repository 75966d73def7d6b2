"""Who would have chosen otherwise: the choices of another strategy, compared while a game is played.

As long as both choose alike the game is the same game for both, so a player who never differs needs no second game.
Where the strategies differ in a few parameters only, most turns give these nothing to decide, and are not compared.
"""

from __future__ import annotations

from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from simulate.escalation.choice import choose, fires
from simulate.escalation.hands import ZERO, wilds_in
from simulate.escalation.plays import STAGE_EARLY, OptionTable
from simulate.escalation.seats import HAS_NOISE, Seats, habits_of
from simulate.escalation.walks import ONE_PASS, TIE_MASK, Players, RuleNumbers, Turn
from simulate.jit import jitted
from strategies.parameters import CARD, PARAMETER_NAMES

ALWAYS: Final = 1
HOLDING_A_PASS: Final = 2
HOLDING_A_WILD: Final = 4
PILE_WITHIN_LIMIT: Final = 8
DECK_EMPTY: Final = 16
LEADING: Final = 32
ONE_IS_RANDOM: Final = 64

_OCCASION_OF: Final = {
    "pass_hoard": HOLDING_A_PASS,
    "wild_hold": HOLDING_A_WILD,
    "wild_seven_jump": HOLDING_A_WILD,
    "early_take": PILE_WITHIN_LIMIT,
    "early_take_limit": PILE_WITHIN_LIMIT,
    "endgame_take": PILE_WITHIN_LIMIT,
    "standing": PILE_WITHIN_LIMIT,
    "endgame_shed": DECK_EMPTY,
    "danger_shed": DECK_EMPTY,
    "count_cards": DECK_EMPTY,
    "lead_total": LEADING,
    "lead_shed": LEADING,
    "noise": ONE_IS_RANDOM,
}
"""When a parameter can matter at all; those not listed always may. Above both limits a take is the last resort of
either strategy, made when nothing else is legal."""


class Shadow(NamedTuple):
    """The strategy that each position might play instead, one entry per position.

    Attributes
    ----------
    strategies, habits
        As in `Seats`.
    occasions, limits
        On which occasions the two may differ, as a sum of flags, and the greater of their `early_take_limit`.
    alike
        1 as long as every choice so far would have been the same; set it to 0 not to compare a position.
    """

    strategies: NDArray[np.uint64]
    habits: NDArray[np.int64]
    occasions: NDArray[np.int64]
    limits: NDArray[np.int64]
    alike: NDArray[np.int64]


def occasions_between(first: np.void, second: np.void) -> int:
    """Return on which occasions the choices of two players can differ, as a sum of flags."""
    differing = [name for name in PARAMETER_NAMES if first[name] != second[name]]
    occasions = 0
    for name in differing:
        occasions |= _OCCASION_OF.get(name, ALWAYS)
    return occasions


@jitted
def cast_shadow(
    shadow: Shadow, position: int, strategy: np.uint64, occasions: int, limit: int, players: Players
) -> None:
    """Let a strategy be compared at a position."""
    shadow.strategies[position] = strategy
    shadow.habits[position] = habits_of(players.records[strategy])
    shadow.occasions[position] = occasions
    shadow.limits[position] = limit
    shadow.alike[position] = 1


@jitted
def may_differ(shadow: Shadow, turn: Turn, one_is_random: bool) -> bool:
    """Tell whether the two strategies of a turn can differ on it."""
    now = ALWAYS | (ONE_IS_RANDOM if one_is_random else 0)
    if turn.hand >= ONE_PASS:
        now |= HOLDING_A_PASS
    if wilds_in(turn.hand) != ZERO:
        now |= HOLDING_A_WILD
    if turn.stage != STAGE_EARLY:
        now |= DECK_EMPTY
    if turn.pile == 0:
        now |= LEADING
    elif turn.pile * CARD <= shadow.limits[turn.position]:
        now |= PILE_WITHIN_LIMIT
    return (now & shadow.occasions[turn.position]) != 0


@jitted
def shadow_turn(shadow: Shadow, turn: Turn) -> Turn:
    """Return the same turn with the other strategy to move."""
    strategy, habits = shadow.strategies[turn.position], shadow.habits[turn.position]
    return Turn(turn.position, strategy, habits, turn.hand, turn.target, turn.pile, turn.stage)


@jitted
def shadow_fires(shadow: Shadow, players: Players, seats: Seats, position: np.uint64, noise_key: np.uint64) -> bool:
    """Tell whether the other strategy's option would be random."""
    if shadow.habits[position] & HAS_NOISE:
        return fires(players.records[shadow.strategies[position]], noise_key, seats, position)
    return False


@jitted
def compare(
    shadow: Shadow,
    key: int,
    random_turn: bool,
    options: OptionTable,
    players: Players,
    seats: Seats,
    turn: Turn,
    rules: RuleNumbers,
    noise_key: np.uint64,
) -> None:
    """Note if the other strategy would not have done what was chosen."""
    if shadow.alike[turn.position] == 1:
        fired = shadow_fires(shadow, players, seats, turn.position, noise_key)
        if may_differ(shadow, turn, fired != random_turn):
            other = shadow_turn(shadow, turn)
            other_key = choose(options, players, seats, other, rules, noise_key, fired)
            if (other_key ^ key) & TIE_MASK:
                shadow.alike[turn.position] = 0
