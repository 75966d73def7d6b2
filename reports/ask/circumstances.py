"""Where a change holds: other table sizes, decks, rulings and opponents, with one rate of false discoveries for all."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import reduce
from typing import Any, Final, Literal

import numpy as np

from reports.ask.verdict import Stopping
from reports.estimates.betting import PER_HUNDRED, discoveries, evidence, watched_interval, watched_wins
from reports.estimates.beyond_noise import BeyondNoise, beyond_noise
from reports.estimates.intervals import Interval, interval_data
from simulate import Experiment
from simulate.blocks import JUDGING_BLOCK, add_counts
from simulate.escalation.rules import PRESETS, RULINGS, Deck
from simulate.escalation.settings.comparison import Comparison
from simulate.experiment import Counts
from simulate.rng import PURPOSE_OTHER, draw, stream
from simulate.ruling import rulings_note
from simulate.runner import USUAL, How, Job, followed
from strategies.catalogue import named_strategies
from strategies.errors import InputError
from strategies.strategy import Strategy

CircumstanceKind = Literal["players", "deck", "unequal deck", "ruling", "opponents"]
Claim = Literal["helps", "hurts", "does not matter", "not clear"]

PLAYER_COUNTS: Final = (2, 3, 4, 5, 6)
UNEQUAL_DECKS: Final = 64
CARDS_MOVED: Final = 12
"""An unequal deck is the deck asked about with so many cards moved from one value to another."""
MOST_OF_A_VALUE: Final = 8
ENSEMBLE_SEED: Final = 56
"""The ensemble is the same for every question and seed."""
FALSE_RATE: Final = 0.05
"""On average at most this share of the places said to help or to hurt are named wrongly."""
BLOCKS: Final = 2
"""Blocks of deals per circumstance, by which differences beyond noise are told from noise (`beyond_noise`)."""
MORE_BLOCKS: Final = 4
"""The same for kinds of few circumstances, whose noise would not be known well enough otherwise."""


@dataclass(frozen=True)
class Circumstance:
    """One way in which the game could be another: its kind, its name, and the comparison there."""

    kind: CircumstanceKind
    name: str
    comparison: Comparison


@dataclass(frozen=True)
class CircumstanceEffect:
    """What a change does in one circumstance.

    Attributes
    ----------
    kind, name
        The circumstance.
    wins
        The effect in wins per 100, anytime-valid, for this circumstance alone.
    evidence
        The e-value against no effect.
    effect
        What can be said when all circumstances are looked at together (e-BH).
    by_block
        The effect in each block of deals, wins per 100.
    """

    kind: CircumstanceKind
    name: str
    wins: Interval
    evidence: float
    effect: Claim
    by_block: tuple[float, ...] = ()

    def as_data(self) -> dict[str, object]:
        """Return everything as plain data."""
        return {
            "kind": self.kind,
            "name": self.name,
            "wins_per_100": interval_data(self.wins),
            "e_value": self.evidence,
            "effect": self.effect,
        }


def unequal_decks(deck: Deck) -> list[Deck]:
    """Return decks of the same size with unequal numbers of copies per value; always the same ones for a deck."""
    return [_unequal(deck, number) for number in range(UNEQUAL_DECKS)]


def _unequal(deck: Deck, number: int) -> Deck:
    key = draw(stream(ENSEMBLE_SEED, PURPOSE_OTHER), number)
    copies = list(deck.copies)
    for move in range(CARDS_MOVED):
        givers = [value for value, count in enumerate(copies) if count > 1]
        takers = [value for value, count in enumerate(copies) if count < MOST_OF_A_VALUE]
        if givers and takers:
            copies[givers[draw(key, 2 * move) % len(givers)]] -= 1
            copies[takers[draw(key, 2 * move + 1) % len(takers)]] += 1
    return Deck(tuple(copies), deck.wilds, deck.passes)


def circumstances(comparison: Comparison) -> list[Circumstance]:
    """Return every circumstance, the case asked about being one of the table sizes; impossible tables are left out."""
    rules, usual, found = comparison.rules, comparison.opponents[0], []

    def add(kind: CircumstanceKind, name: str, changes: dict[str, Any], opponent: Strategy = usual) -> None:
        # Too few cards for so many players, or a deck that a ruling does not suit: there is no such game.
        with suppress(InputError):
            other = replace(rules, **changes)
            opponents = (opponent,) * (other.players - 1)
            found.append(Circumstance(kind, name, replace(comparison, rules=other, opponents=opponents)))

    for players in PLAYER_COUNTS:
        add("players", f"{players} players", {"players": players})
    for name, deck in PRESETS.items():
        add("deck", name, {"deck": deck})
    for deck in unequal_decks(rules.deck):
        add("unequal deck", str(deck), {"deck": deck})
    for name in RULINGS:
        turned = rules.turned_over(name)
        add("ruling", rulings_note(turned), dict(turned))
    for name, entry in named_strategies().items():
        add("opponents", name, {}, entry.strategy)
    return found


def measure_circumstances(
    comparison: Comparison, seed: int, stopping: Stopping, how: How = USUAL
) -> tuple[CircumstanceEffect, ...]:
    """Measure a change in every circumstance, on a planned number of deals each.

    Parameters
    ----------
    comparison
        The change in the case asked about.
    seed
        The seed of all randomness.
    stopping
        Its margin is the greatest effect that does not matter; its alpha is that of each interval.
    how
        How to run; no number depends on it.
    """
    places = circumstances(comparison)
    experiment = Experiment(tuple(place.comparison for place in places), seed)
    blocks = [BLOCKS if place.kind == "unequal deck" else MORE_BLOCKS for place in places]
    jobs = [Job(place, JUDGING_BLOCK + block) for place, wanted in enumerate(blocks) for block in range(wanted)]
    played: list[list[Counts]] = [[] for _ in places]
    for job, counts in followed(experiment, jobs, len(jobs), how):
        played[job.setting].append(counts)
    every = [watched_wins(reduce(add_counts, counts)) for counts in played]
    evidences = [evidence(watched, 0.0) for watched in every]
    effects = []
    for number, found in enumerate(discoveries(evidences, FALSE_RATE)):
        wins = watched_interval(every[number], stopping.alpha)
        effect = effect_of(wins, stopping.margin * PER_HUNDRED, discovered=bool(found))
        by_block = tuple(watched_wins(counts).mean for counts in played[number])
        place = places[number]
        effects.append(CircumstanceEffect(place.kind, place.name, wins, evidences[number], effect, by_block))
    return tuple(effects)


def effect_of(wins: Interval, margin: float, *, discovered: bool) -> Claim:
    """Say what a change does: nothing that matters, something, or something that is not clear yet."""
    if -margin <= wins.low and wins.high <= margin:
        return "does not matter"
    if not discovered:
        return "not clear"
    return "helps" if wins.estimate > 0 else "hurts"


def spreads(places: Sequence[CircumstanceEffect]) -> dict[CircumstanceKind, BeyondNoise]:
    """Return how far the effect differs beyond noise over the circumstances of each kind."""
    found: dict[CircumstanceKind, BeyondNoise] = {}
    for kind in dict.fromkeys(place.kind for place in places):
        groups = np.array([place.by_block for place in places if place.kind == kind]).T
        if min(groups.shape) > 1:
            found[kind] = beyond_noise(groups)
    return found
