"""Tables as views of frames, and figures with their texts."""

from __future__ import annotations

import re

import pandas as pd
import pytest
from matplotlib.figure import Figure

from reports.balance.exhibits import cell_with_error, draw_bars, draw_errors, estimated, page_figure, page_table
from reports.estimates.intervals import Interval
from reports.output.words import with_bounds

FRAME = pd.DataFrame({"name": ["a", "b"], "wins": [1.0, -2.5], "wins_low": [0.5, -3.0], "wins_high": [1.5, -2.0]})


def test_a_cell_is_a_text_with_columns_in_braces_or_a_function_of_the_row():
    table = page_table(
        "file",
        FRAME,
        {
            "who": "{name}",
            "wins": estimated("wins"),
            "span": estimated("wins", with_bounds),
            "error": cell_with_error("wins", 2),
            "percent": "{wins_low:.0%} to {wins_high:.0%}",
            "own": lambda row: row["name"].upper(),
        },
        texts=1,
    )
    assert table.columns == ("who", "wins", "span", "error", "percent", "own")
    assert table.rows == (
        ("a", "1.00 ± 0.50", "+1.0 (+0.5 to +1.5)", "+1.00 ± 0.50", "50% to 150%", "A"),
        ("b", "-2.50 ± 0.50", "-2.5 (-3.0 to -2.0)", "-2.50 ± 0.50", "-300% to -200%", "B"),
    )
    assert (table.texts, table.csv) == (1, "file.csv")
    assert page_table("file", [{"name": "c"}], {"who": "{name}"}).rows == (("c",),)


@pytest.mark.parametrize("title", ["It is so.", "It is so"])
def test_a_figure_says_what_is_drawn_and_what_it_shows(title: str):
    handed = []
    figure = page_figure("name", lambda *panels: handed.extend(panels), "A drawing", title, "It rests.", columns=2)
    assert (figure.name, figure.csv, figure.alternative) == ("name", "name.csv", "A drawing. It is so.")
    assert len(handed) == 2
    assert re.search(rb"<svg", figure.svg)
    assert page_figure("name", lambda panel: None, "", "", "", csv="other").csv == "other.csv"


def test_intervals_are_drawn_where_they_are():
    panel = Figure().subplots()
    numbers = [Interval(1.0, 0.0, 2.0), Interval(5.0, 4.0, 6.0)]
    draw_bars(panel, numbers, ["red", "blue"], linewidth=2, markersize=3)
    drawn = [(list(line.get_xdata()), list(line.get_ydata())) for line in panel.lines]
    assert drawn == [([0, 2], [0, 0]), ([1], [0]), ([4, 6], [1, 1]), ([5], [1])]


@pytest.mark.parametrize(("flat", "ends"), [(False, [[(7, 0), (7, 2)]]), (True, [[(0, 7), (2, 7)]])])
def test_errors_stand_upright_or_lie_flat(flat: bool, ends: list[list[tuple[float, float]]]):
    panel = Figure().subplots()
    draw_errors(panel, [7], [Interval(1.0, 0.0, 2.0)], flat=flat, fmt="o")
    (bars,) = panel.collections
    assert [[tuple(end) for end in segment] for segment in bars.get_segments()] == ends
