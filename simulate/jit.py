"""The one decorator for compiled code, and where compiled code is kept between runs.

Numba notices an edit of the file that holds a cached function, but not of the helpers it calls. The cache therefore lives in
a folder named by a hash of every source that kernels are made of; an edit to any of them starts a new folder.
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
from numba.core import types
from numba.extending import intrinsic, overload

P = ParamSpec("P")
R = TypeVar("R")

ROOT: Final = Path(__file__).resolve().parent.parent
CACHES_KEPT: Final = 4
"""Folders of other source versions that pruning leaves in place, newest first."""

_PREFIX: Final = "kernels-"


def kernel_sources() -> list[Path]:
    """Return every source file that compiled code may be made of, sorted."""
    return sorted([*(ROOT / "strategies").rglob("*.py"), *(ROOT / "simulate").rglob("*.py")])


def source_hash() -> str:
    """Return a hash of all kernel sources; it names the cache folder and nothing else."""
    digest = hashlib.sha256(numba.__version__.encode())
    for path in kernel_sources():
        digest.update(path.relative_to(ROOT).as_posix().encode() + b"\0" + path.read_bytes() + b"\0")
    return digest.hexdigest()[:16]


def _caches_folder() -> Path:
    """Return where caches go: NUMBA_CACHE_DIR if the user set one, else the user's cache folder."""
    chosen = os.environ.get("NUMBA_CACHE_DIR")
    if chosen:
        return Path(chosen)
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "escalation-lab"


def _prepare_cache() -> bool:
    """Point numba at this source version's folder; return False, and cache nothing, where it cannot be written."""
    try:
        folder = _caches_folder() / f"{_PREFIX}{source_hash()}"
        folder.mkdir(parents=True, exist_ok=True)
        folder.touch()
    except (OSError, RuntimeError):
        return False
    if not os.access(folder, os.W_OK):
        return False
    numba.config.CACHE_DIR = str(folder)
    _prune(folder)
    return True


def _prune(current: Path) -> None:
    """Remove the caches of all but the last few source versions."""
    with suppress(OSError):
        others = [p for p in current.parent.glob(f"{_PREFIX}*") if p != current]
        others.sort(key=lambda p: p.stat().st_mtime, reverse=True)
        for old in others[CACHES_KEPT:]:
            shutil.rmtree(old, ignore_errors=True)


CACHING: Final = _prepare_cache()
"""Whether compiled kernels are kept for the next run."""


def jitted(function: Callable[P, R]) -> Callable[P, R]:
    """Compile a helper that kernels call; it is compiled into them and kept with them."""
    compiled: Callable[P, R] = numba.njit(nogil=True, error_model="numpy", forceinline=True, _nrt=False)(function)
    return compiled


def kernel(function: Callable[P, R]) -> Callable[P, R]:
    """Compile an entry point from Python: runs without the interpreter lock, kept on disk between runs.

    Arguments must always have the same types: each further signature costs a whole compilation.
    """
    compiled: Callable[P, R] = numba.njit(nogil=True, error_model="numpy", cache=CACHING, _nrt=False)(function)
    return compiled


def is_compiled(function: Any) -> bool:
    """Tell whether a kernel has machine code loaded or waiting in the cache (always true with compilation disabled)."""
    if not hasattr(function, "signatures"):
        return True
    if function.signatures:
        return True
    index = getattr(function, "_cache", None)
    return bool(index is not None and getattr(index, "_index_file", None) and _cached_index_exists(index))


def _cached_index_exists(cache: Any) -> bool:
    return Path(cache._cache_path, cache._index_name).exists() if hasattr(cache, "_index_name") else False


def trailing_zeros(bits: Any) -> Any:
    """Return how many zero bits a non-zero 64-bit word ends in."""
    return type(bits)((int(bits) & -int(bits)).bit_length() - 1)


@intrinsic  # type: ignore[untyped-decorator]
def _count_trailing_zeros(typing_context: Any, bits: Any) -> Any:
    """Emit the machine's count-trailing-zeros instruction."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        # The flag promises that the word is not zero, which saves a test.
        return builder.cttz(arguments[0], context.get_constant(types.boolean, True))

    return types.uint64(types.uint64), generate


@overload(trailing_zeros)  # type: ignore[untyped-decorator]
def _compiled_trailing_zeros(bits: Any) -> Any:
    def count(bits: Any) -> Any:
        return _count_trailing_zeros(bits)

    return count
