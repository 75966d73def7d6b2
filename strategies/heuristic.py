"""What each legal option costs a heuristic player, in integer steps of 1/65536 card.

In every state a player takes the option of least cost; ties go to a play before a Pass before a take and, among plays,
to the lowest total, then the fewest wilds, then the fewest cards. The functions know no engine: they are handed
numbers. The slow engine calls them as they stand, the fast one compiles the very same text.

`player` is a record of `strategies.parameters.PLAYER_RECORD`, or any mapping from parameter name to whole steps.

Within the bounds of the parameters no cost reaches 2**40 steps (a test adds up the worst case), so nothing is clamped.
"""

from __future__ import annotations

from typing import Final, Protocol

from numba.extending import register_jitable

from strategies.parameters import CARD

FIRST_OF_ALL: Final = -(1 << 41)
"""The cost of going out when that wins: less than any other cost can be."""

LAST_RESORT: Final = 1 << 41
"""Added to a take that the player only makes when nothing else is legal: more than any other cost can be."""

SMALL_PILE: Final = 3
"""Up to this many cards in the pile, a trick is in its early stage."""

JUMP_VALUE: Final = 7
"""The value of a wild-seven jump."""

NEARLY_OUT: Final = 2
"""An opponent with so many cards or fewer is a danger once the deck is empty."""

CHANCE_BITS: Final = 16
"""Chances are counted in steps of 1/65536."""
SURE: Final = 1 << CHANCE_BITS
"""The chance of something certain."""


class PlayerSteps(Protocol):
    """A player's record, or any mapping: `player["overshoot"]` is a whole number of steps."""

    def __getitem__(self, name: str, /) -> int:
        """Return one parameter in steps."""
        ...


@register_jitable
def keeping_cost(player: PlayerSteps, value: int, naturals: int, wilds: int, held: int) -> int:
    """Price what a set gives up: wilds, high cards, and equal cards left behind.

    Parameters
    ----------
    player
        The player.
    value, naturals, wilds
        The set: its value, its natural cards and its wilds.
    held
        Natural cards of that value in hand before the play.
    """
    cost = player["wild_hold"] * wilds
    if naturals > 0:
        cost += player["split_set"] * (held - naturals) + player["high_hold"] * value * naturals
        if wilds > 0 and value == JUMP_VALUE:
            cost -= player["wild_seven_jump"]
    return cost


@register_jitable
def jumping_slope(player: PlayerSteps, pile: int) -> int:
    """Cost of one more point above the target, with this many cards in the pile (negative: the player jumps)."""
    slope = player["overshoot"] - player["pressure"] * pile
    if pile <= SMALL_PILE:
        slope -= player["early_aggression"]
    return slope


@register_jitable
def beating_cost(player: PlayerSteps, total: int, cards: int, target: int, pile: int) -> int:
    """Price announcing `total` with `cards` cards against a target and a pile."""
    return jumping_slope(player, pile) * (total - target - 1) - player["shed"] * (cards - 1)


@register_jitable
def leading_cost(player: PlayerSteps, total: int, cards: int) -> int:
    """Price leading `total` with `cards` cards."""
    return player["lead_total"] * total - player["lead_shed"] * (cards - 1)


@register_jitable
def hurrying_cost(player: PlayerSteps, cards: int, deck_empty: bool, danger: bool) -> int:
    """Price getting rid of `cards` number cards late in the game; a gain is a negative cost.

    `danger`: an opponent holds two cards or fewer; it counts only once the deck is empty.
    """
    if not deck_empty:
        return 0
    price = player["endgame_shed"] + (player["danger_shed"] if danger else 0)
    return -price * cards


@register_jitable
def reserve_cost(player: PlayerSteps, greatest_before: int, greatest_after: int) -> int:
    """Price lowering the greatest total in hand; cards drawn afterwards are not counted."""
    return player["reserve"] * (greatest_before - greatest_after)


@register_jitable
def counting_cost(player: PlayerSteps, pile: int, stuck: int) -> int:
    """Price announcing a total that the next player may be unable to beat, once the deck is empty; a gain is negative.

    Only then are the unseen cards all in opponents' hands, and only then did counting gain on fresh deals: while cards
    are still to be drawn, acting on that chance loses games at every price.

    Parameters
    ----------
    player
        The player.
    pile
        Cards in the pile after the play.
    stuck
        The chance, in 1/65536, that the next player cannot beat the total.
    """
    return -(player["count_cards"] * pile * stuck >> CHANCE_BITS)


@register_jitable
def finishing_cost(player: PlayerSteps, wins_outright: bool) -> int:
    """Price an option that ends the game: FIRST_OF_ALL replaces its whole cost, anything else is added.

    `wins_outright`: the own stack is at most every other stack + hand. A player whose `finish` is 0 does not look.
    """
    if player["finish"] == 0:
        return 0
    return FIRST_OF_ALL if wins_outright else player["finish"]


@register_jitable
def pass_cost(player: PlayerSteps) -> int:
    """Price spending a Pass."""
    return player["pass_hoard"]


@register_jitable
def take_cost(player: PlayerSteps, pile: int, deck_empty: bool, own_stack: int, smallest_other_stack: int) -> int:
    """Price taking the pile; the lead that follows is not looked at.

    In a match that is played as one, the stacks include the scores of earlier games.
    """
    cost = pile * CARD - player["early_take"] + player["standing"] * (own_stack - smallest_other_stack)
    if deck_empty:
        cost -= player["endgame_take"]
    if pile * CARD > player["early_take_limit"]:
        cost += LAST_RESORT
    return cost
