"""Questions in parts: what was played is kept, not played again, and gives the same answer however often it stopped."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from itertools import count
from pathlib import Path

import pytest

from reports.ask.asking import ask
from reports.ask.output import answer_files
from reports.ask.player_question import TacticQuestion
from reports.ask.question import read_subject
from reports.ask.verdict import Stopping
from reports.output.parts import PARTS_FOLDER, Parts
from simulate import Experiment, Rules
from simulate.experiment import canonical
from simulate.runner import Job, threads_as_workers
from simulate.store import STORE_FILE, Store
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


def question(name="wild-hoarding", **more):
    return TacticQuestion(
        name, read_subject(name), Rules(), (2,), strategy("standard"), **{"stopping": STOPPING, **more}
    )


@pytest.fixture(scope="module")
def undisturbed():
    return ask(question())


def stops_after(blocks):
    asked = count(1)
    return lambda: next(asked) > blocks


def test_a_question_that_is_stopped_again_and_again_gives_the_same_bytes(tmp_path: Path, undisturbed):
    recorder, stops = Recorder(), 0
    while True:
        try:
            answer = ask(question(), Parts(recorder, tmp_path, stops_after(5)))
            break
        except KeyboardInterrupt:
            stops += 1
    assert stops > 3
    assert answer.as_data() == undisturbed.as_data()
    assert answer_files(answer) == answer_files(undisturbed)
    # Each block was played once, over all attempts together.
    assert set(recorder.played.values()) == {1}
    names = {path.name for path in (tmp_path / PARTS_FOLDER).iterdir()}
    assert {"2-players-doses", "2-players-worth", "2-players-a-step-more"} <= names


def test_an_answered_question_asked_again_plays_nothing(tmp_path: Path, undisturbed):
    ask(question(), Parts(folder=tmp_path))
    recorder = Recorder()
    assert ask(question(), Parts(recorder, tmp_path)).as_data() == undisturbed.as_data()
    assert not recorder.played


def test_another_guarantee_uses_the_same_blocks_and_gives_its_own_answer(tmp_path: Path):
    first, second = Recorder(), Recorder()
    ask(question("pass_hoard=0"), Parts(first, tmp_path))
    other = question("pass_hoard=0", stopping=replace(STOPPING, alpha=0.01, margin=0.01, most_deals=20_160))
    answer = ask(other, Parts(second, tmp_path))
    assert answer.as_data() == ask(other).as_data()
    assert sum(first.played.values()) == 3
    assert sum(second.played.values()) == 1


def test_every_kind_of_question_keeps_its_parts(tmp_path: Path):
    fields = (strategy("novice"), strategy("minimal"))
    ask(question("wild_hold=0,1", fields=fields, stopping=Stopping(most_deals=5040)), Parts(folder=tmp_path))
    assert {path.name for path in (tmp_path / PARTS_FOLDER).iterdir()} == {
        f"2-players-opponents-{number}-value-{value}" for number in (1, 2) for value in (1, 2)
    }


def test_a_part_of_another_question_is_refused(tmp_path: Path):
    ask(question("pass_hoard=0"), Parts(folder=tmp_path))
    with pytest.raises(InputError, match=r"changed\.pass_hoard is 0\.0 there and 1\.0 here"):
        ask(question("pass_hoard=1"), Parts(folder=tmp_path))


def test_what_was_under_way_when_asked_to_stop_is_kept(tmp_path: Path):
    """Three blocks per thread are under way at a time: they end up in the store although nothing else is begun."""
    parts = Parts(threads_as_workers(2), tmp_path, stops_after(8))
    table = question().tables[0]
    experiment = Experiment((table.comparison(strategy("standard"), strategy("minimal")),), 1)
    with pytest.raises(KeyboardInterrupt):
        list(parts.part("one")(experiment, (Job(0, block) for block in range(100))))
    with Store(tmp_path / PARTS_FOLDER / "one", experiment) as store:
        assert len(store) == 8
    assert (tmp_path / PARTS_FOLDER / "one" / STORE_FILE).is_file()


def test_a_folder_that_cannot_be_written_costs_one_line(tmp_path: Path):
    (tmp_path / PARTS_FOLDER).write_text("a file")
    with pytest.raises(InputError, match="cannot be written"):
        ask(question("pass_hoard=0"), Parts(folder=tmp_path))
