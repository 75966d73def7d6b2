"""Chance as it should be: hands, noise, shared offsets; and the same numbers on any threads."""

from __future__ import annotations

import hashlib
from itertools import pairwise, permutations
from statistics import NormalDist

import numpy as np
import pytest
from scipy.stats import chi2

from simulate import Experiment, run
from simulate.blocks import DEALS_PER_BLOCK
from simulate.quickly.engine import Group
from simulate.quickly.hearing import QUANTILES, quantiles
from simulate.quickly.reference import dealt, play
from simulate.quickly.rules import GroupRules
from simulate.rng import draw
from simulate.runner import How
from strategies.organising import PLACE, likelihoods
from strategies.quickly import QUICKLY

UNLIKELY = 1e-4


def group(players=4, text="plain", **rules):
    return Group(GroupRules.printed(players, **rules), (QUICKLY.strategy(text),) * players)


def rounds_of(table, deals, seed=3):
    return [one for deal in range(deals) for one in play(table, seed, deal).rounds]


def heard_noise(table, deals):
    """Return (place - value) of every card of others, by round."""
    each = table.rules.cards_each
    return [
        [
            heard / PLACE - value
            for card, (heard, value) in enumerate(zip(one.heard, one.values, strict=True))
            if card // each != one.organiser
        ]
        for one in rounds_of(table, deals)
    ]


def test_tables_are_the_same_on_every_machine():
    digest = hashlib.sha256(quantiles().tobytes() + likelihoods().tobytes()).hexdigest()[:16]
    assert digest == "3a481905abb8de5f"


def test_quantiles_have_the_moments_of_a_normal():
    table = quantiles() / PLACE
    assert len(table) == QUANTILES
    assert np.mean(table**2) == pytest.approx(1, abs=1e-4)
    assert np.mean(table**4) == pytest.approx(3, abs=5e-3)


def test_noise_is_normal():
    noise = np.array([one for each in heard_noise(group(text="plain,sigma=1.5"), 4000) for one in each]) / 1.5
    edges = [NormalDist().inv_cdf(share / 50) for share in range(1, 50)]
    counts = np.bincount(np.searchsorted(edges, noise), minlength=50)
    expected = len(noise) / 50
    assert chi2.sf(((counts - expected) ** 2 / expected).sum(), 49) > UNLIKELY


def test_noise_of_different_answers_and_rounds_is_uncorrelated():
    noise = np.array(heard_noise(group(), 4000))
    for shifted in (np.roll(noise, 1, axis=1), np.roll(noise, 1, axis=0)):
        correlation = (noise * shifted).mean()
        assert abs(correlation) < 4 / np.sqrt(noise.size)


@pytest.mark.parametrize(("anchor", "left"), [(0, 0.64), (0.5, 0.16), (1, 0)])
def test_a_shared_frame_is_common_to_all_answers_and_the_anchor_removes_it(anchor, left):
    noise = np.array(heard_noise(group(text=f"plain,shared_frame=0.64,own_anchor={anchor}"), 4000))
    products = noise[:, 0] * noise[:, 1]
    assert abs(products.mean() - left) < 4 * products.std() / np.sqrt(len(products))
    assert abs((noise**2).mean() - (0.36 + left)) < 0.06


def test_talking_averages_the_listeners_part_only():
    noise = np.array(heard_noise(group(text="plain,sigma=2,listening=0.75,talk=3"), 3000))
    expected = 4 * (0.25 + 0.75 / 3)
    assert abs((noise**2).mean() - expected) < 4 * expected * np.sqrt(2 / noise.size)


def test_every_pair_of_first_two_cards_is_equally_likely():
    pairs = {pair: 0 for pair in permutations(range(1, 11), 2)}
    hands = 60_000
    for index in range(hands):
        hand = dealt(draw(12345, index), 3)
        pairs[hand[0], hand[1]] += 1
        assert len(set(hand)) == 3
    expected = hands / len(pairs)
    assert chi2.sf(sum((count - expected) ** 2 / expected for count in pairs.values()), len(pairs) - 1) > UNLIKELY


def test_the_organiser_rotates_from_round_to_round_and_the_starter_from_game_to_game():
    table = group(3)
    for deal in range(6):
        organisers = [one.organiser for one in play(table, 1, deal).rounds]
        assert organisers == [(deal + number) % 3 for number in range(len(organisers))]


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


@pytest.mark.parametrize("players", [3, 6])
def test_planning_a_mistake_pays_and_planning_anew_pays_more(players):
    """The three ways are clearly apart: by four standard errors of the difference, though their deals are shared."""
    shares = []
    for text in ("plain,sigma=1.5", "burner,sigma=1.5", "burner,sigma=1.5,organiser=replan"):
        sums = group(players, text, planned_mistake=True).play(8, np.arange(1500)).sums
        rounds = int(sums.rounds.sum())
        share = int(sums.good.sum()) / rounds
        shares.append((share, share * (1 - share) / rounds))
    for (worse, variance), (better, other_variance) in pairwise(shares):
        assert better - worse > 4 * np.sqrt(variance + other_variance)
