"""The gaps that the rules leave and the decks that are possible: what they change, and which findings they overturn."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final, Literal

import numpy as np
import pandas as pd

from reports.ask.circumstances import unequal_decks
from reports.balance.exhibits import Cell, draw_bars, estimated, page_figure, page_table
from reports.balance.finding import Finding, Play, total
from reports.balance.ladder import SURENESS
from reports.balance.plan import QUICK, BalancePlan, Threshold, light_above, light_below
from reports.balance.rosters import all_alike, one_among, others_than
from reports.balance.shares import shares_of
from reports.balance.thresholds import ADVANTAGE, MINUTES, SECONDS, SHARED
from reports.estimates.beyond_noise import beyond_noise
from reports.estimates.intervals import LEVEL, PLANNED, Interval
from reports.estimates.joint import difference, distance, greatest_distance, greatest_named, level_of_each
from reports.estimates.measures import Measure, columns_of
from reports.output.canvas import Axes
from reports.output.figures import DASHED, GREY, OKABE_ITO, draw_grid
from reports.output.html import LIGHTS, Light, PageFigure
from reports.output.words import with_bounds
from reports.simulation.summary import GAME_TURNS, SCORE, SHARED_WINS, summarise_games, summarise_seats
from reports.simulation.until_better import leads
from simulate import Table
from simulate.escalation.rules import PRESETS, RULINGS, Deck, Rules
from simulate.experiment import Counts
from simulate.ruling import rulings_note
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

COLUMNS: Final[dict[str, Cell]] = {
    "played": "{variant}",
    "overturns": lambda row: row["overturns"] or "-",
    **{f"{measure.label} ({measure.unit})": estimated(measure.name) for measure in MEASURES},
}
COLOURS: Final[Mapping[VariantKind, str]] = {"as asked": OKABE_ITO[6], "ruling": OKABE_ITO[0], "deck": OKABE_ITO[1]}


@dataclass(frozen=True)
class Variant:
    """Rules that the game might be played by."""

    kind: VariantKind
    name: str
    rules: Rules


@dataclass(frozen=True)
class MeasuredVariant:
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
    blocks
        The numbers of every block of deals by itself.
    """

    variant: Variant
    games: int
    numbers: Mapping[Measure, Interval]
    lights: Mapping[str, Light]
    blocks: Sequence[Mapping[Measure, Interval]] = ()


def variants(plan: BalancePlan) -> list[Variant]:
    """Return the game as asked, each ruling turned over, and each deck that the sources allow."""
    rules = plan.rules
    found = [Variant("as asked", "as asked", rules)]
    for name in RULINGS:
        turned = rules.turned_over(name)
        found.append(Variant("ruling", rulings_note(turned), rules.with_rulings(turned)))
    for name, deck in PRESETS.items():
        if deck != rules.deck and (there := _with_deck(rules, deck)):
            found.append(Variant("deck", name, there))
    return found


def deck_variants(plan: BalancePlan) -> list[Variant]:
    """Return the ensemble of decks with unequal copies; a quick report has the first few of it."""
    decks = unequal_decks(plan.rules.deck)
    chosen = decks[:QUICK_DECKS] if plan.effort == QUICK else decks
    return [Variant("unequal deck", str(deck), rules) for deck in chosen if (rules := _with_deck(plan.rules, deck))]


def _with_deck(rules: Rules, deck: Deck) -> Rules | None:
    try:
        return replace(rules, deck=deck)
    except InputError:
        # Too few cards for so many players: there is no such game.
        return None


def weaker_player(plan: BalancePlan) -> Strategy:
    """Return who sits at all other seats where a standard player is to show skill."""
    return (others_than(plan.standard, plan.weaker) or [strategy("random")])[-1]


def tables(plan: BalancePlan, rules: Rules) -> tuple[Table, Table]:
    """Return what is played: equals with fixed positions, and a standard player among weaker ones."""
    return all_alike(rules, plan.standard), one_among(rules, plan.standard, weaker_player(plan))


def measure_variants(plan: BalancePlan, play: Play) -> list[MeasuredVariant]:
    """Play every variant."""
    named, decks = variants(plan), deck_variants(plan)
    level = level_of_each((len(named) + len(decks)) * (len(MEASURES) - 1 + plan.rules.players))
    blocks = plan.effort.blocks
    found = []
    for part, every, own_blocks in ((PART, named, blocks), (DECKS_PART, decks, max(1, blocks // FEWER))):
        settings = [table for variant in every for table in tables(plan, variant.rules)]
        played = play(part, settings, own_blocks) if settings else []
        for variant, equals, unequals in zip(every, played[::2], played[1::2], strict=True):
            numbers = read_numbers(plan, total(equals), total(unequals), level)
            single = [read_numbers(plan, *tables, level) for tables in zip(equals, unequals, strict=True)]
            games = int(total(equals)["games"][0])
            found.append(MeasuredVariant(variant, games, numbers, lights_of(plan, numbers), single))
    return found


def read_numbers(plan: BalancePlan, equals: Counts, unequals: Counts, level: float) -> dict[Measure, Interval]:
    """Read the numbers of a variant from the counts of its two tables."""
    label, (alike, mixed) = plan.standard.label, tables(plan, plan.rules)
    return {
        DISTANCE: greatest_distance(shares_of(equals, label, match=False, level=level).above),
        SKILL_GAP: leads(unequals, "games", 0, range(1, len(mixed.seats)), SURENESS, level).gap,
        SCORE: summarise_seats(equals, label, range(len(alike.seats)), match=False, level=level).outcomes[SCORE],
        **summarise_games(equals, match=False, level=level),
    }


def lights_of(plan: BalancePlan, numbers: Mapping[Measure, Interval]) -> dict[str, Light]:
    """Return the light of each finding, by the thresholds of the sections that it is from."""
    minutes = numbers[GAME_TURNS].times(plan.limit(SECONDS) / 60)
    lights: dict[Measure, Light] = {
        DISTANCE: light_below(numbers[DISTANCE], plan.limit(ADVANTAGE)),
        SKILL_GAP: light_above(numbers[SKILL_GAP], plan.limit(GAP)),
        GAME_TURNS: light_below(minutes, plan.limit(MINUTES)),
        SHARED_WINS: light_below(numbers[SHARED_WINS], plan.limit(SHARED)),
    }
    return {finding: lights[measure] for finding, measure in FINDINGS.items()}


def turned_over(base: MeasuredVariant, other: MeasuredVariant, *, surely: bool = True) -> list[str]:
    """Return the findings that a variant turns over: surely one way before and the other way after, or perhaps."""
    pairs = {finding: {base.lights[finding], other.lights[finding]} for finding in FINDINGS}
    return [
        finding
        for finding, lights in pairs.items()
        if (lights == {"good", "bad"} if surely else len(lights) > 1 or lights == {"middle"})
    ]


def _of_sources(every: Sequence[MeasuredVariant]) -> list[MeasuredVariant]:
    """Return the game as asked, first, and what the sources allow."""
    return [measured for measured in every if measured.variant.kind != "unequal deck"]


def _unequal_decks(every: Sequence[MeasuredVariant]) -> list[MeasuredVariant]:
    return [measured for measured in every if measured.variant.kind == "unequal deck"]


def overturned_findings(every: Sequence[MeasuredVariant]) -> Interval:
    """Count the findings that any ruling or deck of the sources turns over: surely, and possibly."""
    base, *others = _of_sources(every)
    surely, possibly = (
        {finding for other in others for finding in turned_over(base, other, surely=sure)} for sure in (True, False)
    )
    return Interval(len(surely), len(surely), len(possibly))


def measure(plan: BalancePlan, play: Play) -> Finding:
    """Look at every ruling and deck."""
    every = measure_variants(plan, play)
    frame, finding = variant_frame(every), main_finding(every)
    return Finding(
        name="rulings",
        title="Rulings and decks",
        finding=finding,
        light=light_below(overturned_findings(every), plan.limit(OVERTURNED)),
        threshold=OVERTURNED,
        frames={"rulings": frame},
        figures=(_figure(plan, every, finding),),
        tables=(page_table("rulings", frame[frame["kind"] != "unequal deck"], COLUMNS, texts=2),),
        texts=(*change_sentences(every), *deck_sentences(every), _note(plan, every)),
        headline=finding,
    )


def main_finding(every: Sequence[MeasuredVariant]) -> str:
    """Say which findings depend on a ruling or a deck."""
    base, *others = _of_sources(every)
    found = []
    for finding in FINDINGS:
        names = [other.variant.name for other in others if finding in turned_over(base, other)]
        found += [f"“{finding}” by {', '.join(names)}"] if names else []
    if found:
        return f"Of {len(FINDINGS)} findings, rulings and decks overturn {len(found)}: {'; '.join(found)}."
    return f"No ruling and none of the decks surely overturns any of {len(FINDINGS)} findings looked at again."


def change_sentences(every: Sequence[MeasuredVariant]) -> list[str]:
    """Say which rulings change nothing, and which ruling or deck changes each number most, as far as it is sure."""
    base, *others = _of_sources(every)
    same = [other.variant.name for other in others if other.numbers == base.numbers]
    lines = [f"Not a single number changes with {', '.join(same)}."] if same else []
    for measure in (SKILL_GAP, SCORE, GAME_TURNS, SHARED_WINS):
        here, label = base.numbers[measure], measure.label.capitalize()
        changes = {other.variant.name: difference(here, other.numbers[measure]) for other in others}
        sure = {name: change for name, change in changes.items() if change.excludes_zero}
        if not sure:
            lines.append(f"{label}: no ruling or deck surely changes it.")
            continue
        most = max(sure, key=lambda name: abs(sure[name].estimate))
        named = greatest_named(list(changes), list(map(distance, changes.values())))
        change = f"{with_bounds(sure[most], 2)} with {most}"
        lines.append(f"{label} ({here.estimate:.1f} {measure.unit}) changes most with {named}: {change}.")
    return lines


def deck_sentences(every: Sequence[MeasuredVariant]) -> list[str]:
    """Say what the ensemble of unequal decks does, beyond noise."""
    base, decks = every[0], _unequal_decks(every)
    if not decks:
        return []
    counted = {finding: sum(finding in turned_over(base, deck) for deck in decks) for finding in FINDINGS}
    turned = [f"“{finding}” by {count}" for finding, count in counted.items() if count]
    effect = f"they overturn {'; '.join(turned)}" if turned else "none of them surely overturns a finding"
    return [
        f"The copies per value are an assumption. {len(decks)} decks with unequal copies give: "
        f"{'; '.join(_span(measure, decks) for measure in MEASURES)}; {effect}."
    ]


def _span(measure: Measure, decks: Sequence[MeasuredVariant]) -> str:
    """Say how far a number differs over decks beyond noise; of a single block of deals noise and decks look alike."""
    groups = np.array([[block[measure].estimate for block in deck.blocks] for deck in decks]).T
    if len(decks) == 1:
        return f"{measure.label} {groups.mean():.1f} {measure.unit}"
    if len(groups) == 1:
        return f"{measure.label} {groups.min():.1f} to {groups.max():.1f} {measure.unit}, noise included"
    found = beyond_noise(groups)
    if not found.shown:
        return f"{measure.label} {found.middle:.1f} {measure.unit}, no difference beyond noise"
    return f"{measure.label} {found.low:.1f} to {found.high:.1f} {measure.unit} beyond noise"


def _note(plan: BalancePlan, every: Sequence[MeasuredVariant]) -> str:
    return (
        f"Everybody {plan.standard.label} with fixed positions, and one {plan.standard.label} player while everybody "
        f"else is {weaker_player(plan).label} (skill gap: what he wins more than each of them); "
        f"{every[0].games:,} games per table, {min(measured.games for measured in every):,} per unequal deck. Players "
        f"are not tuned anew for other rules. Intervals: {LEVEL:.0%} for everything here together, {PLANNED}. A "
        "finding is overturned if it is surely true as asked and surely false there, or the other way round."
    )


def variant_frame(every: Sequence[MeasuredVariant]) -> pd.DataFrame:
    """Return one row per variant: kind, name, games, every number with bounds, every light, and what it overturns."""
    return pd.DataFrame(
        {
            "kind": measured.variant.kind,
            "variant": measured.variant.name,
            "games": measured.games,
            **columns_of({measure: measured.numbers[measure] for measure in MEASURES}),
            **{finding.replace(" ", "_"): LIGHTS[light] for finding, light in measured.lights.items()},
            "level_of_all_together": LEVEL,
            "overturns": "; ".join(turned_over(every[0], measured)),
        }
        for measured in every
    )


def _figure(plan: BalancePlan, every: Sequence[MeasuredVariant], finding: str) -> PageFigure:
    named, decks, shown = _of_sources(every), _unequal_decks(every), (DISTANCE, SKILL_GAP, GAME_TURNS)

    def draw(*panels: Axes) -> None:
        for panel, measure in zip(panels, shown, strict=True):
            _draw(panel, measure, named, decks)
        rows = [*(measured.variant.name for measured in named), *(["unequal decks"] if decks else [])]
        panels[0].set_yticks(range(len(rows)), rows)
        panels[0].set_ylim(len(rows) - 0.5, -0.5)

    note = (
        f"Bars: {LEVEL:.0%} intervals for everything together, {PLANNED}. Ticks in the last row: {len(decks)} decks "
        f"with unequal copies per value. Dashed: as asked. {named[0].games:,} games per table, seed {plan.seed}."
    )
    shows, height = "Position advantage, skill gap and length under every ruling and deck", 1.9 + 0.27 * len(named)
    return page_figure("rulings", draw, shows, finding, note, columns=len(shown), width=7.6, height=height)


def _draw(panel: Axes, measure: Measure, named: Sequence[MeasuredVariant], decks: Sequence[MeasuredVariant]) -> None:
    numbers = [measured.numbers[measure] for measured in named]
    panel.axvline(numbers[0].estimate, color=GREY, linewidth=0.9, linestyle=DASHED)
    draw_bars(panel, numbers, [COLOURS[measured.variant.kind] for measured in named], linewidth=2.2, markersize=5)
    estimates = [deck.numbers[measure].estimate for deck in decks]
    panel.plot(estimates, [len(named)] * len(decks), "|", color=OKABE_ITO[2], markersize=9)
    panel.set_title(measure.label, fontsize=9)
    panel.set_xlabel(measure.unit, fontsize=8.5)
    draw_grid(panel, "x")
