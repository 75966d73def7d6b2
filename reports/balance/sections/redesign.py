"""What would I change: small changes of the deck and the hand, judged by players who are used to them."""

from __future__ import annotations

import math
import shlex
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import Final

import numpy as np
import pandas as pd

from reports.balance.finding import Finding, Play, SettingBlocks
from reports.balance.plan import BalancePlan, light_below
from reports.balance.redesign_aims import AIMS, CHOICES, DIVERSITY, LENGTH, POSITIONS, Aim
from reports.balance.retuning import SEARCHES, gain_of, retuned
from reports.estimates.intervals import LEVEL, PLANNED, Interval
from reports.estimates.measures import bounds_columns, rows_of
from reports.output.command_lines import rules_options
from reports.output.figures import GREY, OKABE_ITO, as_svg, panels
from reports.output.html import PageFigure, PageTable
from reports.output.provenance import deck_note
from reports.output.words import row_with_error
from simulate.escalation.rules import Deck, Rules
from simulate.escalation.settings.comparison import Comparison
from simulate.experiment import Setting
from strategies.errors import InputError
from strategies.strategy import Strategy

THRESHOLDS: Final = (POSITIONS, LENGTH, CHOICES, DIVERSITY)
"""One per target: how much a change must gain to be advised."""
REACH: Final = {"quick": 1, "full": 2}
"""How many wilds, Passes or cards in hand more or fewer are tried."""
AS_IT_IS: Final = "as it is"
CHOOSING_BLOCKS: Final = {"quick": 1, "full": 4}
"""Blocks of deals on which the change to advise is chosen."""


@dataclass(frozen=True)
class Change:
    """A change of the game, and what it makes of it.

    Attributes
    ----------
    words, rules
        The change and the game that it makes.
    player
        Who plays it: the standard player, tuned to it.
    chosen_by
        The value on the deals that the best change is chosen by.
    fresh
        The value on deals that had no part in choosing or tuning anything.
    habits
        What the standard player's old habits gain (mostly lose) in this game among the tuned ones, on fresh deals.
    """

    words: str
    rules: Rules
    player: Strategy
    chosen_by: Interval
    fresh: Interval
    habits: Interval


def measure(plan: BalancePlan, play: Play) -> Finding:
    """Try small changes towards the plan's target, and measure the best one on fresh deals."""
    aim = AIMS[plan.target]
    changes = try_changes(plan, play, aim)
    frame = changes_frame(changes, aim)
    best = best_change(changes, aim)
    gain = gain_over(changes[0].fresh, best.fresh, aim)
    limit = plan.limit(aim.threshold)
    light = light_below(gain, limit)
    finding = finding_of(best, gain, aim, light, limit)
    return Finding(
        "redesign",
        "What would I change",
        finding,
        light,
        aim.threshold,
        {"redesign": frame},
        (_figure(frame, best, aim, plan),),
        (_table(frame, aim),),
        _texts(plan, aim, changes, best),
        commands=(plan_command(plan, best),),
        headline=finding,
    )


# --- Trying -----------------------------------------------------------------------------------------------------------


def candidates(rules: Rules, reach: int) -> list[tuple[str, Rules]]:
    """Return the game as it is, then small changes: so many wilds, Passes or cards in hand more or fewer."""
    found = [(AS_IT_IS, rules)]
    for step in (step for step in range(-reach, reach + 1) if step):
        wilds, passes, hand = rules.deck.wilds + step, rules.deck.passes + step, rules.hand_size + step
        for words, change in (
            (_number(wilds, "wild", "wilds"), (wilds, rules.deck.passes, rules.hand_size)),
            (_number(passes, "Pass", "Passes"), (rules.deck.wilds, passes, rules.hand_size)),
            (f"{_number(hand, 'card', 'cards')} in hand", (rules.deck.wilds, rules.deck.passes, hand)),
        ):
            # There may be no such game: fewer Passes than none, or more cards in hands than in the deck.
            with suppress(InputError):
                found.append((words, _changed(rules, *change)))
    return found


def _number(count: int, one: str, many: str) -> str:
    return f"{count} {one if count == 1 else many}"


def _changed(rules: Rules, wilds: int, passes: int, hand_size: int) -> Rules:
    return replace(rules, deck=Deck(rules.deck.copies, wilds, passes), hand_size=hand_size)


def try_changes(plan: BalancePlan, play: Play, aim: Aim) -> list[Change]:
    """Tune players to every candidate, look at all on some deals, and measure all again on fresh ones."""
    effort = plan.effort
    tried = candidates(plan.rules, REACH[effort.name])
    players = retuned([rules for _, rules in tried], plan.standard, play, effort)
    asked = [aim.settings(rules, player, plan) for (_, rules), player in zip(tried, players, strict=True)]
    choosing = SEARCHES[effort.name].blocks_in_all
    fresh = choosing + CHOOSING_BLOCKS[effort.name]
    looked = _each(play, "redesign-choose", asked, CHOOSING_BLOCKS[effort.name], choosing)
    picked = [aim.pick(played) for played in looked]
    asked = [aim.narrowed(settings, pick) for settings, pick in zip(asked, picked, strict=True)]
    looked = [aim.narrowed(played, pick) for played, pick in zip(looked, picked, strict=True)]
    again = _each(play, "redesign-fresh", asked, effort.blocks, fresh)
    old_habits = _old_habits(plan, tried, players, play, fresh)
    return [
        Change(
            words,
            rules,
            player,
            aim.value(settings, seen, pick, (plan.seed, choosing)),
            aim.value(settings, measured, pick, (plan.seed, fresh)),
            habits,
        )
        for (words, rules), player, settings, seen, measured, pick, habits in zip(
            tried, players, asked, looked, again, picked, old_habits, strict=True
        )
    ]


def _each(
    play: Play, part: str, asked: Sequence[Sequence[Setting]], blocks: int, first_block: int
) -> list[list[SettingBlocks]]:
    """Play everybody's settings in one piece of work and hand them back in lists of their own."""
    played = iter(play(part, [setting for settings in asked for setting in settings], blocks, first_block=first_block))
    return [[next(played) for _ in settings] for settings in asked]


def _old_habits(
    plan: BalancePlan, tried: Sequence[tuple[str, Rules]], players: Sequence[Strategy], play: Play, first_block: int
) -> list[Interval]:
    comparisons = [Comparison(rules, player, plan.standard) for (_, rules), player in zip(tried, players, strict=True)]
    blocks = SEARCHES[plan.effort.name].blocks
    return [gain_of(one) for one in play("redesign-habits", comparisons, blocks, first_block=first_block)]


def gain_over(here: Interval, there: Interval, aim: Aim) -> Interval:
    """Return how much better another game is, positive being better.

    Their decks differ, so their deals are not the same deals, and the errors are taken as independent.
    """
    gain = aim.sign * (there.estimate - here.estimate)
    return Interval.around(gain, math.hypot(here.half_width, there.half_width))


def best_change(changes: Sequence[Change], aim: Aim) -> Change:
    """Return the change that seemed best on the deals for choosing; the game as it is does not compete."""
    return max(changes[1:], key=lambda change: aim.sign * change.chosen_by.estimate)


def changes_frame(changes: Sequence[Change], aim: Aim) -> pd.DataFrame:
    """Return one row per game: the change, who plays it, its value and what it gains over the game as it is.

    Returns
    -------
    pandas.DataFrame
        Columns change, deck, hand_size, player; value_when_choosing; value on fresh deals with its bounds; gain over
        the game as it is with its bounds (none for itself); old_habits_gain with its bounds; unit, chosen, level.
    """
    best = best_change(changes, aim)
    rows = []
    for change in changes:
        itself = change.words == AS_IT_IS
        gain = Interval(0.0, 0.0, 0.0) if itself else gain_over(changes[0].fresh, change.fresh, aim)
        rows.append(
            {
                "change": change.words,
                "deck": str(change.rules.deck),
                "hand_size": change.rules.hand_size,
                "player": change.player.label,
                "value_when_choosing": change.chosen_by.estimate,
                **bounds_columns("value", change.fresh),
                **bounds_columns("gain", gain),
                **bounds_columns("old_habits_gain", change.habits),
                "unit": aim.unit,
                "chosen": "yes" if change is best else "no",
                "level": LEVEL,
            }
        )
    return pd.DataFrame(rows)


# --- Words ------------------------------------------------------------------------------------------------------------


def finding_of(best: Change, gain: Interval, aim: Aim, light: str, limit: float) -> str:
    """Say what to change, or that nothing nearby helps."""
    told = f"{aim.what} would be {aim.better} by {gain.estimate:.1f} ({gain.low:.1f} to {gain.high:.1f}) {aim.unit}"
    if light == "bad":
        return f"Change it to {best.words}: the {told}."
    if light == "good":
        return f"No change nearby gains {limit:g} {aim.unit} or more: even with {best.words} the {told}."
    return f"Perhaps {best.words}: the {told}; whether that reaches {limit:g} is too close to call."


def _texts(plan: BalancePlan, aim: Aim, changes: Sequence[Change], best: Change) -> tuple[str, ...]:
    search = SEARCHES[plan.effort.name]
    here = changes[0].fresh
    times = "once" if search.rounds == 1 else "twice"
    return (
        f"Aim: the {aim.what} ({aim.unit}) should be {aim.better}; "
        f"{here.estimate:.1f} ± {here.half_width:.1f} as it is. {len(changes) - 1} changes, one thing at a time, "
        f"{plan.rules.players} players; deck {deck_note(plan.rules)}.",
        f"Everybody plays {plan.standard.label}, tuned to each game (the one as it is, too) by self-play: "
        f"{search.habits} habits up and down, {times}, each step confirmed on fresh deals. The last column says what "
        "untuned habits would give up: without tuning, they would be judged and not the game.",
        f"The change was chosen on some deals and measured on others. Intervals: {LEVEL:.0%} each, {PLANNED}; only "
        "that of the chosen change is free of looking. Different decks are different deals, so nothing is paired.",
        f"Tuned to {best.words}: {best.player.label}.",
    )


def plan_command(plan: BalancePlan, best: Change) -> str:
    """Return the command that looks at the changed game from every side."""
    words = ["escalation", "balance", "--players", str(plan.rules.players), *rules_options(best.rules)]
    return shlex.join(words)


# --- Table and figure -------------------------------------------------------------------------------------------------


def _table(frame: pd.DataFrame, aim: Aim) -> PageTable:
    columns = (
        "change",
        "chosen",
        f"{aim.what} ({aim.unit}, ± 95%)",
        "better than as it is by (± 95%)",
        "when choosing",
        "old habits against tuned (wins per 100 games, ± 95%)",
    )
    rows = tuple(
        (
            row["change"],
            row["chosen"],
            row_with_error(row, "value", 2, sign=False),
            "" if row["change"] == AS_IT_IS else row_with_error(row, "gain", 2),
            f"{row['value_when_choosing']:.2f}",
            row_with_error(row, "old_habits_gain", 2),
        )
        for row in rows_of(frame)
    )
    return PageTable(columns, rows, texts=2, csv="redesign.csv")


def _figure(frame: pd.DataFrame, best: Change, aim: Aim, plan: BalancePlan) -> PageFigure:
    rows = [row for row in rows_of(frame) if row["change"] != AS_IT_IS]
    rows.sort(key=lambda row: float(row["gain"]))
    chosen = next(row for row in rows if row["change"] == best.words)
    title = f"Best of {len(rows)} changes: {best.words}, better by {chosen['gain']:.1f} {aim.unit}"
    note = (
        f"{aim.what.capitalize()}, players tuned to each game. Lines: {LEVEL:.0%}, {PLANNED}. Dashed: what a change "
        f"must gain. Framed: chosen on other deals. Deck as it is: {deck_note(plan.rules)}."
    )
    with panels(1, title, note, height=1.6 + 0.28 * len(rows)) as (figure, (panel,)):
        places = np.arange(len(rows))
        panel.axvline(0, color=GREY, linewidth=0.8)
        panel.axvline(plan.limit(aim.threshold), color=OKABE_ITO[2], linewidth=1, linestyle=(0, (4, 3)))
        reach = [(row["gain_high"] - row["gain_low"]) / 2 for row in rows]
        gains = [row["gain"] for row in rows]
        panel.errorbar(gains, places, xerr=reach, fmt="o", color=OKABE_ITO[0], markersize=4.5, capsize=2)
        panel.plot([chosen["gain"]], [rows.index(chosen)], marker="s", markersize=11, mfc="none", color=OKABE_ITO[1])
        panel.set_yticks(places, [row["change"] for row in rows])
        panel.set_xlabel(f"better than the game as it is ({aim.unit})")
    return PageFigure(
        "redesign", as_svg(figure), f"Gain of every change with its interval. {title}.", csv="redesign.csv"
    )
