"""What a sweep can vary, how that is written, and what a value does to the rules and the players."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, replace
from functools import cache
from types import MappingProxyType
from typing import Final

from reports.reading.values import Factor, Value, Variation, checked_values, read_numbers, split_values
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
from strategies.parameters import PARAMETER_NAMES, PARAMETERS, Parameter
from strategies.strategy import Strategy

NAMES_GRAMMAR: Final = (
    "any parameter of a player (see: escalation strategies), opponents.PARAMETER, all.PARAMETER, players, hand_size, "
    "wild_max, deck, deck.wilds, deck.passes, rule.RULING (see: escalation rules)"
)

FOCAL: Final = "focal"
OPPONENTS: Final = "opponents"
ALL: Final = "all"
_WHOSE: Final = ("", OPPONENTS, ALL)
"""Before the name of a habit: whose it is; empty where the sweep decides."""


@dataclass(frozen=True)
class Words:
    """Something that a sweep can vary whose values are words: the deck, or a ruling.

    Attributes
    ----------
    name
        As it is written: `deck`, `rule.lead_pass`.
    meaning
        What it is, in one line.
    unit
        Empty: words have no unit.
    """

    name: str
    meaning: str
    unit: str = ""

    def read(self, text: str) -> str:
        """Read one value as a user writes it.

        Raises
        ------
        InputError
            If it is not one; the message says what is allowed.
        """
        if self.name == "deck":
            return Deck.parse(text).name
        if text.lower() not in {"true", "false"}:
            raise InputError(f"{self.name}={text} is not allowed: true or false")
        return text.lower()

    def show(self, value: Value) -> str:
        """Write a value so that `read` reads it back."""
        return str(value)

    def divided(self, text: str) -> list[str]:
        """Divide several values: by commas, or by semicolons if they are compositions with commas of their own."""
        composition = text.partition("x")[2][:1].isdigit()
        return text.split(";" if self.name == "deck" and (";" in text or composition) else ",")


def _habit(parameter: Parameter, whose: str) -> Parameter:
    if not whose:
        return parameter
    return replace(parameter, name=f"{whose}.{parameter.name}", meaning=f"{whose}: {parameter.meaning}")


def _whole(name: str, unit: str, meaning: str, low: int, high: int) -> Parameter:
    return Parameter(name, unit, low, high, meaning, "", whole=True)


@cache
def factors() -> Mapping[str, Parameter | Words]:
    """Return everything that can vary, by name."""
    habits = [_habit(parameter, whose) for whose in _WHOSE for parameter in PARAMETERS]
    table: list[Parameter | Words] = [
        _whole("players", "players", "players at the table", FEWEST_PLAYERS, MOST_PLAYERS),
        _whole("hand_size", "cards", "cards in hand", 1, MOST_IN_HAND),
        _whole("wild_max", "points", "the greatest value that a wild may stand for", 1, GREATEST_WILD_VALUE),
        Words("deck", "the composition of the deck"),
        _whole("deck.wilds", "cards", "wilds in the deck", 0, MOST_WILDS),
        _whole("deck.passes", "cards", "Passes in the deck", 0, MOST_PASSES),
    ]
    rulings = [Words(f"rule.{ruling.name}", f"{ruling.gap}: {ruling.effect}") for ruling in RULINGS.values()]
    return MappingProxyType({known.name: known for known in [*habits, *table, *rulings]})


def factor(name: str) -> Parameter | Words:
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


def habit_of(name: str) -> tuple[str, str] | None:
    """Return whose habit a name stands for and which one; None if it stands for something else.

    Examples
    --------
    >>> habit_of("opponents.noise"), habit_of("noise"), habit_of("deck.wilds")
    (('opponents', 'noise'), ('', 'noise'), None)
    """
    whose, _, habit = name.rpartition(".")
    return (whose, habit) if whose in _WHOSE and habit in PARAMETER_NAMES else None


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
    if isinstance(known, Words):
        return Variation(known, checked_values(known, [known.read(part.strip()) for part in known.divided(values)]))
    return read_numbers(known, values)


def read_value(known: Factor, value: object) -> Value:
    """Return a value that stands in plain data: a text for words, a number for numbers.

    Raises
    ------
    InputError
        If it is neither, or not allowed.
    """
    words = isinstance(known, Words)
    if isinstance(value, bool) and known.name.startswith("rule."):
        return str(value).lower()
    if isinstance(value, str) != words or isinstance(value, bool):
        raise InputError(f"spec.vary.{known.name}: {value!r} is not a {'word' if words else 'number'}")
    found = known.read(str(value))
    return found if isinstance(found, str) else found + 0.0


def variation_from(name: str, data: object) -> Variation:
    """Return what `Variation.spec` wrote.

    Raises
    ------
    InputError
        If the name is unknown, or a value is not allowed.
    """
    known = factor(name)
    if isinstance(data, list):
        return Variation(known, checked_values(known, [read_value(known, value) for value in data]))
    if isinstance(data, str):
        return read_variation(f"{name}={data}")
    raise InputError(f"spec.vary.{name} is {data!r}, not a list of values or a text such as '0:6:2'")


def changed_rules(rules: Rules, values: Mapping[str, Value]) -> Rules:
    """Return the rules with the deck, the hand size and the rulings that a setting has."""
    deck = Deck.parse(str(values["deck"])) if "deck" in values else rules.deck
    deck = replace(
        deck,
        wilds=int(values.get("deck.wilds", deck.wilds)),
        passes=int(values.get("deck.passes", deck.passes)),
    )
    hand_size, wild_max = (int(values.get(name, getattr(rules, name))) for name in ("hand_size", "wild_max"))
    rulings = {name: values[f"rule.{name}"] == "true" for name in RULINGS if f"rule.{name}" in values}
    return replace(rules, deck=deck, hand_size=hand_size, wild_max=wild_max).with_rulings(rulings)


def changed_player(player: Strategy, values: Mapping[str, Value], whose: Collection[str]) -> Strategy:
    """Return a player with those parameters changed that are written for any of `whose`."""
    habits = ((habit_of(name), value) for name, value in values.items())
    return player.with_changes({habit[1]: float(value) for habit, value in habits if habit and habit[0] in whose})


def value_of(name: str, rules: Rules, focal: Strategy, opponent: Strategy) -> Value:
    """Return the value that something has before it is varied."""
    if habit := habit_of(name):
        return (opponent if habit[0] == OPPONENTS else focal)[habit[1]]
    if name == "deck":
        return rules.deck.name
    place, _, part = name.rpartition(".")
    if place == "rule":
        return str(getattr(rules, part)).lower()
    return float(getattr(rules.deck if place == "deck" else rules, part))
