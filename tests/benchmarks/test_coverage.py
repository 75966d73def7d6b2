"""The harness: it tells intervals that hold from intervals that do not, with a few seeds and in a short time."""

import math

import numpy as np
import pytest
from scipy.stats import t as student

from benchmarks.coverage import Kind, Printed, Source, Together, ask_seeds, estimates, happened, held, judged
from reports.estimates.intervals import Interval, normal_interval
from simulate.experiment import Experiment
from simulate.runner import How, Workers, run

SEEDS = 300
SIZE = 5
KNOWN = Kind("a mean of five", "nobody", ())


def mean_of_five(seed: int, *, honest: bool) -> Printed:
    """Estimate a mean of 0 from five numbers, with the right quantile or that of a known spread."""
    numbers = np.random.default_rng(seed).normal(size=SIZE)
    error = float(numbers.std(ddof=1)) / math.sqrt(SIZE)
    reach = float(student.ppf(0.975, SIZE - 1)) if honest else 1.96
    return {KNOWN.name: {0: Interval.around(float(numbers.mean()), reach * error)}}


def source_of(*, honest: bool) -> Source:
    return Source(
        "five", (KNOWN,), lambda seed, _: mean_of_five(seed, honest=honest), truth=lambda: {KNOWN.name: {0: 0}}
    )


def test_intervals_that_hold_are_told_from_those_that_do_not():
    (good,) = judged(source_of(honest=True), ask_seeds(source_of(honest=True), range(SEEDS)))
    (bad,) = judged(source_of(honest=False), ask_seeds(source_of(honest=False), range(SEEDS)))
    # A mean of five with 1.96 errors has the truth in 87.8% (Student's t with four degrees of freedom).
    expected = student.cdf(1.96, SIZE - 1) - student.cdf(-1.96, SIZE - 1)
    assert abs(bad.share - expected) < 3.3 * math.sqrt(expected * (1 - expected) / SEEDS)
    assert bad.fails
    assert not good.fails


def test_what_is_promised_at_once_must_hold_at_once():
    half = {KNOWN.name: {0: happened(True), 1: happened(False)}}
    truth = {KNOWN.name: {0: 0.0, 1: 0.0}}
    assert held(KNOWN, [half], truth).share == 0.5
    together = Kind(KNOWN.name, "nobody", (), together=True)
    assert held(together, [half], truth).share == 0.0
    assert held(together, [half], truth).below == 0.5


def test_the_bound_is_the_exact_one_where_every_run_holds_or_not():
    runs = [{KNOWN.name: {0: happened(number >= 3)}} for number in range(20)]
    # The largest rate at which 17 or fewer of 20 still have a chance of 1 in 1,000.
    most = held(KNOWN, runs, {KNOWN.name: {0: 0.0}}).at_most
    chance = sum(math.comb(20, hits) * most**hits * (1 - most) ** (20 - hits) for hits in range(18))
    assert chance == pytest.approx(0.001, rel=1e-6)


def test_numbers_that_were_not_printed_do_not_count():
    runs = [{KNOWN.name: {0: happened(True), 1: Interval(5.0, math.nan, math.nan)}}]
    assert held(KNOWN, runs, {KNOWN.name: {0: 0.0, 1: 0.0}}).numbers == 1


class Tossing:
    """A setting of coins: as quick as can be."""

    def spec(self):
        return {"game": "coins"}

    def play_deals(self, seed, deals):
        heads = np.random.default_rng((seed, int(deals[0]))).integers(0, 2, len(deals))
        return {"games": np.array([len(deals)]), "heads": np.array([heads.sum()])}


def ask_for_heads(seed: int, workers: Workers) -> Printed:
    (counts,) = run(Experiment((Tossing(),), seed), 2 * 5040, How(workers=workers))
    games, heads = int(counts["games"][0]), int(counts["heads"][0])
    share = heads / games
    return {KNOWN.name: {"heads": normal_interval(share, math.sqrt(share * (1 - share) / games))}}


@pytest.mark.parametrize("pool", [0, 50])
def test_without_a_truth_it_is_what_all_seeds_together_say(pool: int):
    source = Source("coins", (KNOWN,), ask_for_heads, deals=100, pool=pool)
    whole = ask_seeds(source, range(200))
    truth = estimates(ask_for_heads(0, Together(whole.sums)))[KNOWN.name]["heads"]
    assert truth == pytest.approx(np.mean([printed[KNOWN.name]["heads"].estimate for printed in whole.printed]))
    assert truth == pytest.approx(0.5, abs=0.02)
    (heads,) = judged(source, whole)
    assert not heads.fails
