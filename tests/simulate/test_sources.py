"""The hash of the sources that decide play sees what changes play, and nothing else."""

from __future__ import annotations

from pathlib import Path

import pytest

from simulate.sources import hash_of, play_hash

BEFORE = '''"""A module."""

def price(cards):
    """What cards cost."""
    return 2 * cards
'''


def hash_of_text(tmp_path: Path, text: str, name: str = "module.py") -> str:
    path = tmp_path / name
    path.write_text(text, encoding="utf-8")
    return hash_of([path])


@pytest.mark.parametrize(
    "same",
    [
        BEFORE.replace("A module.", "Another text."),
        BEFORE.replace("What cards cost.", "What they cost."),
        BEFORE.replace("    return", "    # Twice as much.\n    return"),
        BEFORE.replace("2 * cards", "(2 *\n            cards)"),
    ],
)
def test_what_only_reads_differently_is_the_same(tmp_path: Path, same):
    assert same != BEFORE
    assert hash_of_text(tmp_path, same) == hash_of_text(tmp_path, BEFORE)


@pytest.mark.parametrize(
    "other",
    [
        BEFORE.replace("2 * cards", "3 * cards"),
        BEFORE.replace("2 * cards", "2.0 * cards"),
        BEFORE.replace("2 * cards", "cards * 2"),
        BEFORE.replace("return 2", "return -2"),
        BEFORE.replace("cards", "card"),
        BEFORE + "\nRATE = None\n",
        BEFORE.replace("    return", "    'not a docstring, but a statement'\n    return", 1).replace(
            "cost.", "cost.", 1
        ),
    ],
)
def test_what_says_something_else_is_another(tmp_path: Path, other):
    assert other != BEFORE
    assert hash_of_text(tmp_path, other) != hash_of_text(tmp_path, BEFORE)


def test_data_counts_byte_by_byte(tmp_path: Path):
    assert hash_of_text(tmp_path, "[a]\nb = 1\n", "a.toml") != hash_of_text(tmp_path, "[a]\nb = 2\n", "a.toml")


def test_it_is_sixteen_digits_and_kept():
    assert len(play_hash()) == 16
    assert int(play_hash(), 16) >= 0
    assert play_hash() == play_hash()
