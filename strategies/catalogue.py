"""The named strategies and tactics, read from `catalogue.toml`."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from types import MappingProxyType
from typing import Any

from strategies.errors import InputError, unknown_name
from strategies.parameters import parameter
from strategies.strategy import Strategy, read_number, split_label


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


@cache
def _catalogue() -> dict[str, Any]:
    return tomllib.loads(files("strategies").joinpath("catalogue.toml").read_text(encoding="utf-8"))


@cache
def named_strategies() -> Mapping[str, CatalogueEntry]:
    """Return every named strategy, by name, in the catalogue's order."""
    entries: dict[str, CatalogueEntry] = {}
    for name, row in _catalogue()["strategies"].items():
        parameters = dict(row["parameters"])
        if "base" in row:
            base = entries[row["base"]].strategy
            strategy = Strategy(name, base.with_changes(parameters).values)
        else:
            strategy = Strategy.from_parameters(name, parameters)
        entries[name] = CatalogueEntry(strategy, row["description"], row["source"])
    return MappingProxyType(entries)


@cache
def named_tactics() -> Mapping[str, Tactic]:
    """Return every named tactic, by name, in the catalogue's order."""
    tactics = {}
    for name, row in _catalogue()["tactics"].items():
        low, high = (parameter(row["dose"]).check(value) for value in row["range"])
        off = {key: parameter(key).check(value) for key, value in row["off"].items()}
        tactics[name] = Tactic(name, row["description"], row["source"], MappingProxyType(off), row["dose"], (low, high))
    return MappingProxyType(tactics)


def strategy(text: str) -> Strategy:
    """Read a strategy as a user writes it: `name` or `name,parameter=value,...`.

    Raises
    ------
    InputError
        For an unknown name or parameter (the nearest one is given), a value that is no number or out of bounds.

    Examples
    --------
    >>> strategy("standard,early_take=3")["early_take"]
    3.0
    """
    name, changes = split_label(text)
    known = named_strategies()
    if name not in known:
        raise unknown_name("strategy", name, known)
    return known[name].strategy.with_changes({key: read_number(key, value) for key, value in changes.items()})


def tactic(name: str) -> Tactic:
    """Look a tactic up.

    Raises
    ------
    InputError
        If there is none of that name; the nearest one is given.
    """
    known = named_tactics()
    if name not in known:
        raise unknown_name("tactic", name, known)
    return known[name]


__all__ = [
    "CatalogueEntry",
    "InputError",
    "Tactic",
    "named_strategies",
    "named_tactics",
    "strategy",
    "tactic",
]
