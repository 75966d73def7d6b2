"""One deal, replayed by the slow engine with all that its players weighed, and checked against the fast engine."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

import numpy as np
from numpy.typing import NDArray

from simulate.escalation.engine import Table
from simulate.escalation.kernel.dealing import deck_order
from simulate.escalation.kernel.game import NO_MOVE, TOOK
from simulate.escalation.kernel.option_table import PASS_ROW, rows
from simulate.escalation.plain.reference import (
    Choice,
    GameRecord,
    HeuristicPlayer,
    NumberSet,
    Option,
    Pass,
    Player,
    Take,
    Turn,
    View,
    play,
)
from simulate.escalation.state import State
from simulate.experiment import GREATEST_SEED
from strategies.errors import InputError
from strategies.heuristic import FIRST_OF_ALL
from strategies.parameters import CARD, PARAMETER_NAMES
from strategies.strategy import Strategy

GREATEST_DEAL: Final = (1 << 62) - 1
"""The last deal number that leaves room for adding a position to it."""

PILE: Final = "pile"
"""The part of a take's cost that no parameter sets: a card for every card taken."""
LAST_RESORT_PART: Final = "last_resort"
"""What puts a take above `early_take_limit` after everything else."""
GOES_OUT_AND_WINS: Final = "goes_out_and_wins"
"""What puts going out before everything else when it wins; it replaces all other parts."""

_THRESHOLD: Final = "early_take_limit"
"""The one parameter that is compared and not added."""


@dataclass(frozen=True)
class Weighed:
    """A legal option, what it costs the player, and the parts that add up to that cost, in steps of 1/65536 card."""

    option: Option
    cost: int
    parts: Mapping[str, int]


@dataclass(frozen=True)
class Decided:
    """One decision: what the player knew, every option with its cost (in the order of the view), and the choice."""

    view: View
    weighed: tuple[Weighed, ...]
    choice: Choice


@dataclass(frozen=True)
class TracedTurn:
    """A turn with its one decision, or two where the pile was taken."""

    turn: Turn
    decisions: tuple[Decided, ...]


@dataclass(frozen=True)
class Trace:
    """A replayed deal.

    Attributes
    ----------
    table, seed, deal
        What was replayed.
    seats
        The seat at each position.
    carried
        Scores of earlier games of the match, by position; zeros unless the table plays a match.
    record
        The game as the slow engine played it.
    turns
        Its turns, with what the players weighed.
    engines_agree
        Whether the fast engine made the same moves and came to the same scores, in this game and in the earlier ones of
        the match.
    """

    table: Table
    seed: int
    deal: int
    seats: tuple[int, ...]
    carried: tuple[int, ...]
    record: GameRecord
    turns: tuple[TracedTurn, ...]
    engines_agree: bool

    def strategy_at(self, position: int) -> Strategy:
        """Return the strategy that plays a position."""
        return self.table.seats[self.seats[position]]

    @property
    def winners(self) -> tuple[int, ...]:
        """The positions with the lowest score of this game."""
        return tuple(p for p, score in enumerate(self.record.scores) if score == min(self.record.scores))


class _Watched:
    """A player whose every view is kept in a list."""

    def __init__(self, player: Player, views: list[View]) -> None:
        self.player = player
        self.views = views

    def choose(self, view: View) -> Choice:
        self.views.append(view)
        return self.player.choose(view)


def trace(table: Table, seed: int, deal: int) -> Trace:
    """Replay one deal: the same game as deal number `deal` of any run of this table with this seed.

    In a match the earlier games are replayed first, since their scores are minded.

    Raises
    ------
    InputError
        If the seed or the deal is out of range.

    Examples
    --------
    >>> from simulate import Rules, Table
    >>> from strategies.catalogue import strategy
    >>> told = trace(Table(Rules(players=2), (strategy("standard"), strategy("minimal"))), seed=1, deal=123)
    >>> told.engines_agree
    True
    """
    for name, number, greatest in (("seed", seed, GREATEST_SEED), ("deal", deal, GREATEST_DEAL)):
        if not 0 <= number <= greatest:
            raise InputError(f"{name} {number} is not allowed: 0 to {greatest}")
    first = deal - deal % table.rules.players if table.match else deal
    deals = range(first, deal + 1)
    standings = [0] * table.rules.players
    records: list[GameRecord] = []
    for game in deals:
        seats = table.seats_at(seed, game)
        carried = tuple(standings[seat] for seat in seats)
        views: list[View] = []
        records.append(_play(table, seed, game, seats, carried, views))
        for seat, score in zip(seats, records[-1].scores, strict=True):
            standings[seat] += score if table.match else 0
    turns = _with_decisions(table, seats, records[-1], views)
    return Trace(table, seed, deal, seats, carried, records[-1], turns, _kernel_agrees(table, seed, deals, records))


def _play(
    table: Table, seed: int, deal: int, seats: tuple[int, ...], carried: tuple[int, ...], views: list[View]
) -> GameRecord:
    players = [_Watched(HeuristicPlayer(table.seats[seat]), views) for seat in seats]
    dealt = State.dealt(table.rules, deck_order(table.rules.deck, seed, deal), carried)
    return play(table.rules, players, dealt, table.noise_key(seed, deal))


def _with_decisions(
    table: Table, seats: tuple[int, ...], record: GameRecord, views: Sequence[View]
) -> tuple[TracedTurn, ...]:
    asked = iter(views)
    turns = []
    for turn in record.turns:
        strategy = table.seats[seats[turn.position]]
        choices = [decision.choice for decision in (turn.first, turn.lead) if decision is not None]
        turns.append(TracedTurn(turn, tuple(_decided(strategy, next(asked), choice) for choice in choices)))
    return tuple(turns)


def _decided(strategy: Strategy, view: View, choice: Choice) -> Decided:
    weighed = tuple(
        Weighed(option, cost, cost_parts(strategy, view, option))
        for option, cost in zip(view.options, choice.costs, strict=True)
    )
    return Decided(view, weighed, choice)


def cost_parts(strategy: Strategy, view: View, option: Option) -> dict[str, int]:
    """Take the cost of an option apart: what each parameter adds, in steps of 1/65536 card, parts of 0 left out.

    Every term of a cost is one parameter times what is counted, so a parameter's part is what the option costs a player
    who has that parameter alone. The parts add up to the cost exactly.
    """
    alone = _lone_players(strategy)
    if any(player.cost(view, option) == FIRST_OF_ALL for player in alone.values()):
        return {GOES_OUT_AND_WINS: FIRST_OF_ALL}
    without_prices = alone[_THRESHOLD].cost(view, option)
    pile = view.pile * CARD if isinstance(option, Take) else 0
    parts = {PILE: pile, LAST_RESORT_PART: without_prices - pile}
    parts |= {name: player.cost(view, option) - without_prices for name, player in alone.items()}
    return {name: steps for name, steps in parts.items() if steps != 0}


@lru_cache(maxsize=64)
def _lone_players(strategy: Strategy) -> Mapping[str, HeuristicPlayer]:
    """For each parameter that a strategy uses, the player who has it alone, and the threshold in any case."""
    threshold = {_THRESHOLD: strategy[_THRESHOLD]}
    return {
        name: HeuristicPlayer(Strategy.from_parameters(name, {**threshold, name: strategy[name]}))
        for name in PARAMETER_NAMES
        if strategy[name] != 0 or name == _THRESHOLD
    }


def _kernel_agrees(table: Table, seed: int, deals: range, records: Sequence[GameRecord]) -> bool:
    played = table.play(seed, np.array(deals, dtype=np.int64), with_moves=True)
    return all(
        moves_of_kernel(moves) == moves_of(record) and tuple(scores.tolist()) == record.scores
        for moves, scores, record in zip(played.moves, played.scores, records, strict=True)
    )


def moves_of(record: GameRecord) -> list[tuple[bool, Option]]:
    """Return, for each turn of a game, whether the pile was taken and what was laid."""
    return [(turn.took, turn.laid) for turn in record.turns]


def moves_of_kernel(moves: NDArray[np.int16] | NDArray[np.int64]) -> list[tuple[bool, Option]]:
    """Return the same from the fast engine's record of one game, shape (deck size,)."""
    return [(move >= TOOK, _laid(move % TOOK)) for move in moves[moves != NO_MOVE].tolist()]


def _laid(row: int) -> Option:
    if row == PASS_ROW:
        return Pass()
    played = rows()[row]
    return NumberSet(played.value, played.naturals, played.wilds)
