"""Opening hands and what became of them: sums from which the worth of a card follows.

Two settings. `Openings` plays deals as they are and counts each hand's cards beside its outcome. `Swaps` plays each
deal again with one card of an opening hand exchanged for another one. That card comes from anywhere outside the hand,
as in a regression over hands, where a card in one hand is missing from all others; or from the undrawn deck, and then
the others' hands stay as they are.

Hands of one deal depend on each other. Everything is therefore counted in groups of deals that add up over blocks:
leaving out one group at a time gives errors that are clustered by deal.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from simulate.escalation.engine import Table
from simulate.escalation.kernel.dealing import deck_orders
from simulate.escalation.kernel.win_shares import WIN, win_shares
from simulate.escalation.rules import HIGHEST_VALUE, PASS
from simulate.escalation.settings.retelling import retell
from simulate.experiment import Counts, Spec
from simulate.jit import kernel
from simulate.rng import PURPOSE_OTHER, below, draw, draw_bits, stream
from strategies.errors import InputError

GROUPS: Final = 40
"""Groups of deals: deal d is in group d modulo so many."""

CARDS: Final = tuple(range(1, PASS + 1))
"""The codes of all cards: what a hand is counted in."""
PAIR: Final = 2
TRIPLE: Final = 3
FEATURES: Final = len(CARDS) + 2 * HIGHEST_VALUE
"""What is counted of an opening hand: each card's copies; then, for each value, whether it has two or more; three."""
OUTCOMES: Final = ("wins", "scores")
"""What became of a hand: its win share in units of 1/2520, and its penalty cards."""


def hand_features(hands: NDArray[np.uint8]) -> NDArray[np.int64]:
    """Count what is in each hand.

    Parameters
    ----------
    hands
        Card codes, last axis cards in hand.

    Returns
    -------
    numpy.ndarray of int64
        The last axis has the features named at `FEATURES`.
    """
    copies = np.stack([(hands == card).sum(axis=-1) for card in CARDS], axis=-1)
    values = copies[..., :HIGHEST_VALUE]
    return np.concatenate([copies, values >= PAIR, values >= TRIPLE], axis=-1).astype(np.int64)


def hand_outcomes(scores: NDArray[np.int16]) -> NDArray[np.int64]:
    """Return both outcomes of every position; shape (games, players, len(OUTCOMES))."""
    cards = scores.astype(np.int64)
    return np.stack([win_shares(cards, WIN), cards], axis=-1)


@dataclass(frozen=True)
class Openings:
    """Deals played as they are, their opening hands counted.

    Attributes
    ----------
    table
        Who plays; everybody alike, or the seats' strength would mix with their cards'.
    """

    table: Table

    def spec(self) -> Spec:
        """Return everything that determines the counts."""
        return {"game": "escalation openings", "table": self.table.spec()}

    def play_deals(self, seed: int, deals: NDArray[np.int64]) -> Counts:
        """Play deals by number and return their counts, by group of deals unless said otherwise.

        Returns
        -------
        mapping of str to numpy.ndarray of int64
            - those of `opening_sums`.
            - left: cards left in hand at the end, by group, position and card; shape (GROUPS, players, PASS).
        """
        rules = self.table.rules
        orders = deck_orders(self.table.rules.deck, seed, deals)
        played = self.table.play(seed, deals, with_moves=True)
        dealt = orders[:, : rules.players * rules.hand_size].reshape(len(deals), rules.players, rules.hand_size)
        left = retell(rules, orders, played.moves).hands[:, :, 1:]
        sums = opening_sums(deals, hand_features(dealt), hand_outcomes(played.scores))
        return {**sums, "left": by_group(deals, left)}


@dataclass(frozen=True)
class Swaps:
    """Deals played as they are and again for each position with one of its cards exchanged.

    Both cards are drawn anew for each deal and position, each equally likely.

    Attributes
    ----------
    table
        Who plays.
    undrawn
        Whether the other card comes from the undrawn deck, or from anywhere outside the hand.
    """

    table: Table
    undrawn: bool

    def __post_init__(self) -> None:
        """Check that there is a card to exchange with."""
        rules = self.table.rules
        if self.undrawn and rules.players * rules.hand_size == rules.deck.size:
            raise InputError("the whole deck is dealt: the undrawn deck has no card to exchange with")

    def spec(self) -> Spec:
        """Return everything that determines the counts."""
        return {"game": "escalation swaps", "table": self.table.spec(), "undrawn": self.undrawn}

    def play_deals(self, seed: int, deals: NDArray[np.int64]) -> Counts:
        """Play deals by number, once and once per position, and return their counts by group of deals.

        Returns
        -------
        mapping of str to numpy.ndarray of int64
            Those of `swap_sums`.
        """
        base = deck_orders(self.table.rules.deck, seed, deals)
        rules = self.table.rules
        # Row i has the same policy noise in every call; another run of deals has another.
        noise = draw(stream(seed, PURPOSE_OTHER), int(deals[0]))
        before = hand_outcomes(self.table.play_orders(base, noise).scores)
        gained, changes = [], []
        for position in range(rules.players):
            swapped = self.swap_orders(base, seed, deals, position)
            after = hand_outcomes(self.table.play_orders(swapped, noise).scores)
            hand = slice(position * rules.hand_size, (position + 1) * rules.hand_size)
            copies = [hand_features(order[:, hand])[:, : len(CARDS)] for order in (base, swapped)]
            changes.append(copies[1] - copies[0])
            gained.append(after[:, position] - before[:, position])
        return swap_sums(deals, np.stack(changes, axis=1), np.stack(gained, axis=1))

    def swap_orders(
        self, orders: NDArray[np.uint8], seed: int, deals: NDArray[np.int64], position: int
    ) -> NDArray[np.uint8]:
        """Return deck orders with a card of one position's opening hand exchanged."""
        rules = self.table.rules
        swapped = orders.copy()
        key = np.uint64(draw(draw(stream(seed, PURPOSE_OTHER), 1), position))
        skipped = rules.players * rules.hand_size if self.undrawn else 0
        swap_cards(swapped, deals, key, position * rules.hand_size, rules.hand_size, skipped)
        return swapped


def opening_sums(deals: NDArray[np.int64], features: NDArray[np.int64], outcomes: NDArray[np.int64]) -> Counts:
    """Add up what a regression of outcomes on features needs.

    Parameters
    ----------
    deals
        Deal numbers, shape (games,).
    features, outcomes
        Shapes (games, players, features) and (games, players, outcomes).

    Returns
    -------
    mapping of str to numpy.ndarray of int64
        By group of deals: "deals"; sums of "features" and of "outcomes" by position; and, over all positions, the
        "products" of every two features and the "outcome_products" of features and outcomes.
    """
    return {
        "deals": np.bincount(deals % GROUPS, minlength=GROUPS),
        "features": by_group(deals, features),
        "outcomes": by_group(deals, outcomes),
        "products": products_by_group(deals, features, features),
        "outcome_products": products_by_group(deals, features, outcomes),
    }


def swap_sums(deals: NDArray[np.int64], changes: NDArray[np.int64], gained: NDArray[np.int64]) -> Counts:
    """Add up what a regression of gains on exchanged cards needs.

    Parameters
    ----------
    deals
        Deal numbers, shape (games,).
    changes
        Change of each card's copies in the hand, shape (games, players, len(CARDS)).
    gained
        Change of each outcome, shape (games, players, len(OUTCOMES)).

    Returns
    -------
    mapping of str to numpy.ndarray of int64
        By group of deals: "deals", "products" of every two changes, "outcome_products" of changes and gains.
    """
    return {
        "deals": np.bincount(deals % GROUPS, minlength=GROUPS),
        "products": products_by_group(deals, changes, changes),
        "outcome_products": products_by_group(deals, changes, gained),
    }


def by_group(deals: NDArray[np.int64], numbers: NDArray[np.int64], groups: int = GROUPS) -> NDArray[np.int64]:
    """Add up numbers, first axis deals, over each group of deals."""
    group_of = deals % groups
    return np.stack([numbers[group_of == group].sum(axis=0) for group in range(groups)])


def products_by_group(
    deals: NDArray[np.int64], first: NDArray[np.int64], second: NDArray[np.int64]
) -> NDArray[np.int64]:
    """Add up the products of every two numbers of a hand over each group's hands; shape (GROUPS, first, second)."""
    groups = deals % GROUPS
    sums = np.empty((GROUPS, first.shape[-1], second.shape[-1]), dtype=np.int64)
    for group in range(GROUPS):
        left, right = (numbers[groups == group].reshape(-1, numbers.shape[-1]) for numbers in (first, second))
        # Whole numbers far below 2**53: products in floating point are exact, and much faster.
        sums[group] = (left.T.astype(np.float64) @ right.astype(np.float64)).astype(np.int64)
    return sums


@kernel
def swap_cards(
    orders: NDArray[np.uint8], deals: NDArray[np.int64], key: np.uint64, first: int, hand_size: int, skipped: int
) -> None:
    """Exchange, in each order, one of the `hand_size` cards from `first` on for one that is not among them.

    The other one is not among the first `skipped` cards, either, if these include the hand.
    """
    others = orders.shape[1] - max(skipped, hand_size)
    for game in range(deals.shape[0]):
        deal_key = draw_bits(key, np.uint64(deals[game]))
        held = first + np.int64(below(draw_bits(deal_key, np.uint64(0)), np.uint64(hand_size)))
        other = skipped + np.int64(below(draw_bits(deal_key, np.uint64(1)), np.uint64(others)))
        if skipped == 0 and other >= first:
            other += hand_size
        orders[game, held], orders[game, other] = orders[game, other], orders[game, held]
