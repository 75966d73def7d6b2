"""What a change of everybody's habits did to a group of That Escalated Quickly."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from reports.ask.verdict import Measured
from reports.estimates.intervals import Interval
from reports.estimates.measures import Measure
from reports.quickly.summary import mistakes_by_kind, summarise_group
from simulate.experiment import Setting
from simulate.quickly.comparison import GroupComparison, TurnedDeals, counts_of


@dataclass(frozen=True)
class MeasuredGroup(Measured):
    """The effect on the group's wins, with what else changed in its games."""

    comparison: GroupComparison

    @property
    def reason_settings(self) -> tuple[Setting, ...]:
        """Both groups once more, to name deals."""
        return (TurnedDeals(self.comparison),)

    @property
    def players(self) -> int:
        """How many players there are."""
        return self.comparison.base.rules.players

    @property
    def arms(self) -> tuple[str, str]:
        """Everybody without the change, and with it."""
        return self.comparison.base.persons[0].label, self.comparison.changed.persons[0].label

    @property
    def before(self) -> Mapping[Measure, Interval]:
        """The numbers of the group without the change."""
        return summarise_group(counts_of(self.counts, "without"))

    @property
    def after(self) -> Mapping[Measure, Interval]:
        """The numbers of the group with the change."""
        return summarise_group(counts_of(self.counts, "with"))

    @property
    def mistakes(self) -> tuple[tuple[float, float], tuple[float, float]]:
        """Without and with the change: mistakes per 100 rounds between cards of others, and with an own card."""
        without, having = (mistakes_by_kind(counts_of(self.counts, which)) for which in ("without", "with"))
        return without, having

    @property
    def turned(self) -> tuple[int, ...]:
        """Deals of the first block that only one of the two groups wins: the changed one if the effect is a gain."""
        which = "won" if self.wins.estimate > 0 else "lost"
        return tuple(deal for counts in self.reason_counts for deal in counts[which].tolist())
