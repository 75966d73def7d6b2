"""What a player's strategy does to the next and to the previous player."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import pandas as pd

from reports.balance.finding import Finding, Play, total
from reports.balance.plan import BalancePlan, Threshold, light_below
from reports.balance.shares import greatest_distance
from reports.estimates.betting import PER_HUNDRED
from reports.estimates.intervals import LEVEL, PLANNED, Interval, mean_from_sums
from reports.output.figures import GREY, MARKERS, OKABE_ITO, as_svg, panels
from reports.output.html import PageFigure, PageTable
from reports.output.words import bounds, signed
from simulate.escalation.kernel.pair_counts import MEASURES
from simulate.escalation.kernel.win_shares import whole_win
from simulate.escalation.settings.comparison import Comparison
from simulate.experiment import Counts

BESIDE: Final = Threshold(
    "neighbour-effect",
    3.0,
    "wins per 100 games",
    "what a player's strategy may give to a neighbour, or take from him, beyond an even part of his own loss or gain",
)
PART: Final = "neighbours"
FEWEST: Final = 3
"""With two players the neighbour on both sides is the same."""
SIDES: Final = {"himself": "", "the next player": "next_", "the previous player": "previous_"}


@dataclass(frozen=True)
class Neighbours:
    """What a strategy does to a table at which it replaces a standard player.

    Attributes
    ----------
    strategy
        Who comes.
    players, deals
        At the table; played, with him at every position in turn.
    wins, scores
        What changes for himself, the next and the previous player (see `SIDES`): wins per 100 games, and cards. All
        strategies' intervals of wins hold together, and so do those of scores.
    """

    strategy: str
    players: int
    deals: int
    wins: dict[str, Interval]
    scores: dict[str, Interval]

    def beyond(self, side: str) -> Interval:
        """Return what a neighbour gains beyond an even part of what the newcomer loses, in wins per 100 games."""
        own, there, others = self.wins["himself"], self.wins[side], self.players - 1
        ends = ((there.estimate, own.estimate), (there.low, own.low), (there.high, own.high))
        estimate, low, high = (one + other / others for one, other in ends)
        return Interval(estimate, low, high, there.level, there.kind)


def effects(counts: Counts, players: int, measure: str, level: float) -> dict[str, Interval]:
    """Return what a change does to the player himself and to both neighbours.

    Parameters
    ----------
    counts
        Of a `Comparison` of single games.
    players
        At the table.
    measure
        wins (per 100 games) or scores (cards).
    level
        Of each interval.
    """
    unit = players * (whole_win(players) / PER_HUNDRED if measure == "wins" else 1.0)
    units = int(counts["units"][0])
    found = {}
    for side, prefix in SIDES.items():
        difference, squares = (int(number) for number in counts["differences"][MEASURES.index(f"{prefix}{measure}")])
        found[side] = mean_from_sums(difference, squares, units, level).times(1 / unit)
    return found


def measure_neighbours(plan: BalancePlan, play: Play) -> list[Neighbours]:
    """Let every strategy replace a standard player."""
    newcomers = [one for one in plan.population if one.values != plan.standard.values]
    settings = [Comparison(plan.rules, plan.standard, one) for one in newcomers]
    every = [total(blocks) for blocks in play(PART, settings, plan.effort.blocks)]
    level, players = 1 - (1 - LEVEL) / (len(SIDES) * len(newcomers)), plan.rules.players
    return [
        Neighbours(
            newcomer.label,
            players,
            int(counts["deals"][0]),
            effects(counts, players, "wins", level),
            effects(counts, players, "scores", level),
        )
        for newcomer, counts in zip(newcomers, every, strict=True)
    ]


def greatest_effect(every: Sequence[Neighbours]) -> Interval:
    """Return the greatest effect on a neighbour beyond an even part, whatever its sign."""
    return greatest_distance([one.beyond(side) for one in every for side in SIDES if side != "himself"])


def measure(plan: BalancePlan, play: Play) -> Finding:
    """Look at what each strategy does to the players on both sides."""
    if plan.rules.players < FEWEST or all(one.values == plan.standard.values for one in plan.population):
        finding = "With two players, or a single strategy, there are no neighbours to tell apart."
        return Finding("neighbours", "Neighbours", finding)
    every = measure_neighbours(plan, play)
    finding = main_finding(plan, every)
    note = (
        f"One player of each strategy replaces a {plan.standard.label} player among {plan.rules.players - 1} others, "
        f"at every position of the same {every[0].deals:,} deals. Intervals: {LEVEL:.0%} for all together, {PLANNED}; "
        "those beyond an even part are a little wider than need be. If it did not matter who sits where, all others "
        "would share evenly in what he loses."
    )
    return Finding(
        name="neighbours",
        title="Neighbours",
        finding=finding,
        light=light_below(greatest_effect(every), plan.limit(BESIDE)),
        threshold=BESIDE,
        frames={"neighbours": neighbour_frame(every)},
        figures=(_figure(plan, every, finding),),
        tables=(_table(every),),
        texts=(note,),
        headline=finding,
    )


def main_finding(plan: BalancePlan, every: Sequence[Neighbours]) -> str:
    """Say whose neighbours are affected most."""
    sides = [side for side in SIDES if side != "himself"]
    most, side = max(
        ((one, side) for one in every for side in sides), key=lambda pair: abs(pair[0].beyond(pair[1]).estimate)
    )
    beyond = most.beyond(side)
    if beyond.low <= 0 <= beyond.high:
        return "Who sits beside you makes no difference that so many games could show."
    limit = plan.limit(BESIDE)
    size = "hardly matters" if greatest_effect(every).high <= limit else "matters"
    other = next(one for one in sides if one != side)
    there, elsewhere = most.wins[side], most.wins[other]
    return (
        f"Who sits beside you {size}: a {most.strategy} player in place of a {plan.standard.label} one changes "
        f"the wins per 100 games of {side} by {signed(there.estimate, there)} ({bounds(there)}) and of {other} by "
        f"{signed(elsewhere.estimate, elsewhere)}."
    )


def neighbour_frame(every: Sequence[Neighbours]) -> pd.DataFrame:
    """Return one row per strategy and player affected: changes of wins and score, and wins beyond an even part."""
    rows = []
    for one in every:
        for side in SIDES:
            row: dict[str, object] = {"strategy": one.strategy, "affects": side, "players": one.players}
            row["deals"] = one.deals
            numbers = {"wins_per_100_games": one.wins[side], "score": one.scores[side]}
            if side != "himself":
                numbers["wins_beyond_an_even_part"] = one.beyond(side)
            for name, interval in numbers.items():
                row |= {name: interval.estimate, f"{name}_low": interval.low, f"{name}_high": interval.high}
            rows.append({**row, "level_of_all_together": LEVEL})
    return pd.DataFrame(rows)


def _table(every: Sequence[Neighbours]) -> PageTable:
    def told(interval: Interval) -> str:
        return f"{signed(interval.estimate, interval)} ({bounds(interval)})"

    rows = [
        (one.strategy, *(told(one.wins[side]) for side in SIDES), *(told(one.beyond(side)) for side in list(SIDES)[1:]))
        for one in every
    ]
    columns = ("strategy", *SIDES, "the next beyond an even part", "the previous beyond an even part")
    return PageTable(columns, tuple(rows), 1, "neighbours.csv")


def _figure(plan: BalancePlan, every: Sequence[Neighbours], finding: str) -> PageFigure:
    note = (
        f"Change of wins per 100 games when one player replaces a {plan.standard.label} player. Bars: {LEVEL:.0%} "
        f"intervals for all together, {PLANNED}. Dashes: an even part of what he loses. {every[0].deals:,} deals, "
        f"seed {plan.seed}."
    )
    with panels(1, finding, note, height=1.8 + 0.42 * len(every)) as (figure, (panel,)):
        panel.axvline(0, color=GREY, linewidth=0.8)
        for line, side in enumerate(list(SIDES)[1:]):
            places = [place + 0.24 * (line - 0.5) for place in range(len(every))]
            wins = [one.wins[side] for one in every]
            panel.errorbar(
                [one.estimate for one in wins], places, xerr=[one.half_width for one in wins], fmt=MARKERS[line],
                color=OKABE_ITO[line], markersize=5, capsize=2, label=side,
            )  # fmt: skip
        for place, one in enumerate(every):
            even = -one.wins["himself"].estimate / (one.players - 1)
            panel.plot([even, even], [place - 0.32, place + 0.32], color=GREY, linewidth=1.2, linestyle=(0, (2, 1)))
        panel.set_yticks(range(len(every)), [one.strategy for one in every])
        panel.invert_yaxis()
        panel.set_xlabel("change of wins per 100 games")
        panel.legend(frameon=False, fontsize=8, loc="lower left", bbox_to_anchor=(0, 1), ncols=3, borderaxespad=0)
        panel.grid(axis="x", color="#dddddd", linewidth=0.6)
        panel.set_axisbelow(True)
    alternative = f"What each strategy does to the wins of the next and of the previous player. {finding}"
    return PageFigure("neighbours", as_svg(figure), alternative, csv="neighbours.csv")
