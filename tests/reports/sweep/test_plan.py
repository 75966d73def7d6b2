"""Sweeps: the notation, what may not be asked, and that each row is what a table of that setting gives."""

from __future__ import annotations

from dataclasses import replace

import pytest

from reports.reading.values import MOST_SETTINGS
from reports.simulation.plan import SimulationPlan, simulate_table
from reports.simulation.summary import WINS
from reports.sweep import SweepPlan, Variation, read_variation, sweep
from reports.sweep.designs import Design
from reports.sweep.effects import main_finding
from reports.sweep.output import sweep_files
from simulate import Deck, Experiment, Rules, run
from simulate.runner import How
from strategies.catalogue import strategy
from strategies.errors import InputError
from strategies.parameters import parameter

ONE_BLOCK = 5040


def plan_of(*texts: str, players: tuple[int, ...] = (2,), seats: tuple[str, ...] = ("standard",), **more) -> SweepPlan:
    variations = tuple(read_variation(text) for text in texts)
    return SweepPlan(variations, players, Rules(), tuple(strategy(seat) for seat in seats), **more)


@pytest.mark.parametrize(
    ("make", "complaint"),
    [
        (plan_of, "needs a parameter"),
        (lambda: plan_of("shed=1,2", "shed=3"), "shed is given twice"),
        (lambda: plan_of("shed=0:9", seats=("standard", "hoarder", "jumper")), "at most one per player"),
        (lambda: plan_of("shed=0:9", seats=("standard", "hoarder"), who="all"), "no opponents"),
        (lambda: plan_of("shed=0:9", who="everyone"), "unknown choice"),
    ],
)
def test_grids_that_make_no_sense_are_refused(make, complaint: str):
    with pytest.raises(InputError, match=complaint):
        make()


def test_a_huge_grid_is_refused_without_being_built():
    names = ("overshoot", "shed", "wild_hold", "split_set", "high_hold", "reserve")
    huge = tuple(Variation(parameter(name), tuple(range(30))) for name in names)
    with pytest.raises(InputError, match="729,000,000 settings: at most 100,000"):
        SweepPlan(huge, (2,), Rules(), (strategy("standard"),))


def test_a_deck_too_small_for_one_of_the_tables_is_refused():
    rules = Rules(Deck.parse("1-6x4"), players=2)
    plan = SweepPlan((read_variation("shed=1"),), (2, 5), rules, (strategy("standard"),))
    with pytest.raises(InputError, match="too few for 5 players"):
        plan.provenance(1)


def test_the_grid_is_every_combination_at_every_table_size():
    plan = plan_of("shed=0,1", "early_take=0:2", players=(2, 3))
    assert plan.size == 12 <= MOST_SETTINGS
    assert [(point.players, *point.values) for point in plan.points] == [
        (players, shed, take) for players in (2, 3) for shed in (0, 1) for take in (0, 1, 2)
    ]


def test_the_focal_player_sits_first_and_the_last_opponent_fills_the_table():
    plan = plan_of("shed=0.5", players=(5,), seats=("standard", "hoarder", "jumper"))
    (table,) = plan.experiment.settings
    assert [seat.label for seat in table.seats] == ["standard,shed=0.5", "hoarder", "jumper", "jumper", "jumper"]
    assert table.seating == "every"


def test_a_single_seat_is_varied_against_itself_unvaried():
    (table,) = plan_of("shed=0.5", players=(3,), seats=("hoarder",)).experiment.settings
    assert [seat.label for seat in table.seats] == ["hoarder,shed=0.5", "hoarder", "hoarder"]


def test_each_row_is_what_a_table_of_that_setting_gives():
    result = sweep(plan_of("pass_hoard=0,4", players=(2, 3), seats=("standard", "minimal")), ONE_BLOCK)
    for row in result.settings.to_dict(orient="records"):
        focal = strategy(f"standard,pass_hoard={row['pass_hoard']:g}")
        seats = (focal, *[strategy("minimal")] * (row["players"] - 1))
        alone = simulate_table(SimulationPlan(Rules(players=row["players"]), seats), ONE_BLOCK)
        expected = alone.strategies.iloc[0]
        for column in expected.index.drop(["strategy", "seats"]):
            assert row[column] == expected[column], column


def test_threads_do_not_change_a_sweep():
    plan = plan_of("shed=0:1:0.5")
    one, seven = (sweep(plan, ONE_BLOCK, How(threads=threads)) for threads in (1, 7))
    assert one.settings.equals(seven.settings)


def test_games_are_rounded_up_and_reported():
    result = sweep(plan_of("shed=1"), ONE_BLOCK + 1)
    assert result.provenance.games == 2 * ONE_BLOCK
    assert result.settings["games"].tolist() == [2 * ONE_BLOCK]


def test_when_everybody_varies_wins_are_equal_and_scores_are_told():
    result = sweep(plan_of("shed=0,2", players=(3,), who="all"), ONE_BLOCK)
    assert result.settings[WINS.name].tolist() == pytest.approx([100 / 3] * 2)
    # Somebody wins every game: the number is fixed and has no interval.
    assert result.settings[[f"{WINS.name}_low", f"{WINS.name}_high"]].isna().all(axis=None)
    told = main_finding(result, WINS)
    assert told.endswith("Fixed by construction: everybody varies, and somebody wins every time")
    assert WINS not in result.measures
    low, high = result.settings["score"]
    assert low != high


def test_the_digest_names_the_numbers():
    plan = plan_of("shed=0,1")
    assert plan.provenance(10).digest == plan.provenance(99_999).digest
    assert plan.provenance(10).digest != replace(plan, seed=2).provenance(10).digest


def test_a_stopped_sweep_has_what_was_played_and_no_averages():
    plan, asked = plan_of("shed=0:1:0.25"), []

    def stop():
        asked.append(None)
        return len(asked) > 3

    partial = sweep(plan, 2 * ONE_BLOCK, How(threads=1, stop=stop))
    whole = sweep(plan, 2 * ONE_BLOCK)
    assert (partial.complete, whole.complete) == (False, True)
    assert partial.settings.iloc[0].equals(whole.settings.iloc[0])
    assert len(partial.settings) == 2
    assert set(sweep_files(partial)) == {"settings.csv"}


def test_groups_of_deals_add_up_to_all_of_them():
    plan = SweepPlan(
        tuple(map(read_variation, ("shed=0:2", "noise=0:1"))),
        (2,),
        Rules(),
        (strategy("standard"),),
        design=Design("saltelli", 8),
    )
    result = sweep(plan, 4 * ONE_BLOCK)
    values = result.by_group[WINS.name]
    assert values.shape == (4, 32)
    assert values.mean(axis=0) == pytest.approx(result.settings[WINS.name].to_numpy())
    one_block = run(Experiment(plan.experiment.settings[:1], 1), ONE_BLOCK)[0]
    assert values[0][0] == pytest.approx(one_block["wins"][0].sum() / 2520 / ONE_BLOCK * 100)
