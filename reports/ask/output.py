"""An answer about a tactic on the screen and as files."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Final

import pandas as pd

from reports.ask.answer import CurveAnswer, TacticAnswer
from reports.ask.answer_words import (
    CIRCUMSTANCE_NOTE,
    circumstances_table,
    effects_table,
    headlines,
    place_words,
    remarks,
    where_it_holds,
)
from reports.ask.forecast import PLANNED_POWER, Forecast
from reports.ask.question import QuestionTable, TacticQuestion
from reports.ask.verdict import Measured
from reports.estimates.betting import MOST_UNITS, watched_wins
from reports.estimates.intervals import Interval
from reports.estimates.measures import bounds_columns
from reports.output.html import page_files
from reports.output.terminal import Screen, announce
from reports.output.words import bounds
from strategies.catalogue import Tactic


def announce_question(screen: Screen, question: TacticQuestion) -> None:
    """Say what is about to be played."""
    stopping, played = question.stopping, question.provenance
    tables = ", ".join(map(place_words, question.tables))
    lines = [f"Asking about {question.name}, {question.wording.who} {question.base.label}: {tables}"]
    if isinstance(question.subject, Tactic):
        lines.append(f"{question.subject.description} Dose: {question.subject.dose}; {question.subject.source}")
    if question.note:
        lines.append(question.note)
    asked = stopping.most_deals
    rounded = f" ({asked:,} rounded up to whole blocks)" if asked != played.games else ""
    lines.append(
        f"Until the answer is clear, or at most {played.games:,} deals per table{rounded}; margin "
        f"{stopping.margin:g}, alpha {stopping.alpha:g}"
    )
    announce(screen, lines, played)


def show_plan(screen: Screen, plans: Sequence[Forecast]) -> None:
    """Print how much must be played at each table."""
    screen.heading(*map(plan_sentence, plans))


def plan_sentence(plan: Forecast) -> str:
    """Say how much must be played to show an effect."""
    unit, where = plan.table.question.unit, plan.table.words.capitalize()
    if not watched_wins(plan.pilot.counts).spread:
        return f"{where}: no pilot deal changed any win, so there is nothing to go by."
    if not math.isfinite(plan.deals):
        return (
            f"{where}: an effect of {abs(plan.effect):g} wins per 100 {unit} cannot be planned for: it takes more than "
            f"{MOST_UNITS:,} deals."
        )
    return (
        f"{where}: {plan.deals:,.0f} deals ({plan.deals * plan.table.players:,.0f} games) show "
        f"an effect of {abs(plan.effect):g} wins per 100 {unit} in {PLANNED_POWER:.0%} of runs; about "
        f"{plan.seconds:,.0f} s here."
    )


def show_answer(screen: Screen, answer: TacticAnswer | CurveAnswer) -> None:
    """Print the answer, the table, and what it rests on."""
    screen.heading(*headlines(answer))
    screen.show(effects_table(answer))
    if isinstance(answer, TacticAnswer):
        _show_reasons(screen, answer)
        if answer.circumstances:
            screen.heading(where_it_holds(answer))
            screen.show(circumstances_table(answer.circumstances))
            screen.remark(CIRCUMSTANCE_NOTE)
    screen.remark(*remarks(answer))


def _show_reasons(screen: Screen, answer: TacticAnswer) -> None:
    """Print why, and which deals to see; of several tables, a row each."""
    wording = answer.question.wording
    if len(answer.tables) > 1:
        if in_rows := wording.reason_rows({place_words(table.table): table.worth for table in answer.tables}):
            table, note = in_rows
            screen.show(table)
            screen.remark(note)
    elif reason := wording.reason(answer.tables[0].worth):
        screen.heading("Why")
        screen.remark(*reason.sentences)
        for table in reason.tables[-1:]:
            screen.show(table)
        screen.heading("Deals to see")
        screen.remark(*(f"{words}: {command}" for words, command in reason.deals))
        screen.heading("What it rests on")


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


def answer_files(answer: TacticAnswer | CurveAnswer, *, parquet: bool = False) -> dict[str, bytes]:
    """Return `answer.csv`, one row per number that was measured; further tables; figures; and `report.html`."""
    from reports.ask.page import answer_page  # with figures, which take half a second to import

    further = {"doses": doses_frame(answer), "elsewhere": circumstances_frame(answer)}
    tables = {"answer": answer_frame(answer), **{name: frame for name, frame in further.items() if len(frame)}}
    return page_files(answer_page(answer), tables, parquet=parquet)


def answer_frame(answer: TacticAnswer | CurveAnswer) -> pd.DataFrame:
    """Return one row per number that was measured.

    Returns
    -------
    pandas.DataFrame
        Columns of the table (players and, where there are any, opponents), measured, base, changed, verdict,
        wins_per_100 (with _low and _high), what else the game tells, deals, games, changed_games, level.
    """
    if isinstance(answer, CurveAnswer):
        name = answer.question.name.partition("=")[0]
        return pd.DataFrame(
            _record(value.table, f"{name}={value.value:g}", value.measured)
            for value in answer.values
            if value.measured is not None
        )
    return pd.DataFrame(
        _record(table.table, words, measured)
        for table in answer.tables
        for words, measured in {"worth": table.worth, **table.further}.items()
    )


def _record(table: QuestionTable, words: str, measured: Measured) -> dict[str, object]:
    base, changed = measured.arms
    return {
        **table.as_data(),
        "measured": words,
        "base": base,
        "changed": changed,
        "verdict": measured.answer,
        **bounds_columns("wins_per_100", measured.wins),
        **table.question.wording.record(measured),
        "deals": measured.deals,
        "games": measured.games,
        "changed_games": measured.changed_games,
        "level": measured.wins.level,
    }


def doses_frame(answer: TacticAnswer | CurveAnswer) -> pd.DataFrame:
    """Return one row per dose tried: players, opponents, dose, wins_per_100 with _low and _high, deals, as_good."""
    tables = answer.tables if isinstance(answer, TacticAnswer) else ()
    return pd.DataFrame(
        {
            **table.table.as_data(),
            "dose": tried.dose,
            **bounds_columns("wins_per_100", tried.wins),
            "deals": tried.deals,
            "as_good": "yes" if tried.dose in table.as_good else "no",
        }
        for table in tables
        for tried in table.tried
    )


def circumstances_frame(answer: TacticAnswer | CurveAnswer) -> pd.DataFrame:
    """Return one row per circumstance: kind, name, wins_per_100 with _low and _high, e_value, effect."""
    places = answer.circumstances if isinstance(answer, TacticAnswer) else ()
    return pd.DataFrame(
        {
            "kind": place.kind,
            "name": place.name,
            **bounds_columns("wins_per_100", place.wins),
            "e_value": place.evidence,
            "effect": place.effect,
        }
        for place in places
    )
