"""Reads a table of a question file entry by entry, with every mistake named; it knows no game."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TypeVar

from strategies.errors import InputError, check_printable, unknown_name

Kind = TypeVar("Kind")


class SpecReader:
    """Reads the entries of one table of a file; a missing, unknown or ill-typed one is named."""

    def __init__(self, data: object, where: str, allowed: Sequence[str]) -> None:
        if not isinstance(data, Mapping):
            raise InputError(f"{where} is not a table")
        self.data, self.where = data, where
        for text in (*data, *(value for value in data.values() if isinstance(value, str))):
            check_printable(str(text), f"{where}: the text")
        for name in data:
            if name not in allowed:
                raise InputError(f"{where}: {unknown_name('key', str(name), allowed)}")

    def whole_numbers(self, name: str, default: list[int] | None = None) -> list[int]:
        """Return a list of whole numbers; without a default it must be there."""
        values = self.take(name, list, default)
        for value in values:
            if not isinstance(value, int) or isinstance(value, bool):
                raise InputError(f"{self.where}.{name}: {value!r} is not a whole number")
        return values

    def number(self, name: str, default: float | None = None) -> float:
        """Return a number, whole or not; without a default it must be there."""
        if name not in self.data and default is None:
            raise InputError(f"{self.where}: the key '{name}' is missing")
        found = self.data.get(name, default)
        if isinstance(found, bool) or not isinstance(found, int | float):
            raise InputError(f"{self.where}: {name} is {found!r}, not a number")
        try:
            return float(found)
        except OverflowError:
            raise InputError(f"{self.where}: {name} is too large a number") from None

    def texts(self, name: str, default: list[str] | None = None) -> tuple[str, ...]:
        """Return a list as texts; without a default it must be there."""
        return tuple(map(str, self.take(name, list, default)))

    def take(self, name: str, kind: type[Kind], default: Kind | None = None) -> Kind:
        """Return an entry that must be of a kind; without a default it must be there."""
        if name not in self.data:
            if default is None:
                raise InputError(f"{self.where}: the key '{name}' is missing")
            return default
        found = self.data[name]
        if isinstance(found, bool) != (kind is bool) or not isinstance(found, kind):
            words = {int: "a whole number", bool: "true or false", str: "a text", list: "a list", dict: "a table"}
            raise InputError(f"{self.where}: {name} is {found!r}, not {words[kind]}")
        return found
