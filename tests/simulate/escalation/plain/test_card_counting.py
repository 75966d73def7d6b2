"""The chance that the next player cannot beat a total: definition and estimate."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable, Sequence
from fractions import Fraction
from itertools import combinations
from math import comb

import numpy as np
import pytest

from simulate.escalation.plain.card_counting import chance_estimated
from simulate.escalation.plain.reference import number_sets
from simulate.escalation.rules import PASS, PRESETS, RULINGS, VALUES, WILD, Deck, Rules
from strategies.heuristic import SURE

EVERY_RULING = [Rules(), *(Rules().with_rulings(Rules().turned_over(name)) for name in RULINGS)]
LARGE = Deck.parse("1-13x10,Wx6,Px6")

Hand = tuple[int, ...]


def chance_exact(rules: Rules, unseen: Sequence[int], cards: int, total: int) -> int:
    """Return the chance that a player cannot beat a total, in 1/65536, rounded down.

    Parameters
    ----------
    rules
        The rules.
    unseen
        The codes of the cards that the hand is drawn from.
    cards
        Cards in that hand.
    total
        The total to beat.

    Notes
    -----
    Summed over the number w of wilds in that hand: the ways to choose them, times the coefficient of x^(cards - w) in
    (1 + x)^Passes times, for each value, the ways to hold a number of naturals that fails to beat beside w wilds.
    """
    ways = 0
    for wilds in range(min(unseen.count(WILD), cards) + 1):
        polynomial = [comb(unseen.count(PASS), k) for k in range(cards - wilds + 1)]
        for value in VALUES:
            fails = [not beats(rules, (value,) * k + (WILD,) * wilds, total) for k in range(cards - wilds + 1)]
            count = unseen.count(value)
            polynomial = [
                sum(polynomial[k - j] * comb(count, j) for j in range(min(count, k) + 1) if fails[j])
                for k in range(len(polynomial))
            ]
        ways += comb(unseen.count(WILD), wilds) * polynomial[cards - wilds]
    return ways * SURE // comb(len(unseen), cards)


def beats(rules: Rules, hand: Sequence[int], total: int) -> bool:
    """Tell whether a hand can beat a total, by the rules."""
    return any(option.total > total for option in number_sets(rules, tuple(hand)))


def hands_of(unseen: Sequence[int], cards: int) -> Counter[Hand]:
    """Deal every hand that could be; return how often each comes."""
    return Counter(tuple(sorted(hand)) for hand in combinations(unseen, cards))


def share(hands: Counter[Hand], what: Callable[[Hand], bool]) -> Fraction:
    return Fraction(sum(ways for hand, ways in hands.items() if what(hand)), hands.total())


def among(hands: Counter[Hand], what: Callable[[Hand], bool]) -> Counter[Hand]:
    return Counter({hand: ways for hand, ways in hands.items() if what(hand)})


def floor_of(chance: Fraction) -> int:
    return int(chance * SURE)


def estimate_by_enumeration(rules: Rules, hands: Counter[Hand], total: int) -> int:
    """Return the estimate as `docs/players.md` defines it, every chance from dealing every hand."""
    estimate = 0
    for wilds in sorted({hand.count(WILD) for hand in hands}):
        up_to, below = (share(hands, lambda hand, w=w: hand.count(WILD) <= w) for w in (wilds, wilds - 1))
        if beats(rules, (WILD,) * wilds, total):
            continue
        beside = (WILD,) * wilds
        alone = {value for value in VALUES if beats(rules, (value, *beside), total)}
        with_wilds = among(hands, lambda hand, w=wilds: hand.count(WILD) == w)
        term = floor_of(share(with_wilds, lambda hand, alone=alone: alone.isdisjoint(hand)))
        without = among(with_wilds, lambda hand, alone=alone: alone.isdisjoint(hand))
        for value in VALUES if term else ():
            if value not in alone:
                too_few = share(
                    without, lambda hand, v=value, b=beside: not beats(rules, (v,) * hand.count(v) + b, total)
                )
                term = term * floor_of(too_few) // SURE
        estimate += term * (floor_of(up_to) - floor_of(below)) // SURE
    return estimate


@pytest.mark.parametrize("rules", EVERY_RULING, ids=["default", *RULINGS])
def test_the_estimate_is_what_it_is_defined_as(rules):
    """Against every hand that can be dealt from a few cards of any deck, for every total and size of hand."""
    rng, counted = random.Random(11), 0
    for _ in range(30):
        deck = rng.choice([Deck.parse("1-3x3,5x2,7x1,Wx4,Px2"), Deck.parse("1-13x1,Wx6,Px2"), LARGE])
        unseen = rng.sample(deck.cards(), rng.randint(4, 9)) + [WILD] * rng.randint(0, 2)
        table = Rules(LARGE, 2, 10, wild_max=rng.randint(1, 7)).with_rulings(
            {name: getattr(rules, name) for name in RULINGS}
        )
        hands = hands_of(unseen, cards := rng.randint(0, len(unseen)))
        for total in range(0, 20, rng.randint(1, 3)):
            estimate = chance_estimated(table, unseen, cards, total)
            assert estimate == estimate_by_enumeration(table, hands, total)
            counted += 0 < estimate < SURE
    assert counted > 60


@pytest.mark.parametrize("rules", EVERY_RULING, ids=["default", *RULINGS])
@pytest.mark.parametrize(
    ("text", "wild_max", "cards"),
    [("1-6x2,Wx1,Px1", 7, 3), ("1-4x3,Wx2", 2, 4), ("5x4,9x2,13x1,Wx3,Px2", 7, 3), ("1-3x4,Px2", 7, 5)],
)
def test_the_definition_counts_the_hands_that_cannot_beat(text, wild_max, cards, rules):
    unseen = Deck.parse(text).cards()
    table = Rules(LARGE, 2, wild_max=wild_max).with_rulings({name: getattr(rules, name) for name in RULINGS})
    hands = hands_of(unseen, cards)
    for total in range(40):
        by_enumeration = floor_of(share(hands, lambda hand, total=total: not beats(table, hand, total)))
        assert chance_exact(table, unseen, cards, total) == by_enumeration


def test_the_estimate_is_exact_where_only_single_cards_can_beat():
    # One copy of each value and no wilds: no sets. Rounding down happens once in each.
    unseen = Deck.parse("1-13x1,Px2").cards()
    for cards in range(1, 7):
        for total in range(0, 14):
            assert chance_estimated(Rules(), unseen, cards, total) == chance_exact(Rules(), unseen, cards, total)


def test_wilds_that_may_not_be_laid_alone_are_not_feared():
    # The other hand is two wilds: they beat 12 as two 7s, but only one of them may be laid.
    for wild_only_sets, chance in ((True, 0), (False, SURE)):
        rules = Rules(players=2, wild_only_sets=wild_only_sets)
        assert chance_estimated(rules, [WILD, WILD], 2, 12) == chance
        assert chance_estimated(rules, [WILD, WILD], 2, 6) == 0


@pytest.mark.parametrize("rules", [Rules(), Rules(wild_only_sets=False)], ids=["default", "wild_only_sets"])
def test_the_estimate_errs_by_about_a_hundredth(rules):
    rng = random.Random(7)
    errors = []
    for _ in range(400):
        unseen = rng.sample(PRESETS["jokers3"].cards(), rng.randint(8, 50))
        total = rng.randint(4, 26)
        exact = chance_exact(rules, unseen, 6, total)
        errors.append(abs(chance_estimated(rules, unseen, 6, total) - exact) / SURE)
    assert np.mean(errors) < 0.015
    assert max(errors) < 0.1


def test_nobody_beats_with_an_empty_hand_and_everybody_is_stuck_above_the_greatest_total():
    cards = PRESETS["jokers3"].cards()
    assert chance_exact(Rules(), cards, 0, 0) == chance_estimated(Rules(), cards, 0, 0) == SURE
    assert chance_exact(Rules(), cards, 6, 48) == SURE
