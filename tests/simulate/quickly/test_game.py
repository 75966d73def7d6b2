"""Chance as it should be: hands, noise, shared offsets; and the same numbers on any threads."""

from __future__ import annotations

from itertools import pairwise, permutations

import numpy as np
import pytest
from scipy.stats import chi2

from simulate.quickly.engine import Group
from simulate.quickly.reference import dealt, play
from simulate.quickly.rules import GroupRules
from simulate.rng import draw
from strategies.quickly import QUICKLY

UNLIKELY = 1e-4


def group(players=4, text="plain", **rules):
    return Group(GroupRules.printed(players, **rules), (QUICKLY.strategy(text),) * players)


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
