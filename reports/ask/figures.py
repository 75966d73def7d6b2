"""Figures of an answer about a tactic: effects with their intervals, and effect against dose."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import matplotlib as mpl
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from reports.ask.answer import CurveAnswer, TableAnswer, TacticAnswer
from reports.ask.output import measured_words
from reports.ask.question import QuestionTable
from reports.estimates.betting import PER_HUNDRED
from reports.output.figures import BESIDE, GREY, OKABE_ITO, STYLE, draw_line, new_figure
from strategies.catalogue import Tactic

WIDTH: Final = 7.2
VERDICT_COLOURS = {
    "good": OKABE_ITO[2],
    "bad": OKABE_ITO[1],
    "no practical difference": GREY,
    "undecided": OKABE_ITO[4],
}


def plot_effects(answer: TacticAnswer) -> Figure:
    """Plot every measured effect with its interval, beside the margin within which it does not matter."""
    rows = [
        (f"{table.table.words.removeprefix('with ')}: {words}", measured)
        for table in answer.tables
        for words, measured in {measured_words(table): table.worth, **table.further}.items()
    ]
    with mpl.rc_context(STYLE):  # type: ignore[arg-type]
        figure, panel = new_figure(WIDTH, 0.9 + 0.3 * len(rows))
        _draw_margin(panel, answer.question.stopping.margin, across=True)
        for place, (_, measured) in enumerate(rows):
            colour = VERDICT_COLOURS[measured.answer]
            panel.plot([measured.wins.low, measured.wins.high], [place, place], color=colour, linewidth=2.5)
            panel.plot([measured.wins.estimate], [place], color=colour, marker="o", markersize=6)
        panel.set_yticks(range(len(rows)), [words for words, _ in rows])
        panel.set_ylim(len(rows) - 0.5, -0.5)
        panel.set_xlabel(f"wins per 100 {answer.question.unit}")
        panel.grid(axis="x", color="#dddddd", linewidth=0.6)
        panel.set_axisbelow(True)
    return figure


def plot_doses(answers: Sequence[TableAnswer], asked: Tactic) -> Figure:
    """Plot what each dose seemed to be worth when the best one was chosen."""
    with mpl.rc_context(STYLE):  # type: ignore[arg-type]
        figure, panel = new_figure(WIDTH, 3.4)
        _draw_margin(panel, answers[0].table.question.stopping.margin, across=False)
        for line, answer in enumerate(answers):
            doses, wins = [one.dose for one in answer.tried], [one.wins for one in answer.tried]
            draw_line(panel, line, doses, wins, _label(answer.table))
        base = answers[0].table.question.base
        own = base[asked.dose]
        low, high = asked.dose_range
        if low <= own <= high:
            panel.axvline(own, color=GREY, linewidth=1, linestyle=(0, (1, 2)))
        panel.set_xlabel(f"{asked.dose} ({base.vocabulary.parameter(asked.dose).unit})")
        panel.set_ylabel("wins per 100\nagainst none of it")
        panel.legend(frameon=False, fontsize=8, **BESIDE)
    return figure


def plot_curve(answer: CurveAnswer) -> Figure:
    """Plot the effect of every value against the base, with bands that hold all together."""
    with mpl.rc_context(STYLE):  # type: ignore[arg-type]
        figure, panel = new_figure(WIDTH, 3.4)
        _draw_margin(panel, answer.question.stopping.margin, across=False)
        for line, table in enumerate(answer.question.tables):
            values = sorted(answer.at(table), key=lambda one: one.value)
            draw_line(panel, line, [one.value for one in values], [one.wins for one in values], _label(table))
        name = answer.question.name.partition("=")[0].strip()
        own = answer.question.base[name]
        if min(one.value for one in answer.values) <= own <= max(one.value for one in answer.values):
            panel.axvline(own, color=GREY, linewidth=1, linestyle=(0, (1, 2)))
        panel.set_xlabel(f"{name} ({answer.question.base.vocabulary.parameter(name).unit})")
        panel.set_ylabel(f"wins per 100 {answer.question.unit}\nagainst {answer.question.base.label}")
        panel.legend(frameon=False, fontsize=8, **BESIDE)
    return figure


def _label(table: QuestionTable) -> str:
    return table.words.removeprefix("with ")


def _draw_margin(panel: Axes, margin: float, *, across: bool) -> None:
    reach = margin * PER_HUNDRED
    (panel.axvspan if across else panel.axhspan)(-reach, reach, color="#000000", alpha=0.07, linewidth=0)
    (panel.axvline if across else panel.axhline)(0, color=GREY, linewidth=0.8)
