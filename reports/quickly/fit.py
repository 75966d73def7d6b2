"""The sigma that fits a group's results, so that sigma means something."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from functools import lru_cache
from typing import Final

import numpy as np
from scipy.interpolate import PchipInterpolator
from scipy.stats import beta

from reports.estimates.intervals import LEVEL, Interval
from reports.quickly.rules_words import rules_note
from simulate.quickly.exact import LEAST_SIGMA, sort_success, win_chance
from simulate.quickly.rules import GroupRules
from strategies.errors import InputError
from strategies.quickly import Person

GREATEST: Final = 20.0
"""Beyond this sigma answers say practically nothing, and results cannot tell one sigma from another."""
STEP: Final = 0.15
"""Between neighbours of the grid sigma changes by this in its logarithm; between them the curve is interpolated."""
KIND: Final = "exact (Clopper and Pearson) for the rounds, carried over to sigma"


@dataclass(frozen=True)
class FittedSigma:
    """The noise that explains so many good and bad rounds.

    Attributes
    ----------
    rules, person
        What was played, and how everybody answers and organises, sigma aside.
    good, bad
        Rounds of either kind.
    success
        The share of good rounds with its interval.
    sigma
        The sigma at which that share is expected; an end at `GREATEST` or more reads "no telling", as infinity.
    """

    rules: GroupRules
    person: Person
    good: int
    bad: int
    success: Interval
    sigma: Interval


def fit_sigma(rules: GroupRules, person: Person, good: int, bad: int, level: float = LEVEL) -> FittedSigma:
    """Find the sigma that fits a group's results.

    Parameters
    ----------
    rules, person
        What was played, and how everybody answers and organises (only what exact results cover).
    good, bad
        Good and bad rounds, of one game or of many.
    level
        The level of the interval.

    Raises
    ------
    InputError
        If there are no rounds, or the person does anything that exact results do not cover.
    """
    if good < 0 or bad < 0 or good + bad == 0:
        raise InputError(f"{good} good and {bad} bad rounds cannot be fitted: at least one round, none negative")
    rounds, tail = good + bad, (1 - level) / 2
    low = float(beta.ppf(tail, good, bad + 1)) if good else 0.0
    high = float(beta.ppf(1 - tail, good + 1, bad)) if bad else 1.0
    success = Interval(good / rounds, low, high, level, KIND)
    find = _Curve(rules, person.with_changes({"sigma": 1.0})).sigma_for
    sigma = Interval(find(success.estimate), find(high), find(low), level, KIND)
    return FittedSigma(rules, person, good, bad, success, sigma)


class _Curve:
    """The chance of a good round against sigma, on a grid that is filled in only where it is looked at."""

    def __init__(self, rules: GroupRules, person: Person) -> None:
        self._rules, self._person = rules, person
        pooled = math.sqrt(1 - person["listening"] + person["listening"] / person["talk"])
        least = 1.01 * LEAST_SIGMA / max(pooled * (1 - person["clear_ends"]), LEAST_SIGMA)
        self._steps = math.ceil(math.log(GREATEST / least) / STEP)

    def _sigma(self, place: int) -> float:
        return GREATEST * math.exp(-STEP * place)

    def _chance(self, place: int) -> float:
        return _chance_at(self._rules, self._person.with_changes({"sigma": self._sigma(place)}))

    def sigma_for(self, share: float) -> float:
        """Return the sigma at which a share of good rounds is expected: infinite if every sigma does better."""
        if share >= 1:
            return 0.0
        if share <= self._chance(0):
            return math.inf
        # The chance grows with the place; find the last place at which it is still below the share.
        below, above = 0, self._steps
        while above - below > 1:
            middle = (below + above) // 2
            below, above = (middle, above) if self._chance(middle) < share else (below, middle)
        places = [place for place in range(below - 1, below + 3) if 0 <= place <= self._steps]
        chances = [self._chance(place) for place in places]
        if share > chances[-1] or min(np.diff(chances)) <= 0:
            return self._sigma(above)
        logs = [math.log(self._sigma(place)) for place in places]
        return math.exp(float(PchipInterpolator(chances, logs)(share)))


@lru_cache(maxsize=1024)
def _chance_at(rules: GroupRules, person: Person) -> float:
    return sort_success(rules, person)


def fit_lines(fitted: FittedSigma) -> Iterator[str]:
    """Tell the fit."""
    sigma, success = fitted.sigma, fitted.success
    yield f"{fitted.rules.players} players: {rules_note(fitted.rules)}"
    yield f"{fitted.good} good and {fitted.bad} bad rounds, everybody {fitted.person.label} but for sigma"
    yield ""
    estimate, low, high = map(sigma_text, (sigma.estimate, sigma.low, sigma.high))
    yield f"sigma {estimate} card values ({low} to {high}, {sigma.level:.0%})"
    yield f"good rounds per 100: {100 * success.estimate:.0f} ({100 * success.low:.0f} to {100 * success.high:.0f})"
    chance = 100 * float(win_chance(success.estimate, fitted.rules.target))
    yield f"games won per 100 at that rate: {chance:.0f}"


def sigma_text(sigma: float) -> str:
    """Write a sigma; beyond what results can tell apart it is "no limit"."""
    return f"{sigma:.2f}" if math.isfinite(sigma) else "no limit"


def fit_data(fitted: FittedSigma) -> dict[str, object]:
    """Return everything as plain data; a bound that results cannot tell is null."""
    return {
        "rules": asdict(fitted.rules),
        "person": fitted.person.label,
        "good": fitted.good,
        "bad": fitted.bad,
        "round_success": asdict(fitted.success),
        "sigma": {
            name: None if isinstance(value, float) and math.isinf(value) else value
            for name, value in asdict(fitted.sigma).items()
        },
    }
