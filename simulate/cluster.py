"""Plays blocks on a Dask cluster: the same blocks, the same numbers, elsewhere.

Blocks travel in batches of about a second, with the settings that a batch needs, and counts come back in the order of
the jobs. A worker that is lost costs only the batches it had: Dask gives them to another.
"""

from __future__ import annotations

import logging
import os
import re
import signal
import time
from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import CancelledError
from contextlib import contextmanager, nullcontext
from importlib import import_module
from importlib.util import find_spec
from itertools import islice
from typing import Any, Final, TypeAlias

from simulate.blocks import deals_of
from simulate.experiment import KERNEL_VERSION, Counts, Experiment, Setting
from simulate.runner import Job, Workers
from simulate.sources import play_hash
from simulate.store import pack_counts, unpack_counts
from strategies.errors import InputError

Client: TypeAlias = Any
Future: TypeAlias = Any
"""Dask's client, and a result that it promises; it is optional and has no types."""

TLS_HINT: Final = "for tls:// Dask needs the cluster's certificates (distributed.comm.tls in its configuration)"
ADDRESS_GRAMMAR: Final = "write tcp://HOST:PORT of a running scheduler, or local:N to start N worker processes here"
LOCAL_PER_PROCESSOR: Final = 4
SECONDS_PER_BATCH: Final = 1.0
FIRST_BATCH: Final = 4
LARGEST_BATCH: Final = 4096
BATCHES_PER_THREAD: Final = 3
"""So many are under way for each thread of the cluster, so that none waits for its next one."""

SECONDS_TO_CONNECT: Final = 10


@contextmanager
def cluster_as_workers(address: str) -> Iterator[Workers]:
    """Connect to a cluster, or start one here, for as long as the context lasts.

    Parameters
    ----------
    address
        `tcp://HOST:PORT` of a running scheduler, or `local:N`.

    Yields
    ------
    Workers
        Plays blocks on the cluster.

    Raises
    ------
    InputError
        If the address is malformed, nobody answers there, the extra is missing, or a worker plays otherwise.
    """
    number = check_address(address)
    distributed: Any = import_module("distributed")
    # Whatever happens is told in the end, in one line.
    for name in [*logging.root.manager.loggerDict]:
        if name.partition(".")[0] == "distributed":
            logging.getLogger(name).setLevel(logging.CRITICAL)
    with _local_cluster(number) if number else nullcontext(address) as where:
        try:
            client = distributed.Client(where, timeout=SECONDS_TO_CONNECT)
        except (OSError, TimeoutError, ValueError, TypeError, RuntimeError) as error:
            todo = TLS_HINT if address.startswith("tls:") else ADDRESS_GRAMMAR
            raise InputError(f"no Dask scheduler answers at {address} ({_told(error)}): {todo}") from None
        try:
            check_versions(client.run(play_version, on_error="return"))
            yield lambda experiment, jobs: played_on(client, experiment, jobs)
        finally:
            client.close()


@contextmanager
def _local_cluster(workers: int) -> Iterator[Any]:
    """Start worker processes here that nobody else can reach: certificates of their own, and no dashboard.

    Without certificates any user of the machine could hand them code to run.
    """
    distributed: Any = import_module("distributed")
    if find_spec("cryptography") is None:
        raise InputError("--dask local:N needs the package cryptography: pip install 'escalation-lab[cluster]'")
    # Dask always listens for browsers; so there is nothing to be seen, at workers that are started again either.
    no_pages: dict[str, list[str]] = {f"distributed.{who}.http.routes": [] for who in ("scheduler", "worker", "nanny")}
    with import_module("dask").config.set(no_pages):
        try:
            cluster = distributed.LocalCluster(
                n_workers=workers,
                threads_per_worker=1,
                security=distributed.Security.temporary(),
                dashboard_address=None,
                silence_logs=logging.CRITICAL,
                preload=[__name__],
            )
        except (OSError, TimeoutError, RuntimeError) as error:
            raise InputError(f"{workers} worker processes cannot be started here: {_told(error)}") from None
        with cluster:
            yield cluster


def dask_setup(worker: Any) -> None:
    """Let a worker that was started here ignore Ctrl-C, which the terminal sends to it, too; who started it decides.

    Dask calls it in every worker process whose `preload` names this module.
    """
    signal.signal(signal.SIGINT, signal.SIG_IGN)


def _told(error: BaseException) -> str:
    """Return what an error says in one line, or what it is."""
    return " ".join(str(error).split()) or type(error).__name__


def check_address(address: str) -> int:
    """Return the number of workers to start here; 0 for the address of a scheduler.

    Raises
    ------
    InputError
        If the address is malformed, or the extra is missing.
    """
    kind, _, rest = address.partition(":")
    number = 0
    if kind == "local":
        most = LOCAL_PER_PROCESSOR * (os.cpu_count() or 1)
        if not re.fullmatch("[0-9]{1,4}", rest) or not 1 <= int(rest) <= most:
            raise InputError(f"--dask {address[:40]} is not allowed: local:1 to local:{most} on this machine")
        number = int(rest)
    elif kind not in {"tcp", "tls"} or not rest.startswith("//"):
        raise InputError(f"--dask {address} is malformed: {ADDRESS_GRAMMAR}")
    if find_spec("distributed") is None:
        raise InputError("--dask needs the extra 'cluster': pip install 'escalation-lab[cluster]'")
    return number


def play_version() -> str:
    """Return what must be the same wherever blocks of one run are played, in words."""
    return f"kernel version {KERNEL_VERSION} (sources {play_hash()})"


def check_versions(found: dict[str, str | BaseException]) -> None:
    """Make sure that there are workers and that they play as this process does; one may have answered with an error.

    Raises
    ------
    InputError
        Naming a worker that does not.
    """
    if not found:
        raise InputError("the Dask cluster has no workers: start some with 'dask worker tcp://HOST:PORT'")
    for worker, version in found.items():
        if isinstance(version, BaseException):
            raise InputError(f"worker {worker} cannot play ({_told(version)}): install escalation-lab there")
        if version != play_version():
            raise InputError(f"worker {worker} has {version}, this is {play_version()}: install the same there")


def play_batch(
    settings: Sequence[Setting], seed: int, version: str, jobs: Sequence[tuple[int, int]]
) -> tuple[float, list[bytes]]:
    """Play blocks, on a worker.

    Parameters
    ----------
    settings
        The settings that the batch needs.
    seed
        The experiment's seed.
    version
        What the caller plays (`play_version`); a worker that joined late may be another.
    jobs
        Place in `settings`, and block.

    Returns
    -------
    float, list of bytes
        The seconds it took, and the counts of each job, packed.
    """
    if version != play_version():
        raise RuntimeError(f"a worker has {play_version()}, this is {version}: install the same there")
    started = time.monotonic()
    packed = [pack_counts(settings[place].play_deals(seed, deals_of(block))) for place, block in jobs]
    return time.monotonic() - started, packed


def played_on(client: Client, experiment: Experiment, jobs: Iterable[Job]) -> Iterator[tuple[Job, Counts]]:
    """Play jobs on a cluster and yield each with its counts, in the order of the jobs."""
    queue, size = iter(jobs), FIRST_BATCH
    waiting: deque[tuple[list[Job], Future]] = deque()
    threads = max(sum(client.nthreads().values()), 1)
    try:
        while True:
            while len(waiting) < BATCHES_PER_THREAD * threads and (batch := list(islice(queue, size))):
                waiting.append((batch, _submit(client, experiment, batch)))
            if not waiting:
                return
            batch, future = waiting.popleft()
            seconds, packed = _result(future)
            future.release()
            # Slowly upwards, at once downwards: a batch that had to compile says nothing about the next.
            fitting = int(len(batch) * SECONDS_PER_BATCH / max(seconds, 1e-6))
            size = max(1, min(fitting, 2 * size, LARGEST_BATCH)) if len(batch) == size or fitting < size else size
            for job, counts in zip(batch, packed, strict=True):
                yield job, unpack_counts(counts)
    finally:
        for _, future in waiting:
            future.cancel()


def _submit(client: Client, experiment: Experiment, batch: Sequence[Job]) -> Future:
    needed = list(dict.fromkeys(job.setting for job in batch))
    places = {setting: place for place, setting in enumerate(needed)}
    settings = [experiment.settings[setting] for setting in needed]
    jobs = [(places[job.setting], job.block) for job in batch]
    return client.submit(play_batch, settings, experiment.seed, play_version(), jobs, pure=False, retries=3)


def _result(future: Future) -> tuple[float, list[bytes]]:
    distributed: Any = import_module("distributed")
    try:
        result: tuple[float, list[bytes]] = future.result()
    except distributed.KilledWorker as error:
        raise InputError(f"workers keep dying while they play ({error.task}): look at their memory and logs") from None
    except (CancelledError, OSError, TimeoutError) as error:
        raise InputError(
            f"the connection to the Dask scheduler was lost ({_told(error)}): start it again and repeat the command; "
            "with --out finished blocks are kept"
        ) from None
    except InputError:
        raise
    except Exception as error:  # whatever went wrong there
        raise InputError(f"a worker cannot play ({_told(error)}): install the same escalation-lab there") from None
    return result
