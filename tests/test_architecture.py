"""One way down: cli -> reports -> simulate -> strategies, no circles, and no floor reaches for what is not its own."""

from __future__ import annotations

import subprocess
import sys
from graphlib import TopologicalSorter
from pathlib import Path

import pytest

from benchmarks import house
from reports.balance.plan import SECTION_NAMES

ROOT = Path(__file__).resolve().parent.parent
FORBIDDEN = {
    "strategies": {"pandas", "matplotlib", "click", "rich", "scipy"},
    "simulate": {"pandas", "matplotlib", "click", "rich"},
    "reports": {"click", "numba"},
    "cli": {"numba"},
}

# reports/, from below: commands, which are in neither list, stand between the shelves and the top.
SHELVES = [{"estimates", "reading"}, {"output"}]
TOP = [{"run", "questions"}, {"publish"}]
NEIGHBOURS = {"sweep": {"simulation"}, "balance": {"simulation", "ask", "trace"}, "quickly": {"ask"}}
"""The other commands that a command may import."""

CLOCKS = {"reports/output/terminal.py"}
"""Where a thread may be started: it says that code is being compiled if that takes long, and plays nothing."""

HEAVY = {"matplotlib", "jinja2", "distributed", "scipy.optimize", "scipy.special", "scipy.stats", "simulate.quickly"}
"""What takes long to load, or belongs to another game."""


def module_name(path: Path) -> str:
    parts = path.relative_to(ROOT).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def imports(path: Path) -> list[tuple[str, bool]]:
    return list(house.imports(path, ROOT))


def rooms_of_reports() -> dict[str, set[str]]:
    rooms = house.graph(ROOT, ["reports"], ["reports"])
    return {Path(room).name: {Path(needed).name for needed in below} for room, below in rooms.items()}


# --- The whole house -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("path", house.sources(ROOT), ids=module_name)
def test_nothing_imports_upwards_or_what_its_floor_must_not_know(path):
    package = module_name(path).split(".")[0]
    above = house.PACKAGES[house.PACKAGES.index(package) + 1 :]
    for module, _ in imports(path):
        top = module.split(".")[0]
        assert top, f"{path}: relative import"
        assert top not in above, f"{module_name(path)} imports {module}, which is above it"
        assert top not in FORBIDDEN[package], f"{module_name(path)} imports {module}"


def test_no_modules_import_each_other_in_a_circle():
    known = {module_name(path) for path in house.sources(ROOT)}
    graph = {
        module_name(path): {module for module, at_once in imports(path) if at_once and module in known}
        for path in house.sources(ROOT)
    }
    assert set(TopologicalSorter(graph).static_order()) >= known


def test_no_two_folders_need_each_other():
    assert house.mutual(house.graph(ROOT, house.FOLDERS)) == []


def test_floors_and_circles_are_counted_as_by_hand():
    rooms = {
        "roof": {"hall", "loft"},
        "loft": {"hall"},
        "hall": {"cellar", "stairs"},
        "stairs": {"hall"},
        "cellar": set(),
    }
    assert house.floors(rooms) == {"cellar": 1, "hall": 2, "stairs": 2, "loft": 3, "roof": 4}
    assert house.mutual(rooms) == [("hall", "stairs")]
    assert house.mutual({"a": {"b"}, "b": {"c"}, "c": {"a"}}) == [("a", "b"), ("a", "c"), ("b", "c")]


@pytest.mark.parametrize(
    ("module", "room"),
    [
        ("cli", "cli"),
        ("reports/run", "reports/run"),
        ("reports/sweep/__init__", "reports/sweep"),
        ("reports/balance/sections/luck", "reports/balance"),
        ("simulate/escalation/kernel/game", "simulate"),
    ],
)
def test_a_folder_of_reports_is_one_room(module: str, room: str):
    assert house.room(Path(module), house.HOUSE) == room


# --- Reports -------------------------------------------------------------------------------------------------------


def test_a_shelf_knows_only_the_shelves_below_it():
    rooms = rooms_of_reports()
    below: set[str] = set()
    for row in SHELVES:
        for shelf in row:
            assert rooms[shelf] <= below, shelf
        below |= row


def test_a_command_knows_the_shelves_and_its_neighbours_only():
    rooms = rooms_of_reports()
    shelves, top = set.union(*SHELVES), set.union(*TOP)
    for command in rooms.keys() - shelves - top:
        assert rooms[command] <= shelves | NEIGHBOURS.get(command, set()), command


def test_only_what_publishes_knows_the_running_of_questions():
    rooms = rooms_of_reports()
    runs, publishes = TOP
    for room in rooms.keys() - publishes:
        assert not rooms[room] & publishes, room
        assert room in runs or not rooms[room] & runs, room


def test_every_section_has_a_file_of_its_name():
    files = {path.stem for path in (ROOT / "reports/balance/sections").glob("*.py")} - {"__init__"}
    assert files == {name.replace("-", "_") for name in SECTION_NAMES}


@pytest.mark.parametrize("path", house.sources(ROOT, ["reports"]), ids=module_name)
def test_only_the_runner_starts_threads_and_processes(path):
    starters = {module.split(".")[0] for module, _ in imports(path)} & {"concurrent", "multiprocessing", "threading"}
    if path.relative_to(ROOT).as_posix() in CLOCKS:
        starters -= {"threading"}
    assert not starters


@pytest.mark.parametrize("path", house.sources(ROOT, ["reports"]), ids=module_name)
def test_only_the_canvas_imports_matplotlib(path):
    drawing = any(module.split(".")[0] == "matplotlib" for module, _ in imports(path))
    assert not drawing or module_name(path) == "reports.output.canvas"


# --- What a command loads ------------------------------------------------------------------------------------------


def test_simulate_loads_what_it_needs_and_no_other_command():
    code = (
        "import cli, sys\ncli.main(['simulate', '--games', '1', '--quiet'], standalone_mode=False)\nprint(*sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True)
    loaded = done.stdout.splitlines()[-1].split()
    of_reports = {module.split(".")[1] for module in loaded if module.startswith("reports.")}
    assert of_reports <= set.union({"simulation"}, *SHELVES, TOP[0])
    assert not set(loaded) & HEAVY
