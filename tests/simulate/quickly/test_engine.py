"""A group of persons: who may sit in it, and what it shares with another."""

from __future__ import annotations

import numpy as np
import pytest

from simulate import Experiment, run
from simulate.blocks import DEALS_PER_BLOCK
from simulate.quickly.engine import Group
from simulate.quickly.reference import play
from simulate.quickly.rules import GroupRules
from simulate.runner import How
from strategies.errors import InputError
from strategies.quickly import QUICKLY


def test_a_planned_mistake_needs_an_allowance_and_the_ruling():
    burner = QUICKLY.strategy("burner")
    with pytest.raises(InputError, match=r"with 5 players none is allowed"):
        Group(GroupRules.printed(5, planned_mistake=True), (burner,) * 5)
    with pytest.raises(InputError, match="the ruling planned_mistake does not permit"):
        Group(GroupRules.printed(6), (burner,) * 6)
    assert Group(GroupRules.printed(6, planned_mistake=True), (burner,) * 6)


def test_own_cards_are_shifted_in_fixed_orders_only():
    with pytest.raises(InputError, match="own_shift"):
        Group(GroupRules.printed(4), (QUICKLY.strategy("replanner,own_shift=1"),) * 4)


def test_one_person_per_player_is_needed():
    with pytest.raises(InputError, match="2 strategies for 3 players"):
        Group(GroupRules.printed(3), (QUICKLY.strategy("plain"),) * 2)


def group(players=4, text="plain", **rules):
    return Group(GroupRules.printed(players, **rules), (QUICKLY.strategy(text),) * players)


def rounds_of(table, deals, seed=3):
    return [one for deal in range(deals) for one in play(table, seed, deal).rounds]


def test_groups_share_cards_and_noise_unless_salted():
    one, other = rounds_of(group(), 20)[0], rounds_of(group(text="inserter"), 20)[0]
    assert (one.values, one.heard) == (other.values, other.heard)
    salted = play(Group(GroupRules.printed(4), (QUICKLY.strategy("plain"),) * 4, noise_salt=1), 3, 0).rounds[0]
    assert salted.values == one.values
    assert salted.heard != one.heard


def test_threads_and_the_rest_of_a_block_do_not_change_any_game():
    tables = (group(), group(8, "burner", planned_mistake=True), group(3, "replanner"))
    experiment = Experiment(tables, seed=12)
    alone = run(experiment, 2 * DEALS_PER_BLOCK, How(threads=1))
    for threads in (2, 5):
        for first, second in zip(alone, run(experiment, 2 * DEALS_PER_BLOCK, How(threads=threads)), strict=True):
            assert first.keys() == second.keys()
            assert all(np.array_equal(first[name], second[name]) for name in first)
    whole, single = tables[0].play(12, np.arange(100)), tables[0].play(12, np.array([77]))
    assert (whole.good[77], whole.bad[77]) == (single.good[0], single.bad[0])


def test_labels_do_not_change_a_digest_and_values_do():
    same = [Experiment((group(text=text),), 1).digest for text in ("plain", "plain,sigma=1", "plain,sigma=1.5")]
    assert same[0] == same[1] != same[2]
