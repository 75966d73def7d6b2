"""What a change of one player of Escalation! did to the player and to the neighbours, and why."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property
from typing import Final

from reports.ask.verdict import Measured
from reports.estimates.betting import PER_HUNDRED, Watched, watched_interval, watched_mean
from reports.estimates.intervals import Interval, interval_data
from simulate.escalation.kernel.pair_counts import MEASURES
from simulate.escalation.kernel.win_shares import whole_win
from simulate.escalation.settings.comparison import Comparison
from simulate.escalation.settings.reasons import Reasons, ReasonsAtSeat
from simulate.experiment import Setting

REASON_DEALS: Final = 2520
"""So many deals are followed turn by turn to find the reason."""


@dataclass(frozen=True)
class MeasuredPlayer(Measured):
    """The effect on the player at every seat in turn (counts: see `reduce_pairs`)."""

    comparison: Comparison

    @property
    def reason_settings(self) -> tuple[Setting, ...]:
        """The focal player at each seat; nothing for matches, which differ anywhere."""
        if self.comparison.match:
            return ()
        return tuple(ReasonsAtSeat(self.comparison, focal, REASON_DEALS) for focal in range(self.players))

    @property
    def players(self) -> int:
        """How many players there are at the table."""
        return self.comparison.rules.players

    @property
    def arms(self) -> tuple[str, str]:
        """The player without the change, and with it."""
        return self.comparison.base.label, self.comparison.changed.label

    @property
    def games(self) -> int:
        """How many games were played with the change: every deal at every seat."""
        return self.deals * self.players

    @property
    def score(self) -> Interval:
        """The effect on the focal player's own score, in cards per game (or match); certain even if you watch it."""
        rules = self.comparison.rules
        most = rules.deck.size * (rules.players if self.comparison.match else 1)
        watched = Watched.from_histogram(self.counts["score_differences"], -most, most)
        return watched_interval(watched, self.stopping.own_alpha)

    def effect(self, measure: str) -> Interval:
        """Return the effect on the wins per 100 of any of `MEASURES`; about as certain, for only sums are known."""
        total, squares = (int(number) for number in self.counts["differences"][MEASURES.index(measure)])
        # In a deal the player has every seat in turn: so many wins can change hands.
        most = whole_win(self.players) * self.players
        interval = watched_mean(total, squares, self.units, most, self.stopping.own_alpha)
        return interval.times(PER_HUNDRED / most)

    @property
    def variance_reduction(self) -> float:
        """How many times the games that independent deals would have needed; infinite where nothing changed."""
        seats, units, win = self.players, self.units, whole_win(self.players)
        means = self.counts["wins"].sum(axis=1) / (units * seats)
        apart = float((self.counts["win_squares"] / (units * seats) - means**2).sum()) / win**2
        total, squares = (float(number) for number in self.counts["differences"][0])
        together = (squares / units - (total / units) ** 2) / (win * seats) ** 2
        return apart / (seats * together) if together > 0 else math.inf

    @cached_property
    def reasons(self) -> Reasons | None:
        """Where and why the games differ, from the first REASON_DEALS deals; None for matches."""
        return Reasons.of_seats(self.reason_counts) if self.reason_counts else None

    def as_data(self) -> dict[str, object]:
        """Return everything as plain data."""
        reduction = self.variance_reduction
        return {
            **super().as_data(),
            "opponents": [opponent.label for opponent in self.comparison.opponents],
            "score": interval_data(self.score),
            "next_player_wins_per_100": interval_data(self.effect("next_wins")),
            "previous_player_wins_per_100": interval_data(self.effect("previous_wins")),
            "variance_reduction": reduction if math.isfinite(reduction) else None,
        }
