"""How often a change would show: every turn of the unchanged games at which the changed player would choose otherwise.

Where games first differ says where a change sets in. How often it would is another matter, since after a first
difference the games are no longer the same. So each of the focal player's turns in the unchanged game is put before the
changed player, too, and only the first move counts.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from simulate.escalation.engine import opening
from simulate.escalation.kernel.dealing import deck_orders
from simulate.escalation.kernel.game import NO_MOVE, TOOK, Start, new_results, play_games, working_memory
from simulate.escalation.kernel.hands import card_words
from simulate.escalation.kernel.shadow import (
    ALWAYS,
    DECK_EMPTY,
    HOLDING_A_PASS,
    HOLDING_A_WILD,
    HOLDING_A_WILD_SEVEN,
    LEADING,
    ONE_IS_RANDOM,
    PILE_WITHIN_LIMIT,
    occasions_between,
)
from simulate.escalation.rules import MOST_PLAYERS, PASS, WILD
from simulate.escalation.settings.comparison import Comparison
from simulate.escalation.settings.retelling import GamesUnderWay
from strategies.heuristic import JUMP_VALUE
from strategies.parameters import CARD
from strategies.strategy import player_records


@dataclass(frozen=True)
class Firings:
    """Turns at which a change shows, over some deals and every seat of the focal player.

    Attributes
    ----------
    deals, games, turns
        Deals, unchanged games (one for every seat), and the focal player's turns in them.
    deal, focal
        Of every such turn: its deal number, and the focal player's seat.
    target, pile, deck
        Of every such turn: what the player saw (a pile of 0: a lead), and the cards still to be drawn.
    """

    deals: int
    games: int
    turns: int
    deal: NDArray[np.int64]
    focal: NDArray[np.int64]
    target: NDArray[np.int64]
    pile: NDArray[np.int64]
    deck: NDArray[np.int64]


class _ChangedPlayer:
    """The changed player at a seat, and the memory to play from one state after another."""

    def __init__(self, comparison: Comparison, focal: int, seed: int) -> None:
        table = comparison.table(focal, changed=True)
        base, changed = player_records((comparison.base, comparison.changed))
        self.occasions = occasions_between(base, changed)
        self.limit = max(int(base["early_take_limit"]), int(changed["early_take_limit"]))
        players, size = table.rules.players, table.rules.deck.size
        seating = np.arange(players, dtype=np.int64)[None, :]
        nothing = np.zeros((1, 0), dtype=np.uint64)
        self.inputs = table.kernel_inputs(seed, np.zeros(1, dtype=np.int64), seating, opening(table.rules), nothing)
        self.memory = working_memory(size)
        self.results = new_results(1, players, size, with_moves=True)

    def may_differ(self, games: GamesUnderWay, position: int, took: NDArray[np.bool_]) -> NDArray[np.bool_]:
        """Tell in which games this turn gives the two players something to decide differently (see `shadow`)."""
        hand, pile = games.hands[:, position], games.pile
        now = np.full(len(pile), ALWAYS | ONE_IS_RANDOM)
        now |= np.where(hand[:, PASS] > 0, HOLDING_A_PASS, 0) | np.where(hand[:, WILD] > 0, HOLDING_A_WILD, 0)
        now |= np.where((hand[:, WILD] > 0) & (hand[:, JUMP_VALUE] > 0), HOLDING_A_WILD_SEVEN, 0)
        now |= np.where(games.deck == 0, DECK_EMPTY, 0) | np.where(took | (pile == 0), LEADING, 0)
        now |= np.where((pile > 0) & (pile * CARD <= self.limit), PILE_WITHIN_LIMIT, 0)
        there: NDArray[np.bool_] = (now & self.occasions) != 0
        return there

    def move(self, start: Start, deal: int) -> int:
        """Return the next move from a state of a deal."""
        options, players, rules, _, deals = self.inputs
        now = deals._replace(numbers=np.array([deal], dtype=np.int64), orders=start.rest[None, :])
        play_games(options, players, rules, start, now, self.memory, self.results)
        return int(self.results.moves[0, 0])


def find_firings(
    comparison: Comparison, focal: int, seed: int, deals: NDArray[np.int64]
) -> tuple[int, NDArray[np.int64]]:
    """Play deals without the change and find every turn at which the changed player would choose otherwise.

    Parameters
    ----------
    comparison
        The change; games, not matches, and without a noise salt.
    focal
        The focal player's seat.
    seed, deals
        What to play.

    Returns
    -------
    int, numpy.ndarray of int64
        The focal player's turns, and of every turn that was found the numbers from `deal` to `deck` of `Firings`,
        shape (5, such turns).
    """
    orders = deck_orders(comparison.rules.deck, seed, deals)
    played = comparison.table(focal, changed=False).play(seed, deals, with_moves=True)
    changed = _ChangedPlayer(comparison, focal, seed)
    found = _found(comparison, changed, focal, deals, orders, played.moves)
    return int(played.telemetry[focal, focal, 0]), np.array(found, dtype=np.int64).reshape(-1, 5).T


def _found(
    comparison: Comparison,
    changed: _ChangedPlayer,
    focal: int,
    deals: NDArray[np.int64],
    orders: NDArray[np.uint8],
    moves: NDArray[np.int16],
) -> list[tuple[int, ...]]:
    """Return deal, focal seat, target, pile and deck of every turn at which the change shows."""
    players = comparison.rules.players
    games, words = GamesUnderWay(comparison.rules, orders), card_words()[orders]
    stacks = np.zeros((len(deals), MOST_PLAYERS), dtype=np.int64)
    found = []
    for turn in range(moves.shape[1]):
        playing = moves[:, turn] != NO_MOVE
        if not playing.any():
            break
        position, took = turn % players, playing & (moves[:, turn] >= TOOK)
        if position == focal:
            hands, own_turns = _hand_words(games), _turns_before(turn, players)
            for game in np.flatnonzero(playing & changed.may_differ(games, position, took)):
                start = _state(games, int(game), position, hands, stacks, own_turns, words)
                if changed.move(start, int(deals[game])) != moves[game, turn]:
                    seen = (games.target[game], games.pile[game], games.deck[game])
                    found.append((int(deals[game]), focal, *(int(number) for number in seen)))
        stacks[:, position] += np.where(took, games.pile, 0)
        games.play(position, np.where(playing, moves[:, turn], 0) % TOOK, took, playing)
    return found


def _hand_words(games: GamesUnderWay) -> NDArray[np.uint64]:
    """Return every hand as a word, shape (games, MOST_PLAYERS)."""
    number, players, codes = games.hands.shape
    words = np.zeros((number, MOST_PLAYERS), dtype=np.uint64)
    words[:, :players] = (games.hands.astype(np.uint64) * card_words()[:codes]).sum(axis=2)
    return words


def _turns_before(turn: int, players: int) -> NDArray[np.uint64]:
    """Return how many turns each position has had before a turn of the game."""
    turns = [max(0, turn - place + players - 1) // players for place in range(MOST_PLAYERS)]
    return np.array(turns, dtype=np.uint64)


def _state(
    games: GamesUnderWay,
    game: int,
    position: int,
    hands: NDArray[np.uint64],
    stacks: NDArray[np.int64],
    own_turns: NDArray[np.uint64],
    words: NDArray[np.uint64],
) -> Start:
    """Return where a game stands before a position's turn."""
    middle = np.array([games.pile[game], games.target[game], games.announcer[game], position], dtype=np.int64)
    carried = np.zeros(MOST_PLAYERS, dtype=np.int64)
    return Start(hands[game], stacks[game], own_turns, carried, middle, words[game, games.next_card[game] :])
