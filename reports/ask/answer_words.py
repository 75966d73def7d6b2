"""Answers about tactics in words, for screen and page alike: sentences and tables."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Final

from reports.ask.answer import (
    BEST_INSTEAD,
    DOSE_ON_TOP,
    REST_ALONE,
    STEP_LESS,
    STEP_MORE,
    CurveAnswer,
    TableAnswer,
    TacticAnswer,
    ValueAnswer,
)
from reports.ask.circumstances import FALSE_RATE, CircumstanceEffect, spreads
from reports.ask.question import QuestionTable, TacticQuestion, step_of
from reports.ask.verdict import Measured, Verdict, judge
from reports.estimates.betting import PER_HUNDRED
from reports.estimates.beyond_noise import BeyondNoise
from reports.estimates.intervals import Interval, mean_of
from reports.output.html import PageTable
from reports.output.words import bounds, number, percent, plus, signed, size_and_span, span_of, with_bounds
from reports.reading.values import with_unit
from strategies.catalogue import Tactic

EFFECT_COLUMNS: Final = ("table", "measured", "wins per 100", "interval", "verdict")
CIRCUMSTANCE_COLUMNS: Final = ("what differs", "to", "wins per 100", "interval", "effect")
CIRCUMSTANCE_NOTE: Final = (
    f"At most {FALSE_RATE:.0%} of those said to help or to hurt are named wrongly, on average (e-BH over all of them); "
    "each interval holds by itself."
)
PICKED: Final = (
    "The best of several values is picked on the deals that measure it, so it looks a little better than it is; its "
    "interval allows for that."
)
VERDICT_WORDS: Final[Mapping[Verdict, str]] = {
    "good": "is better",
    "bad": "is worse",
    "no practical difference": "hardly matters",
    "undecided": "is undecided",
}
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
    where = answer.tables[0].table.words if len(answer.tables) == 1 else f"on average over {len(answer.tables)} tables"
    if not any(table.worth.changed_games for table in answer.tables):
        return _nothing_changed(answer, where)
    per = f"per 100 {answer.question.unit}"
    name = answer.question.name
    if not isinstance(subject, Tactic):
        named = f"{name} for {answer.question.base.label}"
        return _sentence(answer.answer, interval, f"{named}, {where},", per)
    if answer.answer == "bad":
        text = _sentence("bad", interval, f"{name}, {where}, even {_best_dose(answer)}, the best tried,", per)
    else:
        text = _sentence(answer.answer, interval, f"{name}, {where},", per)
    told = [_dose_of_good(answer)] if answer.answer == "good" else []
    told.append(_made_of(answer, subject))
    return "; ".join([text[:-1], *filter(None, told)]) + "."


def _best_dose(answer: TacticAnswer) -> str:
    """Say what the best dose is, over all tables: "at 5 cards"."""
    doses = sorted({table.best for table in answer.tables if table.best is not None})
    return _with_its_unit(answer.question, span_of(doses, doses), doses)


def _with_its_unit(question: TacticQuestion, text: str, doses: Sequence[float]) -> str:
    subject = question.subject
    assert isinstance(subject, Tactic)
    return with_unit(text, doses, question.base.vocabulary.parameter(subject.dose).unit)


def _dose_of_good(answer: TacticAnswer) -> str:
    """Say which dose of a good tactic is best, how sure that is, and what the base has; empty without a choice."""
    first, subject = answer.tables[0], answer.question.subject
    assert isinstance(subject, Tactic)
    if not any(len(table.tried) > 1 for table in answer.tables):
        return ""
    if len(answer.tables) > 1:
        return f"best {_best_dose(answer)}"
    own = answer.question.base[subject.dose]
    differs = answer.question.compares_own_dose and own != first.best
    has = f"; {answer.question.base.label} has {own:g}" if differs else ""
    return f"best {_best_dose(answer)}{how_sure(first)}{has}"


def how_sure(answer: TableAnswer) -> str:
    """Say whether the best dose is at an end of those tried, which others may be as good, and which are harmful."""
    tried = [dose.dose for dose in answer.tried]
    others = [dose for dose in answer.as_good if dose != answer.best]
    told = []
    if answer.end == "mildest":
        told.append("its mildest form" if others or answer.worth.answer != "good" else "only in its mildest form")
    elif answer.end == "strongest":
        told.append("the strongest tried")
    if others:
        told.append(f"{_numbers_of(answer.as_good, tried)} cannot be told apart")
    if answer.harmful:
        told.append(f"harmful {span_of(answer.harmful, tried)}")
    return f" ({'; '.join(told)})" if told else ""


def _numbers_of(chosen: Sequence[float], tried: Sequence[float]) -> str:
    """Write several doses: "3.7 to 6", or a list if there are gaps."""
    return span_of(chosen, tried).removeprefix("at ").removeprefix("from ")


def _made_of(answer: TacticAnswer, subject: Tactic) -> str:
    """Say what the worth is made of where the habit is more than its dose; empty if it is not."""
    rest = ", ".join(subject.rest(answer.question.base))
    if not rest:
        return ""
    alone, dose = (
        [table.further[words].wins for table in answer.tables if words in table.further]
        for words in (REST_ALONE, DOSE_ON_TOP)
    )
    if not alone:
        return f"all of it is {rest}: the best dose of {subject.dose} is none"
    level, margin = answer.overall.level, answer.question.stopping.margin * PER_HUNDRED
    of_dose = mean_of(dose, level)
    verdict = "" if (found := judge(of_dose, margin)) in {"good", "bad"} else f", {found}"
    return (
        f"of this {subject.dose} itself brings {with_bounds(of_dose)}{verdict}, and {rest} alone "
        f"{with_bounds(mean_of(alone, level))}"
    )


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
    reach = max(-answer.overall.low, answer.overall.high)
    begins = "Undecided, but no change was seen" if answer.answer == "undecided" else "It changes nothing"
    return (
        f"{begins}: 0 of {games:,} games came out differently {where}. "
        f"An effect of more than {reach:.2g} wins per 100 {answer.question.unit} is excluded."
    )


def own_dose(answer: TableAnswer) -> str:
    """Say which dose is best, where the base's own lies, and what a step more and less would do; empty for a change."""
    question = answer.table.question
    subject, base = question.subject, question.base
    if not isinstance(subject, Tactic) or answer.best is None:
        return ""
    where = answer.table.words.capitalize()
    best = f"{_with_its_unit(question, f'{answer.best:g}', [answer.best])}{how_sure(answer)}"
    if not question.compares_own_dose:
        return f"{where}: the best dose tried is {best}." if len(answer.tried) > 1 else ""
    own = base[subject.dose]
    if base.values == subject.absent(base).values:
        has = f"{base.label} does without it, the best dose tried is {best}"
    elif own == answer.best:
        has = f"{base.label} already has the best dose tried, {best}"
    else:
        has = f"{base.label} has {own:g}, the best dose tried is {best}"
    if instead := answer.further.get(BEST_INSTEAD):
        has += f": {signed(instead.wins.estimate, instead.wins)} wins per 100, {instead.answer}"
    steps = [
        f"{words} ({step_of(subject, base):g}) {VERDICT_WORDS[answer.further[words].answer]}"
        for words in (STEP_MORE, STEP_LESS)
        if words in answer.further
    ]
    return f"{where}: {'; '.join([has, *steps])}; other habits unchanged."


def remarks(answer: TacticAnswer | CurveAnswer, *, own_doses: bool = True) -> list[str]:
    """Say what a reader should know besides: own doses, undecided tables, and what the numbers rest on."""
    if isinstance(answer, CurveAnswer):
        return [PICKED, guarantee(answer)] if len(answer.values) > 1 else [guarantee(answer)]
    question = answer.question
    lines = [question.note] if question.note else []
    lines += [text for table in answer.tables if own_doses and (text := own_dose(table))]
    for table in answer.tables:
        worth, where = table.worth, table.table.words
        if worth.answer == "undecided":
            needed = worth.deals_to_decide
            known = math.isfinite(needed)
            more = f"about {needed:,.0f} deals would decide it" if known else "no number of deals in sight"
            lines.append(f"Undecided {where} after {worth.deals:,} deals: {more}.")
        lines += question.wording.remarks(worth, where)
    return [*lines, question.wording.basis([table.worth for table in answer.tables]), guarantee(answer)]


def guarantee(answer: TacticAnswer | CurveAnswer) -> str:
    """Say what the intervals promise, and for which rows together."""
    stopping, wording = answer.question.stopping, answer.question.wording
    if isinstance(answer, CurveAnswer):
        rows = [value.measured for value in answer.values if value.measured is not None]
        each = percent(rows[0].wins.level)
        together = f"all {len(rows)} rows together ({each} each)" if len(rows) > 1 else ""
    else:
        each, tables = percent(answer.tables[0].worth.wins.level), len(answer.tables)
        further = max(len(set(map(id, table.further.values()))) for table in answer.tables)
        together = "each row by itself" if further else ""
        if tables > 1:
            rows_of_kind = f"the {tables} rows of each kind" if further else f"all {tables} rows"
            together = f"{rows_of_kind} and their average together ({each} each)"
    whom = f", for {together}" if together else ""
    return (
        f"Wins: {percent(1 - stopping.alpha)} certain even if you watch it (anytime-valid){whom}; "
        f"margin {stopping.margin * 100:g} wins per 100. {wording.promise(each)}"
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
    told = ", ".join(f"{effect} in {times}" for effect, times in counts.items() if times)
    return (
        f"Where it holds, of {len(effects)} circumstances: {told}. {signed(worth.estimate, worth)} ± "
        f"{number(worth.half_width, worth)} wins per 100 from sampling. {spread_words(answer.circumstances)}"
    ).rstrip()


def spread_words(places: Sequence[CircumstanceEffect]) -> str:
    """Say over which kinds of circumstances an effect differs beyond noise, and how far."""
    found = {KIND_WORDS[kind]: spread for kind, spread in spreads(places).items()}
    differ = [f"from {_from_to(spread)} over {words}" for words, spread in found.items() if spread.shown]
    alike = [words for words, spread in found.items() if not spread.shown]
    sentences = [f"Beyond noise it differs {', '.join(differ)}."] if differ else []
    sentences += [f"Over {' and '.join(alike)} it differs by no more than noise."] if alike else []
    return " ".join(sentences)


def _from_to(spread: BeyondNoise) -> str:
    return f"{plus(spread.low, 1)} to {plus(spread.high, 1)}"


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
        spread = spreads(unequal)["unequal deck"]
        beyond = f"{_from_to(spread)} beyond noise" if spread.shown else "no more than noise"
        rows.append(("unequal deck", f"{len(unequal)} decks", plus(spread.middle, 1), beyond, told))
    return PageTable(CIRCUMSTANCE_COLUMNS, tuple(rows), 2, "elsewhere.csv")
