"""A strategy: a full vector of parameters with a label, and the notation `name,parameter=value,...`."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import ClassVar, Self

import numpy as np
from numpy.typing import NDArray

from strategies.errors import InputError, check_printable
from strategies.parameters import PARAMETERS, PLAYER_RECORD, PLAYER_VOCABULARY, Vocabulary


@dataclass(frozen=True)
class Strategy:
    """What a player does: one value for every parameter.

    Two strategies are equal when their labels and values are.

    Attributes
    ----------
    label
        How it is shown, and read back: a name, or a name with changed parameters.
    values
        One number per parameter, in the order of the vocabulary.
    """

    vocabulary: ClassVar[Vocabulary] = PLAYER_VOCABULARY
    """What its players are made of; the other game has a class, and a vocabulary, of its own."""

    label: str
    values: tuple[float, ...]

    def __post_init__(self) -> None:
        """Check the label, and every value against its bounds; a negative zero becomes a plain one."""
        check_printable(self.label, "the label")
        known = self.vocabulary.parameters
        if len(self.values) != len(known):
            raise InputError(f"a strategy has {len(known)} parameters, not {len(self.values)}")
        checked = tuple(p.check(value) + 0.0 for p, value in zip(known, self.values, strict=True))
        object.__setattr__(self, "values", checked)

    @classmethod
    def from_parameters(cls, label: str, parameters: Mapping[str, float]) -> Self:
        """Make a strategy from named parameters; those not named are 0.

        Raises
        ------
        InputError
            For an unknown parameter or a value out of bounds.
        """
        for name in parameters:
            cls.vocabulary.parameter(name)
        return cls(label, tuple(float(parameters.get(name, 0.0)) for name in cls.vocabulary.names))

    def __getitem__(self, name: str) -> float:
        """Return the value of one parameter."""
        return self.values[self.vocabulary.names.index(self.vocabulary.parameter(name).name)]

    def spec(self) -> dict[str, float]:
        """Return the value of every parameter by name: what determines play."""
        return dict(zip(self.vocabulary.names, self.values, strict=True))

    def with_changes(self, changes: Mapping[str, float]) -> Self:
        """Return the same player with some parameters changed, labelled so that the label reads back as this strategy.

        Raises
        ------
        InputError
            For an unknown parameter or a value out of bounds.
        """
        if not changes:
            return self
        values = self.spec()
        values.update({self.vocabulary.parameter(name).name: float(value) for name, value in changes.items()})
        name, earlier = split_label(self.label)
        shown = {**earlier, **{key: self.vocabulary.parameter(key).show(value) for key, value in changes.items()}}
        label = ",".join([name, *(f"{key}={value}" for key, value in shown.items())])
        return type(self)(label, tuple(values.values()))


def split_label(text: str) -> tuple[str, dict[str, str]]:
    """Split `name,parameter=value,...` into the name and the changed parameters, values still as text.

    Raises
    ------
    InputError
        If a part after the name is not `parameter=value`, or names a parameter twice.
    """
    name, *parts = (part.strip() for part in text.split(","))
    changes: dict[str, str] = {}
    for part in parts:
        key, equals, value = (piece.strip() for piece in part.partition("="))
        if not (key and equals and value):
            raise InputError(f"'{part}' in '{text}' is not parameter=value; a strategy is: name,parameter=value,...")
        if key in changes:
            raise InputError(f"parameter {key} is given twice in '{text}'")
        changes[key] = value
    return name, changes


def player_records(players: Sequence[Strategy] | Iterable[Strategy]) -> NDArray[np.void]:
    """Quantise strategies into the records that the engines read.

    Returns
    -------
    numpy.ndarray, shape (players,), dtype PLAYER_RECORD
        Every parameter in whole steps, rounded once, here.
    """
    rows = [tuple(p.quantise(v) for p, v in zip(PARAMETERS, s.values, strict=True)) for s in players]
    return np.array(rows, dtype=PLAYER_RECORD)
