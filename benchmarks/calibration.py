"""Checks the promises of `escalation ask` with the real engine.

1. Questions about nothing: two players who are equal in law but not in their noise, looked at again and again. How
   often is a verdict "good" or "bad" wrong, and how often is 0 missed at a time that a hopeful player would choose?
2. A real effect of about twice the margin, measured on as many deals as the forecast says: how often is it shown, and
   how often with the wrong sign?

Run from the project's folder: python benchmarks/calibration.py
"""

from __future__ import annotations

import argparse
import math
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from reports.ask.verdict import judge
from reports.estimates.betting import Watched, intersection, units_needed, watched_interval, watched_wins
from reports.estimates.intervals import Interval, normal_interval
from simulate import Rules
from simulate.blocks import add_counts
from simulate.escalation.settings.comparison import Comparison
from strategies.catalogue import strategy

ALPHA = 0.05
MARGIN = 0.5
"""In wins per 100 games."""
POWER = 0.8
FAR = 1 << 40
"""Deals for the pilot and the truth, far from those of the questions."""


@dataclass(frozen=True)
class Outcome:
    """One question, watched: whether a verdict was wrong at any look, and what a hopeful player would have seen."""

    wrong: bool
    missed_when_hopeful: bool
    planned_wrong: bool


def ask_about_nothing(run: int, looks: int, deals: int) -> Outcome:
    """Ask one question about no difference, looking after every few deals."""
    noisy = strategy("standard,noise=0.1")
    nothing = Comparison(Rules(players=2), noisy, noisy, (strategy("hoarder"),), noise_salt=1)
    counts, seen, interval, planned_wrong = None, [], Interval(0.0, -math.inf, math.inf), False
    for look in range(looks):
        first = (run * looks + look) * deals
        more = nothing.play_deals(1, np.arange(first, first + deals))
        counts = more if counts is None else add_counts(counts, more)
        watched = watched_wins(counts)
        interval = intersection(interval, watched_interval(watched, ALPHA))
        seen.append((watched.mean * math.sqrt(watched.units), watched_interval(watched, ALPHA)))
        planned = normal_interval(watched.mean, watched.spread / math.sqrt(watched.units), 1 - ALPHA)
        planned_wrong |= planned.low > 0 or planned.high < 0
    hopeful = max(seen, key=lambda one: one[0])[1]
    return Outcome(judge(interval, MARGIN) in {"good", "bad"}, hopeful.low > 0 or hopeful.high < 0, planned_wrong)


def tell(what: str, times: int, runs: int, most: float) -> bool:
    """Print a rate beside the greatest that is allowed, with three standard errors; return whether it is within."""
    allowed = most + 3 * math.sqrt(most * (1 - most) / runs)
    print(f"{what}: {times} of {runs} = {times / runs:.2%} (at most {allowed:.2%})")
    return times / runs <= allowed


def check_nothing(runs: int, looks: int, deals: int) -> bool:
    """Ask many questions about no difference."""
    with ThreadPoolExecutor() as executor:
        outcomes = list(executor.map(lambda run: ask_about_nothing(run, looks, deals), range(runs)))
    print(f"Questions about nothing: {runs} of {looks} looks each, {deals} deals per look")
    fine = tell("  wrong verdicts, good or bad", sum(one.wrong for one in outcomes), runs, ALPHA)
    fine &= tell("  0 missed at a hopeful time", sum(one.missed_when_hopeful for one in outcomes), runs, ALPHA)
    planned = sum(one.planned_wrong for one in outcomes)
    print(f"  for comparison, an interval for a planned number of games, watched: {planned / runs:.1%} wrong")
    return fine


def check_effect(runs: int) -> bool:
    """Measure a real effect of about twice the margin, many times, on as many deals as the forecast says."""
    paired = Comparison(Rules(players=2), strategy("standard"), strategy("standard,wild_hold=2.2"))

    def histogram(first: int, deals: int) -> Watched:
        return watched_wins(paired.play_deals(1, np.arange(first, first + deals)))

    with ThreadPoolExecutor() as executor:
        parts = list(executor.map(lambda k: histogram(FAR + k * 50_000, 50_000), range(12)))
    truth = sum(part.mean for part in parts) / len(parts)
    error = parts[0].spread / math.sqrt(len(parts) * parts[0].units)
    units = int(units_needed(histogram(2 * FAR, 5040), truth, ALPHA, POWER))
    with ThreadPoolExecutor() as executor:
        found = list(executor.map(lambda k: watched_interval(histogram(k * units, units), ALPHA), range(runs)))
    right = sum(one.high < 0 if truth < 0 else one.low > 0 for one in found)
    wrong = sum(one.low > 0 if truth < 0 else one.high < 0 for one in found)
    print(f"An effect of {truth:+.3f} ± {1.96 * error:.3f} wins per 100, {runs} times on {units:,} deals")
    fine = tell("  shown with the wrong sign", wrong, runs, ALPHA / 2)
    least = POWER - 3 * math.sqrt(POWER * (1 - POWER) / runs)
    print(f"  shown: {right / runs:.1%} (planned {POWER:.0%}, at least {least:.1%})")
    return fine and right / runs >= least


def main() -> None:
    """Run both checks and exit with 1 if a promise is broken."""
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--runs", type=int, default=2000, help="questions about nothing")
    options.add_argument("--looks", type=int, default=20, help="looks at each")
    options.add_argument("--deals", type=int, default=252, help="deals per look")
    options.add_argument("--effects", type=int, default=200, help="measurements of a real effect")
    chosen = options.parse_args()
    started = time.perf_counter()
    fine = check_nothing(chosen.runs, chosen.looks, chosen.deals)
    fine &= check_effect(chosen.effects)
    print(f"{'Every promise held' if fine else 'A promise is broken'}; {time.perf_counter() - started:.0f} s")
    sys.exit(0 if fine else 1)


if __name__ == "__main__":
    main()
