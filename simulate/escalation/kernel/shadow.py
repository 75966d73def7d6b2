"""Who would have chosen otherwise: the choices of another strategy, compared while a game is played.

As long as both choose alike, it is the same game for both. A player who never differs needs no second game; for one who
does, the second game starts at the first turn that differs. Where the strategies differ in a few parameters only, most
turns give these nothing to decide, and are not compared.
"""

from __future__ import annotations

from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from simulate.escalation.kernel.choice import choose, is_random
from simulate.escalation.kernel.hands import FIFTEEN, NIBBLE, ONE_PASS, ZERO, wilds_in
from simulate.escalation.kernel.option_table import STAGE_EARLY, TIE_MASK, OptionTable
from simulate.escalation.kernel.seats import SEAT, Seats, habits_of
from simulate.escalation.kernel.turns import Players, RuleNumbers, TurnView
from simulate.escalation.rules import MOST_PLAYERS
from simulate.jit import jitted
from strategies.heuristic import JUMP_VALUE
from strategies.parameters import CARD, PARAMETER_NAMES

MIDDLE: Final = ("pile", "target", "announcer", "mover", "next_card")

ALWAYS: Final = 1
HOLDING_A_PASS: Final = 2
HOLDING_A_WILD: Final = 4
PILE_WITHIN_LIMIT: Final = 8
DECK_EMPTY: Final = 16
LEADING: Final = 32
ONE_IS_RANDOM: Final = 64
HOLDING_A_WILD_SEVEN: Final = 128
"""A wild and a natural seven, that is: what a wild-seven jump takes."""

SEVENS: Final = FIFTEEN << np.uint64(NIBBLE * (JUMP_VALUE - 1))

_OCCASION_OF: Final = {
    "pass_hoard": HOLDING_A_PASS,
    "wild_hold": HOLDING_A_WILD,
    "wild_seven_jump": HOLDING_A_WILD_SEVEN,
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


WATCHED: Final = np.dtype(
    [
        ("strategy", np.uint64),
        ("habits", np.int64),
        ("occasions", np.int64),
        ("limit", np.int64),
        ("alike", np.int64),
    ]
)
"""One position that is compared.

strategy, habits
    The other strategy, and its habits as in `SEAT`.
occasions, limit
    On which occasions the two may differ, as a sum of flags, and the greater of their `early_take_limit`.
alike
    1 as long as every choice so far would have been the same; set it to 0 not to compare a position.
"""


class Shadow(NamedTuple):
    """The strategy that each position might play instead.

    Attributes
    ----------
    at
        One record per position, shape (MOST_PLAYERS,), dtype WATCHED.
    seats, middles
        Where the game stood when the first choice was not alike, seat by seat, shape (MOST_PLAYERS, MOST_PLAYERS),
        dtype SEAT, and in the order of MIDDLE, shape (MOST_PLAYERS, 5). There the other game starts.
    """

    at: NDArray[np.void]
    seats: NDArray[np.void]
    middles: NDArray[np.int64]


def no_shadow() -> Shadow:
    """Allocate a shadow that compares nobody yet."""
    return Shadow(
        np.zeros(MOST_PLAYERS, dtype=WATCHED),
        np.zeros((MOST_PLAYERS, MOST_PLAYERS), dtype=SEAT),
        np.zeros((MOST_PLAYERS, len(MIDDLE)), dtype=np.int64),
    )


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
    shadow.at[position]["strategy"] = strategy
    shadow.at[position]["habits"] = habits_of(players.records[strategy])
    shadow.at[position]["occasions"] = occasions
    shadow.at[position]["limit"] = limit
    shadow.at[position]["alike"] = 1


@jitted
def may_differ(shadow: Shadow, turn: TurnView, one_is_random: bool) -> bool:
    """Tell whether the two strategies of a turn can differ on it."""
    now = ALWAYS | (ONE_IS_RANDOM if one_is_random else 0)
    if turn.hand >= ONE_PASS:
        now |= HOLDING_A_PASS
    if wilds_in(turn.hand) != ZERO:
        now |= HOLDING_A_WILD
        if turn.hand & SEVENS != ZERO:
            now |= HOLDING_A_WILD_SEVEN
    if turn.stage != STAGE_EARLY:
        now |= DECK_EMPTY
    if turn.pile == 0:
        now |= LEADING
    elif turn.pile * CARD <= shadow.at[turn.position]["limit"]:
        now |= PILE_WITHIN_LIMIT
    return (now & shadow.at[turn.position]["occasions"]) != 0


@jitted
def shadow_turn(shadow: Shadow, turn: TurnView) -> TurnView:
    """Return the same turn with the other strategy to move."""
    strategy, habits = shadow.at[turn.position]["strategy"], shadow.at[turn.position]["habits"]
    return TurnView(turn.position, strategy, habits, turn.hand, turn.target, turn.pile, turn.situation, turn.stage)


@jitted
def save(
    shadow: Shadow, seats: Seats, players: int, turn: TurnView, target: int, announcer: int, next_card: int
) -> None:
    """Save where a game stands before a turn, under the position whose turn it is."""
    for position in range(players):
        shadow.seats[turn.position, position] = seats.at[position]
    # In the order of MIDDLE.
    middle = shadow.middles[turn.position]
    middle[0], middle[1], middle[2] = turn.pile, target, announcer
    middle[3], middle[4] = np.int64(turn.position), next_card


@jitted
def compare(
    shadow: Shadow,
    key: int,
    random_turn: bool,
    options: OptionTable,
    players: Players,
    seats: Seats,
    turn: TurnView,
    rules: RuleNumbers,
    noise_key: np.uint64,
) -> bool:
    """Tell whether this is the first turn on which the other strategy would not have done what was chosen; note it."""
    if shadow.at[turn.position]["alike"] == 1:
        fired = is_random(players, shadow.at[turn.position], seats, turn.position, noise_key)
        if may_differ(shadow, turn, fired != random_turn):
            other = shadow_turn(shadow, turn)
            other_key = choose(options, players, seats, other, rules, noise_key, fired)
            if (other_key ^ key) & TIE_MASK:
                shadow.at[turn.position]["alike"] = 0
                return True
    return False
