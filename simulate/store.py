"""The results store: finished blocks of one experiment in one SQLite file, safe against being killed at any moment.

One row holds one finished block. Rows are written in batches, about every half second, and a batch is there as a whole
or not at all. Counts are kept as plain bytes with their names, types and shapes spelled out, so reading a store that
somebody else made runs nothing of theirs. A row carries a checksum of its counts and of what they belong to: the
experiment, the setting and the block. A row that fails it counts as not there, is played again and replaced.
"""

from __future__ import annotations

import hashlib
import json
import math
import sqlite3
import struct
import time
import zlib
from collections.abc import Iterator, Mapping
from contextlib import closing, contextmanager
from pathlib import Path
from types import TracebackType
from typing import Any, Final, NoReturn

import numpy as np
from numpy.typing import NDArray

from simulate.experiment import Counts, Experiment, canonical, first_difference
from simulate.sources import play_hash
from strategies.errors import InputError

STORE_FILE: Final = "blocks.sqlite"
FORMAT: Final = 2
SECONDS_BETWEEN_COMMITS: Final = 0.5
LARGEST_CHECKED: Final = 1 << 28
"""Up to so many bytes (256 MB, about a second) a file is checked as a whole when it is opened; its rows always are."""

_INTEGERS: Final = ("<i1", "<i2", "<i4", "<i8")
_LENGTH: Final = struct.Struct("<I")
_BUSY: Final = ("SQLITE_BUSY", "SQLITE_LOCKED")
_NO_LOCKS = (
    "SQLITE_IOERR_LOCK",
    "SQLITE_IOERR_RDLOCK",
    "SQLITE_IOERR_CHECKRESERVEDLOCK",
    "SQLITE_PROTOCOL",
    "SQLITE_NOLFS",
)
_NO_ROOM: Final = ("SQLITE_FULL", "SQLITE_IOERR")
_TABLES: Final = """
CREATE TABLE experiment (name TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE settings (setting INTEGER PRIMARY KEY, spec BLOB NOT NULL);
CREATE TABLE blocks (
    setting INTEGER NOT NULL, block INTEGER NOT NULL, counts BLOB NOT NULL, checksum BLOB NOT NULL,
    PRIMARY KEY (setting, block)
) WITHOUT ROWID;
"""


def pack_counts(counts: Counts) -> bytes:
    """Write counts as bytes: a JSON list of [name, type, shape], then the numbers in the least types that hold them."""
    head: list[tuple[str, str, list[int]]] = []
    body: list[bytes] = []
    for name, numbers in counts.items():
        least, greatest = (int(numbers.min()), int(numbers.max())) if numbers.size else (0, 0)
        kind = next(kind for kind in _INTEGERS if np.iinfo(kind).min <= least and greatest <= np.iinfo(kind).max)
        head.append((name, kind, list(numbers.shape)))
        body.append(numbers.astype(kind).tobytes())
    described = json.dumps(head, separators=(",", ":")).encode()
    return zlib.compress(_LENGTH.pack(len(described)) + described + b"".join(body), level=1)


def unpack_counts(packed: bytes) -> dict[str, NDArray[np.int64]]:
    """Read what `pack_counts` wrote.

    Raises
    ------
    ValueError
        If the bytes are damaged.
    """
    counts: dict[str, NDArray[np.int64]] = {}
    try:
        plain = zlib.decompress(packed)
        start = _LENGTH.size + _LENGTH.unpack_from(plain)[0]
        for name, kind, shape in json.loads(plain[_LENGTH.size : start]):
            if kind not in _INTEGERS or min(shape, default=0) < 0:
                raise ValueError(f"no such type {kind!r}, or no such shape {shape!r}")
            numbers = np.frombuffer(plain, dtype=kind, count=math.prod(shape), offset=start).reshape(shape)
            counts[str(name)] = numbers.astype(np.int64)
            start += numbers.nbytes
    except (zlib.error, struct.error, TypeError, ValueError, RecursionError) as error:
        raise ValueError(f"damaged counts: {error}") from None
    if start != len(plain):
        raise ValueError("damaged counts: more bytes than described")
    return counts


def in_use(folder: Path) -> bool:
    """Tell whether a process has the store of a folder open."""
    path = folder / STORE_FILE
    if not path.is_file():
        return False
    try:
        with closing(sqlite3.connect(path, timeout=0, isolation_level=None)) as file:
            file.execute("BEGIN IMMEDIATE")
    except sqlite3.Error as error:
        return str(getattr(error, "sqlite_errorname", "")).startswith(_BUSY)
    return False


def blocks_in(folder: Path) -> int:
    """Return how many finished blocks the store of a folder holds; 0 if there is none, or none that can be read."""
    path = folder / STORE_FILE
    if not path.is_file():
        return 0
    try:
        with closing(sqlite3.connect(path, timeout=0, isolation_level=None)) as file:
            return int(file.execute("SELECT count(*) FROM blocks").fetchone()[0])
    except sqlite3.Error:
        return 0


class Store:
    """The finished blocks of one experiment; one process at a time may have it open.

    Use it as a context manager; leaving it commits what is pending.

    Parameters
    ----------
    folder
        An existing folder; the store is its file `blocks.sqlite`, made if need be.
    experiment
        What the blocks belong to.
    trust
        Whether blocks that other sources played are taken for blocks of these (see `simulate.sources`).

    Attributes
    ----------
    damaged
        How many rows were asked for and failed their checksum.

    Raises
    ------
    InputError
        If the store belongs to another experiment (the first difference is named), was played by other sources, is in
        use by another process, is damaged, or cannot be written.
    """

    def __init__(self, folder: Path, experiment: Experiment, *, trust: bool = False) -> None:
        self.folder, self.path, self.trust = folder, folder / STORE_FILE, trust
        self.damaged = 0
        self._digest = experiment.digest
        self._pending = 0
        self._last_commit = time.monotonic()
        with self._told():
            self._file = sqlite3.connect(self.path, timeout=0, isolation_level=None)
        try:
            with self._told():
                self._open(experiment)
        except BaseException:
            self._file.close()
            raise

    def __enter__(self) -> Store:
        """Return the open store."""
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Commit what is pending and close."""
        self.close()

    def close(self) -> None:
        """Commit what is pending and close."""
        try:
            self.commit()
        finally:
            self._close()

    def __contains__(self, job: tuple[int, int]) -> bool:
        """Tell whether a (setting, block) is finished; one that is damaged is not."""
        return self._packed(job) is not None

    def __len__(self) -> int:
        """Return how many blocks are finished."""
        with self._told():
            return int(self._file.execute("SELECT count(*) FROM blocks").fetchone()[0])

    def read(self, setting: int, block: int) -> Counts | None:
        """Return the counts of a block, or None if it is not finished, or damaged."""
        packed = self._packed((setting, block))
        with self._told():
            return None if packed is None else unpack_counts(packed)

    def _packed(self, job: tuple[int, int]) -> bytes | None:
        """Return the counts of a row whose checksum says that they belong there."""
        with self._told():
            row = self._file.execute(
                "SELECT counts, checksum FROM blocks WHERE setting = ? AND block = ?", job
            ).fetchone()
        if row is None:
            return None
        if isinstance(row[0], bytes) and row[1] == self._checksum(*job, row[0]):
            return row[0]
        self.damaged += 1
        return None

    def _checksum(self, setting: int, block: int, packed: bytes) -> bytes:
        """Hash counts together with what they belong to."""
        place = f"{self._digest} {setting} {block} ".encode()
        return hashlib.blake2b(place + packed, digest_size=16).digest()

    def add(self, setting: int, block: int, counts: Counts) -> None:
        """Store a finished block, in place of a damaged one if need be; it is safe once `pending` is 0 again."""
        packed = pack_counts(counts)
        with self._told():
            if not self._pending:
                self._file.execute("BEGIN IMMEDIATE")
            row = (setting, block, packed, self._checksum(setting, block, packed))
            self._file.execute("INSERT OR REPLACE INTO blocks VALUES (?, ?, ?, ?)", row)
        self._pending += 1
        if time.monotonic() - self._last_commit >= SECONDS_BETWEEN_COMMITS:
            self.commit()

    @property
    def pending(self) -> int:
        """How many blocks a kill at this moment would cost."""
        return self._pending

    def commit(self) -> None:
        """Make every block added so far safe."""
        if self._pending:
            with self._told():
                self._file.execute("COMMIT")
        self._pending = 0
        self._last_commit = time.monotonic()

    def _open(self, experiment: Experiment) -> None:
        # Holding the lock for as long as the file is open is what keeps a second process out; the system frees it even
        # if this process is killed.
        self._file.execute("PRAGMA locking_mode = EXCLUSIVE")
        self._file.execute("PRAGMA journal_mode = WAL")
        self._file.execute("PRAGMA synchronous = FULL")
        self._file.execute("BEGIN IMMEDIATE")
        if self._file.execute("SELECT count(*) FROM sqlite_master").fetchone()[0]:
            self._check(experiment)
        else:
            self._create(experiment)
        self._file.execute("COMMIT")

    def _create(self, experiment: Experiment) -> None:
        for statement in _TABLES.split(";"):
            self._file.execute(statement)
        known = {
            "format": str(FORMAT),
            "digest": experiment.digest,
            "head": canonical(experiment.head()).decode(),
            "sources": play_hash(),
        }
        self._file.executemany("INSERT INTO experiment VALUES (?, ?)", known.items())
        packed = ((number, zlib.compress(canonical(s.spec()), 1)) for number, s in enumerate(experiment.settings))
        self._file.executemany("INSERT INTO settings VALUES (?, ?)", packed)

    def _check(self, experiment: Experiment) -> None:
        known: Mapping[str, str] = dict(self._file.execute("SELECT name, value FROM experiment").fetchall())
        if known.get("format") != str(FORMAT):
            raise InputError(
                f"'{self.path}' is in format {known.get('format')}: this version reads format {FORMAT}; choose another "
                "folder, or move this one aside with --force-new"
            )
        if self.path.stat().st_size <= LARGEST_CHECKED:
            ((found, *_),) = self._file.execute("PRAGMA integrity_check(1)").fetchall()
            if found != "ok":
                raise ValueError(" ".join(str(found).split()))
        if known["digest"] == experiment.digest:
            self._check_sources(known["sources"])
            return
        there = {
            **json.loads(known["head"]),
            "settings": self._file.execute("SELECT count(*) FROM settings").fetchone()[0],
        }
        here = {**experiment.head(), "settings": len(experiment.settings)}
        difference = first_difference(there, here) or self._first_other_setting(experiment)
        raise InputError(
            f"'{self.path}' holds another experiment: {difference}; choose another folder, or move this one aside "
            "with --force-new"
        )

    def _check_sources(self, sources: str) -> None:
        if sources == play_hash():
            return
        if not self.trust:
            raise InputError(
                f"'{self.path}' was played by other sources than these, which may play differently: --trust-blocks "
                "takes its blocks all the same, --force-new moves it aside"
            )
        self._file.execute("UPDATE experiment SET value = ? WHERE name = 'sources'", (play_hash(),))

    def _first_other_setting(self, experiment: Experiment) -> str:
        rows: Iterator[tuple[int, bytes]] = self._file.execute("SELECT setting, spec FROM settings ORDER BY setting")
        for number, packed in rows:
            there: dict[str, Any] = json.loads(zlib.decompress(packed))
            here = json.loads(canonical(experiment.settings[number].spec()))
            if difference := first_difference(there, here):
                return f"in setting {number}, {difference}"
        return "its digest differs"

    def _close(self) -> None:
        try:
            if self._file.in_transaction:
                self._file.rollback()
            self._file.close()
        except sqlite3.Error as error:
            self._tell(error)

    @contextmanager
    def _told(self) -> Iterator[None]:
        """Tell trouble with the file in one line."""
        try:
            yield
        except (sqlite3.Error, LookupError, TypeError, ValueError, RecursionError, zlib.error) as error:
            if isinstance(error, InputError):
                raise
            self._tell(error)

    def _tell(self, error: Exception) -> NoReturn:
        self._pending = 0
        reason = getattr(error, "sqlite_errorname", "")
        if reason.startswith(_BUSY):
            raise InputError(
                f"'{self.path}' is in use by another process: wait for it, or choose another folder"
            ) from None
        if reason.startswith(("SQLITE_CANTOPEN", "SQLITE_READONLY", "SQLITE_PERM")):
            raise InputError(f"'{self.path}' cannot be written: {error}") from None
        if reason.startswith(_NO_LOCKS):
            raise InputError(
                f"'{self.path}' is on a file system without locks, so two runs could not be kept apart ({error}): "
                "choose a folder on another disk"
            ) from None
        if reason.startswith(_NO_ROOM):
            raise InputError(
                f"'{self.path}' cannot grow, the disk may be full ({error}): finished blocks are kept; "
                "make room and run the same command again"
            ) from None
        raise InputError(
            f"'{self.path}' is damaged ({error}): restore it from a copy, or move the folder aside with --force-new"
        ) from None
