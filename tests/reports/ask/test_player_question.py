"""Questions about one player: their tables, and what cannot be asked."""

from __future__ import annotations

import pytest

from reports.ask.player_question import PlayerQuestion
from reports.ask.question import read_subject
from simulate import Rules
from strategies.catalogue import strategy
from strategies.errors import InputError

STANDARD, NOVICE, HOARDER = map(strategy, ("standard", "novice", "hoarder"))


def question(name="pass_hoard=0", counts=(2,), **more):
    return PlayerQuestion(name, read_subject(name), Rules(players=counts[0]), counts, STANDARD, **more)


def test_every_table_size_meets_every_kind_of_opponents():
    asked = question(counts=(2, 4), fields=(NOVICE, HOARDER))
    assert [(table.name, table.words) for table in asked.tables] == [
        ("2-players-opponents-1", "with 2 players against novice"),
        ("2-players-opponents-2", "with 2 players against hoarder"),
        ("4-players-opponents-1", "with 4 players against novice"),
        ("4-players-opponents-2", "with 4 players against hoarder"),
    ]
    comparison = asked.tables[3].comparison(STANDARD, NOVICE)
    assert (comparison.base, comparison.changed, comparison.opponents) == (STANDARD, NOVICE, (HOARDER,) * 3)
    assert comparison.rules.players == 4
    assert asked.tables[0].as_data() == {"players": 2, "opponents": "novice"}


def test_without_other_opponents_they_play_like_the_base_and_are_not_told():
    (table,) = question().tables
    assert (table.name, table.words) == ("2-players", "with 2 players")
    assert table.comparison(STANDARD, NOVICE).opponents == (STANDARD,)


def test_matches_are_won_where_they_are_asked_about():
    assert [question(match=match).unit for match in (False, True)] == ["games", "matches"]
    assert question(match=True).tables[0].comparison(STANDARD, NOVICE).match


def test_nothing_is_measured_in_other_circumstances_unless_asked():
    assert question().measure_circumstances(None, None) == ()


@pytest.mark.parametrize(
    ("name", "more", "message"),
    [
        ("pass_hoard=3.7", {}, "changes nothing: standard plays like that already"),
        ("pass_hoard=1:3", {"everywhere": True}, "has several values: ask everywhere about one of them"),
        ("pass_hoard=0", {"fields": (NOVICE, HOARDER, NOVICE)}, "the opponents novice are given twice"),
    ],
)
def test_questions_that_make_no_sense_are_refused(name, more, message):
    with pytest.raises(InputError, match=message):
        question(name, **more)
