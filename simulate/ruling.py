"""Rulings: fields of the rules that answer what the sources leave open; both games declare theirs alike."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, fields, replace
from types import MappingProxyType
from typing import Any, Self

from strategies.errors import InputError, unknown_name


@dataclass(frozen=True)
class Ruling:
    """One question that may be answered either way.

    Attributes
    ----------
    name, default
        Its name as an option, and whether it is true unless told.
    gap, effect
        The question, and what the ruling decides.
    source
        Who answers it so; empty where the sources leave a gap.
    needs
        The ruling that must be true for this one to change anything; empty if it always may.
    """

    name: str
    default: bool
    gap: str
    effect: str
    source: str = ""
    needs: str = ""


def ruling(default: bool, gap: str, effect: str, source: str = "", needs: str = "") -> bool:
    """Declare a field of some rules to be a ruling; see `Ruling`."""
    return field(default=default, metadata={"gap": gap, "effect": effect, "source": source, "needs": needs})


def rulings_of(rules: type[RuledGame] | RuledGame) -> Mapping[str, Ruling]:
    """Return the rulings that some rules declare, by name, in their order."""
    declared = (known for known in fields(rules) if known.metadata)
    return MappingProxyType(
        {known.name: Ruling(known.name, bool(known.default), **known.metadata) for known in declared}
    )


@dataclass(frozen=True)
class RuledGame:
    """Rules of which some fields are rulings."""

    def check_rulings(self) -> None:
        """Make sure that every ruling is true or false.

        Raises
        ------
        InputError
            Naming one that is not.
        """
        for name in rulings_of(self):
            if not isinstance(getattr(self, name), bool):
                raise InputError(f"ruling {name} is true or false, not {getattr(self, name)!r}")

    def with_rulings(self, rulings: Mapping[str, bool]) -> Self:
        """Return these rules with some rulings changed.

        Raises
        ------
        InputError
            For an unknown ruling; the nearest one is given.
        """
        known = rulings_of(self)
        for name in rulings:
            if name not in known:
                raise unknown_name("ruling", name, known)
        changes: dict[str, Any] = dict(rulings)
        return replace(self, **changes)

    def turned_over(self, name: str) -> Mapping[str, bool]:
        """Return the rulings to change so that one is turned over: the ruling, and first the one that it needs.

        Raises
        ------
        InputError
            For an unknown ruling; the nearest one is given.
        """
        known = rulings_of(self)
        if name not in known:
            raise unknown_name("ruling", name, known)
        needed = known[name].needs
        first = {needed: True} if needed and not getattr(self, needed) else {}
        return MappingProxyType({**first, name: not getattr(self, name)})


def rulings_note(rulings: Mapping[str, bool]) -> str:
    """Return rulings as they are written: `lead_pass=true, pass_hand_takes=false`."""
    return ", ".join(f"{name}={str(value).lower()}" for name, value in rulings.items())
