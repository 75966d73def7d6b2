"""Output folders: refused before playing if they hold something else, never half written."""

from __future__ import annotations

import errno
import os
import tomllib
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from reports.output.folder import (
    LONGEST_PATH,
    SPEC_FILE,
    check_apart,
    check_file,
    check_folder,
    earlier_looks,
    keep_earlier,
    move_aside,
    open_store,
    write_file,
    write_folder,
)
from reports.output.provenance import Provenance
from reports.simulation.plan import SimulationPlan
from simulate import Rules
from strategies.catalogue import strategy
from strategies.errors import InputError


@pytest.fixture
def provenance() -> Provenance:
    return SimulationPlan(Rules(players=2), (strategy("minimal"), strategy("shedder"))).provenance(5040)


def test_a_new_folder_is_made_with_its_parents(tmp_path: Path, provenance):
    check_folder(tmp_path / "a" / "b", provenance)
    assert list((tmp_path / "a" / "b").iterdir()) == []


def test_the_same_experiment_may_be_written_again(tmp_path: Path, provenance):
    write_folder(tmp_path, provenance, {"numbers.csv": b"old"})
    check_folder(tmp_path, replace(provenance, games=10_080))
    write_folder(tmp_path, provenance, {"numbers.csv": b"new"})
    assert (tmp_path / "numbers.csv").read_bytes() == b"new"


def test_results_that_were_written_before_count_as_looks_if_there_are_more_games_now(tmp_path: Path, provenance):
    more = replace(provenance, games=20_160)
    write_folder(tmp_path, provenance, {})
    assert earlier_looks(tmp_path, more) == ()  # nothing was shown
    write_folder(tmp_path, provenance, {"numbers.csv": b"seen"})
    assert earlier_looks(tmp_path, provenance) == ()
    assert earlier_looks(tmp_path, more) == (5040,)
    again = replace(more, looked_at=(5040,))
    write_folder(tmp_path, again, {"numbers.csv": b"seen"})
    # The same once more is no further look, and what was known stays known.
    assert earlier_looks(tmp_path, more) == (5040,)
    assert earlier_looks(tmp_path, replace(more, games=25_200)) == (5040, 20_160)


def test_an_earlier_answer_under_other_conditions_is_kept(tmp_path: Path, provenance):
    def asked(**conditions):
        return replace(provenance, spec={**provenance.spec, **conditions})

    assert keep_earlier(tmp_path, asked(alpha=0.05)) is None
    (tmp_path / "notes.txt").write_text("of the user")
    write_folder(tmp_path, asked(alpha=0.05), {"answer.csv": b"first", "elsewhere.csv": b"first", "page.html": b"1"})
    assert keep_earlier(tmp_path, asked(alpha=0.05)) is None  # the same again is written over
    assert keep_earlier(tmp_path, asked(alpha=0.01)) == tmp_path / "earlier-1"
    write_folder(tmp_path, asked(alpha=0.01), {"answer.csv": b"second"})
    assert keep_earlier(tmp_path, asked(margin=0.1)) == tmp_path / "earlier-2"
    write_folder(tmp_path, asked(margin=0.1), {"answer.csv": b"third"})
    first, second = tmp_path / "earlier-1", tmp_path / "earlier-2"
    assert {path.name: path.read_bytes() for path in first.glob("*.*ml")}["page.html"] == b"1"
    assert [(folder / "answer.csv").read_bytes() for folder in (first, second, tmp_path)] == [
        b"first", b"second", b"third",
    ]  # fmt: skip
    assert [tomllib.loads((folder / SPEC_FILE).read_text())["spec"]["alpha"] for folder in (first, second)] == [
        0.05,
        0.01,
    ]
    # What only the first answer had is not beside the others; what is not ours stays.
    assert [(folder / "elsewhere.csv").exists() for folder in (first, second, tmp_path)] == [True, False, False]
    assert (tmp_path / "notes.txt").exists()


def test_keeping_an_answer_goes_on_where_it_was_interrupted(tmp_path: Path, provenance):
    later = replace(provenance, spec={**provenance.spec, "alpha": 0.01})
    write_folder(tmp_path, provenance, {"answer.csv": b"first", "report.html": b"first"})
    (tmp_path / "earlier-1").mkdir()
    write_folder(tmp_path / "earlier-1", provenance, {})
    (tmp_path / "answer.csv").rename(tmp_path / "earlier-1" / "answer.csv")
    assert keep_earlier(tmp_path, later) == tmp_path / "earlier-1"
    assert sorted(path.name for path in (tmp_path / "earlier-1").iterdir()) == ["answer.csv", SPEC_FILE, "report.html"]


def test_another_experiment_is_refused(tmp_path: Path, provenance):
    write_folder(tmp_path, provenance, {})
    for other in (replace(provenance, digest="0123456789abcdef"), replace(provenance, question="sweep")):
        with pytest.raises(InputError, match="new or an empty folder"):
            check_folder(tmp_path, other)


@pytest.mark.parametrize("name", ["notes.txt", SPEC_FILE])
def test_a_folder_with_anything_else_in_it_is_refused(tmp_path: Path, provenance, name: str):
    (tmp_path / name).write_text("not = [toml")
    with pytest.raises(InputError, match="new or an empty folder"):
        check_folder(tmp_path, provenance)


def test_a_file_in_the_way_is_refused(tmp_path: Path, provenance):
    (tmp_path / "file").write_text("")
    for folder in (tmp_path / "file", tmp_path / "file" / "inner"):
        with pytest.raises(InputError, match="cannot be written"):
            check_folder(folder, provenance)


def test_a_single_file_needs_a_folder_and_must_be_a_file(tmp_path: Path):
    check_file(tmp_path / "new.csv")
    (tmp_path / "old.csv").write_text("")
    check_file(tmp_path / "old.csv")
    for path in (tmp_path / "missing" / "new.csv", tmp_path, tmp_path / ("x" * 300)):
        with pytest.raises(InputError, match="cannot be written"):
            check_file(path)


def test_the_longest_name_that_a_file_may_have_is_written(tmp_path: Path):
    longest = tmp_path / ("x" * 255)
    check_file(longest)
    write_file(longest, b"whole")
    assert list(tmp_path.iterdir()) == [longest]


@pytest.mark.parametrize("name", ["blocks.sqlite", SPEC_FILE, "numbers.csv", "new.csv"])
def test_no_single_file_goes_into_an_output_folder(tmp_path: Path, name: str):
    plan, link = plan_of(), tmp_path / "link.csv"
    (tmp_path / "out").mkdir()
    open_store(tmp_path / "out", plan.experiment, plan.provenance(1)).close()
    link.symlink_to(tmp_path / "out" / name)
    for path in (tmp_path / "out" / name, link):
        with pytest.raises(InputError, match="an output folder keeps to its own files"):
            check_file(path)
        with pytest.raises(InputError, match=r"--csv .* collides with --out"):
            check_apart({"--csv": path}, tmp_path / "out")


def test_results_that_would_be_written_over_each_other_are_refused(tmp_path: Path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "link").symlink_to(tmp_path / "one")
    for other in (Path("one"), tmp_path / "none" / ".." / "one", tmp_path / "link"):
        with pytest.raises(InputError, match="--csv and --save-spec are one file"):
            check_apart({"--csv": Path("one"), "--save-spec": other}, None)
    for path in ("out", "out/new.csv", "out/parts/p/new.csv"):
        with pytest.raises(InputError, match="collides with --out"):
            check_apart({"--save-spec": Path(path)}, Path("out"))
    with pytest.raises(InputError, match="collides with --out"):
        check_apart({"--csv": Path("out")}, Path("out/inner"))
    check_apart({"--csv": Path("one"), "--save-spec": Path("two")}, Path("out"))


def test_links_in_a_circle_are_told_or_written_over(tmp_path: Path):
    (tmp_path / "loop").symlink_to(tmp_path / "loop")
    try:
        write_file(tmp_path / "loop", b"whole")
    except InputError as error:
        assert "circle" in str(error)  # noqa: PT017  # newer versions of Python replace such a link
    else:
        assert (tmp_path / "loop").read_bytes() == b"whole"


def test_a_folder_whose_store_would_have_too_long_a_path_is_refused(tmp_path: Path, provenance):
    deep = tmp_path / "/".join(["ß" * 50] * (LONGEST_PATH // 100))
    with pytest.raises(InputError, match=f"longer than {LONGEST_PATH} bytes"):
        check_folder(deep, provenance)
    assert list(tmp_path.iterdir()) == []


def test_a_full_disk_is_told_before_anything_is_played(tmp_path: Path, provenance, monkeypatch):
    def full(folder: Path) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr("reports.output.folder._write_on_trial", full)
    for check in (lambda: check_folder(tmp_path, provenance), lambda: check_file(tmp_path / "new.csv")):
        with pytest.raises(InputError, match="no space left"):
            check()


def test_checking_leaves_nothing_behind(tmp_path: Path, provenance):
    check_folder(tmp_path, provenance)
    check_file(tmp_path / "new.csv")
    assert list(tmp_path.iterdir()) == []


def test_an_interrupted_write_leaves_the_old_file_whole(tmp_path: Path, monkeypatch):
    path = tmp_path / "numbers.csv"
    write_file(path, b"old")

    def interrupted(*_):
        raise KeyboardInterrupt

    monkeypatch.setattr("reports.output.folder.os.replace", interrupted)
    with pytest.raises(KeyboardInterrupt):
        write_file(path, b"new")
    assert path.read_bytes() == b"old"
    assert list(tmp_path.iterdir()) == [path]


def test_a_write_that_fails_is_told_in_one_line(tmp_path: Path):
    with pytest.raises(InputError, match="cannot be written: no such file"):
        write_file(tmp_path / "missing" / "numbers.csv", b"")


def test_the_description_is_toml_and_complete(tmp_path: Path, provenance):
    write_folder(tmp_path, provenance, {})
    assert tomllib.loads((tmp_path / SPEC_FILE).read_text(encoding="utf-8")) == provenance.as_data()
    assert {"seed", "digest", "kernel_version", "toolkit_version", "spec"} <= set(provenance.as_data())


def test_what_a_link_points_to_is_replaced_and_not_the_link(tmp_path: Path):
    (tmp_path / "link.csv").symlink_to(tmp_path / "target.csv")
    write_file(tmp_path / "link.csv", b"new")
    assert (tmp_path / "link.csv").is_symlink()
    assert (tmp_path / "target.csv").read_bytes() == b"new"


def plan_of(seed: int = 1) -> SimulationPlan:
    return SimulationPlan(Rules(players=2), (strategy("minimal"), strategy("shedder")), seed=seed)


@pytest.mark.parametrize(
    ("other", "difference"),
    [
        (plan_of(seed=2), "seed is 1 there and 2 here"),
        (replace(plan_of(), seating="given"), "spec.seating is every there and given here"),
        (
            replace(plan_of(), rules=Rules(players=2, lead_pass=True)),
            "spec.rules.lead_pass is False there and True here",
        ),
    ],
)
def test_the_first_difference_is_named(tmp_path: Path, other, difference: str):
    write_folder(tmp_path, plan_of().provenance(1), {})
    with pytest.raises(InputError, match="--force-new") as caught:
        check_folder(tmp_path, other.provenance(1))
    assert difference in str(caught.value)


def test_a_store_has_its_description_beside_it_and_clears_away_halves(tmp_path: Path):
    (tmp_path / ".settings.csv.123.partial").write_bytes(b"half")
    plan = plan_of()
    check_folder(tmp_path, plan.provenance(1))
    with open_store(tmp_path, plan.experiment, plan.provenance(1)) as store:
        store.add(0, 0, plan.experiment.settings[0].play_deals(1, np.arange(2)))
    assert {path.name for path in tmp_path.iterdir()} == {SPEC_FILE, "blocks.sqlite"}
    check_folder(tmp_path, plan.provenance(99_999))
    (tmp_path / SPEC_FILE).unlink()
    # A run killed before it could describe itself may go on; the store itself knows what it holds.
    check_folder(tmp_path, plan.provenance(1))
    with pytest.raises(InputError, match="seed is 1 there and 2 here"):
        open_store(tmp_path, plan_of(seed=2).experiment, plan_of(seed=2).provenance(1))


def test_an_experiment_is_moved_aside_and_nothing_else(tmp_path: Path):
    out = tmp_path / "out"
    assert move_aside(out) is None
    for number in (1, 2):
        write_folder_new(out)
        assert move_aside(out) == tmp_path / f"out.old-{number}"
        assert (tmp_path / f"out.old-{number}" / SPEC_FILE).is_file()
        assert not out.exists()
    out.mkdir()
    assert move_aside(out) is None
    (out / "notes.txt").write_text("mine")
    with pytest.raises(InputError, match="holds no experiment"):
        move_aside(out)


def test_the_folder_that_one_is_in_is_not_moved(tmp_path: Path, monkeypatch):
    out = tmp_path / "out"
    write_folder_new(out)
    (out / "within").mkdir()
    for place, name in ((out, Path(".")), (out, out), (out / "within", Path(".."))):
        monkeypatch.chdir(place)
        with pytest.raises(InputError, match="is where you are"):
            move_aside(name)
    assert out.is_dir()


def write_folder_new(out: Path) -> None:
    out.mkdir()
    write_folder(out, plan_of().provenance(1), {"numbers.csv": b""})


def test_a_folder_in_use_is_not_moved(tmp_path: Path):
    out, plan = tmp_path / "out", plan_of()
    out.mkdir()
    with open_store(out, plan.experiment, plan.provenance(1)), pytest.raises(InputError, match="in use"):
        move_aside(out)
    assert move_aside(out)
