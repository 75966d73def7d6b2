"""A question in parts: pieces of work played one after another, each with an experiment and finished blocks of its own.

What a later part plays may depend on what an earlier one came to, so a question as a whole is no experiment that could
be written down beforehand; each of its parts is. A part is played by `Workers`, as any experiment is; with an output
folder its finished blocks are kept there and never played again.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Final

from simulate import Experiment
from simulate.experiment import Counts
from simulate.runner import Job, Workers, stored_or_played, threads_as_workers
from simulate.store import Store
from strategies.errors import InputError

PARTS_FOLDER: Final = "parts"
"""Within an output folder; every part has a folder of its own in there."""


def open_part(output: Path, name: str, experiment: Experiment) -> Store:
    """Open the store of a part of what an output folder holds; the part's folder is made if need be.

    Raises
    ------
    InputError
        If it cannot be made, or its store cannot be opened.
    """
    folder = output / PARTS_FOLDER / name
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise InputError(f"folder '{folder}' cannot be written: {(error.strerror or str(error)).lower()}") from None
    return Store(folder, experiment)


@dataclass(frozen=True)
class Parts:
    """Who plays the parts of a question, and where finished blocks are kept.

    Attributes
    ----------
    workers
        Who plays.
    folder
        The output folder of the question; None: nothing is kept.
    stop
        Asked before each block; once it says yes, blocks under way are finished and kept, and the question ends.
    """

    workers: Workers = field(default_factory=threads_as_workers)
    folder: Path | None = None
    stop: Callable[[], bool] = bool

    def part(self, name: str) -> Workers:
        """Return whoever plays a part: jobs that are stored already are read, the others are played and stored.

        Parameters
        ----------
        name
            Names the part and its folder; unique in a question.

        Returns
        -------
        Workers
            They raise KeyboardInterrupt when they were asked to stop.
        """
        return partial(self._play, name)

    def _play(self, name: str, experiment: Experiment, jobs: Iterable[Job]) -> Iterator[tuple[Job, Counts]]:
        with self._store(name, experiment) as store:
            for job, counts, _ in stored_or_played(experiment, jobs, self.workers, store, self.stop):
                yield job, counts
        if self.stop():
            raise KeyboardInterrupt

    def _store(self, name: str, experiment: Experiment) -> AbstractContextManager[Store | None]:
        return nullcontext() if self.folder is None else open_part(self.folder, name, experiment)
