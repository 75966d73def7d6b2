"""An experiment: settings that share their deals, and a seed. It knows no kernel and no particular game."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final, Protocol, TypeAlias

import numpy as np
from numpy.typing import NDArray

from strategies.errors import InputError

KERNEL_VERSION: Final = 1
"""Raised whenever the same experiment would play differently than before."""

GREATEST_SEED: Final = (1 << 63) - 1

Counts: TypeAlias = Mapping[str, NDArray[np.int64]]
"""Named integer sums over games; counts of different blocks add up."""


class Setting(Protocol):
    """What the runner needs to know of a game: one setting (point) of an experiment."""

    def play_deals(self, seed: int, deals: NDArray[np.int64]) -> Counts:
        """Play deals by number and return their counts; a pure function of its arguments."""
        ...

    def spec(self) -> dict[str, Any]:
        """Return everything that determines play, as plain numbers, texts, lists and dictionaries."""
        ...


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
        if not 0 <= self.seed <= GREATEST_SEED:
            raise InputError(f"seed {self.seed} is not allowed: 0 to {GREATEST_SEED}")

    def spec(self) -> dict[str, Any]:
        """Return what determines the numbers of every block."""
        return {**self._head(), "settings": [setting.spec() for setting in self.settings]}

    @property
    def digest(self) -> str:
        """A hash of `spec`: equal digests mean equal numbers, however many blocks on however many threads."""
        digest = hashlib.sha256(_canonical(self._head()))
        for setting in self.settings:
            digest.update(b"\n" + _canonical(setting.spec()))
        return digest.hexdigest()[:16]

    def _head(self) -> dict[str, Any]:
        return {"kernel_version": KERNEL_VERSION, "seed": self.seed}


def _canonical(spec: dict[str, Any]) -> bytes:
    return json.dumps(spec, sort_keys=True, separators=(",", ":")).encode()
