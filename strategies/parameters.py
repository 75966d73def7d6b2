"""Every parameter of a heuristic player: its name, unit, bounds and meaning, in this one place.

The record that the engines read, the command line's listing and the table in the docs are generated from `PARAMETERS`.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property
from typing import Final

import numpy as np

from strategies.errors import InputError, unknown_name

CARD: Final = 1 << 16
"""One card of cost, in the integer units that every cost is counted in."""

CERTAINTY: Final = 1 << 32
"""Probability 1, in the integer units that a noise draw is compared with."""

WHOLE_CARDS: Final = 1e6
PER_CARD: Final = 256.0
PER_POINT_AND_CARD: Final = 4.0


@dataclass(frozen=True)
class Parameter:
    """One habit of a player as a number; 0 means that the habit is absent, unless the meaning says otherwise.

    Attributes
    ----------
    name
        The word used in code, on the command line, in tables and in the docs.
    unit
        The unit of the number as a user writes it.
    lower, upper
        The bounds, both allowed.
    meaning
        What the habit is, in one line for a card player.
    enters
        The term it adds, and to the cost of which option.
    steps
        Integer steps per unit: values are rounded to the nearest step once, when read, and never again.
    experimental
        True while no use of it is known to gain.
    whole
        Whether only whole numbers make sense.
    choices
        Names for the values 0, 1, 2, ..., where the number only numbers them.
    """

    name: str
    unit: str
    lower: float
    upper: float
    meaning: str
    enters: str
    steps: int = CARD
    experimental: bool = False
    whole: bool = False
    choices: tuple[str, ...] = ()

    def check(self, value: float) -> float:
        """Return the value as a float if a player may have it.

        Raises
        ------
        InputError
            If it is not a number or out of bounds.
        """
        try:
            value = float(value)
        except OverflowError:  # a whole number may have any number of digits
            value = math.inf if value > 0 else -math.inf
        allowed = math.isfinite(value) and self.lower <= value <= self.upper
        if not allowed or (self.whole and value != int(value)):
            raise InputError(f"{self.name}={value:g} is not allowed: {self.name} is {self.nature}")
        return value

    @property
    def nature(self) -> str:
        """What kind of number it is, for messages."""
        if self.choices:
            return f"one of {', '.join(self.choices)}"
        return f"a {'whole ' if self.whole else ''}number of {self.unit} from {self.lower:g} to {self.upper:g}"

    def read(self, text: str) -> float:
        """Read a value as a user wrote it: a number, or the name of a choice.

        Raises
        ------
        InputError
            If the text is neither, or the number is out of bounds; the message says what is allowed.
        """
        if text in self.choices:
            return float(self.choices.index(text))
        try:
            value = float(text)
        except ValueError:
            if self.choices:
                raise unknown_name(self.name, text, self.choices) from None
            raise InputError(f"{self.name}={text} is not a number: {self.name} is {self.nature}") from None
        return self.check(value)

    def show(self, value: float) -> str:
        """Write a value so that `read` reads it back."""
        if self.choices:
            return self.choices[int(value)]
        short = f"{value:.15g}"
        return short if float(short) == value else repr(value)

    def quantise(self, value: float) -> int:
        """Return the value in whole steps, as the engines see it."""
        return round(value * self.steps)


def _cards(name: str, meaning: str, enters: str) -> Parameter:
    return Parameter(name, "cards", -WHOLE_CARDS, WHOLE_CARDS, meaning, enters)


def _per(what: str, name: str, meaning: str, enters: str) -> Parameter:
    return Parameter(name, f"cards/{what}", -PER_CARD, PER_CARD, meaning, enters)


PARAMETERS: Final[tuple[Parameter, ...]] = (
    _per(
        "point",
        "overshoot",
        "dislikes beating the target by more than needed (negative: likes to jump)",
        "a beat: + overshoot x (total - target - 1)",
    ),
    _per("card", "shed", "likes to beat with many cards at once", "a beat: - shed x (cards - 1)"),
    _per("wild", "wild_hold", "holds wilds back", "any set: + wild_hold x wilds in it"),
    _cards(
        "wild_seven_jump",
        "likes to declare a wild a 7 beside natural 7s",
        "a set of 7s with wilds and naturals: - wild_seven_jump",
    ),
    _per(
        "card",
        "split_set",
        "dislikes breaking up equal cards",
        "a set with naturals: + split_set x naturals of that value left in hand",
    ),
    _per("point", "high_hold", "holds high cards back", "any set: + high_hold x value x naturals in it"),
    _per(
        "point",
        "reserve",
        "keeps the greatest total that the hand can announce",
        "any set: + reserve x (greatest total in hand before - after, refill not counted)",
    ),
    _cards("pass_hoard", "would rather lose that many cards than spend a Pass", "a Pass: + pass_hoard"),
    _cards("early_take", "likes to take the pile", "a take: + pile - early_take"),
    _cards(
        "early_take_limit", "above this pile a take is only a last resort", "a take: last if pile > early_take_limit"
    ),
    _cards("endgame_take", "likes to take once the deck is empty", "a take, deck empty: - endgame_take"),
    _per(
        "card",
        "standing",
        "dislikes taking when behind (in a match, earlier games included)",
        "a take: + standing x (own stack - smallest other stack)",
    ),
    _per("point", "lead_total", "dislikes leading a high total", "a lead: + lead_total x total"),
    _per("card", "lead_shed", "likes to lead many cards at once", "a lead: - lead_shed x (cards - 1)"),
    _per(
        "card",
        "endgame_shed",
        "likes to get rid of cards once the deck is empty",
        "any set, deck empty: - endgame_shed x cards",
    ),
    _per(
        "card",
        "danger_shed",
        "likes to get rid of cards while an opponent is nearly out",
        "any set, deck empty and an opponent with two cards or fewer: - danger_shed x cards",
    ),
    _cards(
        "finish",
        "looks before going out: at once when that wins, else only at this price (0: does not look)",
        "an option that ends the game: first of all if own stack <= every other stack + hand, else + finish",
    ),
    Parameter(
        "pressure",
        "cards/(point x card)",
        -PER_POINT_AND_CARD,
        PER_POINT_AND_CARD,
        "jumps when much is at stake",
        "a beat: - pressure x pile x (total - target - 1)",
    ),
    _per(
        "point",
        "early_aggression",
        "drives the total up early in a trick",
        "a beat while the pile is at most 3 cards: - early_aggression x (total - target - 1)",
    ),
    Parameter(
        "count_cards",
        "share",
        0.0,
        1.0,
        "likes totals that the next player probably cannot beat, from the cards not yet seen",
        "any set, deck empty: - count_cards x (pile + cards) x chance that the next player cannot beat the total",
        experimental=True,
    ),
    Parameter(
        "noise",
        "probability",
        0.0,
        1.0,
        "plays a random legal option instead",
        "in that share of turns, a uniformly random legal option",
        steps=CERTAINTY,
    ),
)


@dataclass(frozen=True)
class Vocabulary:
    """The parameters that the players of one game are made of.

    Attributes
    ----------
    parameters
        Every one of them, in the order of a strategy's values.
    """

    parameters: tuple[Parameter, ...]

    @cached_property
    def names(self) -> tuple[str, ...]:
        """The name of each."""
        return tuple(known.name for known in self.parameters)

    def parameter(self, name: str) -> Parameter:
        """Look a parameter up.

        Raises
        ------
        InputError
            If there is none of that name; the message gives the nearest one.
        """
        if name not in self.names:
            raise unknown_name("parameter", name, self.names)
        return self.parameters[self.names.index(name)]


PLAYER_VOCABULARY: Final = Vocabulary(PARAMETERS)
"""What a player of Escalation! is made of."""

PARAMETER_NAMES: Final[tuple[str, ...]] = PLAYER_VOCABULARY.names

PLAYER_RECORD: Final = np.dtype([(name, np.int64) for name in PARAMETER_NAMES])
"""One player as the engines read it: every parameter in whole steps."""


def parameter(name: str) -> Parameter:
    """Look a parameter up.

    Raises
    ------
    InputError
        If there is none of that name; the message gives the nearest one.
    """
    return PLAYER_VOCABULARY.parameter(name)
