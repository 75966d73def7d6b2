"""The fast engine's front: checks what it is handed, allocates, and calls the compiled kernels."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from math import factorial
from typing import Final, Literal, get_args

import numpy as np
from numpy.typing import NDArray

from simulate.escalation.kernel.card_counting import NOBODY_COUNTS, counting_tables
from simulate.escalation.kernel.counts import Played, reduce_games, reduce_orders
from simulate.escalation.kernel.game import Deals, Start, new_results, play_games, working_memory
from simulate.escalation.kernel.hands import card_words, pack
from simulate.escalation.kernel.option_table import OptionTable, base_keys, option_table
from simulate.escalation.kernel.preferences import preferences
from simulate.escalation.kernel.seating import fill_seating
from simulate.escalation.kernel.turns import Players, RuleNumbers
from simulate.escalation.rules import FEWEST_PLAYERS, MOST_PLAYERS, Rules
from simulate.escalation.state import NOBODY, State
from simulate.experiment import Counts, Spec
from simulate.rng import PURPOSE_SEATING, deal_streams, draw, stream
from strategies.errors import InputError, unknown_name
from strategies.strategy import Strategy, player_records

Seating = Literal["every", "rotate", "given"]
SEATINGS: Final[tuple[Seating, ...]] = get_args(Seating)
"""Who sits where: every order of the seats equally often; one order, the starter rotating from deal to deal; or seat i
at position i always. The numbers of these in `kernel.seating`."""

MOST_BY_ORDER: Final = 6
"""Up to so many players results are counted by the order of the seats, at larger tables by who sits before whom."""

NO_ORDERS: Final = np.zeros((0, 0), dtype=np.uint64)
"""Deck orders are not given but shuffled."""


@dataclass(frozen=True)
class Table:
    """Rules, and the strategy at each seat.

    Attributes
    ----------
    rules
        What is played.
    seats
        One strategy per player.
    seating
        Which seat has which position.
    match
        Whether the players mind the standing of a match (as many games as players) when they decide.
    noise_salt
        Tables that differ only here are equal in law, but their policy noise is not.
    """

    rules: Rules
    seats: tuple[Strategy, ...]
    seating: Seating = "every"
    match: bool = False
    noise_salt: int = 0

    def __post_init__(self) -> None:
        """Check the seats against the rules."""
        if len(self.seats) != self.rules.players:
            raise InputError(f"{len(self.seats)} strategies for {self.rules.players} players: one per seat is needed")
        if self.seating not in SEATINGS:
            raise unknown_name("seating", self.seating, SEATINGS)
        if self.match and self.seating == "given":
            raise InputError("the starter of a match rotates: seating must be every or rotate, not given")

    def play_deals(self, seed: int, deals: NDArray[np.int64]) -> Counts:
        """Play deals by number and return their counts, named and shaped as in `counts.Sums`, and "telemetry".

        Unless seat 0 always leads, each run of as many deals as players counts as a match. Where the order of the seats
        may matter and changes, what `counts.OrderSums` names is counted, too.
        """
        played = self.play(seed, deals)
        counts = reduce_games(played, self.rules.deck.size, matches=self.seating != "given")
        if self.seating != "every" or not self.order_matters:
            return counts
        return {**counts, **reduce_orders(played, order_numbers(self.rules.players, deals))}

    @property
    def order_matters(self) -> bool:
        """Whether it can matter who sits beside whom: there are more than two players, and they differ."""
        return self.rules.players > FEWEST_PLAYERS and len({seat.values for seat in self.seats}) > 1

    def spec(self) -> Spec:
        """Return everything that determines play; labels do not, values do."""
        return {
            "game": "escalation",
            "rules": self.rules.spec(),
            "seats": [seat.spec() for seat in self.seats],
            "seating": self.seating,
            "match": self.match,
            "noise_salt": self.noise_salt,
        }

    def play(self, seed: int, deals: NDArray[np.int64], *, with_moves: bool = False) -> Played:
        """Play deals by number.

        Parameters
        ----------
        seed
            The seed of all streams.
        deals
            Deal numbers, shape (games,). In a match they must be whole matches, in order.
        with_moves
            Record every move, too.
        """
        return self._play(seed, deals, opening(self.rules), NO_ORDERS, with_moves=with_moves)

    def play_orders(self, orders: NDArray[np.uint8], seed: int = 0) -> Played:
        """Play given deck orders, first card first.

        Parameters
        ----------
        orders
            Card codes (1-13, WILD, PASS), shape (games, cards of the deck), each row an order of the whole deck.
        seed
            The seed of policy noise; row i is deal i.
        """
        return self._play(seed, np.arange(len(orders)), opening(self.rules), card_words()[orders])

    def play_from(
        self,
        state: State,
        seed: int,
        deals: NDArray[np.int64],
        *,
        shuffle_rest: bool = False,
        with_moves: bool = False,
    ) -> Played:
        """Play on from a state, once per deal number.

        Parameters
        ----------
        state
            Where the game stands; checked against the rules.
        seed, deals
            Number the shuffles and the policy noise.
        shuffle_rest
            Shuffle the cards still to be drawn for each deal; otherwise they come as the state has them.
        """
        state.check(self.rules)
        start = _start_of(state)
        orders = NO_ORDERS if shuffle_rest else np.tile(start.rest, (len(deals), 1))
        if not shuffle_rest and not state.rest:
            orders = np.zeros((len(deals), 0), dtype=np.uint64)
        return self._play(seed, deals, start, orders, with_moves=with_moves)

    def noise_key(self, seed: int, deal: int) -> int:
        """Return the stream of policy noise of one deal."""
        return draw(int(self.streams(seed)[1]), deal)

    def seats_at(self, seed: int, deal: int) -> tuple[int, ...]:
        """Return the seat at each position in one deal."""
        return tuple(int(seat) for seat in self.seating_of(seed, np.array([deal], dtype=np.int64))[0])

    def streams(self, seed: int) -> NDArray[np.uint64]:
        """Return the keys under which deals have their shuffle and their policy noise, shape (2,)."""
        return deal_streams(seed, self.noise_salt)

    def seating_of(self, seed: int, deals: NDArray[np.int64]) -> NDArray[np.int64]:
        """Return the seat at each position in each deal, shape (games, players)."""
        return seated(self.rules.players, self.seating, seed, deals)

    def _play(
        self,
        seed: int,
        deals: NDArray[np.int64],
        start: Start,
        orders: NDArray[np.uint64],
        *,
        with_moves: bool = False,
    ) -> Played:
        seating = self.seating_of(seed, deals)
        results = new_results(len(deals), self.rules.players, self.rules.deck.size, with_moves=with_moves)
        inputs = self.kernel_inputs(seed, deals, seating, start, orders)
        play_games(*inputs, working_memory(len(start.rest)), results)
        return Played(results.scores, seating, results.turns, results.telemetry, results.moves)

    def kernel_inputs(
        self,
        seed: int,
        deals: NDArray[np.int64],
        seating: NDArray[np.int64],
        start: Start,
        orders: NDArray[np.uint64],
    ) -> tuple[OptionTable, Players, RuleNumbers, Start, Deals]:
        """Return what `game.play_games` reads, in its order; see there for shapes."""
        match_length = self.rules.players if self.match else 0
        wanted = Deals(deals, seating, self._strategy_of_seat, orders, self.streams(seed), match_length)
        players = prepared(self.rules, tuple(self._distinct))
        return option_table(self.rules), players, rule_numbers(self.rules), start, wanted

    @cached_property
    def _distinct(self) -> list[Strategy]:
        return list(dict.fromkeys(self.seats))

    @cached_property
    def _strategy_of_seat(self) -> NDArray[np.uint64]:
        return np.array([self._distinct.index(strategy) for strategy in self.seats], dtype=np.uint64)


def seated(players: int, seating: Seating, seed: int, deals: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return the seat at each position in each deal, shape (games, players)."""
    seats = np.empty((len(deals), players), dtype=np.int64)
    key = np.uint64(stream(seed, PURPOSE_SEATING))
    fill_seating(deals, SEATINGS.index(seating), key, np.empty(players, dtype=np.int64), seats)
    return seats


def clockwise_from_first(players: int, seed: int, deals: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return the order of the seats in each deal where every order is played, clockwise from seat 0."""
    seats = seated(players, "every", seed, deals)
    places = (np.arange(players) - deals[:, None]) % players
    return np.take_along_axis(seats, places, axis=1)


def order_numbers(players: int, deals: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return the number of each deal's order of the seats (see `kernel.seating.put_order`); none at large tables."""
    return deals // players % factorial(players - 1) if players <= MOST_BY_ORDER else deals[:0]


@lru_cache(maxsize=64)
def opening(rules: Rules) -> Start:
    """Return the start of a fresh game: empty hands, which the kernel deals."""
    nothing = np.zeros(MOST_PLAYERS, dtype=np.int64)
    words = np.zeros(MOST_PLAYERS, dtype=np.uint64)
    cards = card_words()[rules.deck.cards()]
    return Start(words, nothing, words, nothing, np.array([0, 0, NOBODY, 0]), cards)


@lru_cache(maxsize=16)
def prepared(rules: Rules, strategies: tuple[Strategy, ...]) -> Players:
    """Prepare strategies for the kernel: quantised, with their keys; the last few are kept."""
    records = player_records(strategies)
    counts = any(strategy["count_cards"] for strategy in strategies)
    counting = counting_tables(rules) if counts else NOBODY_COUNTS
    mind_reserve = True if any(strategy["reserve"] for strategy in strategies) else None
    keys = base_keys(records, option_table(rules))
    return Players(records, keys.ravel(), preferences(records, keys, rules), counting, mind_reserve)


def rule_numbers(rules: Rules) -> RuleNumbers:
    """Return the rules as the kernels read them."""
    return RuleNumbers(*(int(getattr(rules, name)) for name in RuleNumbers._fields))


def _start_of(state: State) -> Start:
    def counts(numbers: Sequence[int]) -> NDArray[np.int64]:
        return np.array(numbers, dtype=np.int64)

    return Start(
        np.array([pack(hand) for hand in state.hands], dtype=np.uint64),
        counts(state.stacks),
        np.array(state.turns_taken, dtype=np.uint64),
        counts(state.carried),
        counts([state.pile, state.target, state.announcer, state.mover]),
        card_words()[list(state.rest)],
    )
