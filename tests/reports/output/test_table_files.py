"""Tables as files."""

from __future__ import annotations

from io import BytesIO
from pathlib import Path

import pandas as pd
import pytest

from reports.output.table_files import as_csv, as_parquet, tables_as_files


def test_csv_keeps_every_digit_and_leaves_missing_numbers_empty():
    assert as_csv(pd.DataFrame({"a": [1 / 3, None], "b": ["x,y", "z"]})) == b'a,b\n0.3333333333333333,"x,y"\n,z\n'


def test_each_table_is_a_csv_and_if_asked_for_a_parquet_file():
    pytest.importorskip("pyarrow")
    table = pd.DataFrame({"a": [1.5, 2.0]})
    assert list(tables_as_files({"one": table, "two": table}, parquet=False)) == ["one.csv", "two.csv"]
    files = tables_as_files({"one": table}, parquet=True)
    assert pd.read_parquet(BytesIO(files["one.parquet"])).equals(table)


def test_parquet_reads_back(tmp_path: Path):
    pytest.importorskip("pyarrow", reason="needs the extra 'parquet'")
    frame = pd.DataFrame({"a": [1 / 3, None], "b": ["x", "y"], "mixed": [1.5, "w"]})
    (tmp_path / "f.parquet").write_bytes(as_parquet(frame))
    back = pd.read_parquet(tmp_path / "f.parquet")
    assert back["a"].iloc[0] == 1 / 3
    assert back["mixed"].tolist() == ["1.5", "w"]


def test_no_text_is_a_formula():
    labels = ["=1+1", "@SUM(A1)", "+1+cmd", "-x", " =2", "\t=3", "plain", "a=b", "-0.5", "+1e3", None]
    frame = pd.DataFrame({"=label": labels, "number": [-1.0] * len(labels), "mixed": [*labels[:5], *range(-1, 5)]})
    kept = frame.copy()
    back = pd.read_csv(BytesIO(as_csv(frame)), keep_default_na=False)
    assert list(back) == ["'=label", "number", "mixed"]
    safe = ["'=1+1", "'@SUM(A1)", "'+1+cmd", "'-x", "' =2", "'\t=3", "plain", "a=b", "-0.5", "+1e3", ""]
    assert back["'=label"].tolist() == safe
    assert back["number"].tolist() == [-1.0] * len(labels)
    assert back["mixed"].tolist() == [*safe[:5], *map(str, range(-1, 5))]
    assert frame.equals(kept)
