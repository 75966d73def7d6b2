"""How users write the values that something takes in turn; it knows no game.

What the values are for is a `Readable`: something with a name that reads and checks one value.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import Final, Protocol, TypeAlias, TypeVar

from simulate.escalation.rules import FEWEST_PLAYERS, MOST_PLAYERS
from strategies.errors import InputError
from strategies.parameters import Parameter, Vocabulary

MOST_SETTINGS: Final = 100_000

VARIATION_GRAMMAR: Final = "write NAME=START:STOP:STEP (STOP included, STEP 1 if left out), NAME=A,B,C or NAME=VALUE"

Kind = TypeVar("Kind", bound="float | str")
Value: TypeAlias = float | str
"""A number, or a word: a deck's name or composition, `true` or `false` of a ruling."""


class Readable(Protocol):
    """What values are read for, such as a parameter of a player."""

    @property
    def name(self) -> str:
        """As it is written."""
        ...

    @property
    def whole(self) -> bool:
        """Whether only whole numbers make sense."""
        ...

    def read(self, text: str) -> Value:
        """Read one value as a user writes it."""
        ...

    def check(self, value: float, /) -> float:
        """Return a number if it is allowed."""
        ...


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


def checked_values(known: Readable, values: Sequence[Kind]) -> tuple[Kind, ...]:
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


def read_range(known: Readable, text: str) -> tuple[tuple[float, ...], tuple[float, float] | None]:
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
    if (stop < start) == (step > 0) and stop != start:
        raise InputError(f"'{name}={text}' never gets there: the step {step} points away from {stop}")
    number = (stop - start) / step
    if number >= MOST_SETTINGS:
        raise InputError(f"'{name}={text}' asks for about {number:.3g} values: at most {MOST_SETTINGS:,} settings")
    values = tuple(known.check(float(start + step * place)) for place in range(int(number) + 1))
    stepless = len(parts) == len(("start", "stop")) and not known.whole
    return values, (float(start), float(stop)) if stepless else None


@dataclass(frozen=True)
class Habit:
    """A parameter of a player, and the values that it takes in turn."""

    known: Parameter
    values: tuple[float, ...]

    @property
    def name(self) -> str:
        """The parameter's name."""
        return self.known.name


def read_habit(text: str, vocabulary: Vocabulary) -> Habit:
    """Read `name=start:stop:step`, `name=a,b,c` or `name=value`.

    Raises
    ------
    InputError
        If the text is neither, the parameter unknown, or a value out of bounds or given twice.

    Examples
    --------
    >>> from strategies.quickly import PERSON
    >>> read_habit("sigma=0.5:2:0.5", PERSON).values
    (0.5, 1.0, 1.5, 2.0)
    """
    name, values = split_values(text)
    known = vocabulary.parameter(name)
    if ":" in values:
        return Habit(known, read_range(known, values)[0])
    listed = [known.read(value.strip()) + 0.0 for value in values.split(",")]
    return Habit(known, checked_values(known, listed))


def read_counts(text: str, fewest: int, most: int) -> tuple[int, ...]:
    """Read player counts written as `4` or `2-6`.

    Raises
    ------
    InputError
        If the text is neither, or the counts are not within `fewest` and `most`.
    """
    grammar = f"write a number such as 4 or a span such as 2-6, within {fewest}-{most}"
    first, dash, last = (part.strip() for part in text.strip().partition("-"))
    if not (first.isdecimal() and (last.isdecimal() if dash else True)):
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
