"""A deal replayed turn by turn: its costs taken apart, and that it is the game that runs play."""

from __future__ import annotations

import random
from typing import Any

import numpy as np
import pytest

from simulate import Deck, Rules, State, Table
from simulate.escalation import trace as tracing
from simulate.escalation.kernel.dealing import deck_order
from simulate.escalation.plain.reference import HeuristicPlayer, NumberSet, Pass, Take, View, legal_options
from simulate.escalation.rules import RULINGS
from simulate.escalation.trace import (
    GOES_OUT_AND_WINS,
    GREATEST_DEAL,
    LAST_RESORT_PART,
    PILE,
    cost_parts,
    moves_of,
    moves_of_kernel,
    trace,
)
from strategies.catalogue import strategy
from strategies.errors import InputError
from strategies.heuristic import FIRST_OF_ALL, LAST_RESORT
from strategies.parameters import CARD, PARAMETERS
from strategies.strategy import Strategy
from tests.simulate.escalation.cases import player, table, view

THREE = ("standard", "hoarder", "novice")


def in_cards(parts: dict[str, int]) -> dict[str, float]:
    return {name: steps / CARD for name, steps in parts.items()}


# Costs taken apart


def test_a_set_is_taken_apart_into_the_terms_of_its_parameters() -> None:
    # 7 7 W as 21 on 12: 8 points too many, 3 cards, 1 wild, 1 of three 7s left behind, 2 naturals of 7.
    pricer = player(overshoot=0.5, shed=1, wild_hold=1.5, split_set=0.75, high_hold=0.25, wild_seven_jump=2, noise=0.5)
    parts = cost_parts(pricer, view("7 7 7 W 2", target=12), NumberSet(7, 2, 1))
    assert in_cards(parts) == {
        "overshoot": 4.0,
        "shed": -2.0,
        "wild_hold": 1.5,
        "split_set": 0.75,
        "high_hold": 3.5,
        "wild_seven_jump": -2.0,
    }


def test_a_take_is_taken_apart_into_its_pile_and_its_price() -> None:
    taker = player(early_take=1.5, endgame_take=0.5, standing=2)
    late = view("7 7", rest="", target=12, pile=4, stacks=(3, 1))
    assert in_cards(cost_parts(taker, late, Take())) == {
        PILE: 4.0,
        "early_take": -1.5,
        "endgame_take": -0.5,
        "standing": 4.0,
    }


def test_a_take_above_the_limit_has_a_part_that_ranks_it_last() -> None:
    timid = player(early_take_limit=2.5)
    assert cost_parts(timid, view("7 7", target=12), Take()) == {PILE: 3 * CARD, LAST_RESORT_PART: LAST_RESORT}


def test_a_negative_limit_ranks_every_take_last() -> None:
    never = player(early_take_limit=-1, early_take=2)
    parts = cost_parts(never, view("7 7", target=12, pile=1), Take())
    assert parts == {PILE: CARD, "early_take": -2 * CARD, LAST_RESORT_PART: LAST_RESORT}


def test_going_out_to_win_replaces_all_other_parts() -> None:
    wins = view("7 7", rest="", target=12)
    assert cost_parts(player(finish=2, shed=1), wins, NumberSet(7, 2)) == {GOES_OUT_AND_WINS: FIRST_OF_ALL}
    loses = view("7 7", rest="", target=12, stacks=(7, 0))
    assert in_cards(cost_parts(player(finish=2, shed=1), loses, NumberSet(7, 2))) == {"finish": 2.0, "shed": -1.0}


def test_parts_of_zero_are_left_out() -> None:
    assert cost_parts(player(overshoot=1), view("7 7", target=6), NumberSet(7, 1)) == {}
    assert in_cards(cost_parts(player(pass_hoard=3.5), view("7 P", target=6), Pass())) == {"pass_hoard": 3.5}


def random_player(choose: random.Random) -> Strategy:
    """Any values for about half of the parameters; takes are priced more often than not."""
    priced = [known for known in PARAMETERS if choose.random() < 0.5]
    values = {known.name: choose.uniform(known.lower, known.upper) for known in priced}
    return Strategy.from_parameters("any", values | {"early_take_limit": choose.choice((-1, 0, 2.5, 30))})


def random_view(choose: random.Random) -> View:
    rulings = {name: choose.random() < 0.5 for name in RULINGS}
    rules = Rules(players=3).with_rulings(rulings)
    order = list(deck_order(rules.deck, seed=5, deal=choose.randrange(10**6)))
    sizes = [choose.randint(1, 6) for _ in range(3)]
    ends = np.cumsum(sizes).tolist()
    hands = tuple(tuple(sorted(order[end - size : end])) for end, size in zip(ends, sizes, strict=True))
    pile = choose.choice((0, 1, 3, 4, 9))
    middle = (choose.randint(0, 20), choose.randrange(3)) if pile else (0, -1)
    rest = tuple(order[ends[-1] :]) if choose.random() < 0.5 else ()
    stacks = tuple(choose.randint(0, 12) for _ in range(3))
    carried = tuple(choose.randint(0, 30) for _ in range(3))
    return View.of_mover(rules, State(hands, stacks, rest, 0, pile, *middle, carried=carried), noise_key=1)


def test_the_parts_add_up_to_the_cost_exactly_for_any_player_and_any_state() -> None:
    choose = random.Random(11)
    ranked = 0
    for _ in range(300):
        asked, seen = random_player(choose), random_view(choose)
        for option in seen.options:
            parts = cost_parts(asked, seen, option)
            assert sum(parts.values()) == HeuristicPlayer(asked).cost(seen, option)
            assert all(isinstance(steps, int) and steps != 0 for steps in parts.values())
            ranked += LAST_RESORT_PART in parts or GOES_OUT_AND_WINS in parts
    assert ranked > 0


# The replayed deal


@pytest.mark.parametrize("seating", ["given", "rotate", "every"])
def test_the_game_is_the_one_that_a_run_plays(seating: Any) -> None:
    seated = table(*THREE, seating=seating)
    run = seated.play(9, np.arange(40, dtype=np.int64))
    for deal in (0, 1, 17, 39):
        told = trace(seated, 9, deal)
        assert told.engines_agree
        assert told.seats == tuple(run.seating[deal])
        assert told.record.scores == tuple(run.scores[deal])
        assert len(told.turns) == run.turns[deal]


@pytest.mark.parametrize("changes", [*(dict(Rules().turned_over(name)) for name in RULINGS), {"wild_max": 3}])
def test_the_engines_agree_under_every_ruling(changes: dict[str, Any]) -> None:
    for deal in range(4):
        assert trace(table("standard,finish=-1", "random", "early-taker", rules=changes), 3, deal).engines_agree


def test_a_match_carries_the_scores_of_its_earlier_games() -> None:
    minding = table("standard,standing=3", "hoarder", "novice", match=True)
    games = [trace(minding, 4, deal) for deal in (6, 7, 8)]
    sums = dict.fromkeys(range(3), 0)
    for told in games:
        assert told.carried == tuple(sums[seat] for seat in told.seats)
        assert told.engines_agree
        for seat, score in zip(told.seats, told.record.scores, strict=True):
            sums[seat] += score
    assert sum(games[2].carried) > 0


def test_a_difference_between_the_engines_is_noticed() -> None:
    told = trace(table(*THREE), 1, 2)
    played = table(*THREE).play(1, np.array([2, 3]), with_moves=True)
    assert moves_of_kernel(played.moves[0]) == moves_of(told.record)
    assert moves_of_kernel(played.moves[1]) != moves_of(told.record)
    assert not tracing._kernel_agrees(table(*THREE), 1, range(3, 4), [told.record])


def test_decisions_hold_what_was_legal_and_chosen() -> None:
    told = trace(table(*THREE), 1, 123)
    for traced in told.turns:
        assert len(traced.decisions) == (2 if traced.turn.took else 1)
        assert traced.decisions[-1].choice.option == traced.turn.laid
        for made in traced.decisions:
            assert [weighed.option for weighed in made.weighed] == list(made.view.options)
            assert sum(made.weighed[0].parts.values()) == made.weighed[0].cost


@pytest.mark.parametrize(
    ("seed", "deal", "message"),
    [
        (-1, 0, "seed -1 is not allowed: 0 to"),
        (1 << 63, 0, "seed .* is not allowed"),
        (1, -1, "deal -1 is not allowed"),
    ],
)
def test_seeds_and_deals_out_of_range_are_refused(seed: int, deal: int, message: str) -> None:
    with pytest.raises(InputError, match=message):
        trace(table(*THREE), seed, deal)


def test_the_greatest_deal_can_be_told() -> None:
    assert trace(table(*THREE), (1 << 63) - 1, GREATEST_DEAL).engines_agree


def test_the_view_of_a_trace_is_the_rules_view() -> None:
    tiny = Table(Rules(Deck.parse("1-4x1"), players=2, hand_size=2), (strategy("minimal"),) * 2, seating="given")
    first = trace(tiny, seed=1, deal=0).turns[0].decisions[0].view
    state = State.dealt(first.rules, deck_order(first.rules.deck, 1, 0))
    assert first.options == legal_options(first.rules, state)
