"""The one decorator module for compiled code, and where compiled code is kept between runs.

Numba notices an edit of the file that holds a cached function, but not of the helpers it calls. The cache therefore
lives in a folder named by a hash of every source that kernels are made of; an edit to any of them starts a new folder.
Each file there has a checksum beside it: one that is damaged counts as not there, and is compiled and written anew.

Kernels are compiled without reference counting (it costs a factor of ten here), so they cannot allocate: whatever they
need is handed to them and filled in place.
"""

from __future__ import annotations

import hashlib
import os
import shutil
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any, Final, ParamSpec, TypeVar

import numba
import numpy as np
from llvmlite import ir
from numba.core import cgutils, types
from numba.core import config as numba_config
from numba.core.caching import IndexDataCacheFile
from numba.extending import intrinsic, overload

P = ParamSpec("P")
R = TypeVar("R")

ROOT: Final = Path(__file__).resolve().parent.parent
OTHER_CACHES_KEPT: Final = 4
"""Folders of other source versions that pruning leaves in place, newest first."""

_CONFIG: Any = numba_config
_PREFIX: Final = "kernels-"
_OPTIONS: Final[dict[str, Any]] = {"nogil": True, "error_model": "numpy", "_nrt": False, "no_cfunc_wrapper": True}
_HELPER: Final[dict[str, Any]] = {**_OPTIONS, "no_cpython_wrapper": True}
"""Nobody calls helpers from Python or C; leaving out what would let them halves the time to compile."""


def kernel_sources() -> list[Path]:
    """Return every source file that compiled code may be made of, sorted."""
    return sorted([*(ROOT / "strategies").rglob("*.py"), *(ROOT / "simulate").rglob("*.py")])


def source_hash() -> str:
    """Return a hash of all kernel sources and of what else changes the machine code; it names the cache folder only."""
    compiler = f"{numba.__version__} {_CONFIG.BOUNDSCHECK} {_CONFIG.OPT}"
    digest = hashlib.sha256(compiler.encode())
    for path in kernel_sources():
        digest.update(path.relative_to(ROOT).as_posix().encode() + b"\0" + path.read_bytes() + b"\0")
    return digest.hexdigest()[:16]


def _prepare_cache() -> Path | None:
    """Make this source version's folder, under NUMBA_CACHE_DIR if the user set it; None where it cannot be written."""
    try:
        chosen = os.environ.get("NUMBA_CACHE_DIR")
        user_caches = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache")
        folder = (Path(chosen) if chosen else user_caches / "escalation-lab") / f"{_PREFIX}{source_hash()}"
        folder.mkdir(parents=True, exist_ok=True)
        folder.touch()
    except (OSError, RuntimeError):
        return None
    if not os.access(folder, os.W_OK):
        return None
    _prune(folder)
    return folder


def _prune(current: Path) -> None:
    """Remove the caches of all but the last few source versions."""
    with suppress(OSError):
        others = [folder for folder in current.parent.glob(f"{_PREFIX}*") if folder != current]
        others.sort(key=lambda folder: folder.stat().st_mtime, reverse=True)
        for old in others[OTHER_CACHES_KEPT:]:
            shutil.rmtree(old, ignore_errors=True)


CACHE_FOLDER: Final = _prepare_cache()
"""Where compiled kernels are kept for the next run; None if nowhere, and every run compiles."""


def _refused_in_python(helper: Any) -> Any:
    """Let a helper say so when it is called from Python, where it has no way in; without this that would crash."""
    if _CONFIG.DISABLE_JIT:
        return helper

    def refuse(*_arguments: object, **_named: object) -> None:
        name = helper.py_func.__name__
        raise TypeError(f"{name} can be called by compiled code only: in Python call {name}.py_func")

    # Numba asks the first when Python calls and nothing is compiled; the second tells it of something compiled.
    helper._compile_for_args = refuse
    helper._insert = lambda *_arguments, **_named: None
    return helper


def jitted(function: Callable[P, R]) -> Callable[P, R]:
    """Compile a helper that kernels call; it becomes part of them, and is kept with them."""
    compiled: Callable[P, R] = _refused_in_python(numba.njit(forceinline=True, **_HELPER)(function))
    return compiled


def copied(function: Callable[P, R]) -> Callable[P, R]:
    """Compile a helper as part of its callers only, which saves a round of compiling for what is large.

    Numba copies its text to every place that calls it before it works out types: keep these places few.
    """
    compiled: Callable[P, R] = _refused_in_python(numba.njit(inline="always", **_HELPER)(function))
    return compiled


def set_apart(function: Callable[P, R]) -> Callable[P, R]:
    """Compile a helper that kernels seldom call, and keep it out of them: what they do often has the registers."""
    if _CONFIG.DISABLE_JIT:
        return function
    compiled: Any = _refused_in_python(numba.njit(**_HELPER)(function))
    tuple_of: Any = types.StarArgTuple.from_types
    numba_tools: Any = cgutils

    @intrinsic
    def call(typing_context: Any, *arguments: Any) -> tuple[object, Callable[..., ir.Value]]:
        inner: Any = types.Dispatcher(compiled).get_call_type(typing_context, arguments, {})

        def generate(context: Any, builder: ir.IRBuilder, signature: object, values: list[ir.Value]) -> ir.Value:
            # As numba calls any function, but for the promise not to copy it to where it is called from.
            result = compiled.overloads[inner.args]
            context.add_linking_libs([result.library])
            callee = context.declare_function(builder.module, result.fndesc)
            unpacked = numba_tools.unpack_tuple(builder, values[0])
            convention = context.call_conv
            status, value = convention.call_function(
                builder, callee, inner.return_type, inner.args, unpacked, attrs=("noinline",)
            )
            with numba_tools.if_unlikely(builder, status.is_error):
                convention.return_status_propagate(builder, status)
            return value

        return inner.return_type(tuple_of(arguments)), generate

    called: Any = call
    result: Callable[P, R] = called
    return result


def kernel(function: Callable[P, R]) -> Callable[P, R]:
    """Compile an entry point from Python: it runs without the interpreter lock and is kept on disk between runs.

    Arguments must always have the same types: each further signature costs a whole compilation.
    """
    if CACHE_FOLDER is None:
        return _compiled(function, cache=False)
    # Numba reads the folder when a function is decorated; other users of numba in this process keep theirs.
    before = _CONFIG.CACHE_DIR
    _CONFIG.CACHE_DIR = str(CACHE_FOLDER)
    try:
        return _compiled(function, cache=True)
    finally:
        _CONFIG.CACHE_DIR = before


def _compiled(function: Callable[P, R], *, cache: bool) -> Callable[P, R]:
    compiled: Any = numba.njit(cache=cache, **_OPTIONS)(function)
    if cache and not _CONFIG.DISABLE_JIT:
        # Numba has no way to ask for other files than its own.
        compiled._cache._cache_file.__class__ = CheckedFile
    result: Callable[P, R] = compiled
    return result


_NumbaFile: Any = IndexDataCacheFile


class CheckedFile(_NumbaFile):  # type: ignore[misc]
    """Numba's file of compiled code, which believes only what has its checksum, and can do without being written."""

    def save(self, key: object, data: object) -> None:
        """Keep compiled code, if there is room and the right to."""
        with suppress(OSError):
            super().save(key, data)

    def _load_index(self) -> dict[object, str]:
        found: dict[object, str] = super()._load_index() if is_sound(Path(self._index_path)) else {}
        return found

    def _load_data(self, name: str) -> object:
        path = Path(self._data_path(name))
        if not is_sound(path):
            raise FileNotFoundError(path)  # which numba takes as a sign to compile
        return super()._load_data(name)

    def _save_index(self, overloads: dict[object, str]) -> None:
        super()._save_index(overloads)
        write_checksum(Path(self._index_path))

    def _save_data(self, name: str, data: object) -> None:
        super()._save_data(name, data)
        write_checksum(Path(self._data_path(name)))


def write_checksum(path: Path) -> None:
    """Write the checksum of a file beside it."""
    partial = path.with_name(f"{path.name}.{os.getpid()}")
    partial.write_text(hashlib.sha256(path.read_bytes()).hexdigest(), encoding="ascii")
    os.replace(partial, _checksum_of(path))


def is_sound(path: Path) -> bool:
    """Tell whether a file can be read and is what it was when its checksum was written."""
    try:
        return _checksum_of(path).read_bytes() == hashlib.sha256(path.read_bytes()).hexdigest().encode()
    except OSError:
        return False


def _checksum_of(path: Path) -> Path:
    return path.with_name(f"{path.name}.sha256")


def trailing_zeros(bits: np.uint64) -> np.uint64:
    """Return how many zero bits a 64-bit word ends in; all 64 where there is nothing else."""
    return type(bits)((int(bits) & -int(bits)).bit_length() - 1 if bits else 64)


@intrinsic
def _count_trailing_zeros(typing_context: object, bits: object) -> tuple[object, Callable[..., ir.Value]]:
    """Emit the machine's count-trailing-zeros instruction."""

    def generate(context: Any, builder: ir.IRBuilder, signature: object, arguments: list[ir.Value]) -> ir.Value:
        # The flag says that the count is to be 64 where no bit is set.
        return builder.cttz(arguments[0], context.get_constant(types.boolean, False))

    return types.uint64(types.uint64), generate


@overload(trailing_zeros)
def _compiled_trailing_zeros(bits: object) -> Callable[[object], object]:
    compiled: Any = _count_trailing_zeros

    def count(bits: object) -> object:
        return compiled(bits)

    return count
