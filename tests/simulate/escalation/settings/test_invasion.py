"""One player among equals, against games of plain tables."""

from __future__ import annotations

import numpy as np

from simulate import Rules, Table
from simulate.escalation.settings.invasion import Invasion, pairs_of
from strategies.catalogue import strategy

INVADERS = tuple(strategy(name) for name in ("standard", "novice", "minimal"))


DEALS = np.arange(30, 130)


def shares(scores):
    lowest = min(scores)
    winners = scores.count(lowest)
    return [(score == lowest) * 6 // winners for score in scores]


def won(field, invader, position, seed=4):
    seats = [field] * 3
    seats[position] = invader
    scores = Table(Rules(players=3), tuple(seats), "given").play(seed, DEALS).scores
    return np.array([shares(row)[position] for row in scores.tolist()])


def test_every_number_follows_from_games_of_plain_tables():
    field = INVADERS[1]
    counts = Invasion(Rules(players=3), field, INVADERS).play_deals(4, DEALS)
    wins = np.array([[won(field, invader, position) for position in range(3)] for invader in INVADERS])
    assert (counts["wins"] == wins.sum(axis=2)).all()
    # Three positions, six units of a win each.
    of_deal = wins.sum(axis=1)
    assert counts["shares"].shape == (3, 19)
    for invader in range(3):
        assert counts["shares"][invader].tolist() == [int((of_deal[invader] == units).sum()) for units in range(19)]
    assert pairs_of(3) == [(0, 1), (0, 2), (1, 2)]
    for place, (one, other) in enumerate(pairs_of(3)):
        apart = of_deal[other] - of_deal[one]
        assert counts["differences"][place].tolist() == [int((apart == units).sum()) for units in range(-18, 19)]
    assert counts["deals"].tolist() == [100]


def test_among_equals_everybody_wins_an_equal_share():
    field = strategy("standard")
    shares_of_itself = Invasion(Rules(players=4), field, (field,)).play_deals(1, DEALS)["shares"][0]
    # Four positions share out twelve units of one win, whatever happens.
    assert shares_of_itself[12] == len(DEALS)
