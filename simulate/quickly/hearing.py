"""What organisers hear: the noise of answers as a table of normal quantiles, and a group's habits as whole numbers."""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import lru_cache
from statistics import NormalDist
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from simulate.jit import jitted
from simulate.quickly.rules import HIGHEST, MIDDLE_VALUE, VALUES, GroupRules
from strategies.organising import INVERSE_BITS, MOST_CARDS, MOST_INVERSE, PLACE, STEPS_PER_DEVIATION, likelihoods
from strategies.quickly import Person
from strategies.templates import template

QUANTILES: Final = 1 << 15
"""Entries of the table: the quantiles of the upper half of the normal distribution."""

ANSWERS_PER_DRAW: Final = 4
"""Normals taken from one 64-bit draw, 16 bits each: a sign and the number of a quantile."""

DRAWS_PER_ROUND: Final = 4
"""Draws set aside for each round; the common offset is the last answer of the last but one."""

OFFSET_ANSWER: Final = 11

_SIGN = np.uint64(1)
_INDEX = np.uint64(QUANTILES - 1)
_HALF: Final = PLACE // 2


@lru_cache(maxsize=1)
def quantiles() -> NDArray[np.int64]:
    """Return the quantiles of the middles of 32,768 equally likely classes of |Z|, in units of 1/65536.

    With a sign they make 65,536 equally likely values; the largest is 4.3. Rounding to 1/65536 hides what different
    machines' logarithms might differ in (a test checks the table's digest).
    """
    normal = NormalDist()
    classes = (0.5 + (entry + 0.5) / (2 * QUANTILES) for entry in range(QUANTILES))
    return np.array([round(PLACE * normal.inv_cdf(share)) for share in classes], dtype=np.int64)


@jitted
def normal_of(bits: np.uint64, table: NDArray[np.int64]) -> int:
    """Turn the lowest 16 bits of a word into a standard normal, in units of 1/65536."""
    quantile: int = table[(bits >> _SIGN) & _INDEX]
    return quantile if bits & _SIGN else -quantile


@jitted
def heard_at(said: int, noise: int, frame: int, own_normal: int, common_normal: int) -> int:
    """Return the place at which an answer is heard: what it says, its own noise and the common offset."""
    return said + ((noise * own_normal + frame * common_normal + _HALF) >> 16)


class Habits(NamedTuple):
    """How a group answers, listens and organises, by position and in whole numbers; rounded once, in `group_habits`.

    Attributes
    ----------
    said
        Where on the scale a speaker's answer to a value lies, shape (players, 11).
    noise, frame
        Standard deviations of an answer's own noise and of the common offset that is left in it, by organiser, speaker
        and value; shape (players, players, 11).
    inverse
        For the organiser's belief: steps of the likelihood table per unit of place, by organiser, speaker, value and
        number of others' cards already seen; shape (players, players, 11, 11).
    shrink
        The share of the mean deviation of the cards already seen, times their number, that is put down to the common
        offset; by organiser and their number, shape (players, 11).
    organiser, shift, burns
        How each position organises, shape (players,).
    templates
        The order of perceived ranks that each position lays when it plans a mistake, shape (players, 10).
    quantiles, likelihoods
        The tables.
    """

    said: NDArray[np.int64]
    noise: NDArray[np.int64]
    frame: NDArray[np.int64]
    inverse: NDArray[np.int64]
    shrink: NDArray[np.int64]
    organiser: NDArray[np.int64]
    shift: NDArray[np.int64]
    burns: NDArray[np.int64]
    templates: NDArray[np.int64]
    quantiles: NDArray[np.int64]
    likelihoods: NDArray[np.int64]


def deviation(persons: Sequence[Person], organiser: int, speaker: int) -> float:
    """Return the standard deviation of a speaker's answers in an organiser's ears, for a card in the middle.

    The listeners are the organiser and the next persons clockwise, the speaker left out, as many as the organiser's
    `talk` says and as there are.
    """
    count = len(persons)
    around = [(organiser + step) % count for step in range(count)]
    listeners = [persons[seat] for seat in around if seat != speaker][: int(persons[organiser]["talk"])]
    heard = sum(person["listening"] * person["sigma"] ** 2 for person in listeners) / len(listeners) ** 2
    return math.sqrt((1 - persons[speaker]["listening"]) * persons[speaker]["sigma"] ** 2 + heard)


def clarity(person: Person, value: int) -> float:
    """Return what the noise of a value is multiplied with."""
    return 1 - person["clear_ends"] * abs(value - MIDDLE_VALUE) / (HIGHEST - MIDDLE_VALUE)


def said_at(person: Person, value: int) -> float:
    """Return where on the scale of values a person's answer lies."""
    return MIDDLE_VALUE + (1 + person["spread"]) * (value - MIDDLE_VALUE)


def left_unknown(person: Person, seen: int) -> tuple[float, float]:
    """Return how much of the deviation of cards already seen is the common offset's, and the share of variance left."""
    own, common = 1 - person["shared_frame"], person["shared_frame"] * (1 - person["own_anchor"]) ** 2
    if own + common == 0:
        return 0.0, 0.0
    shrink = common / (own + seen * common) if own + seen * common > 0 else 0.0
    return shrink, own + shrink * own if seen else own + common


def _steps(number: float) -> int:
    return round(number * PLACE)


def _inverse(spread: float) -> int:
    """Return likelihood steps per unit of place for a standard deviation in card values."""
    least = STEPS_PER_DEVIATION * 2.0**INVERSE_BITS / PLACE / MOST_INVERSE
    return MOST_INVERSE if spread <= least else round(STEPS_PER_DEVIATION * 2.0**INVERSE_BITS / PLACE / spread)


def group_habits(persons: Sequence[Person], rules: GroupRules) -> Habits:
    """Turn what persons do into whole numbers, by position; nothing here needs more than a square root."""
    count = len(persons)
    said = np.zeros((count, HIGHEST + 1), dtype=np.int64)
    noise = np.zeros((count, count, HIGHEST + 1), dtype=np.int64)
    frame = np.zeros_like(noise)
    inverse = np.zeros((count, count, HIGHEST + 1, MOST_CARDS + 1), dtype=np.int64)
    shrink = np.zeros((count, MOST_CARDS + 1), dtype=np.int64)
    for at, person in enumerate(persons):
        left = [left_unknown(person, seen) for seen in range(MOST_CARDS + 1)]
        shrink[at] = [_steps(share) for share, _ in left]
        for speaker, other in enumerate(persons):
            whole = deviation(persons, at, speaker)
            for value in VALUES:
                spread = whole * clarity(other, value)
                said[speaker, value] = _steps(said_at(other, value))
                noise[at, speaker, value] = _steps(spread * math.sqrt(1 - other["shared_frame"]))
                frame[at, speaker, value] = _steps(
                    spread * math.sqrt(other["shared_frame"]) * (1 - person["own_anchor"])
                )
                inverse[at, speaker, value] = [_inverse(spread * math.sqrt(variance)) for _, variance in left]

    def each(name: str) -> NDArray[np.int64]:
        return np.array([int(person[name]) for person in persons], dtype=np.int64)

    templates = np.zeros((count, MOST_CARDS), dtype=np.int64)
    for at, person in enumerate(persons):
        if person["burn"]:
            others = [deviation(persons, at, speaker) for speaker in range(count) if speaker != at]
            templates[at, : rules.cards] = template(rules.cards, rules.mistakes, sum(others) / len(others))
    return Habits(
        said, noise, frame, inverse, shrink, each("organiser"), each("own_shift"), each("burn"), templates, quantiles(),
        likelihoods(),
    )  # fmt: skip
