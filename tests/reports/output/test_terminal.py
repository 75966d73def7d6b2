"""What is printed where, and how a long run reports without a terminal."""

from __future__ import annotations

import io
import re
from dataclasses import replace

import numpy as np
import pytest
from rich.console import Console

from reports.output import terminal
from reports.output.html import PageTable
from reports.output.provenance import Provenance
from reports.output.terminal import COMPILING, Screen, announce, column_widths, pace, show_basis
from simulate import Experiment
from simulate.runner import Progress


def test_tables_are_plain_text_where_nobody_watches(capsys):
    Screen().table(["strategy", "score"], [["standard", "12.34"], ["standard, " + "early_take=1, " * 20, "1.20"]])
    printed = capsys.readouterr().out
    assert len(printed.splitlines()) == 3, "nothing is folded"
    assert printed.isascii()
    assert "\x1b" not in printed


def test_brackets_in_texts_are_no_markup(capsys):
    screen = Screen()
    screen.table(["[bold]x"], [["[red]y"]])
    screen.heading("[blue]z")
    assert capsys.readouterr().out.split() == ["[bold]x", "[red]y", "[blue]z"]


@pytest.mark.parametrize("width", [200, 8])
def test_texts_are_shown_as_they_stand_and_control_characters_written_out(watched, width: int):
    screen, shown = watched(width)
    screen._notes = screen._results
    for text in (":heart:", "C:\\", "red\x1b[31m", "bell\x07"):
        screen.table([text], [[text]])
        screen.heading(text)
        screen.remark(text)
        screen.note(text)
        printed = re.sub(r"\x1b\[[0-9;]*m", "", shown.getvalue()).replace("\n", "").replace(" ", "")
        assert printed.count(text.replace("\x1b", "\\x1b").replace("\x07", "\\x07")) >= 5
    assert "\x07" not in shown.getvalue()
    assert "\x1b[31m" not in shown.getvalue()


def test_wide_letters_have_the_room_that_they_take(capsys):
    Screen().table(["strategy", "score"], [["漢字" * 9, "12.34"]])
    assert len(capsys.readouterr().out.splitlines()) == 2


@pytest.fixture
def watched(monkeypatch):
    """Make a screen of a given width that takes itself for a terminal, without colours; return it and what it shows."""

    def make(width: int) -> tuple[Screen, io.StringIO]:
        screen, shown = Screen(), io.StringIO()
        screen._results = Console(file=shown, force_terminal=True, width=width, color_system=None, no_color=True)
        return screen, shown

    return make


COLUMNS = ["strategy", "seats", "match wins per 100 matches", "score"]
ROWS = [
    ["standard", "1", "96.19 ± 1.05", "6.38 ± 0.15"],
    ["hoarder, early_take=2", "1", "0.24 (0.08 to 0.70)", "16.60 ± 0.2"],
]


@pytest.mark.parametrize("width", [50, 55, 60, 80, 120])
def test_no_number_is_cut_off_however_narrow_the_screen(watched, width: int):
    screen, shown = watched(width)
    screen.table(COLUMNS, ROWS)
    lines = re.sub(r"\x1b\[[0-9;]*m", "", shown.getvalue()).splitlines()
    assert max(map(len, lines)) <= width
    for row in ROWS:
        for number in row[1:]:
            assert any(number in line for line in lines)
    assert any("early_take=2" in line for line in lines)


def test_the_widest_columns_give_way_first():
    assert column_widths([10, 20, 5], [4, 8, 5], 35) == [10, 20, 5]
    assert column_widths([10, 20, 5], [4, 8, 5], 25) == [10, 10, 5]
    assert column_widths([10, 20, 5], [4, 8, 5], 17) == [4, 8, 5]
    assert column_widths([10, 20, 5], [4, 8, 5], 16) is None


def test_notes_go_to_standard_error_unless_quiet(capsys):
    Screen().note("about to play")
    Screen(quiet=True).note("not told")
    printed = capsys.readouterr()
    assert (printed.out, printed.err) == ("", "about to play\n")


PLAYED = Provenance("simulate", {}, "a deck", "a ruling", 7, 5040, 1, "0123456789abcdef", 1)
BASIS = ["Deck: a deck", "Rules: a ruling", "Seed: 7; experiment 0123456789abcdef, kernel version 1"]


def test_a_run_is_announced_with_what_its_numbers_will_rest_on(capsys):
    announce(Screen(), ["Playing", "Seating"], PLAYED)
    printed = capsys.readouterr()
    assert printed.err.splitlines() == ["Playing", "Seating", *BASIS]
    announce(Screen(), [], replace(PLAYED, rules=""))
    assert capsys.readouterr().err.splitlines() == [BASIS[0], BASIS[2]]
    assert printed.out == ""


def test_what_results_rest_on_is_below_them_unless_it_is_in_sight_above(capsys, watched):
    show_basis(Screen(), PLAYED)
    assert capsys.readouterr().out.splitlines() == BASIS
    screen, shown = watched(80)
    show_basis(screen, PLAYED)
    assert shown.getvalue() == ""


def test_a_table_of_a_page_is_a_table_of_the_screen(capsys):
    Screen().show(PageTable(("name", "kind", "number"), (("a", "long", "1"), ("b", "x", "22")), 2))
    shown = capsys.readouterr().out
    Screen().table(["name", "kind", "number"], [["a", "long", "1"], ["b", "x", "22"]], texts=2)
    assert capsys.readouterr().out == shown


def test_every_line_is_a_line_of_its_own(capsys):
    screen = Screen()
    screen.heading("one", "two")
    screen.remark("three", "four")
    screen.remark()
    assert capsys.readouterr().out == "one\ntwo\nthree\nfour\n"


def test_json_has_standard_output_to_itself(capsys):
    screen = Screen(as_json=True)
    screen.table(["a"], [["b"]])
    screen.heading("c")
    screen.remark("d")
    assert capsys.readouterr().out == ""


def test_pace_is_in_games_per_second():
    assert pace(1_000_000, 4.0) == "250,000 games/s"
    assert pace(0, 0.0) == "- games/s"


class FakeSetting:
    """A setting that takes some time to get ready and plays nothing."""

    def __init__(self, seconds: float = 0.0) -> None:
        self.seconds = seconds

    def play_deals(self, seed: int, deals: np.ndarray) -> dict[str, np.ndarray]:
        terminal.time.sleep(self.seconds)
        return {}

    def spec(self) -> dict[str, object]:
        return {}


def test_there_is_one_line_per_minute(capsys, monkeypatch):
    clock = iter([0, 30, 61, 100, 122])
    monkeypatch.setattr(terminal.time, "monotonic", lambda: next(clock))
    show = terminal._line_per_minute(Screen().note)
    for games in (100, 200, 300, 400):
        show(Progress(games, 1000))
    lines = capsys.readouterr().err.splitlines()
    assert lines == [
        "200 of 1,000 games, 3 games/s, 4 min left",
        "400 of 1,000 games, 3 games/s, 3 min left",
    ]


@pytest.mark.parametrize(("seconds", "told"), [(0.0, False), (0.2, True)])
def test_a_slow_start_is_explained(capsys, monkeypatch, seconds: float, told: bool):
    monkeypatch.setattr(terminal, "SECONDS_UNTIL_EXPLAINED", 0.05)
    with Screen().watch(Experiment((FakeSetting(seconds),), seed=1)):
        pass
    assert (COMPILING in capsys.readouterr().err) == told


def test_a_live_line_is_shown_on_a_terminal_only(capsys, monkeypatch):
    experiment = Experiment((FakeSetting(),), 0)
    with Screen().live(experiment) as show:
        show("first")
    with Screen(quiet=True).live(experiment) as show:
        show("never")
    assert capsys.readouterr().err == ""
    monkeypatch.setenv("FORCE_COLOR", "1")
    with Screen().live(experiment) as show:
        show("interval narrows")
    assert "interval narrows" in capsys.readouterr().err


def test_a_live_line_is_a_line_a_minute_elsewhere(capsys, monkeypatch):
    now = [0.0]
    monkeypatch.setattr(terminal.time, "monotonic", lambda: now[0])
    with Screen().live(Experiment((FakeSetting(),), 0)) as show:
        for second in (10, 70, 80, 140):
            now[0] = second
            show(f"at {second}")
    assert capsys.readouterr().err.split("\n") == ["at 70", "at 140", ""]
