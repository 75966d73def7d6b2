"""One way of running every question: checked, announced, played, stored, resumed, shown and written."""

from __future__ import annotations

import shlex
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Final

from reports.output.folder import (
    check_apart,
    check_contents,
    check_file,
    check_folder,
    earlier_looks,
    keep_earlier,
    move_aside,
    open_store,
    resolved,
    write_file,
    write_folder,
)
from reports.output.parts import Stopped, kept_blocks
from reports.output.provenance import Provenance
from reports.output.table_files import check_parquet
from reports.output.terminal import Screen
from reports.output.toml import as_toml
from reports.output.words import counted
from reports.questions import KINDS, Kind, Question, Result
from simulate.blocks import DEALS_PER_BLOCK
from simulate.experiment import Experiment
from simulate.runner import How, Progress, Workers, estimated_seconds, threads_as_workers
from simulate.store import Store
from strategies.errors import InputError

DONE: Final = 0
INTERRUPTED: Final = 130

MINUTE: Final = 60
HOUR: Final = 3600
DAY: Final = 24 * HOUR


@dataclass(frozen=True)
class Machine:
    """Where it is played; no number depends on it.

    Attributes
    ----------
    threads
        Threads of this process; None means one per processor.
    dask
        A Dask cluster instead: its address, or local:N.
    """

    threads: int | None = None
    dask: str | None = None

    def check(self) -> None:
        """Make sure before anything else that somebody can be asked to play.

        Raises
        ------
        InputError
            If nobody can.
        """
        if self.dask is None:
            return
        from simulate.cluster import check_address

        if self.threads is not None:
            raise InputError("--threads and --dask exclude each other: Dask workers have threads of their own")
        check_address(self.dask)

    @contextmanager
    def workers(self) -> Iterator[Workers]:
        """Provide whoever plays."""
        if self.dask is None:
            yield threads_as_workers(self.threads)
            return
        from simulate.cluster import cluster_as_workers

        with cluster_as_workers(self.dask) as workers:
            yield workers


@dataclass(frozen=True)
class Output:
    """Where results go.

    Attributes
    ----------
    out
        The folder for everything, finished blocks included.
    force_new
        Whether an earlier experiment in that folder is moved aside.
    trust_blocks
        Whether finished blocks in that folder are used although other sources played them.
    csv_file, save_spec
        Single files for the table and for the question.
    parquet
        Whether the folder gets every table as Parquet, too.
    as_json, quiet
        Whether one JSON object is printed instead of tables; whether nothing but results is printed.
    """

    out: Path | None = None
    force_new: bool = False
    trust_blocks: bool = False
    csv_file: Path | None = None
    parquet: bool = False
    save_spec: Path | None = None
    as_json: bool = False
    quiet: bool = False

    def screen(self) -> Screen:
        """Return where to print."""
        return Screen(quiet=self.quiet, as_json=self.as_json)

    @property
    def single_files(self) -> dict[str, Path]:
        """The single files that were asked for, by option."""
        files = {"--csv": self.csv_file, "--save-spec": self.save_spec}
        return {option: path for option, path in files.items() if path}

    def spare(self, path: Path) -> None:
        """Make sure that a file that was read is not written over.

        Raises
        ------
        InputError
            If a single file has its name.
        """
        for option, file in self.single_files.items():
            if resolved(file) == resolved(path):
                raise InputError(f"{option} '{file}' is the file that is read: give another name")

    def check_options(self) -> None:
        """Make sure that no option lacks the one that it goes with, and that single files can be written.

        Each of them needs a place of its own, outside of the folder.

        Raises
        ------
        InputError
            If not.
        """
        options = (
            ("--force-new", self.force_new),
            ("--trust-blocks", self.trust_blocks),
            ("--parquet", self.parquet),
        )
        for option, wanted in options:
            if wanted and not self.out:
                raise InputError(f"{option} needs --out FOLDER")
        if self.parquet:
            check_parquet()
        check_apart(self.single_files, self.out)
        for path in self.single_files.values():
            check_file(path)

    def prepare(self, screen: Screen, provenance: Provenance) -> None:
        """Make sure before playing that results can be written, and save the question, if that was asked for.

        An earlier experiment is moved aside if that was asked for.

        Raises
        ------
        InputError
            If results cannot be written.
        """
        self.check_options()
        if self.out and self.force_new and (aside := move_aside(self.out)):
            screen.note(f"The earlier experiment is now in {aside}")
        if self.out:
            check_folder(self.out, provenance)
            for path in self.single_files.values():
                check_file(path)  # again, as a folder may have come to stand there
        self.write_spec(screen, provenance)

    def prepare_nothing(self, screen: Screen, provenance: Provenance) -> None:
        """Check what can be checked by looking, and save the question, which is asked for by name.

        Raises
        ------
        InputError
            If results could not be written.
        """
        self.check_options()
        if self.out and not self.force_new:
            check_contents(self.out, provenance)
        self.write_spec(screen, provenance)

    def write_spec(self, screen: Screen, provenance: Provenance) -> None:
        """Save the question, if that was asked for."""
        if self.save_spec:
            write_file(self.save_spec, as_toml(provenance.as_data()).encode())
            screen.note(
                f"The question is in {self.save_spec}: {shlex.join(['escalation', 'run', str(self.save_spec)])}"
            )

    def save(self, kind: Kind[Any, Result], result: Result, failed: Sequence[str] = ()) -> Iterator[str]:
        """Write what was asked for; every sentence on where it is comes as soon as it is there.

        Parameters
        ----------
        kind, result
            What to write.
        failed
            What could not be written before.

        Raises
        ------
        OSError
            If not all of it can be written; what can be is there then.
        """
        if not (self.out or self.csv_file):
            return
        files, failed = kind.files(result, parquet=self.parquet), list(failed)
        for write in (self._save_folder, self._save_table):
            try:
                yield from write(kind, result, files)
            except InputError as error:
                failed.append(str(error))
        if failed:
            raise OSError("; ".join(failed))

    def _save_folder(self, kind: Kind[Any, Result], result: Result, files: Mapping[str, bytes]) -> Iterator[str]:
        if self.out:
            if kind.ends_when_clear and (kept := keep_earlier(self.out, result.provenance)):
                yield f"The earlier answer, which was asked for otherwise, is now in {kept}"
            written = write_folder(self.out, result.provenance, files)
            yield f"Results are in {self.out}: {', '.join(path.name for path in written)}"

    def _save_table(self, kind: Kind[Any, Result], result: Result, files: Mapping[str, bytes]) -> Iterator[str]:
        if self.csv_file:
            write_file(self.csv_file, files[kind.table])
            yield f"The table is in {self.csv_file}"

    @property
    def stopped_early(self) -> str:
        """How to go on after Ctrl-C, in a sentence."""
        again = "the same command goes on from here" if self.out else "with --out a run can be taken up again"
        return f"Stopped before the end: {again}."


def answer(question: Question, machine: Machine, output: Output) -> int:
    """Play what a question asks, print and write what came of it; a first Ctrl-C ends it early but in order.

    Parameters
    ----------
    question
        Of any kind.
    machine
        Where it is played.
    output
        Where results go; finished blocks in its folder are not played again.

    Returns
    -------
    int
        The exit status: 0, or 130 if it was stopped before the end.

    Raises
    ------
    InputError
        If something cannot be played or written; nothing has been played then.
    OSError
        If results cannot be written at the end; they have been printed then.
    KeyboardInterrupt
        If it was stopped before there was anything to show.
    """
    machine.check()
    kind, screen, provenance = KINDS[question.question](), output.screen(), question.provenance
    failed: list[str] = []
    output.prepare(screen, provenance)
    kind.announce(screen, question)
    try:
        with (
            machine.workers() as workers,
            _watched(screen, kind, question.experiment) as on_progress,
            _store_of(output, question.experiment, provenance, failed) as store,
            screen.interruptible() as stop,
        ):
            kept = kept_blocks(store) if store is not None and not kind.ends_when_clear else 0
            if kept:
                screen.note(f"{kept * DEALS_PER_BLOCK:,} games are in {output.out} already and are not played again")
            result = kind.answer(question, How(workers=workers, on_progress=on_progress, store=store, stop=stop))
            if not kind.ends_when_clear and output.out and (looks := earlier_looks(output.out, provenance)):
                result = replace(result, provenance=replace(result.provenance, looked_at=looks))
            stopped = stop() and not kind.ends_when_clear  # an answer is whole, or there is none
            if store is not None and store.damaged:
                again = "was played again" if store.damaged == 1 else "were played again"
                screen.note(f"{counted(store.damaged, 'damaged block')} in {output.out} {again}")
    except Stopped as early:
        for line in early.args:
            screen.note(f"So far {line}")
        screen.note(output.stopped_early)
        return INTERRUPTED
    saved: list[str] = []
    try:
        for sentence in output.save(kind, result, failed):  # before printing: a pipe may close early
            saved.append(sentence)
    finally:  # whatever became of the files
        kind.show(screen, result)
        screen.remark(*filter(None, [result.provenance.looks_note]))
        if output.as_json:
            screen.json(result.as_data())
        screen.note(*saved, *([output.stopped_early] if stopped else []))
    return INTERRUPTED if stopped else DONE


@contextmanager
def _store_of(
    output: Output, experiment: Experiment, provenance: Provenance, failed: list[str]
) -> Iterator[Store | None]:
    """Open the store of the output folder, if there is one; last blocks that do not go in are told of at the end."""
    if output.out is None:
        yield None
        return
    store = open_store(output.out, experiment, provenance, trust=output.trust_blocks)
    try:
        yield store
    except BaseException:
        store.close()
        raise
    try:
        store.close()
    except InputError as error:
        failed.append(str(error))


@contextmanager
def _watched(screen: Screen, kind: Kind[Any, Any], experiment: Experiment) -> Iterator[Callable[[Progress], None]]:
    """Show how a run comes along, or how an answer stands."""
    if kind.ends_when_clear:
        with screen.live(experiment) as show:
            yield lambda progress: show(progress.part)
    else:
        with screen.watch(experiment) as on_progress:
            yield on_progress


def estimate(question: Question, machine: Machine, output: Output) -> int:
    """Say what would be played and how long it would take here, from a short trial; play nothing.

    Returns
    -------
    int
        The exit status: 0.

    Raises
    ------
    InputError
        If the question's parts are too unlike each other for a trial, or depend on what earlier ones come to.
    """
    machine.check()
    kind, screen, provenance = KINDS[question.question](), output.screen(), question.provenance
    if kind.no_trial:
        raise InputError(f"--dry-run is not for {kind.no_trial}")
    output.prepare_nothing(screen, provenance)
    kind.announce(screen, question)
    experiment = question.experiment
    screen.get_ready(experiment)
    seconds = estimated_seconds(experiment, question.games, machine.threads)
    settings, games = len(experiment.settings), provenance.games
    together = f"{counted(settings, 'setting')} x {games:,} games = {settings * games:,} games"
    screen.heading(f"{together}: about {duration(seconds)}")
    screen.remark("From a trial of a second on this machine as busy as it is now; expect a third more or less.")
    if output.as_json:
        screen.json({**provenance.as_data(), "estimated_seconds": seconds})
    return DONE


def duration(seconds: float) -> str:
    """Write a duration in the unit that suits it."""
    for unit, length in (("days", DAY), ("h", HOUR), ("min", MINUTE)):
        if seconds >= length:
            return f"{seconds / length:.1f} {unit}"
    return f"{seconds:.1f} s"
