"""Games turn by turn as states, and the states that each option of a turn leads to."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from simulate.escalation.engine import Table
from simulate.escalation.kernel.dealing import deck_order
from simulate.escalation.plain.reference import Option, Take, after_laying, after_taking, ends_game
from simulate.escalation.rules import Rules
from simulate.escalation.state import State
from simulate.escalation.trace import moves_of_kernel
from simulate.experiment import Counts


@dataclass(frozen=True)
class Followed:
    """A finished game.

    Attributes
    ----------
    deal
        Its number.
    states
        The state before each turn, and the final one, in which a hand is empty.
    moves
        For each turn whether the pile was taken, and what was laid.
    scores
        Penalty cards by position.
    """

    deal: int
    states: tuple[State, ...]
    moves: tuple[tuple[bool, Option], ...]
    scores: tuple[int, ...]

    @property
    def turns(self) -> int:
        """How many turns it took."""
        return len(self.moves)

    @property
    def winners(self) -> tuple[int, ...]:
        """The positions with the lowest score."""
        return tuple(position for position, score in enumerate(self.scores) if score == min(self.scores))

    @property
    def takes(self) -> tuple[int, ...]:
        """The size of each pile that was taken."""
        return tuple(state.pile for state, (took, _) in zip(self.states, self.moves, strict=False) if took)


@dataclass(frozen=True)
class Fork:
    """A state to play on from, of which the order of the deck is not known.

    Attributes
    ----------
    state
        Where the game stands; its deck is a set of cards, to be shuffled.
    owed
        Cards that the player before the mover still draws, having laid.
    """

    state: State
    owed: int = 0

    @property
    def over(self) -> bool:
        """Whether the game has ended here."""
        return self.owed == 0 and not all(self.state.hands)

    @property
    def scores(self) -> tuple[int, ...]:
        """What the players would have if the game ended here."""
        return tuple(stack + len(hand) for stack, hand in zip(self.state.stacks, self.state.hands, strict=True))


def record(table: Table, seed: int, deals: NDArray[np.int64]) -> Counts:
    """Play deals with the fast engine and keep what it takes to follow them.

    Parameters
    ----------
    table
        Who plays; not a match.
    seed
        The seed of all streams.
    deals
        Deal numbers.

    Returns
    -------
    mapping of str to numpy.ndarray of int64
        "deals"; "moves", shape (games, deck size), as in `counts.Played`; "scores", shape (games, players).
    """
    played = table.play(seed, deals, with_moves=True)
    return {"deals": deals, "moves": played.moves.astype(np.int64), "scores": played.scores.astype(np.int64)}


def follow(rules: Rules, seed: int, recorded: Counts) -> list[Followed]:
    """Follow recorded games state by state.

    Parameters
    ----------
    rules, seed
        What was played.
    recorded
        The games (see `record`).
    """
    return [
        _followed(rules, seed, deal, tuple(moves_of_kernel(moves)), tuple(scores))
        for deal, moves, scores in zip(
            recorded["deals"].tolist(), recorded["moves"], recorded["scores"].tolist(), strict=True
        )
    ]


def _followed(
    rules: Rules, seed: int, deal: int, moves: tuple[tuple[bool, Option], ...], scores: tuple[int, ...]
) -> Followed:
    states = [State.dealt(rules, deck_order(rules.deck, seed, deal))]
    for took, laid in moves:
        assert not isinstance(laid, Take), "a turn lays cards"
        before = after_taking(states[-1]) if took else states[-1]
        states.append(after_laying(rules, before, laid)[0])
    return Followed(deal, tuple(states), moves, scores)


def fork_after(rules: Rules, state: State, option: Option) -> Fork:
    """Return where a game stands after the mover has done something, before anything is drawn.

    After a take the same player is about to lead, and may lead anything.
    """
    if isinstance(option, Take):
        return Fork(after_taking(state))
    laid, _ = after_laying(rules, replace(state, rest=()), option)
    left, deck = len(laid.hands[state.mover]), len(state.rest)
    owed = 0 if ends_game(rules, left, deck) else min(rules.hand_size - left, deck)
    return Fork(replace(laid, rest=state.rest), owed)
