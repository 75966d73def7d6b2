"""One-file pages: well formed, escaped, self-contained."""

from __future__ import annotations

import re
from html.parser import HTMLParser

import pandas as pd
import pytest
from matplotlib.figure import Figure

from reports.output.figures import as_svg
from reports.output.html import (
    MOST_ROWS,
    Page,
    PageFigure,
    PagePoint,
    PageQuestion,
    PageTable,
    Section,
    as_html,
    page_files,
    provenance_notes,
)
from reports.output.provenance import Provenance

EVIL = '<script>alert(1)</script> & "quotes"'
VOID = {"meta", "link", "br", "img", "hr", "input"}


class Reader(HTMLParser):
    """Collects ids, links and text, and checks that elements are closed in order."""

    def __init__(self):
        super().__init__()
        self.open, self.ids, self.links, self.labels, self.scripts, self.texts = [], [], [], [], 0, []

    def handle_starttag(self, tag, attributes):
        found = dict(attributes)
        self.ids += [found["id"]] if "id" in found else []
        self.links += [found[name] for name in ("href", "xlink:href", "src") if name in found]
        self.labels += [found["aria-label"]] if tag == "svg" else []
        self.scripts += tag == "script"
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag, attributes):
        self.handle_starttag(tag, attributes)
        if tag not in VOID:
            self.open.pop()

    def handle_endtag(self, tag):
        assert self.open.pop() == tag

    def handle_data(self, data):
        self.texts.append(data)


def drawing():
    figure = Figure(figsize=(2, 1))
    figure.subplots().plot([1, 2], [3, 4], marker="o")
    return as_svg(figure)


def page(text="plain"):
    figures = tuple(PageFigure(f"{name} {text}", drawing(), f"alt {text}", text, "a.csv") for name in ("one", "two"))
    table = PageTable(("name", "number"), ((text, "1.5"), ("b", "-2")), csv="t.csv")
    sections = (
        Section(f"First {text}", text, "good", (text,), figures, (table,), (f"escalation {text}",)),
        Section("Second"),
        Section("Third", "all is well"),
    )
    return Page(text, text, (text,), sections, (text,))


def read(html):
    reader = Reader()
    reader.feed(html.decode())
    assert reader.open == []
    return reader


def test_every_text_is_escaped():
    reader = read(as_html(page(EVIL)))
    assert reader.scripts == 1, "only the page's own script"
    assert sum(EVIL in text for text in reader.texts) >= 8
    assert all(label == f"alt {EVIL}" for label in reader.labels)


def test_the_page_needs_nothing_from_elsewhere():
    html = as_html(page()).decode()
    links = read(html.encode()).links
    assert [link for link in links if not link.startswith("#")] == ["a.csv", "a.csv", "t.csv"]
    assert not re.search(r"@import|url\((?!#)", html)


def test_ids_differ_and_every_inner_link_has_its_target():
    reader = read(as_html(page()))
    assert len(reader.ids) == len(set(reader.ids))
    assert {link[1:] for link in reader.links if link.startswith("#")} <= set(reader.ids)
    used = set(re.findall(r"url\(#([^)]+)\)", as_html(page()).decode()))
    assert used
    assert used <= set(reader.ids)


def test_a_page_of_three_sections_has_a_table_of_contents_and_every_figure_its_words():
    reader = read(as_html(page()))
    assert {"#first-plain", "#second", "#third"} <= set(reader.links)
    assert reader.labels == ["alt plain", "alt plain"]


def test_the_same_page_gives_the_same_bytes():
    assert as_html(page()) == as_html(page())


def test_long_tables_are_folded():
    def folded(rows: int) -> bool:
        table = PageTable(("number",), tuple((str(row),) for row in range(rows)), 0)
        return b"<details>" in as_html(Page("t", "a", sections=(Section("First", tables=(table,)),)))

    assert not folded(MOST_ROWS)
    assert folded(MOST_ROWS + 1)


def test_the_first_screen_answers_questions_and_leads_on():
    points = (PagePoint(EVIL, "bad", "why"), PagePoint("as it should be", "good"))
    page = Page("t", "a", sections=(Section("The reason", name="why"),), questions=(PageQuestion("Fair?", points),))
    reader = read(as_html(page))
    assert "#why" in reader.links
    assert "why" in reader.ids
    assert {EVIL, "Fair?", "as it should be"} <= set(reader.texts)
    assert b'aria-label="red light"' in as_html(page)


def test_titles_that_differ_in_punctuation_only_still_have_anchors_of_their_own():
    titles = ("Second", "second!", "Second?")
    reader = read(as_html(Page("t", "a", sections=tuple(Section(title) for title in titles))))
    assert reader.ids == ["second", "second--2", "second--3"]
    assert reader.links == [f"#{anchor}" for anchor in reader.ids]


def test_names_of_figures_must_differ():
    figure = PageFigure("one", drawing(), "words")
    with pytest.raises(ValueError, match="one"):
        as_html(Page("t", "a", sections=(Section("First", figures=(figure, figure)),)))


def test_a_page_lies_beside_its_tables_and_its_figures():
    drawings = PageFigure("a", b"<svg></svg>", "words", csv="t.csv"), PageFigure("b", b"<svg></svg>", "words", png=b"P")
    tables = {"t": pd.DataFrame({"x": [1, 2]}), "more": pd.DataFrame({"y": [0.5]})}
    page = Page("t", "a", sections=(Section("First", figures=drawings),))
    files = page_files(page, tables)
    assert list(files) == ["t.csv", "more.csv", "a.svg", "b.svg", "b.png", "report.html"]
    assert files["t.csv"] == b"x\n1\n2\n"
    assert (files["b.svg"], files["b.png"]) == (b"<svg></svg>", b"P")
    assert files["report.html"] == as_html(page)


def test_a_page_does_not_refer_to_files_that_are_not_there():
    figure, table = PageFigure("a", b"<svg></svg>", "words", csv="lost.csv"), PageTable(("a",), (), csv="gone.csv")
    for section, name in ((Section("First", figures=(figure,)), "lost"), (Section("First", tables=(table,)), "gone")):
        with pytest.raises(ValueError, match=rf"{name}\.csv"):
            page_files(Page("t", "a", sections=(section,)), {"t": pd.DataFrame({"x": [1]})})


def test_a_page_says_what_it_rests_on():
    played = Provenance("simulate", {}, "a deck", "", 7, 5040, 1, "0123456789abcdef", 1, "9.9")
    assert provenance_notes(played) == (
        "Deck: a deck. Rules: default.",
        "Seed 7; experiment 0123456789abcdef; kernel version 1; escalation-lab 9.9.",
    )
