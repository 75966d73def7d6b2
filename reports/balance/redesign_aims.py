"""What a redesign can aim at: how the aim is measured among equal players, in which unit, and which way is better."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, TypeVar

import numpy as np

from reports.balance.finding import SettingBlocks, total
from reports.balance.option_worth import choices_of, share_of_turns
from reports.balance.plan import BalancePlan, Target, Threshold
from reports.balance.retuning import gain_of
from reports.balance.rosters import all_alike, others_than
from reports.balance.shares import weighted_wins
from reports.estimates.intervals import LEVEL, Interval, mean_of_histogram
from simulate.escalation.rules import Rules
from simulate.escalation.settings.comparison import Comparison
from simulate.escalation.settings.lookahead import AfterOptions
from simulate.escalation.settings.rollouts import BATCHES
from simulate.experiment import Setting
from strategies.strategy import Strategy

_T = TypeVar("_T")

POSITIONS: Final = Threshold(
    "redesign-positions",
    1.0,
    "wins per 100 games",
    "how much a change must narrow the gap between positions to be advised",
)
LENGTH: Final = Threshold("redesign-length", 2.0, "turns", "how much a change must shorten games to be advised")
CHOICES: Final = Threshold(
    "redesign-choices", 5.0, "turns of 100", "how many more turns must matter for a change to be advised"
)
DIVERSITY: Final = Threshold(
    "redesign-diversity",
    1.0,
    "wins per 100 games",
    "how much closer the second way to play must come for a change to be advised",
)

GAMES_PER_BLOCK: Final = 2
"""Games of each block that are looked at option by option: every candidate has to be looked at."""
LESS_SURE: Final = 4
"""So many times fewer playouts than where the choices themselves are the question."""


@dataclass(frozen=True)
class AimSample:
    """What was played of one game to measure an aim.

    Attributes
    ----------
    settings, played
        What was played, and what each setting gave.
    picked
        What is measured, as `Aim.pick` chose it on other deals.
    seed
        Of all randomness.
    """

    settings: Sequence[Setting]
    played: Sequence[SettingBlocks]
    picked: tuple[int, ...]
    seed: int


class Aim(ABC):
    """One thing to mend.

    Attributes
    ----------
    threshold
        How much a change must gain to be advised.
    what, unit
        What is measured, and in what.
    better
        What it should become.
    sign
        1 if more is better, -1 if less is.
    """

    threshold: Threshold
    what: str
    unit: str
    better: str
    sign: int = -1

    def settings(self, rules: Rules, player: Strategy, plan: BalancePlan) -> list[Setting]:
        """Return what must be played to measure it, everybody playing alike: the table of equal players."""
        return [all_alike(rules, player)]

    def pick(self, played: Sequence[SettingBlocks]) -> tuple[int, ...]:
        """Choose what is to be measured, by looking; it is measured on other deals."""
        return ()

    def narrowed(self, items: list[_T], picked: tuple[int, ...]) -> list[_T]:
        """Return those settings, or what they gave, that are still needed once it is known what to measure."""
        return items

    @abstractmethod
    def value(self, sample: AimSample, level: float = LEVEL) -> Interval:
        """Return the measured value from what is still needed."""


class FairPositions(Aim):
    """The gap between the best and the worst position."""

    threshold = POSITIONS
    what = "gap between the best and the worst position"
    unit = "wins per 100 games"
    better = "smaller"

    def pick(self, played: Sequence[SettingBlocks]) -> tuple[int, ...]:
        """Choose the best and the worst position."""
        wins = total(played[0])["wins"].sum(axis=0)
        return int(wins.argmax()), int(wins.argmin())

    def value(self, sample: AimSample, level: float = LEVEL) -> Interval:
        """Return how many more wins the one has than the other."""
        counts, (best, worst) = total(sample.played[0]), sample.picked
        everybody = np.eye(len(counts["scores"]), dtype=np.int64)
        sums = counts["wins"].sum(axis=0), counts["position_win_products"]
        return weighted_wins(everybody[best] - everybody[worst], sums, int(counts["games"][0]), level=level)


class ShortGames(Aim):
    """Turns per game."""

    threshold = LENGTH
    what = "length of a game"
    unit = "turns"
    better = "shorter"

    def value(self, sample: AimSample, level: float = LEVEL) -> Interval:
        """Return the mean number of turns."""
        return mean_of_histogram(total(sample.played[0])["turns_histogram"], level)


class TurnsThatMatter(Aim):
    """Turns in which the choice makes a difference of a point of win chance or more, per 100."""

    threshold = CHOICES
    what = "share of turns in which the choice matters"
    unit = "turns of 100"
    better = "larger"
    sign = 1

    def settings(self, rules: Rules, player: Strategy, plan: BalancePlan) -> list[Setting]:
        """Return a few games whose every option is played out."""
        rollouts = max(BATCHES, plan.effort.rollouts // LESS_SURE)
        return [AfterOptions(all_alike(rules, player), GAMES_PER_BLOCK, rollouts)]

    def value(self, sample: AimSample, level: float = LEVEL) -> Interval:
        """Return the share of turns by what was measured; what noise adds it adds to all games much alike."""
        (setting,) = sample.settings
        assert isinstance(setting, AfterOptions)
        choices = choices_of(setting, sample.seed, sample.played[0])
        return share_of_turns(choices, lambda choice: choice.seems_to_matter, level).times(100)


class WaysToPlay(Aim):
    """What the best other way to play loses among players who play the best way."""

    threshold = DIVERSITY
    what = "loss from playing the second-best way"
    unit = "wins per 100 games"
    better = "smaller"

    def settings(self, rules: Rules, player: Strategy, plan: BalancePlan) -> list[Setting]:
        """Return one comparison per other strategy of the population."""
        return [Comparison(rules, player, other) for other in others_than(plan.standard, plan.population)]

    def pick(self, played: Sequence[SettingBlocks]) -> tuple[int, ...]:
        """Choose the strategy that loses least."""
        return (max(range(len(played)), key=lambda place: gain_of(played[place]).estimate),)

    def narrowed(self, items: list[_T], picked: tuple[int, ...]) -> list[_T]:
        """Return the one that was chosen."""
        return [items[place] for place in picked]

    def value(self, sample: AimSample, level: float = LEVEL) -> Interval:
        """Return what it loses."""
        return -gain_of(sample.played[0], level)


AIMS: Final[dict[Target, Aim]] = {
    "positions": FairPositions(),
    "length": ShortGames(),
    "choices": TurnsThatMatter(),
    "diversity": WaysToPlay(),
}
"""The aim of each target."""
