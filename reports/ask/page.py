"""An answer about a tactic as a page, with its figures."""

from __future__ import annotations

from typing import Final

from reports.ask.answer import CurveAnswer, TableAnswer, TacticAnswer
from reports.ask.answer_words import (
    CIRCUMSTANCE_NOTE,
    circumstances_table,
    effects_table,
    headlines,
    own_dose,
    remarks,
    where_it_holds,
)
from reports.ask.figures import plot_curve, plot_doses, plot_effects
from reports.output.figures import as_svg
from reports.output.html import Page, PageFigure, Section, provenance_notes
from reports.output.words import percent
from strategies.catalogue import Tactic

SHADED: Final = "Shaded: effects within the margin, which do not matter."


def answer_page(answer: TacticAnswer | CurveAnswer) -> Page:
    """Return an answer as a page."""
    title = f"{answer.question.wording.game} Is it good? {answer.question.name}"
    first, *more = headlines(answer)
    sections = _curve_sections(answer) if isinstance(answer, CurveAnswer) else _tactic_sections(answer)
    summary = (*more, *remarks(answer, own_doses=False))
    return Page(title, first, summary, tuple(sections), provenance_notes(answer.provenance))


def _curve_sections(answer: CurveAnswer) -> list[Section]:
    note = f"Effect against value; the bands hold all together. Dotted: the base's own value. {SHADED}"
    figure = PageFigure("curve", as_svg(plot_curve(answer)), " ".join(headlines(answer)), note, "answer.csv")
    return [Section("Effect against value", figures=(figure,), tables=(effects_table(answer),))]


def _tactic_sections(answer: TacticAnswer) -> list[Section]:
    note = f"Every number measured. {SHADED}"
    figure = PageFigure("effects", as_svg(plot_effects(answer)), headlines(answer)[0], note, "answer.csv")
    sections = [Section("What was measured", figures=(figure,), tables=(effects_table(answer),))]
    if isinstance(answer.question.subject, Tactic):
        finding, *texts = [text for table in answer.tables if (text := own_dose(table))] or [""]
        figure = _doses_figure(answer, answer.question.subject)
        sections.append(Section("How much of it", finding, texts=tuple(texts), figures=(figure,)))
    sections += [section for table in answer.tables for section in _reason(table)]
    if answer.circumstances:
        places = circumstances_table(answer.circumstances, every=True)
        sections.append(Section("Where it holds", where_it_holds(answer), texts=(CIRCUMSTANCE_NOTE,), tables=(places,)))
    return sections


def _doses_figure(answer: TacticAnswer, subject: Tactic) -> PageFigure:
    level = percent(1 - answer.question.stopping.alpha)
    note = (
        "What each dose seemed to be worth on the deals that the best one was chosen on. Bands: for the doses of all "
        f"tables together, {level}. Dotted: the base's own dose. {SHADED}"
    )
    first = answer.tables[0]
    tried = ", ".join(f"{dose.dose:g}: {dose.wins.estimate:+.1f}" for dose in first.tried)
    alternative = f"Wins per 100 by dose {first.table.words}: {tried}"
    return PageFigure("doses", as_svg(plot_doses(answer.tables, subject)), alternative, note, "doses.csv")


def _reason(answer: TableAnswer) -> list[Section]:
    """Return the section on the reason at one table, if there is a reason to be given."""
    reason = answer.table.question.wording.reason(answer.worth)
    if reason is None:
        return []
    finding, *texts = reason.sentences
    commands = tuple(f"# {words}\n{command}" for words, command in reason.deals)
    title = f"Why, {answer.table.words}"
    return [Section(title, finding, texts=tuple(texts), tables=reason.tables, commands=commands)]
