"""Plain data as TOML."""

from __future__ import annotations

import re
from collections.abc import Mapping

import tomli_w


def as_toml(data: Mapping[str, object]) -> str:
    """Write plain data as TOML, every list on one line: that of a sweep may have thousands of values."""
    text = tomli_w.dumps(data)
    # Texts never hold a bare line break, so a line that ends in a bracket or a comma is inside a list.
    text = re.sub(r"\[\n +", "[", text)
    text = re.sub(r",\n *\]", "]", text)
    return re.sub(r",\n +", ", ", text)
