"""Plain data as TOML, read back by the standard library."""

from __future__ import annotations

import tomllib

import pytest

from reports.output.toml import as_toml


@pytest.mark.parametrize(
    "data",
    [
        {"text": 'quotes " and \\ and\nlines and ü', "yes": True, "no": False, "whole": -3, "number": 1e-7},
        {"list": [1, 2.5, "x"], "nested": {"table": {"deep": 1}}, "after": 1},
        {"list of tables": [{"a": 1, "b c": [True]}, {}], "empty": []},
        {"standard,shed=1": {"x": 1e22}},
        {"huge": float("inf"), "tiny": [float("-inf"), 5e-324, -0.0]},
        {"rows": [[0.5, "even"], [], [1.0, "one-wild"]], "tables": [{"t": {"deep": [1, [2, [3]]]}}]},
        {"texts": ["[", "],", ", ", "[\n    1,\n]", "\x00\x1f\x7f\u2028😀", "'\"'", ""], "  a [": "b ="},
    ],
)
def test_toml_reads_back_as_it_was(data):
    assert tomllib.loads(as_toml(data)) == data


def test_a_long_list_is_one_line():
    data = {"values": [place / 8 for place in range(10_000)], "rows": [[place, "even"] for place in range(10_000)]}
    assert tomllib.loads(as_toml(data)) == data
    assert len(as_toml(data).splitlines()) == 2


def test_a_description_reads_like_one_written_by_hand():
    data = {"question": "sweep", "spec": {"players": [2, 3], "vary": {"shed": [0.5, 1.0], "opponents.shed": "0.0:1.0"}}}
    assert as_toml(data).splitlines() == [
        'question = "sweep"',
        "",
        "[spec]",
        "players = [2, 3]",
        "",
        "[spec.vary]",
        "shed = [0.5, 1.0]",
        '"opponents.shed" = "0.0:1.0"',
    ]
