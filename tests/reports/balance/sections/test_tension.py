"""Win-chance curves: statistics worked out by hand, noise kept out, numbers recomputed from games by other code."""

from __future__ import annotations

import shlex
from itertools import count
from types import SimpleNamespace
from typing import ClassVar

import numpy as np
import pytest
from click.testing import CliRunner

from cli import main
from reports.balance import curves as of
from reports.balance.curves import Curve
from reports.balance.output import balance_files
from reports.balance.plan import BalancePlan, Effort
from reports.balance.report import balance
from reports.balance.sections import tension
from reports.balance.take_sizes import TakesTable
from reports.output.parts import kept_blocks
from simulate import Rules, Table
from simulate.blocks import deals_of, play_block
from simulate.escalation.rules import Deck
from simulate.escalation.settings.lookahead import AlongGames
from simulate.escalation.state import TELEMETRY
from simulate.experiment import Experiment
from simulate.runner import How
from simulate.store import Store

PLAN = BalancePlan(Rules(players=3), effort=Effort("quick", 4, 12, 20))
TABLE = Table(PLAN.rules, (PLAN.standard,) * 3, "given")


def game(*winners):
    return SimpleNamespace(winners=winners)


def test_crossings_worked_out_by_hand():
    chances = np.array([[0.5, 0.5], [0.95, 0.05], [0.2, 0.8], [0.92, 0.08], [1.0, 0.0]])
    assert of.decided_at(game(0), chances) == 3
    assert of.decided_at(game(0, 1), chances) == 0
    # Position 0 leads at first, then 1, then 0 again.
    assert of.lead_changes(game(0), chances) == 2
    # Half of an equal share is 0.25.
    assert of.comes_back(game(0), chances) == 1
    assert of.comes_back(game(0), chances[[0, 1, 3, 4]]) == 0


def test_a_lead_does_not_flicker_between_equals():
    chances = np.array([[0.5, 0.5], [0.47, 0.53], [0.52, 0.48], [0.44, 0.56], [0.5, 0.5]])
    assert of.lead_changes(game(0), chances) == 1


def test_noise_of_playouts_does_not_enlarge_swings():
    """Chances that really move by 0.1 in every second turn, seen through 50 playouts per half."""
    rng = np.random.default_rng(3)
    truth = np.array([0.5 + 0.1 * (turn // 2 % 2) for turn in range(41)])
    squares, raw = [], []
    for _ in range(300):
        seen = rng.binomial(50, truth, (2, 41)) / 50
        curve = Curve(game(0), np.empty(0), np.stack([seen, 1 - seen], axis=-1))
        squares.append(of.squared_swings(curve).mean())
        raw.append((np.diff(seen.mean(axis=0)) ** 2).mean())
    error = np.std(squares) / np.sqrt(300)
    assert np.mean(squares) == pytest.approx(0.1**2 / 2, abs=4 * error)
    assert np.mean(raw) > 0.1**2 / 2 + 20 * error


def test_the_greatest_swing_is_not_the_luckiest_one():
    """Nothing moves at all: whatever one half takes for the greatest swing, the other half measures as none."""
    rng = np.random.default_rng(4)
    seen = rng.binomial(50, 0.5, (400, 2, 41)) / 50
    swings = [of.greatest_swing(Curve(game(0), np.empty(0), np.stack([one, 1 - one], axis=-1))) for one in seen]
    assert np.mean(swings) == pytest.approx(0, abs=4 * np.std(swings) / 20)


def test_curves_move_as_much_as_they_must():
    """Win chances are a martingale: over a game their squared steps add up, on average, to the squared whole way."""
    setting = AlongGames(TABLE, 60, 100)
    curves = of.curves_of(setting, 2, [setting.play_deals(2, deals_of(0))])
    steps = [2 * of.squared_swings(curve).sum() for curve in curves]
    ways = [((curve.halves[:, -1] - curve.halves[:, 0]).prod(axis=0)).sum() for curve in curves]
    gap = np.array(steps) - ways
    assert abs(gap.mean()) < 3.5 * gap.std(ddof=1) / np.sqrt(60)
    assert np.mean(steps) > 0.3
    drift = np.array([curve.chances[0] - curve.chances[-1] for curve in curves])
    assert np.all(np.abs(drift.mean(axis=0)) < 3.5 * drift.std(axis=0, ddof=1) / np.sqrt(60))


def test_chances_are_those_of_the_engine_that_plays_on_by_itself():
    setting = AlongGames(TABLE, 1, 2000)
    (curve,) = of.curves_of(setting, 1, [setting.play_deals(1, deals_of(0))])
    for turn in (0, 9, 17):
        scores = TABLE.play_from(curve.game.states[turn], 77, np.arange(4000), shuffle_rest=True).scores
        won = scores == scores.min(axis=1, keepdims=True)
        shares = won / won.sum(axis=1, keepdims=True)
        error = np.sqrt(shares.var(axis=0) * (1 / 4000 + 1 / 2000))
        assert np.all(np.abs(curve.chances[turn] - shares.mean(axis=0)) <= 4 * error)


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
    "rules", [Rules(players=3, hand_size=1), Rules(deck=Deck.parse("1x4,Px4"), players=2, hand_size=2)]
)
def test_games_of_a_few_turns_have_a_section_too(rules, play):
    """A hand of one card goes out at once; the other game is over after a few turns."""
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
