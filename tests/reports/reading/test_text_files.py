"""Files that users hand over are read whole or refused in one line, whatever they hold."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from reports.reading.text_files import GREATEST_WHOLE, read_text, read_toml
from strategies.errors import InputError


def refused(read, path: Path) -> str:
    with pytest.raises(InputError) as mistake:
        read(path)
    assert str(path) in str(mistake.value)
    return str(mistake.value)


def test_a_byte_order_mark_is_left_out(tmp_path: Path):
    path = tmp_path / "marked.txt"
    path.write_bytes(b"\xef\xbb\xbfa = 1\n")
    assert read_text(path, 100) == "a = 1\n"
    assert read_toml(path) == {"a": 1}


def test_as_many_bytes_as_allowed_are_read_and_one_more_is_refused(tmp_path: Path):
    path = tmp_path / "long.txt"
    path.write_text("x" * 100)
    assert read_text(path, 100) == "x" * 100
    path.write_text("x" * 101)
    assert "too large" in refused(lambda path: read_text(path, 100), path)


@pytest.mark.skipif(not os.path.exists("/dev/zero"), reason="there is no file without an end here")
def test_a_file_without_an_end_is_refused():
    assert "too large: at most 16 MB are read" in refused(read_toml, Path("/dev/zero"))


def test_what_cannot_be_read_is_said(tmp_path: Path):
    (tmp_path / "loop").symlink_to("loop")
    for path in (tmp_path, tmp_path / "missing", tmp_path / "loop"):
        assert "cannot be read" in refused(read_toml, path)
    (tmp_path / "binary").write_bytes(b"a = \xff\xfe")
    assert "not text in UTF-8 (byte 4)" in refused(read_toml, tmp_path / "binary")


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("a = ", "not TOML"),
        ("a = " + "[" * 5000 + "]" * 5000, "nested too deeply"),
        ("a = " + "9" * 5000, "too many digits"),
        ("a = [1, {b = " + "9" * 400 + "}]", "a[1].b is a number of 400 digits, which is too large"),
        (f"a = -{GREATEST_WHOLE + 1}", "a is a number of 19 digits"),
        ("a = 2026-13-41", "not TOML"),
    ],
    ids=range(6),
)
def test_toml_is_refused_in_one_line(tmp_path: Path, text: str, said: str):
    path = tmp_path / "question.toml"
    path.write_text(text)
    assert said in refused(read_toml, path)


def test_numbers_up_to_the_greatest_are_read(tmp_path: Path):
    path = tmp_path / "question.toml"
    path.write_text(f"a = [{GREATEST_WHOLE}, -{GREATEST_WHOLE}, true, 1e400]")
    assert read_toml(path)["a"] == [GREATEST_WHOLE, -GREATEST_WHOLE, True, float("inf")]
