"""Tables as the contents of files: CSV and, if asked for, Parquet."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any, Final

from strategies.errors import InputError

if TYPE_CHECKING:
    import pandas as pd


FORMULA_SIGNS: Final = frozenset("=+-@")


def tables_as_files(
    tables: Mapping[str, pd.DataFrame], *, parquet: bool, looked_at: Sequence[int] = ()
) -> dict[str, bytes]:
    """Return each table as CSV and, if asked for, as Parquet; with a column that names earlier looks, if any."""
    if looked_at:
        looks = " ".join(map(str, looked_at))
        tables = {name: table.assign(looked_at=looks) for name, table in tables.items()}
    files = {f"{name}.csv": as_csv(table) for name, table in tables.items()}
    if parquet:
        files |= {f"{name}.parquet": as_parquet(table) for name, table in tables.items()}
    return files


def as_csv(frame: pd.DataFrame) -> bytes:
    """Return a frame as CSV: one header row, missing numbers empty, every digit that matters.

    A text that a spreadsheet would take for a formula has an apostrophe before it.
    """
    texts = {name: frame[name].map(_no_formula) for name in frame if frame[name].dtype.kind not in "biuf"}
    safe = frame.assign(**texts).rename(columns=_no_formula)  # type: ignore[arg-type]
    return safe.to_csv(index=False, lineterminator="\n").encode()


def _no_formula(cell: Any) -> Any:
    if not isinstance(cell, str) or cell.lstrip()[:1] not in FORMULA_SIGNS:
        return cell
    try:
        float(cell)
    except ValueError:
        return f"'{cell}"
    return cell


def check_parquet() -> None:
    """Make sure, before anything is played, that Parquet can be written.

    Raises
    ------
    InputError
        If the extra that writes it is not installed.
    """
    if find_spec("pyarrow") is None:
        raise InputError("--parquet needs the extra 'parquet': pip install 'escalation-lab[parquet]'")


def as_parquet(frame: pd.DataFrame) -> bytes:
    """Return a frame as Parquet; `check_parquet` has said that it can be written."""
    # Columns whose values are numbers in some rows and words in others become words in all.
    mixed = {str(name): frame[name].map(str) for name in frame if frame[name].map(type).nunique() > 1}
    return frame.assign(**mixed).to_parquet(None, index=False, engine="pyarrow") or b""
