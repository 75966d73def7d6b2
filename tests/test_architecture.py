"""One way down: cli -> reports -> simulate -> strategies, no circles, and no floor reaches for what is not its own."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from graphlib import TopologicalSorter
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
FLOORS = {"strategies": 0, "simulate": 1, "reports": 2, "cli": 3}
FORBIDDEN = {
    "strategies": {"pandas", "matplotlib", "click", "rich", "scipy"},
    "simulate": {"pandas", "matplotlib", "click", "rich"},
    "reports": {"click", "numba"},
    "cli": {"numba"},
}


def sources() -> list[Path]:
    packages = [path for floor in FLOORS for path in (ROOT / floor).rglob("*.py")]
    return [*packages, ROOT / "cli.py"]


def module_name(path: Path) -> str:
    parts = path.relative_to(ROOT).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def imports(path: Path) -> Iterator[tuple[str, bool]]:
    """Yield every imported module, and whether it is imported when the file itself is."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    at_once = {id(node) for node in tree.body}
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from ((alias.name, id(node) in at_once) for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path}: relative import"
            module = node.module or ""
            for alias in node.names:
                full = f"{module}.{alias.name}"
                yield (
                    (full if (ROOT / full.replace(".", "/")).with_suffix(".py").exists() else module),
                    (id(node) in at_once),
                )


@pytest.mark.parametrize("path", sources(), ids=module_name)
def test_nothing_imports_upwards_or_what_its_floor_must_not_know(path):
    floor = module_name(path).split(".")[0]
    for module, _ in imports(path):
        top = module.split(".")[0]
        assert FLOORS.get(top, -1) <= FLOORS[floor], f"{module_name(path)} imports {module}, which is above it"
        assert top not in FORBIDDEN[floor], f"{module_name(path)} imports {module}"


def test_no_modules_import_each_other_in_a_circle():
    known = {module_name(path) for path in sources()}
    graph = {
        module_name(path): {module for module, at_once in imports(path) if at_once and module in known}
        for path in sources()
    }
    assert set(TopologicalSorter(graph).static_order()) >= known
