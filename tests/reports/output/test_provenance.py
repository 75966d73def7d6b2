"""What was played, in words and as data."""

from __future__ import annotations

import tomllib

from reports.output.provenance import Provenance, deck_note, rules_note
from reports.output.toml import as_toml
from simulate import Deck, Experiment, Rules, Table
from strategies.catalogue import strategy


def played(games: int) -> Provenance:
    experiment = Experiment((Table(Rules(players=2), (strategy("minimal"),) * 2),), seed=7)
    return Provenance.of("simulate", experiment, games, spec={"x": 1}, deck="a deck", rules="")


def test_a_preset_is_called_an_assumption_and_a_given_deck_is_not():
    assert "assumption" in deck_note(Rules(players=2))
    assert deck_note(Rules(Deck.parse("1-9x4,Px1"), players=2)) == "1-9x4,Px1"


def test_only_what_differs_from_the_printed_game_is_said_of_the_rules():
    assert rules_note(Rules(players=5)) == ""
    changed = Rules(players=2, hand_size=5, wild_max=6, lead_pass=True, beat_own_total=False)
    assert rules_note(changed) == "lead_pass = true, beat_own_total = false, 5 cards in hand, wilds up to 6"
    assert rules_note(Rules(players=2, hand_size=1)) == "1 card in hand"


def test_games_are_whole_blocks():
    assert [played(games).games for games in (1, 5040, 5041)] == [5040, 5040, 10_080]


def test_the_digest_names_the_numbers_and_not_how_many_there_are():
    assert played(1).digest == played(99_999).digest


def test_what_was_played_goes_through_a_file_unchanged():
    data = played(1).as_data()
    assert tomllib.loads(as_toml(data)) == data
    assert (data["rules"], data["seed"], data["settings"], data["spec"]) == ("default", 7, 1, {"x": 1})
