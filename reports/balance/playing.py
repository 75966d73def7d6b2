"""Playing the parts of a report: each is an experiment of its own whose finished blocks have a store of their own."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass, field, replace
from pathlib import Path
from types import TracebackType
from typing import TypedDict

from reports.balance.finding import SettingBlocks
from reports.balance.plan import BalancePlan
from reports.output.folder import open_store
from reports.output.parts import PARTS_FOLDER, open_part
from reports.output.provenance import Provenance
from simulate.experiment import Experiment, Setting
from simulate.runner import How, Progress, Workers, followed, jobs_in_passes
from simulate.store import Store, blocks_in


class Stopped(Exception):
    """Somebody asked for an early end; what was played is kept."""


class PartStores:
    """The stores of a report's parts, in folders below its output folder; a context manager.

    The report's own store, which stays empty, keeps a second process out of the folder.

    Parameters
    ----------
    folder
        An output folder that `reports.output.folder.check_folder` has approved.
    own
        The open store of the report.
    """

    def __init__(self, folder: Path, own: Store) -> None:
        self._output = folder
        self._own = own

    @classmethod
    def of_report(cls, folder: Path, plan: BalancePlan, provenance: Provenance) -> PartStores:
        """Open the stores of a report in its output folder."""
        return cls(folder, open_store(folder, plan.experiment, provenance))

    def __enter__(self) -> PartStores:
        """Return the stores."""
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Let others into the folder."""
        self._own.close()

    def __len__(self) -> int:
        """Return how many blocks are kept."""
        return sum(blocks_in(folder) for folder in sorted((self._output / PARTS_FOLDER).glob("*")))

    def open(self, part: str, experiment: Experiment) -> Store:
        """Open the store of a part; its folder is made if need be."""
        return open_part(self._output, part, experiment)


class HowParts(TypedDict, total=False):
    """How to run a report, as opposed to what: none of it changes a number (see `simulate.runner.How`)."""

    threads: int | None
    on_progress: Callable[[Progress], None] | None
    workers: Workers | None
    store: PartStores | None
    stop: Callable[[], bool] | None


@dataclass(frozen=True)
class PlayParts:
    """Plays the parts of one report (see `reports.balance.finding.Play`).

    Attributes
    ----------
    seed
        The seed of all randomness.
    how
        How to run.
    prefix
        What the names of parts begin with where a report is made of two games.
    place
        Which section is at work, for the progress.
    played
        The parts so far, each once.
    """

    seed: int
    how: HowParts
    prefix: str = ""
    place: str = ""
    played: list[str] = field(default_factory=list)

    def __call__(
        self, part: str, settings: Sequence[Setting], blocks: int, *, first_block: int = 0
    ) -> list[SettingBlocks]:
        """Play so many blocks of every setting.

        Raises
        ------
        Stopped
            If an early end was asked for before all blocks were there.
        ValueError
            If a part of this name was played before.
        """
        name = f"{self.prefix}{part}"
        if name in self.played:
            raise ValueError(f"the part '{name}' is played twice")
        self.played.append(name)
        experiment = Experiment(tuple(settings), self.seed)
        jobs = jobs_in_passes(len(settings), blocks, first_block)
        found: list[SettingBlocks] = [[] for _ in settings]
        with self._store(name, experiment) as store:
            for job, counts in followed(experiment, jobs, blocks * len(settings), replace(self._how(), store=store)):
                found[job.setting].append(counts)
        if any(len(one) < blocks for one in found):
            raise Stopped
        return found

    def _store(self, name: str, experiment: Experiment) -> AbstractContextManager[Store | None]:
        stores = self.how.get("store")
        return nullcontext() if stores is None else stores.open(name, experiment)

    def _how(self) -> How:
        show = self.how.get("on_progress")
        return How(
            threads=self.how.get("threads"),
            on_progress=show and (lambda progress: show(replace(progress, part=self.place))),
            workers=self.how.get("workers"),
            stop=self.how.get("stop"),
        )
