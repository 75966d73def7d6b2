"""Blocks played by worker processes give the same numbers, in the same order, also when a worker is killed."""

from __future__ import annotations

import os
import signal
import time
from concurrent.futures import CancelledError
from dataclasses import dataclass
from importlib import import_module
from importlib.util import find_spec
from urllib.error import HTTPError
from urllib.request import urlopen

import numpy as np
import pytest

from simulate import Experiment, run
from simulate.blocks import DEALS_PER_BLOCK
from simulate.cluster import _result, check_versions, cluster_as_workers, play_batch, play_version
from simulate.runner import How, jobs_in_passes
from strategies.errors import InputError

needs_dask = pytest.mark.skipif(find_spec("distributed") is None, reason="needs the extra 'cluster'")


@dataclass(frozen=True)
class Slow:
    """A setting that takes its time and needs no kernel."""

    name: str

    def play_deals(self, seed, deals):
        time.sleep(0.02)
        return {"games": np.array([len(deals)]), "deals": np.array([deals.sum() * (seed + len(self.name))])}

    def spec(self):
        return {"name": self.name}


EXPERIMENT = Experiment((Slow("a"), Slow("bb"), Slow("ccc")), seed=5)


def numbers(counts):
    return [{name: array.tolist() for name, array in one.items()} for one in counts]


@needs_dask
@pytest.mark.filterwarnings("ignore")
def test_a_cluster_gives_the_same_numbers_even_when_a_worker_is_killed():
    games = 40 * DEALS_PER_BLOCK
    with cluster_as_workers("local:2") as workers:
        killed = []

        def kill_one(progress):
            if not killed and progress.games > 20 * DEALS_PER_BLOCK:
                client = workers.__closure__[0].cell_contents
                process = client.run(os.getpid)
                killed.append(next(iter(process.values())))
                os.kill(killed[0], signal.SIGKILL)

        counts = run(EXPERIMENT, games, How(workers=workers, on_progress=kill_one))
        # Ctrl-C reaches every process of a terminal; here the workers leave it to whoever started them.
        client = workers.__closure__[0].cell_contents
        alive = client.run(os.getpid)
        for process in alive.values():
            os.kill(process, signal.SIGINT)
        jobs = list(jobs_in_passes(3, 10))
        assert [job for job, _ in workers(EXPERIMENT, iter(jobs))] == jobs
        assert client.run(os.getpid) == alive
        check_that_nobody_else_gets_in(client)
    assert killed
    assert numbers(counts) == numbers(run(EXPERIMENT, games, How(threads=2)))


def check_that_nobody_else_gets_in(client):
    """Scheduler and workers of `local:N` listen on loopback, want certificates, and have no pages to show."""
    about = client.scheduler_info()
    addresses = [about["address"], *about["workers"]]
    assert all(address.startswith("tls://127.0.0.1:") for address in addresses)
    for services in (about["services"], *(worker["services"] for worker in about["workers"].values())):
        for page in ("", "status", "info/main/workers.html", "json/identity.json", "api/v1/retire_workers", "metrics"):
            with pytest.raises(HTTPError, match="404"):
                urlopen(f"http://127.0.0.1:{services['dashboard']}/{page}", timeout=5)
    distributed = import_module("distributed")
    strangers = [(None, "tcp:"), (distributed.Security.temporary(), "tls:")]
    for security, scheme in strangers:
        with pytest.raises(OSError, match=r"[Tt]imed out|[Cc]onnect|certificate"):
            distributed.Client(about["address"].replace("tls:", scheme), security=security, timeout=1)


def test_what_went_wrong_at_a_worker_is_told_in_one_line():
    with pytest.raises(InputError, match=r"worker tcp://a:1 cannot play \(No module named 'simulate'\): install"):
        check_versions({"tcp://a:1": ModuleNotFoundError("No module named\n'simulate'")})


@needs_dask
@pytest.mark.parametrize(
    ("error", "said"),
    [
        (CancelledError("lost"), r"connection to the Dask scheduler was lost \(lost\)"),
        (OSError("broken pipe"), r"connection to the Dask scheduler was lost \(broken pipe\)"),
        (ModuleNotFoundError("No module named 'numba'"), r"a worker cannot play \(No module named 'numba'\)"),
        (ZeroDivisionError(), r"a worker cannot play \(ZeroDivisionError\)"),
        (InputError("as it is"), "^as it is$"),
    ],
)
def test_what_a_future_raises_is_told_in_one_line(error, said):
    class Future:
        def result(self):
            raise error

    with pytest.raises(InputError, match=said):
        _result(Future())


@needs_dask
def test_a_scheme_without_certificates_is_told():
    with (
        pytest.raises(InputError, match="for tls:// Dask needs the cluster's certificates"),
        cluster_as_workers("tls://127.0.0.1:1"),
    ):
        pass


def test_a_batch_is_what_its_blocks_are():
    _, packed = play_batch(EXPERIMENT.settings, 5, play_version(), [(0, 3), (2, 1)])
    assert len(packed) == 2
    with pytest.raises(RuntimeError, match="this is kernel version 0"):
        play_batch(EXPERIMENT.settings, 5, "kernel version 0", [(0, 3)])


def test_workers_that_play_otherwise_are_refused():
    check_versions({"tcp://a:1": play_version()})
    with pytest.raises(
        InputError, match=r"worker tcp://b:2 has kernel version 1 \(sources 0\), this is kernel version"
    ):
        check_versions({"tcp://a:1": play_version(), "tcp://b:2": "kernel version 1 (sources 0)"})
    with pytest.raises(InputError, match="no workers"):
        check_versions({})


@pytest.mark.parametrize(
    ("address", "complaint"),
    [
        ("local:0", "local:1 to"),
        ("local:x", "local:1 to"),
        ("local", "local:1 to"),
        ("local:" + "9" * 5000, "local:1 to"),
        (f"local:{4 * os.cpu_count() + 1}", "local:1 to .* on this machine"),
        ("http://host", "malformed"),
        ("host:8786", "malformed"),
    ],
)
def test_addresses_that_are_none_are_refused(address, complaint):
    with pytest.raises(InputError, match=complaint), cluster_as_workers(address):
        pass
