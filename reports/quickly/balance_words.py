"""The balance of That Escalated Quickly in words, for screen and page alike: findings with their lights, and tables."""

from __future__ import annotations

import math
from typing import Final

import pandas as pd

from reports.estimates.intervals import LEVEL, Interval, jointly, mean_of
from reports.estimates.joint import difference, distance, greatest, greatest_named, may_be_greatest
from reports.estimates.measures import Row, rows_of
from reports.output.html import Light, PageTable, Section
from reports.output.words import players_text, with_bounds
from reports.quickly.balance import JUMP, GroupBalance, won_of
from reports.quickly.summary import COMEBACKS, GAME_WINS, GOOD_ROUNDS, NEAR_MISSES, ROUNDS

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


def numbers_table(balance: GroupBalance) -> PageTable:
    """Return the table of numbers of players."""
    rows = []
    for row in rows_of(balance.tables):
        won, good, near, back = (
            _text(row.get(measure.name, math.nan), 1) for measure in (GAME_WINS, GOOD_ROUNDS, NEAR_MISSES, COMEBACKS)
        )
        rounds, even = _text(row[ROUNDS.name], 2), _text(row["sigma_for_even_chance"], 2)
        first, last = (str(row["players"]), str(row["mistakes_allowed"])), str(row["smoothest_allowance"])
        rows.append((*first, won, good, rounds, near, back, even, last))
    return PageTable(COLUMNS, tuple(rows), 1, "tables.csv")


def planned_table(balance: GroupBalance) -> PageTable:
    """Return the table of numbers of players that allow a mistake."""
    rows = tuple(
        (str(row["players"]), f"{row['without']:.1f}", f"{row['with']:.1f}") for row in rows_of(balance.planned)
    )
    return PageTable(PLANNED_COLUMNS, rows, 1, "planned.csv")


def _text(number: float, decimals: int) -> str:
    return "-" if math.isnan(number) else f"{number:.{decimals}f}"


def difficulty_finding(balance: GroupBalance) -> str:
    """Say where the number of players makes the game easier or harder at a jump."""
    easier = [(a, b, step) for a, b, step in balance.jumps if step.estimate > 0]
    if not balance.jumps:
        small = all(max(-step.low, step.high) < JUMP for _, _, step in balance.steps)
        changes = "changes" if small else "surely changes"
        return f"No step from one number of players to the next {changes} games won per 100 by {JUMP:g} or more."
    if not easier:
        names = [f"from {a} to {b}" for a, b, _ in balance.jumps]
        falls = [-step for _, _, step in balance.jumps]
        return (
            "More players make it harder at every step that is large, most of all "
            f"{greatest_named(names, falls)}: {with_bounds(-greatest(falls), 0)} games won per 100."
        )
    told = [f"{b} players are easier than {a} ({step.estimate:+.0f} games won per 100)" for a, b, step in easier]
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
        text += f", while one of {others} may be at {larger}"
    return f"{text}. {easy}." if easy else f"{text}."


def allowance_finding(balance: GroupBalance) -> str:
    """Say what an allowed mistake is worth and which allowances would surely smooth the difficulty."""
    worth = balance.allowances.pivot_table(index="players", columns="mistakes", values=GAME_WINS.name)
    first = worth[1] - worth[0]
    least, most = f"{first.min():.0f}", f"{first.max():.0f}"
    gains = f"The first allowed mistake is worth {least if least == most else f'{least} to {most}'} games won per 100"
    average = mean_of([won_of(row) for row in rows_of(balance.tables)], LEVEL)
    changes = [
        f"{row['smoothest_allowance']} with {row['players']} players "
        f"({worth[row['smoothest_allowance']][row['players']]:.0f} games won, not {row[GAME_WINS.name]:.0f})"
        for row in rows_of(balance.tables)
        if row["smoothest_allowance"] != row["mistakes_allowed"] and _surely_smoother(balance, row, average)
    ]
    if not changes:
        return f"{gains}; no other allowance surely comes nearer to the average difficulty than the printed ones."
    return f"{gains}; nearer to the average of {average.estimate:.0f} games won would be {', '.join(changes)}."


def _surely_smoother(balance: GroupBalance, table: Row, average: Interval) -> bool:
    """Whether the smoothest allowance of a table is surely nearer to the average than the printed one."""
    every, wide = balance.allowances, jointly(len(balance.allowances))
    own = {row["mistakes"]: won_of(row) for row in rows_of(every[every["players"] == table["players"]])}
    printed, smoothest = (
        distance(difference(average, own[table[name]]).widened(wide))
        for name in ("mistakes_allowed", "smoothest_allowance")
    )
    return smoothest.high < printed.low


def planned_finding(balance: GroupBalance) -> str:
    """Say what a planned mistake would do to the game."""
    if not len(balance.planned):
        return "No mistake is allowed at these tables, so none can be planned."
    gains = balance.planned_gains
    most = balance.planned.iloc[may_be_greatest(gains)[0]]
    named = greatest_named(list(balance.planned["players"]), gains)
    least, highest = min(gain.estimate for gain in gains), greatest(gains).estimate
    return (
        f"If a mistake may be planned, groups win {least:.0f} to {highest:.0f} more games per 100, most with "
        f"{named} players: {most['without']:.0f} become {most['with']:.0f}."
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
    most = confused(balance).sort_values("mistakes_per_100_rounds", ascending=False, kind="stable").head(MOST_CONFUSED)
    pairs = [f"{row['lower']:g} and {row['higher']:g}" for row in rows_of(most)]
    return f"In these games most confused were {', '.join(pairs)}."


def flip_finding(balance: GroupBalance) -> str:
    """Say at which flip most rounds die."""
    last = balance.flips.sort_values("bad_rounds_per_100", kind="stable").groupby("players").tail(1)
    flips = sorted(set(last["flip"]))
    told = [f"flip {flip} with {players_text(list(last[last['flip'] == flip]['players']))}" for flip in flips]
    return f"In these games most bad rounds ended at {', '.join(told)}."


def confused(balance: GroupBalance) -> pd.DataFrame:
    """Return the mistakes by pair of values, averaged over numbers of players."""
    return balance.confusions.groupby(["higher", "lower"])[["mistakes_per_100_rounds"]].mean().reset_index()


def findings(balance: GroupBalance) -> list[Section]:
    """Return every finding with its title, its light and its table; figures come with the page."""
    easier = any(step.estimate > 0 for _, _, step in balance.jumps)
    difficulty: Light = "bad" if easier else "middle" if balance.jumps else "good"
    gain = max((gain.estimate for gain in balance.planned_gains), default=0.0)
    planned: Light = "bad" if gain >= DECISIVE else "middle" if gain >= JUMP else "good"
    note, numbers = table_note(balance), numbers_table(balance)
    mistakes = (planned_table(balance),) if len(balance.planned) else ()
    return [
        Section("Difficulty by players", difficulty_finding(balance), difficulty, texts=(note,), tables=(numbers,)),
        Section("An even chance", even_finding(balance), "middle"),
        Section("The allowance", allowance_finding(balance), "bad" if easier else "good"),
        Section("A planned mistake", planned_finding(balance), planned, tables=mistakes),
        Section("The course of a game", course_finding(balance), "good"),
        Section("Where rounds die", flip_finding(balance), "good"),
        Section("What gets confused", confusion_finding(balance), "good"),
    ]


def table_note(balance: GroupBalance) -> str:
    """Say what the numbers of the table are."""
    return (
        f"At sigma {balance.plan.person['sigma']:g}, per 100; rounds per game. Even sigma: the skill at which every "
        "second game is won. Smoothest: the allowance whose games won come nearest to the average of the table."
    )
