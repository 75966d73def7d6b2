"""Answers about tactics as the files of an output folder."""

from __future__ import annotations

from typing import Any

import pandas as pd

from reports.ask.answer import CurveAnswer, TableAnswer, TacticAnswer
from reports.ask.figures import plot_curve, plot_doses, plot_effects
from reports.ask.output import (
    ELSEWHERE_COLUMNS,
    ELSEWHERE_NOTE,
    TEXTS,
    columns,
    curve_headline,
    curve_rows,
    elsewhere_rows,
    guarantee,
    headline,
    own_dose,
    remarks,
    rows,
    where_it_holds,
)
from reports.ask.question import QuestionTable
from reports.ask.verdict import Measured
from reports.estimates.measures import bounds_columns
from reports.output.figures import as_svg
from reports.output.html import Page, PageFigure, PageTable, Section, as_html, provenance_notes
from reports.output.table_files import tables_as_files
from strategies.catalogue import Tactic


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
        records = [
            _record(one.table, f"{name}={one.value:g}", one.measured)
            for one in answer.values
            if one.measured is not None
        ]
    else:
        records = [
            _record(table.table, words, measured)
            for table in answer.tables
            for words, measured in {"worth": table.worth, **table.further}.items()
        ]
    return pd.DataFrame(records)


def _record(table: QuestionTable, words: str, measured: Measured) -> dict[str, Any]:
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


def answer_files(answer: TacticAnswer | CurveAnswer, *, parquet: bool = False) -> dict[str, bytes]:
    """Return `answer.csv`, one row per number that was measured; the figures; and the page `report.html`."""
    figures = answer_figures(answer)
    page = answer_page(answer, figures)
    tables = {"answer": answer_frame(answer)}
    if "doses" in figures:
        tables["doses"] = doses_frame(answer)
    if not (elsewhere := elsewhere_frame(answer)).empty:
        tables["elsewhere"] = elsewhere
    return {
        **tables_as_files(tables, parquet=parquet),
        **{f"{figure.name}.svg": figure.svg for figure in figures.values()},
        "report.html": as_html(page),
    }


def doses_frame(answer: TacticAnswer | CurveAnswer) -> pd.DataFrame:
    """Return one row per dose that was tried: players, opponents, dose, wins_per_100 with _low and _high, deals."""
    tables = answer.tables if isinstance(answer, TacticAnswer) else ()
    return pd.DataFrame(
        {
            **table.table.as_data(),
            "dose": one.dose,
            **bounds_columns("wins_per_100", one.wins),
            "deals": one.deals,
        }
        for table in tables
        for one in table.tried
    )


def elsewhere_frame(answer: TacticAnswer | CurveAnswer) -> pd.DataFrame:
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


def answer_figures(answer: TacticAnswer | CurveAnswer) -> dict[str, PageFigure]:
    """Return the figures of an answer by name, each with what it shows in words."""
    shaded = "Shaded: effects within the margin, which do not matter."
    if isinstance(answer, CurveAnswer):
        finding = " ".join(curve_headline(answer, table) for table in answer.question.tables)
        note = f"Effect against value; the bands hold all together. Dotted: the base's own value. {shaded}"
        return {"curve": PageFigure("curve", as_svg(plot_curve(answer)), finding, note, "answer.csv")}
    figures = {
        "effects": PageFigure(
            "effects", as_svg(plot_effects(answer)), headline(answer), f"Every number measured. {shaded}", "answer.csv"
        )
    }
    subject = answer.question.subject
    if isinstance(subject, Tactic):
        note = (
            "What each dose seemed to be worth on the deals that the best one was chosen on (with bands for the doses "
            f"of a table together). Dotted: the base's own dose. {shaded}"
        )
        tried = ", ".join(f"{one.dose:g}: {one.wins.estimate:+.1f}" for one in answer.tables[0].tried)
        alternative = f"Wins per 100 by dose {answer.tables[0].table.words}: {tried}"
        figures["doses"] = PageFigure(
            "doses", as_svg(plot_doses(answer.tables, subject)), alternative, note, "doses.csv"
        )
    return figures


def answer_page(answer: TacticAnswer | CurveAnswer, figures: dict[str, PageFigure]) -> Page:
    """Return an answer as a page."""
    title = f"{answer.question.wording.game} Is it good? {answer.question.name}"
    if isinstance(answer, CurveAnswer):
        findings = [curve_headline(answer, table) for table in answer.question.tables]
        table = PageTable(columns(answer.question), tuple(curve_rows(answer)), TEXTS, "answer.csv")
        section = Section("Effect against value", figures=tuple(figures.values()), tables=(table,))
        return Page(title, findings[0], (*findings[1:], guarantee(answer)), (section,), _notes(answer))
    table = PageTable(columns(answer.question), tuple(rows(answer)), TEXTS, "answer.csv")
    sections = [Section("What was measured", figures=(figures["effects"],), tables=(table,))]
    if "doses" in figures:
        finding, *texts = [text for one in answer.tables if (text := own_dose(one))] or [""]
        sections.append(Section("How much of it", finding, texts=tuple(texts), figures=(figures["doses"],)))
    sections += [section for one in answer.tables for section in _why(one)]
    if answer.circumstances:
        table = PageTable(
            ELSEWHERE_COLUMNS, tuple(elsewhere_rows(answer.circumstances, every=True)), 2, "elsewhere.csv"
        )
        sections.append(Section("Where it holds", where_it_holds(answer), texts=(ELSEWHERE_NOTE,), tables=(table,)))
    summary = [line for line in remarks(answer) if line not in [own_dose(one) for one in answer.tables]]
    return Page(title, headline(answer), tuple(summary), tuple(sections), _notes(answer))


def _why(answer: TableAnswer) -> list[Section]:
    """Return the section on the reason at one table, if there is a reason to be given."""
    why = answer.table.question.wording.reason(answer.worth)
    if why is None:
        return []
    finding, *texts = why.sentences
    commands = tuple(f"# {words}\n{command}" for words, command in why.deals)
    title = f"Why, {answer.table.words}"
    return [Section(title, finding, texts=tuple(texts), tables=why.tables, commands=commands)]


def _notes(answer: TacticAnswer | CurveAnswer) -> tuple[str, ...]:
    return provenance_notes(answer.provenance.as_data())
