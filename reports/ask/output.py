"""Answers about tactics in words, for people: first the answer, then what it rests on."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Final

from reports.ask.answer import BEST_INSTEAD, STEP_LESS, STEP_MORE, CurveAnswer, TableAnswer, TacticAnswer, ValueAnswer
from reports.ask.circumstances import FALSE_RATE, CircumstanceEffect, span
from reports.ask.forecast import PLANNED_POWER, Forecast
from reports.ask.question import QuestionTable, TacticQuestion, step_of
from reports.ask.verdict import Measured, Verdict
from reports.estimates.intervals import Interval
from reports.output.terminal import Screen, announce_basis
from reports.output.words import bounds, number, plus, signed, size_and_span, span_of
from reports.reading.values import with_unit
from strategies.catalogue import Tactic

TEXTS: Final = 2
"""The first columns hold texts, the others numbers."""


def columns(question: TacticQuestion) -> tuple[str, ...]:
    """Return the columns of the table of effects."""
    further = question.wording.columns
    return ("table", "measured", "wins per 100", "interval", "verdict", *further, "games changed", "deals")


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


def remarks(answer: TacticAnswer) -> list[str]:
    """Say what a reader should know besides: own doses, undecided tables, and what the numbers rest on."""
    question = answer.question
    lines = [question.note] if question.note else []
    lines += [text for table in answer.tables if (text := own_dose(table))]
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


def rows(answer: TacticAnswer) -> list[tuple[str, ...]]:
    """Return the table: one row per number, in the order of `columns`."""
    lines = []
    for table in answer.tables:
        lines.append(_row(table.table, measured_words(table), table.worth))
        lines += [_row(table.table, words, one) for words, one in table.further.items()]
    return lines


def measured_words(answer: TableAnswer) -> str:
    """Say what the first number of a table is."""
    if answer.best is None:
        return answer.table.question.name
    return f"best dose {answer.best:g} against none"


def _row(table: QuestionTable, words: str, measured: Measured) -> tuple[str, ...]:
    return (
        table.words.removeprefix("with "),
        words,
        signed(measured.wins.estimate, measured.wins),
        bounds(measured.wins),
        measured.answer,
        *table.question.wording.cells(measured),
        f"{measured.changed_games / measured.games:.2%}",
        f"{measured.deals:,}",
    )


def curve_headline(answer: CurveAnswer, table: QuestionTable) -> str:
    """Say at which values a parameter is best and at which it harms, at one table."""
    values = answer.at(table)
    tried = [one.value for one in values]
    best = max(values, key=lambda one: one.wins.estimate)
    as_good = [one.value for one in values if one.wins.high >= best.wins.low and one.answer != "bad"]
    harmful = [one.value for one in values if one.answer == "bad"]
    name = answer.question.name.partition("=")[0]
    against = answer.question.base.label
    if best.answer == "good":
        size, span = size_and_span(best.wins)
        gain = f" with {size} more wins per 100 {answer.question.unit} than {against} {span}"
    else:
        gain = f"; no value is clearly better than {against}"
    harm = f"; harmful {span_of(harmful, tried)}" if harmful else ""
    return f"{name} is best {span_of(as_good, tried)} {table.words}{gain}{harm}."


def curve_rows(answer: CurveAnswer) -> list[tuple[str, ...]]:
    """Return the table of a curve, in the order of `columns`."""
    return [_value_row(one) for one in answer.values]


def _value_row(one: ValueAnswer) -> tuple[str, ...]:
    question = one.table.question
    name = question.name.partition("=")[0].strip()
    words = f"{name}={question.base.vocabulary.parameter(name).show(one.value)}"
    if one.measured is None:
        further = ["0" for _ in question.wording.columns]
        return (one.table.words.removeprefix("with "), words, "0", "the base itself", "-", *further, "0.00%", "-")
    return _row(one.table, words, one.measured)


ELSEWHERE_COLUMNS: Final = ("what differs", "to", "wins per 100", "interval", "effect")
ELSEWHERE_NOTE: Final = (
    f"At most {FALSE_RATE:.0%} of those said to help or to hurt are named wrongly, on average (e-BH over all of them); "
    "each interval holds by itself."
)


def where_it_holds(answer: TacticAnswer) -> str:
    """Say in how many circumstances a change helps, hurts or does not matter, and how far its effect ranges."""
    effects = [place.effect for place in answer.circumstances]
    counts = {effect: effects.count(effect) for effect in ("helps", "hurts", "does not matter", "not clear")}
    worth = answer.tables[0].worth.wins
    parts = []
    for kind, words in KINDS.items():
        of_kind = [place for place in answer.circumstances if place.kind == kind]
        if of_kind:
            low, high = span(of_kind)
            parts.append(f"{plus(low, 1)} to {plus(high, 1)} over {words}")
    told = ", ".join(f"{effect} in {times}" for effect, times in counts.items() if times)
    return (
        f"Where it holds, of {len(effects)} circumstances: {told}. {signed(worth.estimate, worth)} ± "
        f"{number(worth.half_width, worth)} wins per 100 from sampling; {'; '.join(parts)}."
    )


KINDS: Final = {
    "players": "table sizes",
    "deck": "decks",
    "unequal deck": "decks with unequal copies",
    "ruling": "rulings",
    "opponents": "opponents",
}


def elsewhere_rows(places: Sequence[CircumstanceEffect], *, every: bool = False) -> list[tuple[str, ...]]:
    """Return the table of circumstances; the unequal decks are summed up in one row unless every one is wanted."""
    unequal = [place for place in places if place.kind == "unequal deck"]
    lines: list[tuple[str, ...]] = [
        (place.kind, place.name, signed(place.wins.estimate, place.wins), bounds(place.wins), place.effect)
        for place in places
        if every or place.kind != "unequal deck"
    ]
    if unequal and not every:
        effects = [place.effect for place in unequal]
        told = ", ".join(f"{effect} in {effects.count(effect)}" for effect in dict.fromkeys(effects))
        low, high = span(unequal)
        middle = sum(place.wins.estimate for place in unequal) / len(unequal)
        lines.append(
            ("unequal deck", f"{len(unequal)} decks", plus(middle, 1), f"range {plus(low, 1)} to {plus(high, 1)}", told)
        )
    return lines


def announce_question(screen: Screen, question: TacticQuestion) -> None:
    """Say what is about to be played."""
    stopping, played = question.stopping, question.provenance
    tables = ", ".join(table.words.removeprefix("with ") for table in question.tables)
    screen.note(f"Asking about {question.name}, {question.wording.who} {question.base.label}: {tables}")
    if isinstance(question.subject, Tactic):
        screen.note(f"{question.subject.description} Dose: {question.subject.dose}; {question.subject.source}")
    if question.note:
        screen.note(question.note)
    screen.note(
        f"Until the answer is clear, or at most {played.games:,} deals per table; margin {stopping.margin:g}, "
        f"alpha {stopping.alpha:g}"
    )
    announce_basis(screen, played)


def show_plan(screen: Screen, plans: Sequence[Forecast]) -> None:
    """Print how much must be played at each table."""
    for one in plans:
        screen.heading(plan_sentence(one))


def plan_sentence(plan: Forecast) -> str:
    """Say how much must be played to show an effect."""
    unit = plan.table.question.unit
    if not math.isfinite(plan.deals):
        return f"{plan.table.words.capitalize()}: no pilot deal changed anything, so there is nothing to go by."
    return (
        f"{plan.table.words.capitalize()}: {plan.deals:,.0f} deals ({plan.deals * plan.table.players:,.0f} games) show "
        f"an effect of {abs(plan.effect):g} wins per 100 {unit} in {PLANNED_POWER:.0%} of runs; about "
        f"{plan.seconds:,.0f} s here."
    )


def show_answer(screen: Screen, answer: TacticAnswer | CurveAnswer) -> None:
    """Print the answer, the table, and what it rests on."""
    if isinstance(answer, CurveAnswer):
        for table in answer.question.tables:
            screen.heading(curve_headline(answer, table))
        screen.table(columns(answer.question), curve_rows(answer), texts=TEXTS)
        screen.remark(guarantee(answer))
        return
    screen.heading(headline(answer))
    screen.table(columns(answer.question), rows(answer), texts=TEXTS)
    if len(answer.tables) == 1:
        _show_reason(screen, answer.tables[0])
    else:
        _show_reasons(screen, answer.tables)
    if answer.circumstances:
        screen.heading(where_it_holds(answer))
        screen.table(ELSEWHERE_COLUMNS, elsewhere_rows(answer.circumstances), texts=TEXTS)
        screen.remark(ELSEWHERE_NOTE)
    for line in remarks(answer):
        screen.remark(line)


def _show_reason(screen: Screen, answer: TableAnswer) -> None:
    """Print why, and which deals to see."""
    why = answer.table.question.wording.reason(answer.worth)
    if why is None:
        return
    screen.heading("Why")
    for line in why.sentences:
        screen.remark(line)
    for table in why.tables[-1:]:
        screen.table(table.columns, table.rows)
    screen.heading("Deals to see")
    for words, command in why.deals:
        screen.remark(f"{words}: {command}")
    screen.heading("What it rests on")


def _show_reasons(screen: Screen, answers: Sequence[TableAnswer]) -> None:
    """Print why at each of several tables, a row each."""
    worths = {one.table.words.removeprefix("with "): one.worth for one in answers}
    if why := answers[0].table.question.wording.reason_rows(worths):
        table, note = why
        screen.table(table.columns, table.rows)
        screen.remark(note)


PICTURE_WIDTH: Final = 25
"""Characters of the picture of an interval; the middle one is zero."""


def look_line(words: str, look: Measured) -> str:
    """Return one line on how an answer stands: the interval around zero, in a picture and in numbers."""
    return f"{words}: {bounds(look.wins)} wins per 100, {look.deals:,} deals {picture(look.wins)}"


def picture(interval: Interval, width: int = PICTURE_WIDTH) -> str:
    """Draw an interval around zero: | is zero, = the interval, o the estimate; the scale is a power of two."""
    reach = max(abs(interval.low), abs(interval.high), 2**-10)
    scale = 2.0 ** math.ceil(math.log2(reach))
    middle = width // 2

    def place(number: float) -> int:
        return middle + round(number / scale * middle)

    cells = ["=" if place(interval.low) <= cell <= place(interval.high) else " " for cell in range(width)]
    cells[middle] = "|"
    cells[place(interval.estimate)] = "o"
    return f"-{scale:g} [{''.join(cells)}] +{scale:g}"
