"""Each term of the cost of an option against hand arithmetic, and the room that costs have in a packed key."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import pytest

from simulate.escalation.rules import HIGHEST_VALUE, MOST_COPIES, MOST_PASSES, MOST_PLAYERS, MOST_WILDS
from strategies.heuristic import (
    FIRST_OF_ALL,
    LAST_RESORT,
    beating_cost,
    finishing_cost,
    hurrying_cost,
    jumping_slope,
    keeping_cost,
    leading_cost,
    pass_cost,
    reserve_cost,
    take_cost,
)
from strategies.parameters import CARD, PARAMETERS
from strategies.strategy import Strategy, player_records


def player(**parameters: float) -> Mapping[str, int]:
    """Read a player's parameters in whole steps; those not named are 0."""
    record = player_records([Strategy.from_parameters("test", parameters)])[0]
    return {name: int(record[name]) for name in record.dtype.names or ()}


def test_a_card_is_65536_steps() -> None:
    assert player(pass_hoard=3.5)["pass_hoard"] == 229_376


def test_wild_hold_counts_every_wild() -> None:
    assert keeping_cost(player(wild_hold=1.5), value=4, naturals=1, wilds=2, held=1) == 3 * CARD


def test_split_set_counts_the_naturals_left_behind() -> None:
    assert keeping_cost(player(split_set=0.5), value=4, naturals=1, wilds=0, held=4) == 1.5 * CARD


def test_high_hold_counts_value_times_naturals() -> None:
    assert keeping_cost(player(high_hold=0.25), value=12, naturals=3, wilds=0, held=3) == 9 * CARD


def test_wild_seven_jump_needs_sevens_both_natural_and_wild() -> None:
    jumper = player(wild_seven_jump=2)
    assert keeping_cost(jumper, value=7, naturals=2, wilds=1, held=2) == -2 * CARD
    assert keeping_cost(jumper, value=7, naturals=0, wilds=1, held=2) == 0
    assert keeping_cost(jumper, value=7, naturals=2, wilds=0, held=2) == 0
    assert keeping_cost(jumper, value=6, naturals=2, wilds=1, held=2) == 0


def test_wilds_alone_neither_split_a_set_nor_cost_high_cards() -> None:
    assert keeping_cost(player(split_set=1, high_hold=1), value=5, naturals=0, wilds=2, held=3) == 0


def test_overshoot_counts_points_above_what_was_needed() -> None:
    assert beating_cost(player(overshoot=0.5), total=14, cards=2, target=9, pile=5) == 2 * CARD
    assert beating_cost(player(overshoot=0.5), total=10, cards=2, target=9, pile=5) == 0


def test_shed_counts_cards_beyond_the_first() -> None:
    assert beating_cost(player(shed=2), total=10, cards=3, target=9, pile=5) == -4 * CARD
    assert beating_cost(player(shed=2), total=10, cards=1, target=9, pile=5) == 0


def test_pressure_counts_pile_times_overshoot() -> None:
    assert beating_cost(player(pressure=0.25), total=14, cards=1, target=9, pile=6) == -6 * CARD


def test_early_aggression_counts_overshoot_up_to_three_cards_in_the_pile() -> None:
    assert beating_cost(player(early_aggression=0.5), total=14, cards=1, target=9, pile=3) == -2 * CARD
    assert beating_cost(player(early_aggression=0.5), total=14, cards=1, target=9, pile=4) == 0


def test_the_slope_is_the_price_of_one_more_point() -> None:
    jumper = player(overshoot=3, pressure=0.5, early_aggression=1)
    assert jumping_slope(jumper, pile=2) == (3 - 1 - 1) * CARD
    assert jumping_slope(jumper, pile=8) == (3 - 4) * CARD


def test_lead_total_and_lead_shed_price_a_lead() -> None:
    assert leading_cost(player(lead_total=0.5, lead_shed=2), total=12, cards=3) == (6 - 4) * CARD
    assert leading_cost(player(lead_shed=2), total=12, cards=1) == 0


@pytest.mark.parametrize(
    ("deck_empty", "danger", "gain"), [(False, False, 0), (False, True, 0), (True, False, 3), (True, True, 15)]
)
def test_hurry_counts_cards_once_the_deck_is_empty(deck_empty: bool, danger: bool, gain: int) -> None:
    cost = hurrying_cost(player(endgame_shed=1, danger_shed=4), cards=3, deck_empty=deck_empty, danger=danger)
    assert cost == -gain * CARD


def test_reserve_counts_the_fall_of_the_greatest_total() -> None:
    assert reserve_cost(player(reserve=0.5), greatest_before=21, greatest_after=7) == 7 * CARD


def test_pass_hoard_is_the_price_of_a_pass() -> None:
    assert pass_cost(player(pass_hoard=3.5)) == 3.5 * CARD


def test_finish_is_added_unless_going_out_wins() -> None:
    assert finishing_cost(player(finish=2), wins_outright=False) == 2 * CARD
    assert finishing_cost(player(finish=-2), wins_outright=False) == -2 * CARD
    assert finishing_cost(player(finish=2), wins_outright=True) == FIRST_OF_ALL
    assert finishing_cost(player(), wins_outright=True) == 0


def test_a_take_costs_its_cards_less_early_take() -> None:
    taker = player(early_take=1.5, early_take_limit=9)
    assert take_cost(taker, pile=4, deck_empty=False, own_stack=0, smallest_other_stack=0) == 2.5 * CARD


def test_a_take_costs_the_distance_to_the_best_stack() -> None:
    taker = player(standing=0.5, early_take_limit=9)
    assert take_cost(taker, pile=4, deck_empty=False, own_stack=9, smallest_other_stack=3) == (4 + 3) * CARD
    assert take_cost(taker, pile=4, deck_empty=False, own_stack=3, smallest_other_stack=9) == (4 - 3) * CARD


def test_endgame_take_counts_once_the_deck_is_empty() -> None:
    taker = player(endgame_take=2, early_take_limit=9)
    assert take_cost(taker, pile=4, deck_empty=True, own_stack=0, smallest_other_stack=0) == 2 * CARD
    assert take_cost(taker, pile=4, deck_empty=False, own_stack=0, smallest_other_stack=0) == 4 * CARD


def test_a_take_above_the_limit_is_a_last_resort() -> None:
    taker = player(early_take_limit=3.5)
    assert take_cost(taker, pile=3, deck_empty=False, own_stack=0, smallest_other_stack=0) == 3 * CARD
    assert take_cost(taker, pile=4, deck_empty=False, own_stack=0, smallest_other_stack=0) == 4 * CARD + LAST_RESORT


# The worst case. Every term is linear in one parameter, so the sum over the parameters of the largest cost that each of
# them alone can cause bounds the cost of any player.

MOST_IN_SET = MOST_COPIES
GREATEST = HIGHEST_VALUE * MOST_COPIES
MOST_CARDS = HIGHEST_VALUE * MOST_COPIES + MOST_WILDS + MOST_PASSES
MOST_PENALTIES = MOST_CARDS * MOST_PLAYERS
"""A stack of this game and the scores of all earlier games of a match."""

Costs = Callable[[Mapping[str, int]], int]

WORST_SETS: tuple[Costs, ...] = (
    lambda p: keeping_cost(p, HIGHEST_VALUE, MOST_IN_SET, 0, MOST_COPIES),
    lambda p: keeping_cost(p, HIGHEST_VALUE, 1, 0, MOST_COPIES),
    lambda p: keeping_cost(p, 7, 1, MOST_WILDS, MOST_COPIES),
    lambda p: beating_cost(p, GREATEST, MOST_IN_SET, 0, MOST_CARDS),
    lambda p: beating_cost(p, GREATEST, MOST_IN_SET, 0, 3),
    lambda p: leading_cost(p, GREATEST, MOST_IN_SET),
    lambda p: hurrying_cost(p, MOST_IN_SET, deck_empty=True, danger=True),
    lambda p: reserve_cost(p, GREATEST, 0),
    lambda p: finishing_cost(p, wins_outright=False),
)
WORST_PASSES: tuple[Costs, ...] = (pass_cost, lambda p: finishing_cost(p, wins_outright=False))


def worst(terms: tuple[Costs, ...]) -> int:
    """Return the sum over the parameters of the largest cost that each alone can cause."""
    return sum(
        max(abs(term(player(**{p.name: bound}))) for term in terms for bound in (p.lower, p.upper)) for p in PARAMETERS
    )


@pytest.mark.parametrize("terms", [WORST_SETS, WORST_PASSES], ids=["set", "pass"])
def test_no_cost_within_the_bounds_reaches_2_to_the_40(terms: tuple[Costs, ...]) -> None:
    assert 0 < worst(terms) < 1 << 40


@pytest.mark.parametrize("sign", [-1, 1])
def test_no_take_within_the_bounds_reaches_2_to_the_40(sign: int) -> None:
    extreme = player(early_take=-sign * 1e6, endgame_take=-sign * 1e6, standing=sign * 256, early_take_limit=1e6)
    cost = take_cost(extreme, MOST_CARDS, deck_empty=True, own_stack=MOST_PENALTIES, smallest_other_stack=0)
    assert 0 < sign * cost < 1 << 40


def test_the_ranks_before_and_after_everything_leave_room_for_every_cost() -> None:
    assert FIRST_OF_ALL < -(1 << 40)
    # The worst willing take is still cheaper than the best take of last resort.
    assert LAST_RESORT - (1 << 40) >= 1 << 40
