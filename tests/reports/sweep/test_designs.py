"""Designs: which points are played, and how mistakes in a file of points are told."""

from __future__ import annotations

import numpy as np
import pytest

from reports.sweep.designs import Design, read_points
from reports.sweep.plan import SweepPlan
from reports.sweep.variation import read_variation
from simulate import Rules
from strategies.catalogue import strategy
from strategies.errors import InputError


def plan_of(*texts: str, design: Design, seed: int = 1, players=(4,)) -> SweepPlan:
    variations = tuple(read_variation(text) for text in texts)
    return SweepPlan(variations, players, Rules(), (strategy("standard"),), "focal", False, seed, design)


def test_one_at_a_time_changes_one_thing_of_the_base():
    plan = plan_of("shed=0.98,2", "early_take=0:1", "rule.lead_pass=false,true", design=Design("one-at-a-time"))
    base = (0.98, -1, "false")
    assert plan.rows == [base, (2, -1, "false"), (0.98, 0, "false"), (0.98, 1, "false"), (0.98, -1, "true")]
    assert len(plan.points) == plan.size == 5


@pytest.mark.parametrize("kind", ["latin-hypercube", "sobol"])
def test_drawn_points_fill_the_range_evenly(kind):
    plan = plan_of("shed=0:2", "noise=0:0.5", "deck.wilds=0:3", "deck=even,one-wild", design=Design(kind, 64))
    rows = plan.rows
    assert len(rows) == plan.size == 64
    for column, low, high in ((0, 0, 2), (1, 0, 0.5)):
        # Of 64 points each of 64 slices holds one: what both kinds promise.
        places = [int((row[column] - low) / (high - low) * 64) for row in rows]
        assert np.bincount(places, minlength=64).max() <= 2
        assert len(set(places)) >= 60
    assert all(list(row[2] for row in rows).count(wilds) == 16 for wilds in range(4))
    assert sum(row[3] == "even" for row in rows) == 32


def test_the_seed_decides_what_is_drawn():
    one, same, other = (plan_of("shed=0:2", design=Design("sobol", 8), seed=seed).rows for seed in (1, 1, 2))
    assert one == same != other


def test_a_range_with_a_step_is_drawn_in_steps():
    rows = plan_of("shed=0:2:0.5", design=Design("latin-hypercube", 50)).rows
    assert {row[0] for row in rows} == {0, 0.5, 1, 1.5, 2}


def test_saltelli_exchanges_one_column_at_a_time():
    rows = np.array(plan_of("shed=0:2", "noise=0:1", "early_take=0:6", design=Design("saltelli", 16)).rows)
    assert rows.shape == (16 * 5, 3)
    first, second, *mixed = np.split(rows, 5)
    for place, block in enumerate(mixed):
        for column in range(3):
            assert np.array_equal(block[:, column], (second if column == place else first)[:, column])
    assert not np.isin(first[:, 0], second[:, 0]).any()


@pytest.mark.parametrize(
    ("kind", "points", "complaint"),
    [
        ("sobol", 100, "64 or 128"),
        ("saltelli", 3, "2 or 4"),
        ("latin-hypercube", 0, "1 or more"),
        ("grid", 8, "--points is for designs"),
        ("sobel", 8, "did you mean 'sobol'"),
    ],
)
def test_designs_that_cannot_be_are_refused(kind, points, complaint):
    with pytest.raises(InputError, match=complaint):
        Design(kind, points)


def test_a_huge_design_is_refused_before_it_is_drawn():
    with pytest.raises(InputError, match="the saltelli design has 4,194,304 settings: at most 100,000"):
        plan_of("shed=0:2", "noise=0:1", design=Design("saltelli", 2**20))


def test_points_are_read_from_a_table():
    text = "shed, deck,players\n0.5,even,2\n1,one-wild,5\n\n0.5,even,3\n"
    variations, design = read_points(text, "points.csv")
    assert [(v.name, v.values) for v in variations] == [("shed", (0.5, 1)), ("deck", ("even", "one-wild"))]
    plan = SweepPlan(variations, (2, 3, 5), Rules(), (strategy("standard"),), design=design)
    assert [(p.players, *p.values) for p in plan.points] == [
        (2, 0.5, "even"),
        (5, 1, "one-wild"),
        (3, 0.5, "even"),
    ]
    assert plan.size == 3


@pytest.mark.parametrize(
    "text",
    [
        "noise,deck,shed\n0.1,even,-0.5\n1,jokers3,2\n",
        "noise;deck;shed\n0,1;even;-0,5\n1;jokers3;2\n",
        "noise\tdeck\tshed\n 0,1 \teven\t-0.5\n1\tjokers3\t2\n",
        "setting,noise,deck,shed,games,score\n0,0.1,even,-0.5,5040,13\n1,1.0,jokers3,2.0,5040,14\n",
        "setting,noise,deck,shed,deals,different\n0,0.1,even,-0.5,5040,no\n1,1.0,jokers3,2.0,5040,yes\n",
    ],
    ids=["commas", "semicolons", "tabs", "a sweep's own table", "a comparison's own table"],
)
def test_the_same_points_in_other_writings(text):
    variations, design = read_points(text, "points.csv")
    assert [varied.name for varied in variations] == ["noise", "deck", "shed"]
    assert design.rows == ((0.1, "even", -0.5), (1.0, "jokers3", 2.0))


def test_a_decks_commas_are_left_alone_beside_semicolons():
    variations, _ = read_points("deck;noise\n1-13x4,Wx1,Px4;0,1\n", "points.csv")
    assert variations[0].values == ("1-13x4,Wx1,Px4",)


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("", "no points"),
        ("noise,shed\n0,1,0,5\n", "decimal comma need ; or tabs"),
        ("shed\n", "no points"),
        ("shed,shed\n1,2\n", "column shed twice"),
        ("shad\n1\n", "did you mean 'shed'"),
        ("shed,noise\n1,0\n1,2\n", "row 3, column noise: noise=2 is not allowed"),
        ("shed,noise\n1,0\nx,0.5\n", "row 3, column shed: shed=x is not a number"),
        ("shed,noise\n1\n", "row 2: 1 cells, but the header has 2"),
        ("shed,deck\n1,evn\n", "row 2, column deck: unknown deck preset 'evn'"),
    ],
)
def test_a_bad_cell_is_named_by_row_and_column(text, complaint):
    with pytest.raises(InputError, match=complaint) as caught:
        read_points(text, "points.csv")
    assert "points.csv" in str(caught.value) or "did you mean" in str(caught.value)
    assert "\n" not in str(caught.value)
