"""All named strategies against each other, and whether there is more than one way to play well.

Each strategy is tried alone among players who all play one strategy, at every position of the same deals. That tells
who gains by changing over, who is never worth playing, and whether strategies win among each other in a circle.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from reports.ask.circumstances import FALSE_RATE
from reports.balance.compositions import composition_sentence, measure_compositions
from reports.balance.exhibits import Cell, estimated, page_figure, page_table
from reports.balance.finding import Finding, Play, total
from reports.balance.ladder import ladder_figure, ladder_frame, ladder_sentences, measure_ladder
from reports.balance.plan import BalancePlan, Threshold, light_above
from reports.estimates.betting import PER_HUNDRED, WATCHED, Watched, discoveries, evidence, simultaneous
from reports.estimates.intervals import LEVEL, Interval, fixed, mean_of
from reports.estimates.joint import greatest
from reports.estimates.measures import bounds_columns
from reports.output.canvas import Axes, Rectangle
from reports.output.figures import OKABE_ITO
from reports.output.html import PageFigure
from reports.output.words import number, size_and_span
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

COLUMNS: Final[dict[str, Cell]] = {
    "strategy": "{strategy}",
    "dominated by": lambda row: row["dominated_by"] or "-",
    "may be the best reply to": lambda row: row["perhaps_best_reply_to"] or "-",
    "wins per 100 over all fields": "{wins_per_100_games:.2f}",
    "behind the best": estimated("behind_the_best"),
}
LADDER_COLUMNS: Final[dict[str, Cell]] = {
    "from": "{weaker}",
    "to": "{better}",
    "wins more per 100 games": estimated("gap_in_wins_per_100_games"),
    "games until ahead": estimated("games_until_ahead"),
    "matches until ahead": estimated("matches_until_ahead"),
}


@dataclass(frozen=True)
class Matchups:
    """Who wins how much among whom; the first index is the player alone, the last the field around.

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
        """Wins per 100 games of a player among equals."""
        return PER_HUNDRED / self.players

    @property
    def everybody(self) -> range:
        """The strategies by number."""
        return range(len(self.names))

    def gain(self, strategy: int, other: int) -> tuple[Interval, ...]:
        """Return what a strategy wins more than another one in each field."""
        if (other, strategy) in self.gains:
            return self.gains[other, strategy]
        return tuple(-interval for interval in self.gains[strategy, other])

    def ahead(self, strategy: int, other: int) -> Interval:
        """Return what a strategy wins more than another one, averaged over all fields."""
        return Interval(0.0, 0.0, 0.0) if strategy == other else mean_of(self.gain(strategy, other), LEVEL)

    def mean_wins(self, strategy: int) -> float:
        """Return what a strategy wins per 100 games, averaged over all fields."""
        return float(np.mean([cell.estimate for cell in self.wins[strategy]]))

    @property
    def best(self) -> int:
        """The strategy that wins most over all fields."""
        return int(np.argmax([self.mean_wins(strategy) for strategy in self.everybody]))

    def dominated_by(self, strategy: int) -> list[int]:
        """Return the strategies that surely win more than this one whatever the field is."""
        others = [other for other in self.everybody if other != strategy]
        return [other for other in others if all(interval.low > 0 for interval in self.gain(other, strategy))]

    @property
    def invades(self) -> NDArray[np.bool_]:
        """Whether a strategy, alone in a field, surely wins more than an equal share."""
        return np.array([[cell.low > self.equal_share for cell in row] for row in self.wins])

    def may_be_best_in(self, strategy: int, field: int) -> bool:
        """Return whether no other strategy surely beats this one in a field."""
        others = [other for other in self.everybody if other != strategy]
        return all(self.gain(other, strategy)[field].low <= 0 for other in others)


def read_matchups(names: Sequence[str], players: int, every: Sequence[Counts]) -> Matchups:
    """Read who wins how much among whom from the counts of one `Invasion` per field.

    The invaders are the strategies in their order, and so are the fields.
    """
    size, share = len(names), PER_HUNDRED / players
    cells = [(alone, field) for alone in range(size) for field in range(size) if alone != field]
    places = tuple(np.transpose(cells))
    seen = [Watched.from_histogram(every[field]["shares"][alone], 0.0, PER_HUNDRED) for alone, field in cells]
    evidences, different = np.ones((size, size)), np.zeros((size, size), dtype=np.bool_)
    evidences[places] = [evidence(wins, share) for wins in seen]
    different[places] = discoveries(evidences[places], FALSE_RATE)
    intervals = dict(zip(cells, simultaneous(seen, 1 - LEVEL), strict=True))
    wins = tuple(tuple(intervals.get((alone, field), fixed(share)) for field in range(size)) for alone in range(size))
    apart = [
        Watched.from_histogram(counts["differences"][place], -PER_HUNDRED, PER_HUNDRED)
        for place in range(len(pairs_of(size)))
        for counts in every
    ]
    each = simultaneous(apart, 1 - LEVEL)
    gains = {pair: tuple(each[place * size : (place + 1) * size]) for place, pair in enumerate(pairs_of(size))}
    return Matchups(tuple(names), players, int(every[0]["deals"][0]), wins, evidences, different, gains)


def circles(invades: NDArray[np.bool_]) -> list[list[int]]:
    """Return every set of strategies in which each can be reached from each by one invading another."""
    reached = invades.copy()
    for through in range(len(reached)):
        reached |= np.outer(reached[:, through], reached[through])
    mutual = reached & reached.T
    sets = {tuple(np.flatnonzero(row).tolist()) for place, row in enumerate(mutual) if row[place]}
    return [list(members) for members in sorted(sets)]


def ways_to_play(matchups: Matchups, near: float) -> Interval:
    """Count the strategies that are at most so far behind the best: as it looks, surely, and possibly."""
    behind = [matchups.ahead(matchups.best, strategy) for strategy in matchups.everybody]
    looks, surely, possibly = (sum(getattr(gap, end) <= near for gap in behind) for end in ("estimate", "high", "low"))
    return Interval(looks, surely, possibly, LEVEL, WATCHED)


def measure(plan: BalancePlan, play: Play) -> Finding:
    """Let all strategies meet each other, and climb the skill ladder."""
    matchups = measure_matchups(plan, play)
    compositions = measure_compositions(plan, play)
    ladder = measure_ladder(plan, play, plan.limit(STEP))
    finding = main_finding(matchups, plan.limit(NEAR))
    strategies, steps, steps_told = strategy_frame(matchups), ladder_frame(ladder), ladder_sentences(ladder)
    return Finding(
        name="strategies",
        title="Strategies",
        finding=finding,
        light=light_above(ways_to_play(matchups, plan.limit(NEAR)), plan.limit(WAYS)),
        threshold=WAYS,
        frames={
            "matchups": matchup_frame(matchups),
            "replacements": replacement_frame(matchups),
            "strategies": strategies,
            "compositions": compositions,
            "ladder": steps,
        },
        figures=(_heatmap(plan, matchups, finding), ladder_figure(plan, ladder)),
        tables=(
            page_table("strategies", strategies, COLUMNS, texts=3),
            page_table("ladder", steps, LADDER_COLUMNS, texts=2),
        ),
        texts=(
            *sentences(matchups),
            composition_sentence(compositions),
            *steps_told,
            f"Wins of one player while everybody else plays the other strategy, at every position of "
            f"{matchups.deals:,} deals; intervals {LEVEL:.0%} for all together, {WATCHED}. Only named strategies "
            "meet: others may do better.",
        ),
        headline=f"{finding} {steps_told[0]}",
    )


def measure_matchups(plan: BalancePlan, play: Play) -> Matchups:
    """Play every strategy alone in every field."""
    settings = [Invasion(plan.rules, field, plan.population) for field in plan.population]
    every = [total(blocks) for blocks in play(PART, settings, max(1, plan.effort.blocks // 2))]
    return read_matchups([strategy.label for strategy in plan.population], plan.rules.players, every)


def main_finding(matchups: Matchups, near: float) -> str:
    """Say whether there is more than one way to play well."""
    best, names = matchups.best, matchups.names
    behind = {other: matchups.ahead(best, other) for other in matchups.everybody if other != best}
    good = [other for other, gap in behind.items() if gap.estimate <= near]
    if good:
        furthest = greatest([behind[other] for other in good])
        surely = "There is" if any(behind[other].high <= near for other in good) else "Perhaps there is"
        return (
            f"{surely} more than one way to play well: {names[best]} wins most over all opponents, and "
            f"{', '.join(names[other] for other in good)} {number(furthest.estimate, furthest)} wins per 100 games "
            f"less, at most {number(furthest.high, furthest)}."
        )
    second = min(behind, key=lambda other: behind[other].estimate)
    size, span = size_and_span(behind[second])
    stands = "stands out" if behind[second].low > near else "seems to stand out"
    return (
        f"One way to play {stands}: {names[best]} wins most over all opponents, {names[second]} as the next best "
        f"{size} wins per 100 games less {span}."
    )


def sentences(matchups: Matchups) -> list[str]:
    """Say which strategies are never worth playing, who is the best reply to whom, and whether there are circles."""
    names = matchups.names
    better = {name: matchups.dominated_by(strategy) for strategy, name in enumerate(names)}
    dominated = [
        f"{name} (better is {_some([names[other] for other in found])})" for name, found in better.items() if found
    ]
    stable = [name for field, name in enumerate(names) if not matchups.invades[:, field].any()]
    found = [", ".join(names[member] for member in members) for members in circles(matchups.invades)]
    return [
        f"Never worth playing, since another strategy wins more whoever the opponents are: {'; '.join(dominated)}."
        if dominated
        else "No strategy is surely worse than another one among all opponents.",
        f"Nobody surely gains by leaving a table where all play {' or '.join(stable)}."
        if stable
        else "At every table of equals somebody surely gains by playing otherwise.",
        f"There are circles of strategies that each win among the next: {'; '.join(found)}."
        if found
        else "No circle is found: no chain of strategies that each surely win among the next leads back to its start.",
    ]


def _some(names: Sequence[str]) -> str:
    """Name the first few."""
    more = len(names) - MOST_NAMED
    return ", ".join(names[:MOST_NAMED]) + (f" and {more} more" if more > 0 else "")


def matchup_frame(matchups: Matchups) -> pd.DataFrame:
    """Return one row per strategy and field: what it wins there, and whether that differs from an equal share."""
    return pd.DataFrame(
        {
            "strategy": name,
            "opponents": opponents,
            "players": matchups.players,
            "deals": matchups.deals,
            **bounds_columns(WINS.name, matchups.wins[alone][field]),
            "level_of_all_together": LEVEL,
            "e_value": matchups.evidences[alone, field],
            "different_from_equal_share": "yes" if matchups.different[alone, field] else "no",
        }
        for alone, name in enumerate(matchups.names)
        for field, opponents in enumerate(matchups.names)
    )


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
    names, best = matchups.names, matchups.best
    frame = pd.DataFrame(
        {
            "strategy": name,
            "wins_per_100_games": matchups.mean_wins(strategy),
            **bounds_columns("behind_the_best", fixed(0.0) if strategy == best else matchups.ahead(best, strategy)),
            "level_of_all_together": LEVEL,
            "dominated_by": ", ".join(names[other] for other in matchups.dominated_by(strategy)),
            "perhaps_best_reply_to": ", ".join(
                opponents for field, opponents in enumerate(names) if matchups.may_be_best_in(strategy, field)
            ),
        }
        for strategy, name in enumerate(names)
    )
    return frame.sort_values("behind_the_best", kind="stable", ignore_index=True)


def _heatmap(plan: BalancePlan, matchups: Matchups, finding: str) -> PageFigure:
    cells, size = np.array([[cell.estimate for cell in row] for row in matchups.wins]), len(matchups.names)

    def draw(panel: Axes) -> None:
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

    note = (
        f"Wins per 100 games of one player among {plan.rules.players - 1} that play alike; an equal share is "
        f"{matchups.equal_share:.1f}. Framed: the most in a column. Pale numbers: no difference from an equal share is "
        f"found (e-BH, at most {FALSE_RATE:.0%} found wrongly). {matchups.deals:,} deals per column, seed {plan.seed}."
    )
    shows = "Heatmap of wins per 100 games, one strategy alone among players of another"
    return page_figure("matchups", draw, shows, finding, note, height=1.7 + 0.42 * size)
