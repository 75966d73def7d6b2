"""One way of running: every kind of question is kept, asked again from its file, resumed and stopped alike."""

from __future__ import annotations

import json
import re
import shutil
import signal
from dataclasses import replace
from pathlib import Path

import pytest

from reports.ask.player_question import PlayerQuestion
from reports.ask.question import read_subject
from reports.ask.verdict import Stopping
from reports.balance.plan import QUICK, BalancePlan
from reports.output.folder import SPEC_FILE
from reports.output.parts import PARTS_FOLDER
from reports.questions import KINDS, PlannedQuestion, read_question
from reports.quickly.balance import GroupBalancePlan
from reports.quickly.group_question import GroupQuestion
from reports.quickly.simulation import GroupPlan
from reports.quickly.sweep import GroupSweepPlan
from reports.reading.values import read_habit
from reports.run import INTERRUPTED, Machine, Output, answer, duration, estimate
from reports.simulation import SimulationPlan
from reports.sweep import SweepPlan, read_variation
from reports.sweep.paired import PairedPlan
from simulate import Rules, runner
from simulate.blocks import DEALS_PER_BLOCK
from simulate.quickly.rules import GroupRules
from simulate.store import STORE_FILE, Store, blocks_in
from strategies.catalogue import strategy
from strategies.errors import InputError
from strategies.quickly import PERSON, QUICKLY, person
from strategies.strategy import Strategy

TWO = Rules(players=2)
GROUP = (GroupRules.printed(3),)
SHORT = Stopping(most_deals=2 * DEALS_PER_BLOCK, precision=0.0005)
"""So precise that it is played to its end."""


def questions():
    """Return one small question of every kind, by its name."""
    standard, plain = strategy("standard"), person("plain")
    sweep = SweepPlan((read_variation("pass_hoard=0,4"),), (2,), TWO, (standard,))
    plans = [
        SimulationPlan(TWO, (standard, strategy("novice"))),
        sweep,
        *(PairedPlan(sweep, goal) for goal in ("compare", "best", "worst")),
        BalancePlan(TWO, (2,), effort=replace(QUICK, blocks=1), sections=("setting", "positions")),
        GroupPlan(GROUP[0], (plain,) * 3),
        GroupSweepPlan((read_habit("sigma=1,2", PERSON),), GROUP, plain),
        GroupBalancePlan(GROUP, plain),
    ]
    asked = [
        PlayerQuestion("shed=0", read_subject("shed=0"), TWO, (2,), standard, stopping=SHORT),
        GroupQuestion("own_shift=1", read_subject("own_shift=1", QUICKLY), GROUP, plain, SHORT),
    ]
    found = [*(PlannedQuestion(plan, DEALS_PER_BLOCK) for plan in plans), *asked]
    return {question.question: question for question in found}


QUESTIONS = questions()
SILENT = Output(quiet=True)


def results_in(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in folder.iterdir() if path.is_file() and STORE_FILE not in path.name}


def blocks_kept(folder: Path) -> int:
    return blocks_in(folder) + sum(blocks_in(part) for part in (folder / PARTS_FOLDER).glob("*"))


def test_there_is_a_question_of_every_kind():
    assert QUESTIONS.keys() == KINDS.keys()


@pytest.mark.parametrize("name", QUESTIONS)
def test_what_a_folder_holds_is_asked_again_from_its_file_with_the_same_bytes(name: str, tmp_path: Path, capsys):
    first, second = tmp_path / "first", tmp_path / "second"
    assert answer(QUESTIONS[name], Machine(threads=1), replace(SILENT, out=first)) == 0
    shown = capsys.readouterr().out
    kept = blocks_kept(first)
    assert kept
    question = read_question(first / SPEC_FILE)
    assert question.provenance == QUESTIONS[name].provenance
    assert answer(question, Machine(threads=3), replace(SILENT, out=second)) == 0
    assert capsys.readouterr().out == shown
    assert results_in(first) == results_in(second)
    # In the folder that has it all, nothing is played again.
    assert answer(question, Machine(threads=1), replace(SILENT, out=first)) == 0
    assert blocks_kept(first) == kept
    assert results_in(first) == results_in(second)


def test_an_answer_under_another_alpha_stands_beside_the_earlier_one(tmp_path: Path, capsys):
    asked, output = QUESTIONS["ask"], Output(out=tmp_path)
    answer(asked, Machine(threads=1), output)
    first = results_in(tmp_path)
    strict = replace(asked, stopping=replace(asked.stopping, alpha=0.01))
    answer(strict, Machine(threads=1), output)
    assert f"asked for otherwise, is now in {tmp_path / 'earlier-1'}" in capsys.readouterr().err
    assert results_in(tmp_path / "earlier-1") == first
    assert results_in(tmp_path).keys() == first.keys()
    assert results_in(tmp_path)["answer.csv"] != first["answer.csv"]


@pytest.mark.parametrize("name", ["simulate", "compare", "quickly sweep"])
def test_games_that_were_added_after_a_look_are_marked(name: str, tmp_path: Path, capsys):
    few, more = QUESTIONS[name], QUESTIONS[name].with_games(4 * DEALS_PER_BLOCK)
    answer(few, Machine(threads=1), replace(SILENT, out=tmp_path / "looked"))
    assert "Looked at before" not in capsys.readouterr().out
    answer(more, Machine(threads=1), replace(SILENT, out=tmp_path / "looked", as_json=True))
    games = few.provenance.games
    assert json.loads(capsys.readouterr().out)["looked_at"] == [games]
    table = (tmp_path / "looked" / KINDS[name]().table).read_text().splitlines()
    assert table[0].endswith(",looked_at")
    assert all(row.endswith(f",{games}") for row in table[1:])
    # Once more the same, from the folder's own file; the terminal says it, too.
    kept = results_in(tmp_path / "looked")
    answer(read_question(tmp_path / "looked" / SPEC_FILE), Machine(), replace(SILENT, out=tmp_path / "looked"))
    assert f"Looked at before, after {games:,} games" in capsys.readouterr().out
    assert results_in(tmp_path / "looked") == kept
    # Whoever plans as many from the start has no mark, and the same numbers.
    answer(more, Machine(threads=1), replace(SILENT, out=tmp_path / "planned"))
    assert "Looked at before" not in capsys.readouterr().out
    planned = (tmp_path / "planned" / KINDS[name]().table).read_text().splitlines()
    assert [f"{row}," for row in planned[1:]] == [row.removesuffix(str(games)) for row in table[1:]]


@pytest.mark.parametrize("name", ["ask", "quickly ask"])
def test_on_a_cluster_the_bytes_are_the_same(name: str, tmp_path: Path):
    pytest.importorskip("distributed")
    here, there = tmp_path / "here", tmp_path / "there"
    answer(QUESTIONS[name], Machine(threads=1), replace(SILENT, out=here))
    answer(QUESTIONS[name], Machine(dask="local:1"), replace(SILENT, out=there))
    assert results_in(here) == results_in(there)


@pytest.mark.parametrize("name", ["sweep", "balance", "ask", "quickly ask"])
def test_a_question_that_is_stopped_goes_on_where_it_was(name: str, tmp_path: Path, monkeypatch, capsys):
    whole, broken = replace(SILENT, out=tmp_path / "whole"), Output(out=tmp_path / "broken")
    answer(QUESTIONS[name], Machine(threads=1), whole)
    stopped_after = blocks_kept(tmp_path / "whole") // 2
    stop_at(stopped_after, monkeypatch)
    assert answer(QUESTIONS[name], Machine(threads=1), broken) == INTERRUPTED
    assert capsys.readouterr().err.endswith("Stopped before the end: the same command goes on from here.\n")
    monkeypatch.undo()
    kept = blocks_kept(tmp_path / "broken")
    assert stopped_after <= kept < blocks_kept(tmp_path / "whole")
    assert answer(QUESTIONS[name], Machine(threads=1), broken) == 0
    assert results_in(tmp_path / "broken") == results_in(tmp_path / "whole")


def stop_at(block: int, monkeypatch) -> None:
    """Press Ctrl-C when so many blocks have been played."""
    play, played = runner.play_block, []

    def counted(*job):
        played.append(job)
        if len(played) == block:
            signal.raise_signal(signal.SIGINT)
        return play(*job)

    # In this thread, so that the signal meets it: one block at a time, as one thread would play them.
    def one_by_one(experiment, jobs, threads):
        yield from ((job, counted(experiment, job.setting, job.block)) for job in jobs)

    monkeypatch.setattr(runner, "finished_blocks", one_by_one)


@pytest.mark.parametrize("name", ["simulate", "sweep"])
def test_labels_are_data(name: str, tmp_path: Path, capsys):
    label = "=1+1 $x^{$ <script> :heart: [bold] {players} \\frac{"
    evil = Strategy(label, strategy("standard").values)
    plan = {
        "simulate": SimulationPlan(TWO, (evil, strategy("hoarder"))),
        "sweep": SweepPlan((read_variation("pass_hoard=0,4"),), (2,), TWO, (evil,)),
    }[name]
    question = PlannedQuestion(plan, DEALS_PER_BLOCK)
    assert answer(question, Machine(threads=1), Output(out=tmp_path / "out")) == 0
    assert label in "".join(capsys.readouterr())
    tables = [path.read_text() for path in (tmp_path / "out").glob("*.csv")]
    assert not any(cell.startswith("=") for table in tables for cell in re.split("[,\n]", table))
    assert read_question(tmp_path / "out" / SPEC_FILE).provenance == question.provenance


def gone_at_the_end(name: str, out: Path, monkeypatch) -> None:
    """Remove the output folder when a question of this kind has been answered."""
    kind = KINDS[name]()

    def answered(question, how):
        found = kind.answer(question, how)
        shutil.rmtree(out)
        return found

    monkeypatch.setitem(KINDS, name, lambda: replace(kind, answer=answered))


@pytest.mark.parametrize(("name", "as_json"), [("simulate", False), ("ask", True), ("quickly sweep", True)])
def test_results_are_shown_and_then_told_of_where_they_cannot_be_written(
    name: str, as_json: bool, tmp_path: Path, monkeypatch, capsys
):
    out, table = tmp_path / "out", tmp_path / "table.csv"
    answer(QUESTIONS[name], Machine(threads=1), replace(SILENT, as_json=as_json))
    shown = capsys.readouterr().out
    gone_at_the_end(name, out, monkeypatch)
    output = replace(SILENT, as_json=as_json, out=out, csv_file=table)
    with pytest.raises(OSError, match=r"experiment.toml' cannot be written: no such file"):
        answer(QUESTIONS[name], Machine(threads=1), output)
    assert capsys.readouterr().out == shown
    assert table.stat().st_size  # what can be written is


def test_blocks_that_do_not_fit_at_the_end_cost_no_result(tmp_path: Path, monkeypatch, capsys):
    close = Store.close

    def full(store: Store) -> None:
        close(store)
        raise InputError("the disk may be full")

    monkeypatch.setattr(Store, "close", full)
    with pytest.raises(OSError, match="the disk may be full"):
        answer(QUESTIONS["simulate"], Machine(threads=1), replace(SILENT, out=tmp_path))
    assert "wins" in capsys.readouterr().out
    assert (tmp_path / "numbers.csv").exists()


@pytest.mark.parametrize("name", ["sweep", "quickly ask"])
def test_a_figure_that_cannot_be_drawn_costs_no_table(name: str, tmp_path: Path, monkeypatch, capsys):
    def broken(result, *, parquet: bool = False):
        raise ZeroDivisionError

    kind = KINDS[name]()
    monkeypatch.setitem(KINDS, name, lambda: replace(kind, files=broken))
    with pytest.raises(ZeroDivisionError):
        answer(QUESTIONS[name], Machine(threads=1), replace(SILENT, out=tmp_path / "out"))
    assert capsys.readouterr().out


def test_where_there_is_no_trial_there_is_no_estimate():
    for name in ("balance", "ask", "quickly ask"):
        with pytest.raises(InputError, match="--dry-run is not for a"):
            estimate(QUESTIONS[name], Machine(), SILENT)


def test_an_estimate_plays_nothing_that_is_kept(tmp_path: Path, capsys):
    assert estimate(QUESTIONS["sweep"], Machine(threads=1), replace(SILENT, out=tmp_path / "out")) == 0
    assert "2 settings x 5,040 games = 10,080 games: about" in capsys.readouterr().out
    assert not (tmp_path / "out").exists()


@pytest.mark.parametrize(
    ("output", "message"),
    [
        (Output(force_new=True), "--force-new needs --out FOLDER"),
        (Output(parquet=True), "--parquet needs --out FOLDER"),
        (Output(csv_file=Path("/nowhere/table.csv")), "cannot be written"),
        (Output(save_spec=Path("/nowhere/question.toml")), "cannot be written"),
        (Output(save_spec=Path("same"), csv_file=Path("same")), "are one file"),
        (Output(out=Path("out"), csv_file=Path("out/blocks.sqlite")), "collides with --out"),
        (Output(out=Path("out"), save_spec=Path("out/experiment.toml")), "collides with --out"),
    ],
)
def test_what_cannot_be_written_is_refused_before_playing(output: Output, message: str):
    with pytest.raises(InputError, match=message):
        answer(QUESTIONS["simulate"], Machine(), output)


def test_threads_and_a_cluster_exclude_each_other():
    with pytest.raises(InputError, match="exclude each other"):
        answer(QUESTIONS["simulate"], Machine(2, "local:2"), SILENT)


@pytest.mark.parametrize(
    ("seconds", "text"), [(0.04, "0.0 s"), (59.9, "59.9 s"), (90, "1.5 min"), (5400, "1.5 h"), (129_600, "1.5 days")]
)
def test_durations_are_told_in_the_unit_that_suits_them(seconds: float, text: str):
    assert duration(seconds) == text
