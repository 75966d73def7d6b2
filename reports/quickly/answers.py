"""Answers about tactics of a group, in words, as files and as a page."""

from __future__ import annotations

from typing import Final

import pandas as pd

from reports.basis import announce_basis
from reports.folder import as_csv
from reports.frames import interval_columns
from reports.html import Light, Page, PageFigure, PageTable, Section, as_html, provenance_notes
from reports.interval_text import bounds, signed, size_and_span
from reports.plots import as_png, as_svg
from reports.quickly.ask import GroupAnswer, GroupQuestion, GroupTableAnswer
from reports.quickly.measures import GAME_WINS, GOOD_ROUNDS, ROUNDS
from reports.quickly.plots import plot_tables
from reports.terminal import Screen
from reports.verdict import PER_HUNDRED, Answer

COLUMNS: Final = ("players", "measured", "wins per 100", "interval", "verdict", "games changed", "deals")
TEXTS: Final = 2
LIGHT_OF: Final[dict[Answer, Light]] = {
    "good": "good",
    "bad": "bad",
    "no practical difference": "middle",
    "undecided": "middle",
}


def group_headline(answer: GroupAnswer) -> str:
    """Return the answer in one line."""
    counts = [table.players for table in answer.tables]
    where = f"with {counts[0]} players" if len(counts) == 1 else f"on average over {len(counts)} tables"
    interval = answer.overall
    size, span = size_and_span(interval)
    what = f"{answer.question.subject}, {where}, everybody {answer.question.person.label},"
    if answer.answer == "good":
        return f"Yes. {what} wins {size} more games per 100 {span}."
    if answer.answer == "bad":
        return f"No. {what} loses {size} games per 100 {span}."
    if answer.answer == "undecided":
        return f"Undecided. {what} changes games won per 100 by {bounds(interval)}."
    return f"It hardly matters. {what} changes games won per 100 by {bounds(interval)}: no practical difference."


def measured_words(answer: GroupAnswer, table: GroupTableAnswer) -> str:
    """Say what was measured at a table."""
    tactic = answer.question.tactic
    return answer.question.subject if tactic is None else f"{tactic.dose}={table.dose:g} against none"


def group_rows(answer: GroupAnswer) -> list[tuple[str, ...]]:
    """Return the table, in the order of `COLUMNS`."""
    rows: list[tuple[str, ...]] = []
    for table in answer.tables:
        measured = table.measured
        rows.append(
            (
                str(table.players),
                measured_words(answer, table),
                signed(measured.wins.estimate, measured.wins),
                bounds(measured.wins),
                measured.answer,
                f"{measured.changed_games / measured.deals:.2%}",
                f"{measured.deals:,}",
            )
        )
    return rows


def reasons(table: GroupTableAnswer) -> list[str]:
    """Say why, in what changed within the game, and name deals to look at."""
    before, after = table.before, table.after
    good, length = ((before[measure].estimate, after[measure].estimate) for measure in (GOOD_ROUNDS, ROUNDS))
    (others, own), (others_then, own_then) = table.mistakes
    lines = [
        f"With {table.players} players: good rounds per 100 go from {good[0]:.1f} to {good[1]:.1f}, games won from "
        f"{before[GAME_WINS].estimate:.1f} to {after[GAME_WINS].estimate:.1f}, rounds per game from {length[0]:.2f} to "
        f"{length[1]:.2f}.",
        f"Mistakes per 100 rounds between two cards of others go from {others:.1f} to {others_then:.1f}, with a card "
        f"of the organiser's own from {own:.1f} to {own_then:.1f}.",
    ]
    if table.comparison.changed.persons[0]["burn"] > table.comparison.base.persons[0]["burn"]:
        lines.append(
            "A mistake wipes the row: planned, it splits the cards into two rows with wider gaps, and wide gaps "
            "forgive noise."
        )
    return lines


def deals_to_see(answer: GroupAnswer, table: GroupTableAnswer) -> list[str]:
    """Return commands that show deals which the change turned."""
    person, rules = table.comparison.changed.persons[0], table.comparison.changed.rules
    ruling = " --rule planned_mistake=true" if rules.planned_mistake else ""
    return [
        f"escalation quickly trace --players {table.players} --seat {person.label} --seed {answer.question.seed} "
        f"--deal {deal}{ruling}"
        for deal in table.deals
    ]


def guarantee(answer: GroupAnswer) -> str:
    """Say what the intervals promise."""
    stopping = answer.question.stopping
    together = ", for all tables together (alpha split evenly)" if len(answer.tables) > 1 else ""
    return (
        f"{(1 - stopping.alpha) * 100:.4g}% certain even if you watch it (anytime-valid){together}; margin "
        f"{stopping.margin * 100:g} wins per 100. The same cards and the same noise with and without the change."
    )


def ruling_note(question: GroupQuestion) -> str:
    """Say that a ruling was switched on for the question's sake; empty if none was."""
    if not question.needs_ruling:
        return ""
    return "Asked under planned_mistake=true; the default ruling forbids it, and then it does not arise."


def announce_group_question(screen: Screen, question: GroupQuestion) -> None:
    """Say what is about to be played."""
    stopping, played = question.stopping, question.provenance
    screen.note(f"Asking about {question.subject}, everybody {question.person.label}")
    if question.tactic is not None:
        screen.note(f"{question.tactic.description} {question.tactic.source}")
    if note := ruling_note(question):
        screen.note(note)
    screen.note(
        f"Until the answer is clear, or at most {played.games:,} deals per table; margin {stopping.margin:g}, "
        f"alpha {stopping.alpha:g}"
    )
    announce_basis(screen, played)


def show_group_answer(screen: Screen, answer: GroupAnswer) -> None:
    """Print the answer, the table, the reasons and deals to look at."""
    screen.heading(group_headline(answer))
    screen.table(COLUMNS, group_rows(answer), texts=TEXTS)
    for table in answer.tables:
        for line in reasons(table):
            screen.remark(line)
    for line in deals_to_see(answer, answer.tables[0]):
        screen.remark(line)
    for line in filter(None, (ruling_note(answer.question), guarantee(answer))):
        screen.remark(line)


def group_answer_frame(answer: GroupAnswer) -> pd.DataFrame:
    """Return one row per table."""
    return pd.DataFrame(
        {
            "players": table.players,
            "measured": measured_words(answer, table),
            "answer": table.measured.answer,
            **interval_columns(GAME_WINS, table.measured.wins),
            "deals": table.measured.deals,
            "changed_games": table.measured.changed_games,
            "good_rounds_before": table.before[GOOD_ROUNDS].estimate,
            "good_rounds_after": table.after[GOOD_ROUNDS].estimate,
        }
        for table in answer.tables
    )


def group_answer_files(answer: GroupAnswer) -> dict[str, bytes]:
    """Return `answer.csv`, the effects as a figure, and `report.html`."""
    drawn = plot_tables(
        [(f"{table.players} players", table.measured) for table in answer.tables],
        answer.question.stopping.margin * PER_HUNDRED,
    )
    figure = PageFigure("effects", as_svg(drawn), "The effect at each number of players, with its interval")
    sections = (
        Section(
            "How big",
            group_headline(answer),
            LIGHT_OF[answer.answer],
            figures=(figure,),
            tables=(PageTable(COLUMNS, tuple(group_rows(answer)), TEXTS, "answer.csv"),),
        ),
        *(
            Section(f"Why, with {table.players} players", reasons(table)[0], texts=tuple(reasons(table)[1:]))
            for table in answer.tables
        ),
        Section(
            "Deals to see",
            "Deals that only one of the two groups wins.",
            commands=tuple(command for table in answer.tables for command in deals_to_see(answer, table)),
        ),
    )
    notes = (
        *filter(None, (ruling_note(answer.question), guarantee(answer))),
        *provenance_notes(answer.provenance.as_data()),
    )
    page = Page(f"Is {answer.question.subject} good for the group?", group_headline(answer), (), sections, notes)
    return {
        "answer.csv": as_csv(group_answer_frame(answer)),
        "effects.svg": figure.svg,
        "effects.png": as_png(drawn),
        "report.html": as_html(page),
    }
