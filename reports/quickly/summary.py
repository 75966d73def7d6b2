"""What the counts of a group of That Escalated Quickly say, as numbers with intervals."""

from __future__ import annotations

import math
from typing import Final

import pandas as pd

from reports.estimates.intervals import (
    LEVEL,
    Interval,
    mean_from_sums,
    mean_of_histogram,
    normal_interval,
    share_from_sums,
)
from reports.estimates.measures import Measure
from simulate.experiment import Counts
from simulate.quickly.rules import GroupRules

GAME_WINS: Final = Measure("wins_per_100_games", "games won", "games won per 100")
GOOD_ROUNDS: Final = Measure("good_rounds_per_100", "good rounds", "good rounds per 100")
ROUNDS: Final = Measure("rounds_per_game", "game length", "rounds per game")
MISTAKES: Final = Measure("mistakes_per_round", "mistakes", "mistakes per round")
NEAR_MISSES: Final = Measure("near_misses_per_100_games", "near misses", "games per 100 lost one good round short")
COMEBACKS: Final = Measure("comebacks_per_100", "comebacks", "games won per 100 that stood one bad round from the end")

FEWEST_BEHIND: Final = 30
"""Of fewer games the normal interval would be too narrow."""


def summarise_group(counts: Counts, level: float = LEVEL) -> dict[Measure, Interval]:
    """Return the numbers of a group.

    Parameters
    ----------
    counts
        What `simulate.quickly.engine.Group` counted (see `simulate.quickly.game.GroupSums`).
    level
        The level of the intervals.

    Returns
    -------
    dict of Measure to Interval
        Comebacks are missing if fewer than `FEWEST_BEHIND` games ever stood so badly.
    """
    games = int(counts["games"][0])
    target = counts["final_scores"].shape[0] - 1
    numbers = {
        GAME_WINS: _happened(int(counts["wins"][0]), games, level).times(100),
        GOOD_ROUNDS: round_success(counts, level).times(100),
        ROUNDS: mean_from_sums(int(counts["rounds"].sum()), int(counts["good_products"][2]), games, level),
        MISTAKES: mean_of_histogram(counts["mistakes"], level),
        NEAR_MISSES: _happened(int(counts["final_scores"][target - 1, target]), games, level).times(100),
    }
    # Whoever lost stood one bad round from the end, and so did whoever won with only one to spare.
    turned = int(counts["final_scores"][target, target - 1])
    behind = games - int(counts["wins"][0]) + turned
    if behind >= FEWEST_BEHIND:
        numbers[COMEBACKS] = _happened(turned, behind, level).times(100)
    return numbers


def _happened(times: int, units: int, level: float) -> Interval:
    return share_from_sums(times, times, units, level=level)


def round_success(counts: Counts, level: float = LEVEL) -> Interval:
    """Return the share of good rounds; the unit is the game, whose rounds end with its third good or bad one.

    A ratio of two sums over games, with the usual linear approximation of its error.
    """
    good, rounds, games = int(counts["good"].sum()), int(counts["rounds"].sum()), int(counts["games"][0])
    share = good / rounds
    if games == 1:
        return Interval(share, -math.inf, math.inf, level)
    squares, products, round_squares = (int(number) for number in counts["good_products"])
    spread = squares - 2 * share * products + share**2 * round_squares
    return normal_interval(share, math.sqrt(max(spread, 0.0) * games / (games - 1)) / rounds, level)


def mistakes_by_kind(counts: Counts) -> tuple[float, float]:
    """Return mistakes per 100 rounds between two cards of others, and with a card of the organiser's own."""
    rounds, every, own = (int(counts[name].sum()) for name in ("rounds", "confusions", "own_mistakes"))
    return 100 * (every - own) / rounds, 100 * own / rounds


def organisers_frame(counts: Counts, labels: tuple[str, ...]) -> pd.DataFrame:
    """Return one row per position: strategy, rounds organised and the share of them that was good."""
    rounds, good = counts["rounds"], counts["good"]
    return pd.DataFrame(
        {
            "position": range(len(labels)),
            "strategy": labels,
            "rounds": rounds,
            "good_rounds_per_100": [
                100 * int(g) / int(r) if r else math.nan for g, r in zip(good, rounds, strict=True)
            ],
        }
    )


def flips_frame(counts: Counts, rules: GroupRules) -> pd.DataFrame:
    """Return one row per flip: how many rounds per 100 ended badly with it."""
    rounds = int(counts["rounds"].sum())
    return pd.DataFrame(
        {
            "flip": range(1, rules.cards + 1),
            "bad_rounds_per_100": [100 * int(number) / rounds for number in counts["died_at"][1:]],
        }
    )


def confusions_frame(counts: Counts) -> pd.DataFrame:
    """Return one row per pair of values: mistakes per 100 rounds in which the lower lay on the higher one."""
    rounds, confused = int(counts["rounds"].sum()), counts["confusions"]
    rows = [
        {"higher": high, "lower": low, "mistakes_per_100_rounds": 100 * int(confused[high, low]) / rounds}
        for high in range(2, confused.shape[0])
        for low in range(1, high)
    ]
    frame = pd.DataFrame(rows)
    return frame.sort_values("mistakes_per_100_rounds", ascending=False, kind="stable", ignore_index=True)
