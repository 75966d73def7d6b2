"""Files that users hand over: read no further than their kind may be long, and refused in one line if not text."""

from __future__ import annotations

import tomllib
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Final

from strategies.errors import InputError

MOST_QUESTION_BYTES: Final = 16 << 20
"""The longest question lists 100,000 points of a sweep."""
MOST_POINTS_BYTES: Final = 64 << 20
_MEGABYTE: Final = 1 << 20

GREATEST_WHOLE: Final = (1 << 63) - 1
"""No number that a question needs is greater."""


def read_text(path: Path, most: int) -> str:
    """Return what stands in a text file; a byte order mark is left out.

    Parameters
    ----------
    path
        The file.
    most
        How many bytes it may have. No more are read, so that a file without an end is refused, too.

    Raises
    ------
    InputError
        If it cannot be read, is longer, or is not text in UTF-8.
    """
    try:
        with path.open("rb") as file:
            content = file.read(most + 1)
    except OSError as error:
        raise InputError(f"'{path}' cannot be read: {(error.strerror or str(error)).lower()}") from None
    if len(content) > most:
        raise InputError(f"'{path}' is too large: at most {most // _MEGABYTE} MB are read")
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise InputError(f"'{path}' is not text in UTF-8 (byte {error.start:,})") from None


def read_toml(path: Path) -> dict[str, Any]:
    """Return what a TOML file holds.

    Raises
    ------
    InputError
        If it cannot be read, is not TOML, is nested too deeply, or holds a whole number that nothing can need.
    """
    text = read_text(path, MOST_QUESTION_BYTES)
    try:
        data = tomllib.loads(text)
    except RecursionError:
        raise InputError(f"'{path}' is nested too deeply") from None
    except tomllib.TOMLDecodeError as error:
        raise InputError(f"'{path}' is not TOML: {error}") from None
    except ValueError:
        raise InputError(f"'{path}' has a number or a date that is not one (too many digits?)") from None
    for place, number in _whole_numbers(data):
        if abs(number) > GREATEST_WHOLE:
            raise InputError(f"'{path}': {place} is a number of {len(str(abs(number))):,} digits, which is too large")
    return data


def _whole_numbers(data: object) -> Iterator[tuple[str, int]]:
    """Yield every whole number with its place; without recursion, since tables may be nested as deeply as they like."""
    waiting: list[tuple[str, object]] = [("", data)]
    while waiting:
        place, found = waiting.pop()
        if isinstance(found, int) and not isinstance(found, bool):
            yield place, found
        elif isinstance(found, Mapping):
            waiting += [(f"{place}.{name}".lstrip("."), value) for name, value in found.items()]
        elif isinstance(found, Sequence) and not isinstance(found, str):
            waiting += [(f"{place}[{number}]", value) for number, value in enumerate(found)]
