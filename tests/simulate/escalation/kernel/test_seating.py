"""Who sits where: in every order, rotating, or in place; a plain twin of the seating, and games that it averages."""

from collections import Counter
from itertools import permutations

import numpy as np
import pytest

from simulate import Rules, Table
from simulate.blocks import DEALS_PER_BLOCK, deals_of
from simulate.escalation.engine import clockwise_from_first, order_numbers, seated
from simulate.escalation.kernel.win_shares import WIN, win_shares
from simulate.jit import numba_config
from simulate.rng import PURPOSE_SEATING, draw, stream
from strategies.catalogue import strategy

FOUR = tuple(strategy(text) for text in ("standard", "hoarder", "jumper", "minimal"))
SEED = 5


def table(seating="rotate", **changes):
    return Table(Rules(players=4), FOUR, seating, **changes)


def plain_order(players, seed, deal):
    """Return the order of the seats in a deal, clockwise from seat 0, as the page on the code has it."""
    match = deal // players
    if players <= 7:
        every = [(0, *others) for others in permutations(range(1, players))]
        return every[match % len(every)]
    key, left, order = draw(stream(seed, PURPOSE_SEATING), match), list(range(1, players)), [0]
    while len(left) > 1:
        place = len(order)
        order.append(left.pop((draw(key, place) >> 32) * len(left) >> 32))
    return (*order, *left)


def plain_seating(players, seed, deal):
    order = plain_order(players, seed, deal)
    return tuple(order[(deal + position) % players] for position in range(players))


def test_given_seating_keeps_everybody_in_place():
    assert {table("given").seats_at(1, deal) for deal in range(20)} == {(0, 1, 2, 3)}


def test_rotated_seating_lets_each_seat_lead_in_turn_and_keeps_the_neighbours():
    orders = [table().seats_at(1, deal) for deal in range(5)]
    assert orders == [(0, 1, 2, 3), (1, 2, 3, 0), (2, 3, 0, 1), (3, 0, 1, 2), (0, 1, 2, 3)]


@pytest.mark.parametrize("players", range(2, 10))
def test_every_order_is_that_of_the_plain_twin(players):
    deals = [*range(60), *range(5030, 5050), 7 * 10**11 + 3]
    seats = seated(players, "every", SEED, np.array(deals))
    assert list(map(tuple, seats.tolist())) == [plain_seating(players, SEED, deal) for deal in deals]
    clockwise = clockwise_from_first(players, SEED, np.array(deals))
    assert list(map(tuple, clockwise.tolist())) == [plain_order(players, SEED, deal) for deal in deals]


@pytest.mark.parametrize("players", range(2, 8))
def test_a_block_holds_every_order_equally_often_with_every_starter(players):
    seats = Counter(map(tuple, seated(players, "every", SEED, deals_of(3)).tolist()))
    assert set(seats) == set(permutations(range(players)))
    assert len(set(seats.values())) == 1


@pytest.mark.parametrize("players", range(3, 10))
def test_seats_start_and_neighbour_each_other_equally_often(players):
    seats = seated(players, "every", SEED, deals_of(0))
    assert np.bincount(seats[:, 0]).tolist() == [DEALS_PER_BLOCK // players] * players
    before = np.zeros((players, players))
    np.add.at(before, (np.roll(seats, 1, axis=1).ravel(), seats.ravel()), 1)
    expected = DEALS_PER_BLOCK / (players - 1)
    # Drawn orders: so many matches, each of which counts once for all its games.
    matches = DEALS_PER_BLOCK / players
    error = 0 if players < 8 else players * np.sqrt(matches / (players - 1))
    assert (np.abs(before[~np.eye(players, dtype=bool)] - expected) <= 4.5 * error).all()
    assert not before.diagonal().any()


def test_drawn_orders_depend_on_the_seed_and_are_whole_matches():
    first, second = (seated(8, "every", seed, np.arange(64)) for seed in (1, 2))
    assert not np.array_equal(first, second)
    clockwise = clockwise_from_first(8, 1, np.arange(64)).reshape(8, 8, 8)
    assert (clockwise == clockwise[:, :1]).all()
    assert len(np.unique(clockwise[:, 0], axis=0)) == 8


def test_orders_are_numbered_up_to_six_players():
    assert order_numbers(4, np.array([0, 3, 4, 23, 24, 27])).tolist() == [0, 0, 1, 5, 0, 0]
    assert order_numbers(7, np.arange(9)).size == 0


@pytest.mark.skipif(bool(numba_config.DISABLE_JIT), reason="thousands of games need the compiled kernel")
def test_every_is_the_average_of_all_six_orders_of_four_played_one_by_one():
    """Each order is played alone, with the seats as it has them, on the deals that are its own among all."""
    deals = deals_of(0)
    together = table("every").play(SEED, deals)
    wins, scores = np.zeros(4, dtype=int), np.empty_like(together.scores)
    for number, others in enumerate(permutations(range(1, 4))):
        own = deals[deals // 4 % 6 == number]
        order = [0, *others]
        alone = Table(Rules(players=4), tuple(FOUR[seat] for seat in order), "rotate").play(SEED, own)
        scores[own] = alone.scores
        shares = win_shares(alone.scores.astype(int), WIN)
        for place, seat in enumerate(order):
            wins[seat] += shares[alone.seating == place].sum()
    assert np.array_equal(together.scores, scores)
    assert table("every").play_deals(SEED, deals)["wins"].sum(axis=1).tolist() == wins.tolist()
    assert wins.sum() == WIN * len(deals)


@pytest.mark.skipif(bool(numba_config.DISABLE_JIT), reason="thousands of games need the compiled kernel")
def test_who_sits_first_in_the_list_of_seats_does_not_matter():
    # With one order hoarder wins 38 of 100 games in the first list and 24 in the second.
    lists = (("standard", "minimal", "hoarder", "early-taker"), ("minimal", "standard", "hoarder", "early-taker"))
    for who in ("standard", "hoarder"):
        won = []
        for names in lists:
            counts = Table(Rules(players=4), tuple(map(strategy, names))).play_deals(SEED, np.arange(4 * 5040))
            seat, games = names.index(who), counts["games"][0]
            share = counts["wins"][seat].sum() / WIN / games
            variance = counts["win_products"][seat, seat] / WIN**2 / games - share**2
            won.append((share, variance / games))
        assert abs(won[0][0] - won[1][0]) < 4 * np.sqrt(won[0][1] + won[1][1])
