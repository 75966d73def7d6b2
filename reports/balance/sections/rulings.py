"""The gaps that the rules leave and the decks that are possible: what they change, and which findings they overturn."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final, Literal

import pandas as pd
from matplotlib.axes import Axes

from reports.ask.circumstances import unequal_decks
from reports.balance.finding import Finding, Play, total
from reports.balance.ladder import SURENESS
from reports.balance.plan import QUICK, BalancePlan, Threshold, light_above, light_below
from reports.balance.sections.player_count import MINUTES, SECONDS, SHARED
from reports.balance.sections.positions import ADVANTAGE
from reports.balance.shares import greatest_distance, shares_of
from reports.estimates.intervals import LEVEL, PLANNED, Interval
from reports.estimates.measures import Measure, columns_of
from reports.output.figures import GREY, OKABE_ITO, as_svg, panels
from reports.output.html import LIGHTS, Light, PageFigure, PageTable
from reports.output.words import plus_minus
from reports.simulation.summary import GAME_TURNS, SCORE, SHARED_WINS, summarise_games, summarise_seats
from reports.simulation.until_better import until_better
from simulate import Table
from simulate.escalation.rules import PRESETS, RULINGS, Rules
from simulate.experiment import Counts
from strategies.catalogue import strategy
from strategies.errors import InputError
from strategies.strategy import Strategy

VariantKind = Literal["as asked", "ruling", "deck", "unequal deck"]

OVERTURNED: Final = Threshold(
    "overturned-findings", 0.0, "findings", "how many of the findings looked at may turn over with a ruling or a deck"
)
GAP: Final = Threshold(
    "skill-gap", 10.0, "wins per 100 games", "what a standard player should win more than each of the weaker others"
)
PART: Final = "rulings"
DECKS_PART: Final = "unequal-decks"
QUICK_DECKS: Final = 16
"""A quick report looks at so many of the unequal decks."""
FEWER: Final = 5
"""Each unequal deck has so many times fewer blocks: they count together."""

DISTANCE: Final = Measure("position_advantage", "greatest position advantage", "wins per 100 games")
SKILL_GAP: Final = Measure("skill_gap", "skill gap", "wins per 100 games")
MEASURES: Final = (DISTANCE, SKILL_GAP, SCORE, GAME_TURNS, SHARED_WINS)

FINDINGS: Final[Mapping[str, Measure]] = {
    "positions are even": DISTANCE,
    "skill shows": SKILL_GAP,
    "games are short": GAME_TURNS,
    "wins are seldom shared": SHARED_WINS,
}
"""What is looked at again under every ruling and deck, and the number that decides it."""


@dataclass(frozen=True)
class Variant:
    """Rules that the game might be played by."""

    kind: VariantKind
    name: str
    rules: Rules


@dataclass(frozen=True)
class Measured:
    """A variant with its numbers, and the light of each finding under it.

    Attributes
    ----------
    variant
        The rules.
    games
        Games per table.
    numbers
        Everything in `MEASURES`; the intervals of all variants hold together.
    lights
        By finding: green if it surely holds, red if it surely does not.
    """

    variant: Variant
    games: int
    numbers: Mapping[Measure, Interval]
    lights: Mapping[str, Light]


def variants(plan: BalancePlan) -> list[Variant]:
    """Return the game as asked, each ruling turned over, and each deck that the sources allow."""
    rules = plan.rules
    found = [Variant("as asked", "as asked", rules)]
    for name in RULINGS:
        value = not getattr(rules, name)
        found.append(Variant("ruling", f"{name}={str(value).lower()}", rules.with_rulings({name: value})))
    for name, deck in PRESETS.items():
        if deck != rules.deck and (there := _with_deck(rules, deck)):
            found.append(Variant("deck", name, there))
    return found


def deck_variants(plan: BalancePlan) -> list[Variant]:
    """Return the ensemble of decks with unequal copies; a quick report has the first few of it."""
    decks = unequal_decks(plan.rules.deck)
    chosen = decks[:QUICK_DECKS] if plan.effort == QUICK else decks
    return [Variant("unequal deck", str(deck), rules) for deck in chosen if (rules := _with_deck(plan.rules, deck))]


def _with_deck(rules: Rules, deck: Any) -> Rules | None:
    try:
        return replace(rules, deck=deck)
    except InputError:
        # Too few cards for so many players: there is no such game.
        return None


def unequal_seats(plan: BalancePlan) -> tuple[Strategy, ...]:
    """Return a standard player and, at all other seats, a weaker one."""
    weaker = [one for one in plan.weaker if one.values != plan.standard.values]
    return (plan.standard, *((weaker or [strategy("random")])[-1],) * (plan.rules.players - 1))


def tables(plan: BalancePlan, variant: Variant) -> tuple[Table, Table]:
    """Return what is played of a variant: equals with fixed positions, and a standard player among weaker ones."""
    equals = (plan.standard,) * plan.rules.players
    return Table(variant.rules, equals, "given"), Table(variant.rules, unequal_seats(plan))


def measure_variants(plan: BalancePlan, play: Play) -> list[Measured]:
    """Play every variant."""
    named, decks = variants(plan), deck_variants(plan)
    level = 1 - (1 - LEVEL) / ((len(named) + len(decks)) * (len(MEASURES) - 1 + plan.rules.players))
    found = []
    for part, every, blocks in (
        (PART, named, plan.effort.blocks),
        (DECKS_PART, decks, max(1, plan.effort.blocks // FEWER)),
    ):
        settings = [table for variant in every for table in tables(plan, variant)]
        played = [total(counts) for counts in play(part, settings, blocks)] if settings else []
        for variant, equals, unequals in zip(every, played[::2], played[1::2], strict=True):
            numbers = read_numbers(plan, equals, unequals, level)
            found.append(Measured(variant, int(equals["games"][0]), numbers, lights_of(plan, numbers)))
    return found


def read_numbers(plan: BalancePlan, equals: Counts, unequals: Counts, level: float) -> dict[Measure, Interval]:
    """Read the numbers of a variant from the counts of its two tables."""
    label, seats = plan.standard.label, range(plan.rules.players)
    above = shares_of(equals, label, match=False, level=level).above
    return {
        DISTANCE: greatest_distance(above),
        SKILL_GAP: until_better(unequals, unequal_seats(plan), SURENESS, level)[0].gap,
        SCORE: summarise_seats(equals, label, seats, match=False, level=level).outcomes[SCORE],
        **summarise_games(equals, match=False, level=level),
    }


def lights_of(plan: BalancePlan, numbers: Mapping[Measure, Interval]) -> dict[str, Light]:
    """Return the light of each finding, by the thresholds of the sections that it is from."""
    minutes = numbers[GAME_TURNS].times(plan.limit(SECONDS) / 60)
    shared = numbers[SHARED_WINS]
    lights: dict[Measure, Light] = {
        DISTANCE: light_below(numbers[DISTANCE], plan.limit(ADVANTAGE)),
        SKILL_GAP: light_above(numbers[SKILL_GAP], plan.limit(GAP)),
        GAME_TURNS: light_below(minutes, plan.limit(MINUTES)),
        SHARED_WINS: light_below(shared, plan.limit(SHARED)),
    }
    return {finding: lights[measure] for finding, measure in FINDINGS.items()}


def turned_over(base: Measured, other: Measured, *, surely: bool = True) -> list[str]:
    """Return the findings that a variant turns over: surely one way before and the other way after, or perhaps."""
    pairs = {finding: {base.lights[finding], other.lights[finding]} for finding in FINDINGS}
    return [
        finding
        for finding, lights in pairs.items()
        if (lights == {"good", "bad"} if surely else len(lights) > 1 or lights == {"middle"})
    ]


def overturned_findings(every: Sequence[Measured]) -> Interval:
    """Count the findings that any ruling or deck of the sources turns over: surely, and possibly."""
    base, *others = [one for one in every if one.variant.kind != "unequal deck"]
    surely, possibly = (
        {finding for other in others for finding in turned_over(base, other, surely=sure)} for sure in (True, False)
    )
    return Interval(len(surely), len(surely), len(possibly))


def difference(base: Interval, other: Interval) -> Interval:
    """Return the difference of two independent numbers; for those from common deals it is wider than need be."""
    reach = math.hypot(base.half_width, other.half_width)
    return Interval.around(other.estimate - base.estimate, reach, base.level, base.kind)


def measure(plan: BalancePlan, play: Play) -> Finding:
    """Look at every ruling and deck."""
    every = measure_variants(plan, play)
    finding = main_finding(every)
    return Finding(
        name="rulings",
        title="Rulings and decks",
        finding=finding,
        light=light_below(overturned_findings(every), plan.limit(OVERTURNED)),
        threshold=OVERTURNED,
        frames={"rulings": variant_frame(every)},
        figures=(_figure(plan, every, finding),),
        tables=(_table(every),),
        texts=(*change_sentences(every), *deck_sentences(every), _note(plan, every)),
        headline=finding,
    )


def main_finding(every: Sequence[Measured]) -> str:
    """Say which findings depend on a ruling or a deck."""
    base, *others = [one for one in every if one.variant.kind != "unequal deck"]
    told = {
        finding: [other.variant.name for other in others if finding in turned_over(base, other)] for finding in FINDINGS
    }
    found = [f"“{finding}” by {', '.join(names)}" for finding, names in told.items() if names]
    if found:
        return f"Of {len(FINDINGS)} findings, rulings and decks overturn {len(found)}: {'; '.join(found)}."
    return f"No ruling and none of the decks surely overturns any of {len(FINDINGS)} findings looked at again."


def change_sentences(every: Sequence[Measured]) -> list[str]:
    """Say which rulings change nothing, and which ruling or deck changes each number most, as far as it is sure."""
    base, *others = [one for one in every if one.variant.kind != "unequal deck"]
    same = [other.variant.name for other in others if other.numbers == base.numbers]
    lines = [f"Not a single number changes with {', '.join(same)}."] if same else []
    for measure in (SKILL_GAP, SCORE, GAME_TURNS, SHARED_WINS):
        changes = [(difference(base.numbers[measure], other.numbers[measure]), other.variant) for other in others]
        sure = [(change, variant) for change, variant in changes if change.excludes_zero]
        if not sure:
            lines.append(f"{measure.label.capitalize()}: no ruling or deck surely changes it.")
            continue
        change, variant = max(sure, key=lambda one: abs(one[0].estimate))
        lines.append(
            f"{measure.label.capitalize()} ({base.numbers[measure].estimate:.1f} {measure.unit}) changes most with "
            f"{variant.name}: {change.estimate:+.2f} ({change.low:+.2f} to {change.high:+.2f})."
        )
    return lines


def deck_sentences(every: Sequence[Measured]) -> list[str]:
    """Say what the ensemble of unequal decks does."""
    base, decks = every[0], [one for one in every if one.variant.kind == "unequal deck"]
    if not decks:
        return []
    spans = []
    for measure in MEASURES:
        numbers = [one.numbers[measure].estimate for one in decks]
        spans.append(f"{measure.label} {min(numbers):.1f} to {max(numbers):.1f} {measure.unit}")
    counted = {finding: sum(finding in turned_over(base, one) for one in decks) for finding in FINDINGS}
    turned = [f"“{finding}” by {count}" for finding, count in counted.items() if count]
    effect = f"they overturn {'; '.join(turned)}" if turned else "none of them surely overturns a finding"
    return [
        f"The copies per value are an assumption. {len(decks)} decks with unequal copies give: {'; '.join(spans)}; "
        f"{effect}. These ranges have the chance of so many games in them, too."
    ]


def _note(plan: BalancePlan, every: Sequence[Measured]) -> str:
    fewest = min(one.games for one in every)
    return (
        f"Everybody {plan.standard.label} with fixed positions, and one {plan.standard.label} player while everybody "
        f"else is {unequal_seats(plan)[-1].label} (skill gap: what he wins more than each of them); "
        f"{every[0].games:,} games per table, {fewest:,} per unequal deck. Players are not tuned anew for other rules. "
        f"Intervals: {LEVEL:.0%} for everything here together, {PLANNED}. A finding is overturned if it is surely true "
        "as asked and surely false there, or the other way round."
    )


def variant_frame(every: Sequence[Measured]) -> pd.DataFrame:
    """Return one row per variant: kind, name, games, every number with bounds, every light, and what it overturns."""
    rows = []
    for one in every:
        row: dict[str, object] = {"kind": one.variant.kind, "variant": one.variant.name, "games": one.games}
        row |= columns_of({measure: one.numbers[measure] for measure in MEASURES})
        row |= {finding.replace(" ", "_"): LIGHTS[light] for finding, light in one.lights.items()}
        rows.append({**row, "level_of_all_together": LEVEL, "overturns": "; ".join(turned_over(every[0], one))})
    return pd.DataFrame(rows)


def _table(every: Sequence[Measured]) -> PageTable:
    rows = [
        (
            one.variant.name,
            "; ".join(turned_over(every[0], one)) or "-",
            *(plus_minus(one.numbers[measure]) for measure in MEASURES),
        )
        for one in every
        if one.variant.kind != "unequal deck"
    ]
    columns = ("played", "overturns", *(f"{measure.label} ({measure.unit})" for measure in MEASURES))
    return PageTable(columns, tuple(rows), 2, "rulings.csv")


def _figure(plan: BalancePlan, every: Sequence[Measured], finding: str) -> PageFigure:
    named = [one for one in every if one.variant.kind != "unequal deck"]
    decks = [one for one in every if one.variant.kind == "unequal deck"]
    note = (
        f"Bars: {LEVEL:.0%} intervals for everything together, {PLANNED}. Ticks in the last row: {len(decks)} decks "
        f"with unequal copies per value. Dashed: as asked. {named[0].games:,} games per table, seed {plan.seed}."
    )
    shown = (DISTANCE, SKILL_GAP, GAME_TURNS)
    with panels(len(shown), finding, note, width=7.6, height=1.9 + 0.27 * len(named)) as (figure, axes):
        for panel, measure in zip(axes, shown, strict=True):
            _draw(panel, measure, named, decks)
        rows = [*(one.variant.name for one in named), *(["unequal decks"] if decks else [])]
        axes[0].set_yticks(range(len(rows)), rows)
        axes[0].set_ylim(len(rows) - 0.5, -0.5)
    alternative = f"Position advantage, skill gap and length under every ruling and deck. {finding}"
    return PageFigure("rulings", as_svg(figure), alternative, csv="rulings.csv")


def _draw(panel: Axes, measure: Measure, named: Sequence[Measured], decks: Sequence[Measured]) -> None:
    panel.axvline(named[0].numbers[measure].estimate, color=GREY, linewidth=0.9, linestyle=(0, (4, 3)))
    for place, one in enumerate(named):
        interval = one.numbers[measure]
        colour = {"ruling": OKABE_ITO[0], "deck": OKABE_ITO[1]}.get(one.variant.kind, OKABE_ITO[6])
        panel.plot([interval.low, interval.high], [place, place], color=colour, linewidth=2.2)
        panel.plot([interval.estimate], [place], "o", color=colour, markersize=5)
    estimates = [one.numbers[measure].estimate for one in decks]
    panel.plot(estimates, [len(named)] * len(decks), "|", color=OKABE_ITO[2], markersize=9)
    panel.set_title(measure.label, fontsize=9)
    panel.set_xlabel(measure.unit, fontsize=8.5)
    panel.grid(axis="x", color="#dddddd", linewidth=0.6)
    panel.set_axisbelow(True)
