"""Figures of That Escalated Quickly show its numbers."""

from __future__ import annotations

import pandas as pd

from reports.quickly.figures import Axis, plot_grid, plot_sweep
from reports.quickly.summary import GAME_WINS
from strategies.quickly import PERSON

WON = GAME_WINS.name


def test_a_cell_holds_its_number_and_an_empty_one_none():
    frame = pd.DataFrame({"x": [1, 2, 1], "y": [5, 5, 6], "z": [10.4, 89.6, 50.0]})
    (panel,) = plot_grid(frame, Axis("x", "across"), Axis("y", "up"), "z", "a title", "a note").axes
    assert {text.get_position(): text.get_text() for text in panel.texts} == {(0, 0): "10", (1, 0): "90", (0, 1): "50"}
    colours = {text.get_text(): text.get_color() for text in panel.texts}
    assert (colours["10"], colours["90"]) == ("white", "black"), "dark cells have white numbers"
    assert [label.get_text() for label in panel.get_xticklabels()] == ["1", "2"]
    assert (panel.get_xlabel(), panel.get_ylabel()) == ("across", "up")


def test_a_line_per_number_of_players_is_averaged_over_what_else_varies():
    rows = [
        {"players": players, "sigma": sigma, "talk": talk, WON: won, f"{WON}_low": won - 1, f"{WON}_high": won + 1}
        for (players, sigma, talk), won in {
            (4, 1.0, 1): 80.0, (4, 1.0, 2): 90.0, (4, 2.0, 1): 50.0, (4, 2.0, 2): 60.0,
            (5, 1.0, 1): 70.0, (5, 2.0, 1): 40.0,
        }.items()
    ]  # fmt: skip
    (panel,) = plot_sweep(pd.DataFrame(rows), PERSON.parameter("sigma"), GAME_WINS, "so many games").axes
    lines = {line.get_label(): (list(line.get_xdata()), list(line.get_ydata())) for line in panel.lines}
    assert lines == {"4 players": ([1, 2], [85, 55]), "5 players": ([1, 2], [70, 40])}
    assert panel.get_ylabel() == GAME_WINS.unit


def test_words_stand_at_the_axis_where_a_value_is_one():
    known = PERSON.parameter("organiser")
    rows = [
        {"players": 4, "organiser": value, WON: 50.0, f"{WON}_low": 49.0, f"{WON}_high": 51.0}
        for value in range(len(known.choices))
    ]
    (panel,) = plot_sweep(pd.DataFrame(rows), known, GAME_WINS, "so many games").axes
    assert [label.get_text() for label in panel.get_xticklabels()] == list(known.choices)
