"""What all figures share."""

from __future__ import annotations

import re
from xml.etree import ElementTree

import pytest
from matplotlib.figure import Figure

from reports.estimates.intervals import Interval
from reports.output.figures import GREY, OKABE_ITO, as_svg, draw_line, figure_files, one_panel, panels


def drawn() -> Figure:
    with one_panel(2, 1) as (figure, panel):
        panel.plot([1, 2], [3, 4])
    return figure


def luminance(colour: str) -> float:
    """Return the relative luminance of WCAG 2."""
    parts = [int(colour[place : place + 2], 16) / 255 for place in (1, 3, 5)]
    linear = [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def test_every_figure_is_written_as_svg_and_as_png():
    files = figure_files({"one": drawn(), "two": drawn()})
    assert list(files) == ["one.svg", "one.png", "two.svg", "two.png"]
    assert files["one.svg"] == files["two.svg"] == as_svg(drawn())
    assert files["one.png"].startswith(b"\x89PNG")
    assert b"<svg" in files["one.svg"]


def test_a_line_has_its_estimates_and_a_band_from_bound_to_bound():
    with one_panel(2, 1) as (_, panel):
        draw_line(panel, 1, [0, 1], [Interval(2, 1, 4), Interval(3, 2, 5)], "a line")
    (line,), (band,) = panel.lines, panel.collections
    assert (list(line.get_xdata()), list(line.get_ydata()), line.get_label()) == ([0, 1], [2, 3], "a line")
    assert {tuple(corner) for corner in band.get_paths()[0].vertices} == {(0, 1), (0, 4), (1, 2), (1, 5)}
    assert line.get_color() == OKABE_ITO[1]


def test_more_lines_than_colours_begin_anew():
    with one_panel(2, 1) as (_, panel):
        for line in (0, len(OKABE_ITO)):
            draw_line(panel, line, [0, 1], [Interval(2, 1, 4)] * 2, str(line))
    first, again = panel.lines
    assert first.get_color() == again.get_color()


def test_labels_are_shown_as_they_stand(recwarn):
    label = 'a $x^{$ --><script>alert(1)</script> & "q" \\frac{ 漢字'
    with panels(1, label, label) as (figure, (panel,)):
        panel.plot([1, 2], [3, 4], label=label)
        panel.set_xticks([1], [label])
        panel.set_ylabel(label)
        panel.legend()
    text = as_svg(figure).decode()
    tags = {element.tag.partition("}")[2] for element in ElementTree.fromstring(text).iter()}
    assert "script" not in tags
    assert "$x^{$" in text  # in a comment beside the drawn letters
    assert not recwarn


def test_small_print_can_be_read_on_white():
    assert 1.05 / (luminance(GREY) + 0.05) >= 4.5


@pytest.mark.parametrize("columns", [1, 3])
def test_panels_say_what_they_show_and_what_it_rests_on(columns: int):
    with panels(columns, "a finding " * 20, "resting on " * 30) as (figure, axes):
        assert len(axes) == columns
    for words, text in (("a finding", figure.get_suptitle()), ("resting on", figure.get_supxlabel())):
        assert "\n" in text
        assert set(re.split(r"\s+", text)) == set(words.split())
