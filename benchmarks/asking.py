"""How long the three tactics of the rules take to be judged, in one process, warm, imports included.

    python -m benchmarks.asking

Each tactic is asked about as `escalation ask` does it: the best dose is chosen, measured on fresh deals, and compared
with what the base player does. A command per tactic starts Python and numba each time on top of that.
"""

from __future__ import annotations

import time

STARTED = time.perf_counter()

from reports.ask.answer_words import headline  # noqa: E402
from reports.ask.asking import ask  # noqa: E402
from reports.ask.player_question import PlayerQuestion  # noqa: E402
from simulate import Rules  # noqa: E402
from strategies.catalogue import strategy, tactic  # noqa: E402

TACTICS = ("pass-hoarding", "wild-seven-jump", "early-pile-taking")


def main() -> None:
    """Ask at four players, then at two to six."""
    imported = time.perf_counter() - STARTED
    print(f"imports: {imported:.1f} s")
    for player_counts in ((4,), (2, 3, 4, 5, 6)):
        begin = time.perf_counter()
        for name in TACTICS:
            answer = ask(PlayerQuestion(name, tactic(name), Rules(), player_counts, strategy("standard")))
            print(f"  {headline(answer)}")
        seconds = time.perf_counter() - begin
        print(f"{len(TACTICS)} tactics at {len(player_counts)} table sizes: {imported + seconds:.1f} s with imports")


if __name__ == "__main__":
    main()
