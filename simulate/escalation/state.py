"""What both engines start from and what they count."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from simulate.escalation.rules import Rules
from strategies.errors import InputError

NOBODY: Final = -1

TELEMETRY: Final = (
    "turns",
    "takes",
    "willing_takes",
    "cards_taken",
    "passes",
    "wilds",
    "wild_seven_jumps",
    "sets",
    "cards_left",
    "out_first",
)
"""What is counted per player and game: turns taken, takes (and those that were not forced), cards so taken, Passes
played, wilds spent, sets of 7s with wilds and naturals, sets of two cards or more, cards left in hand, times out
first."""


@dataclass(frozen=True)
class State:
    """A game before somebody's turn; cards are codes (1-13, WILD, PASS), players are positions.

    Attributes
    ----------
    hands
        The cards of each position.
    stacks
        Penalty cards collected by each position in this game.
    rest
        The deck still to be drawn, next card first.
    mover
        Whose turn it is.
    pile
        Cards in the middle; 0 means that the mover leads.
    target
        The announced total to beat (0 without a pile).
    announcer
        Who announced it; NOBODY without a pile.
    turns_taken
        Turns that each position has had (they number the draws of policy noise).
    carried
        Scores of earlier games of the match, as far as the players mind them.
    """

    hands: tuple[tuple[int, ...], ...]
    stacks: tuple[int, ...]
    rest: tuple[int, ...]
    mover: int = 0
    pile: int = 0
    target: int = 0
    announcer: int = NOBODY
    turns_taken: tuple[int, ...] = ()
    carried: tuple[int, ...] = ()

    def __post_init__(self) -> None:
        """Fill the counts left out with zeros."""
        for name in ("turns_taken", "carried"):
            object.__setattr__(self, name, getattr(self, name) or (0,) * len(self.hands))

    @classmethod
    def dealt(cls, rules: Rules, order: tuple[int, ...], carried: tuple[int, ...] = ()) -> State:
        """Deal a deck order: hand_size cards to position 0, then to position 1, and so on; the rest is the deck."""
        size = rules.hand_size
        hands = tuple(tuple(sorted(order[p * size : (p + 1) * size])) for p in range(rules.players))
        return cls(hands, (0,) * rules.players, tuple(order[rules.players * size :]), carried=carried)

    def check(self, rules: Rules) -> None:
        """Check that a game under these rules can stand like this.

        Raises
        ------
        InputError
            If the tables differ in size, a hand is empty or too large, cards are not the deck's, or the middle is
            inconsistent.
        """
        everyone = range(rules.players)
        for name in ("hands", "stacks", "turns_taken", "carried"):
            if len(getattr(self, name)) != rules.players:
                raise InputError(f"{name} of {len(getattr(self, name))} players given, the rules have {rules.players}")
        if self.mover not in everyone:
            raise InputError(f"mover {self.mover} is not a position: 0 to {rules.players - 1}")
        if not all(1 <= len(hand) <= rules.hand_size for hand in self.hands):
            raise InputError(f"every hand must hold 1 to {rules.hand_size} cards")
        if (self.pile > 0) != (self.announcer in everyone) or self.pile < 0 or (self.pile == 0 and self.target != 0):
            raise InputError("a pile needs an announcer and a target; without a pile there is neither")
        if not 0 <= self.target <= rules.greatest_total:
            raise InputError(f"target {self.target} is not allowed: 0 to {rules.greatest_total}, as hands can announce")
        present = sorted(card for cards in (*self.hands, self.rest) for card in cards)
        deck = rules.deck.cards()
        for card in present:
            if card not in deck:
                raise InputError(f"the hands and the rest hold cards that deck '{rules.deck.name}' does not have")
            deck.remove(card)
        if len(deck) != self.pile + sum(self.stacks):
            raise InputError(
                f"pile and stacks must hold the {len(deck)} cards that are in no hand and not in the rest, "
                f"not {self.pile + sum(self.stacks)}"
            )
