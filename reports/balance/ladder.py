"""The skill ladder: how many clear steps lead from chance to the best known play, and how long each takes to show."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from itertools import combinations, pairwise
from typing import Final

import numpy as np
import pandas as pd

from reports.balance.exhibits import draw_bars, page_figure
from reports.balance.finding import Play, total
from reports.balance.plan import BalancePlan
from reports.balance.rosters import one_among, others_than
from reports.estimates.intervals import LEVEL, PLANNED
from reports.estimates.joint import level_of_each
from reports.estimates.measures import bounds_columns
from reports.output.canvas import Axes
from reports.output.figures import DASHED, OKABE_ITO
from reports.output.html import PageFigure
from reports.simulation.until_better import UntilBetter, until_better
from strategies.catalogue import strategy
from strategies.strategy import Strategy

SURENESS: Final = 0.95
PART: Final = "ladder"
FRESH_PART: Final = "ladder-fresh"
MOST_CHOOSING: Final = 4
"""Blocks per pair on which the rungs are chosen."""
RESERVE: Final = 0.85
"""Rungs are chosen so that a step takes so much of the most that is clear: it is to be clear on fresh deals, too."""
SLIPS_OF_NOVICES: Final = (0.8, 0.6, 0.4)
SLIPS_OF_STANDARDS: Final = (0.3, 0.1)
"""How often the players between chance, `novice` and the best one choose at random."""


@dataclass(frozen=True)
class Ladder:
    """Steps from the bottom up, all intervals of a kind holding together.

    Attributes
    ----------
    steps
        How many games and how many matches it takes until the better player, alone among weaker ones, is ahead.
    most_games
        A step that surely takes no more games is clear.
    played
        The games that each was measured on.
    """

    steps: tuple[tuple[UntilBetter, ...], ...]
    most_games: float
    played: int

    @property
    def clear(self) -> list[bool]:
        """Which steps are surely clear."""
        return [games.needed.high <= self.most_games for games, _ in self.steps]


def rungs(standard: Strategy) -> tuple[list[Strategy], list[Strategy]]:
    """Return the players to choose rungs from, the weakest first: from chance to `novice`, and from there to the best.

    They slip less and less often, first as novices do, then as the best one does.
    """
    novice = strategy("novice")
    slipping = [novice.with_changes({"noise": slips}) for slips in SLIPS_OF_NOVICES if slips > novice["noise"]]
    better = [standard.with_changes({"noise": slips}) for slips in SLIPS_OF_STANDARDS if slips > standard["noise"]]
    lower, upper = [strategy("random"), *slipping, novice], [strategy("minimal"), *better]
    if standard.values == novice.values:
        return lower, [novice]
    return lower, [novice, *others_than(standard, upper), standard]


def chain(games: Mapping[tuple[int, int], float], low: int, high: int, most: float) -> list[int]:
    """Climb from one player to another: the next rung is always the first one who is clearly better than the last.

    Parameters
    ----------
    games
        By weaker and better player, the games until the better one is ahead; infinite if the other is no better.
    low, high
        The first rung and the last.
    most
        The most games that a clear step takes.

    Returns
    -------
    list of int
        The rungs from the first to the last. The last step leads to `high` even if it passes others who would do.
    """
    if low == high:
        return [low]
    climbed = [low]
    while clear := [other for other in range(climbed[-1] + 1, high + 1) if games[climbed[-1], other] <= most]:
        climbed.append(clear[0])
    return [*(climbed[:-1] or [low]), high]


def measure_ladder(plan: BalancePlan, play: Play, most: float) -> Ladder:
    """Choose the rungs, then measure each step on deals that had no part in choosing them.

    A step is clear if the better player is ahead after `most` games.
    """
    lower, upper = rungs(plan.standard)
    players, middle = [*lower, *upper[1:]], len(lower) - 1
    blocks = min(MOST_CHOOSING, max(1, plan.effort.blocks // 2))
    halves = (range(middle + 1), range(middle, len(players)))
    pairs = [pair for half in halves for pair in combinations(half, 2)]
    tables = [one_among(plan.rules, players[high], players[low]) for low, high in pairs]
    chosen_on = play(PART, tables, blocks)
    needed = {
        pair: _games(until_better(total(counts), table.seats, SURENESS)[0])
        for pair, table, counts in zip(pairs, tables, chosen_on, strict=True)
    }
    below, above = (chain(needed, half[0], half[-1], RESERVE * most) for half in halves)
    climbed = [players[place] for place in (*below, *above[1:])]
    tables = [one_among(plan.rules, better, weaker) for weaker, better in pairwise(climbed)]
    fresh = play(FRESH_PART, tables, plan.effort.blocks, first_block=blocks)
    level = level_of_each(len(tables))
    steps = tuple(
        until_better(total(counts), table.seats, SURENESS, level) for table, counts in zip(tables, fresh, strict=True)
    )
    return Ladder(steps, most, int(total(fresh[0])["games"][0]))


def _games(forecast: UntilBetter) -> float:
    return forecast.needed.estimate if forecast.better == forecast.first else np.inf


def ladder_sentences(ladder: Ladder) -> list[str]:
    """Say how many steps there are and how long they take to show."""
    names = " < ".join([ladder.steps[0][0].second, *(games.first for games, _ in ladder.steps)])
    clear, unclear = ladder.clear.count(True), ladder.clear.count(False)
    more = f" (and {unclear} that {'is' if unclear == 1 else 'are'} not surely clear)" if unclear else ""
    return [
        f"The skill ladder has {clear} clear step{'s' if clear != 1 else ''}{more}: {names}.",
        f"A step is clear if the better player, alone among the weaker ones, has won more games than each of them "
        f"after {ladder.most_games:g} games with a probability of {SURENESS:.0%}. Rungs were chosen on other deals "
        f"than they are measured on; intervals {LEVEL:.0%} for all steps together, {PLANNED} ({ladder.played:,} per "
        "step).",
    ]


def ladder_frame(ladder: Ladder) -> pd.DataFrame:
    """Return one row per step: both players, the gap in wins, games and matches until the better is ahead, clear."""
    return pd.DataFrame(
        {
            "weaker": games.second,
            "better": games.first,
            "games_played": ladder.played,
            **bounds_columns("gap_in_wins_per_100_games", games.gap),
            **bounds_columns("games_until_ahead", games.needed),
            **bounds_columns("matches_until_ahead", matches.needed),
            "level_of_all_together": LEVEL,
            "clear": "yes" if clear else "no",
        }
        for (games, matches), clear in zip(ladder.steps, ladder.clear, strict=True)
    )


def ladder_figure(plan: BalancePlan, ladder: Ladder) -> PageFigure:
    """Draw how many games each step takes to show."""
    steps = [games for games, _ in ladder.steps]

    def draw(panel: Axes) -> None:
        draw_bars(panel, [step.needed for step in steps], OKABE_ITO[:1] * len(steps), linewidth=2.5, markersize=6)
        panel.axvline(ladder.most_games, color=OKABE_ITO[1], linestyle=DASHED, linewidth=1)
        panel.set_yticks(range(len(steps)), [f"{step.second} < {step.first}" for step in steps])
        panel.set_xlabel("games until the better player is ahead")
        panel.set_xlim(left=0)
        panel.set_ylim(-0.5, len(steps) - 0.5)
        panel.grid(axis="x", color="#dddddd", linewidth=0.6)

    note = (
        f"Games until the better one is ahead with {SURENESS:.0%}; bars: {LEVEL:.0%} intervals for all steps together, "
        f"{PLANNED}. Dashed: the most that a clear step takes. {ladder.played:,} games per step, seed {plan.seed}."
    )
    shows = "Games that each step of the skill ladder takes to show"
    return page_figure("ladder", draw, shows, ladder_sentences(ladder)[0], note, height=1.5 + 0.3 * len(steps))
