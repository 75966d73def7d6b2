"""Counting cards, term by term: the chance that the next player cannot beat a total, as players estimate it.

The unseen cards are the deck less the own hand less all cards ever played. The next player's hand is drawn uniformly
from them, and a Pass does not count as a beat. The estimate, in 1/65536, is exact for single cards that beat alone, and
takes the values to be independent for sets. It is off by about 0.01 on average.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import comb

from simulate.escalation.rules import VALUES, WILD, Rules
from strategies.heuristic import CHANCE_BITS, SURE


def _limits(total: int, wilds: int, wild_max: int) -> list[int]:
    """Return how many naturals of each value can stand beside so many wilds without beating a total; below 1: none."""
    return [total // value - (wilds if value <= wild_max else 0) for value in VALUES]


def at_most(most: int, among: int, cards: int, hand: int) -> int:
    """Return the chance, in 1/65536 rounded down, that a hand holds at most so many of `among` equal cards.

    The hand is drawn from `cards` cards; a hand larger than that holds all of them.
    """
    drawn = min(hand, cards)
    ways = sum(comb(among, k) * comb(cards - among, drawn - k) for k in range(min(most, drawn) + 1))
    return ways * SURE // comb(cards, drawn)


def chance_estimated(rules: Rules, unseen: Sequence[int], cards: int, total: int) -> int:
    """Return an estimate of the chance that a player cannot beat a total, in 1/65536.

    For each number of wilds that do not beat by themselves, the chance of that many, times the chance to hold no card
    that beats with them, times, for each other value, the chance to hold too few of it, as if values were independent.
    Every factor and product is rounded down to 1/65536; the chance of so many wilds is the difference of the chances of
    at most so many and of fewer, each rounded down.

    Parameters
    ----------
    rules
        The rules: what a wild may stand for, and whether wilds alone are a set.
    unseen
        The codes of the cards that the player's hand is drawn from.
    cards
        Cards in that hand.
    total
        The total to beat.
    """
    counts = [unseen.count(value) for value in VALUES]
    all_wilds = unseen.count(WILD)
    tame = len(unseen) - all_wilds
    chance = 0
    for wilds in range(min(all_wilds, cards) + 1):
        together = wilds if rules.wild_only_sets else min(wilds, 1)
        if together * rules.wild_max > total:
            break
        limits = _limits(total, wilds, rules.wild_max)
        alone = sum(count for count, limit in zip(counts, limits, strict=True) if limit <= 0)
        left = cards - wilds
        term = at_most(0, alone, tame, left)
        for count, limit in zip(counts, limits, strict=True):
            if 0 < limit < count:
                term = term * at_most(limit, count, tame - alone, left) >> CHANCE_BITS
        of_wilds = at_most(wilds, all_wilds, len(unseen), cards)
        if wilds > 0:
            of_wilds -= at_most(wilds - 1, all_wilds, len(unseen), cards)
        chance += term * of_wilds >> CHANCE_BITS
    return chance
