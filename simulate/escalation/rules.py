"""The rules of Escalation! as data: the deck, the table size and every ruling where the sources leave a gap."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from math import factorial, prod
from types import MappingProxyType
from typing import Any, Final

from simulate.ruling import RuledGame, Ruling, ruling, rulings_of
from strategies.errors import InputError, unknown_name

HIGHEST_VALUE: Final = 13
VALUES: Final = tuple(range(1, HIGHEST_VALUE + 1))
WILD: Final = 14
"""The wild as a card code; number cards are their own value."""
PASS: Final = 15
"""The Pass as a card code."""

MOST_COPIES: Final = 10
MOST_WILDS: Final = 6
MOST_PASSES: Final = 6
MOST_IN_HAND: Final = 10
GREATEST_WILD_VALUE: Final = 7
FEWEST_PLAYERS: Final = 2
MOST_PLAYERS: Final = 9

DECK_GRAMMAR: Final = (
    "a deck is a preset or items VALUExCOPIES joined by commas, VALUE being 1-13, a span such as 1-12, W (wild) "
    "or P (Pass), for instance 1-12x4,13x3,Wx3,Px2"
)
_ITEM = re.compile(r"(?:(\d{1,2})(?:-(\d{1,2}))?|([WP]))x(\d{1,3})")


@dataclass(frozen=True)
class Deck:
    """The composition of a deck.

    Attributes
    ----------
    copies
        How many cards of each value 1-13, shape (13,).
    wilds, passes
        How many wilds and Pass cards.
    """

    copies: tuple[int, ...]
    wilds: int
    passes: int

    def __post_init__(self) -> None:
        """Check the composition against what the engines can hold."""
        for value, copies in zip(VALUES, self.copies, strict=True):
            _within(copies, 0, MOST_COPIES, f"copies of value {value}")
        _within(self.wilds, 0, MOST_WILDS, "wilds")
        _within(self.passes, 0, MOST_PASSES, "Passes")
        if not self.size:
            raise InputError(f"a deck without cards is not allowed; {DECK_GRAMMAR}")

    @classmethod
    def parse(cls, text: str) -> Deck:
        """Read a preset's name or a composition such as `1-12x4,13x3,Wx3,Px2`.

        Raises
        ------
        InputError
            If the text is neither, or asks for more cards than allowed.
        """
        stripped = text.strip()
        if stripped in PRESETS:
            return PRESETS[stripped]
        if stripped and re.fullmatch(r"[A-Za-z_-]+[A-Za-z0-9_-]*", stripped) and not _ITEM.fullmatch(stripped):
            raise InputError(f"{unknown_name('deck preset', stripped, PRESETS)}; or a composition: {DECK_GRAMMAR}")
        counts: dict[int, int] = {}
        for item in stripped.split(","):
            for card, copies in _read_item(item.strip(), text):
                if card in counts:
                    raise InputError(f"'{card_name(card)}' is given twice in deck '{text}'; {DECK_GRAMMAR}")
                counts[card] = copies
        return cls(tuple(counts.get(value, 0) for value in VALUES), counts.get(WILD, 0), counts.get(PASS, 0))

    def __str__(self) -> str:
        """Return the composition as text that `parse` reads back."""
        items: list[str] = []
        first = 1
        for value in VALUES:
            if value == HIGHEST_VALUE or self.copies[value] != self.copies[value - 1]:
                copies = self.copies[value - 1]
                span = f"{first}" if first == value else f"{first}-{value}"
                items += [f"{span}x{copies}"] if copies else []
                first = value + 1
        items += [f"Wx{self.wilds}"] if self.wilds else []
        items += [f"Px{self.passes}"] if self.passes else []
        return ",".join(items)

    @property
    def name(self) -> str:
        """The preset's name if it is one, else the composition."""
        return next((name for name, deck in PRESETS.items() if deck == self), str(self))

    @property
    def size(self) -> int:
        """The number of cards."""
        return sum(self.copies) + self.wilds + self.passes

    def cards(self) -> list[int]:
        """Return every card as its code, sorted: values, then wilds, then Passes; length `size`."""
        numbers = [value for value, copies in zip(VALUES, self.copies, strict=True) for _ in range(copies)]
        return numbers + [WILD] * self.wilds + [PASS] * self.passes

    def orderings(self) -> int:
        """Return how many different orders of this deck there are, equal cards being equal."""
        equal = prod(factorial(n) for n in (*self.copies, self.wilds, self.passes))
        return factorial(self.size) // equal


def card_name(card: int) -> str:
    """Return a card as a player reads it: 1-13, W or P."""
    return {WILD: "W", PASS: "P"}.get(card, str(card))


def _within(count: int, low: int, high: int, what: str) -> None:
    if not isinstance(count, int) or isinstance(count, bool) or not low <= count <= high:
        raise InputError(f"{count} {what} is not allowed: {low} to {high}")


def _read_item(item: str, text: str) -> list[tuple[int, int]]:
    match = _ITEM.fullmatch(item)
    if match is None:
        raise InputError(f"'{item}' in deck '{text}' is malformed; {DECK_GRAMMAR}")
    low, high, letter, copies = match.groups()
    if letter:
        return [({"W": WILD, "P": PASS}[letter], int(copies))]
    first, last = int(low), int(high or low)
    if not 1 <= first <= last <= HIGHEST_VALUE:
        raise InputError(f"'{item}' in deck '{text}' is no span of values from 1 to 13; {DECK_GRAMMAR}")
    return [(value, int(copies)) for value in range(first, last + 1)]


def _preset(copies: Mapping[range, int], wilds: int) -> Deck:
    return Deck(tuple(next(n for span, n in copies.items() if value in span) for value in VALUES), wilds, passes=2)


PRESETS: Final[Mapping[str, Deck]] = MappingProxyType(
    {
        "jokers3": _preset({range(1, 13): 4, range(13, 14): 3}, wilds=3),
        "one-wild": _preset({range(1, 13): 4, range(13, 14): 5}, wilds=1),
        "even": _preset({range(1, 14): 4}, wilds=2),
        "descending": _preset({range(1, 8): 5, range(8, 12): 3, range(12, 14): 2}, wilds=3),
    }
)
"""The decks that the sources allow: each has 56 cards, 2 of them Passes; the copies per value are an assumption."""

DEFAULT_DECK: Final = PRESETS["jokers3"]


@dataclass(frozen=True)
class Rules(RuledGame):
    """Everything that decides what is legal and when a game ends; the rulings carry their own explanation.

    Attributes
    ----------
    deck
        The composition of the deck.
    players
        Players at the table, 2-9 (the box says 2-6).
    hand_size
        Cards dealt, and drawn back up to, 1-10.
    wild_max
        The greatest value that a wild may stand for, 1-7.
    lead_pass, pass_hand_takes, draw_before_end_check, beat_own_total, wild_only_sets
        The rulings; `RULINGS` says what each one decides.
    """

    deck: Deck = DEFAULT_DECK
    players: int = 4
    hand_size: int = 6
    wild_max: int = GREATEST_WILD_VALUE
    lead_pass: bool = ruling(False, "may a Pass be led or opened with", "a Pass may be led; it announces 0")
    pass_hand_takes: bool = ruling(
        True,
        "may a hand of nothing but Passes take, where a Pass may be led",
        "it may, and leads a Pass (false: it must pass); matters only with lead_pass=true",
        needs="lead_pass",
    )
    draw_before_end_check: bool = ruling(
        True,
        "hand emptied while the deck has cards",
        "draw first; the game ends only if the hand is still empty (false: it ends at once)",
        "published texts",
    )
    beat_own_total: bool = ruling(
        True, "own total comes back after Passes", "it must be beaten (false: any set will do; a Pass repeats it)"
    )
    wild_only_sets: bool = ruling(
        True, "a set of wilds alone", "allowed, with one shared value (false: two or more wilds alone are forbidden)"
    )

    def __post_init__(self) -> None:
        """Check every field, and that the deck suffices for the hands."""
        _within(self.players, FEWEST_PLAYERS, MOST_PLAYERS, "players")
        _within(self.hand_size, 1, MOST_IN_HAND, "cards in hand")
        _within(self.wild_max, 1, GREATEST_WILD_VALUE, "as greatest wild value")
        self.check_rulings()
        needed = self.players * self.hand_size
        if self.deck.size < needed:
            raise InputError(
                f"deck '{self.deck.name}' has {self.deck.size} cards, too few for {self.players} players with "
                f"{self.hand_size} cards each: at least {needed}"
            )

    def spec(self) -> dict[str, Any]:
        """Return the rules as plain data, the deck by its composition."""
        return {**asdict(self), "deck": str(self.deck)}

    @property
    def greatest_total(self) -> int:
        """The greatest total that any hand of this deck can announce."""
        return max(self._greatest_total_of(value) for value in VALUES)

    def _greatest_total_of(self, value: int) -> int:
        copies = self.deck.copies[value - 1]
        wilds = self.deck.wilds if value <= self.wild_max else 0
        if copies == 0 and not self.wild_only_sets:
            wilds = min(wilds, 1)
        return value * min(copies + wilds, self.hand_size)


RULINGS: Final[Mapping[str, Ruling]] = rulings_of(Rules)

FIXED_RULINGS: Final[tuple[tuple[str, str], ...]] = (
    ("hand of only Pass cards that may not lead one, facing a pile", "must Pass"),
    ("hand of only Pass cards that must open", "leads a Pass, announcing 0"),
    ("deck runs out while drawing", "take what is left"),
    ("starter of later games of a match", "rotates"),
    ("ties", "share the win"),
)
"""Gaps that are closed one way only."""
