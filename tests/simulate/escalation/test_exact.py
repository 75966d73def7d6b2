"""Exact results of tiny games: every vector as exact fractions, and the enumeration of orderings."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import permutations
from math import factorial
from pathlib import Path
from typing import Any

import pytest

from simulate.escalation.exact import (
    BATCH,
    MOST_ORDERINGS,
    ExactResult,
    distinct_orders,
    exact_by_kernel,
    exact_by_reference,
)
from simulate.escalation.plain.reference import HeuristicPlayer, play
from simulate.escalation.rules import RULINGS, Deck, Rules
from simulate.escalation.state import State
from strategies.catalogue import strategy
from strategies.errors import InputError
from strategies.strategy import Strategy

Exact = Callable[[Rules, Sequence[Strategy]], ExactResult]
BOTH_ENGINES = pytest.mark.parametrize("exact", [exact_by_reference, exact_by_kernel], ids=["reference", "kernel"])

VECTORS: dict[str, Any] = json.loads(Path(__file__).with_name("exact_vectors.json").read_text(encoding="utf-8"))


OF_VECTORS = {"lead_pass": False, "draw_before_end_check": False, "beat_own_total": True, "wild_only_sets": True}
"""The rulings that the vectors were computed by, whatever the defaults are."""


def rules_of(game: dict[str, Any]) -> Rules:
    rules = Rules(Deck.parse(game["deck"]), len(game["players"]), game["hand_size"], game["wild_max"])
    return rules.with_rulings(OF_VECTORS)


@BOTH_ENGINES
@pytest.mark.parametrize("game", VECTORS["games"], ids=lambda game: game["id"])
def test_every_vector_is_reproduced_exactly(game: dict[str, Any], exact: Exact) -> None:
    rules = rules_of(game)
    assert exact(rules, [strategy(name) for name in game["players"]]) == ExactResult(
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


@dataclass(frozen=True)
class TinyGame:
    """A game small enough to enumerate; its players are `;`-separated."""

    deck: str
    hand_size: int
    players: str
    wild_max: int = 7
    rulings: dict[str, bool] = field(default_factory=dict)

    def __str__(self) -> str:
        """Name the test case."""
        return f"{self.deck}/{self.hand_size}/{self.players}/{self.wild_max}/{','.join(self.rulings)}"


COPIES = [
    TinyGame("1x5,2x2", 3, "minimal;maximal"),
    TinyGame("1x6,7x2", 4, "shedder;minimal"),
    TinyGame("2x9,3x1,Wx1", 5, "shedder;standard"),
    TinyGame("1x10,5x1,Px1", 6, "maximal;shedder"),
    TinyGame("3x10,Wx2", 6, "minimal;jumper"),
    TinyGame("13x5,1x2,Wx1", 2, "minimal;standard;shedder"),
]
WILDS = [
    TinyGame("1-3x1,7x2,Wx1", 3, "jumper;minimal", wild_max=7),
    TinyGame("1-3x1,7x2,Wx1", 3, "jumper;minimal", wild_max=6),
    TinyGame("1-4x1,Wx2", 2, "maximal;minimal", wild_max=1),
    TinyGame("4x2,Wx4", 3, "maximal;hoarder", wild_max=3),
    TinyGame("1x1,Wx6", 3, "minimal;shedder", wild_max=2),
]
EVERY_RULING_AT_ONCE = {name: not ruling.default for name, ruling in RULINGS.items()}
ONE_RULING = [
    TinyGame(deck, hand_size, players, 3, dict(Rules().turned_over(ruling)))
    for ruling in RULINGS
    for deck, hand_size, players in [
        ("1-3x1,Wx2,Px2", 2, "minimal;standard"),
        ("2x2,5x1,Wx2,Px2", 2, "standard,pass_hoard=0;maximal;shedder"),
    ]
]
MIXED = [
    TinyGame("1-6x1,Px1", 2, "standard;early-taker;minimal"),
    TinyGame("1-4x1,Wx1,Px1", 1, "hoarder;jumper;standard;shedder"),
    TinyGame("2x2,9x2,12x1,Px2", 3, "standard,reserve=3;early-taker,early_take_limit=9"),
    TinyGame("1-3x2,Px1", 3, "minimal,finish=5;standard,pressure=1,early_aggression=2"),
    TinyGame("1x2,4x2,Wx1,Px2", 2, "standard;standard,finish=-1;minimal,standing=2", 5, EVERY_RULING_AT_ONCE),
    TinyGame("3x1,Wx1,Px4", 2, "minimal;shedder,pass_hoard=-1", 7, EVERY_RULING_AT_ONCE),
]


@pytest.mark.parametrize("game", COPIES + WILDS + ONE_RULING + MIXED, ids=str)
def test_reference_and_kernel_agree_on_other_tiny_games(game: TinyGame) -> None:
    players = [strategy(text) for text in game.players.split(";")]
    rules = Rules(Deck.parse(game.deck), len(players), game.hand_size, game.wild_max).with_rulings(game.rulings)
    assert exact_by_reference(rules, players) == exact_by_kernel(rules, players)


@BOTH_ENGINES
def test_a_one_card_hand_is_one_turn_where_an_empty_hand_ends_the_game_at_once(exact: Exact) -> None:
    # Position 0 lays the only card and is out; whoever else there is keeps one card.
    rules = Rules(Deck.parse("1-5x1"), players=3, hand_size=1, draw_before_end_check=False)
    result = exact(rules, [strategy("minimal")] * 3)
    assert (result.turns, result.scores) == (1, (0, 1, 1))
    assert (result.sole_win, result.tie) == ((1, 0, 0), 0)


@BOTH_ENGINES
def test_a_one_card_hand_is_drawn_again_until_the_deck_is_out(exact: Exact) -> None:
    # Two of three cards are dealt. Position 0 lays the first card and draws the third; position 1 beats it or takes it,
    # and is out, the deck being empty. Position 0 keeps one card; position 1 took one where the first card was greater.
    rules = Rules(Deck.parse("1-3x1"), players=2, hand_size=1)
    result = exact(rules, [strategy("minimal")] * 2)
    assert (result.turns, result.scores) == (2, (1, Fraction(1, 2)))
    assert (result.sole_win, result.tie) == ((0, Fraction(1, 2)), Fraction(1, 2))


@BOTH_ENGINES
def test_equal_cards_cannot_beat_each_other(exact: Exact) -> None:
    # Four equal cards, two each: the shedder leads both and is out, the other keeps two. The minimal player leads one;
    # the other can beat with his two and is out, while the middle counts for nobody: 1 to 0.
    rules = Rules(Deck.parse("9x4"), players=2, hand_size=2)
    assert exact(rules, [strategy("shedder"), strategy("minimal")]).scores == (0, 2)
    assert exact(rules, [strategy("minimal"), strategy("shedder")]).scores == (1, 0)


def test_progress_is_told_after_every_batch() -> None:
    rules = Rules(Deck.parse("1-7x1,Px1"), players=2, hand_size=2)
    told: list[int] = []
    exact_by_kernel(rules, [strategy("minimal")] * 2, told.append)
    assert told == [*range(BATCH, factorial(8), BATCH), factorial(8)]


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


@BOTH_ENGINES
def test_a_deck_with_too_many_orderings_is_refused(exact: Exact) -> None:
    deck = Deck.parse("1-10x1")
    assert deck.orderings() == 3_628_800 > MOST_ORDERINGS
    with pytest.raises(InputError, match=r"3,628,800 distinct orderings.* at most 2,000,000"):
        exact(Rules(deck, players=2, hand_size=2), [strategy("minimal")] * 2)


@BOTH_ENGINES
def test_a_strategy_with_noise_is_refused(exact: Exact) -> None:
    rules = Rules(Deck.parse("1-4x1"), players=2, hand_size=2)
    with pytest.raises(InputError, match="'novice' has noise"):
        exact(rules, [strategy("minimal"), strategy("novice")])


@BOTH_ENGINES
def test_a_table_of_the_wrong_size_is_refused(exact: Exact) -> None:
    rules = Rules(Deck.parse("1-4x1"), players=2, hand_size=2)
    with pytest.raises(InputError, match=r"1 strategies .* 2 players"):
        exact(rules, [strategy("minimal")])
