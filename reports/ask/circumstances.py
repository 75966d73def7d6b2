"""Where a change holds: other table sizes, decks, rulings and opponents, with one rate of false discoveries for all."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final, Literal

from reports.estimates.betting import PER_HUNDRED, discoveries, evidence, watched_interval, watched_wins
from reports.estimates.intervals import Interval, interval_data
from simulate import Experiment, run
from simulate.escalation.rules import PRESETS, RULINGS, Deck, Rules
from simulate.escalation.settings.comparison import Comparison
from simulate.rng import PURPOSE_OTHER, draw, stream
from simulate.runner import How, Progress, Workers
from strategies.catalogue import named_strategies
from strategies.errors import InputError

CircumstanceKind = Literal["players", "deck", "unequal deck", "ruling", "opponents"]
Effect = Literal["helps", "hurts", "does not matter", "not clear"]

PLAYER_COUNTS: Final = (2, 3, 4, 5, 6)
UNEQUAL_DECKS: Final = 64
CARDS_MOVED: Final = 12
"""An unequal deck is the deck asked about with so many cards moved from one value to another."""
MOST_OF_A_VALUE: Final = 8
ENSEMBLE_SEED: Final = 56
"""The ensemble is the same for every question and seed."""
FALSE_RATE: Final = 0.05
"""On average at most this share of the places said to help or to hurt are named wrongly."""
DEALS: Final = 10_080


@dataclass(frozen=True)
class Circumstance:
    """One way in which the game could be another: its kind, its name, and the comparison there."""

    kind: CircumstanceKind
    name: str
    comparison: Comparison


@dataclass(frozen=True)
class Elsewhere:
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
    """

    kind: CircumstanceKind
    name: str
    wins: Interval
    evidence: float
    effect: Effect

    def as_data(self) -> dict[str, Any]:
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
    """Return everywhere to look, the case asked about being among the table sizes; impossible tables are left out."""
    rules, found = comparison.rules, []

    def add(kind: CircumstanceKind, name: str, changed: Callable[[], Comparison]) -> None:
        try:
            found.append(Circumstance(kind, name, changed()))
        except InputError:
            # Too few cards for so many players, or a deck that a ruling does not suit: there is no such game.
            return

    def with_rules(other: Rules) -> Comparison:
        return replace(comparison, rules=other, opponents=(comparison.opponents[0],) * (other.players - 1))

    for players in PLAYER_COUNTS:
        add("players", f"{players} players", lambda n=players: with_rules(replace(rules, players=n)))  # type: ignore[misc]
    for name, preset in PRESETS.items():
        add("deck", name, lambda deck=preset: with_rules(replace(rules, deck=deck)))  # type: ignore[misc]
    for deck in unequal_decks(rules.deck):
        add("unequal deck", str(deck), lambda deck=deck: with_rules(replace(rules, deck=deck)))  # type: ignore[misc]
    for name in RULINGS:
        value = not getattr(rules, name)
        add("ruling", f"{name}={str(value).lower()}", lambda n=name, v=value: with_rules(rules.with_rulings({n: v})))  # type: ignore[misc]
    for name, entry in named_strategies().items():
        opponents = (entry.strategy,) * (rules.players - 1)
        add("opponents", name, lambda opponents=opponents: replace(comparison, opponents=opponents))  # type: ignore[misc]
    return found


def look_elsewhere(
    comparison: Comparison,
    seed: int,
    margin: float,
    alpha: float,
    *,
    deals: int = DEALS,
    workers: Workers | None = None,
    on_progress: Callable[[Progress], None] | None = None,
) -> tuple[Elsewhere, ...]:
    """Measure a change in every circumstance, on a planned number of deals each.

    Parameters
    ----------
    comparison
        The change in the case asked about.
    seed
        The seed of all randomness.
    margin, alpha
        The greatest effect on the win share that does not matter; the level of each interval.
    deals
        Deals per circumstance.
    workers, on_progress
        As for `simulate.run`.
    """
    places = circumstances(comparison)
    experiment = Experiment(tuple(place.comparison for place in places), seed)
    how = How(workers=workers, on_progress=on_progress)
    every = [watched_wins(counts) for counts in run(experiment, deals, how)]
    evidences = [evidence(watched, 0.0) for watched in every]
    found = discoveries(evidences, FALSE_RATE)
    answers = []
    for place, watched, value, real in zip(places, every, evidences, found, strict=True):
        wins = watched_interval(watched, alpha)
        effect = effect_of(wins, margin * PER_HUNDRED, discovered=bool(real))
        answers.append(Elsewhere(place.kind, place.name, wins, value, effect))
    return tuple(answers)


def effect_of(wins: Interval, margin: float, *, discovered: bool) -> Effect:
    """Say what a change does: nothing that matters, something, or something that is not clear yet."""
    if -margin <= wins.low and wins.high <= margin:
        return "does not matter"
    if not discovered:
        return "not clear"
    return "helps" if wins.estimate > 0 else "hurts"


def span(places: Sequence[Elsewhere]) -> tuple[float, float]:
    """Return the least and the greatest effect over some circumstances."""
    estimates = [place.wins.estimate for place in places]
    return min(estimates), max(estimates)
