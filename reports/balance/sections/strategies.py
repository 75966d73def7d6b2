"""All named strategies against each other, and whether there is more than one way to play well.

Each strategy is tried alone among players who all play one strategy, at every position of the same deals. That tells
who gains by changing over, who is never worth playing, and whether strategies win among each other in a circle.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
import pandas as pd
from matplotlib.patches import Rectangle
from numpy.typing import NDArray

from reports.ask.circumstances import FALSE_RATE
from reports.balance.compositions import composition_frame, composition_sentence, measure_compositions
from reports.balance.finding import Finding, Play, total
from reports.balance.ladder import Ladder, ladder_figure, ladder_frame, ladder_sentences, measure_ladder
from reports.balance.plan import BalancePlan, Threshold, light_above
from reports.estimates.betting import PER_HUNDRED, WATCHED, Watched, discoveries, evidence, simultaneous
from reports.estimates.intervals import LEVEL, Interval, mean_of
from reports.estimates.measures import bounds_columns, interval_from_row, rows_of
from reports.output.figures import OKABE_ITO, as_svg, panels
from reports.output.html import PageFigure, PageTable
from reports.output.words import number, plus_minus, size_and_span
from reports.simulation.summary import WINS
from simulate.escalation.settings.invasion import Invasion, pairs_of
from simulate.experiment import Counts

WAYS: Final = Threshold(
    "ways-to-play", 2.0, "strategies", "how many named strategies should do about as well as the best, itself included"
)
NEAR: Final = Threshold(
    "near-best", 2.0, "wins per 100 games", "a strategy so far behind the best, over all opponents, still plays well"
)
STEP: Final = Threshold(
    "step-games", 100.0, "games", "a step of the skill ladder is clear if the better player is ahead after so many"
)
PART: Final = "matchups"
MOST_NAMED: Final = 2
TOGETHER: Final = f"{LEVEL:.0%} for all together, {WATCHED}"


@dataclass(frozen=True)
class Matchups:
    """Who wins how much among whom; the first index is the one alone, the last the field around him.

    Attributes
    ----------
    names
        The strategies.
    players, deals
        Players at the table, and deals per field.
    wins
        Wins per 100 games of each strategy alone in each field; they hold all together.
    evidences, different
        E-values against an equal share, and whether it is found to be none, at a rate of false ones of FALSE_RATE.
    gains
        By pair of strategies, what the second wins more than the first in each field; they hold all together.
    """

    names: tuple[str, ...]
    players: int
    deals: int
    wins: tuple[tuple[Interval, ...], ...]
    evidences: NDArray[np.float64]
    different: NDArray[np.bool_]
    gains: dict[tuple[int, int], tuple[Interval, ...]]

    @property
    def equal_share(self) -> float:
        """Wins per 100 games of a player among his equals."""
        return PER_HUNDRED / self.players

    def gain(self, one: int, other: int) -> tuple[Interval, ...]:
        """Return what a strategy wins more than another one in each field."""
        if (other, one) in self.gains:
            return self.gains[other, one]
        return tuple(-interval for interval in self.gains[one, other])

    def ahead(self, one: int, other: int) -> Interval:
        """Return what a strategy wins more than another one, averaged over all fields."""
        if one == other:
            return Interval(0.0, 0.0, 0.0)
        return mean_of(self.gain(one, other), LEVEL)

    @property
    def best(self) -> int:
        """The strategy that wins most over all fields."""
        return int(np.argmax([np.mean([cell.estimate for cell in row]) for row in self.wins]))

    def dominated_by(self, one: int) -> list[int]:
        """Return the strategies that surely win more than this one whatever the field is."""
        others = [other for other in range(len(self.names)) if other != one]
        return [other for other in others if all(interval.low > 0 for interval in self.gain(other, one))]

    @property
    def invades(self) -> NDArray[np.bool_]:
        """Whether a strategy, alone in a field, surely wins more than an equal share."""
        return np.array([[cell.low > self.equal_share for cell in row] for row in self.wins])

    def best_replies(self, field: int) -> list[int]:
        """Return the strategies that no other one surely beats in a field."""
        everybody = range(len(self.names))
        return [
            one
            for one in everybody
            if all(self.gain(other, one)[field].low <= 0 for other in everybody if other != one)
        ]


def read_matchups(names: Sequence[str], players: int, every: Sequence[Counts]) -> Matchups:
    """Read who wins how much among whom.

    Parameters
    ----------
    names
        The strategies.
    players
        Players at the table.
    every
        The counts of one `Invasion` per field; the invaders are the strategies in their order, and so are the fields.
    """
    size, alpha = len(names), 1 - LEVEL
    share = PER_HUNDRED / players
    cells = [(one, field) for one in range(size) for field in range(size) if one != field]
    seen = [Watched.from_histogram(every[field]["shares"][one], 0.0, PER_HUNDRED) for one, field in cells]
    evidences = np.ones((size, size))
    evidences[tuple(np.transpose(cells))] = [evidence(one, share) for one in seen]
    found = np.zeros((size, size), dtype=np.bool_)
    found[tuple(np.transpose(cells))] = discoveries(evidences[tuple(np.transpose(cells))], FALSE_RATE)
    intervals = dict(zip(cells, simultaneous(seen, alpha), strict=True))
    equals = Interval(share, share, share, LEVEL, WATCHED)
    wins = tuple(tuple(intervals.get((one, field), equals) for field in range(size)) for one in range(size))
    apart = [
        Watched.from_histogram(counts["differences"][place], -PER_HUNDRED, PER_HUNDRED)
        for place in range(len(pairs_of(size)))
        for counts in every
    ]
    each = simultaneous(apart, alpha)
    gains = {pair: tuple(each[place * size : (place + 1) * size]) for place, pair in enumerate(pairs_of(size))}
    return Matchups(tuple(names), players, int(every[0]["deals"][0]), wins, evidences, found, gains)


def circles(invades: NDArray[np.bool_]) -> list[list[int]]:
    """Return every set of strategies in which each can be reached from each by one invading another."""
    reached = invades.copy()
    for through in range(len(reached)):
        reached |= np.outer(reached[:, through], reached[through])
    mutual = reached & reached.T
    sets = {tuple(np.flatnonzero(mutual[one]).tolist()) for one in range(len(mutual)) if mutual[one, one]}
    return [list(members) for members in sorted(sets)]


def ways_to_play(matchups: Matchups, near: float) -> Interval:
    """Count the strategies that are at most so far behind the best: as it looks, surely, and possibly."""
    behind = [matchups.ahead(matchups.best, one) for one in range(len(matchups.names))]
    looks, surely, possibly = (
        sum(end <= near for end in ends)
        for ends in (
            [one.estimate for one in behind],
            [one.high for one in behind],
            [one.low for one in behind],
        )
    )
    return Interval(looks, surely, possibly, LEVEL, WATCHED)


def measure(plan: BalancePlan, play: Play) -> Finding:
    """Let all strategies meet each other, and climb the skill ladder."""
    matchups = measure_matchups(plan, play)
    compositions = measure_compositions(plan, play)
    ladder = measure_ladder(plan, play, plan.limit(STEP))
    ways = ways_to_play(matchups, plan.limit(NEAR))
    finding = main_finding(matchups, plan.limit(NEAR))
    return Finding(
        name="strategies",
        title="Strategies",
        finding=finding,
        light=light_above(ways, plan.limit(WAYS)),
        threshold=WAYS,
        frames={
            "matchups": matchup_frame(matchups),
            "replacements": replacement_frame(matchups),
            "strategies": strategy_frame(matchups),
            "compositions": composition_frame(compositions),
            "ladder": ladder_frame(ladder),
        },
        figures=(_heatmap(plan, matchups, finding), ladder_figure(plan, ladder)),
        tables=(_table(matchups), _ladder_table(ladder)),
        texts=(
            *sentences(matchups),
            composition_sentence(compositions),
            *ladder_sentences(ladder),
            f"Wins of one player while everybody else plays the other strategy, at every position of "
            f"{matchups.deals:,} deals; intervals {TOGETHER}. Only named strategies meet: others may do better.",
        ),
        headline=f"{finding} {ladder_sentences(ladder)[0]}",
    )


def measure_matchups(plan: BalancePlan, play: Play) -> Matchups:
    """Play every strategy alone in every field."""
    settings = [Invasion(plan.rules, field, plan.population) for field in plan.population]
    every = [total(blocks) for blocks in play(PART, settings, max(1, plan.effort.blocks // 2))]
    return read_matchups([one.label for one in plan.population], plan.rules.players, every)


def main_finding(matchups: Matchups, near: float) -> str:
    """Say whether there is more than one way to play well."""
    best = matchups.best
    behind = {one: matchups.ahead(best, one) for one in range(len(matchups.names)) if one != best}
    good = [one for one, interval in behind.items() if interval.estimate <= near]
    if good:
        names = ", ".join(matchups.names[one] for one in good)
        furthest = max((behind[one] for one in good), key=lambda interval: interval.estimate)
        return (
            f"There is more than one way to play well: {matchups.names[best]} wins most over all opponents, and "
            f"{names} at most {number(furthest.estimate, furthest)} wins per 100 games less."
        )
    second = min(behind, key=lambda one: behind[one].estimate)
    size, span = size_and_span(behind[second])
    return (
        f"One way to play stands out: {matchups.names[best]} wins most over all opponents, {matchups.names[second]} "
        f"as the next best {size} wins per 100 games less {span}."
    )


def sentences(matchups: Matchups) -> list[str]:
    """Say which strategies are never worth playing, who is the best reply to whom, and whether there are circles."""
    names = matchups.names
    everybody = range(len(names))
    dominated = {
        names[one]: [names[other] for other in others] for one in everybody if (others := matchups.dominated_by(one))
    }
    if dominated:
        told = [f"{name} (better is {_some(others)})" for name, others in dominated.items()]
        first = f"Never worth playing, since another strategy wins more whoever the opponents are: {'; '.join(told)}."
    else:
        first = "No strategy is surely worse than another one among all opponents."
    stable = [names[one] for one in everybody if not matchups.invades[:, one].any()]
    second = (
        f"Nobody surely gains by leaving a table where all play {' or '.join(stable)}."
        if stable
        else "At every table of equals somebody surely gains by playing otherwise."
    )
    found = circles(matchups.invades)
    told = [", ".join(names[one] for one in members) for members in found]
    third = (
        f"There are circles of strategies that each win among the next: {'; '.join(told)}."
        if found
        else "There is no circle: no chain of strategies that win among each other leads back to its start."
    )
    return [first, second, third]


def _some(names: Sequence[str]) -> str:
    """Name the first few."""
    more = len(names) - MOST_NAMED
    return ", ".join(names[:MOST_NAMED]) + (f" and {more} more" if more > 0 else "")


def matchup_frame(matchups: Matchups) -> pd.DataFrame:
    """Return one row per strategy and field: what it wins there, and whether that differs from an equal share."""
    rows: list[dict[str, Any]] = []
    for one, name in enumerate(matchups.names):
        for field, opponents in enumerate(matchups.names):
            cell = matchups.wins[one][field]
            row = {"strategy": name, "opponents": opponents, "players": matchups.players, "deals": matchups.deals}
            row |= bounds_columns(WINS.name, cell)
            row |= {"level_of_all_together": LEVEL, "e_value": matchups.evidences[one, field]}
            rows.append({**row, "different_from_equal_share": "yes" if matchups.different[one, field] else "no"})
    return pd.DataFrame(rows)


def replacement_frame(matchups: Matchups) -> pd.DataFrame:
    """Return one row per pair and field: what the one strategy wins more than the other, with bounds."""
    return pd.DataFrame(
        {
            "strategy": matchups.names[second],
            "instead_of": matchups.names[first],
            "opponents": matchups.names[field],
            **bounds_columns("gain_in_wins_per_100_games", interval),
            "level_of_all_together": LEVEL,
        }
        for (first, second), intervals in matchups.gains.items()
        for field, interval in enumerate(intervals)
    )


def strategy_frame(matchups: Matchups) -> pd.DataFrame:
    """Return one row per strategy, the best first: how far behind the best, dominated by whom, best reply to whom."""
    names, rows = matchups.names, []
    for one, name in enumerate(names):
        behind = matchups.ahead(matchups.best, one)
        replies = [field for field in range(len(names)) if one in matchups.best_replies(field)]
        rows.append(
            {
                "strategy": name,
                "wins_per_100_games": float(np.mean([cell.estimate for cell in matchups.wins[one]])),
                **bounds_columns("behind_the_best", behind),
                "level_of_all_together": LEVEL,
                "dominated_by": ", ".join(names[other] for other in matchups.dominated_by(one)),
                "perhaps_best_reply_to": ", ".join(names[field] for field in replies),
            }
        )
    return pd.DataFrame(rows).sort_values("behind_the_best", kind="stable", ignore_index=True)


def _table(matchups: Matchups) -> PageTable:
    rows = []
    for row in rows_of(strategy_frame(matchups)):
        behind = interval_from_row(row, "behind_the_best")
        wins, dominated, replies = row["wins_per_100_games"], row["dominated_by"], row["perhaps_best_reply_to"]
        rows.append((row["strategy"], dominated or "-", replies or "-", f"{wins:.2f}", plus_minus(behind)))
    columns = (
        "strategy",
        "dominated by",
        "may be the best reply to",
        "wins per 100 over all fields",
        "behind the best",
    )
    return PageTable(columns, tuple(rows), 3, "strategies.csv")


def _ladder_table(ladder: Ladder) -> PageTable:
    rows = [
        (step.weaker, step.better, plus_minus(step.gap), plus_minus(step.games), plus_minus(step.matches))
        for step in ladder.steps
    ]
    columns = ("from", "to", "wins more per 100 games", "games until ahead", "matches until ahead")
    return PageTable(columns, tuple(rows), 2, "ladder.csv")


def _heatmap(plan: BalancePlan, matchups: Matchups, finding: str) -> PageFigure:
    cells = np.array([[cell.estimate for cell in row] for row in matchups.wins])
    note = (
        f"Wins per 100 games of one player among {plan.rules.players - 1} that play alike; an equal share is "
        f"{matchups.equal_share:.1f}. Framed: the most in a column. Pale numbers: no difference from an equal share is "
        f"found (e-BH, at most {FALSE_RATE:.0%} found wrongly). {matchups.deals:,} deals per column, seed {plan.seed}."
    )
    size = len(matchups.names)
    with panels(1, finding, note, height=1.7 + 0.42 * size) as (figure, (panel,)):
        # A mesh is drawn as shapes; an image would be a picture within the figure.
        panel.pcolormesh(np.arange(size + 1) - 0.5, np.arange(size + 1) - 0.5, cells, cmap="cividis")
        middle = (cells.min() + cells.max()) / 2
        for (row, column), value in np.ndenumerate(cells):
            colour = "black" if value > middle else "white"
            faint = 1.0 if matchups.different[row, column] else 0.6
            panel.text(column, row, f"{value:.1f}", ha="center", va="center", color=colour, fontsize=8, alpha=faint)
        for column in range(size):
            corner = (column - 0.5, int(cells[:, column].argmax()) - 0.5)
            panel.add_patch(Rectangle(corner, 1, 1, fill=False, edgecolor=OKABE_ITO[1], linewidth=2))
        panel.set_xticks(range(size), matchups.names, rotation=30, ha="right")
        panel.set_yticks(range(size), matchups.names)
        panel.tick_params(length=0)
        panel.set_xlabel("everybody else")
        panel.set_ylabel("one player")
        panel.invert_yaxis()
    alternative = f"Heatmap of wins per 100 games, one strategy alone among players of another. {finding}"
    return PageFigure("matchups", as_svg(figure), alternative, csv="matchups.csv")
