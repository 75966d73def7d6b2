"""Tension: numbers recomputed from games by other code; stopped, resumed and on any threads the same."""

from __future__ import annotations

import shlex
from itertools import count
from typing import ClassVar

import numpy as np
import pytest
from click.testing import CliRunner

from cli import main
from reports.balance.output import balance_files
from reports.balance.plan import BalancePlan, Effort
from reports.balance.report import balance
from reports.balance.sections import tension
from reports.balance.take_sizes import TakesTable
from reports.output.parts import kept_blocks
from simulate import Rules, Table
from simulate.blocks import play_block
from simulate.escalation.rules import Deck
from simulate.escalation.state import TELEMETRY
from simulate.experiment import Experiment
from simulate.runner import How
from simulate.store import Store

PLAN = BalancePlan(Rules(players=3), effort=Effort("quick", 4, 12, 20))
TABLE = Table(PLAN.rules, (PLAN.standard,) * 3, "given")


def test_the_sections_numbers_follow_from_raw_games(play):
    finding = tension.measure(PLAN, play)
    numbers = finding.frames["tension"].set_index("statistic")["estimate"]
    # Three games of each of four blocks.
    played = TABLE.play(1, np.array([5040 * block + game for block in range(4) for game in range(3)]))
    assert numbers["turns"] == pytest.approx(played.turns.mean())
    counts = play_block(Experiment((TABLE,), 1), 0, 0)
    telemetry = dict(zip(TELEMETRY, counts["telemetry"].sum(axis=(0, 1)).tolist(), strict=True))
    takes = finding.frames["tension_takes"]
    taken = takes["forced"] + takes["willing"]
    assert taken.sum() == telemetry["takes"]
    assert takes["willing"].sum() == telemetry["willing_takes"]
    assert (taken * takes["size"]).sum() == telemetry["cards_taken"]
    assert takes["share_of_takes"].to_numpy() == pytest.approx((taken / taken.sum()).to_numpy())
    example = finding.frames["tension_example"]
    final = example[example["turn"] == example["turn"].max()]
    assert final["win_chance"].sum() == pytest.approx(1)


def test_the_section_says_what_it_found(play):
    finding = tension.measure(PLAN, play)
    assert finding.name == "tension"
    assert finding.finding.startswith("The winner is decided after ")
    assert {figure.csv for figure in finding.figures} | {table.csv for table in finding.tables} <= {
        f"{name}.csv" for name in finding.frames
    }
    early = BalancePlan(PLAN.rules, effort=PLAN.effort, thresholds={"decided-after": 0.01})
    late = BalancePlan(PLAN.rules, effort=PLAN.effort, thresholds={"decided-after": 0.99})
    assert (tension.measure(early, play).light, tension.measure(late, play).light) == ("good", "bad")


def test_replay_commands_show_the_games_they_name(play):
    finding = tension.measure(PLAN, play)
    longest = next(command for command in finding.commands if "longest" in command)
    command, _, words = longest.partition("#")
    told = CliRunner().invoke(main, shlex.split(command)[1:])
    assert told.exit_code == 0
    turns = int(words.split(",")[-1].split()[0])
    assert f"goes out after {turns} turns" in told.output
    assert turns == TABLE.play(1, np.arange(5040)).turns.max()


@pytest.mark.parametrize(
    "rules",
    [
        Rules(players=3, hand_size=1, draw_before_end_check=False),
        Rules(deck=Deck.parse("1x4,Px4"), players=2, hand_size=2),
    ],
)
def test_games_of_a_few_turns_have_a_section_too(rules, play):
    """A hand of one card goes out at once, where that ends the game; the other game is over after a few turns."""
    finding = tension.measure(BalancePlan(rules, (rules.players,), effort=PLAN.effort), play)
    tenths = finding.frames["tension_tenths"]
    assert 1 <= len(tenths) <= 10
    assert tenths["swing_in_points"].notna().all()


class CountedTakes(TakesTable):
    """Notes which deals are looked at take by take."""

    played: ClassVar[list[int]] = []

    def play_deals(self, seed, deals):
        self.played.append(int(deals[0]))
        return super().play_deals(seed, deals)


def test_a_stopped_and_resumed_report_plays_its_games_once(tmp_path, monkeypatch):
    """Stopped while takes are looked at, then taken up again: every deal of either part once, and the same numbers."""
    plan = BalancePlan(PLAN.rules, effort=Effort("quick", 12, 12, 20), sections=("tension",))
    monkeypatch.setattr(tension, "TakesTable", CountedTakes)
    undisturbed = balance(plan)
    assert sorted(CountedTakes.played) == [0, 5040, 10080]
    CountedTakes.played.clear()
    # Asked once for the section, before each of twelve blocks of games, and before each block of takes.
    asked = count(1)
    with Store(tmp_path, plan.experiment) as store:
        with pytest.raises(KeyboardInterrupt):
            balance(plan, how=How(store=store, stop=lambda: next(asked) > 1 + 12 + 1))
        assert CountedTakes.played == [0]
        assert kept_blocks(store) == 12 + 1
    with Store(tmp_path, plan.experiment) as store:
        resumed = balance(plan, how=How(threads=3, store=store))
    assert sorted(CountedTakes.played) == [0, 5040, 10080]
    assert resumed.as_data() == undisturbed.as_data()


def test_the_same_bytes_on_any_number_of_threads():
    plan = BalancePlan(PLAN.rules, effort=PLAN.effort, sections=("tension",))
    one, three = (balance_files(balance(plan, how=How(threads=threads))) for threads in (1, 3))
    assert one == three
