"""How often printed intervals hold what they promise: the same question is asked again and again, of other deals.

A *source* is something to ask; a *kind* is a kind of number that it prints. Every seed is a run of its own. What a run
printed is put beside the truth: what the same function says of the deals of all runs together, or theory, or a long
run of its own. So that thousands of runs take minutes, blocks are smaller than those of real runs, and where games take
long they are played once and every seed draws some of them.
"""

from __future__ import annotations

import math
import signal
import time
from collections import defaultdict
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from dataclasses import dataclass, field
from functools import reduce
from multiprocessing import get_context
from typing import Final, TypeAlias

import numpy as np
from scipy.stats import beta

from reports.estimates.intervals import LEVEL, Interval
from simulate.blocks import add_counts
from simulate.experiment import Counts, Experiment
from simulate.runner import Job, Workers

TOLERATED: Final = 0.02
"""A kind fails if it holds so much less often than it says."""
ENOUGH: Final = 1000
"""That needs so many runs; with fewer it may be chance."""
SURELY: Final = 0.999
"""With any number of runs it fails if it surely (at this one-sided level) holds less often than it says."""
SEEDS_AT_A_TIME: Final = 10
"""Seeds that a process is handed at once."""

Printed: TypeAlias = Mapping[str, Mapping[Hashable, Interval]]
"""What one run printed: intervals by kind, and by whatever tells the numbers of a kind apart. Bounds that are nan were
not printed."""
Truth: TypeAlias = Mapping[str, Mapping[Hashable, float]]
"""The true number of each."""
_Place: TypeAlias = tuple[int, Job]
"""Which call for blocks it was in a run, and which block."""


@dataclass(frozen=True)
class Kind:
    """A kind of number that is printed with an interval.

    Attributes
    ----------
    name
        What it is.
    printed_by
        Which commands print it.
    modules
        Where in `reports/` its intervals are made: files, without their ending.
    together
        Whether all numbers of a run are promised to lie in their intervals at once.
    level
        How often that is promised.
    approximate
        Why it need not hold that often; empty if it must.
    """

    name: str
    printed_by: str
    modules: tuple[str, ...]
    together: bool = False
    level: float = LEVEL
    approximate: str = ""


@dataclass(frozen=True)
class Source:
    """Something to ask again and again.

    Attributes
    ----------
    name
        What is asked, in words.
    kinds
        What it prints.
    ask
        Asks once, given a seed and who plays, and returns what was printed.
    deals
        Deals per block.
    pool
        So many blocks are played once, and every seed draws from them; 0: every seed plays its own. With a pool all
        seeds must ask with one and the same seed, and nothing may be chosen in one call for blocks and measured in
        another.
    truth
        The truth; None: what is printed about the blocks of all seeds together.
    fewer
        One in so many of the seeds is enough, because each takes long.
    """

    name: str
    kinds: tuple[Kind, ...]
    ask: Callable[[int, Workers], Printed]
    deals: int = 504
    pool: int = 0
    truth: Callable[[], Truth] | None = None
    fewer: int = 1


class SmallBlocks:
    """Plays small blocks of deals and remembers them; with a pool, a block is one of the pool, drawn by the seed."""

    def __init__(self, source: Source, seed: int, played: dict[_Place, Counts]) -> None:
        self._deals, self._pool, self._seed = source.deals, source.pool, seed
        self._played, self._calls = played, 0
        self.handed_out: dict[_Place, Counts] = {}

    def __call__(self, experiment: Experiment, jobs: Iterable[Job]) -> Iterator[tuple[Job, Counts]]:
        """Play jobs one after another."""
        call, self._calls = self._calls, self._calls + 1
        drawn = np.random.default_rng((self._seed, call)).permutation(self._pool) if self._pool else None
        for job in jobs:
            if drawn is None:
                counts = self._play(experiment, job)
            else:
                place = call, Job(job.setting, int(drawn[job.block % self._pool]))
                if place not in self._played:
                    self._played[place] = self._play(experiment, place[1])
                counts = self._played[place]
            self.handed_out[call, job] = counts
            yield job, counts

    def _play(self, experiment: Experiment, job: Job) -> Counts:
        deals = np.arange(job.block * self._deals, (job.block + 1) * self._deals, dtype=np.int64)
        return experiment.settings[job.setting].play_deals(experiment.seed, deals)


class Together:
    """Hands out, for every block of a run, the sums of that block over all runs."""

    def __init__(self, sums: Mapping[_Place, Counts]) -> None:
        self._sums, self._calls = sums, 0

    def __call__(self, experiment: Experiment, jobs: Iterable[Job]) -> Iterator[tuple[Job, Counts]]:
        """Hand out jobs one after another."""
        call, self._calls = self._calls, self._calls + 1
        for job in jobs:
            yield job, self._sums[call, job]


@dataclass
class _Chunk:
    """What some seeds printed, and the sums of their blocks."""

    printed: list[Printed] = field(default_factory=list)
    sums: dict[_Place, Counts] = field(default_factory=dict)

    def add(self, other: _Chunk) -> None:
        """Add what other seeds printed."""
        self.printed += other.printed
        for place, counts in other.sums.items():
            self.sums[place] = add_counts(self.sums[place], counts) if place in self.sums else counts


_PLAYED: Final[dict[str, dict[_Place, Counts]]] = defaultdict(dict)
"""The pool of each source, in each process."""


def ask_seeds(source: Source, seeds: Sequence[int]) -> _Chunk:
    """Ask with each of some seeds."""
    found = _Chunk()
    for seed in seeds:
        workers = SmallBlocks(source, seed, _PLAYED[source.name])
        printed = source.ask(seed, workers)
        found.add(_Chunk([printed], {} if source.truth else workers.handed_out))
    return found


@dataclass(frozen=True)
class Held:
    """How often the intervals of a kind held.

    Attributes
    ----------
    kind
        The kind.
    seeds
        How many runs printed it.
    numbers
        How many numbers of it a run printed, on average.
    share
        How often the truth lay within: the share of all numbers, or of runs where all of a run are promised at once.
    at_most
        The greatest share that this is still in accord with.
    below, above
        How often the truth was less than the lower bound, and more than the upper one; shares of all numbers.
    """

    kind: Kind
    seeds: int
    numbers: float
    share: float
    at_most: float
    below: float
    above: float

    @property
    def fails(self) -> bool:
        """Whether the kind holds too rarely for what it says of itself."""
        promised = self.kind.level
        too_rarely = self.seeds >= ENOUGH and self.share < promised - TOLERATED
        return not self.kind.approximate and (too_rarely or self.at_most < promised)


def held(kind: Kind, runs: Sequence[Printed], truth: Truth) -> Held:
    """Put what many runs printed of a kind beside the truth."""
    within, below, above = [], [], []
    for run in runs:
        numbers = [
            (interval, truth[kind.name][key])
            for key, interval in run.get(kind.name, {}).items()
            if not (math.isnan(interval.low) or math.isnan(interval.high))
        ]
        if numbers:
            below.append([true < interval.low for interval, true in numbers])
            above.append([true > interval.high for interval, true in numbers])
            missed = [low or high for low, high in zip(below[-1], above[-1], strict=True)]
            within.append(float(not any(missed)) if kind.together else 1 - float(np.mean(missed)))
    if not within:
        raise ValueError(f"no run printed a {kind.name}")
    rates = [float(np.mean([miss for run in misses for miss in run])) for misses in (below, above)]
    share, numbers_of_a_run = float(np.mean(within)), float(np.mean([len(run) for run in below]))
    return Held(kind, len(within), numbers_of_a_run, share, _at_most(np.array(within)), *rates)


def _at_most(within: np.ndarray) -> float:
    """Return the upper bound of the mean of shares of runs: exact where each is 0 or 1, else as many as vary alike."""
    share, spread = float(within.mean()), float(within.var())
    alike = share * (1 - share) / spread if spread > 0 else 1.0
    units = len(within) * alike
    missed = units * (1 - share)
    return 1.0 - (float(beta.ppf(1 - SURELY, missed, units - missed + 1)) if missed > 0 else 0.0)


Tell: TypeAlias = Callable[[str], None]
"""Says something at once."""
SECONDS_BETWEEN: Final = 10.0
"""Progress is told so often."""


class Asking:
    """Asks sources in some processes; no number depends on how many."""

    def __init__(self, processes: int, tell: Tell) -> None:
        self._tell = tell
        self._executor = ProcessPoolExecutor(processes, get_context("spawn"), initializer=_leave_interrupts_alone)

    def __enter__(self) -> Asking:
        """Return itself."""
        return self

    def __exit__(self, *_: object) -> None:
        """Drop what was not begun."""
        self._executor.shutdown(wait=False, cancel_futures=True)

    def held_by(self, source: Source, seeds: int, asked: Callable[[str], Source]) -> list[Held]:
        """Ask a source with so many seeds and return how often each of its kinds held.

        `asked` finds the source by its name: a process is handed the name only.
        """
        wanted = max(2, seeds // source.fewer)
        chunks = [range(first, min(first + SEEDS_AT_A_TIME, wanted)) for first in range(0, wanted, SEEDS_AT_A_TIME)]
        futures = {self._executor.submit(_ask_by_name, asked, source.name, chunk): chunk for chunk in chunks}
        done, told, found = 0, time.monotonic(), dict[int, _Chunk]()
        for future in as_completed(futures):
            found[futures[future].start] = future.result()
            done += len(futures[future])
            if time.monotonic() - told > SECONDS_BETWEEN:
                told = time.monotonic()
                self._tell(f"{source.name}: {done} of {wanted} seeds")
        whole = _Chunk()
        for first in sorted(found):
            whole.add(found.pop(first))
        return judged(source, whole)


def _leave_interrupts_alone() -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)


def _ask_by_name(asked: Callable[[str], Source], name: str, seeds: Sequence[int]) -> _Chunk:
    return ask_seeds(asked(name), seeds)


def judged(source: Source, whole: _Chunk) -> list[Held]:
    """Return how often each kind of a source held in all its runs."""
    truth = source.truth() if source.truth else estimates(source.ask(0, Together(whole.sums)))
    return [held(kind, whole.printed, truth) for kind in source.kinds]


def estimates(printed: Printed) -> Truth:
    """Return the estimates of what was printed."""
    return {kind: {key: interval.estimate for key, interval in own.items()} for kind, own in printed.items()}


def happened(yes: bool) -> Interval:
    """Return an interval that holds against a truth of 0 if something happened: for promises that are no intervals."""
    return Interval(0.0, 0.0, 0.0) if yes else Interval(1.0, 1.0, 1.0)


def total_of(blocks: Sequence[Counts]) -> Counts:
    """Add up blocks."""
    return reduce(add_counts, blocks)
