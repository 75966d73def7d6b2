"""What a turn is decided from: the strategies at hand, the rules, and what the player sees."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from simulate.escalation.kernel.card_counting import CountingTables
from simulate.escalation.kernel.hands import ONE, ZERO
from simulate.escalation.kernel.option_table import SLOTS, STAGES
from simulate.escalation.kernel.preferences import Preferences
from simulate.jit import jitted

_TWO, _STAGES, _SLOTS = np.uint64(2), np.uint64(STAGES), np.uint64(SLOTS)


class Players(NamedTuple):
    """The strategies at hand.

    Attributes
    ----------
    records
        One record per strategy.
    keys
        Their precomputed keys (see `plays.base_keys`), flattened.
    preferences
        Their best sets of each value, known beforehand.
    counting
        Tables for those who count cards; NOBODY_COUNTS if none does.
    mind_reserve
        True if any of them has a `reserve`; None if nobody has: kernels then have no code for it.
    """

    records: NDArray[np.void]
    keys: NDArray[np.int64]
    preferences: Preferences
    counting: CountingTables
    mind_reserve: bool | None


class RuleNumbers(NamedTuple):
    """The rules as integers, for the kernels; the names are those of `Rules`."""

    players: int
    hand_size: int
    wild_max: int
    lead_pass: int
    pass_hand_takes: int
    draw_before_end_check: int
    beat_own_total: int
    wild_only_sets: int


class TurnView(NamedTuple):
    """What a player sees on a turn, as far as costs depend on it.

    Attributes
    ----------
    position, strategy, habits
        Where the player sits, with which strategy, and which habits of it need extra work (see `habits_of`).
    hand
        The player's hand as a word.
    target, pile
        The total to beat (0 when leading) and the cards in the middle.
    situation
        Where the preferences for this target start (see `Preferences`), 0 when leading.
    stage
        STAGE_EARLY, STAGE_DECK_EMPTY or STAGE_DANGER.
    """

    position: np.uint64
    strategy: np.uint64
    habits: int
    hand: np.uint64
    target: int
    pile: int
    situation: np.uint64
    stage: int


@jitted
def stage_of(turn: TurnView) -> np.uint64:
    """Return the number of a player's stage among the stages of all strategies."""
    return turn.strategy * _STAGES + np.uint64(turn.stage)


@jitted
def block_of(table: Preferences, turn: TurnView, number: np.uint64) -> np.uint64:
    """Return where a block of this turn's preferences starts; see `Preferences` for the blocks."""
    return stage_of(turn) * table.stage_size + turn.situation + number * table.block_size


@jitted
def first_key(turn: TurnView) -> np.uint64:
    """Return the place of a player's first key on this turn."""
    leading = ONE if turn.pile == 0 else ZERO
    return ((turn.strategy * _TWO + leading) * _STAGES + np.uint64(turn.stage)) * _SLOTS
