"""How an organiser of That Escalated Quickly decides on the next card, from what there is to believe about each.

An organiser knows the own cards and has an impression of every other: a *place* on the scale of values. Everything is
counted in whole numbers, so both engines, on any machine, decide alike.

Arrays that the functions below share, for up to `MOST_CARDS` cards:

- `places[card]`: where on the scale the card seems to be, in units of `PLACE`; own cards at their value;
- `own[card]`: 1 for an own card, else 0; `known[card]`: the value of an own card;
- `weights[card, value]`: how well the impression fits each value, at most `WEIGHT`; own cards weigh their value alone;
- `order[first:cards]`: the cards not yet flipped, those with the lowest place first.
"""

from __future__ import annotations

from decimal import Decimal
from typing import Final, NamedTuple

import numpy as np
from numba.extending import register_jitable
from numpy.typing import NDArray

MOST_CARDS: Final = 10
TOP: Final = 10
"""The highest value."""

PLACE_BITS: Final = 16
PLACE: Final = 1 << PLACE_BITS
"""One card value, in the units that places are counted in."""
WEIGHT_BITS: Final = 16
WEIGHT: Final = 1 << WEIGHT_BITS
CERTAIN: Final = 1 << 32
"""The chance of something certain."""
_CHAIN: Final = 1 << 30
_CHAIN_TO_WEIGHT_BITS: Final = 14
_MOST_RECIPROCAL: Final = 1 << 20

STEPS_PER_DEVIATION: Final = 64
"""Steps of the likelihood table in one standard deviation."""
INVERSE_BITS: Final = 26
MOST_INVERSE: Final = 1 << 36
_FURTHEST_DEVIATION: Final = 5


class DecisionMemory(NamedTuple):
    """Working memory of one decision.

    Attributes
    ----------
    others, owns, before
        The cards of others and the own cards not yet flipped, in the order of their places, and how many of the others
        come before each own card; shape (MOST_CARDS,).
    chances
        Chance of a flawless rest, by own cards flipped, other cards flipped and last value; shape (11, 11, 11).
    reach, came_from
        Best chance of having placed so many own cards before so many of the others, and how it is got; shape (11, 11).
    chain, step
        Chances by value, shape (11,) and (2, 11, 11).
    trial
        An order to be judged, shape (MOST_CARDS,).
    shares, reciprocals, below
        Chance of each value of a card, 1 / (1 - chance), and chance of a lower one; shape (10, 11).
    """

    others: NDArray[np.int64]
    owns: NDArray[np.int64]
    before: NDArray[np.int64]
    chances: NDArray[np.int64]
    reach: NDArray[np.int64]
    came_from: NDArray[np.int64]
    chain: NDArray[np.int64]
    step: NDArray[np.int64]
    trial: NDArray[np.int64]
    shares: NDArray[np.int64]
    reciprocals: NDArray[np.int64]
    below: NDArray[np.int64]


def decision_memory() -> DecisionMemory:
    """Allocate the working memory of decisions."""

    def zeros(*shape: int) -> NDArray[np.int64]:
        return np.zeros(shape, dtype=np.int64)

    line, size = MOST_CARDS, MOST_CARDS + 1
    return DecisionMemory(
        zeros(line), zeros(line), zeros(line), zeros(size, size, size), zeros(size + 1, size), zeros(size + 1, size),
        zeros(size), zeros(2, size, size), zeros(line), zeros(line, size), zeros(line, size), zeros(line, size),
    )  # fmt: skip


def likelihoods() -> NDArray[np.int64]:
    """Return exp(-d^2 / 2) at d = 0, 1/64, 2/64, ... standard deviations, in units of 1/65536; below 1 it ends.

    Computed with exact decimal arithmetic, so that it is the same on every machine.
    """
    steps = range(_FURTHEST_DEVIATION * STEPS_PER_DEVIATION)
    values = [WEIGHT * (-((Decimal(step) / STEPS_PER_DEVIATION) ** 2) / 2).exp() for step in steps]
    return np.array([max(1, int(value.to_integral_value())) for value in values], dtype=np.int64)


@register_jitable
def fit(distance: int, inverse: int, table: NDArray[np.int64]) -> int:
    """Weigh an impression that is so far from where a value would be heard; nothing is impossible.

    `inverse` is the number of table steps per unit of place, in 1/2^26.
    """
    step = abs(distance) * inverse >> INVERSE_BITS
    return table[step] if step < table.shape[0] else 1


@register_jitable
def sort_by_place(order: NDArray[np.int64], first: int, cards: int, places: NDArray[np.int64]) -> None:
    """Put the cards not yet flipped in the order of their places; of equal ones the lower card number goes first."""
    for here in range(first + 1, cards):
        card = order[here]
        back = here
        while back > first and (
            places[order[back - 1]] > places[card]
            or (places[order[back - 1]] == places[card] and order[back - 1] > card)
        ):
            order[back] = order[back - 1]
            back -= 1
        order[back] = card


@register_jitable
def tell_apart(
    order: NDArray[np.int64], first: int, cards: int, own: NDArray[np.int64], memory: DecisionMemory
) -> tuple[int, int]:
    """List own cards and those of others, and how many of the others come before each; return the number of both."""
    others, owns = 0, 0
    for here in range(first, cards):
        card = order[here]
        if own[card] == 1:
            memory.owns[owns] = card
            memory.before[owns] = others
            owns += 1
        else:
            memory.others[others] = card
            others += 1
    return others, owns


@register_jitable
def put_together(order: NDArray[np.int64], first: int, others: int, owns: int, memory: DecisionMemory) -> None:
    """Write the order in which `memory.before` says how many of the others come before each own card."""
    here, placed = first, 0
    for other in range(others + 1):
        while placed < owns and memory.before[placed] <= other:
            order[here] = memory.owns[placed]
            here += 1
            placed += 1
        if other < others:
            order[here] = memory.others[other]
            here += 1


@register_jitable
def shift_own(order: NDArray[np.int64], cards: int, own: NDArray[np.int64], shift: int, memory: DecisionMemory) -> None:
    """Move every own card so many of the others later (earlier if negative), as far as there are any."""
    others, owns = tell_apart(order, 0, cards, own, memory)
    for place in range(owns):
        memory.before[place] = min(max(memory.before[place] + shift, 0), others)
    put_together(order, 0, others, owns, memory)


@register_jitable
def insert_own(
    order: NDArray[np.int64],
    cards: int,
    own: NDArray[np.int64],
    known: NDArray[np.int64],
    weights: NDArray[np.int64],
    memory: DecisionMemory,
) -> None:
    """Put the own cards where a flawless order is likeliest, the others staying in the order of their places.

    Between two own cards only values between theirs may lie, so the chance is a product over the gaps; the best split
    of the others into gaps is found gap by gap.
    """
    others, owns = tell_apart(order, 0, cards, own, memory)
    for gap in range(owns + 2):
        for split in range(others + 1):
            memory.reach[gap, split] = CERTAIN if gap + split == 0 else -1
    for gap in range(owns + 1):
        low = known[memory.owns[gap - 1]] if gap > 0 else 0
        high = known[memory.owns[gap]] if gap < owns else TOP + 1
        for start in range(others + 1):
            if memory.reach[gap, start] >= 0:
                extend_reach(gap, start, others, low, high, weights, memory)
    split = others
    for gap in range(owns, 0, -1):
        split = memory.came_from[gap + 1, split]
        memory.before[gap - 1] = split
    put_together(order, 0, others, owns, memory)


@register_jitable
def extend_reach(
    gap: int, start: int, others: int, low: int, high: int, weights: NDArray[np.int64], memory: DecisionMemory
) -> None:
    """Fill one gap, after `start` of the others have been placed, with none, one, two and more of the rest."""
    for value in range(TOP + 1):
        memory.chain[value] = _CHAIN if value == low else 0
    total = _CHAIN
    for end in range(start, others + 1):
        if end > start:
            total = next_in_chain(memory.chain, weights[memory.others[end - 1]], low, high)
        chance = memory.reach[gap, start] * (total >> _CHAIN_TO_WEIGHT_BITS) >> WEIGHT_BITS
        if chance > memory.reach[gap + 1, end]:
            memory.reach[gap + 1, end] = chance
            memory.came_from[gap + 1, end] = start


@register_jitable
def next_in_chain(chain: NDArray[np.int64], weights: NDArray[np.int64], low: int, high: int) -> int:
    """Extend ascending chains between two bounds by one card, in place; return their total weight."""
    lower, total = chain[low], 0
    chain[low] = 0
    for value in range(low + 1, high):
        before = chain[value]
        chain[value] = weights[value] * lower >> WEIGHT_BITS
        total += chain[value]
        lower += before
    return total


@register_jitable
def own_is_next(
    order: NDArray[np.int64],
    first: int,
    cards: int,
    last: int,
    own: NDArray[np.int64],
    known: NDArray[np.int64],
    weights: NDArray[np.int64],
    memory: DecisionMemory,
) -> bool:
    """Tell whether the lowest own card should be flipped now rather than the lowest of the others.

    The chance that the rest is flawless, if every later choice is the better one too, is worked out backwards. Rising
    values are different values, so the weights of rising rows add up to the exact chance, but for rounding and a common
    factor.
    """
    others, owns = tell_apart(order, first, cards, own, memory)
    if owns == 0 or others == 0:
        return owns > 0
    chances = memory.chances
    for own_done in range(owns, -1, -1):
        for others_done in range(others, -1, -1):
            flip_other = 0
            for value in range(TOP, -1, -1):
                if others_done < others and value < TOP:
                    weight = weights[memory.others[others_done], value + 1]
                    flip_other += weight * chances[own_done, others_done + 1, value + 1] >> WEIGHT_BITS
                best = flip_other
                if own_done < owns and known[memory.owns[own_done]] > value:
                    best = max(best, chances[own_done + 1, others_done, known[memory.owns[own_done]]])
                if own_done == owns and others_done == others:
                    best = CERTAIN
                chances[own_done, others_done, value] = best
    own_value = known[memory.owns[0]]
    flip_own = chances[1, 0, own_value] if own_value > last else 0
    flip_other = 0
    for value in range(last + 1, TOP + 1):
        flip_other += weights[memory.others[0], value] * chances[0, 1, value] >> WEIGHT_BITS
    if flip_own == flip_other:
        return memory.before[0] == 0
    return flip_own > flip_other


@register_jitable
def next_of_two_rows(
    order: NDArray[np.int64],
    first: int,
    cards: int,
    last: int,
    left: int,
    weights: NDArray[np.int64],
    memory: DecisionMemory,
) -> int:
    """Return which place of `order` to flip next if a mistake may be planned.

    Tried are: all cards in one rising row; and every way to lay some in a rising row, give one card up that seems lower
    than the highest of them, and lay the rest in a second rising row. Of equally good ways the first tried is kept.
    """
    count = cards - first
    for here in range(first, cards):
        fill_shares(order[here], weights, memory)
    best, chosen = -1, first
    for row in range((1 << count) - 1, -1, -1):
        highest = count
        while highest > 0 and ((row >> (highest - 1)) & 1) == 0 and row > 0:
            highest -= 1
        for given_up in range(highest):
            in_row = ((row >> given_up) & 1) == 1
            if in_row and (given_up > 0 or row != (1 << count) - 1):
                continue
            write_trial(order, first, count, row, given_up, memory)
            chance = chance_of_trial(count, last, left, memory)
            if chance > best:
                best, chosen = chance, memory.trial[0]
    here = first
    while order[here] != chosen:
        here += 1
    return here


@register_jitable
def write_trial(
    order: NDArray[np.int64], first: int, count: int, row: int, given_up: int, memory: DecisionMemory
) -> None:
    """Write down a first row, the card given up (if it is not in the row) and a second row."""
    end = 0
    for here in range(count):
        if ((row >> here) & 1) == 1:
            memory.trial[end] = order[first + here]
            end += 1
    if ((row >> given_up) & 1) == 0:
        memory.trial[end] = order[first + given_up]
        end += 1
    for here in range(count):
        if ((row >> here) & 1) == 0 and here != given_up:
            memory.trial[end] = order[first + here]
            end += 1


@register_jitable
def fill_shares(card: int, weights: NDArray[np.int64], memory: DecisionMemory) -> None:
    """Turn the weights of a card into chances, taken alone."""
    total, below = 0, 0
    for value in range(1, TOP + 1):
        total += weights[card, value]
    for value in range(TOP + 1):
        share = weights[card, value] * WEIGHT // max(total, 1)
        memory.shares[card, value] = share
        memory.reciprocals[card, value] = min(WEIGHT * WEIGHT // max(WEIGHT - share, 1), _MOST_RECIPROCAL)
        memory.below[card, value] = below
        below += share


@register_jitable
def chance_of_trial(count: int, last: int, left: int, memory: DecisionMemory) -> int:
    """Return the chance of at most `left` mistakes if the cards are flipped in the order of `memory.trial`.

    The cards count as independent but for this: two in succession never have the same value.
    """
    now, following = 0, 1
    step = memory.step
    for mistakes in range(left + 1):
        for value in range(TOP + 1):
            step[now, mistakes, value] = _CHAIN if mistakes == 0 and value == last else 0
    for here in range(count):
        card = memory.trial[here]
        missed = 0
        for mistakes in range(left + 1):
            lower, carried, missed = 0, missed, 0
            for value in range(TOP + 1):
                possible = step[now, mistakes, value] * memory.reciprocals[card, value] >> WEIGHT_BITS
                step[following, mistakes, value] = memory.shares[card, value] * lower >> WEIGHT_BITS
                missed += possible * memory.below[card, value] >> WEIGHT_BITS
                lower += possible
            step[following, mistakes, 0] = carried
        now, following = following, now
    total = 0
    for mistakes in range(left + 1):
        for value in range(TOP + 1):
            total += step[now, mistakes, value]
    return total
