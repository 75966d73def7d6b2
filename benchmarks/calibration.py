"""How often printed intervals hold what they promise, for every kind of number.

    python -m benchmarks.calibration --write docs/coverage.md

asks everything in `benchmarks/printed/` with 2,000 seeds, prints a line per kind of number as soon as it is
known, and writes the table of the page between its markers after every source: what is finished is kept if you stop.
`--only TEXT` asks the sources with that text in their name, or in that of a kind, and leaves the other rows of the page
as they are. The exit status is 1 if a kind holds too rarely.
"""

from __future__ import annotations

import argparse
import re
import sys
import time
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Final

from benchmarks.coverage import SURELY, TOLERATED, Asking, Held, Source
from benchmarks.printed.register import SOURCES, source_named
from simulate.runner import default_threads

SEEDS: Final = 2000
TABLE: Final = re.compile(r"(?<=<!-- coverage -->\n).*?(?=<!-- end -->)", re.DOTALL)
"""What stands between the markers of a page."""
COLUMNS: Final = (
    "number", "printed by", "runs", "numbers in each", "promised", "held", "at most", "truth below, above", "so",
)  # fmt: skip
HELD, FAILED, APPROXIMATE = "holds", "**FAILS**", "approximate"


def row_of(held: Held) -> tuple[str, ...]:
    """Return the cells of a kind, in the order of `COLUMNS`."""
    kind = held.kind
    words = FAILED if held.fails else f"{APPROXIMATE}: {kind.approximate}" if kind.approximate else HELD
    numbers = f"{held.numbers:.0f}{', all at once' if kind.together else ''}"
    rates = (kind.level, held.share, held.at_most)
    missed = f"{held.below:.1%}, {held.above:.1%}"
    return (kind.name, kind.printed_by, f"{held.seeds:,}", numbers, *(f"{rate:.1%}" for rate in rates), missed, words)


def rows_in(page: str) -> dict[str, tuple[str, ...]]:
    """Return the rows that the table of a page has, by the name of the number."""
    found = TABLE.search(page)
    lines = found[0].splitlines()[2:] if found else []
    rows = [tuple(cell.strip() for cell in line.strip("|").split(" | ")) for line in lines]
    return {row[0]: row for row in rows if len(row) == len(COLUMNS)}


def page_with(page: str, rows: Mapping[str, tuple[str, ...]]) -> str:
    """Return a page with these rows in its table, in the order of the register; others that it has stay.

    Raises
    ------
    ValueError
        If the page has no markers.
    """
    if not TABLE.search(page):
        raise ValueError("the page has no <!-- coverage --> and <!-- end -->")
    known = rows_in(page) | rows
    names = [kind.name for source in SOURCES for kind in source.kinds]
    lines = [COLUMNS, ("---",) * len(COLUMNS), *(known[name] for name in names if name in known)]
    table = "\n".join(f"| {' | '.join(line)} |" for line in lines)
    return TABLE.sub(lambda _: f"{table}\n", page)


def asked(texts: Sequence[str]) -> list[Source]:
    """Return the sources that a text is about, in their order; all if there is none."""
    return [
        source
        for source in SOURCES
        if not texts or any(text in name for text in texts for name in (source.name, *(k.name for k in source.kinds)))
    ]


def tell(text: str) -> None:
    """Say something at once."""
    print(text, flush=True)


def measured(sources: Sequence[Source], seeds: int, processes: int) -> Iterator[list[Held]]:
    """Ask sources one after another and tell how often each kind held."""
    with Asking(processes, tell) as asking:
        for place, source in enumerate(sources, start=1):
            started = time.monotonic()
            found = asking.held_by(source, seeds, source_named)
            tell(f"{source.name} ({place} of {len(sources)}; {time.monotonic() - started:.0f} s)")
            for held in found:
                name, _, runs, _, _, share, most, missed, words = row_of(held)
                tell(f"  {name}: {share} of {runs} (at most {most}; truth below, above: {missed}) {words}")
            yield found


def main() -> None:
    """Ask, tell and write; exit with 1 if a kind holds too rarely."""
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--seeds", type=int, default=SEEDS, help="runs of each source")
    options.add_argument("--only", action="append", default=[], metavar="TEXT", help="sources and kinds with this text")
    options.add_argument("--threads", type=int, default=default_threads(), help="processes at work at the same time")
    options.add_argument("--write", type=Path, metavar="PAGE", help="the page whose table is written")
    chosen = options.parse_args()
    started, failed, rows = time.monotonic(), list[str](), dict[str, tuple[str, ...]]()
    for found in measured(asked(chosen.only), chosen.seeds, chosen.threads):
        rows |= {held.kind.name: row_of(held) for held in found}
        failed += [held.kind.name for held in found if held.fails]
        if chosen.write:
            page = chosen.write.read_text(encoding="utf-8")
            chosen.write.write_text(page_with(page, rows), encoding="utf-8")
    tell(f"{len(rows)} kinds in {(time.monotonic() - started) / 60:.0f} minutes")
    tell("Too rarely: " + "; ".join(failed) if failed else "Every kind holds")
    tell(f"A kind fails if it held {TOLERATED:.0%} less often than promised, or surely ({SURELY:.1%}) less often")
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    try:
        main()
    except KeyboardInterrupt:
        sys.exit("Stopped; what was finished is told above, and written if a page was named")
