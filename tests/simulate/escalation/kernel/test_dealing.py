"""Shuffles are uniform, and the compiled shuffle is the plain one."""

from math import comb

import numpy as np
import pytest
from scipy import stats

from simulate.escalation.kernel.dealing import deck_order, deck_orders, shuffle, shuffled
from simulate.escalation.kernel.hands import card_words
from simulate.escalation.rules import PASS, PRESETS, VALUES, WILD, Deck
from simulate.jit import kernel
from simulate.rng import PURPOSE_DECK, draw_bits, stream
from tests.simulate.escalation.cases import unpack

DEALS = 40_000
SMALLEST_PVALUE = 1e-4
"""With the fixed seeds of this file; a sound shuffle falls below it once in 10,000 tests."""


@kernel
def fill_orders(words, key, order, drawn, orders):
    for deal in range(orders.shape[0]):
        shuffle(words, draw_bits(key, np.uint64(deal)), order, drawn)
        for place in range(orders.shape[1]):
            orders[deal, place] = drawn[place + 1] - drawn[place]


def orders_of(deck: Deck, seed: int, deals: int) -> np.ndarray:
    """Return the word of the card at each place of each deal."""
    words = card_words()[deck.cards()]
    orders = np.zeros((deals, deck.size), dtype=np.uint64)
    fill_orders(
        words,
        np.uint64(stream(seed, PURPOSE_DECK)),
        np.zeros(deck.size, dtype=np.uint64),
        np.zeros(deck.size + 1, dtype=np.uint64),
        orders,
    )
    return orders


@pytest.mark.parametrize("text", ["jokers3", "descending", "1-13x10,Wx6,Px6", "5x1", "1-4x1"])
def test_compiled_shuffle_equals_the_plain_one(text):
    deck = Deck.parse(text)
    for deal, row in enumerate(orders_of(deck, 11, 20)):
        cards = tuple(unpack(word)[0] for word in row)
        assert cards == deck_order(deck, 11, deal)
        assert sorted(cards) == deck.cards()


def test_orders_are_those_of_single_deals():
    for deck in (PRESETS["jokers3"], Deck.parse("1-3x2,Wx1"), Deck.parse("1-13x10,Wx6,Px6")):
        deals = np.array([0, 1, 5, 5039, 10**15], dtype=np.int64)
        orders = deck_orders(deck, 7, deals)
        assert [tuple(order) for order in orders.tolist()] == [deck_order(deck, 7, deal) for deal in deals.tolist()]


def test_every_order_of_four_cards_is_equally_likely():
    orders = [shuffled([1, 2, 3, 4], int(key)) for key in np.random.default_rng(5).integers(0, 2**63, 24_000)]
    _, counts = np.unique(np.array(orders), axis=0, return_counts=True)
    assert len(counts) == 24
    assert stats.chisquare(counts).pvalue > SMALLEST_PVALUE


@pytest.mark.parametrize("card", [1, 7, 13, WILD, PASS])
def test_every_place_is_equally_likely_for_every_card(card):
    deck = PRESETS["jokers3"]
    places = (orders_of(deck, 21, DEALS) == card_words()[card]).sum(axis=0)
    copies = deck.cards().count(card)
    # Copies of a card exclude each other from a place, so the variance of a place's count is p (1 - p) per deal, and
    # the counts of all places add up: the usual statistic is inflated by (1 - p), with places - 1 degrees of freedom.
    expected = DEALS * copies / deck.size
    statistic = ((places - expected) ** 2 / expected).sum() * (deck.size - 1) / (deck.size - copies)
    assert stats.chi2.sf(statistic, deck.size - 1) > SMALLEST_PVALUE


def test_adjacent_pairs_are_equally_likely():
    deck = Deck.parse("1-8x1")
    orders = orders_of(deck, 22, DEALS)
    values = np.vectorize(lambda word: unpack(word)[0])(orders[:, 3:5])
    pairs = np.zeros((9, 9), dtype=np.int64)
    np.add.at(pairs, (values[:, 0], values[:, 1]), 1)
    seen = [pairs[a, b] for a in range(1, 9) for b in range(1, 9) if a != b]
    assert pairs.sum() == sum(seen)
    assert stats.chisquare(seen).pvalue > SMALLEST_PVALUE


def test_picks_that_share_a_draw_are_independent_of_the_next():
    # Places 4 and 5 are picked from different draws, places 0 to 4 from one: neither may lean on the other.
    orders = orders_of(Deck.parse("1-6x1"), 23, DEALS)
    values = np.vectorize(lambda word: unpack(word)[0])(orders)
    codes = values @ (7 ** np.arange(6))
    _, counts = np.unique(codes, return_counts=True)
    assert len(counts) == 720
    assert stats.chisquare(counts).pvalue > SMALLEST_PVALUE


def test_no_pass_in_an_opening_hand_has_probability_35_in_44():
    assert comb(54, 6) / comb(56, 6) == pytest.approx(35 / 44)
    orders = orders_of(PRESETS["jokers3"], 24, DEALS)
    hands = orders[:, :24].reshape(DEALS, 4, 6)
    without = (hands != card_words()[PASS]).all(axis=2)
    for position in range(4):
        share = without[:, position].mean()
        assert abs(share - 35 / 44) < 4 * np.sqrt(35 / 44 * 9 / 44 / DEALS)


def test_opening_hands_have_the_hypergeometric_composition():
    deck = PRESETS["jokers3"]
    opening = orders_of(deck, 25, DEALS)[:, :6]
    for card, copies in ((3, 4), (WILD, 3), (PASS, 2)):
        held = (opening == card_words()[card]).sum(axis=1)
        counts = np.bincount(held, minlength=copies + 1)
        law = stats.hypergeom(deck.size, copies, 6).pmf(np.arange(copies + 1))
        enough = law * DEALS >= 5
        observed = np.append(counts[enough], counts[~enough].sum())
        expected = np.append(law[enough], law[~enough].sum()) * DEALS
        kept = expected > 0
        assert stats.chisquare(observed[kept], expected[kept]).pvalue > SMALLEST_PVALUE


def test_every_value_is_dealt_its_share_of_opening_hands():
    deck = PRESETS["descending"]
    opening = orders_of(deck, 26, DEALS)[:, :6].ravel()
    for value in VALUES:
        share = deck.copies[value - 1] / deck.size
        dealt = (opening == card_words()[value]).sum()
        # Six draws without replacement per deal: the variance of the count is below the binomial one.
        assert abs(dealt - 6 * DEALS * share) < 4 * np.sqrt(6 * DEALS * share * (1 - share))
