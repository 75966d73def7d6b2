"""Findings on the balance follow from its tables."""

from __future__ import annotations

from dataclasses import replace

import pandas as pd
import pytest

from reports.quickly.balance_words import (
    allowance_finding,
    confusion_finding,
    course_finding,
    difficulty_finding,
    findings,
    flip_finding,
    numbers_table,
    planned_finding,
    planned_table,
)
from reports.quickly.summary import GAME_WINS


def bounded(frame: pd.DataFrame, reach: float, *names: str) -> pd.DataFrame:
    """Return the table with bounds on both sides of these numbers."""
    bounds = {f"{name}_{end}": frame[name] + way for name in names for end, way in (("low", -reach), ("high", reach))}
    return frame.assign(**bounds)


def with_wins(balance, reach: float = 1.0, **won: float):
    """Return a balance of as many numbers of players as given (`p5=50.0`), with so many games won per 100."""
    tables = pd.DataFrame({"players": [int(name[1:]) for name in won], GAME_WINS.name: list(won.values())})
    return replace(balance, tables=bounded(tables, reach, GAME_WINS.name))


def test_a_table_has_as_many_cells_as_columns(balance):
    for table, players in ((numbers_table(balance), ["5", "6"]), (planned_table(balance), ["6"])):
        assert [row[0] for row in table.rows] == players
        assert {len(row) for row in table.rows} == {len(table.columns)}


def test_a_number_that_is_not_there_is_a_dash(balance):
    tables = balance.tables.assign(sigma_for_even_chance=[float("nan"), 1.0])
    few = numbers_table(replace(balance, tables=tables.drop(columns="comebacks_per_100"))).rows
    assert [(row[6], row[7]) for row in few] == [("-", "-"), ("-", "1.00")]


@pytest.mark.parametrize(
    ("won", "said", "light"),
    [
        ({"p4": 50.0, "p5": 41.0}, "No step from one number of players to the next", "good"),
        # Three of 1 each side by side: the step may be off by 1.41 * 2.24 / 1.96 = 1.6.
        ({"p4": 60.0, "p5": 45.0, "p6": 20.0}, "More players make it harder at every step that is large, most of all "
         "from 5 to 6: -25 (-27 to -23) games won per 100.", "middle"),
        ({"p4": 30.0, "p5": 45.0}, "5 players are easier than 4 (+15 games won per 100): the allowance jumps.", "bad"),
    ],
)  # fmt: skip
def test_a_step_of_ten_games_is_a_jump(balance, won, said: str, light: str):
    stepped = with_wins(balance, **won)
    assert difficulty_finding(stepped).startswith(said)
    tables = balance.tables.iloc[[0] * len(won)].assign(players=stepped.tables["players"].to_list())
    tables[GAME_WINS.name] = list(won.values())
    tables = bounded(tables, 1.0, GAME_WINS.name)
    assert findings(replace(balance, tables=tables))[0].light == light


@pytest.mark.parametrize(
    ("reach", "said"),
    [
        (1.0, "No step from one number of players to the next changes games"),
        (4.0, "No step from one number of players to the next surely changes games"),
    ],
)
def test_that_no_step_is_large_is_said_only_where_it_is_sure(balance, reach: float, said: str):
    """A step of 6 games, each side unsure by 1 or by 4: by 1.4 or by 5.7 together."""
    assert difficulty_finding(with_wins(balance, reach, p4=50.0, p5=44.0)).startswith(said)


def test_a_step_that_may_be_chance_is_no_jump(balance):
    assert with_wins(balance, 9.0, p4=50.0, p5=62.0).jumps == []
    ((four, five, step),) = with_wins(balance, 1.0, p4=50.0, p5=62.0).jumps
    assert (four, five, step.estimate) == (4, 5, 12.0)


def test_steps_that_cannot_be_told_apart_are_named_together(balance):
    said = difficulty_finding(with_wins(balance, 3.0, p4=80.0, p5=60.0, p6=39.0, p7=35.0))
    assert "most of all from 5 to 6 or from 4 to 5: -21 (" in said


@pytest.mark.parametrize(("gain", "light"), [(9.0, "good"), (10.0, "middle"), (20.0, "bad")])
def test_a_planned_mistake_is_judged_by_what_it_gains(balance, gain: float, light: str):
    planned = pd.DataFrame({"players": [6, 7], "without": [40.0, 50.0], "with": [41.0, 50.0 + gain]})
    planned = bounded(planned, 0.5, "without", "with")
    judged = replace(balance, planned=planned)
    assert findings(judged)[3].light == light
    assert planned_finding(judged) == (
        f"If a mistake may be planned, groups win 1 to {gain:.0f} more games per 100, most with 7 players: 50 become "
        f"{50 + gain:.0f}."
    )


def test_without_an_allowance_no_mistake_can_be_planned(balance):
    none = replace(balance, planned=pd.DataFrame())
    assert planned_finding(none) == "No mistake is allowed at these tables, so none can be planned."
    assert findings(none)[3].tables == ()


def test_the_first_allowed_mistake_is_worth_the_difference(balance):
    won = {0: {5: 20.0, 6: 30.0}, 1: {5: 70.0, 6: 90.0}, 2: {5: 95.0, 6: 97.0}}
    allowances = pd.DataFrame(
        {"players": players, "mistakes": mistakes, GAME_WINS.name: wins}
        for mistakes, by_players in won.items()
        for players, wins in by_players.items()
    )
    tables = pd.DataFrame(
        {"players": [5, 6], "mistakes_allowed": [0, 1], "smoothest_allowance": [1, 1], GAME_WINS.name: [20.0, 90.0]}
    )
    allowances, tables = (bounded(frame, 1.0, GAME_WINS.name) for frame in (allowances, tables))
    assert allowance_finding(replace(balance, allowances=allowances, tables=tables)) == (
        "The first allowed mistake is worth 50 to 60 games won per 100; nearer to the average of 55 games won would be "
        "1 with 5 players (70 games won, not 20)."
    )
    unsure = replace(balance, allowances=bounded(allowances, 20.0, GAME_WINS.name), tables=tables)
    assert "no other allowance surely comes nearer to the average" in allowance_finding(unsure)


def test_the_course_of_a_game_is_told_from_least_to_most(balance):
    tables = pd.DataFrame(
        {"rounds_per_game": [3.62, 4.11], "near_misses_per_100_games": [3.0, 21.0], "comebacks_per_100": [4.6, 57.4]}
    )
    said = course_finding(replace(balance, tables=tables))
    assert said.startswith("Games take 3.6 to 4.1 rounds; 3 to 21 per 100 are lost one good round short")
    assert said.endswith("5 to 57 per 100 are still won.")


def test_neighbouring_values_are_confused_most(balance):
    confused = pd.DataFrame(
        {"players": 5, "higher": [2, 3, 9, 10], "lower": [1, 2, 1, 9], "mistakes_per_100_rounds": [5.0, 3.0, 0.1, 4.0]}
    )
    assert confusion_finding(replace(balance, confusions=confused)) == (
        "In these games most confused were 1 and 2, 9 and 10, 2 and 3."
    )


def test_rounds_die_at_the_flip_at_which_most_of_them_do(balance):
    frame = balance.flips
    for players in (5, 6):
        own = frame[frame["players"] == players]
        flip = own.loc[own["bad_rounds_per_100"].idxmax(), "flip"]
        assert f"flip {flip} with {players} players" in flip_finding(balance)
