"""The output folder of an experiment: what is in it, whether it may be written, and writing it without halves."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Mapping
from contextlib import suppress
from itertools import count, takewhile
from pathlib import Path
from typing import Final

from reports.output.provenance import Provenance
from reports.output.toml import as_toml
from reports.reading.text_files import read_toml
from simulate.experiment import Experiment, first_difference
from simulate.store import STORE_FILE, Store, in_use
from strategies.errors import InputError

SPEC_FILE: Final = "experiment.toml"
"""Says which experiment a folder holds."""
EARLIER: Final = "earlier-"
"""With a number, the folder within for an answer under other conditions."""
RESULT_SUFFIXES: Final = frozenset({".csv", ".parquet", ".svg", ".png", ".html"})
LONGEST_PATH: Final = 400
"""Bytes of a folder's path, at most: what lies within needs some, too, and SQLite takes 512 for a store."""
_LETTERS_KEPT: Final = 40
_ROOM: Final = 1 << 16
"""Bytes that are written on trial, so that a full disk shows before anything is played."""


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
        If the folder cannot be written, or holds anything but an earlier run of the same experiment; for another
        experiment the first difference is named.
    """
    try:
        if len(os.fsencode(resolved(folder))) > LONGEST_PATH:
            raise OSError(f"its path is longer than {LONGEST_PATH} bytes")
        folder.mkdir(parents=True, exist_ok=True)
        _write_on_trial(folder)
    except OSError as error:
        raise InputError(f"folder '{folder}' cannot be written: {_reason(error)}") from None
    check_contents(folder, provenance)


def _write_on_trial(folder: Path) -> None:
    with tempfile.TemporaryFile(dir=folder) as file:
        file.write(bytes(_ROOM))


def check_contents(folder: Path, provenance: Provenance) -> None:
    """Make sure that a folder holds nothing but an earlier run of the same experiment, if there is one; only look.

    Raises
    ------
    InputError
        As `check_folder`.
    """
    try:
        occupied = folder.exists() and any(not _unfinished(path) for path in folder.iterdir())
    except OSError as error:
        raise InputError(f"folder '{folder}' cannot be read: {_reason(error)}") from None
    if not occupied:
        return
    there, here = _description_in(folder), provenance.as_data()
    if there is None:
        raise InputError(
            f"folder '{folder}' holds something else than this experiment: choose a new or an empty folder"
        )
    if any(there.get(name) != here[name] for name in ("question", "digest")):
        # The digest follows from the rest, so it is the last thing to be named.
        told = {
            name: (there.get(name), here[name]) for name in ("question", "kernel_version", "seed", "spec", "digest")
        }
        difference = next(
            found for name, (one, other) in told.items() if (found := first_difference(one, other, name)) is not None
        )
        raise InputError(
            f"folder '{folder}' holds another experiment ({difference}): choose a new or an empty folder, or "
            "--force-new to move this one aside"
        )


def _description_in(folder: Path) -> dict[str, object] | None:
    try:
        return read_toml(folder / SPEC_FILE)
    except InputError:
        return None


def open_store(folder: Path, experiment: Experiment, provenance: Provenance, *, trust: bool = False) -> Store:
    """Open the store of a folder that `check_folder` has approved, and describe the experiment beside it.

    Parameters
    ----------
    folder, experiment, provenance
        Where, what is played there, and how it is described.
    trust
        Whether blocks that other sources played are taken all the same.

    Raises
    ------
    InputError
        If another process is at work in the folder, or the store is damaged, cannot be written, or was played by other
        sources.
    """
    store = Store(folder, experiment, trust=trust)
    try:
        # From here on nobody else writes into the folder.
        for path in folder.glob(".*.partial"):
            path.unlink(missing_ok=True)
        if not (folder / SPEC_FILE).exists():
            write_file(folder / SPEC_FILE, as_toml(provenance.as_data()).encode())
    except BaseException:
        store.close()
        raise
    return store


def _unfinished(path: Path) -> bool:
    """Tell whether a file is what a kill in a run's first moments leaves behind: a store without a description."""
    return path.name.startswith(STORE_FILE) or path.name.endswith(".partial")


def move_aside(folder: Path) -> Path | None:
    """Move an earlier experiment's folder out of the way; nothing is deleted.

    Returns
    -------
    pathlib.Path or None
        Where it is now; None if there was nothing to move.

    Raises
    ------
    InputError
        If the folder holds something else than an experiment, is in use, or cannot be moved.
    """
    try:
        if not folder.exists() or (folder.is_dir() and not any(folder.iterdir())):
            return None
        if not ((folder / SPEC_FILE).is_file() or (folder / STORE_FILE).is_file()):
            raise InputError(
                f"folder '{folder}' holds no experiment, so it is not moved: choose a new or an empty folder"
            )
        if Path.cwd().is_relative_to(folder.resolve()):
            raise InputError(f"folder '{folder}' is where you are, so it is not moved: go elsewhere, or choose another")
        if in_use(folder):
            raise InputError(f"folder '{folder}' is in use by another process: wait for it, or choose another folder")
        numbered = (folder.with_name(f"{folder.name}.old-{number}") for number in count(1))
        aside = next(path for path in numbered if not path.exists())
        folder.rename(aside)
    except OSError as error:
        raise InputError(f"folder '{folder}' cannot be moved aside: {_reason(error)}") from None
    return aside


def check_file(path: Path) -> None:
    """Make sure, before anything is played, that a single result file may be written here.

    Raises
    ------
    InputError
        If its name is too long, its folder does not exist, cannot be written or is an output folder, or if there is
        something else than a file of that name.
    """
    target = resolved(path)
    try:
        with suppress(FileNotFoundError):
            os.lstat(target)  # which says so if the name is too long
        places = [(place, system) for place in (path.absolute(), target) for system in ("/dev", "/proc")]
        if any(place.is_relative_to(system) for place, system in places) or (target.exists() and not target.is_file()):
            raise OSError("it is not a file")
        _write_on_trial(target.parent)
        if (target.parent / STORE_FILE).exists():
            raise OSError("an output folder keeps to its own files")
    except OSError as error:
        raise InputError(f"'{path}' cannot be written: {_reason(error)}") from None


def check_apart(files: Mapping[str, Path], folder: Path | None) -> None:
    """Make sure that no result goes where another one goes.

    Parameters
    ----------
    files
        Single files, by the option that names them.
    folder
        The output folder, if there is one; what lies in it is its own.

    Raises
    ------
    InputError
        If two of them would be written to one place, or one into the output folder.
    """
    taken: dict[Path, str] = {}
    for option, path in files.items():
        target = resolved(path)
        if target in taken:
            raise InputError(f"{taken[target]} and {option} are one file, '{path}': give each a name of its own")
        taken[target] = option
        if folder is not None:
            whole = resolved(folder)
            if target.is_relative_to(whole) or whole.is_relative_to(target):
                raise InputError(
                    f"{option} '{path}' collides with --out '{folder}', which keeps to its own files: choose a place "
                    "outside of it"
                )


def resolved(path: Path) -> Path:
    """Return where a path leads, links followed.

    Raises
    ------
    InputError
        If it leads nowhere.
    """
    try:
        return path.resolve()
    except OSError as error:
        raise InputError(f"'{path}' cannot be used: {_reason(error)}") from None
    except RuntimeError:
        raise InputError(f"'{path}' cannot be used: its links lead in a circle") from None


def _reason(error: OSError) -> str:
    return (error.strerror or str(error)).lower()


def earlier_looks(folder: Path, provenance: Provenance) -> tuple[int, ...]:
    """Return after how many games per setting, fewer than now, results were written into a folder before."""
    there = _description_in(folder) or {}
    before = there.get("looked_at")
    looks = [
        *(before if isinstance(before, list) else []),
        *([there.get("games_per_setting")] if _results_in(folder) else []),
    ]
    return tuple(sorted({games for games in looks if isinstance(games, int) and games < provenance.games}))


def keep_earlier(folder: Path, provenance: Provenance) -> Path | None:
    """Move an earlier answer that was asked for otherwise (another alpha, say) into a folder of its own within.

    Returns
    -------
    pathlib.Path or None
        Where it is now; None if there was none, or if it is about to be written again.

    Raises
    ------
    InputError
        If it cannot be moved.
    """
    there, here = _description_in(folder), provenance.as_data()
    results = _results_in(folder)
    if there is None or not results or there.get("spec") == here["spec"]:
        return None
    numbered = (folder / f"{EARLIER}{number}" for number in count(1))
    kept = list(takewhile(Path.exists, numbered))
    # A move that was interrupted goes on.
    unfinished = bool(kept) and _description_in(kept[-1]) == there
    aside = kept[-1] if unfinished else folder / f"{EARLIER}{len(kept) + 1}"
    try:
        aside.mkdir(exist_ok=True)
        write_file(aside / SPEC_FILE, (folder / SPEC_FILE).read_bytes())
        for path in results:
            os.replace(path, aside / path.name)
    except OSError as error:
        raise InputError(f"the earlier answer in '{folder}' cannot be kept: {_reason(error)}") from None
    return aside


def _results_in(folder: Path) -> list[Path]:
    """Return the files of a result: tables, figures, the page; none if the folder is gone."""
    with suppress(OSError):
        return sorted(path for path in folder.iterdir() if path.is_file() and path.suffix in RESULT_SUFFIXES)
    return []


def write_file(path: Path, content: bytes) -> None:
    """Write a whole file or none: a reader, or an interrupted run, never sees half of it.

    Raises
    ------
    InputError
        If the file cannot be written.
    """
    target = resolved(path)  # what a link points to is replaced, not the link
    partial = target.with_name(f".{target.name[:_LETTERS_KEPT]}.{os.getpid()}.partial")
    try:
        partial.write_bytes(content)
        os.replace(partial, target)
    except OSError as error:
        raise InputError(f"'{path}' cannot be written: {_reason(error)}") from None
    finally:
        with suppress(OSError):
            partial.unlink()


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
