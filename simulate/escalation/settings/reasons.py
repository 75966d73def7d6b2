"""Why a change changes the outcome: what the focal player took and kept, and where games begin to differ."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from simulate.escalation.kernel.dealing import deck_orders
from simulate.escalation.kernel.win_shares import win_shares
from simulate.escalation.settings.comparison import Comparison
from simulate.escalation.settings.firings import Firings, find_firings
from simulate.escalation.settings.retelling import Retold, retell
from simulate.experiment import Counts, Spec
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
        the focal player's scores.
    firings
        On which turns of the base games the change would show, in the first FIRING_DEALS deals.
    deal, focal
        Of every game that differs: its deal number, and the focal player's seat.
    target, pile, deck
        Of every such game: what the focal player saw on the first turn that went otherwise (a pile of 0: a lead), and
        the cards still to be drawn.
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

    @classmethod
    def of_seats(cls, seats: Sequence[Counts]) -> Reasons:
        """Put together what was found with the focal player at each seat in turn (see `ReasonsAtSeat`)."""
        games, turns, firing_turns = (
            int(sum(seat[name][0] for seat in seats)) for name in ("games", "turns", "firing_turns")
        )
        parts = np.sum([seat["parts"] for seat in seats], axis=0)
        differing, found = (np.concatenate([seat[name] for seat in seats], axis=1) for name in ("differing", "firings"))
        deals = int(seats[0]["firing_deals"][0])
        firings = Firings(deals, deals * len(seats), firing_turns, *found)
        return cls(games, turns, parts, firings, *differing)


@dataclass(frozen=True)
class ReasonsAtSeat:
    """Plays a change with the focal player at one seat, and finds out where its games differ: a setting for the runner.

    Attributes
    ----------
    comparison
        The change; games, not matches, and without a noise salt, with which games differ anywhere.
    focal
        The focal player's seat.
    deals
        How many deals of each run are looked at.
    """

    comparison: Comparison
    focal: int
    deals: int

    def __post_init__(self) -> None:
        """Check that there are reasons to be found."""
        if self.comparison.match or self.comparison.noise_salt:
            raise InputError("reasons are found for single games without a noise salt")

    def spec(self) -> Spec:
        """Return everything that determines the numbers."""
        looked_at = {"focal": self.focal, "deals": self.deals, "firing_deals": FIRING_DEALS}
        return {"game": "escalation reasons", "comparison": self.comparison.spec(), **looked_at}

    def play_deals(self, seed: int, deals: NDArray[np.int64]) -> Counts:
        """Look at the first deals of a run.

        Returns
        -------
        mapping of str to numpy.ndarray of int64
            - games, turns: as of `Reasons`, shape (1,); parts, shape (len(PARTS),).
            - differing: from `deal` to `scores`, shape (7, games that differ).
            - firing_deals, firing_turns: as of `Firings`, shape (1,); firings: from `deal` to `deck`, shape (5, turns).

            Blocks are put side by side and not added.
        """
        deals, focal = deals[: self.deals], self.focal
        orders = deck_orders(self.comparison.rules.deck, seed, deals)
        tables = [self.comparison.table(focal, changed=changed) for changed in (False, True)]
        games = [table.play(seed, deals, with_moves=True) for table in tables]
        moves_differ = games[0].moves != games[1].moves
        which = np.flatnonzero(moves_differ.any(axis=1))
        base, changed = (retell(self.comparison.rules, orders[which], game.moves[which]) for game in games)
        parts = _score_parts(changed, base, focal) - _score_parts(base, changed, focal)
        first = moves_differ[which].argmax(axis=1)[:, None]
        seen = [np.take_along_axis(told, first, axis=1)[:, 0] for told in (base.target, base.pile, base.deck)]
        scores = [game.scores[which].astype(np.int64) for game in games]
        outcomes = [(win_shares(scores[1]) - win_shares(scores[0]))[:, focal], (scores[1] - scores[0])[:, focal]]
        firing_deals = deals[:FIRING_DEALS]
        firing_turns, firings = find_firings(self.comparison, focal, seed, firing_deals)
        return {
            "games": np.array([len(deals)], dtype=np.int64),
            "turns": games[0].telemetry[focal, focal, :1],
            "parts": parts.sum(axis=1),
            "differing": np.stack([deals[which], np.full(len(which), focal), *seen, *outcomes]),
            "firing_deals": np.array([len(firing_deals)], dtype=np.int64),
            "firing_turns": np.array([firing_turns], dtype=np.int64),
            "firings": firings,
        }


def _score_parts(told: Retold, other: Retold, focal: int) -> NDArray[np.int64]:
    """Return the parts of the focal player's score in each game, shape (len(PARTS), games)."""
    players = told.left.shape[1]
    own = np.arange(told.took.shape[1]) % players == focal
    taken = np.where(told.took & own, told.pile, 0)
    late = np.arange(told.took.shape[1]) >= other.turns[:, None]
    kinds = [(~told.forced, ~late), (told.forced, ~late), (~told.forced, late), (told.forced, late)]
    return np.stack([*((taken * (kind & when)).sum(axis=1) for kind, when in kinds), told.left[:, focal]])
