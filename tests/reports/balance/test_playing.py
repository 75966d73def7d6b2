"""The parts of a report: kept, taken up again, stopped in order, the same on any number of threads."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from reports.balance.finding import total
from reports.balance.plan import BalancePlan, Effort
from reports.balance.playing import PartStores, PlayParts, Stopped
from reports.balance.report import balance
from simulate import Rules, Table
from simulate.blocks import deals_of
from simulate.runner import Progress
from simulate.store import blocks_in
from strategies.catalogue import strategy
from strategies.errors import InputError

SMALL = Effort("quick", 1, 4, 4)
PLAN = BalancePlan(Rules(players=2), (2, 3), 3, SMALL, sections=("setting", "player-count"))
TABLE = Table(Rules(players=2), (strategy("minimal"),) * 2)


class Counted:
    """A setting that notes which deals it played."""

    def __init__(self) -> None:
        self.played: list[int] = []

    def spec(self) -> dict[str, object]:
        return TABLE.spec()

    def play_deals(self, seed: int, deals: np.ndarray) -> dict[str, np.ndarray]:
        self.played.append(int(deals[0]))
        return dict(TABLE.play_deals(seed, deals))


def stores(folder: Path) -> PartStores:
    folder.mkdir(exist_ok=True)
    return PartStores.of_report(folder, PLAN, PLAN.provenance(PLAN.games))


def test_blocks_come_in_order_and_from_where_they_are_asked():
    (blocks,) = PlayParts(3, {})("some", [TABLE], 2, first_block=5)
    for number, block in enumerate(blocks):
        assert (block["scores"] == TABLE.play_deals(3, deals_of(5 + number))["scores"]).all()
    whole = TABLE.play_deals(3, np.concatenate([deals_of(5), deals_of(6)]))
    assert (total(blocks)["wins"] == whole["wins"]).all()


def test_what_is_kept_is_not_played_again(tmp_path: Path):
    first, again = Counted(), Counted()
    with stores(tmp_path) as kept:
        before = PlayParts(3, {"store": kept})("some", [first], 2)
        assert len(kept) == 2
    with stores(tmp_path) as kept:
        after = PlayParts(3, {"store": kept})("some", [again], 3)
    assert sorted(first.played) == [0, 5040]
    assert again.played == [10080]
    assert (before[0][1]["scores"] == after[0][1]["scores"]).all()
    assert blocks_in(tmp_path / "parts" / "some") == 3


def test_a_second_process_is_kept_out(tmp_path: Path):
    with stores(tmp_path), pytest.raises(InputError, match="in use"):
        stores(tmp_path)


def test_a_part_is_played_once():
    play = PlayParts(3, {})
    play("some", [TABLE], 1)
    with pytest.raises(ValueError, match="played twice"):
        play("some", [TABLE], 1)


def test_an_early_end_keeps_what_was_played(tmp_path: Path):
    asked: list[bool] = []

    def stop() -> bool:
        asked.append(True)
        return len(asked) > 2

    with stores(tmp_path) as kept, pytest.raises(Stopped):
        PlayParts(3, {"store": kept, "stop": stop, "threads": 1})("some", [TABLE], 9)
    assert blocks_in(tmp_path / "parts" / "some") == 2


def test_a_report_that_is_stopped_has_the_sections_that_were_finished():
    asked: list[bool] = []

    def stop() -> bool:
        asked.append(True)
        return len(asked) > 1

    report = balance(PLAN, stop=stop)
    assert [one.name for one in report.findings] == ["setting"]
    assert not report.complete
    with pytest.raises(KeyboardInterrupt):
        balance(PLAN, stop=lambda: True)


def test_the_numbers_do_not_depend_on_threads():
    one, three = (balance(PLAN, threads=threads) for threads in (1, 3))
    assert one.complete
    assert one.as_data() == three.as_data()


def test_the_progress_says_which_section_is_at_work():
    seen: list[Progress] = []
    balance(PLAN, on_progress=seen.append)
    assert {progress.part for progress in seen} == {"player-count (2 of 2)"}
    assert seen[-1].games == seen[-1].planned == 2 * 5040


def test_the_number_of_games_may_be_another():
    report = balance(PLAN, games=5041)
    assert report.provenance.games == 2 * 5040
    assert report.findings[1].frames["player_count"]["games"].tolist() == [10080, 10080]


def test_a_threshold_that_no_section_has_is_refused():
    plan = BalancePlan(Rules(), (2,), 1, SMALL, thresholds={"shard-wins": 1.0})
    with pytest.raises(InputError, match="did you mean 'shared-wins'"):
        balance(plan)
