"""Whether it matters who sits beside whom: wins by the order of the seats, and right after each other player."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import permutations
from typing import Final

import numpy as np
from numpy.typing import NDArray

from reports.estimates.intervals import LEVEL, Interval, mean_of, share_from_sums
from reports.estimates.measures import Measure, Row, bounds_columns
from reports.output.words import size_and_span
from reports.simulation.summary import WINS
from simulate.escalation.engine import MOST_BY_ORDER, Table
from simulate.escalation.kernel.win_shares import WIN
from simulate.experiment import Counts
from strategies.strategy import Strategy

DIFFERENCE: Final = Measure("difference_from_average", "difference from its average", "wins per 100 games")
ONE_ORDER: Final = "One order of the seats only: neighbours matter. --seating every plays all orders equally often."


@dataclass(frozen=True)
class NeighbourEffect:
    """What a strategy wins when it sits right after another.

    Attributes
    ----------
    strategy, right_after
        The two; the second plays directly before the first.
    games
        So many; a game with several such places counts once for each.
    wins
        Wins per 100 of these games, the interval for itself.
    difference
        The same less what the strategy wins in all orders; the intervals of all effects of a table hold together.
    """

    strategy: str
    right_after: str
    games: int
    wins: Interval
    difference: Interval

    def row(self) -> Row:
        """Return the effect as a row of `neighbours.csv`."""
        return {
            "strategy": self.strategy,
            "right_after": self.right_after,
            "games": self.games,
            **bounds_columns(WINS.name, self.wins),
            **bounds_columns(DIFFERENCE.name, self.difference),
            "level_of_wins": self.wins.level,
            "level_of_all_differences_together": LEVEL,
        }


@dataclass(frozen=True)
class NeighbourEffects:
    """Whether it matters at one table who sits beside whom.

    Attributes
    ----------
    sentence
        The greatest effect in words, or that there is none, or that only one order was played.
    effects
        One for each strategy and another (or its like) directly before it, where that is not always so.
    orders
        Up to six players: a row for each order of the strategies and each place in it.
    """

    sentence: str
    effects: tuple[NeighbourEffect, ...] = ()
    orders: tuple[Row, ...] = ()

    def tables(self) -> dict[str, list[Row]]:
        """Return the rows of each table that there is, by name."""
        rows = {"orders": list(self.orders), "neighbours": [effect.row() for effect in self.effects]}
        return {name: own for name, own in rows.items() if own}

    def as_data(self) -> dict[str, object]:
        """Return everything as plain data."""
        return {"sentence": self.sentence, **self.tables()}


def neighbours_of(counts: Counts, table: Table) -> NeighbourEffects | None:
    """Read from the counts of a table whether neighbours matter there; None if they cannot."""
    if not table.order_matters:
        return None
    if table.seating != "every":
        return NeighbourEffects(ONE_ORDER)
    cells = _Cells(counts, table.seats, table.rules.players if table.match else 1)
    effects = tuple(cells.effects())
    return NeighbourEffects(effect_sentence(effects), effects, tuple(cells.orders()))


def effect_sentence(effects: Sequence[NeighbourEffect]) -> str:
    """Say what the greatest effect is, or that none is sure."""
    among = f"of {len(effects)} such differences; {LEVEL:.0%} for all together"
    clear = [effect for effect in effects if effect.difference.excludes_zero]
    if not clear:
        most = max(max(-effect.difference.low, effect.difference.high) for effect in effects)
        return (
            f"No neighbour matters much: whoever sits right before a player makes no sure difference to its wins, and "
            f"at most one of {most:.1f} per 100 games (all {among})."
        )
    greatest = max(clear, key=lambda effect: abs(effect.difference.estimate))
    size, span = size_and_span(greatest.difference)
    direction = "more" if greatest.difference.estimate > 0 else "fewer"
    return (
        f"Neighbours matter: {greatest.strategy} wins {size} {direction} per 100 games {span} when it sits right after "
        f"{greatest.right_after}, against its average (the greatest {among})."
    )


def _difference(first: Interval, second: Interval) -> Interval:
    """Return the first share less the second, of different games (Newcombe's interval, from two of Wilson's)."""
    below = math.hypot(first.estimate - first.low, second.high - second.estimate)
    above = math.hypot(first.high - first.estimate, second.estimate - second.low)
    estimate = first.estimate - second.estimate
    return Interval(estimate, estimate - below, estimate + above, first.level)


class _Cells:
    """Wins by row of the counts (an order, or the seat directly before) and seat; see `counts.OrderSums`."""

    def __init__(self, counts: Counts, seats: Sequence[Strategy], dependent: int) -> None:
        self.games, self.wins, self.squares = (counts[f"order_{name}"] for name in ("games", "wins", "win_squares"))
        self.dependent, self.players = dependent, len(seats)
        self.strategies = list(dict.fromkeys(seats))
        self.kinds = np.array([self.strategies.index(seat) for seat in seats])
        self.by_order = [(0, *others) for others in permutations(range(1, self.players))] if self._numbered else []

    @property
    def _numbered(self) -> bool:
        return self.players <= MOST_BY_ORDER

    def _before(self) -> NDArray[np.int64]:
        """Return the seat directly before each, shape (rows, seats)."""
        if not self._numbered:
            return np.tile(np.arange(self.players)[:, None], self.players)
        orders = np.array(self.by_order)
        before = np.empty_like(orders)
        np.put_along_axis(before, orders, np.roll(orders, 1, axis=1), axis=1)
        return before

    def _share(self, rows: NDArray[np.int64], seats: NDArray[np.int64] | int, level: float) -> Interval:
        """Estimate the share of the win in some cells; two seats of one game are taken for independent."""
        total, squares, games = (int(sums[rows, seats].sum()) for sums in (self.wins, self.squares, self.games))
        return share_from_sums(total, squares, games, WIN, level, self.dependent)

    def effects(self) -> list[NeighbourEffect]:
        """Return what every strategy wins right after every other."""
        before = np.where(self.games > 0, self.kinds[self._before()], -1)
        pairs = [
            (kind, other, seats)
            for kind in range(len(self.strategies))
            for other in range(len(self.strategies))
            for seats in [np.flatnonzero(self.kinds == kind)]
            if 0 < (before[:, seats] == other).sum() < (before[:, seats] >= 0).sum()
        ]
        return [self._effect(kind, other, seats, before, len(pairs)) for kind, other, seats in pairs]

    def _effect(
        self, kind: int, other: int, seats: NDArray[np.int64], before: NDArray[np.int64], number: int
    ) -> NeighbourEffect:
        """Average over the seats of a strategy: its interval is no wider than the average of theirs."""
        level, wins, differences, games = 1 - (1 - LEVEL) / number, [], [], 0
        for seat in seats:
            after, otherwise = (np.flatnonzero(own) for own in (before[:, seat] == other, before[:, seat] != other))
            own = int(self.games[after, seat].sum())
            games += own
            wins.append(self._share(after, seat, LEVEL))
            gap = _difference(self._share(after, seat, level), self._share(otherwise, seat, level))
            # The average over all orders counts these games, too.
            differences.append(gap.times(1 - own / int(self.games[:, seat].sum())))
        names = self.strategies[kind].label, self.strategies[other].label
        return NeighbourEffect(*names, games, mean_of(wins, LEVEL).times(100), mean_of(differences, level).times(100))

    def orders(self) -> list[Row]:
        """Return wins by the order of the strategies and the place in it; what is the same order for them is one."""
        found: dict[tuple[tuple[int, ...], int], list[tuple[int, int]]] = {}
        for number, order in enumerate(self.by_order):
            turned = [order[first:] + order[:first] for first in range(self.players)]
            sequences = [tuple(int(self.kinds[seat]) for seat in seats) for seats in turned]
            least = min(sequences)
            # Turned by less than a whole round an order may be the same again: then so are places of it.
            again = next(n for n in range(1, self.players + 1) if least[n:] + least[:n] == least)
            for place, seat in enumerate(turned[sequences.index(least)]):
                found.setdefault((least, place % again), []).append((number, seat))
        return [self._row(sequence, place, cells) for (sequence, place), cells in sorted(found.items())]

    def _row(self, sequence: tuple[int, ...], place: int, cells: list[tuple[int, int]]) -> Row:
        labels = [self.strategies[kind].label for kind in sequence]
        rows, seats = np.array(cells).T
        share = self._share(rows, seats, LEVEL).times(100)
        return {
            "order": "; ".join(labels),
            "place": place,
            "strategy": labels[place],
            "right_after": labels[place - 1],
            "games": int(self.games[sorted(set(rows.tolist())), 0].sum()),
            **bounds_columns(WINS.name, share),
            "level": share.level,
        }
