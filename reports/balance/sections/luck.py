"""How much of winning is luck, and how much is skill.

Who wins is decided by the deal, the focal player's position and own strategy, and the others'. Sobol's shares say how
much of the spread of wins goes away once one of them is known (first-order) and how much remains as long as only that
one is unknown (total). What lies between is interplay: good cards in good hands.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import comb
from typing import Final

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from reports.balance.exhibits import LEGEND_ON_TOP, Cell, draw_errors, estimated, page_figure, page_table
from reports.balance.finding import Finding, Play, total
from reports.balance.ladder import SURENESS
from reports.balance.plan import BalancePlan, Threshold, light_above
from reports.balance.rosters import one_among, others_than
from reports.estimates.intervals import LEVEL, PLANNED, Interval
from reports.estimates.jackknife import jackknife
from reports.estimates.measures import bounds_columns
from reports.output.canvas import Axes
from reports.output.figures import OKABE_ITO
from reports.output.html import PageFigure
from reports.simulation.until_better import UntilBetter, until_better
from simulate.escalation.settings.freezing import CAUSES, REPLICATES, SUBSETS, OpeningHands, PickFreeze
from simulate.experiment import Counts

SKILL: Final = Threshold(
    "skill-share",
    10.0,
    "percent",
    "the least part of the spread of wins that a player's own strategy should account for",
)
PART: Final = "luck"
HANDS_PART: Final = "opening-hands"
BETTER_PART: Final = "until-better"
BLOCKS_OF_SHARES: Final = 2
"""So many times the blocks of other numbers: shares of the spread need more games."""
PERCENT: Final = 100.0

DEAL, POSITION, OWN, OTHERS = (1 << place for place in range(len(CAUSES)))
EVERYTHING: Final = SUBSETS - 1


@dataclass(frozen=True)
class CauseShares:
    """What one cause accounts for, in percent of the spread of wins: alone, with all interplay, and its even part."""

    cause: str
    first_order: Interval
    total: Interval
    even_part: Interval


@dataclass(frozen=True)
class Causes:
    """What accounts for the spread of the focal player's wins.

    Attributes
    ----------
    causes
        Deal, position, own strategy and others.
    luck, skill, interplay
        Percent that deal and position decide alone, that the strategies decide alone, and the rest.
    deals
        Numbers of deals; each was played in 16 mixtures.
    """

    causes: tuple[CauseShares, ...]
    luck: Interval
    skill: Interval
    interplay: Interval
    deals: int

    @property
    def own_part(self) -> Interval:
        """The even part of a player's own strategy, in percent."""
        return self.causes[CAUSES.index("own strategy")].even_part


def explained(counts: Counts) -> NDArray[np.float64]:
    """Return the share of the variance that each set of causes explains, shape (SUBSETS,)."""
    products = counts["products"].astype(np.float64)
    shares: NDArray[np.float64] = products / products[EVERYTHING]
    # Games that share nothing are independent: what their products come to is chance.
    shares[0] = 0.0
    return shares


def even_parts(shares: NDArray[np.float64]) -> NDArray[np.float64]:
    """Divide everything among the causes, each interplay evenly among those that take part in it (Shapley's value)."""
    causes = len(CAUSES)
    parts = np.zeros(causes)
    for cause in range(causes):
        for known in range(SUBSETS):
            if not known >> cause & 1:
                weight = 1 / (causes * comb(causes - 1, known.bit_count()))
                parts[cause] += weight * (shares[known | 1 << cause] - shares[known])
    return parts


def _all_shares(counts: Counts) -> NDArray[np.float64]:
    """Return first-order and total shares and even parts by cause, then luck, skill and interplay, in percent."""
    shares = explained(counts)
    single = np.array([DEAL, POSITION, OWN, OTHERS])
    first, with_interplay = shares[single], 1 - shares[EVERYTHING - single]
    luck, skill = shares[DEAL | POSITION], shares[OWN | OTHERS]
    return PERCENT * np.array([*first, *with_interplay, *even_parts(shares), luck, skill, 1 - luck - skill])


def read_shares(counts: Counts) -> Causes:
    """Read all shares from the counts of `PickFreeze`, with intervals from its groups of deals."""
    *by_cause, luck, skill, interplay = jackknife(counts, _all_shares)
    number = len(CAUSES)
    columns = (by_cause[:number], by_cause[number : 2 * number], by_cause[2 * number :])
    causes = tuple(CauseShares(*row) for row in zip(CAUSES, *columns, strict=True))
    return Causes(causes, luck, skill, interplay, int(counts["rows"].sum()))


def _hand_shares(counts: Counts) -> NDArray[np.float64]:
    """Return what the position and what the own opening hand accounts for, in percent."""
    hands = counts["hands"].astype(np.float64)
    sums, sums_squared, squares = (counts[name].astype(np.float64) for name in ("sums", "sums_squared", "squares"))
    variance = np.mean(squares / hands) / REPLICATES
    # Products of two games with the same hand, and of two games with different hands at the same position.
    same_hand = np.mean((sums_squared - squares) / hands) / (REPLICATES * (REPLICATES - 1))
    same_position = np.mean((sums**2 - sums_squared) / (hands * (hands - 1))) / REPLICATES**2
    return PERCENT * np.array([same_position, same_hand - same_position]) / variance


def read_hands(counts: Counts) -> tuple[Interval, Interval]:
    """Read what position and opening hand account for, in percent, from the counts of `OpeningHands`."""
    position, hand = jackknife(counts, _hand_shares)
    return position, hand


def measure_better(plan: BalancePlan, play: Play) -> list[UntilBetter]:
    """Return how long it takes until the standard player is ahead of a weaker one, alone among them."""
    tables = [one_among(plan.rules, plan.standard, weak) for weak in others_than(plan.standard, plan.weaker)]
    played = play(BETTER_PART, tables, plan.effort.blocks) if tables else []
    return [
        forecast
        for table, counts in zip(tables, played, strict=True)
        for forecast in until_better(total(counts), table.seats, SURENESS)
    ]


def measure(plan: BalancePlan, play: Play) -> Finding:
    """Look at luck and skill."""
    blocks = BLOCKS_OF_SHARES * plan.effort.blocks
    (frozen,) = play(PART, [PickFreeze(plan.rules, plan.population)], blocks)
    (played,) = play(HANDS_PART, [OpeningHands(plan.rules, plan.standard)], blocks)
    shares, hands = read_shares(total(frozen)), total(played)
    (position, hand), dealt = read_hands(hands), int(hands["hands"].sum())
    better = measure_better(plan, play)
    frame, finding = share_frame(shares), main_finding(shares)
    columns: dict[str, Cell] = {
        "cause": "{cause}",
        "alone": estimated("first_order", _percent),
        "with all interplay": estimated("total", _percent),
        "even part": estimated("even_part", _percent),
    }
    return Finding(
        name="luck",
        title="Luck and skill",
        finding=finding,
        light=light_above(shares.own_part, plan.limit(SKILL)),
        threshold=SKILL,
        frames={
            "luck_shares": frame,
            "opening_hand": hand_frame(position, hand, dealt),
            "until_better": better_frame(better),
        },
        figures=(_figure(plan, shares, finding),),
        tables=(page_table("luck_shares", frame[: len(CAUSES)], columns),),
        texts=(
            *sentences(plan, shares),
            f"The own opening hand accounts for {_percent(hand)} of the spread of wins among {plan.standard.label} "
            f"players, their position for {_percent(position)}: {dealt:,} hands, each played {REPLICATES} times with "
            "all other cards shuffled anew.",
            *(forecast.sentence for forecast in better),
        ),
        headline=finding,
    )


def _percent(interval: Interval) -> str:
    # A rounded zero has no sign.
    estimate, low, high = (round(number, 1) + 0.0 for number in (interval.estimate, interval.low, interval.high))
    return f"{estimate:.1f}% ({low:.1f} to {high:.1f})"


def main_finding(shares: Causes) -> str:
    """Say what decides who wins."""
    return (
        f"A player's own strategy accounts for {_percent(shares.own_part)} of who wins; cards and position alone "
        f"decide {shares.luck.estimate:.0f}%, the strategies alone {shares.skill.estimate:.0f}%, and how the one "
        f"meets the other the remaining {shares.interplay.estimate:.0f}%."
    )


def sentences(plan: BalancePlan, shares: Causes) -> list[str]:
    """Say for whom the shares hold and how to read them."""
    names = ", ".join(strategy.label for strategy in plan.population)
    return [
        f"For {plan.rules.players} players who are each drawn evenly from {names}; for players who are more alike, "
        "luck decides more. What players do at random counts with the deal.",
        "The deal alone decides nothing: it favours somebody at every table, and who that is depends on the position. "
        "The even part divides every interplay evenly among those who take part in it (Shapley's value).",
        f"{shares.deals:,} deal numbers, each played in {SUBSETS} mixtures of two independent settings (pick-freeze), "
        f"so that no luck of the deals is left in the shares; {LEVEL:.0%} intervals, {PLANNED}. A share of nothing may "
        "come out a little below 0.",
    ]


def share_frame(shares: Causes) -> pd.DataFrame:
    """Return one row per cause, then luck, skill and interplay: shares in percent, with bounds."""
    rows = [
        {
            "cause": cause.cause,
            **bounds_columns("first_order", cause.first_order),
            **bounds_columns("total", cause.total),
            **bounds_columns("even_part", cause.even_part),
        }
        for cause in shares.causes
    ]
    whole = {"luck": shares.luck, "skill": shares.skill, "interplay": shares.interplay}
    rows += [{"cause": name, **bounds_columns("first_order", share)} for name, share in whole.items()]
    return pd.DataFrame(rows).assign(level=LEVEL, deals=shares.deals)


def hand_frame(position: Interval, hand: Interval, hands: int) -> pd.DataFrame:
    """Return what position and opening hand account for, in percent."""
    rows = (
        {"cause": name, **bounds_columns("share", share)}
        for name, share in (("position", position), ("opening hand", hand))
    )
    return pd.DataFrame(rows).assign(level=LEVEL, hands=hands, games_per_hand=REPLICATES)


def better_frame(better: Sequence[UntilBetter]) -> pd.DataFrame:
    """Return one row per pair and unit: the gap in wins, and how many games or matches show who is better."""
    return pd.DataFrame(
        {
            "unit": forecast.unit,
            "first": forecast.first,
            "second": forecast.second,
            "sureness": forecast.sureness,
            **bounds_columns("gap_in_wins_per_100", forecast.gap),
            **bounds_columns("needed", forecast.needed),
            "level": forecast.gap.level,
        }
        for forecast in better
    )


def _figure(plan: BalancePlan, shares: Causes, finding: str) -> PageFigure:
    causes = shares.causes

    def draw(panel: Axes) -> None:
        places = range(len(causes))
        panel.barh(places, [cause.total.estimate for cause in causes], color=OKABE_ITO[5], height=0.6, label="total")
        alone, even = [cause.first_order for cause in causes], [cause.even_part for cause in causes]
        draw_errors(panel, places, alone, flat=True, fmt="D", color=OKABE_ITO[1], label="alone")
        draw_errors(panel, places, even, flat=True, fmt="o", color=OKABE_ITO[6], label="even part")
        panel.set_yticks(places, [cause.cause for cause in causes])
        panel.invert_yaxis()
        panel.set_xlabel("percent of the spread of wins")
        panel.legend(**LEGEND_ON_TOP)

    note = (
        f"Percent of the spread of the focal player's wins. Bars: with all interplay (total); diamonds: alone "
        f"(first-order); circles: even part. Lines: {LEVEL:.0%} intervals, {PLANNED}. {plan.rules.players} players "
        f"drawn evenly from {len(plan.population)} strategies; {shares.deals:,} deal numbers, seed {plan.seed}."
    )
    return page_figure("luck_shares", draw, "Shares of the spread of wins by cause", finding, note, height=3.2)
