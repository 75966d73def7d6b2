"""Why a change changes the outcome: what the focal player took and kept, and where his games begin to differ."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from simulate.escalation.kernel.dealing import deck_orders
from simulate.escalation.kernel.win_shares import win_shares
from simulate.escalation.settings.comparison import Comparison
from simulate.escalation.settings.firings import Firings, find_firings
from simulate.escalation.settings.retelling import Retold, retell
from strategies.errors import InputError

PARTS: Final = (
    "willing takes",
    "forced takes",
    "willing takes after the other game had ended",
    "forced takes after the other game had ended",
    "hand left at the end",
)
"""What a score is made of; a take counts as after the other game's end if that game had no such turn any more."""

FIRING_DEALS: Final = 252
"""In so many of the deals every turn of the unchanged games is put before the changed player."""


@dataclass(frozen=True)
class Reasons:
    """Where and how the games of a comparison differ, over some deals and every seat of the focal player.

    Attributes
    ----------
    games, turns
        Base games, and the focal player's turns in them.
    parts
        Sums over games of what the change adds to each of `PARTS`, in cards; together they are the whole difference of
        his scores.
    firings
        On which turns of the base games the change would show, in the first FIRING_DEALS deals.
    deal, focal
        Of every game that differs: its deal number, and the focal player's seat.
    target, pile, deck
        Of every such game: what the focal player saw on the first turn on which he did something else (a pile of 0: he
        led), and the cards still to be drawn.
    wins, scores
        Of every such game: what the change made of the focal player's win share (in units of 1/whole_win) and score.
    """

    games: int
    turns: int
    parts: NDArray[np.int64]
    firings: Firings
    deal: NDArray[np.int64]
    focal: NDArray[np.int64]
    target: NDArray[np.int64]
    pile: NDArray[np.int64]
    deck: NDArray[np.int64]
    wins: NDArray[np.int64]
    scores: NDArray[np.int64]


@dataclass(frozen=True)
class _OfSeat:
    """The same for one seat of the focal player: columns are those of `Reasons` from `deal` to `scores`."""

    turns: int
    parts: NDArray[np.int64]
    columns: NDArray[np.int64]


def find_reasons(comparison: Comparison, seed: int, deals: NDArray[np.int64]) -> Reasons:
    """Play deals with and without the change and find out where they differ.

    Parameters
    ----------
    comparison
        The change; games, not matches.
    seed, deals
        What to play.

    Raises
    ------
    InputError
        For a comparison of matches, or with a noise salt, where games differ anywhere.
    """
    if comparison.match or comparison.noise_salt:
        raise InputError("reasons are found for single games without a noise salt")
    orders = deck_orders(comparison.rules.deck, seed, deals)
    seats = [_reasons_of_seat(comparison, focal, seed, deals, orders) for focal in range(comparison.rules.players)]
    columns = np.concatenate([seat.columns for seat in seats], axis=1)
    parts = np.sum([seat.parts for seat in seats], axis=0)
    firings = find_firings(comparison, seed, deals[:FIRING_DEALS])
    games, turns = len(deals) * comparison.rules.players, sum(seat.turns for seat in seats)
    return Reasons(games, turns, parts, firings, *columns)


def _reasons_of_seat(
    comparison: Comparison, focal: int, seed: int, deals: NDArray[np.int64], orders: NDArray[np.uint8]
) -> _OfSeat:
    tables = [comparison.table(focal, changed=changed) for changed in (False, True)]
    games = [table.play(seed, deals, with_moves=True) for table in tables]
    differing = games[0].moves != games[1].moves
    which = np.flatnonzero(differing.any(axis=1))
    turns = int(games[0].telemetry[focal, focal, 0])
    arms = [retell(comparison.rules, orders[which], game.moves[which]) for game in games]
    parts = _score_parts(arms[1], arms[0], focal) - _score_parts(arms[0], arms[1], focal)
    first = differing[which].argmax(axis=1)
    seen = [np.take_along_axis(array, first[:, None], axis=1)[:, 0] for array in _seen(arms[0])] if len(which) else []
    scores = [game.scores[which].astype(np.int64) for game in games]
    outcomes = [win_shares(scores[1]) - win_shares(scores[0]), scores[1] - scores[0]]
    empty = np.zeros(0, dtype=np.int64)
    columns = [
        deals[which],
        np.full(len(which), focal),
        *(seen or [empty] * 3),
        *(outcome[:, focal] for outcome in outcomes),
    ]
    return _OfSeat(turns, parts.sum(axis=1), np.stack(columns))


def _seen(told: Retold) -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.int64]]:
    return told.target, told.pile, told.deck


def _score_parts(told: Retold, other: Retold, focal: int) -> NDArray[np.int64]:
    """Return the parts of the focal player's score in each game, shape (len(PARTS), games)."""
    players = told.left.shape[1]
    own = np.arange(told.took.shape[1]) % players == focal
    taken = np.where(told.took & own, told.pile, 0)
    late = np.arange(told.took.shape[1]) >= other.turns[:, None]
    kinds = [(~told.forced, ~late), (told.forced, ~late), (~told.forced, late), (told.forced, late)]
    return np.stack([*((taken * (kind & when)).sum(axis=1) for kind, when in kinds), told.left[:, focal]])
