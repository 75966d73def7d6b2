"""A paired comparison: one player's strategy is changed, everything else stays, and the same deals are played twice.

Every deal is played with the focal player at every seat in turn, without and with the change. What is counted per unit
(a deal, or a match where matches are asked about) is the sum over these seats of the outcome of the changed game less
that of the base game. Units are independent, games of one unit are not.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from simulate.escalation.engine import Seating, Table, clockwise_from_first, opening, prepared, rule_numbers
from simulate.escalation.kernel.game import working_memory
from simulate.escalation.kernel.option_table import option_table
from simulate.escalation.kernel.pair_counts import MEASURES, PairSums, add_pairs, scratch
from simulate.escalation.kernel.pairs import PairDeals, PairResults, play_pairs
from simulate.escalation.kernel.shadow import no_shadow, occasions_between
from simulate.escalation.kernel.win_shares import whole_win, win_shares
from simulate.escalation.rules import Rules
from simulate.escalation.state import TELEMETRY
from simulate.experiment import Counts, Spec, no_counts
from strategies.errors import InputError
from strategies.strategy import Strategy, player_records


@dataclass(frozen=True)
class Pairs:
    """Games played twice, by the seat of the focal player.

    Attributes
    ----------
    base, changed
        Scores by focal seat, game and seat, int64, shape (players, games, players).
    differs
        Whether any move of the game differs, shape (players, games).
    telemetry
        Sums over games of what the focal player did, base first, shape (2, players, len(TELEMETRY)).
    """

    base: NDArray[np.int64]
    changed: NDArray[np.int64]
    differs: NDArray[np.bool_]
    telemetry: NDArray[np.int64]


@dataclass(frozen=True)
class Comparison:
    """A change of strategy to judge, at one table.

    Attributes
    ----------
    rules
        What is played.
    base, changed
        The focal player, without and with the change.
    opponents
        The other players; empty: all play the base. If they differ, every order of them is played equally often, as
        at a `Table` whose first seat is the focal player.
    match
        Whether the unit is the match (as many games as players, the starter rotating, the standing minded) and not the
        deal.
    noise_salt
        Of the games with the change. With another salt than 0 a change that is none gives games equal in law and
        not in moves (among equal players the seats' wins still add up to one, so the difference shows only against
        others).
    """

    rules: Rules
    base: Strategy
    changed: Strategy
    opponents: tuple[Strategy, ...] = ()
    match: bool = False
    noise_salt: int = 0

    def __post_init__(self) -> None:
        """Check the number of opponents, and let them be the base if there are none."""
        others = self.rules.players - 1
        if not self.opponents:
            object.__setattr__(self, "opponents", (self.base,) * others)
        if len(self.opponents) != others:
            raise InputError(f"{len(self.opponents)} opponents for {self.rules.players} players: {others} are needed")

    def spec(self) -> Spec:
        """Return everything that determines play; labels do not, values do."""
        return {
            "game": "escalation comparison",
            "rules": self.rules.spec(),
            "base": self.base.spec(),
            "changed": self.changed.spec(),
            "opponents": [opponent.spec() for opponent in self.opponents],
            "match": self.match,
            "noise_salt": self.noise_salt,
        }

    def play_deals(self, seed: int, deals: NDArray[np.int64]) -> Counts:
        """Play deals by number and return their counts.

        Returns
        -------
        mapping of str to numpy.ndarray of int64
            As `reduce_pairs` returns them.
        """
        return reduce_pairs(self.pairs(seed, deals), self.rules, match=self.match)

    def pairs(self, seed: int, deals: NDArray[np.int64]) -> Pairs:
        """Play deals by number, each with the focal player at every seat, without and with the change.

        Only games that the change changes are played twice; in a match, where a game depends on those before it, and
        under another noise salt, every game is.
        """
        if self.match or self.noise_salt:
            return play_everything(self, seed, deals)
        return replay_changed(self, seed, deals)

    def orders(self, seed: int, deals: NDArray[np.int64]) -> tuple[list[Comparison], NDArray[np.int64]]:
        """Return this comparison with its opponents in every order that deals have, and which of these each has."""
        if len({opponent.values for opponent in self.opponents}) == 1:
            return [self], np.zeros(len(deals), dtype=np.int64)
        values = [opponent.values for opponent in self.opponents]
        kinds = np.array([values.index(own) for own in values])
        clockwise = kinds[clockwise_from_first(self.rules.players, seed, deals)[:, 1:] - 1]
        orders, which = np.unique(clockwise, axis=0, return_inverse=True)
        arranged = [replace(self, opponents=tuple(self.opponents[kind] for kind in order)) for order in orders]
        return arranged, which.reshape(-1)

    def table(self, focal: int, *, changed: bool) -> Table:
        """Return the table with the focal player at a seat and the opponents following in the order they are given.

        Seat 0 leads, or leads first in a match.
        """
        player = self.changed if changed else self.base
        clockwise = (player, *self.opponents)
        seats = tuple(clockwise[(seat - focal) % len(clockwise)] for seat in range(len(clockwise)))
        seating: Seating = "rotate" if self.match else "given"
        return Table(self.rules, seats, seating, self.match, self.noise_salt if changed else 0)


def play_everything(comparison: Comparison, seed: int, deals: NDArray[np.int64]) -> Pairs:
    """Play every game of a comparison in full: the plain way, by which faster ones are checked."""
    orders, which = comparison.orders(seed, deals)
    parts = [_play_in_order(order, seed, deals[which == place]) for place, order in enumerate(orders)]
    # Back from one order after the other to deal after deal.
    back = np.argsort(np.argsort(which, kind="stable"), kind="stable")
    return Pairs(
        np.concatenate([part.base for part in parts], axis=1)[:, back],
        np.concatenate([part.changed for part in parts], axis=1)[:, back],
        np.concatenate([part.differs for part in parts], axis=1)[:, back],
        np.sum([part.telemetry for part in parts], axis=0),
    )


def _play_in_order(comparison: Comparison, seed: int, deals: NDArray[np.int64]) -> Pairs:
    """Play every game with the opponents in one order."""
    players = comparison.rules.players
    alike = all(opponent.values == comparison.base.values for opponent in comparison.opponents)
    bases = [_by_seat(comparison.table(focal, changed=False), seed, deals) for focal in range(1 if alike else players)]
    bases = bases * players if alike else bases
    changes = [_by_seat(comparison.table(focal, changed=True), seed, deals) for focal in range(players)]
    return Pairs(
        np.stack([base.scores for base in bases]),
        np.stack([change.scores for change in changes]),
        np.stack([(base.moves != change.moves).any(axis=1) for base, change in zip(bases, changes, strict=True)]),
        np.array([[games.telemetry[focal] for focal, games in enumerate(arm)] for arm in (bases, changes)]),
    )


def replay_changed(comparison: Comparison, seed: int, deals: NDArray[np.int64]) -> Pairs:
    """Play a comparison of single games, and again only what the change changes: the same numbers, sooner."""
    players = comparison.rules.players
    table = comparison.table(0, changed=False)
    strategies = (comparison.base, comparison.changed, *comparison.opponents)
    orders, which = comparison.orders(seed, deals)
    tables = [[order.table(focal, changed=False) for focal in range(players)] for order in orders]
    place_of = {strategy.values: place for place, strategy in reversed(list(enumerate(strategies)))}
    base, changed = player_records((comparison.base, comparison.changed))
    wanted = PairDeals(
        deals,
        which,
        np.array([[[place_of[seat.values] for seat in own.seats] for own in every] for every in tables], np.uint64),
        np.uint64(1),
        int(all(opponent.values == comparison.base.values for opponent in comparison.opponents)),
        occasions_between(base, changed),
        int(max(base["early_take_limit"], changed["early_take_limit"])),
        table.streams(seed),
    )
    shape = (players, len(deals), players)
    results = PairResults(
        np.empty(shape, dtype=np.int64),
        np.empty(shape, dtype=np.int64),
        np.empty(shape[:2], dtype=np.bool_),
        np.zeros((2, players, len(TELEMETRY)), dtype=np.int64),
    )
    memory, rules = working_memory(comparison.rules.deck.size), rule_numbers(comparison.rules)
    prepared_players = prepared(comparison.rules, strategies)
    options, start = option_table(comparison.rules), opening(comparison.rules)
    play_pairs(options, prepared_players, rules, start, wanted, memory, no_shadow(), results)
    return Pairs(*results)


@dataclass(frozen=True)
class _GamesBySeat:
    """Games of one table by seat: scores (games, seats), telemetry (seats, measures), moves (games, deck size)."""

    scores: NDArray[np.int64]
    telemetry: NDArray[np.int64]
    moves: NDArray[np.int16]


def _by_seat(table: Table, seed: int, deals: NDArray[np.int64]) -> _GamesBySeat:
    played = table.play(seed, deals, with_moves=True)
    scores = np.empty(played.scores.shape, dtype=np.int64)
    np.put_along_axis(scores, played.seating, played.scores.astype(np.int64), axis=1)
    return _GamesBySeat(scores, played.telemetry.sum(axis=1), played.moves)


def unit_differences(pairs: Pairs, *, match: bool) -> NDArray[np.int64]:
    """Return what the change made of each measure in every unit, summed over the focal player's seats.

    Returns
    -------
    numpy.ndarray of int64, shape (len(MEASURES), units)
        Win shares in units of 1/whole_win, scores in cards.
    """
    base, changed = _outcomes(pairs.base, match=match), _outcomes(pairs.changed, match=match)
    differences: NDArray[np.int64] = (changed - base).sum(axis=1)
    return differences


def _outcomes(scores: NDArray[np.int64], *, match: bool) -> NDArray[np.int64]:
    """Return every measure by focal seat and unit, shape (len(MEASURES), players, units)."""
    players = scores.shape[0]
    if match:
        scores = scores.reshape(players, -1, players, players).sum(axis=2)
    shares = win_shares(scores)
    focal = np.arange(players)
    seats = (focal, (focal + 1) % players, (focal - 1) % players)
    return np.stack([outcome[focal, :, seat] for seat in seats for outcome in (shares, scores)])


def reduce_pairs(pairs: Pairs, rules: Rules, *, match: bool) -> Counts:
    """Reduce games played twice to integer sums.

    Parameters
    ----------
    pairs
        The games; with `match`, whole matches in order.
    rules
        What was played.
    match
        Whether the unit is the match.

    Returns
    -------
    mapping of str to numpy.ndarray of int64
        - deals, units: how many of each; shape (1,).
        - changed_games: games in which any move differs, by the focal player's seat; shape (players,).
        - win_differences, score_differences: units by their difference summed over seats, from the least possible to
          the greatest; shapes (2 x players x whole_win + 1,) and (2 x players x most cards of a unit + 1,).
        - differences: sums over units of the difference of each measure, and of its square; shape (len(MEASURES), 2).
        - wins, scores: sums over units by arm (base first) and focal seat; shape (2, players).
        - win_squares: sums over units and seats of squared win shares, by arm; shape (2,).
        - telemetry: sums over games of what the focal player did, by arm; shape (2, players, len(TELEMETRY)).
    """
    players, games = pairs.base.shape[0], pairs.base.shape[1]
    games_per_unit = players if match else 1
    win, most_cards = whole_win(players), rules.deck.size * games_per_unit

    sums = PairSums(
        no_counts(2 * players * win + 1), no_counts(2 * players * most_cards + 1), no_counts(len(MEASURES), 2),
        no_counts(2, players), no_counts(2, players), no_counts(2),
    )  # fmt: skip
    add_pairs(pairs.base, pairs.changed, games_per_unit, win, scratch(), sums)
    return {
        "deals": np.array([games]),
        "units": np.array([games // games_per_unit]),
        "changed_games": pairs.differs.sum(axis=1),
        **sums._asdict(),
        "telemetry": pairs.telemetry,
    }
