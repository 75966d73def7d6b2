"""Messages about names that do not exist."""

from __future__ import annotations

import pytest

from strategies.errors import InputError, unknown_name


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
