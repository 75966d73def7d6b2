"""Questions in parts: what was played is kept, not played again, and gives the same answer however often it stopped."""

from __future__ import annotations

import sqlite3
from collections import Counter
from contextlib import closing, contextmanager
from dataclasses import replace
from itertools import count
from pathlib import Path

import numpy as np
import pytest

from reports.ask.asking import ask
from reports.ask.output import answer_files
from reports.ask.player_question import PlayerQuestion
from reports.ask.question import read_subject
from reports.ask.verdict import Stopping
from reports.output.parts import PARTS_FOLDER, Parts, Stopped, kept_blocks
from simulate import Experiment, Rules, Table
from simulate.blocks import deals_of
from simulate.experiment import canonical
from simulate.runner import USUAL, How, Job, Progress, threads_as_workers
from simulate.store import STORE_FILE, Store, blocks_in, pack_counts
from strategies.catalogue import strategy
from strategies.errors import InputError

STOPPING = Stopping(most_deals=15_120, precision=0.0005)
"""So precise that every number takes its three blocks."""


class Recorder:
    """Workers that note what they were asked to play."""

    def __init__(self):
        self.played = Counter()

    def __call__(self, experiment, jobs):
        for job, counts in threads_as_workers(1)(experiment, jobs):
            self.played[canonical(experiment.settings[job.setting].spec()), job.block] += 1
            yield job, counts

    def blocks(self, *, reasons):
        """Count blocks that were played to find a reason, or all others."""
        return sum(times for (spec, _), times in self.played.items() if (b"escalation reasons" in spec) == reasons)


def question(name="wild-hoarding", **more):
    return PlayerQuestion(
        name, read_subject(name), Rules(), (2,), strategy("standard"), **{"stopping": STOPPING, **more}
    )


@pytest.fixture(scope="module")
def undisturbed():
    return ask(question())


def stops_after(blocks):
    asked = count(1)
    return lambda: next(asked) > blocks


@contextmanager
def kept_in(folder, how=USUAL, asked=None):
    """The same way to run, with finished blocks kept in a folder."""
    with Store(folder, (asked or question()).experiment) as store:
        yield replace(how, store=store)


def ask_in(folder, asked, **how):
    with kept_in(folder, How(**how), asked) as kept:
        return ask(asked, kept)


def test_a_question_that_is_stopped_again_and_again_gives_the_same_bytes(tmp_path: Path, undisturbed):
    recorder, stops = Recorder(), 0
    while True:
        try:
            answer = ask_in(tmp_path, question(), workers=recorder, stop=stops_after(5))
            break
        except Stopped:
            stops += 1
    assert stops > 3
    assert answer.as_data() == undisturbed.as_data()
    assert answer_files(answer) == answer_files(undisturbed)
    # Each block was played once, over all attempts together.
    assert set(recorder.played.values()) == {1}
    names = {path.name for path in (tmp_path / PARTS_FOLDER).iterdir()}
    assert {"2-players-doses", "2-players-worth", "2-players-a-step-more"} <= names


def test_an_answered_question_asked_again_plays_nothing(tmp_path: Path, undisturbed):
    ask_in(tmp_path, question())
    recorder = Recorder()
    assert ask_in(tmp_path, question(), workers=recorder).as_data() == undisturbed.as_data()
    assert not recorder.played


def test_another_guarantee_uses_the_same_blocks_and_gives_its_own_answer(tmp_path: Path):
    first, second = Recorder(), Recorder()
    ask_in(tmp_path, question("pass_hoard=0"), workers=first)
    other = question("pass_hoard=0", stopping=replace(STOPPING, alpha=0.01, margin=0.01, most_deals=20_160))
    answer = ask_in(tmp_path, other, workers=second)
    assert answer.as_data() == ask(other).as_data()
    assert first.blocks(reasons=False) == 3
    assert second.blocks(reasons=False) == 1
    # The reason is looked for once at either seat, whatever is asked of the same players.
    assert (first.blocks(reasons=True), second.blocks(reasons=True)) == (2, 0)


def test_every_kind_of_question_keeps_its_parts(tmp_path: Path):
    fields = (strategy("novice"), strategy("minimal"))
    ask_in(tmp_path, question("wild_hold=0,1", fields=fields, stopping=Stopping(most_deals=5040)))
    assert {path.name for path in (tmp_path / PARTS_FOLDER).iterdir()} == {
        f"2-players-opponents-{number}-value-{value}" for number in (1, 2) for value in (1, 2)
    }


def test_a_part_of_another_question_is_refused(tmp_path: Path):
    first, other = question("pass_hoard=0"), question("pass_hoard=1")
    ask_in(tmp_path, first)
    with (
        kept_in(tmp_path, asked=first) as how,
        pytest.raises(InputError, match=r"changed\.pass_hoard is 0\.0 there and 1\.0 here"),
    ):
        ask(other, how)


def test_what_was_under_way_when_asked_to_stop_is_kept(tmp_path: Path):
    """Three blocks per thread are under way at a time: they end up in the store although nothing else is begun."""
    table = question().tables[0]
    experiment = Experiment((table.comparison(strategy("standard"), strategy("minimal")),), 1)
    with kept_in(tmp_path, How(threads=2, stop=stops_after(8))) as how, pytest.raises(Stopped):
        list(Parts(how).part("one")(experiment, (Job(0, block) for block in range(100))))
    with Store(tmp_path / PARTS_FOLDER / "one", experiment) as store:
        assert len(store) == 8
    assert (tmp_path / PARTS_FOLDER / "one" / STORE_FILE).is_file()


def test_a_folder_that_cannot_be_written_costs_one_line(tmp_path: Path):
    (tmp_path / PARTS_FOLDER).write_text("a file")
    with pytest.raises(InputError, match="cannot be written"):
        ask_in(tmp_path, question("pass_hoard=0"))


# --- So many blocks of some settings ---------------------------------------------------------------------------------

TABLE = Table(Rules(players=2), (strategy("minimal"),) * 2)


class Counted:
    """A setting that notes which deals it played."""

    def __init__(self) -> None:
        self.played: list[int] = []

    def spec(self) -> dict[str, object]:
        return TABLE.spec()

    def play_deals(self, seed: int, deals: np.ndarray) -> dict[str, np.ndarray]:
        self.played.append(int(deals[0]))
        return dict(TABLE.play_deals(seed, deals))


def of(setting):
    return Experiment((setting,), 3)


def test_blocks_come_in_order_and_from_where_they_are_asked():
    (blocks,) = Parts().blocks("some", of(TABLE), 2, first_block=5)
    for number, block in enumerate(blocks):
        assert (block["scores"] == TABLE.play_deals(3, deals_of(5 + number))["scores"]).all()


def test_what_is_kept_is_not_played_again(tmp_path: Path):
    first, again = Counted(), Counted()
    with kept_in(tmp_path) as how:
        before = Parts(how).blocks("some", of(first), 2)
        assert kept_blocks(how.store) == 2
    with kept_in(tmp_path) as how:
        after = Parts(how).blocks("some", of(again), 3)
    assert sorted(first.played) == [0, 5040]
    assert again.played == [10080]
    assert (before[0][1]["scores"] == after[0][1]["scores"]).all()
    assert blocks_in(tmp_path / PARTS_FOLDER / "some") == 3


def test_blocks_of_the_folder_itself_count_among_those_that_are_kept(tmp_path: Path):
    with kept_in(tmp_path) as how:
        assert kept_blocks(how.store) == 0
        how.store.add(0, 0, {})
        Parts(how).blocks("some", of(TABLE), 1)
        assert kept_blocks(how.store) == 2


def test_a_second_process_is_kept_out(tmp_path: Path):
    with kept_in(tmp_path), pytest.raises(InputError, match="in use"), kept_in(tmp_path):
        pass


def test_a_part_is_played_once():
    parts = Parts()
    parts.blocks("some", of(TABLE), 1)
    with pytest.raises(ValueError, match="played twice"):
        parts.blocks("some", of(TABLE), 1)
    with pytest.raises(ValueError, match="played twice"):
        parts.part("some")
    replace(parts, prefix="other-").blocks("some", of(TABLE), 1)
    assert parts.played == ["some", "other-some"]


def test_an_early_end_keeps_what_was_played(tmp_path: Path):
    with kept_in(tmp_path, How(threads=1, stop=stops_after(2))) as how, pytest.raises(Stopped):
        Parts(how).blocks("some", of(TABLE), 9)
    assert blocks_in(tmp_path / PARTS_FOLDER / "some") == 2


def test_the_progress_says_what_is_at_work():
    seen: list[Progress] = []
    Parts(How(on_progress=seen.append), place="here").blocks("some", of(TABLE), 2)
    assert [(progress.games, progress.planned, progress.part) for progress in seen] == [
        (5040, 10080, "here"), (10080, 10080, "here"),
    ]  # fmt: skip


def test_damaged_blocks_of_parts_are_played_again_and_counted(tmp_path: Path):
    with kept_in(tmp_path) as how:
        expected = Parts(how).blocks("some", of(TABLE), 3)
    with closing(sqlite3.connect(tmp_path / PARTS_FOLDER / "some" / STORE_FILE)) as file, file:
        file.execute("UPDATE blocks SET checksum = zeroblob(16) WHERE block > 0")
    for damaged in (2, 0):
        with kept_in(tmp_path) as how:
            found = Parts(how).blocks("some", of(TABLE), 3)
            assert how.store is not None
            assert how.store.damaged == damaged
        assert [[pack_counts(block) for block in blocks] for blocks in found] == [
            [pack_counts(block) for block in blocks] for blocks in expected
        ]
