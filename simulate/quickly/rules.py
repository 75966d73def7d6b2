"""The rules of That Escalated Quickly as data: the table of the rules, and what a designer may change."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from simulate.ruling import RuledGame, Ruling, ruling, rulings_of
from strategies.errors import InputError

HIGHEST: Final = 10
VALUES: Final = tuple(range(1, HIGHEST + 1))
MIDDLE_VALUE: Final = (1 + HIGHEST) / 2
FEWEST_PLAYERS: Final = 2
MOST_PLAYERS: Final = 8
MOST_TARGET: Final = 9

CARDS_EACH: Final = {2: 2, 3: 2, 4: 1, 5: 1, 6: 1, 7: 1, 8: 1}
"""Cards that each player holds, by number of players."""
MISTAKES: Final = {2: 0, 3: 1, 4: 0, 5: 0, 6: 1, 7: 1, 8: 1}
"""Mistakes allowed in a good round, by number of players."""

FIXED_RULINGS: Final = (
    ("the first flip after a discard", "cannot be a mistake"),
    ("a mistake on the last card", "is allowed if one is left, and the round is good"),
    ("a mistake beyond the allowance", "ends the round at once"),
    ("two own cards", "may be flipped at different times"),
    ("table talk", "is legal; it enters through the parameter `talk` only"),
    ("who organises first", "the starter rotates from game to game, the organiser from round to round"),
)
"""Gaps that are closed one way only: the gap and the answer."""


@dataclass(frozen=True)
class GroupRules(RuledGame):
    """What is played; `printed` fills in the table of the rules.

    Attributes
    ----------
    players
        2 to 8.
    cards_each
        Cards that each player holds in a round.
    mistakes
        Mistakes that a good round may have.
    target
        So many good rounds win the game, so many bad ones lose it.
    planned_mistake
        Whether a mistake may be laid on purpose.
    """

    players: int
    cards_each: int
    mistakes: int
    target: int = 3
    planned_mistake: bool = ruling(
        False,
        "may the organiser lay an allowed mistake on purpose (one line of the rules says to ask for the card that you "
        "believe is lowest, another that the final decision is the organiser's)",
        "an organiser whose habit it is lays two rising rows, and the mistake between them",
    )

    def __post_init__(self) -> None:
        """Check everything."""
        _check_players(self.players)
        most = HIGHEST // self.players
        if not 1 <= self.cards_each <= most:
            raise InputError(
                f"{self.cards_each} cards each are not allowed with {self.players} players: 1 to {most}, as there are "
                f"{HIGHEST} cards"
            )
        if not 0 <= self.mistakes < HIGHEST:
            raise InputError(f"{self.mistakes} mistakes are not allowed: 0 to {HIGHEST - 1}")
        if not 1 <= self.target <= MOST_TARGET:
            raise InputError(f"a target of {self.target} rounds is not allowed: 1 to {MOST_TARGET}")
        self.check_rulings()

    @classmethod
    def printed(
        cls,
        players: int = 4,
        *,
        cards_each: int | None = None,
        mistakes: int | None = None,
        target: int = 3,
        planned_mistake: bool = False,
    ) -> GroupRules:
        """Return the printed rules for so many players, with what is given changed.

        Raises
        ------
        InputError
            If anything is out of bounds.
        """
        _check_players(players)
        return cls(
            players,
            CARDS_EACH[players] if cards_each is None else cards_each,
            MISTAKES[players] if mistakes is None else mistakes,
            target,
            planned_mistake,
        )

    @property
    def cards(self) -> int:
        """Cards on the table in a round."""
        return self.players * self.cards_each

    @property
    def most_rounds(self) -> int:
        """The longest possible game, in rounds."""
        return 2 * self.target - 1

    @property
    def changed(self) -> str:
        """What differs from the printed rules, in one phrase; empty if nothing does."""
        printed = GroupRules.printed(self.players)
        cards = "1 card" if self.cards_each == 1 else f"{self.cards_each} cards"
        changes = [
            f"{cards} each" if self.cards_each != printed.cards_each else "",
            f"mistakes allowed: {self.mistakes}" if self.mistakes != printed.mistakes else "",
            f"first to {self.target}" if self.target != printed.target else "",
            "planned_mistake = true" if self.planned_mistake else "",
        ]
        return ", ".join(change for change in changes if change)


RULINGS: Final[Mapping[str, Ruling]] = rulings_of(GroupRules)


def _check_players(players: int) -> None:
    if not FEWEST_PLAYERS <= players <= MOST_PLAYERS:
        raise InputError(f"{players} players are not allowed: {FEWEST_PLAYERS} to {MOST_PLAYERS}")
