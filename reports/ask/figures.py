"""Figures of an answer about a tactic: effects with their intervals, and effect against dose or value."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from reports.ask.answer import CurveAnswer, TableAnswer, TacticAnswer
from reports.ask.answer_words import every_number, place_words
from reports.ask.question import TacticQuestion
from reports.estimates.betting import PER_HUNDRED
from reports.estimates.intervals import Interval
from reports.output.canvas import Axes, Figure
from reports.output.figures import BESIDE, GREY, OKABE_ITO, draw_grid, draw_line, one_panel
from strategies.catalogue import Tactic

WIDTH: Final = 7.2
VERDICT_COLOURS: Final = {
    "good": OKABE_ITO[2],
    "bad": OKABE_ITO[1],
    "no practical difference": GREY,
    "undecided": OKABE_ITO[4],
}


def plot_effects(answer: TacticAnswer) -> Figure:
    """Plot every measured effect with its interval, beside the margin within which it does not matter."""
    rows = [
        (f"{place_words(table.table)}: {words}", measured)
        for table in answer.tables
        for words, measured in every_number(table).items()
    ]
    with one_panel(WIDTH, 0.9 + 0.3 * len(rows)) as (figure, panel):
        _draw_margin(panel, answer.question.stopping.margin, across=True)
        for place, (_, measured) in enumerate(rows):
            colour = VERDICT_COLOURS[measured.answer]
            panel.plot([measured.wins.low, measured.wins.high], [place, place], color=colour, linewidth=2.5)
            panel.plot([measured.wins.estimate], [place], color=colour, marker="o", markersize=6)
        panel.set_yticks(range(len(rows)), [words for words, _ in rows])
        panel.set_ylim(len(rows) - 0.5, -0.5)
        panel.set_xlabel(f"wins per 100 {answer.question.unit}")
        draw_grid(panel, "x")
    return figure


def plot_doses(answers: Sequence[TableAnswer], asked: Tactic) -> Figure:
    """Plot what each dose seemed to be worth when the best one was chosen."""
    lines = {place_words(answer.table): [(dose.dose, dose.wins) for dose in answer.tried] for answer in answers}
    question = answers[0].table.question
    return _plot_lines(question, lines, asked.dose, asked.dose_range, "wins per 100\nagainst none of it")


def plot_curve(answer: CurveAnswer) -> Figure:
    """Plot the effect of every value against the base, with bands that hold all together."""
    question, values = answer.question, [value.value for value in answer.values]
    lines = {
        place_words(table): sorted(
            ((value.value, value.wins) for value in answer.at(table)), key=lambda point: point[0]
        )
        for table in question.tables
    }
    name = question.name.partition("=")[0].strip()
    against = f"wins per 100 {question.unit}\nagainst {question.base.label}"
    return _plot_lines(question, lines, name, (min(values), max(values)), against)


def _plot_lines(
    question: TacticQuestion,
    lines: Mapping[str, Sequence[tuple[float, Interval]]],
    name: str,
    span: tuple[float, float],
    against: str,
) -> Figure:
    """Plot effects against values of a parameter, a line per table; dotted is the base's own value, if in the span."""
    with one_panel(WIDTH, 3.4) as (figure, panel):
        _draw_margin(panel, question.stopping.margin, across=False)
        for line, (label, points) in enumerate(lines.items()):
            draw_line(panel, line, [value for value, _ in points], [wins for _, wins in points], label)
        own = question.base[name]
        if span[0] <= own <= span[1]:
            panel.axvline(own, color=GREY, linewidth=1, linestyle=(0, (1, 2)))
        panel.set_xlabel(f"{name} ({question.base.vocabulary.parameter(name).unit})")
        panel.set_ylabel(against)
        panel.legend(frameon=False, fontsize=8, **BESIDE)
    return figure


def _draw_margin(panel: Axes, margin: float, *, across: bool) -> None:
    reach = margin * PER_HUNDRED
    (panel.axvspan if across else panel.axhspan)(-reach, reach, color="#000000", alpha=0.07, linewidth=0)
    (panel.axvline if across else panel.axhline)(0, color=GREY, linewidth=0.8)
