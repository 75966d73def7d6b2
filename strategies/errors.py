"""The one kind of error a user's mistake raises, and how such a message is worded."""

from __future__ import annotations

import difflib
from collections.abc import Iterable


class InputError(ValueError):
    """A mistake in what the user asked for, told in one line: what was wrong and what is allowed."""


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
