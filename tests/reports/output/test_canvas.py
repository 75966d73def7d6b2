"""Figures are drawn alike whatever surrounds them: on matplotlib's defaults, without pyplot and without a backend."""

from __future__ import annotations

import hashlib
import os
import subprocess
import sys
from pathlib import Path

import pytest

from reports.output.canvas import mpl
from reports.output.figures import as_png, as_svg, panels

ROOT = Path(__file__).resolve().parents[3]


def drawn() -> str:
    """Return the hash of a figure with text, a legend and a heatmap."""
    with panels(2, "What it shows: $x^{$, 1_000", "What it rests on") as (figure, (left, right)):
        left.plot([-1, 2], [3, 4], "o-", label="a label for $5")
        left.legend()
        right.imshow([[1, 2], [3, 4]])
    return hashlib.sha256(as_svg(figure) + as_png(figure)).hexdigest()


@pytest.mark.parametrize(
    ("place", "settings", "backend"),
    [
        ("folder", b"text.usetex: True\nfont.size: 30\naxes.facecolor: red\nsavefig.bbox: tight\n", "agg"),
        ("home", b"font.size: huge\nno.such: 1\nnonsense\n", "module://not_installed.backend"),
        ("folder", b"\xff\xfe", "nonsense"),
    ],
)
def test_settings_and_backends_of_others_do_not_matter(place: str, settings: bytes, backend: str, tmp_path: Path):
    (tmp_path / "folder").mkdir()
    (tmp_path / "home").mkdir()
    (tmp_path / place / "matplotlibrc").write_bytes(settings)
    code = (
        "import os, sys\nfrom tests.reports.output.test_canvas import drawn\nprint(drawn())\n"
        "assert 'matplotlib.pyplot' not in sys.modules\nassert os.environ['MPLBACKEND']\n"
        f"assert os.getcwd() == {str(tmp_path / 'folder')!r}"
    )
    surroundings = {"MPLBACKEND": backend, "MPLCONFIGDIR": str(tmp_path / "home"), "PYTHONPATH": str(ROOT)}
    done = subprocess.run(
        [sys.executable, "-c", code],
        cwd=tmp_path / "folder",
        env=os.environ | surroundings,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout.strip() == drawn()
    assert not done.stderr


def test_settings_of_whoever_calls_change_nothing_and_are_back_afterwards():
    usual = drawn()
    with mpl.rc_context({"text.usetex": True, "font.size": 30, "lines.linewidth": 9, "savefig.transparent": True}):
        mine = dict(mpl.rcParams.copy())
        assert drawn() == usual
        assert dict(mpl.rcParams.copy()) == mine
