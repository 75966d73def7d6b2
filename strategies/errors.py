"""The one kind of error a user's mistake raises, how it is worded, and which texts can be shown as they stand."""

from __future__ import annotations

import difflib
from collections.abc import Iterable


class InputError(ValueError):
    """A mistake in what the user asked for, told in one line: what was wrong and what is allowed."""


def visible(text: str) -> str:
    r"""Return a text whose control characters, and others that cannot be seen, are written out, such as `\x1b`.

    What ends a line stays. A terminal that were sent the others would obey them.
    """
    if text.isprintable():
        return text
    return "".join(
        letter if letter.isprintable() or letter == "\n" else letter.encode("unicode_escape").decode("ascii")
        for letter in text
    )


def check_printable(text: str, what: str) -> None:
    """Make sure that a text can be shown as it stands.

    Raises
    ------
    InputError
        If it holds a control character, or another one that cannot be seen.
    """
    if not text.isprintable():
        odd = next(letter for letter in text if not letter.isprintable())
        raise InputError(f"{what} {text!r} holds {odd!r}, which cannot be shown: leave it out")


def unknown_name(kind: str, name: str, allowed: Iterable[str]) -> InputError:
    """Word the error for a name that does not exist, with the nearest one that does.

    Parameters
    ----------
    kind
        What the name should have been, in the singular: "strategy", "parameter".
    name
        What the user wrote.
    allowed
        Every name that would have worked, in the order to list them.

    Returns
    -------
    InputError
        To be raised by the caller.
    """
    choices = list(allowed)
    nearest = difflib.get_close_matches(name.lower(), choices, n=1, cutoff=0.5)
    hint = f"did you mean '{nearest[0]}'? " if nearest else ""
    return InputError(f"unknown {kind} '{name}': {hint}allowed: {', '.join(choices)}")
