"""Plays published experiments anew: `python -m reports.publish seeds` after a change of how games are played.

Each `NAME.toml` in the folder is a question, `NAME.csv` beside it the published table of its settings.
"""

from __future__ import annotations

import sys
import tomllib
from pathlib import Path

from reports.output.folder import write_file
from reports.output.table_files import as_csv
from reports.output.toml import as_toml
from reports.questions import PlannedQuestion, question_from
from reports.sweep.plan import SweepPlan, sweep
from strategies.errors import InputError


def publish(path: Path) -> None:
    """Play one published sweep with this version and write its question and its table.

    Parameters
    ----------
    path
        The TOML file; what it says of an earlier version is replaced.

    Raises
    ------
    InputError
        If the file is no sweep, or cannot be written.
    """
    data = tomllib.loads(path.read_text(encoding="utf-8"))
    question = question_from({name: value for name, value in data.items() if name not in {"digest", "kernel_version"}})
    if not (isinstance(question, PlannedQuestion) and isinstance(question.plan, SweepPlan)):
        raise InputError(f"'{path}' is no sweep")
    result = sweep(question.plan, question.games)
    write_file(path, as_toml(result.provenance.as_data()).encode())
    write_file(path.with_suffix(".csv"), as_csv(result.settings))


if __name__ == "__main__":
    for each in sorted(Path(sys.argv[1]).glob("*.toml")):
        publish(each)
        print(each)
