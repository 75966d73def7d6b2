"""Rulings are declared, listed and changed alike in both games."""

from __future__ import annotations

from dataclasses import dataclass

import pytest

from simulate.escalation import rules as escalation
from simulate.quickly import rules as quickly
from simulate.ruling import RuledGame, Ruling, ruling, rulings_note, rulings_of
from strategies.errors import InputError


@dataclass(frozen=True)
class Chess(RuledGame):
    """A game with a field that is no ruling and one that is."""

    boards: int = 1
    castling: bool = ruling(True, "may the king castle", "he may (false: never)")
    long_castling: bool = ruling(True, "to either side", "either (false: the short one)", "the books", needs="castling")


def test_the_declared_fields_are_the_rulings_and_no_others():
    assert rulings_of(Chess) == {
        "castling": Ruling("castling", True, "may the king castle", "he may (false: never)"),
        "long_castling": Ruling(
            "long_castling", True, "to either side", "either (false: the short one)", "the books", "castling"
        ),
    }
    assert Chess().castling is True


def test_a_ruling_is_changed_by_name_and_nothing_else_is():
    assert Chess(boards=2).with_rulings({"castling": False}) == Chess(2, False)
    assert Chess(boards=2).with_rulings({}) == Chess(2)


def test_an_unknown_ruling_is_refused_and_so_is_a_field_that_is_none():
    for name in ("castlin", "boards"):
        with pytest.raises(InputError, match="unknown ruling"):
            Chess().with_rulings({name: True})


def test_a_ruling_is_turned_over_together_with_the_one_that_it_needs():
    assert Chess().turned_over("castling") == {"castling": False}
    assert Chess().turned_over("long_castling") == {"long_castling": False}
    assert list(Chess(castling=False).turned_over("long_castling").items()) == [
        ("castling", True),
        ("long_castling", False),
    ]
    assert rulings_note(Chess(castling=False).turned_over("long_castling")) == "castling=true, long_castling=false"
    with pytest.raises(InputError, match="unknown ruling 'castlin': did you mean 'castling'"):
        Chess().turned_over("castlin")


def test_a_ruling_is_true_or_false():
    with pytest.raises(InputError, match="ruling castling is true or false, not 1"):
        Chess(castling=1).check_rulings()


@pytest.mark.parametrize("game", [escalation, quickly])
def test_every_ruling_says_which_gap_it_closes_and_how(game):
    for name, known in game.RULINGS.items():
        assert known.name == name
        assert known.gap.strip()
        assert known.effect.strip()
        assert isinstance(known.default, bool)
        assert not known.needs or known.needs in game.RULINGS
