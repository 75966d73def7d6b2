"""What a player's strategy does to the next and to the previous player."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import pandas as pd

from reports.balance.exhibits import LEGEND_ON_TOP, draw_errors, page_figure
from reports.balance.finding import Finding, Play, total
from reports.balance.plan import BalancePlan, Threshold, light_below
from reports.balance.rosters import others_than
from reports.estimates.betting import PER_HUNDRED
from reports.estimates.intervals import LEVEL, PLANNED, Interval, mean_from_sums
from reports.estimates.joint import greatest_distance, level_of_each
from reports.estimates.measures import bounds_columns
from reports.output.canvas import Axes
from reports.output.figures import GREY, MARKERS, OKABE_ITO, draw_grid
from reports.output.html import Light, PageFigure, PageTable
from reports.output.words import signed, with_bounds
from simulate import Rules
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
NEIGHBOURS: Final = {"the next player": "next_", "the previous player": "previous_"}
SIDES: Final = {"himself": "", **NEIGHBOURS}


@dataclass(frozen=True)
class Neighbours:
    """What a strategy does to a table at which it replaces a standard player.

    Attributes
    ----------
    strategy
        Who comes.
    players, deals
        At the table; played, with the newcomer at every position in turn.
    wins, scores
        What changes for the newcomer, the next and the previous player (see `SIDES`): wins per 100 games, and cards.
        All strategies' intervals of wins hold together, and so do those of scores.
    """

    strategy: str
    players: int
    deals: int
    wins: dict[str, Interval]
    scores: dict[str, Interval]

    def beyond(self, side: str) -> Interval:
        """Return what a neighbour gains beyond an even part of what the newcomer loses, in wins per 100 games."""
        own, there, others = self.wins["himself"], self.wins[side], self.players - 1
        estimate, low, high = (getattr(there, end) + getattr(own, end) / others for end in ("estimate", "low", "high"))
        return Interval(estimate, low, high, there.level, there.kind)


def effects(counts: Counts, rules: Rules, measure: str, level: float) -> dict[str, Interval]:
    """Return what a change does to the player who makes it and to both neighbours.

    The counts are those of a `Comparison` of single games; `measure` is wins (per 100 games) or scores (cards).
    """
    players = rules.players
    unit = players * (whole_win(players) / PER_HUNDRED if measure == "wins" else 1.0)
    most = players * (whole_win(players) if measure == "wins" else rules.deck.size)
    units = int(counts["units"][0])
    found = {}
    for side, prefix in SIDES.items():
        difference, squares = (int(number) for number in counts["differences"][MEASURES.index(f"{prefix}{measure}")])
        found[side] = mean_from_sums(difference, squares, units, level, unseen=most).times(1 / unit)
    return found


def measure_neighbours(plan: BalancePlan, play: Play) -> list[Neighbours]:
    """Let every strategy replace a standard player."""
    newcomers, players = others_than(plan.standard, plan.population), plan.rules.players
    played = play(PART, [Comparison(plan.rules, plan.standard, player) for player in newcomers], plan.effort.blocks)
    level = level_of_each(len(SIDES) * len(newcomers))
    found = []
    for newcomer, blocks in zip(newcomers, played, strict=True):
        counts = total(blocks)
        wins, scores = (effects(counts, plan.rules, measure, level) for measure in ("wins", "scores"))
        found.append(Neighbours(newcomer.label, players, int(counts["deals"][0]), wins, scores))
    return found


def greatest_effect(every: Sequence[Neighbours]) -> Interval:
    """Return the greatest effect on a neighbour beyond an even part, whatever its sign."""
    return greatest_distance([effect.beyond(side) for effect in every for side in NEIGHBOURS])


def measure(plan: BalancePlan, play: Play) -> Finding:
    """Look at what each strategy does to the players on both sides."""
    if plan.rules.players < FEWEST or not others_than(plan.standard, plan.population):
        finding = "With two players, or a single strategy, there are no neighbours to tell apart."
        return Finding(name="neighbours", title="Neighbours", finding=finding)
    every = measure_neighbours(plan, play)
    finding = main_finding(plan, every)
    return Finding(
        name="neighbours",
        title="Neighbours",
        finding=finding,
        light=light_below(greatest_effect(every), plan.limit(BESIDE)),
        threshold=BESIDE,
        frames={"neighbours": neighbour_frame(every)},
        figures=(_figure(plan, every, finding),),
        tables=(_table(every),),
        texts=(
            f"One player of each strategy replaces a {plan.standard.label} player among {plan.rules.players - 1} "
            f"others, at every position of the same {every[0].deals:,} deals. Intervals: {LEVEL:.0%} for all together, "
            f"{PLANNED}; those beyond an even part are a little wider than need be. If it did not matter who sits "
            "where, all others would share evenly in what he loses.",
        ),
        headline=finding,
    )


def main_finding(plan: BalancePlan, every: Sequence[Neighbours]) -> str:
    """Say whether neighbours matter, and whose are affected most; or that it is open."""
    most, side = max(
        ((effect, side) for effect in every for side in NEIGHBOURS),
        key=lambda pair: abs(pair[0].beyond(pair[1]).estimate),
    )
    greatest, limit = greatest_effect(every), plan.limit(BESIDE)
    if not most.beyond(side).excludes_zero:
        reach = f"no neighbour gains or loses more than {greatest.high:.1f} wins per 100 games beyond an even part"
        if greatest.high <= limit:
            return f"Who sits beside you hardly matters: {reach}."
        return f"Whether it matters who sits beside you is open: {reach}, but that may be more than {limit:g}."
    words: dict[Light, str] = {"good": "hardly matters", "middle": "may matter", "bad": "matters"}
    size = words[light_below(greatest, limit)]
    (other,) = NEIGHBOURS.keys() - {side}
    there, elsewhere = most.wins[side], most.wins[other]
    return (
        f"Who sits beside you {size}: a {most.strategy} player in place of a {plan.standard.label} one changes "
        f"the wins per 100 games of {side} by {with_bounds(there)} and of {other} by "
        f"{signed(elsewhere.estimate, elsewhere)}."
    )


def neighbour_frame(every: Sequence[Neighbours]) -> pd.DataFrame:
    """Return one row per strategy and player affected: changes of wins and score, and wins beyond an even part."""
    return pd.DataFrame(
        {
            "strategy": effect.strategy,
            "affects": side,
            "players": effect.players,
            "deals": effect.deals,
            **bounds_columns("wins_per_100_games", effect.wins[side]),
            **bounds_columns("score", effect.scores[side]),
            **(bounds_columns("wins_beyond_an_even_part", effect.beyond(side)) if side in NEIGHBOURS else {}),
            "level_of_all_together": LEVEL,
        }
        for effect in every
        for side in SIDES
    )


def _table(every: Sequence[Neighbours]) -> PageTable:
    rows = [
        (
            effect.strategy,
            *(with_bounds(effect.wins[side]) for side in SIDES),
            *(with_bounds(effect.beyond(side)) for side in NEIGHBOURS),
        )
        for effect in every
    ]
    columns = ("strategy", *SIDES, "the next beyond an even part", "the previous beyond an even part")
    return PageTable(columns, tuple(rows), 1, "neighbours.csv")


def _figure(plan: BalancePlan, every: Sequence[Neighbours], finding: str) -> PageFigure:
    def draw(panel: Axes) -> None:
        panel.axvline(0, color=GREY, linewidth=0.8)
        for line, side in enumerate(NEIGHBOURS):
            places = [place + 0.24 * (line - 0.5) for place in range(len(every))]
            draw_errors(
                panel, places, [effect.wins[side] for effect in every], flat=True, fmt=MARKERS[line],
                color=OKABE_ITO[line], markersize=5, label=side,
            )  # fmt: skip
        for place, effect in enumerate(every):
            even = -effect.wins["himself"].estimate / (effect.players - 1)
            panel.plot([even, even], [place - 0.32, place + 0.32], color=GREY, linewidth=1.2, linestyle=(0, (2, 1)))
        panel.set_yticks(range(len(every)), [effect.strategy for effect in every])
        panel.invert_yaxis()
        panel.set_xlabel("change of wins per 100 games")
        panel.legend(**LEGEND_ON_TOP)
        draw_grid(panel, "x")

    note = (
        f"Change of wins per 100 games when one player replaces a {plan.standard.label} player. Bars: {LEVEL:.0%} "
        f"intervals for all together, {PLANNED}. Dashes: an even part of what he loses. {every[0].deals:,} deals, "
        f"seed {plan.seed}."
    )
    shows = "What each strategy does to the wins of the next and of the previous player"
    return page_figure("neighbours", draw, shows, finding, note, height=1.8 + 0.42 * len(every))
