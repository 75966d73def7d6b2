"""Measure how the code is laid out: rooms, floors, arrows, and what makes them hard to find one's way in.

    python -m benchmarks.house [CHECKOUT ...]

prints a table with a column for every checkout (this one, if none is given).

A *room* is a file or a folder. In the whole house `cli.py` and every folder of the checkout is one room, but
`reports/` is looked into: each of its files is a room, and each of its folders (a command's, or a shelf) with all
that is below it. An `__init__.py` belongs to its folder, and is no room if it imports nothing. An *arrow* leads from
one room to another if some file of the first imports from the second, be it inside a function or for types only. The
lowest *floor* holds the rooms that import no other; any other room stands one floor above the highest that it
imports. Rooms that need each other share a floor.
"""

from __future__ import annotations

import ast
import re
import sys
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path

Graph = dict[str, set[str]]
"""Every room, with the rooms that it imports."""

PACKAGES = ("strategies", "simulate", "reports", "cli", "benchmarks")
"""What stands on what: each imports itself and what is named before it."""
HOUSE = ("reports",)
"""The folders that are looked into when the whole house is drawn."""
FOLDERS = ("reports", "reports/balance", "simulate", "simulate/escalation")
"""The folders of which every file counts singly when it is asked which rooms need each other."""


def sources(checkout: Path, packages: Iterable[str] = PACKAGES[:-1]) -> list[Path]:
    """Return the source files of some packages; product code without further ado."""
    found = [path for name in packages for path in (checkout / name).rglob("*.py")]
    return sorted([*found, *(checkout / f"{name}.py" for name in packages if (checkout / f"{name}.py").exists())])


def imports(path: Path, checkout: Path) -> Iterator[tuple[str, bool]]:
    """Yield every module that a file imports, and whether it does so at once (not inside a function, not for types)."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    at_once = {id(node) for node in tree.body}
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from ((alias.name, id(node) in at_once) for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            for alias in node.names:
                module = f"{'.' * node.level}{node.module or ''}"
                inner = checkout / module.replace(".", "/") / alias.name
                is_module = inner.with_suffix(".py").exists() or inner.is_dir()
                yield f"{module}.{alias.name}" if is_module else module, id(node) in at_once


def room(module: Path, looked_into: Iterable[str]) -> str:
    """Return the room of a file or folder, given relative to its checkout, without suffix."""
    if module.name == "__init__":
        module = module.parent
    parts = module.parts
    depth = 1
    while depth < len(parts) and "/".join(parts[:depth]) in looked_into:
        depth += 1
    return "/".join(parts[:depth])


def graph(checkout: Path, looked_into: Iterable[str], packages: Iterable[str] = PACKAGES) -> Graph:
    """Return the import graph of the rooms of some packages."""
    found: Graph = {}
    for path in sources(checkout, packages):
        imported = [module for module, _ in imports(path, checkout)]
        if path.name == "__init__.py" and not imported:
            continue
        here = room(path.relative_to(checkout).with_suffix(""), looked_into)
        needed = found.setdefault(here, set())
        for module in imported:
            if module.split(".")[0] in packages:
                needed.add(room(Path(*module.split(".")), looked_into))
        needed.discard(here)
    return {here: needed & set(found) for here, needed in found.items()}


def reached(rooms: Graph) -> Graph:
    """Return for every room all those that it needs, directly or by way of others."""
    whole = {here: set(needed) for here, needed in rooms.items()}
    for between, beyond in whole.items():
        for needed in whole.values():
            if between in needed:
                needed.update(beyond)
    return whole


def mutual(rooms: Graph) -> list[tuple[str, str]]:
    """Return the pairs of rooms that need each other, directly or by way of others."""
    needed = reached(rooms)
    return [
        (one, other) for one in sorted(rooms) for other in sorted(needed[one]) if one < other and one in needed[other]
    ]


def floors(rooms: Graph) -> dict[str, int]:
    """Return the floor of every room, the lowest being 1."""
    needed = reached(rooms)
    below = {here: {there for there in needed[here] if here not in needed[there]} for here in rooms}
    found: dict[str, int] = {}
    for here in sorted(rooms, key=lambda here: len(below[here])):
        found[here] = 1 + max((found[there] for there in below[here]), default=0)
    # Rooms of a circle see the same rooms below them, so that they come out on one floor.
    return found


def upwards(checkout: Path) -> list[tuple[str, str]]:
    """Return the imports that run up: from a package to one that stands on it."""
    order = {name: floor for floor, name in enumerate(PACKAGES)}
    return [
        (str(path.relative_to(checkout)), module)
        for path in sources(checkout, PACKAGES)
        for module, _ in imports(path, checkout)
        if order.get(module.split(".")[0], -1) > order[path.relative_to(checkout).with_suffix("").parts[0]]
    ]


def file_names(checkout: Path) -> dict[str, list[str]]:
    """Return every file name of product code with the folders where it stands."""
    found = defaultdict(list)
    for path in sources(checkout):
        if path.stem != "__init__":
            found[path.stem].append(path.parent.relative_to(checkout).as_posix())
    return found


def type_names(checkout: Path) -> dict[tuple[str, str], list[str]]:
    """Return every class and every public type alias of product code, by package and name, with its files."""
    found = defaultdict(list)
    for path in sources(checkout):
        inside = path.relative_to(checkout)
        for node in ast.parse(path.read_text(encoding="utf-8")).body:
            name = _type_name(node)
            if name and not name.startswith("_"):
                found[inside.with_suffix("").parts[0], name].append(inside.as_posix())
    return found


def _type_name(node: ast.stmt) -> str:
    """Return the name of the class or alias that a statement defines, or an empty text.

    An alias is an assignment to a name in CamelCase, but for type variables, which belong to their file.
    """
    match node:
        case ast.ClassDef(name=name):
            return name
        case ast.Assign(value=ast.Call(func=ast.Name(id="TypeVar"))):
            return ""
        case ast.Assign(targets=[ast.Name(id=name)]) | ast.AnnAssign(target=ast.Name(id=name)):
            return name if re.fullmatch(r"[A-Z][A-Za-z0-9]*[a-z][A-Za-z0-9]*", name) else ""
    return ""


def tests_of(path: Path, checkout: Path) -> Path:
    """Return where the tests of a file of product code belong."""
    inside = path.relative_to(checkout)
    return checkout / "tests" / inside.with_name(f"test_{path.name}")


def untested(checkout: Path) -> list[str]:
    """Return the modules without a test file of their name in the mirrored folder.

    What an `__init__.py` hands on is tested where it is defined.
    """
    return [
        path.relative_to(checkout).as_posix()
        for path in sources(checkout)
        if path.stem != "__init__" and not tests_of(path, checkout).exists()
    ]


def occurrences(pattern: str, checkout: Path) -> int:
    """Return how often something is written in product code."""
    return sum(len(re.findall(pattern, path.read_text(encoding="utf-8"))) for path in sources(checkout))


def lines(paths: Iterable[Path]) -> int:
    """Return the number of lines of some files."""
    return sum(len(path.read_text(encoding="utf-8").splitlines()) for path in paths)


def _several(found: dict[str, list[str]] | dict[tuple[str, str], list[str]]) -> int:
    """Return how many names stand in several places."""
    return sum(len(places) > 1 for places in found.values())


def _arrows(rooms: Graph) -> int:
    """Return the number of arrows of a graph."""
    return sum(map(len, rooms.values()))


MEASURES: dict[str, Callable[[Path], int]] = {
    "whole house: rooms": lambda checkout: len(graph(checkout, HOUSE)),
    "whole house: floors": lambda checkout: max(floors(graph(checkout, HOUSE)).values()),
    "whole house: arrows": lambda checkout: _arrows(graph(checkout, HOUSE)),
    "reports/: rooms": lambda checkout: len(graph(checkout, HOUSE, ["reports"])),
    "reports/: floors": lambda checkout: max(floors(graph(checkout, HOUSE, ["reports"])).values()),
    "reports/: arrows": lambda checkout: _arrows(graph(checkout, HOUSE, ["reports"])),
    "imports that run upwards": lambda checkout: len(upwards(checkout)),
    "pairs of folders that need each other": lambda checkout: len(mutual(graph(checkout, FOLDERS))),
    "lines of product code": lambda checkout: lines(sources(checkout)),
    "lines of cli.py": lambda checkout: lines([checkout / "cli.py"]),
    "occurrences of Any": lambda checkout: occurrences(r"\bAny\b", checkout),
    "modules without a test file of their name": lambda checkout: len(untested(checkout)),
    "file names in several folders": lambda checkout: _several(file_names(checkout)),
    "class names twice in a package": lambda checkout: _several(type_names(checkout)),
}


def main(checkouts: list[Path]) -> None:
    """Print the table."""
    width = max(map(len, MEASURES))
    print(" " * width, *(f"{checkout.name:>8}" for checkout in checkouts))
    for name, measure in MEASURES.items():
        print(f"{name:{width}}", *(f"{measure(checkout):8,}" for checkout in checkouts))


if __name__ == "__main__":
    main([Path(name).resolve() for name in sys.argv[1:]] or [Path(__file__).resolve().parent.parent])
