"""Something that varies and the values it takes in turn, as users write them."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import Final, Protocol, TypeAlias

from simulate.escalation.rules import FEWEST_PLAYERS, MOST_PLAYERS
from strategies.errors import InputError
from strategies.parameters import Parameter, Vocabulary

MOST_SETTINGS: Final = 100_000

VARIATION_GRAMMAR: Final = "write NAME=START:STOP:STEP (STOP included, STEP 1 if left out), NAME=A,B,C or NAME=VALUE"

Value: TypeAlias = float | str
"""A number, or a word: a deck's name or composition, `true` or `false` of a ruling."""

_DECIMALS: Final = 6
"""Values drawn from a range are rounded to this many decimals, so that they can be written down exactly."""


class Factor(Protocol):
    """Something that can vary, such as a parameter of a player."""

    @property
    def name(self) -> str:
        """As it is written."""
        ...

    @property
    def unit(self) -> str:
        """The unit of its values; empty for words."""
        ...

    @property
    def meaning(self) -> str:
        """What it is, in one line."""
        ...

    def read(self, text: str) -> Value:
        """Read one value as a user writes it."""
        ...

    def show(self, value: float, /) -> str:
        """Write a value so that `read` reads it back."""
        ...


@dataclass(frozen=True)
class Variation:
    """Something that varies, and the values that it takes in turn.

    Attributes
    ----------
    factor
        What varies.
    values
        The values, in the order they were given.
    span
        The ends of a range that was written without a step: a design that draws its points takes any value between.
    """

    factor: Factor
    values: tuple[Value, ...]
    span: tuple[float, float] | None = None

    @property
    def name(self) -> str:
        """The name of what varies."""
        return self.factor.name

    @property
    def unit(self) -> str:
        """The unit of the values."""
        return self.factor.unit

    @property
    def words(self) -> bool:
        """Whether the values are words, not numbers."""
        return any(isinstance(value, str) for value in self.values)

    @property
    def numbers(self) -> tuple[float, ...]:
        """The values of something whose values are numbers."""
        return tuple(float(value) for value in self.values)

    @property
    def ordered(self) -> list[Value]:
        """The values in the order to show them: numbers by size, words as given."""
        return list(self.values if self.words else sorted(self.numbers))

    def spec(self) -> list[Value] | str:
        """Return the values as plain data, or a range without a step as it is written."""
        return list(self.values) if self.span is None else "{!r}:{!r}".format(*self.span)

    def at(self, share: float) -> Value:
        """Return the value at a share from 0 to 1 (excluded) of the way through."""
        if self.span is None:
            return self.values[int(share * len(self.values))]
        low, high = self.span
        return round(low + share * (high - low), _DECIMALS) + 0.0


PURE_NUMBERS: Final = {"probability", "share"}
"""Units that are kinds of numbers: nobody says "0.1 probability"."""


def with_unit(text: str, values: Sequence[Value], unit: str) -> str:
    """Write the unit behind values that are written already, as people say it: "at 1 card per card".

    Parameters
    ----------
    text
        The values in words, such as "at 1" or "from 2 to 4".
    values
        The values.
    unit
        Their unit as it is listed, such as "cards/point"; nothing is added for a pure number or without a unit.
    """
    if not unit or unit in PURE_NUMBERS:
        return text
    counted, _, of = unit.partition("/")
    if set(values) <= {1, -1}:
        counted = counted.removesuffix("s")
    per = f" per {of.strip('()').replace(' x ', ' and ')}" if of else ""
    return f"{text} {counted}{per}"


def shown(value: object) -> str:
    """Write a value as people read it."""
    return value if isinstance(value, str) else f"{value:g}"


def split_values(text: str) -> tuple[str, str]:
    """Divide `name=values`.

    Raises
    ------
    InputError
        If it is not that.
    """
    name, equals, values = (part.strip() for part in text.partition("="))
    if not (name and equals and values):
        raise InputError(f"'{text}' does not vary a parameter: {VARIATION_GRAMMAR}")
    return name, values


def check_size(settings: int, kind: str = "grid") -> None:
    """Make sure that there are not too many settings.

    Raises
    ------
    InputError
        If there are.
    """
    if settings > MOST_SETTINGS:
        raise InputError(f"the {kind} has {settings:,} settings: at most {MOST_SETTINGS:,} are allowed")


def checked_values(known: Factor, values: Sequence[Value]) -> tuple[Value, ...]:
    """Return values that are there and each given once.

    Raises
    ------
    InputError
        If there are none, or one is given twice.
    """
    if not values:
        raise InputError(f"{known.name} has no values: {VARIATION_GRAMMAR}")
    repeated = next((value for place, value in enumerate(values) if value in values[:place]), None)
    if repeated is not None:
        raise InputError(f"{known.name}={shown(repeated)} is given twice: each value once")
    return tuple(values)


def read_range(known: Parameter, text: str) -> tuple[tuple[float, ...], tuple[float, float] | None]:
    """Read `start:stop:step` or `start:stop`: the values, and the ends of a range that was written without a step.

    Raises
    ------
    InputError
        If it is malformed, out of bounds, never ends or has more values than settings are allowed.
    """
    name, parts = known.name, text.split(":")
    if len(parts) not in {2, 3}:
        raise InputError(f"'{name}={text}' is malformed: {VARIATION_GRAMMAR}")
    for part in parts[:2]:
        known.read(part.strip())
    try:
        # Decimal numbers, so that 0:1:0.1 ends at 1 and no value carries a rounding error.
        start, stop, step = (Decimal(part.strip()) for part in [*parts, "1"][:3])
    except ArithmeticError:
        raise InputError(f"'{name}={text}' has no step that is a number: {VARIATION_GRAMMAR}") from None
    if not math.isfinite(float(step)) or float(step) == 0:
        raise InputError(f"the step of '{name}={text}' is {step}: it must be a number other than 0")
    if float(start) == float(stop):
        raise InputError(f"'{name}={text}' starts where it stops: write {name}={parts[0].strip()}")
    if (stop < start) == (step > 0):
        raise InputError(f"'{name}={text}' never gets there: the step {step} points away from {stop}")
    number = (stop - start) / step
    if number >= MOST_SETTINGS:
        raise InputError(f"'{name}={text}' asks for about {number:.3g} values: at most {MOST_SETTINGS:,} settings")
    values = tuple(known.check(float(start + step * place)) + 0.0 for place in range(int(number) + 1))
    stepless = len(parts) == len(("start", "stop")) and not known.whole
    return values, (float(start), float(stop)) if stepless else None


def read_numbers(known: Parameter, text: str) -> Variation:
    """Read `start:stop:step`, `start:stop`, `a,b,c` or one value of something whose values are numbers.

    Raises
    ------
    InputError
        If the text is none of these, or a value out of bounds or given twice.
    """
    if ":" in text:
        return Variation(known, *read_range(known, text))
    # A negative zero is a plain one.
    return Variation(known, checked_values(known, [known.read(value.strip()) + 0.0 for value in text.split(",")]))


def read_habit(text: str, vocabulary: Vocabulary) -> Variation:
    """Read the values of a player's parameter: `name=start:stop:step`, `name=a,b,c` or `name=value`.

    Raises
    ------
    InputError
        As `read_numbers`, or if the parameter is unknown.

    Examples
    --------
    >>> from strategies.quickly import PERSON
    >>> read_habit("sigma=0.5:2:0.5", PERSON).values
    (0.5, 1.0, 1.5, 2.0)
    """
    name, values = split_values(text)
    return read_numbers(vocabulary.parameter(name), values)


def read_counts(text: str, fewest: int, most: int) -> tuple[int, ...]:
    """Read player counts written as `4` or `2-6`.

    Raises
    ------
    InputError
        If the text is neither, or the counts are not within `fewest` and `most`.
    """
    grammar = f"write a number such as 4 or a span such as 2-6, within {fewest}-{most}"
    first, dash, last = (part.strip() for part in text.strip().partition("-"))
    if not all(re.fullmatch("[0-9]{1,9}", count) for count in ((first, last) if dash else (first,))):
        raise InputError(f"players '{text}' is malformed: {grammar}")
    low, high = int(first), int(last or first)
    if low > high:
        raise InputError(f"players '{text}' runs backwards: write {high}-{low}")
    if low < fewest or high > most:
        raise InputError(f"players '{text}' is not allowed: {grammar}")
    return tuple(range(low, high + 1))


def read_player_counts(text: str) -> tuple[int, ...]:
    """Read player counts written as `4` or `2-6` (see `read_counts`)."""
    return read_counts(text, FEWEST_PLAYERS, MOST_PLAYERS)
