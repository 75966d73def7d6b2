"""Whether decisions matter: turns with one legal option, turns in which nothing hangs on it, and what is best else."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import numpy as np
import pandas as pd

from reports.balance.curves import TENTHS, games_per_block, mean_over_games
from reports.balance.exhibits import Cell, page_figure, page_table
from reports.balance.finding import Finding, Play
from reports.balance.option_worth import Choice, choices_of, share_of_turns
from reports.balance.plan import BalancePlan, Threshold, light_above
from reports.balance.rosters import all_alike
from reports.estimates.intervals import LEVEL, PLANNED, Interval
from reports.estimates.joint import greatest_named, level_of_each
from reports.estimates.measures import bounds_columns, interval_from_row, rows_of
from reports.output.canvas import Axes
from reports.output.figures import BESIDE, OKABE_ITO
from reports.output.html import PageFigure
from reports.output.provenance import deck_note
from reports.output.words import row_with_error
from simulate.escalation.plain.option_kinds import KINDS
from simulate.escalation.settings.lookahead import MEASURED_MORE, AfterOptions

TURNS_THAT_MATTER: Final = Threshold(
    "turns-that-matter",
    0.4,
    "share of turns",
    "in how many turns the choice should make a difference of a point of win chance or more",
)
FORCED: Final = "one legal option"
IDLE: Final = "several, less than a point apart"
MATTERS: Final = "several, a point or more apart"
FEWEST_TO_NAME: Final = 20
"""A kind of option is named in the finding if it was offered so often."""


COLUMNS: Final[dict[str, Cell]] = {
    "turns with": "{turns_with}",
    "% of turns": "{share:.0%}",
    "95% interval": "{share_low:.0%} to {share_high:.0%}",
}
KINDS_COLUMNS: Final[dict[str, Cell]] = {
    "kind of option": "{kind}",
    "legal in so many turns that matter": "{offered_in:,}",
    "best in % of them": "{share_best:.0%}",
    "interval (95% for all kinds together)": "{share_best_low:.0%} to {share_best_high:.0%}",
    "surely best in": "{surely_best_in:,}",
    "points gained over the best other kind (± 95%)": lambda row: (
        "" if pd.isna(row["gain"]) else row_with_error(row, "gain")
    ),
}


def measure(plan: BalancePlan, play: Play) -> Finding:
    """Weigh every option of every turn of some games."""
    table = all_alike(plan.rules, plan.standard)
    setting = AfterOptions(table, games_per_block(plan.effort), plan.effort.rollouts)
    choices = choices_of(setting, plan.seed, play("choices-games", [setting], plan.effort.blocks)[0])
    shares, kinds, tenths = shares_frame(choices), kinds_frame(choices), tenths_frame(choices)
    finding = finding_of(shares, kinds)
    return Finding(
        name="choices",
        title="Choices",
        finding=finding,
        light=light_above(matter(choices), plan.limit(TURNS_THAT_MATTER)),
        threshold=TURNS_THAT_MATTER,
        frames={"choices": shares, "choices_kinds": kinds, "choices_tenths": tenths},
        figures=(_figure(tenths, plan),),
        tables=(page_table("choices", shares, COLUMNS), page_table("choices_kinds", kinds, KINDS_COLUMNS)),
        texts=_texts(plan, choices),
        headline=finding,
    )


def matter(choices: Sequence[Choice], level: float = LEVEL) -> Interval:
    """Return the share of turns in which the choice matters.

    The estimate counts turns by what was measured. Of turns close to the line the playouts cannot tell, so the interval
    reaches from the low end for those that surely matter to the high end for those that may.
    """
    measured = share_of_turns(choices, lambda choice: choice.seems_to_matter)
    surely = share_of_turns(choices, lambda choice: choice.surely_matters, level)
    perhaps = share_of_turns(choices, lambda choice: choice.may_matter, level)
    return Interval(measured.estimate, surely.low, perhaps.high)


def forced(choices: Sequence[Choice], level: float = LEVEL) -> Interval:
    """Return the share of turns in which only one option is legal."""
    return share_of_turns(choices, lambda choice: choice.spread is None, level)


def shares_frame(choices: Sequence[Choice]) -> pd.DataFrame:
    """Return the share of turns with one option, with several that make no difference, and with several that do."""
    single, matters = forced(choices), matter(choices)
    # What is left: as uncertain as the other two together.
    idle = Interval(
        1 - single.estimate - matters.estimate, 1 - single.high - matters.high, 1 - single.low - matters.low
    ).within(0, 1)
    return pd.DataFrame(
        {"turns_with": name, **bounds_columns("share", share), "turns": len(choices), "level": LEVEL}
        for name, share in ((FORCED, single), (IDLE, idle), (MATTERS, matters))
    )


def kinds_frame(choices: Sequence[Choice]) -> pd.DataFrame:
    """Return, for each kind of option, how often it is offered and how often it is the best, where the choice matters.

    Returns
    -------
    pandas.DataFrame
        Columns kind; offered_in (turns that matter in which it is legal); best_in (of these, in how many it seemed
        best); surely_best_in (in how many it was surely better than every other kind); share_best (best_in of
        offered_in) with its interval over games, which holds for all kinds together; gain (over the best option of
        another kind, where it seemed best: points of win chance on fresh playouts) with its interval.
    """
    rows = []
    for kind in KINDS:
        offered = [choice for choice in choices if choice.seems_to_matter and kind in choice.kinds]
        if not offered:
            continue
        best = [choice for choice in offered if choice.best == kind]
        over = [(choice.deal, choice.over_others) for choice in best if choice.over_others is not None]
        often = [(choice.deal, float(choice.best == kind)) for choice in offered]
        share_best = _ratio(often, 0, 1, level_of_each(len(KINDS)))
        rows.append(
            {
                "kind": kind,
                "offered_in": len(offered),
                "best_in": len(best),
                "surely_best_in": sum(gap.low > 0 for _, gap in over),
                **bounds_columns("share_best", share_best),
                **bounds_columns("gain", _ratio([(deal, 100 * gap.estimate) for deal, gap in over], -100, 100)),
                "level": LEVEL,
                "level_of_all_shares_together": LEVEL,
            }
        )
    return pd.DataFrame(rows)


def _ratio(numbers: Sequence[tuple[int, float]], least: float, most: float, level: float = LEVEL) -> Interval:
    """Return a mean over turns whose games are the units; unbounded where there are too few games."""
    if not numbers:
        return Interval(float("nan"), least, most)
    games = sorted({deal for deal, _ in numbers})
    totals = np.zeros((2, len(games)))
    for deal, number in numbers:
        totals[:, games.index(deal)] += (number, 1)
    mean = totals[0].sum() / totals[1].sum()
    if len(games) == 1:
        return Interval(float(mean), least, most)
    # What each game adds to the error of the ratio, brought to the scale of a mean over games.
    apart = (totals[0] - mean * totals[1]) / totals[1].mean()
    error = mean_over_games(apart, level)
    return Interval.around(float(mean), error.half_width).within(least, most)


def tenths_frame(choices: Sequence[Choice]) -> pd.DataFrame:
    """Return the shares of turns by tenth of the game; those of all tenths hold together."""
    level = level_of_each(TENTHS)
    by_tenth: dict[int, list[Choice]] = {}
    for choice in choices:
        by_tenth.setdefault(choice.turn * TENTHS // choice.turns + 1, []).append(choice)
    return pd.DataFrame(
        {
            "tenth": tenth,
            **bounds_columns("forced", forced(turns, level)),
            **bounds_columns("matters", matter(turns, level)),
            "level_of_all_together": LEVEL,
        }
        for tenth, turns in sorted(by_tenth.items())
    )


def finding_of(shares: pd.DataFrame, kinds: pd.DataFrame) -> str:
    """Say how often the choice matters, how often there is none, and what is best most reliably."""
    single, idle, matters = (row["share"] for row in rows_of(shares))
    often = [row for row in rows_of(kinds) if row["offered_in"] >= FEWEST_TO_NAME] or rows_of(kinds)
    found = (
        f"In {matters:.0%} of turns the choice matters by a point of win chance or more; in {single:.0%} only one "
        f"option is legal, and in {idle:.0%} nothing hangs on which"
    )
    if not often:
        return f"{found}."
    most, least = (pick(often, key=lambda row: float(row["share_best"])) for pick in (max, min))
    names, best = [row["kind"] for row in often], [interval_from_row(row, "share_best") for row in often]
    return (
        f"{found}. Where it matters, a {greatest_named(names, best)} is most often the best if legal ({most['kind']}: "
        f"{most['share_best']:.0%}) and a {greatest_named(names, [-share for share in best])} least often "
        f"({least['kind']}: {least['share_best']:.0%})."
    )


def _texts(plan: BalancePlan, choices: Sequence[Choice]) -> tuple[str, ...]:
    games = len({choice.deal for choice in choices})
    reaches = [choice.spread.half_width for choice in choices if choice.spread is not None] or [0.0]
    legal = float(np.mean([len(choice.kinds) for choice in choices]))
    return (
        f"{games} games, {len(choices):,} turns, {legal:.1f} legal options on average; {plan.rules.players} players, "
        f"everybody {plan.standard.label}; deck {deck_note(plan.rules)}. Each option is played on "
        f"{plan.effort.rollouts:,} times, hands kept and the rest of the deck shuffled anew, the same shuffles for all "
        "options of a turn; everybody then plays as ever.",
        "These playouts choose the best option, the worst and the best of another kind; "
        f"{MEASURED_MORE * plan.effort.rollouts:,} fresh ones measure them, to ± {100 * float(np.median(reaches)):.1f} "
        "points in a typical turn. A turn matters if the measured difference between best and worst is a point or "
        "more; the interval reaches from turns of which this is sure to those of which it cannot be excluded "
        f"({LEVEL:.0%} each, for a planned number of games; the game is the unit). With few playouts the options "
        "picked are not always the true extremes, so the share is rather too small than too large.",
        "Best means best for somebody who sees all hands. Once the deck is empty and the winner decided, no option "
        "makes a difference.",
    )


def _figure(tenths: pd.DataFrame, plan: BalancePlan) -> PageFigure:
    def draw(panel: Axes) -> None:
        for name, colour, marker, label in (
            ("matters", OKABE_ITO[0], "o", "choice matters by a point or more"),
            ("forced", OKABE_ITO[1], "s", "only one option is legal"),
        ):
            low, high = 100 * tenths[f"{name}_low"], 100 * tenths[f"{name}_high"]
            panel.fill_between(tenths["tenth"], low, high, color=colour, alpha=0.2, linewidth=0)
            panel.plot(tenths["tenth"], 100 * tenths[name], color=colour, marker=marker, markersize=4.5, label=label)
        panel.set_ylim(0, 100)
        panel.set_xticks(range(1, TENTHS + 1))
        panel.set_xlabel("tenth of the game")
        panel.set_ylabel("% of turns")
        panel.legend(frameon=False, fontsize=8.5, **BESIDE)

    rows = rows_of(tenths)
    peaks = greatest_named([row["tenth"] for row in rows], [interval_from_row(row, "matters") for row in rows])
    shows = "Share of turns in which the choice matters and in which there is none, by tenth of the game"
    title = f"Choices matter most in tenth {peaks} of the game, in {tenths['matters'].max():.0%} of its turns"
    note = (
        f"Bands: {LEVEL:.0%} for all tenths together, {PLANNED}, widened by turns that are too close to call. Deck "
        f"{deck_note(plan.rules)}."
    )
    return page_figure("choices", draw, shows, title, note, csv="choices_tenths")
