"""A quick local search by self-play: players who get used to changed rules before the rules are judged."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Final, NamedTuple

from reports.balance.finding import Play, SettingBlocks, total
from reports.balance.plan import Effort
from reports.estimates.betting import planned_interval, watched_wins
from reports.estimates.intervals import LEVEL, Interval
from simulate.escalation.rules import Rules
from simulate.escalation.settings.comparison import Comparison
from simulate.experiment import Setting
from strategies.parameters import parameter
from strategies.strategy import Strategy

STEPS: Final[Mapping[str, float]] = {
    "pass_hoard": 1.5,
    "wild_hold": 1.0,
    "split_set": 0.4,
    "shed": 0.4,
    "reserve": 0.1,
    "high_hold": 0.08,
}
"""How far each habit is tried up and down. A quick search tries the first ones only."""


@dataclass(frozen=True)
class Search:
    """How long players are tuned.

    Attributes
    ----------
    rounds
        How often every habit is tried up and down from where the players have got to.
    habits
        How many habits are tried.
    blocks
        Blocks of deals for each trial, and as many fresh ones to confirm what seemed best.
    """

    rounds: int
    habits: int
    blocks: int

    @property
    def blocks_in_all(self) -> int:
        """How many blocks the search uses up: none of them is used twice."""
        return 2 * self.rounds * self.blocks


SEARCHES: Final[Mapping[str, Search]] = {"quick": Search(1, 2, 1), "full": Search(2, len(STEPS), 2)}
"""The search of each effort."""


def retuned(games: Sequence[Rules], start: Strategy, play: Play, effort: Effort) -> list[Strategy]:
    """Tune a player to each of some games.

    In a round every habit is tried up and down by one player among others who stay as they are. Changes that surely
    gain are made together; on fresh deals they, and the best of them alone, must gain again or nothing is changed.
    Everybody then plays like that in the next round.

    Parameters
    ----------
    games
        The rules of each game.
    start
        The player to begin with, in every game.
    play, effort
        Who plays, and how long to search.

    Returns
    -------
    list of Strategy
        One per game.
    """
    search = SEARCHES[effort.name]
    players = [start] * len(games)
    for number in range(search.rounds):
        current, first = list(zip(games, players, strict=True)), 2 * number * search.blocks
        trials = [list(_trials(player, search.habits)) for player in players]
        changed = [[trial.player for trial in own] for own in trials]
        tried = _gains(f"redesign-search-{number + 1}", current, changed, play, search.blocks, first)
        wanted = [
            [player.with_changes(step) for step in _steps(own, gains)]
            for player, own, gains in zip(players, trials, tried, strict=True)
        ]
        part, first = f"redesign-confirm-{number + 1}", first + search.blocks
        confirmed = _gains(part, current, wanted, play, search.blocks, first)
        players = [_best(player, own, gains) for player, own, gains in zip(players, wanted, confirmed, strict=True)]
    return players


class _Trial(NamedTuple):
    """One habit tried at another value."""

    habit: str
    player: Strategy


def _trials(player: Strategy, habits: int) -> Iterator[_Trial]:
    for name, step in islice(STEPS.items(), habits):
        bounds = parameter(name)
        for value in (player[name] - step, player[name] + step):
            # A habit at its bound, such as a Pass kept at any price, stays there.
            if bounds.lower <= value <= bounds.upper:
                yield _Trial(name, player.with_changes({name: round(value, 3)}))


def _gains(
    part: str,
    current: Sequence[tuple[Rules, Strategy]],
    changed: Sequence[Sequence[Strategy]],
    play: Play,
    blocks: int,
    first_block: int,
) -> list[list[Interval]]:
    """Return what each changed player gains in each game, in wins per 100 games."""
    settings = [
        [Comparison(rules, player, other) for other in others]
        for (rules, player), others in zip(current, changed, strict=True)
    ]
    return [[gain_of(counts) for counts in played] for played in play_lists(play, part, settings, blocks, first_block)]


def play_lists(
    play: Play, part: str, lists: Sequence[Sequence[Setting]], blocks: int, first_block: int
) -> list[list[SettingBlocks]]:
    """Play lists of settings in one piece of work, and hand what they gave back in lists of their own."""
    settings = [setting for own in lists for setting in own]
    played = iter(play(part, settings, blocks, first_block=first_block) if settings else [])
    return [[next(played) for _ in own] for own in lists]


def gain_of(blocks: SettingBlocks, level: float = LEVEL) -> Interval:
    """Return what a change gains, in wins per 100 games."""
    return planned_interval(watched_wins(total(blocks)), level)


def _steps(trials: Sequence[_Trial], gains: Sequence[Interval]) -> list[dict[str, float]]:
    """Return all sure gains together, and the best of them alone where there are several."""
    sure: dict[str, tuple[float, float]] = {}
    for (habit, player), gain in zip(trials, gains, strict=True):
        if gain.low > 0 and gain.estimate > sure.get(habit, (0.0, 0.0))[0]:
            sure[habit] = (gain.estimate, player[habit])
    if not sure:
        return []
    best = max(sure, key=lambda habit: sure[habit][0])
    together = {habit: value for habit, (_, value) in sure.items()}
    return [together] if len(sure) == 1 else [together, {best: sure[best][1]}]


def _best(player: Strategy, wanted: Sequence[Strategy], gains: Sequence[Interval]) -> Strategy:
    confirmed = [(gain.estimate, changed) for changed, gain in zip(wanted, gains, strict=True) if gain.low > 0]
    return max(confirmed, key=lambda pair: pair[0])[1] if confirmed else player
