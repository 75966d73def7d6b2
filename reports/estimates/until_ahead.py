"""How many games it takes until one player has won more of them than each of some others.

A game moves the lead of one player over another by +1 (won), -1 (the other won) or 0. A win shared with others moves it
by less; such games count as so many whole ones that mean and spread of the lead are kept, which is exact at tables of
two. Games are independent, as if each were drawn at random from those that were counted.

*Ahead* means that more games were won than each of the others has, all of them at once; as many are not enough. The
answer is the least number of games from which on that is at least as likely as asked for, however many more are played:
where few games end level, an odd number decides more often than the even number after it.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache
from statistics import NormalDist
from typing import Final

import numpy as np
from numpy.typing import NDArray

from reports.estimates.intervals import LEVEL, Interval

MOST_EXACT: Final = 1000
"""Up to so many games chances are exact; beyond, a normal approximation with the lead's skewness is as good."""
DIRECTIONS: Final = 360
"""In so many directions from what was counted one looks for what it is still compatible with."""
NODES: Final = 64
_NORMAL: Final = NormalDist()


@dataclass(frozen=True)
class Lead:
    """What a game does to the lead of one player over another: how often it grows, and how often it shrinks.

    Attributes
    ----------
    plus, minus
        Shares of all games.
    """

    plus: float
    minus: float

    @classmethod
    def of_moments(cls, mean: float, square: float) -> Lead:
        """Return the lead with this mean, and mean square, of what a game adds to it."""
        square = max(square, abs(mean))
        return cls((square + mean) / 2, (square - mean) / 2)

    @property
    def mean(self) -> float:
        """How much it grows per game."""
        return self.plus - self.minus

    @property
    def variance(self) -> float:
        """How much that differs from game to game."""
        return max(0.0, self.plus + self.minus - self.mean**2)

    def chance_ahead(self, games: int) -> float:
        """Return the probability that it is more than 0 after so many games."""
        if games <= MOST_EXACT:
            return self._exact_chance(games)
        spread = math.sqrt(self.variance * games)
        if spread == 0:
            return float(self.mean > 0)
        third = self.mean * (1 - 3 * (self.plus + self.minus) + 2 * self.mean**2) * games
        # The lead is a whole number: it is more than 0 from the middle between 0 and 1 on.
        reach = (self.mean * games - 0.5) / spread
        skewed = third / (6 * spread**3) * (reach**2 - 1) * _NORMAL.pdf(reach)
        return min(1.0, max(0.0, _NORMAL.cdf(reach) + skewed))

    def _exact_chance(self, games: int) -> float:
        """Raise the generating function of a game to the power of all games, on enough places of the circle."""
        places = 1 << (2 * games + 1).bit_length()
        step = _circle(places)
        of_a_game = self.plus * step + self.minus * step.conj() + (1 - self.plus - self.minus)
        chances = np.fft.irfft(of_a_game**games, places)
        return float(chances[1 : games + 1].sum())


@cache
def _circle(places: int) -> NDArray[np.complex128]:
    circle: NDArray[np.complex128] = np.exp(-2j * np.pi * np.arange(places // 2 + 1) / places)
    return circle


@cache
def _nodes() -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    places, weights = np.polynomial.hermite_e.hermegauss(NODES)
    return places, weights / weights.sum()


def chance_ahead_of_all(leads: Sequence[Lead], correlation: float, games: int) -> float:
    """Return the probability that all leads are more than 0 after so many games.

    Parameters
    ----------
    leads
        Over each of the others.
    correlation
        The least that any two of them have. How leads go together is taken from normal numbers: with this correlation
        the probability is that of others who are all alike, and for others it is no less (Slepian's inequality). Around
        95% it is right to less than a percentage point.
    games
        How many are played.
    """
    chances = [lead.chance_ahead(games) for lead in leads]
    if len(chances) == 1 or min(chances) <= 0:
        return min(chances)
    from scipy.special import ndtr, ndtri

    places, weights = _nodes()
    own, common = math.sqrt(1 - correlation), math.sqrt(correlation)
    reach = ndtri(np.clip(chances, 1e-300, 1 - 1e-16))
    given = ndtr((reach[:, None] + common * places) / own)
    return float(weights @ given.prod(axis=0))


def games_until_ahead(leads: Sequence[Lead], correlation: float, sureness: float) -> float:
    """Return the least number of games from which on all leads are more than 0 with this probability, or infinity."""
    if min(lead.mean for lead in leads) <= 0:
        return math.inf

    def enough(games: int) -> bool:
        return all(chance_ahead_of_all(leads, correlation, number) >= sureness for number in (games, games + 1))

    reach = _NORMAL.inv_cdf(1 - (1 - sureness) / len(leads))
    roots = [(math.sqrt(reach**2 * lead.variance + 2 * lead.mean) + reach * lead.variance**0.5) / (2 * lead.mean)
             for lead in leads]  # fmt: skip
    return least_from(enough, math.ceil(max(roots) ** 2))


def least_from(enough: Callable[[int], bool], start: int) -> int:
    """Return the least number that is enough, looking around a first guess; every greater number is enough, too."""
    known = max(1, start)
    step = 1 + known // 50
    if enough(known):
        high, low = known, max(0, known - step)
        while low and enough(low):
            high, step = low, 2 * step
            low = max(0, low - step)
    else:
        low, high = known, known + step
        while not enough(high):
            low, step = high, 2 * step
            high = low + step
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if enough(middle) else (middle, high)
    return high


def compatible_leads(lead: Lead, units: int, level: float) -> list[Lead]:
    """Return the ends of what so many units leave possible.

    These are the leads with the least and the greatest mean, then those that are the least and the most sure to show.
    The bounds are those of all outcomes whose square roots are at most so far from the roots of what was counted (the
    statistic of Freeman and Tukey, which is as good as a likelihood ratio): mean and spread are uncertain together.
    Half a game is added to each outcome, so that what never happened is not held to be impossible.
    """
    counted = np.array([lead.plus, lead.minus, 1 - lead.plus - lead.minus])
    centre = np.sqrt((units * counted + 0.5) / (units + 1.5))
    far = min(math.pi / 2, _NORMAL.inv_cdf((1 + level) / 2) / (2 * math.sqrt(units)))
    across = np.cross(centre, np.eye(3)[centre.argmin()])
    across /= np.linalg.norm(across)
    around = _directions() @ np.array([across, np.cross(centre, across)])
    shares = np.maximum(0.0, math.cos(far) * centre + math.sin(far) * around) ** 2
    shares /= shares.sum(axis=1, keepdims=True)
    means = shares[:, 0] - shares[:, 1]
    shown = means / np.sqrt(np.maximum(1 - shares[:, 2] - means**2, 1e-300))
    places = means.argmin(), means.argmax(), shown.argmin(), shown.argmax()
    return [Lead(float(shares[place, 0]), float(shares[place, 1])) for place in places]


@cache
def _directions() -> NDArray[np.float64]:
    angles = np.linspace(0, 2 * np.pi, DIRECTIONS, endpoint=False)
    return np.stack([np.cos(angles), np.sin(angles)], axis=1)


@dataclass(frozen=True)
class Ahead:
    """How much a player wins more than each of some others, and how long it takes until that shows.

    Attributes
    ----------
    gap
        The least that the player wins more than one of the others, per game.
    games
        Whole numbers of games from 1 up; infinite where the player may not win more.
    """

    gap: Interval
    games: Interval


def ahead_of_each(
    sums: tuple[NDArray[np.int64], NDArray[np.int64]], units: int, whole: int, player: int, others: Sequence[int],
    sureness: float, level: float = LEVEL,
) -> Ahead:  # fmt: skip
    """Estimate how long it takes until a player is ahead of each of some others.

    Parameters
    ----------
    sums
        Sums over units of what each player won, shape (players,), and of the products of two players' wins, shape
        (players, players).
    units, whole
        How many games or matches were played; what a whole win is counted as.
    player, others
        Who is to be ahead of whom.
    sureness
        The probability with which that is to be so.
    level
        Of both intervals. Against several others each takes an even part of what may be wrong, and the ends are what
        follows if all of them err the same way.
    """
    wins, products = (numbers.astype(np.float64) for numbers in sums)
    apart = np.zeros((len(others), len(wins)))
    apart[:, player] = 1
    apart[np.arange(len(others)), others] = -1
    means, squares = apart @ wins / (units * whole), apart @ products @ apart.T / (units * whole * whole)
    leads = [
        Lead.of_moments(mean, square) for mean, square in zip(means.tolist(), np.diag(squares).tolist(), strict=True)
    ]
    each = 1 - (1 - level) / len(others)
    lowest, highest, faintest, clearest = zip(*(compatible_leads(lead, units, each) for lead in leads), strict=True)
    common = _least_correlation(squares - np.outer(means, means))
    needed, low, high = (games_until_ahead(found, common, sureness) for found in (leads, clearest, faintest))
    mean, least, most = (min(lead.mean for lead in found) for found in (leads, lowest, highest))
    gap = Interval(mean, min(least, mean), max(most, mean), level)
    return Ahead(gap, Interval(needed, min(low, needed), max(high, needed), level))


def _least_correlation(covariance: NDArray[np.float64]) -> float:
    spread = np.sqrt(np.diag(covariance))
    if len(spread) == 1 or not spread.all():
        return 0.0
    return float(np.clip((covariance / np.outer(spread, spread)).min(), 0, 0.999))
