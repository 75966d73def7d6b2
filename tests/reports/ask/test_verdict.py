"""Measuring a change until the answer is clear."""

from __future__ import annotations

import itertools

import pytest

from reports.ask.player_effect import MeasuredPlayer
from reports.ask.verdict import Stopping, judge
from reports.estimates.betting import WATCHED, watched_interval, watched_wins
from reports.estimates.intervals import Interval
from simulate import Experiment, Rules, run
from simulate.blocks import JUDGING_BLOCK
from simulate.escalation.kernel.win_shares import whole_win
from simulate.escalation.settings.comparison import Comparison
from simulate.runner import threads_as_workers
from strategies.catalogue import strategy
from strategies.errors import InputError

STANDARD = strategy("standard")
COSTLY = Comparison(Rules(players=2), STANDARD, strategy("standard,pass_hoard=0"))
SLIGHT = Comparison(Rules(players=2), STANDARD, strategy("standard,high_hold=0.12"))
SEED = 1


@pytest.mark.parametrize(
    ("low", "high", "answer"),
    [
        (-0.5, 0.5, "no practical difference"),
        (0.1, 0.5, "no practical difference"),
        (-0.4, -0.1, "no practical difference"),
        (0.1, 0.6, "good"),
        (-0.6, -0.1, "bad"),
        (-0.1, 0.6, "undecided"),
        (0.0, 0.6, "undecided"),
        (-0.6, 0.0, "undecided"),
    ],
)
def test_an_interval_within_the_margin_comes_first_then_the_sign(low, high, answer):
    assert judge(Interval((low + high) / 2, low, high), 0.5) == answer


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"alpha": 0.0}, "alpha 0 is not allowed: 1e-12 to 0.5"),
        ({"alpha": 9e-13}, "alpha 9e-13 is not allowed: 1e-12 to 0.5"),
        ({"alpha": 0.51}, "alpha 0.51 is not allowed: 1e-12 to 0.5"),
        ({"alpha": float("nan")}, "alpha nan is not allowed"),
        ({"margin": 0.0}, "margin 0 is not allowed"),
        ({"margin": 1.0}, "margin 1 is not allowed"),
        ({"precision": 0.0}, "precision 0 is not allowed"),
        ({"margin": 0.001, "precision": 0.002}, "precision 0.002 is wider than margin 0.001"),
        ({"most_deals": 0}, "0 deals at most are not allowed: 1 to "),
    ],
)
def test_stopping_rules_that_make_no_sense_are_refused(options, message):
    with pytest.raises(InputError, match=message):
        Stopping(**options)


def test_looks_come_in_block_order_and_each_interval_lies_within_the_last():
    stopping = Stopping(precision=0.001, most_deals=20_160)
    every = list(MeasuredPlayer.looks(SLIGHT, SEED, stopping, workers=threads_as_workers(2)))
    assert [look.deals for look in every] == [5040 * (k + 1) for k in range(len(every))]
    assert len(every) > 1
    for earlier, later in itertools.pairwise(every):
        assert earlier.wins.low <= later.wins.low <= later.wins.high <= earlier.wins.high
    (counts,) = run(Experiment((SLIGHT,), SEED), every[-1].deals, first_block=JUDGING_BLOCK)
    assert all((counts[name] == every[-1].counts[name]).all() for name in counts)
    alone = watched_interval(watched_wins(counts), stopping.alpha)
    assert alone.low <= every[-1].wins.low <= every[-1].wins.high <= alone.high
    assert every[-1].wins.kind == WATCHED


def test_both_ends_of_what_alpha_may_be_are_allowed_and_a_part_of_it_may_be_less():
    for alpha in (1e-12, 0.5):
        found = MeasuredPlayer.measure(COSTLY, SEED, Stopping(alpha=alpha, most_deals=1).shared_by(40))
        assert found.wins.level == pytest.approx(1 - alpha / 40, abs=1e-15)
        assert found.wins.low < found.wins.estimate < found.wins.high
        assert found.deals == 5040


def test_it_stops_at_the_first_look_that_is_clear_and_precise():
    stopping = Stopping(most_deals=50_400)
    every = list(MeasuredPlayer.looks(COSTLY, SEED, stopping))
    assert [stopping.is_over(look.wins) for look in every] == [False] * (len(every) - 1) + [True]
    assert every[-1].answer == "bad"
    assert every[-1].deals < 50_400


def test_a_wider_precision_never_plays_more():
    wide = MeasuredPlayer.measure(COSTLY, SEED, Stopping(margin=0.02))
    narrow = MeasuredPlayer.measure(COSTLY, SEED, Stopping(margin=0.02, precision=0.004))
    assert wide.deals < narrow.deals
    assert narrow.wins.half_width <= 0.4


def test_threads_do_not_show():
    stopping = Stopping(most_deals=15_120)
    one, two = (
        MeasuredPlayer.measure(SLIGHT, SEED, stopping, workers=threads_as_workers(threads)) for threads in (1, 3)
    )
    assert one.as_data() == two.as_data()


def test_the_forecast_of_an_undecided_answer_decides_it():
    found = MeasuredPlayer.measure(SLIGHT, SEED, Stopping(margin=0.0002, precision=0.0002, most_deals=5040))
    assert found.answer == "undecided"
    needed = found.deals_to_decide
    scaled = watched_wins(found.counts).scaled(needed)
    assert judge(watched_interval(scaled, 0.05), 0.02) != "undecided"
    assert judge(watched_interval(scaled.scaled(needed / 1.05), 0.05), 0.02) == "undecided"


def test_a_win_is_whole_in_its_units():
    assert [whole_win(players) for players in (2, 3, 4, 5, 6)] == [2, 6, 12, 60, 60]
