"""Plain data as TOML."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from typing import Any

_BARE_KEY = re.compile(r"[A-Za-z0-9_-]+")


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
