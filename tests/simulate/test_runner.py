"""The same numbers on any number of threads, in any order of blocks, and for a game replayed alone."""

from __future__ import annotations

import threading
from dataclasses import dataclass
from itertools import islice

import numpy as np
import pytest

from simulate import Experiment, Rules, Table, run
from simulate.blocks import DEALS_PER_BLOCK, blocks_for, deals_of
from simulate.runner import How, Job, finished_blocks, jobs_in_passes
from strategies.catalogue import strategy
from strategies.errors import InputError


@dataclass(frozen=True)
class Echo:
    """A setting that notes which deals it was asked for, so that no kernel is needed to test the runner."""

    name: str = "echo"

    def play_deals(self, seed, deals):
        if self.name == "fails":
            raise RuntimeError("broken setting")
        return {"games": np.array([len(deals)]), "deals": np.array([deals.sum()]), "seed": np.array([seed])}

    def spec(self):
        return {"name": self.name}


@pytest.fixture(scope="module")
def tables():
    seats = tuple(strategy(text) for text in ("standard", "novice", "random"))
    return tuple(Table(Rules(players=3), seats, seating) for seating in ("rotate", "every"))


def same(first, second):
    return all(np.array_equal(first[name], second[name]) for name in first) and first.keys() == second.keys()


def test_threads_do_not_change_any_number(tables):
    experiment = Experiment(tables, seed=12)
    alone = run(experiment, 3 * DEALS_PER_BLOCK, How(threads=1))
    for threads in (2, 7):
        assert all(
            same(a, b) for a, b in zip(alone, run(experiment, 3 * DEALS_PER_BLOCK, How(threads=threads)), strict=True)
        )


def test_a_game_replayed_alone_is_the_same_game(tables):
    for table in tables:
        many = table.play(12, deals_of(1), with_moves=True)
        for game in (0, 1, 7, DEALS_PER_BLOCK - 1):
            alone = table.play(12, deals_of(1)[game : game + 1], with_moves=True)
            assert np.array_equal(alone.scores[0], many.scores[game])
            assert np.array_equal(alone.moves[0], many.moves[game])


def test_games_are_rounded_up_to_whole_blocks():
    assert [blocks_for(n) for n in (1, DEALS_PER_BLOCK, DEALS_PER_BLOCK + 1)] == [1, 1, 2]
    counts = run(Experiment((Echo(), Echo("second")), seed=3), DEALS_PER_BLOCK + 1, How(threads=2))
    assert [int(c["games"][0]) for c in counts] == [2 * DEALS_PER_BLOCK] * 2
    assert int(counts[0]["deals"][0]) == sum(range(2 * DEALS_PER_BLOCK))


def test_blocks_come_in_the_order_they_were_asked_for():
    jobs = [Job(0, block) for block in (5, 2, 9, 0, 1, 3)]
    assert [job for job, _ in finished_blocks(Experiment((Echo(),), 1), jobs, threads=3)] == jobs


def test_stopping_early_leaves_no_thread_behind():
    jobs = (Job(0, block) for block in range(1_000_000))
    for done, _ in enumerate(finished_blocks(Experiment((Echo(),), 1), jobs, threads=2)):
        if done == 3:
            break
    assert next(jobs).block < 100, "far more blocks were begun than threads can work on"
    assert not [thread for thread in threading.enumerate() if "ThreadPoolExecutor" in thread.name]


def test_a_failing_block_is_an_error_not_a_hole():
    with pytest.raises(RuntimeError, match="broken setting"):
        run(Experiment((Echo("fails"),), 1), 1, How(threads=2))


def test_workers_that_answer_something_else_are_not_believed():
    def turned_round(experiment, jobs):
        yield from reversed(list(finished_blocks(experiment, jobs, 1)))

    with pytest.raises(InputError, match="block 0 of setting 0 was asked for and block 2 of setting 0 was played"):
        run(Experiment((Echo(),), 1), 3 * DEALS_PER_BLOCK, How(workers=turned_round))


def test_workers_that_end_too_soon_are_no_success():
    def lazy(experiment, jobs):
        yield from islice(finished_blocks(experiment, jobs, 1), 2)

    with pytest.raises(InputError, match="block 2 of setting 0 was asked for and not played"):
        run(Experiment((Echo(),), 1), 3 * DEALS_PER_BLOCK, How(workers=lazy))


def test_progress_ends_at_the_plan():
    seen = []
    run(Experiment((Echo(), Echo("second")), seed=3), 2 * DEALS_PER_BLOCK, How(threads=2, on_progress=seen.append))
    assert [progress.games for progress in seen] == [DEALS_PER_BLOCK * n for n in (1, 2, 3, 4)]
    assert seen[-1].games == seen[-1].planned


@pytest.mark.parametrize(("games", "threads"), [(0, 1), (-5, 1), (10, 0), (10, -1)])
def test_nothing_to_play_or_nobody_to_play_it_is_refused(games, threads):
    with pytest.raises(InputError, match="not allowed: 1 or more"):
        run(Experiment((Echo(),), 1), games, How(threads=threads))


def test_passes_cover_every_job_once_and_keep_settings_level():
    jobs = list(jobs_in_passes(3, 11))
    assert sorted(jobs) == [Job(setting, block) for setting in range(3) for block in range(11)]
    for done in range(1, len(jobs) + 1):
        played = [sum(job.setting == setting for job in jobs[:done]) for setting in range(3)]
        assert max(played) <= max(4, 2 * min(played) or 4)
