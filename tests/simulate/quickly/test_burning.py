"""The search for the best order of a planned mistake, and the stored orders."""

from __future__ import annotations

import math
from itertools import permutations

import numpy as np
import pytest

from simulate.quickly.burning import best_order, good_rounds, orders_within, perceived
from simulate.quickly.exact import mistake_counts
from strategies.templates import template


@pytest.mark.parametrize("cards", [3, 5, 7])
@pytest.mark.parametrize("allowed", [0, 1, 2])
def test_the_orders_tried_are_all_those_within_the_allowance(cards, allowed):
    orders = {tuple(order) for order in orders_within(cards, allowed).tolist()}
    assert len(orders) == sum(mistake_counts(cards)[: allowed + 1])
    ranks = np.arange(1, cards + 1)[None, :]
    every = np.array(list(permutations(range(cards))))
    assert orders == {tuple(o) for o in every[good_rounds(ranks, every, allowed) == 1].tolist()}


@pytest.mark.parametrize("sigma", [0.5, 2.0])
def test_no_order_at_all_beats_the_stored_one_clearly(sigma):
    """All 720 orders of six cards, on rounds that no search has seen."""
    samples = 20_000
    ranked = perceived(6, sigma, 10_000_000, samples)
    every = np.array(list(permutations(range(6))))
    shares = good_rounds(ranked, every, 1) / samples
    stored = good_rounds(ranked, np.array([template(6, 1, sigma)]), 1)[0] / samples
    assert shares.max() - stored < 4 * math.sqrt(0.25 / samples)
    assert stored > shares[0], "the stored order should beat the plain rising one"


@pytest.mark.parametrize(("cards", "allowed", "sigma"), [(4, 1, 1.5), (6, 1, 1.0), (7, 1, 1.5), (8, 1, 2.0)])
def test_the_stored_orders_are_what_the_search_finds(cards, allowed, sigma):
    assert template(cards, allowed, sigma) == best_order(cards, allowed, sigma)[0]
