"""The balance of That Escalated Quickly in words, as files and as a page."""

from __future__ import annotations

import math
from typing import Any, Final

import pandas as pd

from reports.basis import announce_basis
from reports.effects import players_text
from reports.files import tables_as_files
from reports.frames import records
from reports.html import Light, Page, PageFigure, PageTable, Section, as_html, provenance_notes
from reports.plots import as_svg
from reports.quickly.balance import JUMP, GroupBalance, GroupBalancePlan
from reports.quickly.measures import COMEBACKS, GAME_WINS, GOOD_ROUNDS, NEAR_MISSES, ROUNDS
from reports.quickly.plots import plot_grid
from reports.terminal import Screen

COLUMNS: Final = (
    "players",
    "allowed",
    "games won",
    "good rounds",
    "rounds",
    "near misses",
    "comebacks",
    "even sigma",
    "smoothest",
)
MOST_CONFUSED: Final = 3
DECISIVE: Final = 20.0
"""A planned mistake that gains so many games per 100 decides the game."""


def table_rows(balance: GroupBalance) -> list[tuple[str, ...]]:
    """Return one row per number of players, in the order of `COLUMNS`."""
    rows: list[tuple[str, ...]] = []
    for row in records(balance.tables):
        numbers = [row.get(measure.name, math.nan) for measure in (GAME_WINS, GOOD_ROUNDS)]
        few = [row.get(measure.name, math.nan) for measure in (NEAR_MISSES, COMEBACKS)]
        rows.append(
            (
                str(row["players"]),
                str(row["mistakes_allowed"]),
                *(_text(number, 1) for number in numbers),
                _text(row[ROUNDS.name], 2),
                *(_text(number, 1) for number in few),
                _text(row["sigma_for_even_chance"], 2),
                str(row["smoothest_allowance"]),
            )
        )
    return rows


def _text(number: float, decimals: int) -> str:
    return "-" if math.isnan(number) else f"{number:.{decimals}f}"


def difficulty_finding(balance: GroupBalance) -> str:
    """Say where the number of players makes the game easier or harder at a jump."""
    easier = [(a, b, step) for a, b, step in balance.jumps if step > 0]
    if not balance.jumps:
        return f"No step from one number of players to the next changes games won per 100 by {JUMP:g} or more."
    if not easier:
        a, b, step = min(balance.jumps, key=lambda jump: jump[2])
        return f"More players make it harder throughout, most of all from {a} to {b}: {step:+.0f} games won per 100."
    told = [f"{b} players are easier than {a} ({step:+.0f} games won per 100)" for a, b, step in easier]
    return f"{', and '.join(told)}: the allowance jumps."


def even_finding(balance: GroupBalance) -> str:
    """Say how good a group must be for an even chance."""
    known = balance.tables.dropna(subset=["sigma_for_even_chance"])
    if not len(known):
        return "At no number of players is an even chance within the skills looked at."
    ordered = known.sort_values("sigma_for_even_chance")
    hardest, easiest = ordered.iloc[0], ordered.iloc[-1]
    return (
        f"For an even chance a group of {int(hardest['players'])} must be the best (sigma "
        f"{hardest['sigma_for_even_chance']:.2f}), a group of {int(easiest['players'])} may be the worst (sigma "
        f"{easiest['sigma_for_even_chance']:.2f})."
    )


def allowance_finding(balance: GroupBalance) -> str:
    """Say what an allowed mistake is worth and which allowances would smooth the difficulty."""
    tables = balance.tables
    other = tables[tables["smoothest_allowance"] != tables["mistakes_allowed"]]
    worth = balance.allowances.pivot_table(index="players", columns="mistakes", values=GAME_WINS.name)
    gains = f"The first allowed mistake is worth {(worth[1] - worth[0]).min():.0f} to {(worth[1] - worth[0]).max():.0f}"
    change = [f"{row['smoothest_allowance']} with {row['players']} players" for row in records(other)]
    smooth = (
        f"; nearest to the average difficulty would be {', '.join(change)}."
        if change
        else "; the printed allowances come nearest to the average difficulty."
    )
    return f"{gains} games won per 100{smooth}"


def planned_finding(balance: GroupBalance) -> str:
    """Say what a planned mistake would do to the game."""
    if not len(balance.planned):
        return "No mistake is allowed at these tables, so none can be planned."
    gains = balance.planned["with"] - balance.planned["without"]
    most = balance.planned.iloc[int(gains.to_numpy().argmax())]
    return (
        f"If a mistake may be planned, groups win {gains.min():.0f} to {gains.max():.0f} more games per 100, most with "
        f"{int(most['players'])} players: {most['without']:.0f} become {most['with']:.0f}."
    )


def course_finding(balance: GroupBalance) -> str:
    """Say how lively the course of a game is."""
    tables = balance.tables
    rounds, near = tables[ROUNDS.name], tables[NEAR_MISSES.name]
    text = (
        f"Games take {rounds.min():.1f} to {rounds.max():.1f} rounds; {near.min():.0f} to {near.max():.0f} per 100 are "
        "lost one good round short"
    )
    if COMEBACKS.name not in tables:
        return f"{text}."
    back = tables[COMEBACKS.name].dropna()
    return f"{text}, and from one bad round before the end {back.min():.0f} to {back.max():.0f} per 100 are still won."


def confusion_finding(balance: GroupBalance) -> str:
    """Say which numbers get confused, and where rounds die."""
    total = _confused(balance)
    most = total.sort_values("mistakes_per_100_rounds", ascending=False, kind="stable").head(MOST_CONFUSED)
    pairs = [f"{row['lower']:g} and {row['higher']:g}" for row in records(most)]
    last = balance.flips.sort_values("bad_rounds_per_100").groupby("players").tail(1).sort_values("players")
    dies = [f"{row['flip']} with {row['players']}" for row in records(last)]
    return f"Most confused are {', '.join(pairs)}. Most bad rounds end with flip {', '.join(dies)} players."


def _confused(balance: GroupBalance) -> pd.DataFrame:
    """Return the mistakes by pair of values, averaged over numbers of players."""
    return balance.confusions.groupby(["higher", "lower"])[["mistakes_per_100_rounds"]].mean().reset_index()


def findings(balance: GroupBalance) -> list[tuple[str, str, Light]]:
    """Return every finding with its title and its light."""
    easier = any(step > 0 for _, _, step in balance.jumps)
    gains = balance.planned["with"] - balance.planned["without"] if len(balance.planned) else pd.Series([0.0])
    planned: Light = "bad" if gains.max() >= DECISIVE else "middle" if gains.max() >= JUMP else "good"
    return [
        (
            "Difficulty by players",
            difficulty_finding(balance),
            "bad" if easier else "middle" if balance.jumps else "good",
        ),
        ("An even chance", even_finding(balance), "middle"),
        ("The allowance", allowance_finding(balance), "bad" if easier else "good"),
        ("A planned mistake", planned_finding(balance), planned),
        ("The course of a game", course_finding(balance), "good"),
        ("What goes wrong", confusion_finding(balance), "good"),
    ]


def announce_group_balance(screen: Screen, plan: GroupBalancePlan, games: int) -> None:
    """Say what is about to be played."""
    played = plan.provenance(games)
    counts = players_text([rules.players for rules in plan.rules])
    screen.note(
        f"Playing {played.settings} settings of {played.games:,} games with {counts}, everybody {plan.person.label}"
    )
    announce_basis(screen, played)


def show_group_balance(screen: Screen, balance: GroupBalance) -> None:
    """Print the findings and the table."""
    for _, finding, _ in findings(balance):
        screen.heading(finding)
    screen.table(COLUMNS, table_rows(balance))
    sigma = balance.plan.person["sigma"]
    screen.remark(
        f"At sigma {sigma:g}, per 100. Even sigma: the skill at which every second game is won. Smoothest: the "
        "allowance whose games won come nearest to the average of the table."
    )


def group_balance_files(balance: GroupBalance, *, parquet: bool = False) -> dict[str, bytes]:
    """Return the tables and the page."""
    names = ("grid", "tables", "allowances", "planned", "flips", "confusions")
    tables = tables_as_files({name: getattr(balance, name) for name in names}, parquet=parquet)
    return {**tables, "report.html": as_html(balance_page(balance))}


def balance_page(balance: GroupBalance) -> Page:
    """Return the balance as a page."""
    told = findings(balance)
    figures = _figures(balance)
    tables = {"Difficulty by players": (PageTable(COLUMNS, tuple(table_rows(balance)), 1, "tables.csv"),)}
    sections = tuple(
        Section(title, finding, light, figures=figures.get(title, ()), tables=tables.get(title, ()))
        for title, finding, light in told
    )
    sigma = balance.plan.person["sigma"]
    summary = (f"Everybody {balance.plan.person.label}; closer looks at sigma {sigma:g}.",)
    notes = (
        f"A step of {JUMP:g} games won per 100 between neighbouring numbers of players counts as a jump; one that "
        f"makes the game easier for more players is red. A planned mistake is red from {DECISIVE:g} games per 100, "
        f"yellow from {JUMP:g}.",
        *provenance_notes(balance.provenance.as_data()),
    )
    return Page("That Escalated Quickly: is it fair and lively?", told[0][1], summary, sections, notes)


def _figures(balance: GroupBalance) -> dict[str, tuple[PageFigure, ...]]:
    note = f"{balance.provenance.games:,} games per cell, seed {balance.provenance.seed}."
    won = GAME_WINS.name
    grid = plot_grid(balance.grid, "sigma", "players", won, "Games won per 100, by skill and players", note)
    allowed = plot_grid(balance.allowances, "mistakes", "players", won, "Games won per 100, by allowance", note)
    pairs = _confused(balance)
    pairs["per 1,000"] = 10 * pairs["mistakes_per_100_rounds"]
    confused = plot_grid(pairs, "higher", "lower", "per 1,000", "Mistakes per 1,000 rounds, by the two values", note)

    def figure(name: str, drawn: Any, alternative: str, csv: str) -> PageFigure:
        return PageFigure(name, as_svg(drawn), alternative, csv=csv)

    return {
        "Difficulty by players": (figure("grid", grid, "Games won by skill and number of players", "grid.csv"),),
        "The allowance": (figure("allowances", allowed, "Games won by allowance and players", "allowances.csv"),),
        "What goes wrong": (figure("confusions", confused, "Which values get confused", "confusions.csv"),),
    }
