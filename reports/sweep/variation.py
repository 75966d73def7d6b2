"""What a sweep can vary, how that is written, and what a value does to the rules and the players."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cache
from types import MappingProxyType
from typing import Any, Final

from reports.reading.values import Value, checked_values, read_range, split_values
from simulate.escalation.rules import (
    FEWEST_PLAYERS,
    GREATEST_WILD_VALUE,
    MOST_IN_HAND,
    MOST_PASSES,
    MOST_PLAYERS,
    MOST_WILDS,
    RULINGS,
    Deck,
    Rules,
)
from strategies.errors import InputError, unknown_name
from strategies.parameters import PARAMETERS, Parameter
from strategies.strategy import Strategy

NAMES_GRAMMAR: Final = (
    "any parameter of a player (see: escalation strategies), opponents.PARAMETER, all.PARAMETER, players, hand_size, "
    "wild_max, deck, deck.wilds, deck.passes, rule.RULING (see: escalation rules)"
)

FOCAL: Final = "focal"
OPPONENTS: Final = "opponents"
ALL: Final = "all"
_DECIMALS: Final = 6
"""Values drawn from a range are rounded to this many decimals, so that they can be written down exactly."""


@dataclass(frozen=True)
class Factor:
    """Something that can vary.

    Attributes
    ----------
    name
        As it is written: `early_take`, `opponents.early_take`, `deck.wilds`, `rule.lead_pass`.
    unit
        The unit of its values; empty for words.
    meaning
        What it is, in one line.
    low, high
        The bounds of its values, if they are numbers.
    whole
        Whether only whole numbers make sense.
    words
        Whether its values are words.
    habit
        The parameter of a player that it sets, if any.
    whose
        Whose parameter: "opponents", "all", or empty where the sweep decides.
    """

    name: str
    unit: str
    meaning: str
    low: float = 0.0
    high: float = 0.0
    whole: bool = False
    words: bool = False
    habit: str = ""
    whose: str = ""

    def read(self, text: str) -> Value:
        """Read one value as a user writes it.

        Raises
        ------
        InputError
            If it is not one; the message says what is allowed.
        """
        if self.name == "deck":
            return Deck.parse(text).name
        if self.words:
            if text.lower() not in {"true", "false"}:
                raise InputError(f"{self.name}={text} is not allowed: true or false")
            return text.lower()
        try:
            number = float(text)
        except ValueError:
            raise InputError(f"{self.name}={text} is not a number: {self._allowed}") from None
        return self.check(number)

    def check(self, number: float) -> float:
        """Return a number if it is allowed, a negative zero as a plain one."""
        if not math.isfinite(number) or not self.low <= number <= self.high:
            raise InputError(f"{self.name}={number:g} is not allowed: {self._allowed}")
        if self.whole and number != int(number):
            raise InputError(f"{self.name}={number:g} is not allowed: {self._allowed}")
        return number + 0.0

    def from_data(self, value: object) -> Value:
        """Return a value that stands in plain data: a text for words, a number for numbers.

        Raises
        ------
        InputError
            If it is neither, or not allowed.
        """
        if isinstance(value, bool) and self.name.startswith("rule."):
            return str(value).lower()
        if isinstance(value, str) == self.words and not isinstance(value, bool):
            return self.read(str(value))
        raise InputError(f"spec.vary.{self.name}: {value!r} is not a {'word' if self.words else 'number'}")

    @property
    def _allowed(self) -> str:
        kind = "whole number" if self.whole else "number"
        return f"{self.name} is a {kind} of {self.unit} from {self.low:g} to {self.high:g}"


def _habit(parameter: Parameter, whose: str) -> Factor:
    name = f"{whose}.{parameter.name}" if whose else parameter.name
    meaning = f"{whose}: {parameter.meaning}" if whose else parameter.meaning
    return Factor(
        name, parameter.unit, meaning, parameter.lower, parameter.upper, habit=parameter.name, whose=whose
    )  # fmt: skip


def _whole(name: str, unit: str, meaning: str, low: int, high: int) -> Factor:
    return Factor(name, unit, meaning, float(low), float(high), whole=True)


@cache
def factors() -> Mapping[str, Factor]:
    """Return everything that can vary, by name."""
    habits = [_habit(parameter, whose) for whose in ("", OPPONENTS, ALL) for parameter in PARAMETERS]
    table = [
        _whole("players", "players", "players at the table", FEWEST_PLAYERS, MOST_PLAYERS),
        _whole("hand_size", "cards", "cards in hand", 1, MOST_IN_HAND),
        _whole("wild_max", "points", "the greatest value that a wild may stand for", 1, GREATEST_WILD_VALUE),
        Factor("deck", "", "the composition of the deck", words=True),
        _whole("deck.wilds", "cards", "wilds in the deck", 0, MOST_WILDS),
        _whole("deck.passes", "cards", "Passes in the deck", 0, MOST_PASSES),
    ]
    rulings = [Factor(f"rule.{r.name}", "", f"{r.gap}: {r.effect}", words=True) for r in RULINGS.values()]
    return MappingProxyType({factor.name: factor for factor in (*habits, *table, *rulings)})


def factor(name: str) -> Factor:
    """Look up something that can vary.

    Raises
    ------
    InputError
        If there is none of that name; the message gives the nearest one.
    """
    known = factors()
    if name not in known:
        nearest = str(unknown_name("parameter", name, known)).partition("allowed:")[0]
        raise InputError(f"{nearest}allowed: {NAMES_GRAMMAR}")
    return known[name]


@dataclass(frozen=True)
class Variation:
    """Something that varies, and the values that it takes in turn.

    Attributes
    ----------
    name
        The name of its `Factor`.
    values
        The values, in the order they were given.
    span
        The ends of a range that was written without a step: a design that draws its points takes any value between.
    """

    name: str
    values: tuple[Value, ...]
    span: tuple[float, float] | None = None

    @property
    def factor(self) -> Factor:
        """What varies."""
        return factor(self.name)

    @property
    def unit(self) -> str:
        """The unit of the values."""
        return self.factor.unit

    @property
    def numbers(self) -> tuple[float, ...]:
        """The values of something whose values are numbers."""
        return tuple(float(value) for value in self.values)

    @property
    def words(self) -> bool:
        """Whether the values are words, not numbers."""
        return self.factor.words

    @property
    def ordered(self) -> list[Any]:
        """The values in the order to show them: numbers by size, words as given."""
        return list(self.values) if self.words else sorted(self.values, key=float)

    def spec(self) -> list[Value] | str:
        """Return the values as plain data, or a range without a step as it is written."""
        return list(self.values) if self.span is None else "{!r}:{!r}".format(*self.span)

    @staticmethod
    def from_spec(name: str, data: object) -> Variation:
        """Return what `spec` wrote.

        Raises
        ------
        InputError
            If the name is unknown, or a value is not allowed.
        """
        known = factor(name)
        if isinstance(data, list):
            return Variation(name, checked_values(known, [known.from_data(value) for value in data]))
        if isinstance(data, str):
            return read_variation(f"{name}={data}")
        raise InputError(f"spec.vary.{name} is {data!r}, not a list of values or a text such as '0:6:2'")

    def at(self, share: float) -> Value:
        """Return the value at a share from 0 to 1 (excluded) of the way through."""
        if self.span is None:
            return self.values[int(share * len(self.values))]
        low, high = self.span
        return round(low + share * (high - low), _DECIMALS) + 0.0


def read_variation(text: str) -> Variation:
    """Read `name=start:stop:step`, `name=a,b,c` or `name=value`.

    Raises
    ------
    InputError
        If the text is neither, the name unknown, a value out of bounds or given twice, the step 0 or pointing away
        from the stop, or if there are more values than settings are allowed.

    Examples
    --------
    >>> read_variation("early_take=0:6:2").values
    (0.0, 2.0, 4.0, 6.0)
    >>> read_variation("rule.lead_pass=false,true").values
    ('false', 'true')
    """
    name, values = split_values(text)
    known = factor(name)
    if ":" in values and not known.words:
        return Variation(name, *read_range(known, values))
    return Variation(name, checked_values(known, [known.read(part.strip()) for part in _listed(known, values)]))


def _listed(known: Factor, text: str) -> list[str]:
    if known.name != "deck":
        return text.split(",")
    # A composition has commas of its own: several compositions are divided by semicolons.
    compositions = (
        "x" in text and any(character.isdigit() for character in text) and text.partition("x")[2][:1].isdigit()
    )
    return text.split(";") if ";" in text or compositions else text.split(",")


def changed_rules(rules: Rules, values: Mapping[str, Value]) -> Rules:
    """Return the rules with the deck, the hand size and the rulings that a setting has."""
    deck = Deck.parse(str(values["deck"])) if "deck" in values else rules.deck
    deck = replace(
        deck,
        wilds=int(values.get("deck.wilds", deck.wilds)),
        passes=int(values.get("deck.passes", deck.passes)),
    )
    numbers = {name: int(values[name]) for name in ("hand_size", "wild_max") if name in values}
    rulings = {name: values[f"rule.{name}"] == "true" for name in RULINGS if f"rule.{name}" in values}
    changes: dict[str, Any] = {**numbers, **rulings}
    return replace(rules, deck=deck, **changes)


def changed_player(player: Strategy, values: Mapping[str, Value], whose: frozenset[str]) -> Strategy:
    """Return a player with those parameters changed that are written for any of `whose`."""
    known = ((factor(name), value) for name, value in values.items())
    return player.with_changes({f.habit: float(value) for f, value in known if f.habit and f.whose in whose})


def value_of(known: Factor, rules: Rules, focal: Strategy, opponent: Strategy) -> Value:
    """Return the value that something has before it is varied."""
    if known.habit:
        return (opponent if known.whose == OPPONENTS else focal)[known.habit]
    if known.name == "deck":
        return rules.deck.name
    place, _, name = known.name.rpartition(".")
    if place == "rule":
        return str(getattr(rules, name)).lower()
    return float(getattr(rules.deck if place == "deck" else rules, name))
