"""Texts broken into lines."""

from __future__ import annotations

from reports.output.lines import WIDTH, wrapped


def test_every_line_fits_and_every_word_is_kept() -> None:
    text = " ".join(f"word-{number}" for number in range(100))
    lines = wrapped(text, indent=2, hanging=4)
    assert max(map(len, lines)) <= WIDTH
    assert " ".join(line.strip() for line in lines) == text
    assert [len(line) - len(line.lstrip()) for line in lines] == [2] + [6] * (len(lines) - 1)


def test_words_are_not_broken_at_hyphens() -> None:
    # The hyphen would still fit in the first line, the word does not.
    first, second = wrapped(f"{'x' * (WIDTH - 6)} wild-hoarding")
    assert (first, second) == ("x" * (WIDTH - 6), "wild-hoarding")


def test_nothing_has_no_line() -> None:
    assert wrapped("") == []
