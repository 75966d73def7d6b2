"""Exact results of tiny games: every vector as exact fractions, and the enumeration of orderings."""

from __future__ import annotations

import json
from fractions import Fraction
from itertools import permutations
from math import factorial
from pathlib import Path
from typing import Any

import pytest

from simulate.escalation.exact import MOST_ORDERINGS, ExactResult, distinct_orders, exact_by_reference
from simulate.escalation.reference import HeuristicPlayer, play
from simulate.escalation.rules import Deck, Rules
from simulate.escalation.state import State
from strategies.catalogue import strategy
from strategies.errors import InputError

VECTORS: dict[str, Any] = json.loads(Path(__file__).with_name("exact_vectors.json").read_text(encoding="utf-8"))


def rules_of(game: dict[str, Any]) -> Rules:
    rules = Rules(Deck.parse(game["deck"]), len(game["players"]), game["hand_size"], game["wild_max"])
    return rules.with_rulings(game.get("rules", {}))


@pytest.mark.parametrize("game", VECTORS["games"], ids=lambda game: game["id"])
def test_the_reference_reproduces_every_vector_exactly(game: dict[str, Any]) -> None:
    rules = rules_of(game)
    assert exact_by_reference(rules, [strategy(name) for name in game["players"]]) == ExactResult(
        orderings=rules.deck.orderings(),
        scores=tuple(map(Fraction, game["scores"])),
        turns=Fraction(game["turns"]),
        sole_win=tuple(map(Fraction, game["sole_win"])),
        tie=Fraction(game["tie"]),
    )


@pytest.mark.parametrize("first_hand", [hand for hand in VECTORS["by_hand_V1"] if hand != "about"])
def test_the_reference_reproduces_the_first_vector_hand_by_hand(first_hand: str) -> None:
    rules = rules_of(VECTORS["games"][0])
    own = tuple(int(card) for card in first_hand)
    order = own + tuple(card for card in (1, 2, 3, 4) if card not in own)
    minimal = HeuristicPlayer(strategy("minimal"))
    record = play(rules, [minimal, minimal], State.dealt(rules, order), 0)
    assert list(record.scores) == VECTORS["by_hand_V1"][first_hand]


@pytest.mark.parametrize(
    ("deck", "count"),
    [
        ("1-4x1", factorial(4)),
        ("1x3,2x3", factorial(6) // (factorial(3) * factorial(3))),
        ("1x2,2x2,3x2,Wx1,Px1", factorial(8) // 2**3),
        ("1-5x1,Px2", factorial(7) // 2),
        ("13x4", 1),
    ],
)
def test_there_are_as_many_orderings_as_the_multinomial_formula_says(deck: str, count: int) -> None:
    orders = distinct_orders(Deck.parse(deck))
    assert orders.shape == (count, Deck.parse(deck).size)
    assert len({tuple(order) for order in orders.tolist()}) == count


def test_the_orderings_are_the_distinct_permutations_in_lexicographic_order() -> None:
    deck = Deck.parse("2x2,3x1,Wx1,Px2")
    assert list(map(tuple, distinct_orders(deck).tolist())) == sorted(set(permutations(deck.cards())))


def test_totals_become_fractions_per_game() -> None:
    result = ExactResult.from_totals(12, scores=[8, 14], turns=36, sole_wins=[6, 3])
    assert result == ExactResult(
        orderings=12,
        scores=(Fraction(2, 3), Fraction(7, 6)),
        turns=Fraction(3),
        sole_win=(Fraction(1, 2), Fraction(1, 4)),
        tie=Fraction(1, 4),
    )


def test_a_deck_with_too_many_orderings_is_refused() -> None:
    deck = Deck.parse("1-10x1")
    assert deck.orderings() == 3_628_800 > MOST_ORDERINGS
    with pytest.raises(InputError, match=r"3,628,800 distinct orderings.* at most 2,000,000"):
        exact_by_reference(Rules(deck, players=2, hand_size=2), [strategy("minimal")] * 2)


def test_a_strategy_with_noise_is_refused() -> None:
    rules = Rules(Deck.parse("1-4x1"), players=2, hand_size=2)
    with pytest.raises(InputError, match="'novice' has noise"):
        exact_by_reference(rules, [strategy("minimal"), strategy("novice")])


def test_a_table_of_the_wrong_size_is_refused() -> None:
    rules = Rules(Deck.parse("1-4x1"), players=2, hand_size=2)
    with pytest.raises(InputError, match="1 strategies given, the rules have 2 players"):
        exact_by_reference(rules, [strategy("minimal")])
