"""Answers about tactics in words, for screen and page alike: sentences and tables."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Final

from reports.ask.answer import BEST_INSTEAD, STEP_LESS, STEP_MORE, CurveAnswer, TableAnswer, TacticAnswer, ValueAnswer
from reports.ask.circumstances import FALSE_RATE, CircumstanceEffect, span
from reports.ask.question import QuestionTable, step_of
from reports.ask.verdict import Measured, Verdict
from reports.estimates.intervals import Interval
from reports.output.html import PageTable
from reports.output.words import bounds, number, plus, signed, size_and_span, span_of
from reports.reading.values import with_unit
from strategies.catalogue import Tactic

EFFECT_COLUMNS: Final = ("table", "measured", "wins per 100", "interval", "verdict")
CIRCUMSTANCE_COLUMNS: Final = ("what differs", "to", "wins per 100", "interval", "effect")
CIRCUMSTANCE_NOTE: Final = (
    f"At most {FALSE_RATE:.0%} of those said to help or to hurt are named wrongly, on average (e-BH over all of them); "
    "each interval holds by itself."
)
KIND_WORDS: Final = {
    "players": "table sizes",
    "deck": "decks",
    "unequal deck": "decks with unequal copies",
    "ruling": "rulings",
    "opponents": "opponents",
}


def place_words(table: QuestionTable) -> str:
    """Return a table in words, where it does not follow a verb."""
    return table.words.removeprefix("with ")


def headlines(answer: TacticAnswer | CurveAnswer) -> list[str]:
    """Return the answer: one line, or for a curve one line per table."""
    if isinstance(answer, CurveAnswer):
        return [curve_headline(answer, table) for table in answer.question.tables]
    return [headline(answer)]


def headline(answer: TacticAnswer) -> str:
    """Return the answer in one line."""
    subject, interval = answer.question.subject, answer.overall
    best = [table.best for table in answer.tables if table.best is not None]
    where = answer.tables[0].table.words if len(answer.tables) == 1 else f"on average over {len(answer.tables)} tables"
    if not any(table.worth.changed_games for table in answer.tables):
        return _nothing_changed(answer, where)
    per = f"per 100 {answer.question.unit}"
    name = answer.question.name
    if not isinstance(subject, Tactic):
        named = f"{name} for {answer.question.base.label}"
        return _sentence(answer.answer, interval, f"{named}, {where},", per)
    unit = answer.question.base.vocabulary.parameter(subject.dose).unit
    doses = sorted(set(best))
    dose = with_unit(span_of(doses, doses), doses, unit)
    if answer.answer == "bad":
        return _sentence("bad", interval, f"{name}, {where}, even {dose}, the best tried,", per)
    text = _sentence(answer.answer, interval, f"{name}, {where},", per)
    own = answer.question.base[subject.dose]
    compared = answer.question.compares_own_dose and len(set(best)) == 1 and own not in best
    has = f"; {answer.question.base.label} has {own:g}" if compared else ""
    several = any(len(table.tried) > 1 for table in answer.tables)
    return f"{text[:-1]}; best {dose}{has}." if answer.answer == "good" and several else text


def _sentence(verdict: Verdict, interval: Interval, what: str, per: str) -> str:
    size, span = size_and_span(interval)
    if verdict == "good":
        return f"Yes. {what} is worth {size} more wins {per} {span}."
    if verdict == "bad":
        return f"No. {what} costs {size} wins {per} {span}."
    if verdict == "undecided":
        return f"Undecided. {what} changes wins {per} by {bounds(interval)}."
    tiny = "a tiny gain, " if interval.low > 0 else "a tiny loss, " if interval.high < 0 else ""
    return f"It hardly matters. {what} changes wins {per} by {bounds(interval)}: {tiny}no practical difference."


def _nothing_changed(answer: TacticAnswer, where: str) -> str:
    games = sum(table.worth.games for table in answer.tables)
    reach = max(table.worth.wins.high for table in answer.tables)
    return (
        f"It changes nothing: 0 of {games:,} games came out differently {where}. "
        f"An effect of more than {reach:.2g} wins per 100 {answer.question.unit} is excluded."
    )


def own_dose(answer: TableAnswer) -> str:
    """Say where the base's own dose lies, and what a step more and a step less would do; empty for a change."""
    question = answer.table.question
    subject, base = question.subject, question.base
    if not isinstance(subject, Tactic) or answer.best is None or not question.compares_own_dose:
        return ""
    own = base[subject.dose]
    absent = base.values == subject.absent(base).values
    unit = base.vocabulary.parameter(subject.dose).unit
    if absent:
        has = f"{base.label} does without it"
    elif own == answer.best:
        has = f"{base.label} already has the best dose tried, {with_unit(f'{own:g}', [own], unit)}"
    else:
        best = with_unit(f"{answer.best:g}", [answer.best], unit)
        has = f"{base.label} has {own:g}, the best dose tried is {best}"
    if BEST_INSTEAD in answer.further:
        has += f" ({_as_change(answer.further[BEST_INSTEAD])})"
    steps = [
        f"{words} ({step_of(subject, base):g}) {_as_verdict(answer.further[words])}"
        for words in (STEP_MORE, STEP_LESS)
        if words in answer.further
    ]
    return f"{answer.table.words.capitalize()}: {'; '.join([has, *steps])}; other habits unchanged."


def _as_change(measured: Measured) -> str:
    return f"{signed(measured.wins.estimate, measured.wins)} wins per 100, {measured.answer}"


def _as_verdict(measured: Measured) -> str:
    words = {
        "good": "is better",
        "bad": "is worse",
        "no practical difference": "hardly matters",
        "undecided": "is undecided",
    }
    return words[measured.answer]


def remarks(answer: TacticAnswer | CurveAnswer, *, own_doses: bool = True) -> list[str]:
    """Say what a reader should know besides: own doses, undecided tables, and what the numbers rest on."""
    if isinstance(answer, CurveAnswer):
        return [guarantee(answer)]
    question = answer.question
    lines = [question.note] if question.note else []
    lines += [text for table in answer.tables if own_doses and (text := own_dose(table))]
    for table in answer.tables:
        lines += table_remarks(table)
    return [*lines, question.wording.basis([table.worth for table in answer.tables]), guarantee(answer)]


def table_remarks(answer: TableAnswer) -> list[str]:
    """Say what is special at one table."""
    table, worth, lines = answer.table, answer.worth, []
    if worth.answer == "undecided":
        needed = worth.deals_to_decide
        more = f"about {needed:,.0f} deals would decide it" if math.isfinite(needed) else "no number of deals in sight"
        lines.append(f"Undecided {table.words} after {worth.deals:,} deals: {more}.")
    return [*lines, *table.question.wording.remarks(worth, table.words)]


def guarantee(answer: TacticAnswer | CurveAnswer) -> str:
    """Say what the intervals promise."""
    stopping = answer.question.stopping
    count = len(answer.values) if isinstance(answer, CurveAnswer) else len(answer.tables)
    together = ", for all together (alpha split evenly)" if count > 1 else ""
    return (
        f"Wins: {(1 - stopping.alpha) * 100:.4g}% certain even if you watch it (anytime-valid){together}; "
        f"margin {stopping.margin * 100:g} wins per 100. {answer.question.wording.promise}"
    ).rstrip()


def effects_table(answer: TacticAnswer | CurveAnswer) -> PageTable:
    """Return the table of effects, one row per number."""
    columns = (*EFFECT_COLUMNS, *answer.question.wording.columns, "games changed", "deals")
    if isinstance(answer, CurveAnswer):
        rows = tuple(map(_value_row, answer.values))
    else:
        rows = tuple(
            _row(table.table, words, measured)
            for table in answer.tables
            for words, measured in every_number(table).items()
        )
    return PageTable(columns, rows, 2, "answer.csv")


def every_number(answer: TableAnswer) -> dict[str, Measured]:
    """Return everything that was measured at a table, by its name in words."""
    first = answer.table.question.name if answer.best is None else f"best dose {answer.best:g} against none"
    return {first: answer.worth, **answer.further}


def _row(table: QuestionTable, words: str, measured: Measured) -> tuple[str, ...]:
    return (
        place_words(table),
        words,
        signed(measured.wins.estimate, measured.wins),
        bounds(measured.wins),
        measured.answer,
        *table.question.wording.cells(measured),
        f"{measured.changed_games / measured.games:.2%}",
        f"{measured.deals:,}",
    )


def _value_row(value: ValueAnswer) -> tuple[str, ...]:
    question = value.table.question
    name = question.name.partition("=")[0].strip()
    words = f"{name}={question.base.vocabulary.parameter(name).show(value.value)}"
    if value.measured is None:
        further = ["0" for _ in question.wording.columns]
        return (place_words(value.table), words, "0", "the base itself", "-", *further, "0.00%", "-")
    return _row(value.table, words, value.measured)


def curve_headline(answer: CurveAnswer, table: QuestionTable) -> str:
    """Say at which values a parameter is best and at which it harms, at one table."""
    values = answer.at(table)
    tried = [value.value for value in values]
    best = max(values, key=lambda value: value.wins.estimate)
    as_good = [value.value for value in values if value.wins.high >= best.wins.low and value.answer != "bad"]
    as_good = as_good or [best.value]  # where every value tried is bad
    harmful = [value.value for value in values if value.answer == "bad"]
    name = answer.question.name.partition("=")[0]
    against = answer.question.base.label
    if best.answer == "good":
        size, span = size_and_span(best.wins)
        gain = f" with {size} more wins per 100 {answer.question.unit} than {against} {span}"
    else:
        gain = f"; no value is clearly better than {against}"
    harm = f"; harmful {span_of(harmful, tried)}" if harmful else ""
    return f"{name} is best {span_of(as_good, tried)} {table.words}{gain}{harm}."


def where_it_holds(answer: TacticAnswer) -> str:
    """Say in how many circumstances a change helps, hurts or does not matter, and how far its effect ranges."""
    effects = [place.effect for place in answer.circumstances]
    counts = {effect: effects.count(effect) for effect in ("helps", "hurts", "does not matter", "not clear")}
    worth = answer.tables[0].worth.wins
    parts = []
    for kind, words in KIND_WORDS.items():
        of_kind = [place for place in answer.circumstances if place.kind == kind]
        if of_kind:
            low, high = span(of_kind)
            parts.append(f"{plus(low, 1)} to {plus(high, 1)} over {words}")
    told = ", ".join(f"{effect} in {times}" for effect, times in counts.items() if times)
    return (
        f"Where it holds, of {len(effects)} circumstances: {told}. {signed(worth.estimate, worth)} ± "
        f"{number(worth.half_width, worth)} wins per 100 from sampling; {'; '.join(parts)}."
    )


def circumstances_table(places: Sequence[CircumstanceEffect], *, every: bool = False) -> PageTable:
    """Return the table of circumstances; the unequal decks are summed up in one row unless every one is wanted."""
    unequal = [place for place in places if place.kind == "unequal deck"]
    rows: list[tuple[str, ...]] = [
        (place.kind, place.name, signed(place.wins.estimate, place.wins), bounds(place.wins), place.effect)
        for place in places
        if every or place.kind != "unequal deck"
    ]
    if unequal and not every:
        effects = [place.effect for place in unequal]
        told = ", ".join(f"{effect} in {effects.count(effect)}" for effect in dict.fromkeys(effects))
        low, high = span(unequal)
        middle = sum(place.wins.estimate for place in unequal) / len(unequal)
        rows.append(
            ("unequal deck", f"{len(unequal)} decks", plus(middle, 1), f"range {plus(low, 1)} to {plus(high, 1)}", told)
        )
    return PageTable(CIRCUMSTANCE_COLUMNS, tuple(rows), 2, "elsewhere.csv")
