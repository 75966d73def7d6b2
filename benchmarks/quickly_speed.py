"""Measure rounds per second on one core for each way to organise, at several table sizes.

python -m benchmarks.quickly_speed
"""

from __future__ import annotations

import time

import numpy as np

from simulate.quickly.engine import Group
from simulate.quickly.rules import MISTAKES, GroupRules
from strategies.quickly import person

SECONDS = 1.0
WAYS = ("sort", "insert", "replan", "sort,burn=1", "replan,burn=1")


def rounds_per_second(group: Group) -> float:
    """Return the best of three timings of about a second in all."""
    group.play(1, np.arange(20))
    games, best = 20, 0.0
    while True:
        started = time.perf_counter()
        played = group.play(1, np.arange(games))
        seconds = time.perf_counter() - started
        best = max(best, float(played.sums.rounds.sum()) / seconds)
        if seconds > SECONDS / 3:
            return best
        games *= 2


def main() -> None:
    """Print a table."""
    print(f"{'organiser':<15}" + "".join(f"{players:>2} players  " for players in (4, 6, 8)))
    for way in WAYS:
        cells = []
        for players in (4, 6, 8):
            if "burn" in way and MISTAKES[players] == 0:
                cells.append(f"{'-':>9}  ")
                continue
            rules = GroupRules.printed(players, planned_mistake=True)
            group = Group(rules, (person(f"plain,sigma=1.5,organiser={way}"),) * players)
            cells.append(f"{rounds_per_second(group):>9,.0f}  ")
        print(f"{way:<15}" + "".join(cells), flush=True)


if __name__ == "__main__":
    main()
