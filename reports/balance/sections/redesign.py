"""What would I change: small changes of the deck and the hand, judged by players who are used to them."""

from __future__ import annotations

import shlex
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import Final

import pandas as pd

from reports.balance.exhibits import cell_with_error, draw_errors, page_figure, page_table
from reports.balance.finding import Finding, Play
from reports.balance.plan import BalancePlan
from reports.balance.redesign_aims import AIMS, Aim, AimSample
from reports.balance.retuning import SEARCHES, gain_of, play_lists, retuned
from reports.estimates.intervals import LEVEL, PLANNED, Interval, fixed
from reports.estimates.joint import difference, greatest, level_of_each
from reports.estimates.measures import bounds_columns, interval_from_row, rows_of
from reports.output.canvas import Axes
from reports.output.command_lines import rules_options
from reports.output.figures import DASHED, GREY, OKABE_ITO
from reports.output.html import Light, PageFigure, PageTable
from reports.output.provenance import deck_note
from reports.output.words import row_with_error, with_bounds
from simulate.escalation.rules import Deck, Rules
from simulate.escalation.settings.comparison import Comparison
from strategies.errors import InputError
from strategies.strategy import Strategy

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
    together
        The same with an interval that holds for all changes together.
    habits
        What the standard player's old habits gain (mostly lose) in this game among the tuned ones, on fresh deals.
    """

    words: str
    rules: Rules
    player: Strategy
    chosen_by: Interval
    fresh: Interval
    together: Interval
    habits: Interval


def measure(plan: BalancePlan, play: Play) -> Finding:
    """Try small changes towards the plan's target, and measure the best one on fresh deals."""
    aim = AIMS[plan.target]
    changes = try_changes(plan, play, aim)
    frame, best = changes_frame(changes, aim), best_change(changes, aim)
    gain, limit = gain_over(changes[0].fresh, best.fresh, aim), plan.limit(aim.threshold)
    most = greatest(gains_together(changes, aim)[1:])
    light = light_of(gain, most, limit)
    finding = finding_of(best, gain, most, aim, light, limit)
    return Finding(
        name="redesign",
        title="What would I change",
        finding=finding,
        light=light,
        threshold=aim.threshold,
        frames={"redesign": frame},
        figures=(_figure(frame, best, aim, plan),),
        tables=(_table(frame, aim),),
        texts=_texts(plan, aim, changes, best),
        commands=(
            shlex.join(["escalation", "balance", "--players", str(plan.rules.players), *rules_options(best.rules)]),
        ),
        headline=finding,
    )


def candidates(rules: Rules, reach: int) -> list[tuple[str, Rules]]:
    """Return the game as it is, then small changes: so many wilds, Passes or cards in hand more or fewer."""
    found = [(AS_IT_IS, rules)]
    deck = rules.deck
    for step in (step for step in range(-reach, reach + 1) if step):
        wilds, passes, hand = deck.wilds + step, deck.passes + step, rules.hand_size + step
        for words, changed_wilds, changed_passes, changed_hand in (
            (_number(wilds, "wild", "wilds"), wilds, deck.passes, rules.hand_size),
            (_number(passes, "Pass", "Passes"), deck.wilds, passes, rules.hand_size),
            (f"{_number(hand, 'card', 'cards')} in hand", deck.wilds, deck.passes, hand),
        ):
            # There may be no such game: fewer Passes than none, or more cards in hands than in the deck.
            with suppress(InputError):
                changed = Deck(deck.copies, changed_wilds, changed_passes)
                found.append((words, replace(rules, deck=changed, hand_size=changed_hand)))
    return found


def _number(count: int, singular: str, plural: str) -> str:
    return f"{count} {singular if count == 1 else plural}"


def try_changes(plan: BalancePlan, play: Play, aim: Aim) -> list[Change]:
    """Tune players to every candidate, look at all on some deals, and measure all again on fresh ones."""
    effort, search = plan.effort, SEARCHES[plan.effort.name]
    names, games = zip(*candidates(plan.rules, REACH[effort.name]), strict=True)
    players = retuned(games, plan.standard, play, effort)
    pairs = list(zip(games, players, strict=True))
    settings = [aim.settings(rules, player, plan) for rules, player in pairs]
    choosing, blocks = search.blocks_in_all, CHOOSING_BLOCKS[effort.name]
    seen = play_lists(play, "redesign-choose", settings, blocks, choosing)
    picked = [aim.pick(played) for played in seen]
    settings = [aim.narrowed(items, pick) for items, pick in zip(settings, picked, strict=True)]
    seen = [aim.narrowed(items, pick) for items, pick in zip(seen, picked, strict=True)]
    fresh = choosing + blocks
    measured = play_lists(play, "redesign-fresh", settings, effort.blocks, fresh)
    untuned = [Comparison(rules, player, plan.standard) for rules, player in pairs]
    habits = play("redesign-habits", untuned, search.blocks, first_block=fresh)
    found = []
    for number, (rules, player) in enumerate(pairs):
        looked, again = (
            AimSample(settings[number], played[number], picked[number], plan.seed) for played in (seen, measured)
        )
        values = aim.value(looked), aim.value(again), aim.value(again, level_of_each(len(pairs) - 1))
        found.append(Change(names[number], rules, player, *values, gain_of(habits[number])))
    return found


def gain_over(here: Interval, there: Interval, aim: Aim) -> Interval:
    """Return how much better another game is, positive being better.

    Their decks differ, so their deals are not the same deals, and the errors are taken as independent.
    """
    more = difference(here, there)
    return more if aim.sign > 0 else -more


def gains_together(changes: Sequence[Change], aim: Aim) -> list[Interval]:
    """Return what every change gains, with intervals that hold all together; the game as it is gains nothing."""
    return [fixed(0.0), *(gain_over(changes[0].together, change.together, aim) for change in changes[1:])]


def light_of(gain: Interval, most: Interval, limit: float) -> Light:
    """Return red if the chosen change surely gains more than the limit, green if surely none of all changes does.

    Parameters
    ----------
    gain
        Of the change that was chosen on other deals: its interval is its own.
    most
        The greatest gain of all changes, from intervals that hold all together: whichever was chosen may not be the
        best.
    limit
        What a change must gain.
    """
    if gain.low > limit:
        return "bad"
    return "good" if most.high <= limit else "middle"


def best_change(changes: Sequence[Change], aim: Aim) -> Change:
    """Return the change that seemed best on the deals for choosing; the game as it is does not compete."""
    return max(changes[1:], key=lambda change: aim.sign * change.chosen_by.estimate)


def changes_frame(changes: Sequence[Change], aim: Aim) -> pd.DataFrame:
    """Return one row per game: the change, who plays it, its value and what it gains over the game as it is.

    Returns
    -------
    pandas.DataFrame
        Columns change, deck, hand_size, player; value_when_choosing; value on fresh deals with its bounds; gain over
        the game as it is with bounds that hold for all changes together; old_habits_gain with its bounds; unit, chosen,
        level (of the others), level_of_all_gains_together.
    """
    best = best_change(changes, aim)
    return pd.DataFrame(
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
            "level_of_all_gains_together": LEVEL,
        }
        for change, gain in zip(changes, gains_together(changes, aim), strict=True)
    )


def finding_of(best: Change, gain: Interval, most: Interval, aim: Aim, light: Light, limit: float) -> str:
    """Say what to change, or that nothing nearby helps, or that it is open."""
    told = f"{aim.what} would be {aim.better} by {with_bounds(gain, 1, sign=False)} {aim.unit}"
    if light == "bad":
        return f"Change it to {best.words}: the {told}."
    if light == "good":
        return (
            f"No change nearby gains {limit:g} {aim.unit} or more: the most that one of them may gain is "
            f"{max(0.0, most.high):.1f} ({LEVEL:.0%} for all together); with {best.words}, the most promising, the "
            f"{told}."
        )
    return f"Perhaps {best.words}: the {told}; whether that or another change gains {limit:g} is too close to call."


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
        f"The change was chosen on some deals and measured on others, so the interval in the first sentence is its own "
        f"({LEVEL:.0%}, {PLANNED}). Those of the gains of all changes hold together, and green means that each of them "
        "stays below the limit: the best change may be another one. Different decks are different deals, so nothing is "
        "paired.",
        f"Tuned to {best.words}: {best.player.label}.",
    )


def _table(frame: pd.DataFrame, aim: Aim) -> PageTable:
    return page_table(
        "redesign",
        frame,
        {
            "change": "{change}",
            "chosen": "{chosen}",
            f"{aim.what} ({aim.unit}, ± 95%)": cell_with_error("value", 2, sign=False),
            "better than as it is by (± 95% for all together)": lambda row: (
                "" if row["change"] == AS_IT_IS else row_with_error(row, "gain", 2)
            ),
            "when choosing": "{value_when_choosing:.2f}",
            "old habits against tuned (wins per 100 games, ± 95%)": cell_with_error("old_habits_gain", 2),
        },
        texts=2,
    )


def _figure(frame: pd.DataFrame, best: Change, aim: Aim, plan: BalancePlan) -> PageFigure:
    rows = [row for row in rows_of(frame) if row["change"] != AS_IT_IS]
    rows.sort(key=lambda row: float(row["gain"]))
    chosen = next(row for row in rows if row["change"] == best.words)

    def draw(panel: Axes) -> None:
        panel.axvline(0, color=GREY, linewidth=0.8)
        panel.axvline(plan.limit(aim.threshold), color=OKABE_ITO[2], linewidth=1, linestyle=DASHED)
        places, gains = range(len(rows)), [interval_from_row(row, "gain") for row in rows]
        draw_errors(panel, places, gains, flat=True, fmt="o", color=OKABE_ITO[0])
        panel.plot([chosen["gain"]], [rows.index(chosen)], marker="s", markersize=11, mfc="none", color=OKABE_ITO[1])
        panel.set_yticks(places, [row["change"] for row in rows])
        panel.set_xlabel(f"better than the game as it is ({aim.unit})")

    title = f"The most promising of {len(rows)} changes: {best.words}, better by {chosen['gain']:.1f} {aim.unit}"
    note = (
        f"{aim.what.capitalize()}, players tuned to each game. Lines: {LEVEL:.0%} for all together, {PLANNED}. Dashed: "
        f"what a change must gain. Framed: chosen on other deals. Deck as it is: {deck_note(plan.rules)}."
    )
    shows = "Gain of every change with its interval"
    return page_figure("redesign", draw, shows, title, note, height=1.6 + 0.28 * len(rows))
