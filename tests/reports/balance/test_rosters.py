"""Who sits at the tables that sections play."""

from __future__ import annotations

from reports.balance.rosters import all_alike, one_among, others_than
from simulate import Rules
from strategies.catalogue import strategy
from strategies.strategy import Strategy

STANDARD, NOVICE = strategy("standard"), strategy("novice")


def test_everybody_or_all_but_one_play_alike():
    alike = all_alike(Rules(players=3), STANDARD)
    assert (alike.seats, alike.seating) == ((STANDARD,) * 3, "given")
    assert all_alike(Rules(players=2), NOVICE, "rotate").seating == "rotate"
    mixed = one_among(Rules(players=4), STANDARD, NOVICE)
    assert (mixed.seats, mixed.seating) == ((STANDARD, NOVICE, NOVICE, NOVICE), "rotate")


def test_a_player_by_another_name_is_no_other_player():
    twin = Strategy("twin", STANDARD.values)
    assert others_than(STANDARD, (twin, NOVICE, STANDARD)) == [NOVICE]
