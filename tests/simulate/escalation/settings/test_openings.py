"""Opening hands: the deals are those that are played, and an exchange exchanges one card."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest
from scipy.stats import chisquare

from simulate import Rules, Table
from simulate.escalation.kernel.dealing import deck_orders
from simulate.escalation.rules import PASS, WILD, Deck
from simulate.escalation.settings.openings import FEATURES, Openings, Swaps, hand_features
from strategies.catalogue import strategy
from strategies.errors import InputError

TABLE = Table(Rules(players=3), (strategy("minimal"),) * 3, "given")
DECK = TABLE.rules.deck


def test_features_of_a_hand_by_hand():
    copies = dict.fromkeys(range(1, PASS + 1), 0) | {3: 3, 7: 2, WILD: 1, PASS: 1}
    pairs = [value in (3, 7) for value in range(1, 14)]
    triples = [value == 3 for value in range(1, 14)]
    counted = hand_features(np.array([3, 7, 3, WILD, 3, 7, PASS], dtype=np.uint8))
    assert counted.tolist() == [*copies.values(), *pairs, *triples]
    assert counted.shape == (FEATURES,)


def test_equal_tables_have_equal_specs():
    assert Openings(TABLE).spec() == Openings(TABLE).spec()
    assert Swaps(TABLE, True).spec() != Swaps(TABLE, False).spec() != Openings(TABLE).spec()


@pytest.mark.parametrize("undrawn", [False, True])
def test_an_exchange_changes_one_card_of_one_hand(undrawn):
    deals = np.arange(3000)
    orders = deck_orders(DECK, 1, deals)
    swapped = Swaps(TABLE, undrawn).swap_orders(orders, 1, deals, position=1)
    changed = swapped != orders
    places = Counter()
    for before, after, differs in zip(orders, swapped, changed, strict=True):
        assert Counter(before.tolist()) == Counter(after.tolist())
        assert differs.sum() in (0, 2)
        if differs.any():
            one, other = np.flatnonzero(differs)
            assert (one in range(6, 12)) != (other in range(6, 12))
            outside = other if one in range(6, 12) else one
            assert not undrawn or outside >= 18
            places[int(outside)] += 1
    # Every place is equally likely; exchanges of equal cards do not show, alike at every place.
    expected = 38 if undrawn else 50
    assert len(places) == expected
    assert chisquare(list(places.values())).pvalue > 0.001


def test_nothing_can_be_exchanged_with_a_deck_that_is_all_dealt():
    rules = Rules(deck=Deck.parse("1-12x1"), players=2)
    with pytest.raises(InputError, match="whole deck is dealt"):
        Swaps(Table(rules, (strategy("minimal"),) * 2, "given"), undrawn=True)
