"""Race many points, then play all of them equally with five times the games that the race spent, and compare.

    python benchmarks/racing.py [seeds] [players] [games]

Ties count: the race is right if the uniform sweep's best lies within the joint error of the race's winner, both as the
uniform sweep has them.
"""

from __future__ import annotations

import sys

from reports.sweep import SweepPlan, read_variation
from reports.sweep.paired import NUMBER, PairedPlan, answer_paired
from simulate import Rules
from strategies.catalogue import strategy

GRID = ("early_take=-2:2.75:0.25", "shed=0:1.8:0.2")


def main(seeds: int, players: int, games: int) -> None:
    """Compare the two ways for each seed."""
    right = 0
    for seed in range(1, seeds + 1):
        variations = tuple(read_variation(text) for text in GRID)
        plan = SweepPlan(variations, (players,), Rules(), (strategy("standard"),), seed=seed)
        raced = answer_paired(PairedPlan(plan, "best"), games)
        spent = int(raced.settings["deals"].sum())
        equal = PairedPlan(SweepPlan(variations, (players,), Rules(), (strategy("standard"),), seed=seed + 1000))
        deals_each = -(-5 * spent // plan.size)
        uniform = answer_paired(equal, deals_each * players).settings.set_index("setting")
        best, chosen = uniform.loc[uniform[NUMBER].idxmax()], uniform.loc[raced.winner]
        gap = best[NUMBER] - chosen[NUMBER]
        error = sum((row[f"{NUMBER}_high"] - row[NUMBER]) ** 2 for row in (best, chosen)) ** 0.5
        right += gap <= error
        every = int(uniform["deals"].sum())
        print(
            f"seed {seed}: {plan.size} points, race {spent:,} deals ({raced.saved:.0%} saved), uniform {every:,} deals"
        )
        print(
            f"  winner {raced.winner}, uniform's best {best.name}, gap {gap:.2f} ± {error:.2f} wins per 100 games",
            flush=True,
        )
    print(f"the same best, ties included, on {right} of {seeds} seeds")


if __name__ == "__main__":
    main(*([int(number) for number in sys.argv[1:]] + [5, 2, 100_000][len(sys.argv) - 1 :]))
