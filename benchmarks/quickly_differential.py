"""Play many random cases of That Escalated Quickly with both engines and compare them flip by flip.

python -m benchmarks.quickly_differential [CASES] [FIRST_SEED]
"""

from __future__ import annotations

import random
import sys
import time

from tests.simulate.quickly.cases import check_case, random_group


def main(cases: int, first_seed: int) -> None:
    """Compare so many cases; the first difference ends it with an error that names the case."""
    started, rounds = time.perf_counter(), 0
    for case in range(cases):
        rng = random.Random(first_seed + case)
        record = check_case(random_group(rng), rng.randrange(1 << 62), rng.randrange(1 << 40))
        rounds += len(record.rounds)
        if case % 10_000 == 10_000 - 1:
            print(f"{case + 1:,} cases alike", flush=True)
    print(f"{cases:,} cases, {rounds:,} rounds, all alike; {time.perf_counter() - started:.0f} s")


if __name__ == "__main__":
    given = [int(text) for text in sys.argv[1:]]
    main(*(given + [100_000, 1_000_000][len(given) :]))
