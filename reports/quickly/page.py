"""The balance of That Escalated Quickly in words, as files and as a page."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import TYPE_CHECKING, Final, TypeAlias

import pandas as pd

from reports.estimates.measures import rows_of
from reports.output.html import Light, Page, PageFigure, PageTable, Section, as_html, provenance_notes
from reports.output.table_files import tables_as_files
from reports.output.terminal import Screen, announce_basis
from reports.output.words import players_text
from reports.quickly.balance import JUMP, GroupBalance, GroupBalancePlan
from reports.quickly.summary import COMEBACKS, GAME_WINS, GOOD_ROUNDS, NEAR_MISSES, ROUNDS

if TYPE_CHECKING:
    from matplotlib.figure import Figure

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
PLANNED_COLUMNS: Final = ("players", "games won, none planned", "games won, one planned")
MOST_CONFUSED: Final = 3
DECISIVE: Final = 20.0
"""A planned mistake that gains so many games per 100 decides the game."""


Drawn: TypeAlias = "Mapping[str, tuple[Figure, str]]"
"""Figures by name, each with what it shows in words."""


def table_rows(balance: GroupBalance) -> list[tuple[str, ...]]:
    """Return one row per number of players, in the order of `COLUMNS`."""
    rows: list[tuple[str, ...]] = []
    for row in rows_of(balance.tables):
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
    ordered = rows_of(balance.tables.dropna(subset=["sigma_for_even_chance"]).sort_values("sigma_for_even_chance"))
    needed = [(row["players"], f"sigma {row['sigma_for_even_chance']:.2f}") for row in ordered]
    worst = balance.grid["sigma"].max()
    beyond = balance.grid.query("sigma == @worst and players in @balance.always_ahead")
    told = ", ".join(f"{row['players']} players ({row[GAME_WINS.name]:.0f} per 100)" for row in rows_of(beyond))
    easy = f"Even at sigma {worst:g} more than half of the games are won by {told}" if told else ""
    if not needed:
        return f"{easy}." if easy else "At no number of players is an even chance within the skills looked at."
    (players, sigma), (others, larger) = needed[0], needed[-1]
    text = f"For an even chance a group of {players} must be as good as {sigma}"
    if len(needed) > 1:
        text = f"For an even chance a group of {players} must be the best ({sigma}), one of {others} may be at {larger}"
    return f"{text}. {easy}." if easy else f"{text}."


def allowance_finding(balance: GroupBalance) -> str:
    """Say what an allowed mistake is worth and which allowances would smooth the difficulty."""
    worth = balance.allowances.pivot_table(index="players", columns="mistakes", values=GAME_WINS.name)
    first = worth[1] - worth[0]
    least, most = f"{first.min():.0f}", f"{first.max():.0f}"
    gains = f"The first allowed mistake is worth {least if least == most else f'{least} to {most}'} games won per 100"
    average = balance.tables[GAME_WINS.name].mean()
    changes = [
        f"{row['smoothest_allowance']} with {row['players']} players "
        f"({worth[row['smoothest_allowance']][row['players']]:.0f} games won, not {row[GAME_WINS.name]:.0f})"
        for row in rows_of(balance.tables)
        if row["smoothest_allowance"] != row["mistakes_allowed"]
    ]
    if not changes:
        return f"{gains}; the printed allowances come nearest to the average difficulty."
    return f"{gains}; nearer to the average of {average:.0f} games won would be {', '.join(changes)}."


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
    """Say which numbers get confused."""
    total = _confused(balance)
    most = total.sort_values("mistakes_per_100_rounds", ascending=False, kind="stable").head(MOST_CONFUSED)
    pairs = [f"{row['lower']:g} and {row['higher']:g}" for row in rows_of(most)]
    return f"Most confused are {', '.join(pairs)}."


def flip_finding(balance: GroupBalance) -> str:
    """Say at which flip most rounds die."""
    last = balance.flips.sort_values("bad_rounds_per_100", kind="stable").groupby("players").tail(1)
    flips = sorted(set(last["flip"]))
    told = [f"flip {flip} with {players_text(list(last[last['flip'] == flip]['players']))}" for flip in flips]
    return f"Most bad rounds end at {', '.join(told)}."


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
        ("Where rounds die", flip_finding(balance), "good"),
        ("What gets confused", confusion_finding(balance), "good"),
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
    screen.remark(table_note(balance))


def table_note(balance: GroupBalance) -> str:
    """Say what the numbers of the table are."""
    return (
        f"At sigma {balance.plan.person['sigma']:g}, per 100; rounds per game. Even sigma: the skill at which every "
        "second game is won. Smoothest: the allowance whose games won come nearest to the average of the table."
    )


def group_balance_files(balance: GroupBalance, *, parquet: bool = False) -> dict[str, bytes]:
    """Return the tables, the figures and the page."""
    from reports.output.figures import as_png, as_svg

    names = ("grid", "tables", "allowances", "planned", "flips", "confusions")
    tables = tables_as_files({name: getattr(balance, name) for name in names}, parquet=parquet)
    drawn = draw_balance(balance)
    figures = {f"{name}.svg": as_svg(figure) for name, (figure, _) in drawn.items()}
    figures |= {f"{name}.png": as_png(figure) for name, (figure, _) in drawn.items()}
    return {**tables, **figures, "report.html": as_html(balance_page(balance, drawn))}


def balance_page(balance: GroupBalance, drawn: Drawn) -> Page:
    """Return the balance as a page, with its figures."""
    from reports.output.figures import as_svg

    told = findings(balance)
    figures = {"Difficulty by players": "grid", "The allowance": "allowances"}
    figures |= {"Where rounds die": "flips", "What gets confused": "confusions"}
    tables = {"Difficulty by players": PageTable(COLUMNS, tuple(table_rows(balance)), 1, "tables.csv")}
    if len(balance.planned):
        tables["A planned mistake"] = PageTable(PLANNED_COLUMNS, tuple(planned_rows(balance)), 1, "planned.csv")
    sections = []
    for title, finding, light in told:
        name = figures.get(title)
        shown = (PageFigure(name, as_svg(drawn[name][0]), drawn[name][1], csv=f"{name}.csv"),) if name else ()
        texts = (table_note(balance),) if title == "Difficulty by players" else ()
        table = (tables[title],) if title in tables else ()
        sections.append(Section(title, finding, light, texts, shown, table))
    sigma = balance.plan.person["sigma"]
    summary = (f"Everybody {balance.plan.person.label}; closer looks at sigma {sigma:g}.",)
    notes = (
        f"A step of {JUMP:g} games won per 100 between neighbouring numbers of players counts as a jump; one that "
        f"makes the game easier for more players is red. A planned mistake is red from {DECISIVE:g} games per 100, "
        f"yellow from {JUMP:g}.",
        *provenance_notes(balance.provenance.as_data()),
    )
    return Page("That Escalated Quickly: is it fair and lively?", told[0][1], summary, tuple(sections), notes)


def planned_rows(balance: GroupBalance) -> list[tuple[str, ...]]:
    """Return one row per number of players that allows a mistake, in the order of `PLANNED_COLUMNS`."""
    return [
        (str(row["players"]), *(f"{number:.1f}" for number in (row["without"], row["with"])))
        for row in rows_of(balance.planned)
    ]


def draw_balance(balance: GroupBalance) -> Drawn:
    """Return the figures by name, each with what it shows in words."""
    from reports.quickly.figures import plot_grid

    basis = f"{balance.provenance.games:,} games per number of players and setting, seed {balance.provenance.seed}."
    sigma = f"At sigma {balance.plan.person['sigma']:g}."
    won, here = f"Games won per 100. {basis}", f"Games won per 100. {sigma} {basis}"
    players = ("players", "players at the table")
    skill = ("sigma", "sigma: noise of an answer (card values)")
    pairs = _confused(balance)
    pairs["per 1,000"] = 10 * pairs["mistakes_per_100_rounds"]
    higher, lower = ("higher", "card that lay (value)"), ("lower", "lower card flipped onto it (value)")
    allowed, flip = ("mistakes", "mistakes allowed in a round"), ("flip", "flip that ended the round")
    died = f"Bad rounds per 100, by the flip that ended them. {sigma} {basis}"
    confused = f"Mistakes per 1,000 rounds, on average over the numbers of players. {sigma} {basis}"
    return {
        "grid": (
            plot_grid(balance.grid, players, skill, GAME_WINS.name, difficulty_finding(balance), won),
            "Games won by skill and number of players",
        ),
        "allowances": (
            plot_grid(balance.allowances, allowed, players, GAME_WINS.name, allowance_finding(balance), here),
            "Games won by allowance and number of players",
        ),
        "flips": (
            plot_grid(balance.flips, flip, players, "bad_rounds_per_100", flip_finding(balance), died),
            "Bad rounds by the flip that ended them and number of players",
        ),
        "confusions": (
            plot_grid(pairs, higher, lower, "per 1,000", confusion_finding(balance), confused),
            "Mistakes by the two values",
        ),
    }
