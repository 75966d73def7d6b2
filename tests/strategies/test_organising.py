"""Decisions of an organiser against trying everything."""

from __future__ import annotations

import random
from itertools import combinations, permutations

import numpy as np
import pytest

from strategies.organising import (
    MOST_CARDS,
    TOP,
    WEIGHT,
    decision_memory,
    fit,
    insert_own,
    likelihoods,
    next_of_two_rows,
    own_is_next,
    shift_own,
    sort_by_place,
)


def random_view(rng, cards, owned):
    """Return weights, own flags and known values of so many cards, the order being 0, 1, 2, ..."""
    values = rng.sample(range(1, TOP + 1), cards)
    own_cards = sorted(rng.sample(range(cards), owned))
    own_values = sorted(values[:owned])
    own, known = np.zeros(MOST_CARDS, dtype=np.int64), np.zeros(MOST_CARDS, dtype=np.int64)
    weights = np.zeros((MOST_CARDS, TOP + 1), dtype=np.int64)
    for card in range(cards):
        weights[card, 1:] = [0 if v in own_values else rng.randint(1, WEIGHT) for v in range(1, TOP + 1)]
    for card, value in zip(own_cards, own_values, strict=True):
        own[card], known[card] = 1, value
        weights[card] = [WEIGHT * (v == value) for v in range(TOP + 1)]
    return weights, own, known


def flawless(order, weights):
    """Return the weight of all rising values of cards in this order, by enumeration."""
    total = 0.0
    for values in combinations(range(1, TOP + 1), len(order)):
        total += np.prod([weights[card, value] / WEIGHT for card, value in zip(order, values, strict=True)])
    return total


@pytest.mark.parametrize("case", range(60))
def test_insertion_is_the_best_of_all_insertions(case):
    rng = random.Random(case)
    cards = rng.randint(2, 6)
    weights, own, known = random_view(rng, cards, rng.randint(1, min(3, cards)))
    order = np.arange(cards)
    insert_own(order, cards, own, known, weights, decision_memory())
    owns, others = [c for c in range(cards) if own[c]], [c for c in range(cards) if not own[c]]
    possible = [o for o in permutations(range(cards)) if [c for c in o if own[c]] == owns]
    possible = [o for o in possible if [c for c in o if not own[c]] == others]
    best = max(flawless(o, weights) for o in possible)
    assert tuple(order) in possible
    assert flawless(order, weights) >= best * (1 - 1e-3) - 1e-6


def best_chance(rest, last, weights, own, known):
    """Return the weight of a flawless rest under the best policy, by trying both choices at every flip."""
    if not rest:
        return 1.0
    ways = []
    owns = [card for card in rest if own[card]]
    others = [card for card in rest if not own[card]]
    if owns and known[owns[0]] > last:
        following = [card for card in rest if card != owns[0]]
        ways.append(best_chance(following, known[owns[0]], weights, own, known))
    if others:
        following = [card for card in rest if card != others[0]]
        ways.append(
            sum(
                weights[others[0], value] / WEIGHT * best_chance(following, value, weights, own, known)
                for value in range(last + 1, TOP + 1)
                if weights[others[0], value]
            )
        )
    return max(ways, default=0.0)


@pytest.mark.parametrize("case", range(40))
def test_timing_is_the_best_of_both_choices(case):
    rng = random.Random(100 + case)
    cards = rng.randint(2, 5)
    weights, own, known = random_view(rng, cards, rng.randint(1, 2))
    last = rng.choice([0, 0, rng.randint(1, 4)])
    rest = list(range(cards))
    chosen = own_is_next(np.arange(cards), 0, cards, last, own, known, weights, decision_memory())
    owns, others = [c for c in rest if own[c]], [c for c in rest if not own[c]]
    if not others:
        assert chosen
        return
    following = [c for c in rest if c != owns[0]]
    flip_own = best_chance(following, known[owns[0]], weights, own, known) if known[owns[0]] > last else 0.0
    following = [c for c in rest if c != others[0]]
    flip_other = sum(
        weights[others[0], v] / WEIGHT * best_chance(following, v, weights, own, known)
        for v in range(last + 1, TOP + 1)
    )
    if abs(flip_own - flip_other) > 1e-3 * (flip_own + flip_other):
        assert chosen == (flip_own > flip_other)


def sure(values):
    """Return weights of cards whose values are known for certain."""
    weights = np.zeros((MOST_CARDS, TOP + 1), dtype=np.int64)
    for card, value in enumerate(values):
        weights[card, value] = WEIGHT
    return weights


def test_two_rows_of_known_cards_keep_rising_if_they_can():
    assert next_of_two_rows(np.arange(4), 0, 4, 0, 1, sure([1, 4, 6, 9]), decision_memory()) == 0
    assert next_of_two_rows(np.arange(4), 1, 4, 1, 1, sure([1, 4, 6, 9]), decision_memory()) == 1


def chances_of_orders(weights, cards):
    """Return, for every order, the exact chance of at most one mistake, all values being different."""
    values = np.array(list(permutations(range(1, TOP + 1), cards)))
    likelihood = np.prod([weights[card, values[:, card]] / WEIGHT for card in range(cards)], axis=0)
    chances = {}
    for order in permutations(range(cards)):
        last, mistakes = np.zeros(len(values), dtype=int), np.zeros(len(values), dtype=int)
        for card in order:
            mistake = values[:, card] < last
            mistakes += mistake
            last = np.where(mistake, 0, values[:, card])
        chances[order] = likelihood[mistakes <= 1].sum() / likelihood.sum()
    return chances


@pytest.mark.parametrize("case", range(12))
def test_two_rows_start_with_a_card_that_a_best_order_of_all_starts_with(case):
    """Within a hundredth: chances are estimated as if the cards were independent."""
    rng = np.random.default_rng(case)
    cards, sigma = 5, 1.5
    places = np.sort(rng.permutation(np.arange(1, TOP + 1))[:cards] + sigma * rng.standard_normal(cards))
    weights = np.zeros((MOST_CARDS, TOP + 1), dtype=np.int64)
    distance = (places[:, None] - np.arange(1, TOP + 1)) / sigma
    weights[:cards, 1:] = np.maximum(1, np.round(WEIGHT * np.exp(-(distance**2) / 2)))
    chances = chances_of_orders(weights, cards)
    chosen = next_of_two_rows(np.arange(cards), 0, cards, 0, 1, weights, decision_memory())
    best_so_started = max(chance for order, chance in chances.items() if order[0] == chosen)
    assert best_so_started > max(chances.values()) - 0.01


def test_equal_places_go_by_card_number_and_shifts_stop_at_the_ends():
    order = np.array([3, 2, 1, 0])
    sort_by_place(order, 0, 4, np.array([5, 2, 5, 2]))
    assert order.tolist() == [1, 3, 0, 2]
    own = np.array([1, 0, 0, 0])
    for shift, expected in ((1, [1, 3, 2, 0]), (9, [1, 3, 2, 0]), (-1, [1, 0, 3, 2]), (-9, [0, 1, 3, 2])):
        moved = order.copy()
        shift_own(moved, 4, own, shift, decision_memory())
        assert moved.tolist() == expected


def test_likelihoods_fall_like_a_normal_and_never_to_nothing():
    table = likelihoods()
    expected = np.exp(-((np.arange(len(table)) / 64) ** 2) / 2) * WEIGHT
    assert np.abs(table - np.maximum(expected, 1)).max() <= 0.5
    assert fit(1 << 40, 1 << 20, table) == 1
