"""The table of the page: written between its markers, row by row."""

import pytest

from benchmarks.calibration import COLUMNS, asked, page_with, row_of, rows_in
from benchmarks.coverage import Held
from benchmarks.printed.register import SOURCES

PAGE = "# Title\n\n<!-- coverage -->\n<!-- end -->\n\nMore.\n"
FIRST, SECOND = SOURCES[0].kinds[:2]


def rows_of(*found: Held) -> dict[str, tuple[str, ...]]:
    return {held.kind.name: row_of(held) for held in found}


def test_rows_stand_in_the_order_of_the_register_and_others_stay():
    second = rows_of(Held(SECOND, 2000, 3.0, 0.951, 0.962, 0.02, 0.029))
    first = rows_of(Held(FIRST, 2000, 1.0, 0.921, 0.938, 0.04, 0.039))
    page = page_with(page_with(PAGE, second), first)
    assert list(rows_in(page)) == [FIRST.name, SECOND.name]
    assert rows_in(page) == first | second
    assert page.startswith("# Title\n")
    assert page.endswith("<!-- end -->\n\nMore.\n")
    assert "**FAILS**" in first[FIRST.name]
    assert second[SECOND.name][COLUMNS.index("held")] == "95.1%"


def test_a_row_is_replaced():
    page = page_with(PAGE, rows_of(Held(FIRST, 20, 1.0, 0.9, 0.99, 0.1, 0.0)))
    again = page_with(page, rows_of(Held(FIRST, 2000, 1.0, 0.95, 0.97, 0.03, 0.02)))
    assert rows_in(again)[FIRST.name][2] == "2,000"


def test_a_page_without_markers_is_refused():
    with pytest.raises(ValueError, match="coverage"):
        page_with("# Title\n", {})


def test_sources_are_found_by_their_name_or_that_of_a_kind():
    assert asked([]) == list(SOURCES)
    assert asked([FIRST.name])[0] == SOURCES[0]
    assert asked(["nothing like that"]) == []
