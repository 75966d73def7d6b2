"""The worth of a card in the opening hand, from sums over hands.

The cards of a hand add up to its size, so no card has a worth of its own; only differences between cards can be known.
Each is told against the deck's average card: the worths, weighted by the copies in the deck, add up to zero.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from reports.estimates.intervals import LEVEL, Interval
from reports.estimates.jackknife import jackknife
from simulate.escalation.kernel.win_shares import WIN
from simulate.escalation.rules import HIGHEST_VALUE, Deck
from simulate.escalation.settings.openings import CARDS, FEATURES, OUTCOMES
from simulate.experiment import Counts

UNITS: Final = np.array([100 / WIN, 1.0])
"""From the units that outcomes are counted in to wins per 100 games and penalty cards."""

COPIES: Final = np.eye(FEATURES)[:, : len(CARDS)]
"""The features of a hand that a model of its cards alone looks at."""
PAIRS: Final = np.eye(FEATURES)[:, len(CARDS) : len(CARDS) + HIGHEST_VALUE]
TRIPLES: Final = np.eye(FEATURES)[:, len(CARDS) + HIGHEST_VALUE :]


@dataclass(frozen=True)
class Worth:
    """What one thing in the opening hand is worth: in wins per 100 games, and in penalty cards (fewer are better)."""

    wins: Interval
    cards: Interval


def card_worths(sums: Counts, deck: Deck, level: float = LEVEL) -> list[Worth]:
    """Return the worth of each card against the average card, in the order of `CARDS`.

    Parameters
    ----------
    sums
        As `openings.opening_sums` returns them: a regression within each position, clustered by deal.
    deck
        What was dealt from.
    level
        Of each interval.
    """
    return _worths(jackknife(sums, lambda whole: _against_average(_regression(whole, COPIES), deck).ravel(), level))


def swap_worths(sums: Counts, deck: Deck, level: float = LEVEL) -> list[Worth]:
    """Return the same from exchanged cards: `openings.swap_sums`, a regression of gains on changes."""

    def estimate(whole: Counts) -> NDArray[np.float64]:
        found = np.linalg.lstsq(whole["products"].astype(float), whole["outcome_products"].astype(float), rcond=None)[0]
        return _against_average(found, deck).ravel()

    return _worths(jackknife(sums, estimate, level))


def set_worths(sums: Counts, level: float = LEVEL) -> list[Worth]:
    """Return what a pair of a value, and what a triple, is worth beyond its cards and (the triple) beyond the pair."""
    pooled = np.column_stack([COPIES, PAIRS.sum(axis=1), TRIPLES.sum(axis=1)])
    return _worths(jackknife(sums, lambda whole: _regression(whole, pooled)[len(CARDS) :].ravel(), level))


def pair_worths(sums: Counts) -> list[Worth]:
    """Return what a pair of each value 1-13 is worth beyond its two cards."""
    by_value = np.column_stack([COPIES, PAIRS, TRIPLES.sum(axis=1)])
    pairs = slice(len(CARDS), len(CARDS) + HIGHEST_VALUE)
    return _worths(jackknife(sums, lambda whole: _regression(whole, by_value)[pairs].ravel()))


def _regression(sums: Counts, columns: NDArray[np.float64]) -> NDArray[np.float64]:
    """Regress outcomes on combinations of features within each position; shape (columns, len(OUTCOMES)).

    What the sums leave open (a card more for all cards alike) is settled by the least such numbers.
    """
    features, outcomes = sums["features"].astype(float), sums["outcomes"].astype(float)
    products = sums["products"] - features.T @ features / sums["deals"]
    outcome_products = sums["outcome_products"] - features.T @ outcomes / sums["deals"]
    found: NDArray[np.float64] = np.linalg.lstsq(
        columns.T @ products @ columns, columns.T @ outcome_products, rcond=1e-10
    )[0]
    return found


def _against_average(worths: NDArray[np.float64], deck: Deck) -> NDArray[np.float64]:
    copies = np.array([*deck.copies, deck.wilds, deck.passes], dtype=float)
    against: NDArray[np.float64] = worths - copies @ worths / copies.sum()
    return against


def _worths(numbers: Sequence[Interval]) -> list[Worth]:
    """Pair up numbers that alternate between the outcomes."""
    scaled = [number.times(UNITS[place % len(OUTCOMES)]) for place, number in enumerate(numbers)]
    return [Worth(wins, cards) for wins, cards in zip(scaled[::2], scaled[1::2], strict=True)]
