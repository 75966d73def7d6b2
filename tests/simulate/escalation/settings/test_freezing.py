"""Pick-freeze: what games share and what not, and variances against exact enumeration."""

from __future__ import annotations

from itertools import permutations, product

import numpy as np
import pytest
from scipy import stats

from simulate import Rules, Table
from simulate.escalation.rules import Deck
from simulate.escalation.settings.freezing import REPLICATES, ROW_GROUPS, SUBSETS, OpeningHands, PickFreeze
from strategies.catalogue import strategy

MINIMAL, SHEDDER, STANDARD, NOVICE = (strategy(name) for name in ("minimal", "shedder", "standard", "novice"))
DEALS = np.arange(120, 300)


def share_of(scores, position):
    winners = [place for place, score in enumerate(scores) if score == min(scores)]
    return (position in winners) / len(winners)


def test_unmixed_games_are_those_of_a_table():
    frozen = PickFreeze(Rules(players=3), (STANDARD, NOVICE, MINIMAL))
    outcomes, drawn = frozen.outcomes(5, DEALS), frozen.drawn(5, DEALS)
    for row, deal in enumerate(DEALS[:40]):
        position, own, *others = drawn[0, row]
        clockwise = [own, *others]
        seats = tuple(frozen.population[clockwise[(seat - position) % 3]] for seat in range(3))
        scores = Table(frozen.rules, seats, "given").play(5, np.array([deal])).scores[0]
        # Three players share wins in units of 1/6; an equal share is 2 of them.
        assert outcomes[0, row] == round(6 * share_of(scores.tolist(), position)) - 2


def test_everything_is_drawn_evenly():
    drawn = PickFreeze(Rules(players=4), (STANDARD, NOVICE, MINIMAL)).drawn(1, np.arange(20_000))
    for which in range(2):
        for column, bound in enumerate((4, 3, 3, 3, 3)):
            counts = np.bincount(drawn[which][:, column], minlength=bound)
            assert len(counts) == bound
            assert stats.chisquare(counts).pvalue > 1e-4
    assert abs(np.corrcoef(drawn[0, :, 1], drawn[1, :, 1])[0, 1]) < 4 / np.sqrt(20_000)


def test_products_pair_games_that_share_just_the_causes_named():
    frozen = PickFreeze(Rules(players=2), (STANDARD, MINIMAL))
    counts, outcomes = frozen.play_deals(3, DEALS), frozen.outcomes(3, DEALS)
    expected = np.zeros((ROW_GROUPS, SUBSETS), dtype=np.int64)
    for one, other in product(range(SUBSETS), repeat=2):
        shared = sum(1 << bit for bit in range(4) if (one >> bit & 1) == (other >> bit & 1))
        for row in range(len(DEALS)):
            expected[row % ROW_GROUPS, shared] += outcomes[one, row] * outcomes[other, row]
    assert counts["rows"].tolist() == [3] * ROW_GROUPS
    assert (counts["products"] == expected).all()


def test_causes_without_effect_change_nothing():
    """Where everybody plays the same, games that differ in strategies only are one and the same game."""
    products = PickFreeze(Rules(players=3), (STANDARD, STANDARD)).play_deals(2, DEALS)["products"]
    deal, position, own, others = (1 << bit for bit in range(4))
    assert (products[:, deal | position] == products[:, SUBSETS - 1]).all()
    assert (products[:, deal | position | own] == products[:, SUBSETS - 1]).all()
    assert (products[:, others] == products[:, own]).all()


def exact_variances(rules, population):
    """Return the variance explained by each set of causes, from every order, position and pair of strategies."""
    orders = np.array(list(permutations(rules.deck.cards())), dtype=np.uint8)
    outcome = np.empty((len(orders), 2, 2, 2))
    for own, other in product(range(2), repeat=2):
        for position in range(2):
            seats = [population[other]] * 2
            seats[position] = population[own]
            scores = Table(rules, tuple(seats), "given").play_orders(orders).scores
            outcome[:, position, own, other] = [share_of(row, position) - 0.5 for row in scores.tolist()]
    explained = []
    for shared in range(SUBSETS):
        unknown = tuple(bit for bit in range(4) if not shared >> bit & 1)
        explained.append(outcome.mean(axis=unknown).var())
    return np.array(explained)


def test_variances_agree_with_exact_enumeration():
    rules = Rules(Deck.parse("1-5x1,Wx1"), players=2, hand_size=2)
    population = (MINIMAL, SHEDDER)
    exact = exact_variances(rules, population)
    counts = PickFreeze(rules, population).play_deals(11, np.arange(36_000))
    # Both orders of eight pairs of games, in halves of a win squared.
    by_group = counts["products"] / counts["rows"][:, None] / SUBSETS / 4
    estimates, errors = by_group.mean(axis=0), by_group.std(axis=0, ddof=1) / np.sqrt(ROW_GROUPS)
    assert exact[SUBSETS - 1] > 0.05
    assert (np.abs(estimates - exact) < 4 * errors + 1e-12).all()
    assert (errors < 0.002).all()


def test_replicates_share_the_hand_and_shuffle_everything_else():
    hands = OpeningHands(Rules(players=3), STANDARD)
    deals = np.arange(900)
    cards = sorted(hands.rules.deck.cards())
    first, second = (hands.orders(4, deals, replicate) for replicate in (0, 3))
    assert all(sorted(order) == cards for order in first.tolist())
    for deal, one, other in zip(deals, first, second, strict=True):
        held = slice(6 * (deal % 3), 6 * (deal % 3 + 1))
        assert one[held].tolist() == other[held].tolist()
    # Other places agree as often as those of two independent shuffles of the cards that are left: about one in 14.
    elsewhere = (first == second).mean() * 56 / 50 - 6 / 50
    assert 0.05 < elsewhere < 0.09
    # Every card comes up equally often in the hand.
    held = np.concatenate(
        [order[6 * (deal % 3) : 6 * (deal % 3 + 1)] for deal, order in zip(deals, first, strict=True)]
    )
    copies = np.bincount(cards, minlength=16)
    counts = np.bincount(held, minlength=16)
    assert stats.chisquare(counts[copies > 0], (copies * len(held) / 56)[copies > 0]).pvalue > 1e-4


def test_a_hand_that_leaves_nothing_open_decides_every_replicate():
    """Two hands of six from twelve different cards: who has one, knows the other."""
    hands = OpeningHands(Rules(Deck.parse("1-12x1"), players=2), MINIMAL)
    outcomes = hands.outcomes(1, np.arange(200))
    assert (outcomes == outcomes[0]).all()
    counts = hands.play_deals(1, np.arange(240))
    assert (counts["sums_squared"] == REPLICATES * counts["squares"]).all()
    assert counts["squares"].sum() > 0


def test_hands_are_counted_by_group_and_position():
    hands = OpeningHands(Rules(players=3), NOVICE)
    outcomes, counts = hands.outcomes(6, DEALS), hands.play_deals(6, DEALS)
    sums = np.zeros((ROW_GROUPS, 3), dtype=np.int64)
    for row, deal in enumerate(DEALS):
        sums[row % ROW_GROUPS, deal % 3] += outcomes[:, row].sum()
    assert (counts["sums"] == sums).all()
    assert counts["hands"].sum() == len(DEALS)


@pytest.mark.parametrize("setting", [PickFreeze(Rules(players=2), (NOVICE, STANDARD)), OpeningHands(Rules(), NOVICE)])
def test_the_order_in_which_deals_are_played_does_not_matter(setting):
    whole = setting.outcomes(8, DEALS)
    assert (setting.outcomes(8, DEALS[90:]) == whole[:, 90:]).all()
    assert (setting.outcomes(8, DEALS[::-1]) == whole[:, ::-1]).all()
