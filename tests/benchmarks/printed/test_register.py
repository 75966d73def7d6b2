"""The register of printed numbers is complete, and a short version of the long check holds."""

import ast
from pathlib import Path

import pytest

import reports
from benchmarks.coverage import ask_seeds, judged
from benchmarks.printed.groups import FIT
from benchmarks.printed.rare_events import RARE
from benchmarks.printed.register import SOURCES, source_named
from benchmarks.printed.variance_shares import REGRESSION, SOBOL

REPORTS = Path(reports.__file__).parent
KINDS = [kind for source in SOURCES for kind in source.kinds]

ELSEWHERE = {
    "balance/retuning": "players are chosen by it, and nothing of it is printed",
}
"""Modules that make intervals of which no kind needs to be checked, and why."""
READS = {"interval_from_row", "around", "times", "within"}
"""What makes an interval of one that is there."""


def names_called(path: Path) -> set[str]:
    """Return the last names of everything that a file calls; `Interval.around` is a call of `Interval`."""
    calls = [node.func for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))) if isinstance(node, ast.Call)]
    names = {ast.unparse(call) for call in calls}
    return {name.rpartition(".")[2] for name in names} | {"Interval" for name in names if name.startswith("Interval.")}


def makers() -> set[str]:
    """Return the names of what makes intervals: the type, and the public functions on the shelf that return some."""
    functions = [
        node
        for path in (REPORTS / "estimates").glob("*.py")
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.FunctionDef) and node.returns is not None
    ]
    returning = {node.name for node in functions if "Interval" in ast.unparse(node.returns)}  # type: ignore[arg-type]
    return {"Interval", *(name for name in returning if not name.startswith("_"))} - READS


def test_every_module_that_makes_intervals_is_in_the_register():
    known = makers()
    making = {
        path.relative_to(REPORTS).with_suffix("").as_posix()
        for path in REPORTS.rglob("*.py")
        if names_called(path) & known
    }
    checked = {module for kind in KINDS for module in kind.modules}
    assert making - checked - ELSEWHERE.keys() == set()
    assert not checked & ELSEWHERE.keys()


def test_the_register_names_modules_that_exist():
    for kind in KINDS:
        for module in kind.modules:
            assert (REPORTS / f"{module}.py").is_file(), module


def test_every_kind_and_source_has_a_name_of_its_own():
    assert len({kind.name for kind in KINDS}) == len(KINDS)
    assert [source_named(source.name) for source in SOURCES] == list(SOURCES)


@pytest.mark.parametrize(
    ("name", "seeds"), [(RARE.name, 300), (FIT.name, 100), (SOBOL.name, 20), (REGRESSION.name, 40)]
)
def test_a_few_seeds_find_nothing_that_surely_holds_too_rarely(name: str, seeds: int):
    source = source_named(name)
    for kind in judged(source, ask_seeds(source, range(seeds))):
        assert not kind.fails, kind
