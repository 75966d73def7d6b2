"""How the game changes with the number of players: scores, length, ties, waiting."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from numpy.typing import NDArray

from reports.balance.finding import Finding, Play, total
from reports.balance.plan import BalancePlan, Threshold, light_below
from reports.estimates.intervals import LEVEL, PLANNED, Interval, mean_of_histogram, mean_over_seats, share_from_sums
from reports.estimates.measures import Measure, bounds_columns
from reports.output.figures import GREY, MARKERS, OKABE_ITO, as_svg, panels
from reports.output.html import Light, PageFigure, PageTable
from reports.output.words import plus_minus
from reports.simulation.summary import GAME_TURNS, SCORE, SHARED_WINS
from simulate import Table
from simulate.experiment import Counts

SECONDS: Final = Threshold("seconds-per-turn", 15.0, "seconds", "how long a turn takes at the table (an assumption)")
MINUTES: Final = Threshold("game-minutes", 15.0, "minutes", "how long a game may take at any table size")
WAITING: Final = Threshold(
    "waiting-seconds", 60.0, "seconds", "how long a player may wait between two turns of his own"
)
SHARED: Final = Threshold("shared-wins", 10.0, "games per 100", "how many games may end with a shared win")

LENGTH: Final = Measure("minutes", "minutes per game", "minutes")
ENDS_CUT: Final = 0.001
"""The figure leaves out this share of the longest games, and of the shortest."""
WORSE: Final[Mapping[Light, int]] = {"good": 0, "middle": 1, "bad": 2}


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


def table_size(counts: Counts, seconds: float) -> TableSize:
    """Read what games are like from the counts of a table of equals."""
    players, games = len(counts["scores"]), int(counts["games"][0])
    shared = int(counts["winners"][2:].sum())
    seats = range(players)
    return TableSize(
        players,
        games,
        mean_over_seats(counts["scores"].sum(axis=1), counts["score_products"], games, seats),
        mean_of_histogram(counts["turns_histogram"]),
        share_from_sums(shared, shared, games).times(100),
        counts["turns_histogram"],
        seconds,
    )


def measure(plan: BalancePlan, play: Play) -> Finding:
    """Look at every table size with equal players."""
    tables = [Table(plan.at(players), (plan.standard,) * players) for players in plan.player_counts]
    played = play("player-count", tables, plan.effort.blocks)
    sizes = [table_size(total(blocks), plan.limit(SECONDS)) for blocks in played]
    judged = _judged(plan, sizes)
    light, threshold, _ = judged[0]
    finding = _finding(sizes)
    return Finding(
        name="player-count",
        title="Player count",
        finding=finding,
        light=light,
        threshold=threshold,
        frames={"player_count": _frame(sizes), "game_turns": _turns_frame(sizes)},
        figures=(_figure(plan, sizes, finding),),
        tables=(_table(sizes),),
        texts=_texts(plan, sizes),
        commands=(f"escalation simulate --players {max(plan.player_counts)} --games 100k",),
        headline=_headline(judged),
    )


def _judged(plan: BalancePlan, sizes: Sequence[TableSize]) -> list[tuple[Light, Threshold, TableSize]]:
    """Return the light of each limit at the table size that is worst for it, the worst light first."""
    found = []
    for threshold in (SHARED, WAITING, MINUTES):
        worst = max(sizes, key=lambda one: _measured(one, threshold).estimate)
        found.append((light_below(_measured(worst, threshold), plan.limit(threshold)), threshold, worst))
    return sorted(found, key=lambda judged: -WORSE[judged[0]])


def _measured(one: TableSize, threshold: Threshold) -> Interval:
    """Return the number that a threshold limits."""
    if threshold == WAITING:
        return Interval(one.waiting, one.waiting, one.waiting)
    return one.minutes if threshold == MINUTES else one.shared


def _finding(sizes: Sequence[TableSize]) -> str:
    shortest, longest = min(sizes, key=_turns), max(sizes, key=_turns)
    if len(sizes) == 1:
        return (
            f"With {longest.players} players a game takes {_turns(longest):.0f} turns, about "
            f"{longest.minutes.estimate:.0f} minutes, and {longest.shared.estimate:.1f} of 100 games end with a shared "
            "win."
        )
    ties = max(sizes, key=lambda one: one.shared.estimate)
    return (
        f"A game takes {_turns(shortest):.0f} turns with {shortest.players} players to {_turns(longest):.0f} with "
        f"{longest.players}, about {_minutes(shortest, longest)} minutes; shared "
        f"wins are most frequent with {ties.players} players, {ties.shared.estimate:.1f} of 100 games."
    )


def _minutes(shortest: TableSize, longest: TableSize) -> str:
    low, high = (f"{one.minutes.estimate:.0f}" for one in (shortest, longest))
    return low if low == high else f"{low} to {high}"


def _turns(one: TableSize) -> float:
    return one.turns.estimate


def _headline(judged: Sequence[tuple[Light, Threshold, TableSize]]) -> str:
    """Say what has the worst light; if all is well, everything."""
    told = [_in_words(threshold, size) for light, threshold, size in judged if light == judged[0][0]]
    text = f"{', '.join(told[:-1])}, and {told[-1]}" if len(told) > 1 else told[0]
    return f"{text[0].upper()}{text[1:]}."


def _in_words(threshold: Threshold, size: TableSize) -> str:
    number = f"{_measured(size, threshold).estimate:.0f}"
    return {
        SHARED: f"with {size.players} players {number} of 100 games end with a shared win",
        WAITING: f"with {size.players} players everybody waits about {number} seconds between turns",
        MINUTES: f"a game takes about {number} minutes with {size.players} players",
    }[threshold]


def _texts(plan: BalancePlan, sizes: Sequence[TableSize]) -> tuple[str, ...]:
    limits = ", ".join(f"{one.name} {plan.limit(one):g} {one.unit}" for one in (MINUTES, WAITING, SHARED))
    most = max(sizes, key=lambda one: one.players)
    return (
        f"Minutes assume {plan.limit(SECONDS):g} seconds per turn; a take and the lead after it are one turn. A match "
        f"of as many games as players takes {most.players * most.minutes.estimate:.0f} minutes with {most.players} "
        "players.",
        f"Turns go round, so between two turns of one player everybody else has exactly one: waiting grows with the "
        f"number of players. The light is the worst of three limits at all table sizes: {limits}.",
        f"Everybody is {plan.standard.label}; {sizes[0].games:,} games per table size.",
    )


def _frame(sizes: Sequence[TableSize]) -> pd.DataFrame:
    """Return one row per table size, with every number and its interval."""
    rows: list[dict[str, Any]] = []
    for one in sizes:
        row: dict[str, Any] = {"players": one.players, "games": one.games}
        for measure_, interval in ((SCORE, one.score), (GAME_TURNS, one.turns), (LENGTH, one.minutes)):
            row |= bounds_columns(measure_.name, interval)
        row |= {"game_turns_p05": one.turns_reached(0.05), "game_turns_p95": one.turns_reached(0.95)}
        row |= {"turns_per_player": _turns(one) / one.players, "waiting_seconds": one.waiting}
        rows.append({**row, **bounds_columns(SHARED_WINS.name, one.shared), "level": LEVEL})
    return pd.DataFrame(rows)


def _turns_frame(sizes: Sequence[TableSize]) -> pd.DataFrame:
    """Return one row per table size and number of turns that any game had: players, turns, games."""
    rows = [
        {"players": one.players, "turns": turns, "games": int(games)}
        for one in sizes
        for turns, games in enumerate(one.turns_histogram)
        if games
    ]
    return pd.DataFrame(rows)


def _table(sizes: Sequence[TableSize]) -> PageTable:
    columns = (
        "players", "score", "turns per game", "9 of 10 games", "turns each", "minutes", "waiting, seconds",
        "shared wins per 100",
    )  # fmt: skip
    rows = tuple(
        (
            str(one.players),
            plus_minus(one.score),
            plus_minus(one.turns),
            f"{one.turns_reached(0.05)} to {one.turns_reached(0.95)}",
            f"{_turns(one) / one.players:.1f}",
            plus_minus(one.minutes),
            f"{one.waiting:.0f}",
            plus_minus(one.shared),
        )
        for one in sizes
    )
    return PageTable(columns, rows, 0, "player_count.csv")


def _figure(plan: BalancePlan, sizes: Sequence[TableSize], finding: str) -> PageFigure:
    note = (
        f"{sizes[0].games:,} games per table size, everybody {plan.standard.label}, seed {plan.seed}. Bars: "
        f"{LEVEL:.0%} intervals, {PLANNED}."
    )
    with panels(2, finding, note, sharey=False) as (figure, axes):
        _draw_turns(axes[0], sizes)
        _draw_shared(axes[1], sizes, plan.limit(SHARED))
    return PageFigure(
        "player_count", as_svg(figure), f"Game length and shared wins by players. {finding}", csv="game_turns.csv"
    )


def _draw_turns(panel: Axes, sizes: Sequence[TableSize]) -> None:
    for line, one in enumerate(sizes):
        share = 100 * one.turns_histogram / one.games
        shown = np.arange(one.turns_reached(ENDS_CUT), one.turns_reached(1 - ENDS_CUT) + 1)
        panel.plot(shown, share[shown], color=OKABE_ITO[line], linewidth=1.5, label=str(one.players))
    panel.set_xlabel(f"turns per game (without the {ENDS_CUT:.1%} of games at either end)")
    panel.set_ylabel("games per 100")
    panel.set_ylim(bottom=0)
    panel.legend(frameon=False, fontsize=8, title="players", title_fontsize=8, loc="upper left")


def _draw_shared(panel: Axes, sizes: Sequence[TableSize], limit: float) -> None:
    for line, one in enumerate(sizes):
        low, high = one.shared.estimate - one.shared.low, one.shared.high - one.shared.estimate
        panel.errorbar(
            [one.players], [one.shared.estimate], yerr=[[low], [high]], color=OKABE_ITO[line], marker=MARKERS[line],
            markersize=6, capsize=3,
        )  # fmt: skip
    panel.axhline(limit, color=GREY, linewidth=1, linestyle=(0, (4, 3)))
    panel.annotate("limit", (sizes[0].players, limit), (0, 3), textcoords="offset points", fontsize=8, color=GREY)
    panel.set_xticks([one.players for one in sizes])
    panel.set_ylim(bottom=0)
    panel.set_xlabel("players")
    panel.set_ylabel("shared wins per 100 games")
