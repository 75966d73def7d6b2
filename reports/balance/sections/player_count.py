"""How the game changes with the number of players: scores, length, ties, waiting."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from reports.balance.exhibits import Cell, estimated, page_figure, page_table
from reports.balance.finding import Finding, Play, total
from reports.balance.plan import BalancePlan, Threshold, light_below
from reports.balance.rosters import all_alike
from reports.balance.thresholds import MINUTES, SECONDS, SHARED
from reports.estimates.intervals import LEVEL, PLANNED, Interval, mean_of_histogram, mean_over_seats, share_from_sums
from reports.estimates.joint import greatest, greatest_named, level_of_each
from reports.estimates.measures import Measure, columns_of
from reports.output.canvas import Axes
from reports.output.figures import DASHED, GREY, MARKERS, OKABE_ITO
from reports.output.html import Light, PageFigure
from reports.output.words import with_bounds
from reports.simulation.summary import GAME_TURNS, SCORE, SHARED_WINS
from simulate.experiment import Counts

WAITING: Final = Threshold(
    "waiting-seconds", 60.0, "seconds", "how long a player may wait between two turns of his own"
)
LENGTH: Final = Measure("minutes", "minutes per game", "minutes")
ENDS_CUT: Final = 0.001
"""The figure leaves out this share of the longest games, and of the shortest."""
WORST_FIRST: Final[tuple[Light, ...]] = ("bad", "middle", "good")

COLUMNS: Final[dict[str, Cell]] = {
    "players": "{players}",
    "score": estimated(SCORE.name),
    "turns per game": estimated(GAME_TURNS.name),
    "9 of 10 games": "{game_turns_p05} to {game_turns_p95}",
    "turns each": "{turns_per_player:.1f}",
    "minutes": estimated(LENGTH.name),
    "waiting, seconds": "{waiting_seconds:.0f}",
    "shared wins per 100": estimated(SHARED_WINS.name),
}


@dataclass(frozen=True)
class TableSize:
    """What games are like with so many players.

    Attributes
    ----------
    players, games
        How many of each.
    score, turns, shared
        Penalty cards per player, turns per game, shared wins per 100 games.
    turns_histogram
        Games by number of turns.
    seconds
        How long a turn takes.
    """

    players: int
    games: int
    score: Interval
    turns: Interval
    shared: Interval
    turns_histogram: NDArray[np.int64]
    seconds: float

    @property
    def minutes(self) -> Interval:
        """How long a game takes."""
        return self.turns.times(self.seconds / 60)

    @property
    def waiting(self) -> float:
        """Seconds between the end of a turn and the next of the same player: everybody else has one in between."""
        return (self.players - 1) * self.seconds

    def turns_reached(self, share: float) -> int:
        """Return the number of turns that this share of games does not exceed."""
        return int(np.searchsorted(np.cumsum(self.turns_histogram), share * self.games))

    def limited(self, threshold: Threshold) -> Interval:
        """Return the number that a threshold limits."""
        if threshold == WAITING:
            return Interval(self.waiting, self.waiting, self.waiting)
        return self.minutes if threshold == MINUTES else self.shared


def table_size(counts: Counts, seconds: float, level: float) -> TableSize:
    """Read what games are like from the counts of a table of equals, each number with an interval of this level."""
    players, games = len(counts["scores"]), int(counts["games"][0])
    shared = int(counts["winners"][2:].sum())
    return TableSize(
        players,
        games,
        mean_over_seats(counts["scores"].sum(axis=1), counts["score_products"], games, range(players), level),
        mean_of_histogram(counts["turns_histogram"], level),
        share_from_sums(shared, shared, games, level=level).times(100),
        counts["turns_histogram"],
        seconds,
    )


def measure(plan: BalancePlan, play: Play) -> Finding:
    """Look at every table size with equal players."""
    tables = [all_alike(plan.at(players), plan.standard, "rotate") for players in plan.player_counts]
    played = play("player-count", tables, plan.effort.blocks)
    # Score, turns and shared wins of all table sizes hold together.
    level = level_of_each(3 * len(tables))
    sizes = [table_size(total(blocks), plan.limit(SECONDS), level) for blocks in played]
    judged = _judged(plan, sizes)
    light, threshold, _ = judged[0]
    frame, finding = _frame(sizes), _finding(sizes)
    return Finding(
        name="player-count",
        title="Player count",
        finding=finding,
        light=light,
        threshold=threshold,
        frames={"player_count": frame, "game_turns": _turns_frame(sizes)},
        figures=(_figure(plan, sizes, finding),),
        tables=(page_table("player_count", frame, COLUMNS, texts=0),),
        texts=_texts(plan, sizes),
        commands=(f"escalation simulate --players {max(plan.player_counts)} --games 100k",),
        headline=_headline(judged),
    )


def _judged(plan: BalancePlan, sizes: Sequence[TableSize]) -> list[tuple[Light, Threshold, TableSize]]:
    """Return the light of each limit over all table sizes, and the size that seems worst for it, the worst first."""
    found = []
    for threshold in (SHARED, WAITING, MINUTES):
        worst = max(sizes, key=lambda size: size.limited(threshold).estimate)
        most = greatest([size.limited(threshold) for size in sizes])
        found.append((light_below(most, plan.limit(threshold)), threshold, worst))
    return sorted(found, key=lambda judged: WORST_FIRST.index(judged[0]))


def _frame(sizes: Sequence[TableSize]) -> pd.DataFrame:
    """Return one row per table size, with every number and its interval."""
    return pd.DataFrame(
        {
            "players": size.players,
            "games": size.games,
            **columns_of({SCORE: size.score, GAME_TURNS: size.turns, LENGTH: size.minutes}),
            "game_turns_p05": size.turns_reached(0.05),
            "game_turns_p95": size.turns_reached(0.95),
            "turns_per_player": size.turns.estimate / size.players,
            "waiting_seconds": size.waiting,
            **columns_of({SHARED_WINS: size.shared}),
            "level_of_all_together": LEVEL,
        }
        for size in sizes
    )


def _turns_frame(sizes: Sequence[TableSize]) -> pd.DataFrame:
    """Return one row per table size and number of turns that any game had: players, turns, games."""
    return pd.DataFrame(
        {"players": size.players, "turns": turns, "games": int(games)}
        for size in sizes
        for turns, games in enumerate(size.turns_histogram)
        if games
    )


def _finding(sizes: Sequence[TableSize]) -> str:
    shortest, longest = (pick(sizes, key=lambda size: size.turns.estimate) for pick in (min, max))
    low, high = (f"{size.minutes.estimate:.0f}" for size in (shortest, longest))
    if len(sizes) == 1:
        return (
            f"With {longest.players} players a game takes {longest.turns.estimate:.0f} turns, about {high} minutes, "
            f"and {longest.shared.estimate:.1f} of 100 games end with a shared win."
        )
    ties = max(sizes, key=lambda size: size.shared.estimate)
    often = greatest_named([size.players for size in sizes], [size.shared for size in sizes])
    return (
        f"A game takes {shortest.turns.estimate:.0f} turns with {shortest.players} players to "
        f"{longest.turns.estimate:.0f} with {longest.players}, about {low if low == high else f'{low} to {high}'} "
        f"minutes; shared wins are most frequent with {often} players: "
        f"{with_bounds(ties.shared, 1, sign=False)} of 100 games with {ties.players}."
    )


def _headline(judged: Sequence[tuple[Light, Threshold, TableSize]]) -> str:
    """Say what has the worst light; if all is well, everything."""
    told = []
    for light, threshold, size in judged:
        number = f"{size.limited(threshold).estimate:.0f}"
        words = {
            SHARED: f"with {size.players} players {number} of 100 games end with a shared win",
            WAITING: f"with {size.players} players everybody waits about {number} seconds between turns",
            MINUTES: f"a game takes about {number} minutes with {size.players} players",
        }
        told += [words[threshold]] if light == judged[0][0] else []
    text = f"{', '.join(told[:-1])}, and {told[-1]}" if len(told) > 1 else told[0]
    return f"{text[0].upper()}{text[1:]}."


def _texts(plan: BalancePlan, sizes: Sequence[TableSize]) -> tuple[str, ...]:
    limits = ", ".join(f"{limit.name} {plan.limit(limit):g} {limit.unit}" for limit in (MINUTES, WAITING, SHARED))
    most = max(sizes, key=lambda size: size.players)
    return (
        f"Minutes assume {plan.limit(SECONDS):g} seconds per turn; a take and the lead after it are one turn. A match "
        f"of as many games as players takes {most.players * most.minutes.estimate:.0f} minutes with {most.players} "
        "players.",
        f"Turns go round, so between two turns of one player everybody else has exactly one: waiting grows with the "
        f"number of players. The light is the worst of three limits at all table sizes: {limits}.",
        f"Everybody is {plan.standard.label}; {sizes[0].games:,} games per table size. Intervals: {LEVEL:.0%} for all "
        f"together, {PLANNED}.",
    )


def _figure(plan: BalancePlan, sizes: Sequence[TableSize], finding: str) -> PageFigure:
    def draw(turns: Axes, shared: Axes) -> None:
        _draw_turns(turns, sizes)
        _draw_shared(shared, sizes, plan.limit(SHARED))

    note = (
        f"{sizes[0].games:,} games per table size, everybody {plan.standard.label}, seed {plan.seed}. Bars: "
        f"{LEVEL:.0%} intervals for all together, {PLANNED}."
    )
    shows = "Game length and shared wins by players"
    return page_figure("player_count", draw, shows, finding, note, csv="game_turns", columns=2, sharey=False)


def _draw_turns(panel: Axes, sizes: Sequence[TableSize]) -> None:
    for size, colour in zip(sizes, OKABE_ITO, strict=False):
        share = 100 * size.turns_histogram / size.games
        shown = np.arange(size.turns_reached(ENDS_CUT), size.turns_reached(1 - ENDS_CUT) + 1)
        panel.plot(shown, share[shown], color=colour, linewidth=1.5, label=str(size.players))
    panel.set_xlabel(f"turns per game (without the {ENDS_CUT:.1%} of games at either end)")
    panel.set_ylabel("games per 100")
    panel.set_ylim(bottom=0)
    panel.legend(frameon=False, fontsize=8, title="players", title_fontsize=8, loc="upper left")


def _draw_shared(panel: Axes, sizes: Sequence[TableSize], limit: float) -> None:
    for size, colour, marker in zip(sizes, OKABE_ITO, MARKERS, strict=False):
        low, high = size.shared.estimate - size.shared.low, size.shared.high - size.shared.estimate
        panel.errorbar(
            [size.players], [size.shared.estimate], yerr=[[low], [high]], color=colour, marker=marker, markersize=6,
            capsize=3,
        )  # fmt: skip
    panel.axhline(limit, color=GREY, linewidth=1, linestyle=DASHED)
    panel.annotate("limit", (sizes[0].players, limit), (0, 3), textcoords="offset points", fontsize=8, color=GREY)
    panel.set_xticks([size.players for size in sizes])
    panel.set_ylim(bottom=0)
    panel.set_xlabel("players")
    panel.set_ylabel("shared wins per 100 games")
