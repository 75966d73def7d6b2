"""The reason for an answer: what the change does to the score, where it first shows, who pays, and deals to see."""

from __future__ import annotations

import math
from typing import Final

import numpy as np
from numpy.typing import NDArray

from reports.ask.player_effect import MeasuredPlayer
from reports.estimates.intervals import LEVEL, UNSEEN, Interval, interval_data, mean_from_sums, reach_of
from reports.output.command_lines import trace_command
from reports.output.words import plus
from simulate.escalation.kernel.win_shares import whole_win
from simulate.escalation.rules import FEWEST_PLAYERS, Rules
from simulate.escalation.settings.firings import Firings
from simulate.escalation.settings.reasons import PARTS, Reasons

FIRING_COLUMNS: Final = (
    "where it shows", "of all such turns", "of first ones", "games", "wins per 100 of them", "±", "cards each",
)  # fmt: skip
SUMMARY_COLUMNS: Final = (
    "why", "games it shows in", "turns it shows on", "willing takes", "forced takes", "after the end", "hand left",
    "cards together", "next player", "previous player",
)  # fmt: skip
SUMMARY_NOTE: Final = (
    "Why: parts of the score in cards per game (after the end: takes after the other game had ended); who pays in wins "
    "per 100. Ask about one table for where it shows and for deals to see."
)
PARTS_COLUMNS: Final = ("part of the score", "cards per game")
FEWEST_DEALS: Final = 10
"""What fewer deals say about a turn's worth is not told with an interval."""
_TARGETS: Final = ((0, 0, "leading"), (1, 6, "target 1-6"), (7, 12, "target 7-12"), (13, 18, "target 13-18"))
_PILES: Final = ((1, 3, "pile of 1-3"), (4, 6, "pile of 4-6"), (7, 9, "pile of 7-9"))


def parts_rows(reasons: Reasons) -> list[tuple[str, ...]]:
    """Return what the change adds to each part of the focal player's score; the last row is their sum."""
    rows = [(words, plus(cards / reasons.games, 3)) for words, cards in zip(PARTS, reasons.parts, strict=True)]
    return [*rows, ("together: the whole score", plus(reasons.parts.sum() / reasons.games, 3))]


def firing_rows(reasons: Reasons, rules: Rules) -> list[tuple[str, ...]]:
    """Return on which turns the change shows, by target, pile and deck, and what a first such turn is worth.

    The shares of all such turns are of those in the unchanged games; "of first ones" and the rest are of the games that
    differ, by the turn on which they first do.
    """
    if not len(reasons.deal):
        return []
    rows: list[tuple[str, ...]] = []
    for (words, first), (_, every) in zip(_buckets(reasons, rules), _buckets(reasons.firings, rules), strict=True):
        if first.any() or every.any():
            share = f"{every.mean():.1%}" if len(every) else "-"
            of_first = (f"{first.mean():.1%}", f"{first.sum():,}")
            rows.append((words, share, *of_first, *_worth_cells(reasons, first, rules)))
    return rows


def _worth_cells(reasons: Reasons, chosen: NDArray[np.bool_], rules: Rules) -> tuple[str, str, str]:
    if not chosen.any():
        return ("-", "-", "-")
    worth = worth_of(reasons, chosen, rules.players)
    cards = reasons.scores[chosen].mean()
    error = "-" if math.isnan(worth.low) else f"{worth.half_width:.1f}"
    return (plus(worth.estimate, 1), error, plus(float(cards), 2))


def _buckets(reasons: Reasons | Firings, rules: Rules) -> list[tuple[str, NDArray[np.bool_]]]:
    def within(numbers: NDArray[np.int64], low: int, high: float) -> NDArray[np.bool_]:
        return (numbers >= low) & (numbers <= high)

    target = np.where(reasons.pile == 0, 0, reasons.target)
    dealt = rules.players * rules.hand_size
    half = (rules.deck.size - dealt) // 2
    return [
        ("all", reasons.deck >= 0),
        *((words, within(target, low, high)) for low, high, words in _TARGETS),
        ("target 19 or more", within(target, 19, math.inf)),
        *((words, within(reasons.pile, low, high)) for low, high, words in _PILES),
        ("pile of 10 or more", within(reasons.pile, 10, math.inf)),
        ("first half of the deck", reasons.deck > half),
        ("second half of the deck", within(reasons.deck, 1, half)),
        ("deck empty", reasons.deck == 0),
    ]


def firings_per_game(firings: Firings) -> Interval:
    """Return on how many turns of an unchanged game the change would show; the unit is the deal."""
    _, of_deal = np.unique(firings.deal, return_counts=True)
    total, squares = int(of_deal.sum()), int((of_deal**2).sum())
    return mean_from_sums(total, squares, firings.deals).times(firings.deals / firings.games)


def worth_of(reasons: Reasons, chosen: NDArray[np.bool_], players: int) -> Interval:
    """Return wins per 100 of the chosen differing games, for a planned number of games; the unit is the deal.

    The interval is by Student's t, with two games added to the spread that are as far off as can be (as in
    `mean_from_sums`); without bounds (nan) if there are fewer than FEWEST_DEALS deals.
    """
    deals, deal = np.unique(reasons.deal[chosen], return_inverse=True)
    wins = reasons.wins[chosen] / whole_win(players) * 100
    mean = float(wins.mean())
    if len(deals) < FEWEST_DEALS:
        return Interval(mean, math.nan, math.nan)
    apart = np.bincount(deal, weights=wins - mean)
    error = math.sqrt(float((apart**2).sum()) + UNSEEN * 100**2) / len(wins)
    return Interval.around(mean, reach_of(LEVEL, len(deals) - 1) * error)


def reason_sentences(measured: MeasuredPlayer, reasons: Reasons) -> list[str]:
    """Say in words what the change does: how often, in cards, and who pays."""
    if not len(reasons.deal):
        return ["It never shows."]
    changed = measured.changed_games / measured.games
    names = ("willing takes", "forced takes", "takes after the other game had ended", "hand left at the end")
    told = ", ".join(f"{words} {cards}" for words, cards in zip(names, _parts_cells(reasons), strict=False))
    firings, per_game = reasons.firings, firings_per_game(reasons.firings)
    lines = [
        f"It shows in {changed:.1%} of games, for the first time once in {reasons.turns / len(reasons.deal):,.0f} of "
        f"his turns. In the unchanged games it would show on {len(firings.deal) / firings.turns:.1%} of his turns, "
        f"{per_game.estimate:.2f} ± {per_game.half_width:.2f} times per game (first {firings.deals:,} deals).",
        f"Cards per game: {told}; together {_parts_cells(reasons)[-1]} "
        f"(first {reasons.games // measured.players:,} deals).",
    ]
    if measured.players > FEWEST_PLAYERS:
        following, preceding = _payers_cells(measured)
        lines.append(f"Who pays: the next player {following}, the previous player {preceding} wins per 100.")
    return lines


def _parts_cells(reasons: Reasons) -> tuple[str, ...]:
    """Return willing and forced takes, those after the other game's end, the hand left, and their sum, per game."""
    willing, forced, late_willing, late_forced, left = reasons.parts / reasons.games
    parts = (willing, forced, late_willing + late_forced, left, reasons.parts.sum() / reasons.games)
    return tuple(plus(float(cards), 2) for cards in parts)


def _payers_cells(measured: MeasuredPlayer) -> tuple[str, str]:
    """Return the effects on the next and the previous player's wins."""
    following, preceding = map(measured.effect, ("next_wins", "previous_wins"))
    return _with_error(following), _with_error(preceding)


def _with_error(effect: Interval) -> str:
    return f"{plus(effect.estimate, 2)} ± {effect.half_width:.2f}"


def reason_row(words: str, measured: MeasuredPlayer, reasons: Reasons) -> tuple[str, ...]:
    """Return the reason at one of several tables in one row, in the order of SUMMARY_COLUMNS."""
    firings = reasons.firings
    shows = (f"{measured.changed_games / measured.games:.1%}", f"{len(firings.deal) / firings.turns:.1%}")
    payers = _payers_cells(measured) if measured.players > FEWEST_PLAYERS else ("-", "-")
    return (words, *shows, *_parts_cells(reasons), *payers)


def exemplary_deals(reasons: Reasons) -> list[tuple[str, int, int]]:
    """Choose deals to see: where it helped most, hurt most, and a typical one.

    Returns
    -------
    list of (words, deal, focal seat)
        By wins and then by cards; the first in the order of deals where several are alike.
    """
    if not len(reasons.deal):
        return []
    wins, scores = reasons.wins, reasons.scores
    found = []
    for words, keys in (
        ("helped most", (scores, -wins)),
        ("hurt most", (-scores, wins)),
        ("typical", (np.abs(scores - np.median(scores)),)),
    ):
        index = np.lexsort((reasons.focal, reasons.deal, *keys))[0]
        found.append((words, int(reasons.deal[index]), int(reasons.focal[index])))
    return found


def deals_to_see(measured: MeasuredPlayer, reasons: Reasons) -> list[tuple[str, str]]:
    """Return, for each deal to see, what it shows and the command that shows it."""
    return [(words, _command(measured, deal, focal)) for words, deal, focal in exemplary_deals(reasons)]


def _command(measured: MeasuredPlayer, deal: int, focal: int) -> str:
    return trace_command(measured.comparison, measured.seed, deal, focal)


def reasons_data(reasons: Reasons, measured: MeasuredPlayer) -> dict[str, object]:
    """Return the reason as plain data: sums over the deals it was found in, as whole numbers."""
    return {
        "games": reasons.games,
        "turns": reasons.turns,
        "games_that_differ": len(reasons.deal),
        "firings": {
            "games": reasons.firings.games,
            "turns": reasons.firings.turns,
            "turns_on_which_it_shows": len(reasons.firings.deal),
            "per_game": interval_data(firings_per_game(reasons.firings)),
        },
        "score_parts_in_cards": dict(zip(PARTS, reasons.parts.tolist(), strict=True)),
        "score_difference_in_cards": int(reasons.parts.sum()),
        "deals_to_see": [
            {"shows": words, "deal": deal, "position": focal, "command": _command(measured, deal, focal)}
            for words, deal, focal in exemplary_deals(reasons)
        ],
    }
