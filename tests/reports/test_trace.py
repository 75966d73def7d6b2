"""The told game: its reasons in words, its numbers, and its log."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest
from rich.text import Text

from reports.output.lines import WIDTH
from reports.output.moves import option_text
from reports.trace import choice_reason, comparison_story, cost_text, first_difference, parts_text, story, trace_data
from simulate import Deck, Rules, Table
from simulate.escalation import trace as tracing
from simulate.escalation.kernel.dealing import deck_order
from simulate.escalation.plain.reference import Choice, HeuristicPlayer, NumberSet, Take, View
from simulate.escalation.rules import WILD
from simulate.escalation.trace import LAST_RESORT_PART, PILE, Decided, Trace, Weighed, trace
from strategies.catalogue import named_strategies, strategy
from strategies.heuristic import FIRST_OF_ALL, LAST_RESORT
from strategies.parameters import CARD
from strategies.strategy import Strategy
from tests.simulate.escalation.cases import player, table, view

THREE = ("standard", "hoarder", "novice")


# Options and reasons in words


def test_costs_and_parts_are_told_in_cards() -> None:
    weighed = Weighed(NumberSet(7, 1, 1), -2 * CARD, {"wild_hold": 3 * CARD // 2, "shed": -7 * CARD // 2})
    assert cost_text(weighed.cost) == "-2.00"
    assert parts_text(weighed) == "wild_hold +1.50, shed -3.50"
    assert cost_text(FIRST_OF_ALL) == "first"
    assert cost_text(LAST_RESORT + 3 * CARD) == "last"
    assert parts_text(Weighed(Take(), 0, {LAST_RESORT_PART: LAST_RESORT, PILE: CARD})) == "pile +1.00, last resort"


def decided(asked: Strategy, seen: View, choice: Choice | None = None) -> Decided:
    choice = choice or HeuristicPlayer(asked).choose(seen)
    return tracing._decided(asked, seen, replace(choice, costs=HeuristicPlayer(asked).choose(seen).costs))


def test_a_choice_without_alternative_has_no_other_reason() -> None:
    assert choice_reason(decided(player(), view("3 3", target=12))) == "nothing else is legal"


def test_the_reason_is_the_least_cost_and_by_how_much() -> None:
    # 7 costs 0 cards, 8 half a card more, the take 3.
    seen = view("7 8 9 9", target=6)
    assert choice_reason(decided(player(overshoot=0.5), seen)) == "least cost: +0.00, 0.50 less than 8"


KINDS = "a play goes before a Pass and a Pass before a take"


@pytest.mark.parametrize(
    ("hand", "target", "pass_hoard", "reason"),
    [
        ("7 8", 6, 9, "+0.00, as is 8, but on equal cost the lower total goes first"),
        ("3 3 3 W", 8, 9, "+0.00, as is 3 3 W = 9, but on equal cost fewer wilds go first"),
        ("4 4 8", 7, 9, "+0.00, as is 4 4 = 8, but on equal cost fewer cards go first"),
        ("7 P", 6, 0, f"+0.00, as is Pass, but on equal cost {KINDS}"),
        ("1 P", 6, 3, f"+3.00, as is take 3, but on equal cost {KINDS}"),
    ],
)
def test_ties_are_told_with_what_decides_them(hand: str, target: int, pass_hoard: float, reason: str) -> None:
    assert choice_reason(decided(player(pass_hoard=pass_hoard), view(hand, target=target))) == f"least cost: {reason}"


def test_going_out_to_win_noise_and_the_last_resort_are_told() -> None:
    assert choice_reason(decided(player(finish=1), view("7 7", rest="", target=12))) == "goes out and wins"
    seen = view("7 7", target=6)
    assert choice_reason(decided(player(), seen, Choice(seen.options[1], random=True))) == "random (noise)"
    told = choice_reason(decided(player(early_take_limit=0), view("7", target=6)))
    assert told == "least cost: +0.00, while a take is only a last resort"


def test_every_named_strategy_can_be_told() -> None:
    for name in named_strategies():
        told = trace(table(name, "standard"), 2, 5)
        assert told.engines_agree
        assert list(story(told))


# The story. Four cards, two each; the seed's deal decides which, the rules the rest.


def tiny() -> Trace:
    rules = Rules(Deck.parse("1-4x1"), players=2, hand_size=2)
    return trace(Table(rules, (strategy("minimal"),) * 2, seating="given"), seed=1, deal=0)


def plain(lines: list[Text]) -> list[str]:
    return [line.plain for line in lines]


def test_the_story_tells_a_tiny_game() -> None:
    told = tiny()
    order = deck_order(told.table.rules.deck, 1, 0)
    first, second = sorted(order[:2]), sorted(order[2:])
    lines = plain(list(story(told)))
    assert lines[0] == "Deal 0 of seed 1: 2 players, seating given"
    assert "position 0 (seat 0, minimal)" in lines
    assert [line for line in lines if "is dealt" in line] == [
        f"  is dealt {first[0]} {first[1]}",
        f"  is dealt {second[0]} {second[1]}",
    ]
    # The minimal player leads his lower card; nothing is priced, so ties decide.
    assert "Turn 1: position 0 (seat 0, minimal)" in lines
    assert "  leads, own stack 0, the deck is empty" in lines
    assert f"  leads {first[0]}; least cost: +0.00, as is {first[1]}, but on equal cost the lower total" in " ".join(
        lines
    )
    assert lines[-1] == "The fast engine plays the same game, move by move."
    scores = [f"position {p}: stack" in line for p in range(2) for line in lines]
    assert sum(scores) == 2


def test_the_story_fits_80_columns() -> None:
    for deal in range(6):
        told = trace(table(*THREE), 1, deal)
        for brief in (False, True):
            assert max(map(len, plain(list(story(told, brief=brief))))) <= WIDTH == 80


def test_the_brief_story_has_one_line_per_turn() -> None:
    told = trace(table(*THREE), 1, 7)
    lines = plain(list(story(told, brief=True)))
    numbered = [line for line in lines if line[:3].strip().isdigit()]
    assert [int(line[:3]) for line in numbered] == list(range(1, len(told.turns) + 1))
    assert numbered[-1].endswith("goes out")
    assert len(lines) < len(told.turns) + 20


def test_the_end_tells_who_wins_and_why() -> None:
    told = trace(table(*THREE), 1, 7)
    lines = plain(list(story(told)))
    for position, score in enumerate(told.record.scores):
        stack, left = told.record.final.stacks[position], len(told.record.final.hands[position])
        line = next(
            line for line in lines if line.startswith(f"  position {position}: stack {stack} + hand {left} = {score}")
        )
        assert ("wins" in line or "shares the win" in line) == (score == min(told.record.scores))


def test_a_disagreement_is_told_as_such() -> None:
    lines = plain(list(story(replace(tiny(), engines_agree=False))))
    assert lines[-1] == "The fast engine plays a different game: one of the two engines is wrong."


# The log


def test_the_log_is_whole_and_plain() -> None:
    told = trace(table(*THREE, match=True), 1, 7)
    data = trace_data(told)
    assert json.loads(json.dumps(data, allow_nan=False)) == data
    assert [position["score"] for position in data["positions"]] == list(told.record.scores)
    assert (data["match"], data["seating"], data["engines_agree"]) == (True, "every", True)
    assert sum(len(turn["drawn"]) for turn in data["turns"]) <= len(data["deck"]) == 56 - 3 * 6
    assert [turn["turn"] for turn in data["turns"]] == list(range(1, len(told.turns) + 1))


def test_in_the_log_parts_add_up_to_costs_and_the_choice_is_legal() -> None:
    told = trace(table(*THREE), 1, 7)
    for turn, traced in zip(trace_data(told)["turns"], told.turns, strict=True):
        assert turn["hand"] == [str(card) if card <= 13 else "WP"[card - WILD] for card in traced.turn.hand]
        for decision, made in zip(turn["decisions"], traced.decisions, strict=True):
            assert all(sum(option["parts"].values()) == option["cost"] for option in decision["options"])
            chosen = decision["options"][decision["chosen"]]
            assert chosen["text"] == option_text(made.choice.option, made.view.pile)
            if not decision["random"] and len(decision["options"]) > 1:
                assert chosen["cost"] == min(option["cost"] for option in decision["options"])


def test_the_log_of_a_take_has_two_decisions() -> None:
    told = trace(table("early-taker", "early-taker"), 1, 3)
    takes = [turn for turn in trace_data(told)["turns"] if turn["took"]]
    assert takes
    for turn in takes:
        pile, lead = turn["decisions"]
        assert pile["options"][pile["chosen"]]["kind"] == "take"
        assert lead["options"][lead["chosen"]]["kind"] == "set"


def test_two_games_that_are_the_same_say_so() -> None:
    told = trace(table(*THREE), 1, 1)
    assert first_difference(told, told) is None
    assert any("the same, move by move" in line.plain for line in comparison_story(told, told))


def test_one_of_a_thing_is_told_as_one() -> None:
    """Two cards, two players: the first lays the only one that it holds and is out."""
    shortest = Table(Rules(Deck.parse("5x2"), players=2, hand_size=1), (strategy("minimal"),) * 2)
    lines = [line.plain for line in story(trace(shortest, 1, 0))]
    assert "Position 0 goes out after 1 turn; 1 card in the middle counts for nobody." in lines
