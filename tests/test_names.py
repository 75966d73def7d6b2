"""A name means one thing: file names, class names, and what the pages call by name."""

from __future__ import annotations

import re
from pathlib import Path
from pkgutil import resolve_name

import pytest

from benchmarks import house

ROOT = Path(__file__).resolve().parent.parent
ARCHITECTURE = ROOT / "docs" / "architecture.md"
PAGES = [ROOT / "README.md", ROOT / "seeds" / "README.md", *sorted((ROOT / "docs").glob("*.md"))]
PACKAGES = "|".join(house.PACKAGES)

SAYS_NOTHING = {
    "aims", "answers", "asked", "elsewhere", "kinds", "plays", "statistics", "tales", "telling", "utils", "walks",
    "ways", "why",
}  # fmt: skip
"""Names that tell only those something who have read the file."""
MOST_ANY = 206
"""Half of what there was when types were first looked at; each says that a type has no name."""


def shared_names() -> dict[str, str]:
    """Return the file names that several folders may have, with their meaning: the page's table of them."""
    _, _, after = ARCHITECTURE.read_text(encoding="utf-8").partition("## Names that folders share\n")
    return dict(re.findall(r"^\| `([a-z_]+)` \| (\S.*\S) \|$", after.partition("\n## ")[0], re.MULTILINE))


def test_a_file_name_stands_in_several_folders_only_with_one_meaning():
    several = {name for name, folders in house.file_names(ROOT).items() if len(folders) > 1}
    assert several <= shared_names().keys()


def test_only_names_that_are_shared_are_listed_and_each_has_a_meaning_of_its_own():
    several = {name for name, folders in house.file_names(ROOT).items() if len(folders) > 1}
    assert shared_names().keys() <= several
    assert len(set(shared_names().values())) == len(shared_names())


def test_the_map_shows_every_folder_of_reports_and_simulate():
    shown = ARCHITECTURE.read_text(encoding="utf-8").partition("```\n")[2].partition("```")[0]
    for package in ("reports", "simulate"):
        for folder in {path.parent for path in house.sources(ROOT, [package])}:
            assert re.search(rf"\b{folder.name}/", shown), folder


def test_file_names_say_something():
    names = {path.stem for path in [*house.sources(ROOT, house.PACKAGES), *(ROOT / "tests").rglob("*.py")]}
    assert not {name.removeprefix("test_") for name in names} & SAYS_NOTHING


def test_no_type_is_defined_twice_in_a_package():
    twice = {name for name, files in house.type_names(ROOT).items() if len(files) > 1}
    assert twice == set()


def test_every_module_has_a_test_file_of_its_name():
    assert house.untested(ROOT) == []


def test_loops_say_what_they_go_through():
    assert house.occurrences(r"\b(for one in|lambda one:)", ROOT) == 0


def test_types_have_names():
    assert house.occurrences(r"\bAny\b", ROOT) <= MOST_ANY


# --- Pages ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.relative_to(ROOT).as_posix())
def test_files_that_are_mentioned_exist(page: Path):
    for name in re.findall(rf"`((?:{PACKAGES}|docs|tests)/[\w/.-]*)`", page.read_text(encoding="utf-8")):
        assert (ROOT / name).exists(), name


def test_the_page_on_the_code_knows_every_file_that_it_names():
    paths = [f"/{path.relative_to(ROOT).as_posix()}" for path in house.sources(ROOT, [*house.PACKAGES, "tests"])]
    for name in re.findall(r"`([\w/]+\.py)`", ARCHITECTURE.read_text(encoding="utf-8")):
        assert any(path.endswith(f"/{name}") for path in paths), name


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.relative_to(ROOT).as_posix())
def test_what_is_mentioned_by_module_and_name_can_be_imported(page: Path):
    text = page.read_text(encoding="utf-8")
    for name in re.findall(rf"`((?:{PACKAGES})(?:\.(?!csv|py)\w+)+)[`(]", text):
        resolve_name(name)
    for module, names in re.findall(rf"^from ((?:{PACKAGES})\S*) import (.*)$", text, re.MULTILINE):
        for name in names.split(", "):
            resolve_name(f"{module}.{name}")
