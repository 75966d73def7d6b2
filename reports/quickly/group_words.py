"""What is told of a tactic of a whole group: rounds, mistakes, and deals that only one of the two groups wins."""

from __future__ import annotations

import shlex
from collections.abc import Sequence
from typing import Final

from reports.ask.words import Reason, Wording
from reports.estimates.intervals import interval_data
from reports.quickly.group_effect import MeasuredGroup
from reports.quickly.rules_words import rules_options
from reports.quickly.summary import GAME_WINS, GOOD_ROUNDS, ROUNDS

DEALS_SHOWN: Final = 3


class GroupWording(Wording[MeasuredGroup]):
    """Good rounds before and after, and which kind of mistake there is less of."""

    game = "That Escalated Quickly."
    who = "everybody"

    def record(self, measured: MeasuredGroup) -> dict[str, object]:
        """Return good rounds per 100 without and with the change."""
        before, after = measured.before, measured.after
        return {"good_rounds_before": before[GOOD_ROUNDS].estimate, "good_rounds_after": after[GOOD_ROUNDS].estimate}

    def basis(self, every: Sequence[MeasuredGroup]) -> str:
        """Say what is shared."""
        return "The same cards and the same noise with and without the change."

    def reason(self, measured: MeasuredGroup) -> Reason | None:
        """Give the reason in what changed within the game."""
        before, after = measured.before, measured.after
        good, won, length = (
            (before[measure].estimate, after[measure].estimate) for measure in (GOOD_ROUNDS, GAME_WINS, ROUNDS)
        )
        (others, own), (others_then, own_then) = measured.mistakes
        sentences = [
            f"Good rounds per 100 go from {good[0]:.1f} to {good[1]:.1f}, games won from {won[0]:.1f} to {won[1]:.1f}, "
            f"rounds per game from {length[0]:.2f} to {length[1]:.2f}.",
            f"Mistakes per 100 rounds between two cards of others go from {others:.1f} to {others_then:.1f}, with a "
            f"card of the organiser's own from {own:.1f} to {own_then:.1f}.",
        ]
        if measured.comparison.changed.persons[0]["burn"] > measured.comparison.base.persons[0]["burn"]:
            sentences.append(
                "A mistake wipes the row: planned, it splits the cards into two rows with wider gaps, and wide gaps "
                "forgive noise."
            )
        return Reason(tuple(sentences), tuple(deals_to_see(measured)))

    def reason_data(self, measured: MeasuredGroup) -> dict[str, object]:
        """Return the numbers without and with the change, and deals to see."""
        (others, own), (others_then, own_then) = measured.mistakes
        return {
            "before": {measure.name: interval_data(interval) for measure, interval in measured.before.items()},
            "after": {measure.name: interval_data(interval) for measure, interval in measured.after.items()},
            "mistakes_among_others_per_100_rounds": [others, others_then],
            "mistakes_with_an_own_card_per_100_rounds": [own, own_then],
            "deals_to_see": list(measured.turned[:DEALS_SHOWN]),
        }


def deals_to_see(measured: MeasuredGroup) -> list[tuple[str, str]]:
    """Return commands that show deals which the change turned, with the change."""
    group = measured.comparison.changed
    words = "won only with the change" if measured.wins.estimate > 0 else "lost only with the change"
    options = ["--players", str(measured.players), "--seat", group.persons[0].label, *rules_options(group.rules)]
    command = f"escalation quickly trace {shlex.join(options)} --seed {measured.seed} --deal"
    return [(words, f"{command} {deal}") for deal in measured.turned[:DEALS_SHOWN]]
