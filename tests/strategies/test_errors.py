"""Messages about names that do not exist."""

from __future__ import annotations

import pytest

from strategies.errors import InputError, check_printable, unknown_name, visible


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("hord", "unknown strategy 'hord': did you mean 'hoard'? allowed: minimal, hoard"),
        ("HOARD", "unknown strategy 'HOARD': did you mean 'hoard'? allowed: minimal, hoard"),
        ("zzz", "unknown strategy 'zzz': allowed: minimal, hoard"),
    ],
)
def test_the_nearest_name_is_given_if_there_is_a_near_one(name, message):
    assert str(unknown_name("strategy", name, ["minimal", "hoard"])) == message


def test_a_mistake_of_the_user_is_a_value_error():
    assert issubclass(InputError, ValueError)
    assert isinstance(unknown_name("parameter", "x", []), InputError)


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("plain, 漢字 ± $x^{$", "plain, 漢字 ± $x^{$"),
        ("red \x1b[31m, bell \x07, \x9b2J", "red \\x1b[31m, bell \\x07, \\x9b2J"),
        ("turned \u202e round\u2028, \udcff", "turned \\u202e round\\u2028, \\udcff"),
        ("two\nlines\r", "two\nlines\\r"),
    ],
)
def test_what_cannot_be_seen_is_written_out(text: str, shown: str):
    assert visible(text) == shown
    if text != shown:
        with pytest.raises(InputError, match="cannot be shown") as caught:
            check_printable(text, "the label")
        assert str(caught.value).isprintable()
