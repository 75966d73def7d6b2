"""A hash of the sources that decide play: blocks that other sources played are not mixed with those of these.

Comments, docstrings and the layout of the text do not count, nor does any library's version. `KERNEL_VERSION` says what
changed on purpose; this also notices what somebody edited and forgot to say.
"""

from __future__ import annotations

import ast
import hashlib
import os
from collections.abc import Iterator
from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import Final

from simulate.jit import CACHE_FOLDER, ROOT, kernel_sources, source_hash

NOT_OF_PLAY: Final = frozenset({"cluster.py", "runner.py", "sources.py", "store.py"})
"""Modules of `simulate/` that move blocks about and decide nothing within them."""
DATA: Final = ("strategies/burn_templates.toml",)
"""Files that play reads. Catalogues are none: an experiment spells its players out."""

_LENGTH: Final = 16
_NAME: Final = "play-hash"


@cache
def play_hash() -> str:
    """Return the hash of this process's sources, 16 hexadecimal digits.

    It takes a second to compute, so it is kept beside the compiled code, in a folder that is named by all its sources.
    """
    kept = CACHE_FOLDER / _NAME if CACHE_FOLDER else None
    if kept:
        with suppress(OSError, ValueError):
            known = kept.read_text(encoding="ascii")
            if len(known) == _LENGTH and int(known, 16) >= 0:
                return known
    computed = hash_of(_sources_of_play())
    if kept and kept.parent.name.endswith(source_hash()):  # nobody edited anything meanwhile
        with suppress(OSError):
            partial = kept.with_name(f"{_NAME}.{os.getpid()}")
            partial.write_text(computed, encoding="ascii")
            os.replace(partial, kept)
    return computed


def hash_of(paths: list[Path]) -> str:
    """Return a hash of what sources say: of Python files the syntax without docstrings, of others every byte."""
    digest = hashlib.sha256()
    for path in paths:
        content = path.read_bytes()
        if path.suffix == ".py":
            for word in _syntax(ast.parse(content)):
                digest.update(word.encode() + b"\0")
        else:
            digest.update(content)
        digest.update(path.name.encode() + b"\0")
    return digest.hexdigest()[:_LENGTH]


def _sources_of_play() -> list[Path]:
    simulate = ROOT / "simulate"
    modules = [path for path in kernel_sources() if not (path.parent == simulate and path.name in NOT_OF_PLAY)]
    return [*modules, *(ROOT / name for name in DATA)]


def _syntax(node: object) -> Iterator[str]:
    """Yield a syntax tree word by word. What is empty is left out: which empty fields there are depends on Python."""
    if isinstance(node, ast.AST):
        yield type(node).__name__
        for name, value in ast.iter_fields(node):
            told = _without_docstring(node, value) if name == "body" else value
            if told not in (None, []):
                yield name
                yield from _syntax(told)
    elif isinstance(node, list):
        for entry in node:
            yield from _syntax(entry)
        yield "end"
    else:
        yield repr(node)


def _without_docstring(node: ast.AST, body: object) -> object:
    documented = isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef) and ast.get_docstring(node) is not None
    return body[1:] if documented and isinstance(body, list) else body
