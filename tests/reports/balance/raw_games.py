"""Who wins raw games, from scores alone."""

from __future__ import annotations

import numpy as np

from simulate import Rules, Table


def win_shares(seats, deals, seating="given"):
    """Return the win share of every seat in every game, from scores alone."""
    played = Table(Rules(players=3), seats, seating).play(1, deals)
    at_seat = np.empty(played.scores.shape)
    for game, (scores, seating_of_game) in enumerate(zip(played.scores.tolist(), played.seating, strict=True)):
        winners = [place for place, score in enumerate(scores) if score == min(scores)]
        for place in range(3):
            at_seat[game, seating_of_game[place]] = (place in winners) / len(winners)
    return at_seat


def ahead_of_all(at_seat, games, runs=4000):
    """Return how often seat 0 has won more than every other seat after so many games, drawn from those played."""
    drawn = np.random.default_rng(1).integers(0, len(at_seat), (runs, games))
    won = at_seat[drawn].sum(axis=1)
    return (won[:, 0] > won[:, 1:].max(axis=1) + 1e-9).mean()


def shares_of_wins(scores):
    """Return everybody's share of the win by position, one row per game."""
    won = scores == scores.min(axis=1, keepdims=True)
    return won / won.sum(axis=1, keepdims=True)
