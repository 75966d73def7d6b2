"""The words of which players' own tactics are made: what can be chosen, and what a condition may count.

`strategies.sentences` reads sentences of them; `docs/tactics.md` lists this table.
"""

from __future__ import annotations

from dataclasses import dataclass
from types import MappingProxyType
from typing import Final, Literal

Verb = Literal["always", "never", "prefer", "avoid"]
OptionWord = Literal["take", "pass", "play", "beat", "lead"]
Scope = Literal["moment", "set", "cards"]
"""Where a word means something: at every moment, of a set of number cards, or of whatever cards are laid."""

VERBS: Final[MappingProxyType[str, str]] = MappingProxyType(
    {
        "always": "chosen before whatever no `always` names",
        "never": "chosen only if nothing else is legal",
        "prefer": "cheaper by so many cards",
        "avoid": "dearer by so many cards",
    }
)
"""What each verb does to an option that a sentence names."""

OPTIONS: Final[MappingProxyType[str, str]] = MappingProxyType(
    {
        "take": "the pile is taken",
        "pass": "a Pass is laid",
        "play": "a set of number cards is laid, against a pile or on an empty table",
        "beat": "a set is laid against a pile",
        "lead": "a set is laid on an empty table",
    }
)
"""What a sentence may be about."""

SETS: Final = frozenset({"play", "beat", "lead"})
"""Options that are sets of number cards."""


@dataclass(frozen=True)
class Word:
    """A number that a condition may be about.

    Attributes
    ----------
    name
        As it is written; with an argument `held(7)`.
    unit, meaning
        What it counts, in a word and in a line.
    spoken
        What it is called in a sentence that is read back; with "the" if it is one thing.
    scope
        Where it means something.
    argued
        Whether a card's value stands in parentheses behind it.
    least, greatest
        It is never less, never greater.
    """

    name: str
    unit: str
    meaning: str
    spoken: str
    scope: Scope = "moment"
    argued: bool = False
    least: int = 0
    greatest: int = 130

    def allowed_for(self, option: str) -> bool:
        """Whether a sentence about this option may use it."""
        return self.scope == "moment" or option in SETS or (self.scope == "cards" and option == "pass")


WORDS: Final[MappingProxyType[str, Word]] = MappingProxyType(
    {
        word.name: word
        for word in (
            Word("pile", "cards", "cards in the middle; 0 at a lead", "cards in the pile", greatest=160),
            Word("target", "points", "the total to exceed; 0 at a lead, and where the own total came round",
                 "the total to exceed"),
            Word("deck", "cards", "cards still to be drawn", "cards in the deck", greatest=160),
            Word("hand", "cards", "cards in hand", "cards in hand", greatest=10),
            Word("passes", "cards", "Passes in hand", "Passes in hand", greatest=10),
            Word("wilds", "cards", "wilds in hand", "wilds in hand", greatest=10),
            Word("held", "cards", "cards of that value in hand, wilds not counted", "{}s in hand", argued=True,
                 greatest=10),
            Word("pairs", "values", "values of which two cards or more are in hand, wilds not counted",
                 "values held twice or more", greatest=10),
            Word("lowest", "value", "lowest value in hand, wilds not counted; 0 without any",
                 "the lowest card in hand", greatest=13),
            Word("highest", "value", "highest value in hand, wilds not counted; 0 without any",
                 "the highest card in hand", greatest=13),
            Word("greatest", "points", "the greatest total that the hand can announce", "the greatest total in hand"),
            Word("beats", "sets", "sets that are legal now: value, cards and wilds tell them apart; at a lead, too",
                 "legal sets", greatest=600),
            Word("stack", "cards", "penalty cards of this game", "own penalty cards", greatest=160),
            Word("next_stack", "cards", "penalty cards of the next player in this game",
                 "penalty cards of the next player", greatest=160),
            Word("behind", "cards", "own penalty cards less the fewest of anybody else; in a match scores count, too",
                 "own penalty cards above the fewest of the others", least=-2000, greatest=2000),
            Word("smallest_hand", "cards", "the fewest cards that any other player holds",
                 "cards in the smallest other hand", greatest=10),
            Word("next_hand", "cards", "cards that the next player holds", "cards in the next player's hand",
                 greatest=10),
            Word("unseen", "cards", "cards of that value neither in hand nor ever played", "unseen {}s", argued=True,
                 greatest=10),
            Word("turn", "turns", "number of the own turn; the first is 1", "the own turn's number", least=1,
                 greatest=256),
            Word("position", "seats", "seats after the starter, who is 0", "the position", greatest=8),
            Word("players", "players", "players at the table", "players", least=2, greatest=9),
            Word("cards", "cards", "cards of the set", "cards of the set", "set", least=1, greatest=10),
            Word("naturals", "cards", "cards of the set that are no wilds", "cards of the set that are no wilds", "set",
                 greatest=10),
            Word("wilds_used", "cards", "wilds of the set", "wilds of the set", "set", greatest=10),
            Word("value", "value", "value of the set", "the value of the set", "set", least=1, greatest=13),
            Word("total", "points", "total that the set announces", "the total announced", "set", least=1),
            Word("over", "points", "total of the set less the target", "points above the total to exceed", "set",
                 least=1),
            Word("left", "cards", "cards of that value that stay in hand, wilds not counted",
                 "cards of that value left in hand", "set", greatest=10),
            Word("hand_after", "cards", "cards in hand afterwards, before drawing", "cards in hand afterwards", "cards",
                 greatest=10),
            Word("greatest_after", "points", "the greatest total that the hand could announce afterwards",
                 "the greatest total in hand afterwards", "cards"),
        )
    }
)  # fmt: skip
"""Every word, in the order of the documentation: first about the moment, then about what is laid."""
