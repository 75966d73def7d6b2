"""Output folders: refused before playing if they hold something else, never half written."""

from __future__ import annotations

import tomllib
from dataclasses import replace
from pathlib import Path

import pandas as pd
import pytest

from reports.folder import SPEC_FILE, as_csv, as_toml, check_file, check_folder, write_file, write_folder
from reports.provenance import Provenance
from reports.simulation import SimulationPlan
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
    for path in (tmp_path / "missing" / "new.csv", tmp_path):
        with pytest.raises(InputError, match="cannot be written"):
            check_file(path)


def test_checking_leaves_nothing_behind(tmp_path: Path, provenance):
    check_folder(tmp_path, provenance)
    check_file(tmp_path / "new.csv")
    assert list(tmp_path.iterdir()) == []


def test_an_interrupted_write_leaves_the_old_file_whole(tmp_path: Path, monkeypatch):
    path = tmp_path / "numbers.csv"
    write_file(path, b"old")

    def interrupted(*_):
        raise KeyboardInterrupt

    monkeypatch.setattr("reports.folder.os.replace", interrupted)
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


@pytest.mark.parametrize(
    "data",
    [
        {"text": 'quotes " and \\ and\nlines and ü', "yes": True, "no": False, "whole": -3, "number": 1e-7},
        {"list": [1, 2.5, "x"], "nested": {"table": {"deep": 1}}, "after": 1},
        {"list of tables": [{"a": 1, "b c": [True]}, {}], "empty": []},
        {"standard,shed=1": {"x": 1e22}},
        {"huge": float("inf")},
    ],
)
def test_toml_reads_back_as_it_was(data):
    assert tomllib.loads(as_toml(data)) == data


def test_csv_keeps_every_digit_and_leaves_missing_numbers_empty():
    assert as_csv(pd.DataFrame({"a": [1 / 3, None], "b": ["x,y", "z"]})) == b'a,b\n0.3333333333333333,"x,y"\n,z\n'


def test_what_a_link_points_to_is_replaced_and_not_the_link(tmp_path: Path):
    (tmp_path / "link.csv").symlink_to(tmp_path / "target.csv")
    write_file(tmp_path / "link.csv", b"new")
    assert (tmp_path / "link.csv").is_symlink()
    assert (tmp_path / "target.csv").read_bytes() == b"new"
