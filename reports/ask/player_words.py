"""What is told of a tactic of one player of Escalation!: score, who pays, where games part."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from reports.ask.player_effect import MeasuredPlayer
from reports.ask.player_reason import (
    FIRING_COLUMNS,
    PARTS_COLUMNS,
    SUMMARY_COLUMNS,
    SUMMARY_NOTE,
    deals_to_see,
    firing_rows,
    parts_rows,
    reason_row,
    reason_sentences,
    reasons_data,
)
from reports.ask.words import Reason, Wording
from reports.estimates.measures import bounds_columns
from reports.output.html import PageTable
from reports.output.words import number, signed


class PlayerWording(Wording[MeasuredPlayer]):
    """The score beside the wins, and the reason from deals that were followed turn by turn."""

    game = "Escalation!"
    who = "base player"
    columns = ("score",)

    def promise(self, level: str) -> str:
        """Say what the score's intervals are."""
        return f"Score: cards, {level} certain even if you watch it, each by itself."

    def cells(self, measured: MeasuredPlayer) -> tuple[str, ...]:
        """Return the effect on the score."""
        score = measured.score
        return (f"{signed(score.estimate, score)} ± {number(score.half_width, score)}",)

    def record(self, measured: MeasuredPlayer) -> dict[str, object]:
        """Return the effects on the score and on the neighbours' wins, each with _low and _high."""
        effects = {
            "score": measured.score,
            "next_player_wins_per_100": measured.effect("next_wins"),
            "previous_player_wins_per_100": measured.effect("previous_wins"),
        }
        return {name: value for effect in effects.items() for name, value in bounds_columns(*effect).items()}

    def remarks(self, measured: MeasuredPlayer, where: str) -> list[str]:
        """Say where wins and score disagree."""
        more_wins, fewer_wins = measured.wins.low > 0, measured.wins.high < 0
        more_cards, fewer_cards = measured.score.low > 0, measured.score.high < 0
        if not ((more_wins and more_cards) or (fewer_wins and fewer_cards)):
            return []
        return [
            f"{where.capitalize()} it wins {'more' if more_wins else 'less'} though it ends with "
            f"{'more' if more_cards else 'fewer'} cards: playing to win is not playing for few cards."
        ]

    def basis(self, every: Sequence[MeasuredPlayer]) -> str:
        """Say how the deals were shared, and what that saved."""
        reductions = [effect.variance_reduction for effect in every if effect.changed_games]
        saved = f" Independent deals would have needed {_span(reductions)} times as many games." if reductions else ""
        return f"The same deals with and without the change, the player at every seat in turn.{saved}"

    def reason(self, measured: MeasuredPlayer) -> Reason | None:
        """Give the reason as far as the followed deals show one."""
        reasons = measured.reasons
        if reasons is None or not len(reasons.deal):
            return None
        tables = (
            PageTable(PARTS_COLUMNS, tuple(parts_rows(reasons))),
            PageTable(FIRING_COLUMNS, tuple(firing_rows(reasons, measured.comparison.rules))),
        )
        sentences = tuple(reason_sentences(measured, reasons))
        return Reason(sentences, tuple(deals_to_see(measured, reasons)), tables)

    def reason_rows(self, worths: Mapping[str, MeasuredPlayer]) -> tuple[PageTable, str] | None:
        """Give the parts of the score and who pays."""
        rows = tuple(reason_row(words, worth, worth.reasons) for words, worth in worths.items() if worth.reasons)
        return (PageTable(SUMMARY_COLUMNS, rows), SUMMARY_NOTE) if rows else None

    def reason_data(self, measured: MeasuredPlayer) -> dict[str, object]:
        """Return the reason as sums over the deals it was found in."""
        return {"reasons": reasons_data(measured.reasons, measured) if measured.reasons else None}


def _span(numbers: Sequence[float]) -> str:
    low, high = min(numbers), max(numbers)
    return f"{low:.2g}" if f"{low:.2g}" == f"{high:.2g}" else f"{low:.2g} to {high:.2g}"
