"""What an installed copy consists of."""

from __future__ import annotations

import shutil
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent


@pytest.fixture(scope="module")
def wheel(tmp_path_factory):
    """Build the wheel from a copy, so that the checkout stays clean."""
    pytest.importorskip("setuptools", minversion="77", reason="building needs the project's own build backend")
    copy = tmp_path_factory.mktemp("build") / "project"
    tracked = [name for name in ("pyproject.toml", "README.md", "LICENSE", "cli.py")]
    copy.mkdir()
    for name in tracked:
        shutil.copy(ROOT / name, copy)
    for package in ("strategies", "simulate", "reports"):
        shutil.copytree(ROOT / package, copy / package, ignore=shutil.ignore_patterns("__pycache__"))
    program = "import setuptools.build_meta as backend; print(backend.build_wheel('.'))"
    done = subprocess.run([sys.executable, "-c", program], cwd=copy, capture_output=True, text=True, check=True)
    return zipfile.ZipFile(copy / done.stdout.split()[-1])


def test_the_wheel_holds_exactly_four_names(wheel):
    tops = {name.split("/")[0] for name in wheel.namelist()}
    assert {top for top in tops if not top.endswith(".dist-info")} == {"cli.py", "reports", "simulate", "strategies"}


def test_the_wheel_holds_every_source_and_data_file(wheel):
    for package in ("strategies", "simulate", "reports"):
        for path in (ROOT / package).rglob("*"):
            if path.suffix in {".py", ".toml", ".html", ".css", ".js"}:
                assert path.relative_to(ROOT).as_posix() in wheel.namelist()


def test_the_wheel_installs_the_command(wheel):
    entry_points = next(name for name in wheel.namelist() if name.endswith("entry_points.txt"))
    assert "escalation = cli:main" in wheel.read(entry_points).decode()
