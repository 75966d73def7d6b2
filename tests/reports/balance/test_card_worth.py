"""The worth of cards: known worths come back within their intervals."""

from __future__ import annotations

import numpy as np
import pytest

from reports.balance.card_worth import card_worths, set_worths, swap_worths
from simulate import Rules
from simulate.escalation.settings.openings import CARDS, hand_features, opening_sums, swap_sums

DECK = Rules().deck
COPIES = np.array([*DECK.copies, DECK.wilds, DECK.passes])


def random_hands(rng, deals, players=4, size=6):
    deck = np.array(DECK.cards(), dtype=np.uint8)
    orders = rng.permuted(np.tile(deck, (deals, 1)), axis=1)
    return orders[:, : players * size].reshape(deals, players, size), orders[:, players * size :]


def against_average(worths):
    return worths - COPIES @ worths / COPIES.sum()


def test_known_worths_come_back_within_their_intervals():
    """Hands of one deal share a deal's luck, so errors that ignore this would miss; 40 seeds, 15 cards."""
    truth = against_average(np.linspace(-60, 80, len(CARDS)))
    missed = []
    for seed in range(40):
        rng = np.random.default_rng(seed)
        hands, _ = random_hands(rng, 800)
        features = hand_features(hands)
        luck = rng.normal(0, 300, (800, 1)) + rng.normal(0, 200, (800, 4)) + np.array([90, 0, -40, 10])
        outcome = np.rint(features[..., : len(CARDS)] @ truth + luck).astype(np.int64)
        sums = opening_sums(np.arange(800), features, np.stack([outcome, outcome], axis=-1))
        found = [worth.cards for worth in card_worths(sums, DECK)]
        missed.append(sum(not one.low <= value <= one.high for one, value in zip(found, truth, strict=True)))
    # 5% of 600 are 30. Cards of one seed depend on each other a little: the seeds give the spread of the sum.
    error = np.std(missed, ddof=1) * np.sqrt(40)
    assert abs(sum(missed) - 30) < 3.5 * max(error, np.sqrt(600 * 0.05 * 0.95))


def test_known_worths_of_pairs_and_of_exchanges_come_back():
    rng = np.random.default_rng(7)
    hands, rest = random_hands(rng, 4000)
    features = hand_features(hands)
    pair, triple = 50, -30
    exact = (
        features[..., :15] @ np.arange(15) * 10
        + features[..., 15:28].sum(-1) * pair
        + features[..., 28:].sum(-1) * triple
    )
    noisy = exact + np.rint(rng.normal(0, 100, exact.shape)).astype(np.int64)
    sums = opening_sums(np.arange(4000), features, np.stack([noisy, noisy], axis=-1))
    for worth, truth in zip(set_worths(sums, level=0.999), (pair, triple), strict=True):
        assert worth.cards.low <= truth <= worth.cards.high
        assert worth.cards.half_width < 25

    swapped = hands.copy()
    swapped[..., 0] = rest[:, :4]
    changes = (hand_features(swapped) - features)[..., :15]
    gained = changes @ (np.arange(15) * 10)
    found = swap_worths(swap_sums(np.arange(4000), changes, np.stack([gained, gained], axis=-1)), DECK)
    # Without noise nothing is uncertain.
    assert [worth.cards.estimate for worth in found] == pytest.approx(against_average(np.arange(15) * 10.0))
