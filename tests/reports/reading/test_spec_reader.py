"""Entries of a question file: what is missing, unknown or of the wrong type is named with its place."""

from __future__ import annotations

import pytest

from reports.reading.spec_reader import SpecReader
from strategies.errors import InputError


def reader(**data) -> SpecReader:
    return SpecReader(data, "spec", ["whole", "number", "text", "yes", "list", "table"])


def test_entries_come_back_as_they_stand():
    read = reader(whole=3, number=0.5, text="a", yes=True, list=[1, 2], table={"x": 1})
    assert read.take("whole", int) == 3
    assert read.number("number") == 0.5
    assert read.number("whole") == 3.0
    assert (read.take("text", str), read.take("yes", bool), read.take("table", dict)) == ("a", True, {"x": 1})
    assert read.whole_numbers("list") == [1, 2]
    assert read.texts("list") == ("1", "2")


def test_what_is_missing_is_the_default_or_a_mistake():
    read = reader()
    assert (read.take("whole", int, 7), read.number("number", 0.25), read.texts("list", [])) == (7, 0.25, ())
    for ask in (lambda: read.take("whole", int), lambda: read.number("whole"), lambda: read.texts("whole")):
        with pytest.raises(InputError, match="spec: the key 'whole' is missing"):
            ask()


def test_an_unknown_entry_is_named_with_the_nearest_one():
    with pytest.raises(InputError, match="spec: unknown key 'numbr': did you mean 'number'"):
        reader(numbr=1)
    with pytest.raises(InputError, match="spec is not a table"):
        SpecReader([1], "spec", [])


@pytest.mark.parametrize(
    ("ask", "message"),
    [
        (lambda read: read.take("whole", int), "whole is True, not a whole number"),
        (lambda read: read.take("yes", bool), "yes is 1, not true or false"),
        (lambda read: read.take("text", str), "text is 2, not a text"),
        (lambda read: read.number("whole"), "whole is True, not a number"),
        (lambda read: read.number("text2"), "the key 'text2' is missing"),
        (lambda read: read.whole_numbers("list"), "'2' is not a whole number"),
        (lambda read: read.take("table", dict), "table is .*, not a table"),
    ],
)
def test_what_is_of_another_type_is_named(ask, message):
    with pytest.raises(InputError, match=message):
        ask(reader(whole=True, yes=1, text=2, list=[1, "2"], table=[]))


@pytest.mark.parametrize("data", [{"text": "a\x1b[31m"}, {"a\x1b[31m": 1}])
def test_control_characters_are_refused(data):
    with pytest.raises(InputError, match=r"spec: the text 'a\\x1b\[31m' holds"):
        SpecReader(data, "spec", ["text", *data])
