"""One-file HTML pages: what is on a page, and how it is written. The page needs nothing from the network.

Every text is escaped; only figures, which this project draws itself, go in as they are.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING, Final, Literal

from jinja2 import Environment, StrictUndefined, Template
from markupsafe import Markup, escape

from reports.output.provenance import Provenance
from reports.output.table_files import tables_as_files

if TYPE_CHECKING:
    import pandas as pd

Light = Literal["good", "middle", "bad"]
MOST_ROWS: Final = 14
"""A table with more rows than this is folded; a click, or printing, opens it."""
LIGHTS: Final[dict[Light, str]] = {"good": "green light", "middle": "yellow light", "bad": "red light"}


@dataclass(frozen=True)
class PageFigure:
    """A figure on a page.

    Attributes
    ----------
    name
        Unique on the page.
    svg
        The drawing, as `reports.output.figures.as_svg` returns it.
    alternative
        What it shows, for those who cannot see it.
    caption
        What stands below it.
    csv
        The file next to the page that holds its numbers; empty if there is none.
    png
        The drawing as PNG; empty if there is to be no file of it.
    """

    name: str
    svg: bytes
    alternative: str
    caption: str = ""
    csv: str = ""
    png: bytes = b""


@dataclass(frozen=True)
class PageTable:
    """A table on a page, sorted by a click on a column's name; the first `texts` columns hold texts."""

    columns: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    texts: int = 1
    csv: str = ""


@dataclass(frozen=True)
class Section:
    """A section of a page, opening with its finding in one plain sentence.

    Attributes
    ----------
    title, finding
        Its heading and its finding.
    light
        How the finding is to be taken; empty for no light.
    figures, texts, tables, commands
        What follows, in this order; commands are shown as they are typed.
    note
        What stands in small letters below the finding.
    name
        What links to it are called, unique on the page; empty: after its title.
    """

    title: str
    finding: str = ""
    light: Light | Literal[""] = ""
    texts: tuple[str, ...] = ()
    figures: tuple[PageFigure, ...] = ()
    tables: tuple[PageTable, ...] = ()
    commands: tuple[str, ...] = ()
    name: str = ""
    note: str = ""

    @property
    def anchor(self) -> str:
        """The name by which links reach it."""
        return re.sub(r"[^a-z0-9]+", "-", (self.name or self.title).lower()).strip("-") or "section"


@dataclass(frozen=True)
class PagePoint:
    """A point of a short answer: its text, how it is to be taken, and the name of the section that says more."""

    text: str
    light: Light | Literal[""] = ""
    section: str = ""


@dataclass(frozen=True)
class PageQuestion:
    """A question that the first screen answers in a few points."""

    question: str
    points: tuple[PagePoint, ...]


@dataclass(frozen=True)
class Page:
    """A page.

    Attributes
    ----------
    title
        The question.
    answer
        The answer in one sentence, large.
    summary
        What belongs right below it.
    sections
        The rest; from three sections on there is a table of contents.
    notes
        What stands at the end: what it rests on.
    questions
        What the first screen answers, side by side below the summary.
    """

    title: str
    answer: str
    summary: tuple[str, ...] = ()
    sections: tuple[Section, ...] = ()
    notes: tuple[str, ...] = ()
    questions: tuple[PageQuestion, ...] = ()


def as_html(page: Page) -> bytes:
    """Return a page as one HTML file; the same page gives the same bytes.

    Raises
    ------
    ValueError
        If two figures have the same name.
    """
    names = [figure.name for section in page.sections for figure in section.figures]
    repeated = sorted({name for name in names if names.count(name) > 1})
    if repeated:
        raise ValueError(f"names of figures on a page must differ: {', '.join(repeated)}")
    anchored = _anchored(page.sections)
    anchors = {section.name: anchor for anchor, section in anchored if section.name}
    text = _template().render(
        page=page, anchored=anchored, anchors=anchors, inline=inline, lights=LIGHTS, most_rows=MOST_ROWS
    )
    return text.encode()


def _anchored(sections: Sequence[Section]) -> list[tuple[str, Section]]:
    """Give each section an anchor of its own: titles that differ in punctuation only get numbers."""
    taken: dict[str, int] = {}
    pairs = []
    for section in sections:
        taken[section.anchor] = number = taken.get(section.anchor, 0) + 1
        pairs.append((section.anchor if number == 1 else f"{section.anchor}--{number}", section))
    return pairs


@cache
def _template() -> Template:
    text = files("reports.output").joinpath("templates/page.html").read_text(encoding="utf-8")
    environment = Environment(autoescape=True, undefined=StrictUndefined, keep_trailing_newline=True)
    return environment.from_string(text)


def inline(figure: PageFigure) -> Markup:
    """Return a figure's drawing as an element of the page, with names of its own and its text alternative."""
    text = figure.svg.decode()
    text = text[text.index("<svg") :]
    text = re.sub(r"<metadata>.*?</metadata>", "", text, flags=re.DOTALL)
    prefix = re.sub(r"[^A-Za-z0-9_-]+", "-", figure.name)
    text = re.sub(r'\bid="', f'id="{prefix}-', text)
    text = re.sub(r'href="#', f'href="#{prefix}-', text)
    text = re.sub(r"url\(#", f"url(#{prefix}-", text)
    label = escape(figure.alternative)
    return Markup(text.replace("<svg", f'<svg role="img" aria-label="{label}"', 1))


def provenance_notes(played: Provenance) -> tuple[str, ...]:
    """Return what a page rests on, in lines."""
    data = played.as_data()
    return (
        f"Deck: {data['deck']}. Rules: {data['rules']}.",
        f"Seed {data['seed']}; experiment {data['digest']}; kernel version {data['kernel_version']}; "
        f"escalation-lab {data['toolkit_version']}.",
        *filter(None, [played.looks_note]),
    )


def page_files(page: Page, tables: Mapping[str, pd.DataFrame], *, parquet: bool = False) -> dict[str, bytes]:
    """Return every table as CSV and, if asked for, as Parquet; every figure as drawn; and the page, `report.html`.

    Raises
    ------
    ValueError
        If a figure or a table on the page names a file that is not there.
    """
    files = tables_as_files(tables, parquet=parquet)
    figures = [figure for section in page.sections for figure in section.figures]
    tables_shown = [table for section in page.sections for table in section.tables]
    for csv in (*(figure.csv for figure in figures), *(table.csv for table in tables_shown)):
        if csv and csv not in files:
            raise ValueError(f"the page refers to '{csv}', which no section has")
    files |= {f"{figure.name}.svg": figure.svg for figure in figures}
    files |= {f"{figure.name}.png": figure.png for figure in figures if figure.png}
    return {**files, "report.html": as_html(page)}
