"""The named strategies and tactics of a game, read from its TOML file."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from importlib.resources import files
from types import MappingProxyType
from typing import Any, Final

from strategies.errors import InputError, unknown_name
from strategies.strategy import Strategy, split_label


@dataclass(frozen=True)
class CatalogueEntry:
    """A named strategy with what it is and where it comes from."""

    strategy: Strategy
    description: str
    source: str

    @property
    def name(self) -> str:
        """The name it is asked for by."""
        return self.strategy.label


@dataclass(frozen=True)
class Tactic:
    """A habit that a player can lack or have in a dose.

    Attributes
    ----------
    off
        The governed parameters with the values at which the habit is absent.
    dose
        The parameter that says how much of the habit there is.
    dose_range
        The least and the greatest dose to consider.
    """

    name: str
    description: str
    source: str
    off: Mapping[str, float]
    dose: str
    dose_range: tuple[float, float]

    def absent(self, base: Strategy) -> Strategy:
        """Return the base player without the habit."""
        return base.with_changes(self.off)

    def present(self, base: Strategy, dose: float) -> Strategy:
        """Return the base player with the habit in this dose, the other governed parameters being the base's."""
        return base.with_changes({self.dose: dose})

    def without_dose(self, base: Strategy) -> Strategy:
        """Return the base player with all of the habit but its dose: what the other governed parameters do alone."""
        return base.with_changes({self.dose: self.off[self.dose]})

    def rest(self, base: Strategy) -> dict[str, float]:
        """Return the other governed parameters, with the base's values, as far as these are not absent."""
        return {name: base[name] for name, off in self.off.items() if name != self.dose and base[name] != off}


@dataclass(frozen=True)
class Catalogue:
    """The named strategies and tactics of one game.

    Attributes
    ----------
    file
        The TOML file in this package that lists them.
    kind
        The class of its strategies.
    """

    file: str
    kind: type[Strategy]

    @cached_property
    def _rows(self) -> dict[str, Any]:
        return tomllib.loads(files("strategies").joinpath(self.file).read_text(encoding="utf-8"))

    @cached_property
    def strategies(self) -> Mapping[str, CatalogueEntry]:
        """Every named strategy, by name, in the file's order."""
        entries: dict[str, CatalogueEntry] = {}
        for name, row in self._rows["strategies"].items():
            known = self.kind.vocabulary
            parameters = {key: known.parameter(key).read(str(value)) for key, value in row["parameters"].items()}
            if "base" in row:
                strategy = self.kind(name, entries[row["base"]].strategy.with_changes(parameters).values)
            else:
                strategy = self.kind.from_parameters(name, parameters)
            entries[name] = CatalogueEntry(strategy, row["description"], row["source"])
        return MappingProxyType(entries)

    @cached_property
    def tactics(self) -> Mapping[str, Tactic]:
        """Every named tactic, by name, in the file's order."""
        tactics = {}
        for name, row in self._rows["tactics"].items():
            find = self.kind.vocabulary.parameter
            low, high = (find(row["dose"]).check(value) for value in row["range"])
            off = MappingProxyType({key: find(key).check(value) for key, value in row["off"].items()})
            tactics[name] = Tactic(name, row["description"], row["source"], off, row["dose"], (low, high))
        return MappingProxyType(tactics)

    def strategy(self, text: str) -> Strategy:
        """Read a strategy as a user writes it: `name` or `name,parameter=value,...`.

        Raises
        ------
        InputError
            For an unknown name or parameter (the nearest one is given), a value that is no number or out of bounds.
        """
        name, changes = split_label(text)
        if name not in self.strategies:
            raise unknown_name("strategy", name, self.strategies)
        find = self.kind.vocabulary.parameter
        base = self.strategies[name].strategy
        return base.with_changes({key: find(key).read(value) for key, value in changes.items()})

    def tactic(self, name: str) -> Tactic:
        """Look a tactic up.

        Raises
        ------
        InputError
            If there is none of that name; the nearest one is given.
        """
        if name not in self.tactics:
            raise unknown_name("tactic", name, self.tactics)
        return self.tactics[name]


ESCALATION: Final = Catalogue("catalogue.toml", Strategy)


def named_strategies() -> Mapping[str, CatalogueEntry]:
    """Return every named strategy of Escalation!, by name, in the catalogue's order."""
    return ESCALATION.strategies


def named_tactics() -> Mapping[str, Tactic]:
    """Return every named tactic of Escalation!, by name, in the catalogue's order."""
    return ESCALATION.tactics


def strategy(text: str) -> Strategy:
    """Read a strategy of Escalation! as a user writes it: `name` or `name,parameter=value,...`.

    Raises
    ------
    InputError
        For an unknown name or parameter (the nearest one is given), a value that is no number or out of bounds.

    Examples
    --------
    >>> strategy("standard,early_take=3")["early_take"]
    3.0
    """
    return ESCALATION.strategy(text)


def tactic(name: str) -> Tactic:
    """Look a tactic of Escalation! up.

    Raises
    ------
    InputError
        If there is none of that name; the nearest one is given.
    """
    return ESCALATION.tactic(name)


__all__ = [
    "ESCALATION",
    "Catalogue",
    "CatalogueEntry",
    "InputError",
    "Tactic",
    "named_strategies",
    "named_tactics",
    "strategy",
    "tactic",
]
