"""What organisers hear: normal noise, and how much of it."""

from __future__ import annotations

import hashlib
from statistics import NormalDist

import numpy as np
import pytest
from scipy.stats import chi2

from simulate.quickly.engine import Group
from simulate.quickly.hearing import QUANTILES, quantiles
from simulate.quickly.reference import play
from simulate.quickly.rules import GroupRules
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
