"""Compares intervals that may be watched with those of another implementation, `ville`, on real deals.

`ville` bets by its own adaptive rule (Waudby-Smith and Ramdas, 2024, Theorem 3) and needs every deal in order; here the
stakes are fixed and the histogram is enough. The two need not be equal: both must hold the other's estimate, agree on
the sign, and be about as wide.

Run from the project's folder: pip install ville, then python benchmarks/against_ville.py
"""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from ville import BettingCS

from reports.estimates.betting import watched_interval, watched_wins
from simulate import Rules
from simulate.escalation.kernel.win_shares import whole_win
from simulate.escalation.settings.comparison import Comparison, reduce_pairs, unit_differences
from strategies.catalogue import strategy

DEALS = 10_080
MOST_APART = 1.5
"""The greatest ratio of widths that still counts as about as wide."""
CHANGES = ("pass_hoard=0", "pass_hoard=5", "wild_hold=0", "early_take=1", "high_hold=0.12")


def main() -> None:
    """Compare on a few changes at four players; exit with 1 if they disagree."""
    fine = True
    for change in CHANGES:
        paired = Comparison(Rules(players=4), strategy("standard"), strategy(f"standard,{change}"))
        pairs = paired.pairs(1, np.arange(DEALS))
        per_deal = unit_differences(pairs, match=False)[0] / (4 * whole_win(4)) * 100
        theirs = BettingCS(bounds=(-100.0, 100.0), alpha=0.05, grid=40_001)
        theirs.update(per_deal)
        low, high = (float(bound) for bound in theirs.interval())
        ours = watched_interval(watched_wins(reduce_pairs(pairs, paired.rules, match=False)), 0.05)
        ratio = ours.half_width / ((high - low) / 2)
        agree = max(low, ours.low) <= ours.estimate <= min(high, ours.high) and 1 / MOST_APART < ratio < MOST_APART
        agree &= (low > 0) == (ours.low > 0) and (high < 0) == (ours.high < 0)
        fine &= agree
        print(f"{change}: ours {ours.low:+.3f} to {ours.high:+.3f}, ville {low:+.3f} to {high:+.3f}, width {ratio:.2f}")
    print("They agree" if fine else "They disagree")
    sys.exit(0 if fine else 1)


if __name__ == "__main__":
    main()
