"""Exact results: random order by counting, games from rounds, sorting by quadrature, timing by backward induction."""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction
from functools import cache, lru_cache
from itertools import combinations, pairwise
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from simulate.quickly.hearing import clarity, deviation, said_at
from simulate.quickly.rules import HIGHEST, VALUES, GroupRules
from strategies.errors import InputError
from strategies.quickly import SORT, Person

NODES: Final = 8
"""Points of each panel of the quadrature; with 6 results agree to ten decimals already."""
REACH: Final = 8.5
"""Standard deviations beyond which nothing is heard (the chance of more is below 1e-16)."""
LEAST_SIGMA: Final = 0.05
"""Below this no two cards are ever confused: they are at least 14 standard deviations of their difference apart."""


# --- Random order --------------------------------------------------------------------------------------------------


@cache
def mistake_counts(cards: int) -> tuple[int, ...]:
    """Return how many of all cards! orders make 0, 1, 2, ... mistakes.

    Row by row: of n cards left, a row that ends with a mistake takes k + 1 of them (k rising ones, then a lower one),
    which can be chosen in C(n, k + 1) ways and laid in k, since any but the highest may come last.
    """
    counts = [0] * (cards // 2 + 1)
    counts[0] = 1
    for taken in range(2, cards + 1):
        ways = math.comb(cards, taken) * (taken - 1)
        for mistakes, following in enumerate(mistake_counts(cards - taken)):
            counts[mistakes + 1] += ways * following
    return tuple(counts)


def random_order(cards: int, allowed: int) -> Fraction:
    """Return the chance that cards flipped in uniformly random order make at most `allowed` mistakes."""
    counts = mistake_counts(cards)
    return Fraction(sum(counts[: allowed + 1]), math.factorial(cards))


# --- The game from its rounds --------------------------------------------------------------------------------------


def win_chance(good: Fraction | float, target: int = 3) -> Fraction | float:
    """Return the chance to win the game if every round is good with this chance, independently."""
    bad = 1 - good
    return good**target * sum(math.comb(target - 1 + lost, lost) * bad**lost for lost in range(target))


def expected_rounds(good: Fraction | float, target: int = 3) -> Fraction | float:
    """Return how many rounds a game takes on average."""
    bad = 1 - good
    return sum(
        (target + lost) * math.comb(target - 1 + lost, lost) * (good**target * bad**lost + bad**target * good**lost)
        for lost in range(target)
    )


# --- Sorting by point estimate -------------------------------------------------------------------------------------


RowState = tuple[int, int, int]
"""What lies on the table: the values flipped (as bits), the last value of the row or 0, and the mistakes made."""


class _Moves(NamedTuple):
    """Flips of one more card of the others, sorted by the state that they lead to.

    Attributes
    ----------
    sources, values
        The state before, and the value flipped, shape (moves,).
    targets, starts
        Every state reached, and where its moves start; shape (states reached,).
    """

    sources: NDArray[np.int64]
    values: NDArray[np.int64]
    targets: NDArray[np.int64]
    starts: NDArray[np.int64]


@dataclass(frozen=True)
class _States:
    """Every state of a round in which the organiser holds certain values, and how flips lead from one to another."""

    index: dict[RowState, int]
    steps: tuple[_Moves, ...]


def _after(state: RowState, value: int, allowed: int) -> RowState | None:
    """Return the state after a flip; None if the round is lost."""
    flipped, last, mistakes = state
    if value > last:
        return flipped | 1 << value, value, mistakes
    return (flipped | 1 << value, 0, mistakes + 1) if mistakes < allowed else None


@lru_cache(maxsize=64)
def _states(own: tuple[int, ...], others: int, allowed: int) -> _States:
    """List the states of a round whose organiser holds these values, level by level of others' cards flipped.

    Own cards are flipped in rising order, at any level.
    """
    index: dict[RowState, int] = {(0, 0, 0): 0}
    free = [value for value in VALUES if value not in own]
    level = [(0, 0, 0)]
    steps = []
    for flipped in range(others + 1):
        for value in own:
            # Those that the flip of an own card leads to belong to the same level.
            reached = [_after(state, value, allowed) for state in level if _next_own(state, own) == value]
            level += dict.fromkeys(state for state in reached if state is not None and state not in index)
            index = _numbered(index, level)
        if flipped < others:
            moves = [
                (state, value, target)
                for state in level
                for value in free
                if not state[0] >> value & 1 and (target := _after(state, value, allowed)) is not None
            ]
            level = list(dict.fromkeys(target for _, _, target in moves))
            index = _numbered(index, level)
            steps.append(_sorted_moves([(index[source], value, index[target]) for source, value, target in moves]))
    return _States(index, tuple(steps))


def _numbered(index: dict[RowState, int], states: list[RowState]) -> dict[RowState, int]:
    """Give the next numbers to the states that have none yet."""
    for state in states:
        index.setdefault(state, len(index))
    return index


def _next_own(state: RowState, own: tuple[int, ...]) -> int | None:
    """Return the lowest own value that is not flipped."""
    return next((value for value in own if not state[0] >> value & 1), None)


def _sorted_moves(moves: list[tuple[int, int, int]]) -> _Moves:
    columns = np.array(sorted(moves, key=lambda move: move[2]), dtype=np.int64).reshape(-1, 3).T
    targets, starts = np.unique(columns[2], return_index=True)
    return _Moves(columns[0], columns[1], targets, starts)


@lru_cache(maxsize=1)
def _panel() -> tuple[NDArray[np.float64], NDArray[np.float64], NDArray[np.float64]]:
    """Return nodes and weights of a panel on (0, 1), and the matrix that integrates from 0 up to each node."""
    nodes, weights = np.polynomial.legendre.leggauss(NODES)
    powers = np.arange(NODES)
    vandermonde = np.polynomial.legendre.legvander(nodes, NODES - 1)
    integrals = np.empty((NODES, NODES))
    for power in powers:
        antiderivative = np.polynomial.legendre.legint(np.eye(NODES)[power], lbnd=-1)
        integrals[:, power] = np.polynomial.legendre.legval(nodes, antiderivative)
    upwards = integrals @ np.linalg.inv(vandermonde)
    return (nodes + 1) / 2, weights / 2, upwards / 2


@dataclass(frozen=True)
class _Hearing:
    """Means and standard deviations with which an organiser hears each value 0-10 (0 unused)."""

    means: NDArray[np.float64]
    spreads: NDArray[np.float64]

    def density(self, places: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return the density of each value at places, shape (11, places)."""
        deviations = (places - self.means[:, None]) / self.spreads[:, None]
        scale = self.spreads[:, None] * math.sqrt(2 * math.pi)
        density: NDArray[np.float64] = np.exp(-(deviations**2) / 2) / scale
        return density

    def panels(self, low: float, high: float) -> NDArray[np.float64]:
        """Cut a stretch of the scale into panels narrow enough for smooth integrands; shape (panels + 1,)."""
        first, last = float(np.min(self.means[1:])), float(np.max(self.means[1:]))
        margin = REACH * float(np.max(self.spreads[1:]))
        low, high = max(low, first - margin), min(high, last + margin)
        count = max(1, math.ceil((high - low) / max(float(np.min(self.spreads[1:])), LEAST_SIGMA)))
        return np.linspace(low, max(high, low), count + 1)


def _sweep(
    states: _States, start: NDArray[np.float64], hearing: _Hearing, edges: NDArray[np.float64]
) -> NDArray[np.float64]:
    """Carry the chance of each state along the scale: return it at the last edge, given it at the first.

    "In state s at place t" means: the cards flipped in s are heard below t and lead to s. It grows with t by the
    density of the last card times the chance of the state before, one level of cards after another.
    """
    nodes, weights, upwards = _panel()
    widths = np.diff(edges)
    density = hearing.density((edges[:-1, None] + widths[:, None] * nodes).ravel()).reshape(HIGHEST + 1, -1, NODES)
    inside = np.zeros((len(start), len(widths), NODES))
    inside += start[:, None, None]
    final = start.copy()
    for moves in states.steps:
        if len(moves.targets) == 0:
            continue
        slopes = np.add.reduceat(density[moves.values] * inside[moves.sources], moves.starts)
        whole = (slopes @ weights) * widths
        before = np.cumsum(whole, axis=1) - whole
        inside[moves.targets] += before[:, :, None] + (slopes @ upwards.T) * widths[:, None]
        final[moves.targets] += whole.sum(axis=1)
    return final


def _success_holding(own: tuple[int, ...], others: int, allowed: int, hearing: _Hearing) -> float:
    """Return the chance of a good round for an organiser who holds these values, the others drawn from the rest."""
    states = _states(own, others, allowed)
    chance = np.zeros(len(states.index))
    chance[0] = 1.0
    places = [-math.inf, *map(float, own), math.inf]
    for number, (low, high) in enumerate(pairwise(places)):
        chance = _sweep(states, chance, hearing, hearing.panels(low, high))
        if number < len(own):
            chance = _flip_own(states, chance, own[number], allowed)
    whole = others + len(own)
    good = sum(chance[place] for state, place in states.index.items() if state[0].bit_count() == whole)
    return float(good) / math.comb(HIGHEST - len(own), others)


def _flip_own(states: _States, chance: NDArray[np.float64], value: int, allowed: int) -> NDArray[np.float64]:
    """Flip an own card in every state."""
    after = np.zeros_like(chance)
    for state, place in states.index.items():
        if state[0] >> value & 1 == 0 and chance[place] > 0:
            target = _after(state, value, allowed)
            if target is not None and target in states.index:
                after[states.index[target]] += chance[place]
    return after


def check_sort(person: Person) -> None:
    """Check that a group of such persons can be worked out exactly.

    Raises
    ------
    InputError
        If they share a frame, do not sort, shift their own cards or plan mistakes.
    """
    for name, needed in (("shared_frame", 0.0), ("organiser", float(SORT)), ("own_shift", 0.0), ("burn", 0.0)):
        if person[name] != needed:
            known = person.vocabulary.parameter(name)
            raise InputError(f"exact results need {name}={known.show(needed)}, not {known.show(person[name])}")


def sort_success(rules: GroupRules, person: Person) -> float:
    """Return the chance of a good round if everybody is such a person and cards are flipped by point estimate.

    By quadrature, to better than six decimals.

    Raises
    ------
    InputError
        If the person does anything that is not covered (see `check_sort`).
    """
    hearing = _hearing_of(rules, person)
    if hearing is None:
        return 1.0
    held = list(combinations(VALUES, rules.cards_each))
    others = rules.cards - rules.cards_each
    return sum(_success_holding(own, others, rules.mistakes, hearing) for own in held) / len(held)


def _hearing_of(rules: GroupRules, person: Person) -> _Hearing | None:
    """Return how an organiser hears the others; None if no two cards are ever confused."""
    check_sort(person)
    whole = deviation([person] * rules.players, 0, 1)
    if whole < LEAST_SIGMA and person["spread"] == 0:
        return None
    means = np.array([0.0, *(said_at(person, value) for value in VALUES)])
    spreads = np.array([1.0, *(whole * clarity(person, value) for value in VALUES)])
    if np.min(spreads) < LEAST_SIGMA:
        raise InputError(
            f"exact results need every value to be heard with a noise of {LEAST_SIGMA} or more: raise sigma"
        )
    return _Hearing(means, spreads)


# --- The best timing of own cards ----------------------------------------------------------------------------------


def timing_success(rules: GroupRules, person: Person) -> float:
    """Return the chance of a good round if own cards are flipped at the best time, the others in the order perceived.

    The organiser knows the perceived order of the others, not how far apart they seem. Every flip is a choice between
    the lowest own card and the next of the others, and what was flipped is known. The best choice follows by backward
    induction over the values flipped, with the chance that each set of values is perceived in the right order from
    quadrature. No mistake may be allowed.

    Raises
    ------
    InputError
        If the rules allow mistakes, or the person does anything that is not covered (see `check_sort`).
    """
    if rules.mistakes:
        raise InputError("the best timing of own cards is worked out for rules that allow no mistake: mistakes 0")
    hearing = _hearing_of(rules, person)
    if hearing is None:
        return 1.0
    others = rules.cards - rules.cards_each
    states = _states((), others, 0)
    start = np.zeros(len(states.index))
    start[0] = 1.0
    final = _sweep(states, start, hearing, hearing.panels(-math.inf, math.inf))
    in_order = {
        state[0]: float(final[place]) for state, place in states.index.items() if state[0].bit_count() == others
    }
    held = list(combinations(VALUES, rules.cards_each))
    total = sum(_best_timing(own, others, in_order) for own in held)
    return total / len(held) / math.comb(HIGHEST - rules.cards_each, others)


def _best_timing(own: tuple[int, ...], others: int, in_order: dict[int, float]) -> float:
    """Add up, over the sets of the others' values, the chances of a flawless row under the best timing."""

    @cache
    def best(flipped: int, own_done: int) -> float:
        """Return the best total from here on; `flipped` holds the others' values so far, as bits."""
        floor = max(own[own_done - 1] if own_done else 0, flipped.bit_length() - 1)
        if own_done == len(own):
            higher = (value for value in VALUES if value > floor)
            missing = others - flipped.bit_count()
            return sum(in_order[flipped | sum(1 << value for value in rest)] for rest in combinations(higher, missing))
        flip_own = best(flipped, own_done + 1)
        if flipped.bit_count() == others:
            return flip_own
        return max(flip_own, sum(best(flipped | 1 << value, own_done) for value in range(floor + 1, own[own_done])))

    return best(0, 0)
