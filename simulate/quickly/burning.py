"""The search for the best way to lay a planned mistake: a fixed order of the perceived ranks.

Run as a module it writes the stored orders anew (a minute or two): `python -m simulate.quickly.burning`.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from pathlib import Path
from typing import Final

import numpy as np
from numpy.typing import NDArray

from simulate.jit import kernel
from simulate.quickly.game import GroupDeals, GroupRuleNumbers, Round, deal_cards, hear, new_round
from simulate.quickly.hearing import Habits, group_habits
from simulate.quickly.rules import HIGHEST, GroupRules
from simulate.rng import PURPOSE_DECK, PURPOSE_NOISE, draw_bits, stream
from strategies.organising import sort_by_place
from strategies.quickly import QUICKLY, Person
from strategies.templates import MOST_PLANNED

SIGMAS: Final = (0.5, 1.0, 1.5, 2.0, 3.0)
"""The noises that orders are stored for."""

FIRST_SAMPLES: Final = 3_000
"""Rounds on which every order is tried ..."""
FINALISTS: Final = 40
"""... so many of which are tried again, on other rounds:"""
LAST_SAMPLES: Final = 200_000

_SEED: Final = 20
_TABLES: Final = {9: (3, 3), 10: (5, 2)}
"""Players and cards each where there are more cards than players; else everybody has one card."""


@lru_cache(maxsize=4)
def orders_within(cards: int, allowed: int) -> NDArray[np.int64]:
    """Return every order of the ranks that makes at most `allowed` mistakes if all ranks are right.

    Returns
    -------
    numpy.ndarray of int64, shape (orders, cards)
        Ranks from 0, the rising order first.
    """
    return np.array(list(_orders(cards, allowed)), dtype=np.int64)


def _orders(cards: int, allowed: int) -> Iterator[tuple[int, ...]]:
    """Build orders from left to right, with the last card of the row (-1 if there is none) and the mistakes left."""
    stack: list[tuple[tuple[int, ...], int, int]] = [((), -1, allowed)]
    while stack:
        order, last, left = stack.pop()
        if len(order) == cards:
            yield order
            continue
        for rank in range(cards - 1, -1, -1):
            if rank in order:
                continue
            if rank > last:
                stack.append(((*order, rank), rank, left))
            elif left > 0:
                stack.append(((*order, rank), -1, left - 1))


@kernel
def fill_ranked(
    rules: GroupRuleNumbers, habits: Habits, deals: GroupDeals, table: Round, ranked: NDArray[np.int64]
) -> None:
    """Fill `ranked[deal]` with the values in the order in which the organiser perceives them (first rounds only)."""
    for game in range(deals.numbers.shape[0]):
        deal = np.uint64(deals.numbers[game])
        deal_cards(draw_bits(draw_bits(deals.streams[0], deal), np.uint64(0)), rules.cards, table)
        hear(draw_bits(deals.streams[1], deal), 0, deals.numbers[game] % rules.players, rules, habits, table)
        sort_by_place(table.order, 0, rules.cards, table.places)
        for place in range(rules.cards):
            ranked[game, place] = table.values[table.order[place]]


@kernel
def count_good(ranked: NDArray[np.int64], orders: NDArray[np.int64], allowed: int, good: NDArray[np.int64]) -> None:
    """Count, for each order, the rounds in which it makes no more mistakes than allowed."""
    for index in range(orders.shape[0]):
        for sample in range(ranked.shape[0]):
            last, mistakes = 0, 0
            for place in range(orders.shape[1]):
                value = ranked[sample, orders[index, place]]
                if value > last:
                    last = value
                else:
                    last = 0
                    mistakes += 1
            good[index] += 1 if mistakes <= allowed else 0


def perceived(cards: int, sigma: float, first_deal: int, samples: int) -> NDArray[np.int64]:
    """Return the values of so many rounds in perceived order, shape (samples, cards)."""
    players, each = _TABLES.get(cards, (cards, 1))
    rules = GroupRules.printed(players, cards_each=each, mistakes=0)
    person = QUICKLY.strategy(f"plain,sigma={sigma!r}")
    assert isinstance(person, Person)
    numbers = GroupRuleNumbers(players, each, cards, 0, rules.target)
    streams = np.array([stream(_SEED, PURPOSE_DECK), stream(_SEED, PURPOSE_NOISE)], dtype=np.uint64)
    ranked = np.empty((samples, cards), dtype=np.int64)
    deals = GroupDeals(np.arange(first_deal, first_deal + samples), streams)
    fill_ranked(numbers, group_habits((person,) * players, rules), deals, new_round(), ranked)
    return ranked


def good_rounds(ranked: NDArray[np.int64], orders: NDArray[np.int64], allowed: int) -> NDArray[np.int64]:
    """Return in how many of the rounds each order keeps within the allowance, shape (orders,)."""
    good = np.zeros(len(orders), dtype=np.int64)
    count_good(ranked, orders, allowed, good)
    return good


def best_order(cards: int, allowed: int, sigma: float) -> tuple[list[int], float]:
    """Search for the order that keeps within the allowance most often.

    Every order that would do if all ranks were right is tried on a few rounds, the best of them again on many others.

    Returns
    -------
    tuple of (list of int, float)
        The perceived rank, from 0, to flip first, second, and so on; and its share of good rounds.
    """
    orders = orders_within(cards, allowed)
    first = good_rounds(perceived(cards, sigma, 0, FIRST_SAMPLES), orders, allowed)
    finalists = orders[np.argsort(-first, kind="stable")[:FINALISTS]]
    last = good_rounds(perceived(cards, sigma, FIRST_SAMPLES, LAST_SAMPLES), finalists, allowed)
    best = int(np.argmax(last))
    return [int(rank) for rank in finalists[best]], float(last[best]) / LAST_SAMPLES


def as_toml() -> str:
    """Return all orders as the text of the file that stores them."""
    lines = [
        "# The best order in which to lay perceived ranks (1 = seems lowest) when a mistake may be planned.",
        "# Found by search: python -m simulate.quickly.burning. `good` is the share of good rounds in that search.",
    ]
    for cards in range(2, HIGHEST + 1):
        lines += ["", f"[cards_{cards}]"]
        for allowed in range(1, MOST_PLANNED + 1):
            lines.append(f"mistakes_{allowed} = [")
            for sigma in SIGMAS:
                order, good = best_order(cards, allowed, sigma)
                ranks = ", ".join(str(rank + 1) for rank in order)
                lines.append(f"    {{ sigma = {sigma}, order = [{ranks}], good = {good:.3f} }},")
            lines.append("]")
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    home = Path(__file__).resolve().parents[2] / "strategies" / "burn_templates.toml"
    home.write_text(as_toml(), encoding="utf-8")
