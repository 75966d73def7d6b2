"""Planning: how much must be played to show an effect, from a pilot."""

from __future__ import annotations

import math
import time
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Final

from reports.ask.question import QuestionTable, TacticQuestion, doses_of
from reports.ask.verdict import Measured
from reports.estimates.betting import PER_HUNDRED, units_needed, watched_wins
from reports.reading.values import Variation
from simulate.blocks import DEALS_PER_BLOCK
from simulate.runner import check_threads, threads_as_workers
from strategies.catalogue import Tactic
from strategies.errors import InputError
from strategies.strategy import Strategy

PLANNED_POWER: Final = 0.8
"""A plan shows the effect in this share of runs."""


@dataclass(frozen=True)
class Forecast:
    """How much must be played to show an effect at one table.

    Attributes
    ----------
    table
        The table.
    pilot
        One block of the comparison; only its spread counts.
    effect
        The effect to be shown, in wins per 100 games.
    deals
        Deals that show it in PLANNED_POWER of runs; infinite where the pilot has no spread to go by.
    seconds
        How long that takes on this machine, going by the pilot.
    """

    table: QuestionTable
    pilot: Measured
    effect: float
    deals: float
    seconds: float

    def as_data(self) -> dict[str, object]:
        """Return everything as plain data; deals are null where no number shows the effect."""
        known = math.isfinite(self.deals)
        return {
            **self.table.as_data(),
            "effect_in_wins_per_100": self.effect,
            "power": PLANNED_POWER,
            "deals": round(self.deals) if known else None,
            "games": round(self.deals) * self.pilot.games // self.pilot.deals if known else None,
            "seconds": self.seconds if known else None,
            "pilot": self.pilot.as_data(),
        }


def forecast(question: TacticQuestion, effect: float, *, threads: int | None = None) -> tuple[Forecast, ...]:
    """Forecast how much must be played to show an effect, from a pilot of one block per table.

    Parameters
    ----------
    question
        What would be asked; for a named tactic the pilot plays its middle dose against none, or the base's own.
    effect
        The effect on the share of wins to be shown, whatever its sign.
    threads
        Threads that it will be played on; None means one per processor.

    Raises
    ------
    InputError
        If the effect is no share of wins, or the question has several values.
    """
    if not 0 < abs(effect) < 1:
        raise InputError(f"effect {effect:g} is not allowed: a share of wins, more than 0 and less than 1")
    subject = question.subject
    if isinstance(subject, Variation):
        raise InputError(f"'{question.name}' has several values: plan one of them")
    changed = _pilot_player(subject, question.base)
    forecasts = []
    for table in question.tables:
        stopping = replace(question.stopping_of_table, most_deals=DEALS_PER_BLOCK)
        started = time.perf_counter()
        pilot = question.effect_type.measure(
            table.comparison(question.without, changed), question.seed, stopping, threads_as_workers(1)
        )
        pace = (time.perf_counter() - started) / pilot.deals / check_threads(threads)
        units = units_needed(watched_wins(pilot.counts), effect * PER_HUNDRED, stopping.own_alpha, PLANNED_POWER)
        deals = units * pilot.deals / pilot.units
        forecasts.append(Forecast(table, pilot, effect * PER_HUNDRED, deals, deals * pace))
    return tuple(forecasts)


def _pilot_player(subject: Tactic | Mapping[str, float], base: Strategy) -> Strategy:
    if not isinstance(subject, Tactic):
        return base.with_changes(subject)
    doses = doses_of(subject, base)
    own = base[subject.dose]
    return subject.present(base, own if own in doses else doses[len(doses) // 2])
