"""The output folder of an experiment: what is in it, whether it may be written, and writing it without halves."""

from __future__ import annotations

import json
import os
import re
import tempfile
import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

import pandas as pd

from reports.provenance import Provenance
from strategies.errors import InputError

SPEC_FILE: Final = "experiment.toml"
"""Says which experiment a folder holds."""

_BARE_KEY = re.compile(r"[A-Za-z0-9_-]+")


def check_folder(folder: Path, provenance: Provenance) -> None:
    """Make sure, before anything is played, that the results may be written here; the folder is made if need be.

    Parameters
    ----------
    folder
        Where results will go.
    provenance
        Of the experiment that is about to be played.

    Raises
    ------
    InputError
        If the folder cannot be written, or holds anything but an earlier run of the same experiment.
    """
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=folder):
            pass
        occupied = any(folder.iterdir())
    except OSError as error:
        raise InputError(f"folder '{folder}' cannot be written: {_reason(error)}") from None
    if occupied and _identity_of(folder) != (provenance.question, provenance.digest):
        raise InputError(
            f"folder '{folder}' holds something else than this experiment: choose a new or an empty folder"
        )


def _identity_of(folder: Path) -> tuple[object, object] | None:
    try:
        found = tomllib.loads((folder / SPEC_FILE).read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return None
    return found.get("question"), found.get("digest")


def check_file(path: Path) -> None:
    """Make sure, before anything is played, that a single result file may be written here.

    Raises
    ------
    InputError
        If its folder does not exist or cannot be written, or if there is something else than a file of that name.
    """
    device = path.absolute().is_relative_to("/dev") or path.absolute().is_relative_to("/proc")
    if device or (path.exists() and not path.is_file()):
        raise InputError(f"'{path}' cannot be written: it is not a file")
    try:
        with tempfile.TemporaryFile(dir=path.parent):
            pass
    except OSError as error:
        raise InputError(f"'{path}' cannot be written: {_reason(error)}") from None


def _reason(error: OSError) -> str:
    return (error.strerror or str(error)).lower()


def write_file(path: Path, content: bytes) -> None:
    """Write a whole file or none: a reader, or an interrupted run, never sees half of it.

    Raises
    ------
    InputError
        If the file cannot be written.
    """
    target = path.resolve()  # what a link points to is replaced, not the link
    partial = target.with_name(f".{target.name}.{os.getpid()}.partial")
    try:
        partial.write_bytes(content)
        os.replace(partial, target)
    except OSError as error:
        raise InputError(f"'{path}' cannot be written: {_reason(error)}") from None
    finally:
        partial.unlink(missing_ok=True)


def as_csv(frame: pd.DataFrame) -> bytes:
    """Return a frame as CSV: one header row, missing numbers empty, every digit that matters."""
    return frame.to_csv(index=False, lineterminator="\n").encode()


def write_folder(folder: Path, provenance: Provenance, files: Mapping[str, bytes]) -> list[Path]:
    """Write an experiment's description and its result files.

    The description comes first, so that a run that is interrupted in between can be repeated into the same folder.

    Parameters
    ----------
    folder
        A folder that `check_folder` has approved.
    provenance
        What was played.
    files
        Contents by file name.

    Returns
    -------
    list of pathlib.Path
        What was written.
    """
    contents = {SPEC_FILE: as_toml(provenance.as_data()).encode(), **files}
    for name, content in contents.items():
        write_file(folder / name, content)
    return [folder / name for name in contents]


def as_toml(data: Mapping[str, Any]) -> str:
    """Write plain data as TOML: texts, numbers, truth values, lists of those, and tables nested in tables or lists."""
    return "\n".join(_table_lines(data, ())) + "\n"


def _table_lines(table: Mapping[str, Any], path: tuple[str, ...]) -> list[str]:
    lines = [f"{_key(name)} = {_value(value)}" for name, value in table.items() if not isinstance(value, Mapping)]
    for name, value in table.items():
        if isinstance(value, Mapping):
            inner = (*path, _key(name))
            lines += ["", f"[{'.'.join(inner)}]", *_table_lines(value, inner)]
    return lines


def _key(name: str) -> str:
    return name if _BARE_KEY.fullmatch(name) else json.dumps(name, ensure_ascii=False)


def _value(value: Any) -> str:
    if isinstance(value, Mapping):
        return "{ " + ", ".join(f"{_key(name)} = {_value(inner)}" for name, inner in value.items()) + " }"
    if isinstance(value, list | tuple):
        return "[" + ", ".join(_value(one) for one in value) + "]"
    if isinstance(value, float):
        # Python writes infinity and "not a number" as TOML does.
        return repr(value)
    # What is left (texts, whole numbers, truth values) TOML and JSON write alike.
    return json.dumps(value, ensure_ascii=False)
