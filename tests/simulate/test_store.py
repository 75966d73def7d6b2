"""Finished blocks survive whatever ends a run, are never played twice, and never mix with another experiment's."""

from __future__ import annotations

import os
import resource
import signal
import sqlite3
import struct
import subprocess
import sys
import textwrap
import time
import zlib
from contextlib import closing
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
import pytest

from simulate import Experiment, run
from simulate.blocks import DEALS_PER_BLOCK
from simulate.runner import How
from simulate.store import FORMAT, STORE_FILE, Store, pack_counts, unpack_counts
from strategies.errors import InputError

ROOT = Path(__file__).resolve().parent.parent.parent


@dataclass(frozen=True)
class Echo:
    """A setting whose counts are its deals, and which notes what it was asked to play."""

    name: str = "echo"
    asked: list[int] = field(default_factory=list, compare=False)

    def play_deals(self, seed, deals):
        self.asked.append(int(deals[0]) // DEALS_PER_BLOCK)
        return {"games": np.array([len(deals)]), "deals": np.array([deals.sum() + seed])}

    def spec(self):
        return {"name": self.name, "seats": [{"shed": 1.0}]}


def experiment(*names: str, seed: int = 3) -> Experiment:
    return Experiment(tuple(Echo(name) for name in names or ("first", "second")), seed)


def same(first, second) -> bool:
    return [{k: v.tolist() for k, v in one.items()} for one in first] == [
        {k: v.tolist() for k, v in one.items()} for one in second
    ]


@pytest.mark.parametrize("greatest", [0, 127, 128, 2**15, 2**31 - 1, 2**31, 2**62])
@pytest.mark.parametrize("sign", [1, -1])
def test_counts_come_back_with_their_shapes_and_as_large_as_they_were(greatest, sign):
    counts = {
        "square": np.arange(12).reshape(3, 4) * 1,
        "empty": np.zeros((0, 5), dtype=np.int64),
        "large": np.array([[sign * greatest]], dtype=np.int64),
    }
    back = unpack_counts(pack_counts(counts))
    assert list(back) == list(counts)
    for name, numbers in counts.items():
        assert back[name].dtype == np.int64
        assert back[name].shape == numbers.shape
        assert np.array_equal(back[name], numbers)


def test_small_counts_take_little_room():
    assert len(pack_counts({"a": np.ones(10_000, dtype=np.int64)})) < 500


def test_damaged_bytes_are_noticed():
    packed = bytearray(pack_counts({"a": np.arange(100)}))
    for place in range(len(packed)):
        damaged = bytes(packed[:place]) + bytes([packed[place] ^ 0x55]) + bytes(packed[place + 1 :])
        # A flipped bit in the compression's header may do no harm, but then the numbers are right.
        try:
            assert np.array_equal(unpack_counts(damaged)["a"], np.arange(100))
        except ValueError:
            continue


def test_a_second_run_plays_nothing_twice_and_gives_the_same(tmp_path: Path):
    straight = run(experiment(), 6 * DEALS_PER_BLOCK, How(threads=2))
    for games, expected in ((2, [0, 1]), (6, [2, 3, 4, 5]), (3, []), (6, [])):
        asked = experiment()
        with Store(tmp_path, asked) as store:
            counts = run(asked, games * DEALS_PER_BLOCK, How(threads=2, store=store))
        assert [sorted(setting.asked) for setting in asked.settings] == [expected, expected]
        assert same(counts, run(experiment(), games * DEALS_PER_BLOCK, How(threads=1)))
    assert same(counts, straight)


def test_stopping_keeps_what_was_under_way_and_the_next_run_goes_on(tmp_path: Path):
    asked, seen = experiment(), []
    with Store(tmp_path, asked) as store:
        partial = run(
            asked, 50 * DEALS_PER_BLOCK, How(threads=2, store=store, stop=lambda: len(asked.settings[0].asked) >= 4)
        )
        kept = len(store)
    begun = sum(len(setting.asked) for setting in asked.settings)
    assert kept == begun < 100
    assert sum(int(counts["games"][0]) for counts in partial if counts) == begun * DEALS_PER_BLOCK
    again = experiment()
    with Store(tmp_path, again) as store:
        counts = run(again, 50 * DEALS_PER_BLOCK, How(threads=2, store=store, on_progress=seen.append))
    assert sum(len(setting.asked) for setting in again.settings) == 100 - begun
    assert same(counts, run(experiment(), 50 * DEALS_PER_BLOCK, How(threads=1)))
    assert (seen[-1].games, seen[-1].stored) == (100 * DEALS_PER_BLOCK, begun * DEALS_PER_BLOCK)


def test_a_run_stopped_at_once_has_empty_counts():
    assert run(experiment(), DEALS_PER_BLOCK, How(stop=lambda: True)) == [{}, {}]


def test_progress_counts_only_what_is_safe(tmp_path: Path):
    asked = experiment()
    with Store(tmp_path, asked) as store:

        def check(progress):
            assert not store.pending
            safe.append(progress.games)

        safe: list[int] = []
        run(asked, 200 * DEALS_PER_BLOCK, How(threads=1, store=store, on_progress=check))
    assert safe[-1] == 400 * DEALS_PER_BLOCK
    assert len(safe) < 100, "commits are not batched"


@pytest.mark.parametrize(
    ("other", "difference"),
    [
        (experiment(seed=4), "seed is 3 there and 4 here"),
        (experiment("first", "second", "third"), "settings is 2 there and 3 here"),
        (experiment("first", "other"), "in setting 1, name is second there and other here"),
    ],
)
def test_another_experiment_is_refused_and_the_difference_named(tmp_path: Path, other, difference):
    with Store(tmp_path, experiment()):
        pass
    with pytest.raises(InputError, match="--force-new") as caught:
        Store(tmp_path, other)
    assert difference in str(caught.value)


def test_a_second_process_is_refused(tmp_path: Path):
    program = textwrap.dedent(f"""
        import sys; sys.path.insert(0, {str(ROOT)!r})
        from pathlib import Path
        from simulate import Experiment
        from simulate.store import Store
        from strategies.errors import InputError
        class Echo:
            def spec(self): return {{"name": "echo"}}
        try:
            Store(Path({str(tmp_path)!r}), Experiment((Echo(),), 3))
        except InputError as refused:
            print(refused)
    """)
    with Store(tmp_path, experiment()) as store:
        store.add(0, 0, {"games": np.array([1])})
        store.commit()
        told = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True).stdout
        assert "in use by another process" in told
        store.add(0, 1, {"games": np.array([1])})
    with Store(tmp_path, experiment()) as store:
        assert len(store) == 2


def test_what_was_committed_survives_a_kill(tmp_path: Path):
    program = textwrap.dedent(f"""
        import sys; sys.path.insert(0, {str(ROOT)!r})
        from pathlib import Path
        import numpy as np
        from simulate import Experiment
        from simulate.store import Store
        class Echo:
            def spec(self): return {{"name": "echo"}}
        store = Store(Path({str(tmp_path)!r}), Experiment((Echo(),), 3))
        for block in range(10**9):
            store.add(0, block, {{"block": np.array([block])}})
            if not store.pending:
                print(block, flush=True)
    """)
    with subprocess.Popen([sys.executable, "-c", program], stdout=subprocess.PIPE, text=True) as process:
        told = [int(process.stdout.readline()) for _ in range(2)]
        time.sleep(0.2)
        process.send_signal(signal.SIGKILL)
        told += [int(line) for line in process.stdout.read().split()]

    class Same:
        def spec(self):
            return {"name": "echo"}

    with Store(tmp_path, Experiment((Same(),), 3)) as store:
        assert len(store) > told[-1]
        for block in range(0, len(store), 97):
            assert store.read(0, block)["block"].tolist() == [block]


def test_a_full_disk_is_told_in_one_line_and_keeps_what_was_stored(tmp_path: Path):
    pid = os.fork()
    if pid == 0:
        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
        resource.setrlimit(resource.RLIMIT_FSIZE, (200_000, 200_000))
        status = 1
        try:
            asked = experiment()
            with Store(tmp_path, asked) as store:
                for block in range(10_000):
                    store.add(0, block, {"noise": np.random.default_rng(block).integers(0, 2**62, 50)})
                    store.commit()
        except InputError as told:
            lines = str(told)
            status = 0 if "\n" not in lines and "the disk may be full" in lines else 2
        except BaseException:
            status = 3
        os._exit(status)
    assert os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]) == 0
    with Store(tmp_path, experiment()) as store:
        kept = len(store)
        assert kept > 20
        for block in range(kept):
            expected = np.random.default_rng(block).integers(0, 2**62, 50)
            assert np.array_equal(store.read(0, block)["noise"], expected)


def filled(folder: Path, blocks: int) -> list:
    """Play a small experiment into a store, and return its counts."""
    asked = experiment()
    with Store(folder, asked) as store:
        return run(asked, blocks * DEALS_PER_BLOCK, How(threads=1, store=store))


PAGE = 4096
MOVED = "UPDATE blocks SET setting", "UPDATE blocks SET block"


@pytest.mark.parametrize(
    "damage",
    [
        "UPDATE blocks SET setting = 2 WHERE setting = 0 AND block = 3",
        "UPDATE blocks SET block = 9 WHERE setting = 1 AND block = 2",
        "UPDATE blocks SET counts = (SELECT counts FROM blocks WHERE setting = 0 AND block = 1) WHERE setting = 1",
        "UPDATE blocks SET counts = 'text' WHERE block = 0",
        "UPDATE blocks SET counts = NULL || counts WHERE block = 0",
        "UPDATE blocks SET checksum = x'00' WHERE block = 3",
        "DELETE FROM blocks WHERE block = 2",
    ],
)
def test_a_row_that_is_not_what_it_says_is_played_again_and_replaced(tmp_path: Path, damage):
    expected = filled(tmp_path, 4)
    with closing(sqlite3.connect(tmp_path / STORE_FILE)) as file, file:
        file.execute(damage.replace("NULL || counts", "zeroblob(7)"))
    for played in (True, False):
        asked = experiment()
        with Store(tmp_path, asked) as store:
            counts = run(asked, 4 * DEALS_PER_BLOCK, How(threads=1, store=store))
            # A row that moved away, or is gone, is missing; any other is damaged.
            assert (store.damaged > 0) == (played and not damage.startswith(("DELETE", *MOVED)))
        assert any(setting.asked for setting in asked.settings) == played
        assert same(counts, expected)


def test_a_row_filed_under_a_place_that_is_asked_for_is_damaged(tmp_path: Path):
    filled(tmp_path, 2)
    with closing(sqlite3.connect(tmp_path / STORE_FILE)) as file, file:
        file.execute("UPDATE blocks SET block = 7 WHERE setting = 0 AND block = 1")
    asked = experiment()
    with Store(tmp_path, asked) as store:
        assert (0, 7) not in store
        assert store.read(0, 7) is None
        assert same(
            run(asked, 8 * DEALS_PER_BLOCK, How(threads=1, store=store)), run(experiment(), 8 * DEALS_PER_BLOCK)
        )


def counts_or_complaint(folder: Path, content: bytes, blocks: int) -> list | str:
    """Run again on a store of this content; return the counts, or why it was refused."""
    (folder / STORE_FILE).write_bytes(content)
    asked = experiment()
    try:
        with Store(folder, asked) as store:
            return run(asked, blocks * DEALS_PER_BLOCK, How(threads=1, store=store))
    except InputError as refused:
        return str(refused)


def damaged_contents(whole: bytes, kind: str):
    """Yield contents with one bit turned over, or with one page in the place of another."""
    if kind == "bit":
        for bit in np.random.default_rng(8).integers(0, 8 * len(whole), 200):
            content = bytearray(whole)
            content[bit // 8] ^= 1 << (bit % 8)
            yield bytes(content)
        return
    pages = [whole[place : place + PAGE] for place in range(0, len(whole), PAGE)]
    for place in range(len(pages)):
        for other in pages[::2]:
            yield b"".join([*pages[:place], other, *pages[place + 1 :]])


@pytest.mark.parametrize("kind", ["bit", "page"])
def test_no_damage_changes_a_number(tmp_path: Path, kind):
    blocks = 40
    expected = filled(tmp_path, blocks)
    refusals = []
    for content in damaged_contents((tmp_path / STORE_FILE).read_bytes(), kind):
        found = counts_or_complaint(tmp_path, content, blocks)
        if isinstance(found, str):
            refusals.append(found)
        else:
            assert same(found, expected)
    assert refusals
    assert not any("\n" in complaint for complaint in refusals)


@pytest.mark.parametrize(
    "described",
    [
        "[[1]]",
        '[["a", "<f8", [1]]]',
        '[["a", "<i8", [-1]]]',
        '[["a", "<i8", [1.5]]]',
        '[["a", "<i8", 1]]',
        '[["a", ["<i8"], [1]]]',
        '{"a": 1}',
        "7",
        "[" * 5000,
    ],
)
def test_counts_that_are_described_wrongly_are_damaged(described):
    packed = zlib.compress(struct.pack("<I", len(described)) + described.encode() + bytes(8))
    with pytest.raises(ValueError, match="damaged counts"):
        unpack_counts(packed)


def test_blocks_of_other_sources_are_refused_unless_they_are_trusted(tmp_path: Path):
    expected = filled(tmp_path, 2)
    with closing(sqlite3.connect(tmp_path / STORE_FILE)) as file, file:
        file.execute("UPDATE experiment SET value = '0123456789abcdef' WHERE name = 'sources'")
    with pytest.raises(InputError, match=r"other sources.*--trust-blocks.*--force-new"):
        Store(tmp_path, experiment())
    for trust in (True, False):  # once is enough
        asked = experiment()
        with Store(tmp_path, asked, trust=trust) as store:
            assert same(run(asked, 2 * DEALS_PER_BLOCK, How(threads=1, store=store)), expected)
        assert not any(setting.asked for setting in asked.settings)


@pytest.mark.parametrize("start", [0, 4096])
def test_a_damaged_file_is_told_in_one_line(tmp_path: Path, start):
    asked = experiment()
    with Store(tmp_path, asked) as store:
        for block in range(300):
            store.add(0, block, {"games": np.random.default_rng(block).integers(0, 2**62, 50)})
    path = tmp_path / STORE_FILE
    content = bytearray(path.read_bytes())
    assert len(content) > start + 40_000
    content[start : start + 40_000] = bytes(range(250)) * 160
    path.write_bytes(content)

    def read_everything():
        with Store(tmp_path, asked) as store:
            return [store.read(0, block) for block in range(300)]

    with pytest.raises(InputError, match="is damaged") as caught:
        read_everything()
    assert "\n" not in str(caught.value)


def test_a_store_of_another_format_is_refused(tmp_path: Path):
    with Store(tmp_path, experiment()):
        pass
    with closing(sqlite3.connect(tmp_path / STORE_FILE)) as file, file:
        file.execute("UPDATE experiment SET value = '99' WHERE name = 'format'")
    with pytest.raises(InputError, match=f"format 99: this version reads format {FORMAT}"):
        Store(tmp_path, experiment())
