"""What a game may leave out of its wording."""

from __future__ import annotations

import pytest

from reports.ask.player_words import PlayerWording
from reports.ask.words import Wording
from reports.quickly.group_words import GroupWording


class Shortest(Wording):
    game, who = "Some game.", "somebody"

    def record(self, measured):
        return {}

    def basis(self, every):
        return "Nothing was held equal."

    def reason(self, measured):
        return None

    def reason_data(self, measured):
        return {}


def test_a_game_may_have_nothing_more_to_tell():
    wording = Shortest()
    assert (wording.columns, wording.cells(None), wording.promise("95%")) == ((), (), "")
    assert wording.remarks(None, "with 2 players") == []
    assert wording.reason_rows({"2 players": None}) is None


@pytest.mark.parametrize("wording", [PlayerWording(), GroupWording(), Shortest()])
def test_every_game_says_which_it_is_and_who_is_changed(wording):
    assert wording.game
    assert wording.who
    assert bool(wording.columns) == bool(wording.promise("95%"))
