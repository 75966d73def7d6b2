"""Decks and rules as data: what is read, what is refused, and what follows from a composition."""

from __future__ import annotations

import random
from dataclasses import replace
from math import factorial
from typing import Any

import pytest

from simulate.escalation.rules import (
    FIXED_RULINGS,
    MOST_COPIES,
    MOST_PASSES,
    MOST_WILDS,
    PASS,
    PRESETS,
    RULINGS,
    VALUES,
    WILD,
    Deck,
    Rules,
    card_name,
)
from strategies.errors import InputError

# Decks

COMPOSITIONS = {
    "jokers3": ([4] * 12 + [3], 3),
    "one-wild": ([4] * 12 + [5], 1),
    "even": ([4] * 13, 2),
    "descending": ([5] * 7 + [3] * 4 + [2] * 2, 3),
}


@pytest.mark.parametrize("name", PRESETS)
def test_every_preset_has_56_cards_of_which_two_are_passes(name: str) -> None:
    assert (PRESETS[name].size, PRESETS[name].passes) == (56, 2)
    assert PRESETS[name].cards().count(PASS) == 2


@pytest.mark.parametrize(("name", "composition"), COMPOSITIONS.items())
def test_a_preset_is_what_its_name_says(name: str, composition: tuple[list[int], int]) -> None:
    copies, wilds = composition
    assert Deck.parse(name) == Deck(tuple(copies), wilds, 2)
    assert Deck.parse(name).name == name


def test_the_presets_are_these() -> None:
    assert set(PRESETS) == set(COMPOSITIONS)
    assert Rules().deck == PRESETS["jokers3"]


@pytest.mark.parametrize(
    ("text", "cards"),
    [
        ("1-4x1", [1, 2, 3, 4]),
        ("3x2,1x1", [1, 3, 3]),
        ("13x1,Wx2,Px1", [13, WILD, WILD, PASS]),
        (" 5x1 , Px1 ", [5, PASS]),
        ("7-7x3", [7, 7, 7]),
        ("1x0,2x1", [2]),
    ],
)
def test_a_composition_is_read(text: str, cards: list[int]) -> None:
    assert Deck.parse(text).cards() == cards


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("1x1,2x1,3x1", "1-3x1"),
        ("Px1,Wx2,13x1,1x2", "1x2,13x1,Wx2,Px1"),
        ("jokers3", "1-12x4,13x3,Wx3,Px2"),
        ("one-wild", "1-12x4,13x5,Wx1,Px2"),
        ("even", "1-13x4,Wx2,Px2"),
        ("descending", "1-7x5,8-11x3,12-13x2,Wx3,Px2"),
    ],
)
def test_a_composition_is_shown_in_spans(text: str, shown: str) -> None:
    assert str(Deck.parse(text)) == shown


def random_deck(choose: random.Random) -> Deck:
    copies = tuple(choose.choice((0, 1, 4, choose.randint(0, MOST_COPIES))) for _ in VALUES)
    return Deck(copies, choose.randint(0, MOST_WILDS), choose.randint(1, MOST_PASSES))


def test_what_is_shown_reads_back_for_any_deck() -> None:
    choose = random.Random(20)
    for _ in range(500):
        deck = random_deck(choose)
        assert Deck.parse(str(deck)) == deck
        assert Deck.parse(deck.name) == deck
        assert deck.size == len(deck.cards()) == sum(deck.copies) + deck.wilds + deck.passes
        assert [deck.cards().count(value) for value in VALUES] == list(deck.copies)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "'' in deck '' is malformed.*1-12x4,13x3,Wx3,Px2"),
        ("1-4", "'1-4' in deck .* malformed"),
        ("1-4x", "malformed"),
        ("1-4x-1", "malformed"),
        ("1.5x2", "malformed"),
        ("Zx2", "unknown deck preset 'Zx2'.*or a composition: "),
        ("1x2,,3x1", "'' in deck .* malformed"),
        ("14x1", "no span of values from 1 to 13"),
        ("0-3x1", "no span of values"),
        ("4-2x1", "no span of values"),
        ("1x2,1x3", "'1' is given twice"),
        ("1-4x2,3x3", "'3' is given twice"),
        ("Wx1,Wx1", "'W' is given twice"),
        ("1x0", "a deck without cards is not allowed"),
        ("1x11", "11 copies of value 1 is not allowed: 0 to 10"),
        ("1x4,Wx7", "7 wilds is not allowed: 0 to 6"),
        ("1x4,Px7", "7 Passes is not allowed: 0 to 6"),
        ("joker3", "unknown deck preset 'joker3': did you mean 'jokers3'.*one-wild, even, descending"),
        ("oen-wild", "did you mean 'one-wild'"),
    ],
)
def test_a_deck_that_cannot_be_is_refused_with_what_is_allowed(text: str, message: str) -> None:
    with pytest.raises(InputError, match=message):
        Deck.parse(text)


def test_orderings_follow_the_multinomial_formula() -> None:
    assert Deck.parse("1-5x1,Px2").orderings() == factorial(7) // factorial(2)
    assert PRESETS["even"].orderings() == factorial(56) // (factorial(4) ** 13 * factorial(2) ** 2)


def test_cards_are_called_by_number_or_letter() -> None:
    assert [card_name(card) for card in (1, 13, WILD, PASS)] == ["1", "13", "W", "P"]


# Rules


@pytest.mark.parametrize(
    ("fields", "message"),
    [
        ({"players": 1}, "1 players is not allowed: 2 to 9"),
        ({"players": 10}, "10 players is not allowed: 2 to 9"),
        ({"players": 2.5}, "2.5 players is not allowed"),
        ({"hand_size": 0}, "0 cards in hand is not allowed: 1 to 10"),
        ({"hand_size": 11}, "11 cards in hand"),
        ({"wild_max": 0}, "0 as greatest wild value is not allowed: 1 to 7"),
        ({"wild_max": 8}, "8 as greatest wild value"),
        ({"lead_pass": 1}, "ruling lead_pass is true or false"),
    ],
)
def test_rules_out_of_bounds_are_refused(fields: dict[str, Any], message: str) -> None:
    with pytest.raises(InputError, match=message):
        Rules(**fields)


def test_the_deck_must_suffice_for_the_hands() -> None:
    assert Rules(PRESETS["even"], players=9, hand_size=6).players == 9  # 54 of 56 cards
    with pytest.raises(InputError, match="56 cards, too few for 9 players with 7 cards each: at least 63"):
        Rules(PRESETS["even"], players=9, hand_size=7)


DEFAULTS = {
    "lead_pass": False,
    "pass_hand_takes": True,
    "draw_before_end_check": True,
    "beat_own_total": True,
    "wild_only_sets": True,
}


def test_the_rulings_are_these_with_these_defaults() -> None:
    assert {name: ruling.default for name, ruling in RULINGS.items()} == DEFAULTS
    assert {name: getattr(Rules(), name) for name in RULINGS} == DEFAULTS


@pytest.mark.parametrize("name", DEFAULTS)
def test_a_ruling_can_be_changed_alone(name: str) -> None:
    changed = Rules().with_rulings({name: not DEFAULTS[name]})
    assert changed == replace(Rules(), **{name: not DEFAULTS[name]})
    assert RULINGS[name].gap
    assert RULINGS[name].effect


def test_an_unknown_ruling_is_refused_with_the_nearest_name() -> None:
    with pytest.raises(InputError, match=r"unknown ruling 'lead_passes': did you mean 'lead_pass'.*wild_only_sets"):
        Rules().with_rulings({"lead_passes": True})


def test_the_fixed_rulings_say_what_is_played() -> None:
    gaps = dict(FIXED_RULINGS)
    assert gaps["hand of only Pass cards that must open"] == "leads a Pass, announcing 0"
    assert gaps["ties"] == "share the win"


@pytest.mark.parametrize(
    ("deck", "greatest"),
    [
        ("jokers3", 48),  # four 12s; four 7s with three wilds are 49 only with seven cards in hand: six make 42
        ("even", 52),  # four 13s
        ("one-wild", 65),  # five 13s
        ("descending", 42),  # six of the five 7s and three wilds
    ],
)
def test_the_greatest_total_of_six_cards(deck: str, greatest: int) -> None:
    assert Rules(Deck.parse(deck)).greatest_total == greatest


def test_the_greatest_total_counts_wilds_up_to_their_greatest_value_and_the_hand() -> None:
    deck = Deck.parse("3x2,7x2,9x1,Wx3")
    assert Rules(deck, players=2, hand_size=4).greatest_total == 4 * 7
    assert Rules(deck, players=2, hand_size=3).greatest_total == 3 * 7
    assert Rules(deck, players=2, hand_size=4, wild_max=6).greatest_total == 3 * 6  # wilds alone
    assert Rules(deck, players=2, hand_size=4, wild_max=3).greatest_total == 2 * 7  # 4 x 3 = 12 is less
