"""What each option of a turn is worth, and which differences are more than the noise of playouts.

The playouts that chose the best and the worst option do not measure them, so a difference is not large because it was
picked for being large; the batches of the fresh playouts say how sure it is.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray
from scipy.stats import t as student

from reports.balance.curves import mean_over_games
from reports.balance.finding import SettingBlocks
from reports.estimates.intervals import LEVEL, Interval
from simulate.escalation.kernel.win_shares import WIN
from simulate.escalation.plain.option_kinds import kinds_of
from simulate.escalation.plain.reference import legal_options
from simulate.escalation.settings.lookahead import MEASURED_MORE, NOBODY_ELSE, AfterOptions
from simulate.escalation.settings.rollouts import BATCHES, games_per_batch
from simulate.escalation.settings.situations import Followed, follow

A_POINT: Final = 0.01
"""A choice matters if its best and its worst option differ by so much win chance or more."""


@dataclass(frozen=True)
class Choice:
    """One turn and what its options are worth.

    Attributes
    ----------
    deal, turn, turns
        The game's deal, the turn (from 0), and how many the game had.
    kinds
        The kind of each legal option.
    best
        The kind of the one that seemed best.
    spread
        From the option that seemed worst to the one that seemed best, in win chance as fresh playouts measured it; None
        where only one is legal.
    over_others
        From the best option of another kind to the best one; None where there is no other kind.
    """

    deal: int
    turn: int
    turns: int
    kinds: tuple[str, ...]
    best: str
    spread: Interval | None
    over_others: Interval | None

    @property
    def seems_to_matter(self) -> bool:
        """Whether the best and the worst option measured a point apart, or more."""
        return self.spread is not None and self.spread.estimate >= A_POINT

    @property
    def surely_matters(self) -> bool:
        """Whether they are surely a point apart, or more."""
        return self.spread is not None and self.spread.low >= A_POINT

    @property
    def may_matter(self) -> bool:
        """Whether they are not surely less than a point apart."""
        return self.spread is not None and self.spread.high >= A_POINT


def choices_of(setting: AfterOptions, seed: int, blocks: SettingBlocks) -> list[Choice]:
    """Return every turn of the games that were looked at.

    Parameters
    ----------
    setting, seed, blocks
        What was played, and what it gave.
    """
    found = []
    for block in blocks:
        games = follow(setting.table.rules, seed, block)
        chances = block["wins"] / (WIN * games_per_batch(setting.rollouts * MEASURED_MORE))
        for game, chosen, measured in zip(games, block["chosen"], chances, strict=True):
            found += [_choice(setting, game, turn, chosen[turn], measured[turn]) for turn in range(game.turns)]
    return found


def _choice(
    setting: AfterOptions, game: Followed, turn: int, chosen: NDArray[np.int64], measured: NDArray[np.float64]
) -> Choice:
    state = game.states[turn]
    kinds = kinds_of(state, legal_options(setting.table.rules, state))
    forced = chosen[0] == NOBODY_ELSE
    best, worst, other = measured
    return Choice(
        game.deal,
        turn,
        game.turns,
        kinds,
        kinds[0 if forced else int(chosen[0])],
        None if forced else gap_of(best - worst),
        None if chosen[2] == NOBODY_ELSE else gap_of(best - other),
    )


def gap_of(batches: NDArray[np.float64]) -> Interval:
    """Return a mean over batches with its reach at 95%, one-sided at either end."""
    error = float(batches.std(ddof=1)) / len(batches) ** 0.5
    return Interval.around(float(batches.mean()), float(student.ppf(LEVEL, BATCHES - 1)) * error, 2 * LEVEL - 1)


def share_of_turns(choices: Sequence[Choice], holds: Callable[[Choice], bool], level: float = LEVEL) -> Interval:
    """Return the share of a game's turns of which something holds, averaged over games."""
    by_game: dict[int, list[bool]] = defaultdict(list)
    for choice in choices:
        by_game[choice.deal].append(holds(choice))
    return mean_over_games([float(np.mean(turns)) for turns in by_game.values()], level).within(0, 1)
