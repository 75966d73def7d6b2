"""A question in parts: pieces of work played one after another, each with an experiment and finished blocks of its own.

What a later part plays may depend on what an earlier one came to, so a question as a whole is no experiment that could
be written down beforehand; each of its parts is. With an output folder the finished blocks of a part are kept there and
never played again.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Final

from simulate import Experiment
from simulate.experiment import Counts
from simulate.runner import USUAL, How, Job, Workers, followed, jobs_in_passes, stored_or_played
from simulate.store import Store, blocks_in
from strategies.errors import InputError

PARTS_FOLDER: Final = "parts"
"""Within an output folder; every part has a folder of its own in there."""


class Stopped(Exception):
    """Somebody asked for an early end; what was played is kept."""


def kept_blocks(store: Store) -> int:
    """Return how many blocks are kept in an output folder: in its own store, and in those of parts."""
    return len(store) + sum(blocks_in(folder) for folder in (store.folder / PARTS_FOLDER).glob("*"))


@dataclass(frozen=True)
class Parts:
    """Plays the parts of a question, either so many blocks of each or until an answer is clear.

    Attributes
    ----------
    how
        How to run. Finished blocks of a part are kept beside those of `how.store`, the store of the output folder.
    prefix
        What the names of parts begin with where a question is about two games.
    place
        What is at work, for the progress.
    played
        The names of the parts so far.
    """

    how: How = USUAL
    prefix: str = ""
    place: str = ""
    played: list[str] = field(default_factory=list)

    @property
    def stopped(self) -> bool:
        """Whether somebody asked for an early end."""
        return self.how.stop is not None and self.how.stop()

    def part(self, name: str) -> Workers:
        """Return whoever plays a part: jobs that are stored already are read, the others are played and stored.

        Parameters
        ----------
        name
            Names the part and its folder; unique in a question.

        Returns
        -------
        Workers
            They raise `Stopped` if an early end was asked for before all jobs were begun.

        Raises
        ------
        ValueError
            If the question has a part of this name already.
        """
        return partial(self._until_enough, self._new(name))

    def blocks(self, name: str, experiment: Experiment, blocks: int, first_block: int = 0) -> list[list[Counts]]:
        """Play so many blocks of every setting of a part, and tell the progress.

        Parameters
        ----------
        name
            As for `part`.
        experiment
            What to play.
        blocks, first_block
            How many blocks of each setting, and the number of the first.

        Returns
        -------
        list of list of mapping
            The counts of every setting, block by block.

        Raises
        ------
        Stopped
            If an early end was asked for before all blocks were there.
        ValueError
            If the question has a part of this name already.
        """
        name, settings, tell = self._new(name), len(experiment.settings), self.how.on_progress
        jobs = jobs_in_passes(settings, blocks, first_block)
        with_place = tell and (lambda progress: tell(replace(progress, part=self.place)))
        found: list[list[Counts]] = [[] for _ in range(settings)]
        with self._store(name, experiment) as store:
            how = replace(self.how, store=store, on_progress=with_place)
            for job, counts in followed(experiment, jobs, blocks * settings, how):
                found[job.setting].append(counts)
        if any(len(counts) < blocks for counts in found):
            raise Stopped
        return found

    def _until_enough(self, name: str, experiment: Experiment, jobs: Iterable[Job]) -> Iterator[tuple[Job, Counts]]:
        refused: list[bool] = []

        def refuses() -> bool:
            refused[:] = [self.stopped]
            return refused[0]

        with self._store(name, experiment) as store:
            for job, counts, _ in stored_or_played(experiment, jobs, self.how.players, store, refuses):
                yield job, counts
        if any(refused):
            raise Stopped

    def _new(self, name: str) -> str:
        name = f"{self.prefix}{name}"
        if name in self.played:
            raise ValueError(f"the part '{name}' is played twice")
        self.played.append(name)
        return name

    @contextmanager
    def _store(self, name: str, experiment: Experiment) -> Iterator[Store | None]:
        """Open the store of a part; its folder is made if need be. What it finds damaged, the whole folder's tells."""
        whole = self.how.store
        if whole is None:
            yield None
            return
        folder = whole.folder / PARTS_FOLDER / name
        try:
            folder.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise InputError(f"folder '{folder}' cannot be written: {(error.strerror or str(error)).lower()}") from None
        with Store(folder, experiment, trust=whole.trust) as store:
            yield store
            whole.damaged += store.damaged
