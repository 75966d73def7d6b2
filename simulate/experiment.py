"""An experiment: settings that share their deals, and a seed. It knows no kernel and no particular game."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Final, Protocol, TypeAlias

import numpy as np
from numpy.typing import NDArray

from strategies.errors import InputError

KERNEL_VERSION: Final = 2
"""Raised whenever the same experiment would play differently than before."""

GREATEST_SEED: Final = (1 << 63) - 1
MOST_GAMES: Final = 10**12
"""Up to here every sum over the games of a setting stays below 2**63."""

Counts: TypeAlias = Mapping[str, NDArray[np.int64]]
"""Named integer sums over games; counts of different blocks add up."""

Spec: TypeAlias = dict[str, Any]
"""What determines the numbers, as plain data: numbers, texts, lists and dictionaries by name."""


def no_counts(*shape: int) -> NDArray[np.int64]:
    """Return counts of some shape to which nothing has been added yet."""
    return np.zeros(shape, dtype=np.int64)


class Setting(Protocol):
    """What the runner needs to know of a game: one setting (point) of an experiment."""

    def play_deals(self, seed: int, deals: NDArray[np.int64]) -> Counts:
        """Play deals by number and return their counts; a pure function of its arguments."""
        ...

    def spec(self) -> Spec:
        """Return everything that determines play; labels do not, values do."""
        ...


def check_seed(seed: int) -> int:
    """Return a seed that may be one.

    Raises
    ------
    InputError
        If it is negative or too large.
    """
    if not 0 <= seed <= GREATEST_SEED:
        raise InputError(f"seed {seed} is not allowed: 0 to {GREATEST_SEED}")
    return seed


@dataclass(frozen=True)
class Experiment:
    """Settings to compare on common deals.

    Attributes
    ----------
    settings
        One or more settings; deal number d is the same deal in each of them.
    seed
        The seed of all randomness, 0 to 2**63 - 1.
    """

    settings: tuple[Setting, ...]
    seed: int

    def __post_init__(self) -> None:
        """Check that there is something to play and that the seed is one."""
        if not self.settings:
            raise InputError("an experiment needs at least one setting")
        check_seed(self.seed)

    def spec(self) -> Spec:
        """Return what determines the numbers of every block."""
        return {**self.head(), "settings": [setting.spec() for setting in self.settings]}

    @cached_property
    def digest(self) -> str:
        """A hash of `spec`: equal digests mean equal numbers, however many blocks on however many threads."""
        digest = hashlib.sha256(canonical(self.head()))
        for setting in self.settings:
            digest.update(b"\n" + canonical(setting.spec()))
        return digest.hexdigest()[:16]

    def head(self) -> Spec:
        """Return what determines the numbers of every setting alike."""
        return {"kernel_version": KERNEL_VERSION, "seed": self.seed}


def canonical(spec: Spec) -> bytes:
    """Return plain data as the one JSON text that stands for it."""
    return json.dumps(spec, sort_keys=True, separators=(",", ":")).encode()


def first_difference(there: object, here: object, place: str = "") -> str | None:
    """Name the first place where two pieces of plain data differ, or return None if they are equal.

    Parameters
    ----------
    there, here
        What is stored, and what is asked for now.
    place
        Where in the whole these two are, such as "rules.deck".

    Examples
    --------
    >>> first_difference({"seed": 1, "seats": [{"shed": 0.5}]}, {"seed": 1, "seats": [{"shed": 1.0}]})
    'seats[0].shed is 0.5 there and 1.0 here'
    """
    if isinstance(there, Mapping) and isinstance(here, Mapping):
        for name in [*there, *(name for name in here if name not in there)]:
            where = f"{place}.{name}" if place else str(name)
            if name not in there or name not in here:
                return f"{where} is only {'here' if name in here else 'there'}"
            if difference := first_difference(there[name], here[name], where):
                return difference
        return None
    if isinstance(there, list | tuple) and isinstance(here, list | tuple):
        for number, (stored, asked) in enumerate(zip(there, here, strict=False)):
            if difference := first_difference(stored, asked, f"{place}[{number}]"):
                return difference
        return None if len(there) == len(here) else f"{place} has {len(there)} entries there and {len(here)} here"
    return None if there == here else f"{place} is {there} there and {here} here"
