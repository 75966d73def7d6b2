"""The slow engine against the rules, one ruling at a time; expected values are worked out from the rules by hand."""

from __future__ import annotations

import random
from collections import Counter
from dataclasses import replace
from itertools import combinations
from typing import Any

import pytest

from simulate.escalation.plain.reference import (
    Choice,
    FunctionPlayer,
    GameRecord,
    HeuristicPlayer,
    NumberSet,
    Option,
    Pass,
    Take,
    View,
    after_laying,
    after_taking,
    greatest_total,
    legal_options,
    play,
    wins_outright,
)
from simulate.escalation.rules import PASS, PRESETS, WILD, Deck, Rules
from simulate.escalation.state import NOBODY, TELEMETRY, State
from simulate.rng import draw
from strategies.catalogue import strategy
from strategies.errors import InputError
from strategies.heuristic import FIRST_OF_ALL, LAST_RESORT
from strategies.parameters import CARD
from strategies.strategy import Strategy
from tests.simulate.escalation.cases import most_turns

RULES = Rules(players=2)
LEAD_PASS = Rules(players=2, lead_pass=True)
OWN_TOTAL_FREE = Rules(players=2, beat_own_total=False)
ENDS_AT_ONCE = Rules(players=2, draw_before_end_check=False)
NOISE_KEY = 12345


def cards(text: str) -> tuple[int, ...]:
    """Read cards such as `7 7 W P`."""
    return tuple({"W": WILD, "P": PASS}.get(card) or int(card) for card in text.split())


def leading(hand: str, other: str = "1 1 1 1 1 1", rest: str = "2 2 2 2 2 2", **fields: Any) -> State:
    """Position 0 of two is about to lead with this hand."""
    return replace(State((cards(hand), cards(other)), (0, 0), cards(rest)), **fields)


def facing(target: int, hand: str, other: str = "1 1 1 1 1 1", rest: str = "2 2 2 2 2 2", **fields: Any) -> State:
    """Position 0 of two faces a target with this hand; the pile has three cards unless told."""
    return leading(hand, other, rest, **{"target": target, "pile": 3, "announcer": 1, **fields})


def options(state: State, rules: Rules = RULES) -> set[Option]:
    return set(legal_options(rules, state))


def sets(state: State, rules: Rules = RULES) -> set[Option]:
    return {option for option in options(state, rules) if isinstance(option, NumberSet)}


def scripted(*moves: Option) -> FunctionPlayer:
    """Make exactly these moves; a take and the lead after it are two."""
    script = iter(moves)
    return FunctionPlayer(lambda _view: next(script))


def heuristic(**parameters: float) -> HeuristicPlayer:
    return HeuristicPlayer(Strategy.from_parameters("test", parameters))


def view_of(state: State, rules: Rules = RULES) -> View:
    return View.of_mover(rules, state, NOISE_KEY)


def deal(deck: str, order: str, hand_size: int, players: int = 2, **rulings: bool) -> tuple[Rules, State]:
    """Deal a tiny deck in this order."""
    rules = Rules(Deck.parse(deck), players, hand_size).with_rulings(rulings)
    return rules, State.dealt(rules, cards(order))


# Sets


def test_a_lead_is_any_number_cards_of_one_value() -> None:
    assert options(leading("3 3 5")) == {NumberSet(3, 1), NumberSet(3, 2), NumberSet(5, 1)}


def test_a_set_must_be_strictly_above_the_target() -> None:
    assert options(facing(5, "3 3 5")) == {NumberSet(3, 2), Take()}
    assert options(facing(6, "3 3 5")) == {Take()}


def test_the_announced_total_is_the_sum_of_this_play_alone() -> None:
    after, _ = after_laying(RULES, facing(5, "4 4 5"), NumberSet(4, 2))
    assert (after.target, after.pile, after.announcer) == (8, 5, 0)


def test_a_wild_counts_as_any_one_value_from_one_to_seven() -> None:
    assert sets(leading("W")) == {NumberSet(value, 0, 1) for value in (1, 2, 3, 4, 5, 6, 7)}


def test_a_wild_counts_at_most_wild_max() -> None:
    assert sets(leading("W"), Rules(players=2, wild_max=2)) == {NumberSet(1, 0, 1), NumberSet(2, 0, 1)}


def test_a_wild_stands_beside_natural_cards_of_its_value() -> None:
    assert sets(facing(14, "7 7 W")) == {NumberSet(7, 2, 1)}


def test_a_wild_does_not_stand_beside_cards_above_its_greatest_value() -> None:
    assert sets(facing(7, "8 W")) == {NumberSet(8, 1)}


def test_wilds_alone_are_a_set_with_one_shared_value() -> None:
    assert sets(leading("W W")) == {NumberSet(value, 0, wilds) for value in range(1, 8) for wilds in (1, 2)}


def test_wild_only_sets_false_forbids_two_or_more_wilds_alone() -> None:
    rules = Rules(players=2, wild_only_sets=False)
    assert sets(leading("W W"), rules) == {NumberSet(value, 0, 1) for value in range(1, 8)}
    assert sets(facing(7, "W W"), rules) == set()
    assert sets(facing(14, "7 W W"), rules) == {NumberSet(7, 1, 2)}


def test_options_are_sorted_by_kind_then_total_then_wilds_then_cards() -> None:
    listed = legal_options(RULES, facing(5, "3 3 6 W W P"))
    assert listed[:6] == (
        NumberSet(6, 1),
        NumberSet(3, 2),
        NumberSet(6, 0, 1),
        NumberSet(3, 1, 1),
        NumberSet(3, 0, 2),
        NumberSet(7, 0, 1),
    )
    assert listed[-2:] == (Pass(), Take())


# Passes


def test_a_pass_keeps_target_and_announcer_and_joins_the_pile() -> None:
    after, _ = after_laying(RULES, facing(9, "3 P"), Pass())
    assert (after.target, after.announcer, after.pile, after.mover) == (9, 1, 4, 1)


def test_a_pass_is_legal_although_a_set_beats() -> None:
    assert options(facing(2, "3 P")) == {NumberSet(3, 1), Pass(), Take()}


def test_a_pass_may_not_be_led() -> None:
    assert options(leading("3 P")) == {NumberSet(3, 1)}


def test_lead_pass_allows_a_led_pass_which_announces_nothing() -> None:
    assert options(leading("3 P"), LEAD_PASS) == {NumberSet(3, 1), Pass()}
    after, _ = after_laying(LEAD_PASS, leading("3 P", other="1 2"), Pass())
    assert (after.target, after.announcer, after.pile) == (0, 0, 1)
    assert options(after, LEAD_PASS) == {NumberSet(1, 1), NumberSet(2, 1), Take()}


def test_a_hand_of_only_passes_facing_a_pile_must_pass() -> None:
    assert options(facing(3, "P P")) == {Pass()}


def test_lead_pass_lets_a_hand_of_only_passes_take() -> None:
    assert options(facing(3, "P P"), LEAD_PASS) == {Pass(), Take()}


def test_pass_hand_takes_false_makes_a_hand_of_only_passes_pass_although_it_may_lead_one() -> None:
    rules = replace(LEAD_PASS, pass_hand_takes=False)
    assert options(facing(3, "P P"), rules) == {Pass()}
    assert options(leading("3 P"), rules) == {NumberSet(3, 1), Pass()}
    assert options(facing(3, "3 P"), rules) == {Pass(), Take()}


def test_pass_hand_takes_matters_only_where_a_pass_may_be_led() -> None:
    rules = Rules(players=2, pass_hand_takes=False)
    for state in (facing(3, "P P"), facing(3, "3 P"), leading("P P"), leading("3 P")):
        assert options(state, rules) == options(state)


def test_a_wild_beside_passes_is_enough_to_take() -> None:
    assert options(facing(7, "P W")) == {Pass(), Take()}


def test_a_hand_of_only_passes_that_must_open_leads_a_pass_announcing_nothing() -> None:
    state = leading("P P")
    assert options(state) == {Pass()}
    after, _ = after_laying(RULES, state, Pass())
    assert (after.target, after.announcer, after.pile) == (0, 0, 1)


# The own total


def test_the_own_total_must_be_beaten_when_it_comes_back() -> None:
    assert options(facing(9, "3 10 P", announcer=0)) == {NumberSet(10, 1), Pass(), Take()}


def test_beat_own_total_false_lets_any_set_do() -> None:
    state = facing(9, "3 10 P", announcer=0)
    assert options(state, OWN_TOTAL_FREE) == {NumberSet(3, 1), NumberSet(10, 1), Pass(), Take()}


def test_beat_own_total_false_does_not_help_against_another_players_total() -> None:
    assert sets(facing(9, "3 10", announcer=1), OWN_TOTAL_FREE) == {NumberSet(10, 1)}


def test_beat_own_total_false_leaves_the_pile_where_it_is() -> None:
    after, _ = after_laying(OWN_TOTAL_FREE, facing(9, "3 10 P", announcer=0), NumberSet(3, 1))
    assert (after.target, after.pile, after.announcer) == (3, 4, 0)


def test_beat_own_total_false_lets_a_pass_repeat_the_old_total() -> None:
    after, _ = after_laying(OWN_TOTAL_FREE, facing(9, "3 10 P", other="8 13", announcer=0), Pass())
    assert (after.target, after.pile, after.announcer) == (9, 4, 0)
    assert sets(after, OWN_TOTAL_FREE) == {NumberSet(13, 1)}


def test_beat_own_total_false_prices_a_set_as_against_a_target_of_nothing() -> None:
    player = heuristic(overshoot=1)
    state = facing(9, "3 10", announcer=0)
    assert player.cost(view_of(state, OWN_TOTAL_FREE), NumberSet(10, 1)) == 9 * CARD
    assert player.cost(view_of(state, RULES), NumberSet(10, 1)) == 0


# Takes, turns and drawing


def test_a_take_moves_the_pile_to_the_own_stack_and_leads_any_set() -> None:
    state = after_taking(facing(9, "3 P", pile=5, stacks=(2, 1)))
    assert (state.stacks, state.pile, state.target, state.announcer, state.mover) == ((7, 1), 0, 0, NOBODY, 0)
    assert options(state) == {NumberSet(3, 1)}


def test_a_take_with_its_lead_is_one_turn() -> None:
    rules, state = deal("1-4x1", "1 2 3 4", hand_size=2)
    record = play(rules, [scripted(NumberSet(1, 1), Take(), NumberSet(2, 1)), scripted(NumberSet(3, 1))], state, 0)
    assert [(turn.position, turn.number) for turn in record.turns] == [(0, 0), (1, 0), (0, 1)]
    last = record.turns[-1]
    assert (last.hand, last.target, last.pile, last.announcer) == ((2,), 3, 2, 1)
    assert (last.first.options, last.first.choice.option) == ((Take(),), Take())
    assert last.lead is not None
    assert (last.lead.options, last.laid) == ((NumberSet(2, 1),), NumberSet(2, 1))


def test_turns_go_clockwise_from_position_0() -> None:
    rules, state = deal("1-6x1", "1 2 3 4 5 6", hand_size=2, players=3)
    record = play(rules, [HeuristicPlayer(strategy("minimal"))] * 3, state, 0)
    assert [turn.position for turn in record.turns] == [0, 1, 2, 0]


def test_the_hand_is_drawn_back_up_while_the_deck_lasts() -> None:
    rules = Rules(players=2, hand_size=4)
    after, drawn = after_laying(rules, leading("5 5 5 9", rest="8 2 7 1"), NumberSet(5, 3))
    assert (drawn, after.hands[0], after.rest) == ((8, 2, 7), (2, 7, 8, 9), (1,))


def test_what_is_left_is_taken_when_the_deck_runs_out() -> None:
    rules = Rules(players=2, hand_size=4)
    after, drawn = after_laying(rules, leading("5 5 5 9", rest="8"), NumberSet(5, 3))
    assert (drawn, after.hands[0], after.rest) == ((8,), (8, 9), ())


def test_the_deal_gives_hand_size_cards_to_each_position_in_turn() -> None:
    _, state = deal("1-7x1", "7 6 5 4 3 2 1", hand_size=3)
    assert (state.hands, state.rest) == (((5, 6, 7), (2, 3, 4)), (1,))


# The end


def test_draw_before_end_check_false_ends_the_game_the_moment_a_hand_is_empty() -> None:
    rules, state = deal("1x2,2x1,3x1,4x2", "1 1 2 3 4 4", hand_size=2, draw_before_end_check=False)
    record = play(rules, [scripted(NumberSet(1, 2)), scripted()], state, 0)
    assert (len(record.turns), record.out_first, record.scores, record.middle) == (1, 0, (0, 2), 2)
    assert (record.final.rest, record.turns[0].drawn) == ((4, 4), ())


def test_an_empty_hand_is_filled_first_and_the_game_ends_once_the_deck_is_empty() -> None:
    rules, state = deal("1x2,2x1,3x1,4x2", "1 1 2 3 4 4", hand_size=2)
    players = [scripted(NumberSet(1, 2), NumberSet(4, 2)), scripted(NumberSet(3, 1))]
    record = play(rules, players, state, 0)
    # Two 1s, both 4s drawn; a 3; two 4s, and there is nothing left to draw.
    assert record.turns[0].drawn == (4, 4)
    assert (len(record.turns), record.out_first, record.scores, record.middle) == (3, 0, (0, 1), 5)


def test_a_score_is_stack_and_hand_and_the_middle_counts_for_nobody() -> None:
    record = hand_written_game()
    assert (record.final.stacks, record.final.hands, record.middle) == ((3, 3), ((5,), ()), 1)
    assert (record.scores, record.out_first) == ((4, 3), 1)


def hand_written_game() -> GameRecord:
    """Play eight cards out: a jump of 7 and wild, a Pass, forced takes and one willing take."""
    rules, state = deal("1-5x1,7x1,Wx1,Px1", "7 W 1 P 2 3 5 4", hand_size=3)
    first = scripted(NumberSet(7, 1, 1), Take(), NumberSet(1, 1), NumberSet(4, 1))
    second = scripted(Pass(), Take(), NumberSet(3, 1), Take(), NumberSet(2, 1))
    return play(rules, [first, second], state, 0)


def test_the_log_tells_hands_targets_piles_and_draws() -> None:
    turns = hand_written_game().turns
    told = [(turn.position, turn.hand, turn.target, turn.pile, turn.announcer, turn.drawn) for turn in turns]
    assert told == [
        (0, cards("1 7 W"), 0, 0, NOBODY, (5, 4)),
        (1, cards("2 3 P"), 14, 2, 0, ()),
        (0, cards("1 4 5"), 14, 3, 0, ()),
        (1, cards("2 3"), 1, 1, 0, ()),
        (0, cards("4 5"), 3, 1, 1, ()),
        (1, cards("2"), 4, 2, 0, ()),
    ]


def test_telemetry_counts_what_each_player_did() -> None:
    counts = [dict(zip(TELEMETRY, row, strict=True)) for row in hand_written_game().telemetry()]
    assert counts[0] == {
        "turns": 3,
        "takes": 1,
        "willing_takes": 0,
        "cards_taken": 3,
        "passes": 0,
        "wilds": 1,
        "wild_seven_jumps": 1,
        "sets": 1,
        "cards_left": 1,
        "out_first": 0,
    }
    assert counts[1] == {
        "turns": 3,
        "takes": 2,
        "willing_takes": 1,
        "cards_taken": 3,
        "passes": 1,
        "wilds": 0,
        "wild_seven_jumps": 0,
        "sets": 0,
        "cards_left": 0,
        "out_first": 1,
    }


def test_a_game_starts_from_any_position() -> None:
    rules = Rules(Deck.parse("1-6x1"), players=2, hand_size=2)
    state = State(((1,), (2, 5)), (0, 1), (), mover=1, pile=2, target=4, announcer=0, turns_taken=(2, 1))
    record = play(rules, [scripted(Take(), NumberSet(1, 1)), scripted(NumberSet(5, 1))], state, 0)
    assert [(turn.position, turn.number) for turn in record.turns] == [(1, 1), (0, 2)]
    assert (record.scores, record.middle, record.out_first) == ((3, 2), 1, 0)


# Invariants


@pytest.mark.parametrize(
    "rules",
    [
        Rules(players=2),
        Rules(players=6),
        Rules(PRESETS["descending"], players=3, lead_pass=True, wild_only_sets=False),
        Rules(PRESETS["even"], players=4, beat_own_total=False),
        Rules(PRESETS["one-wild"], players=4, draw_before_end_check=False),
        Rules(Deck.parse("1-3x2,Wx2,Px6"), players=2, hand_size=3),
    ],
    ids=lambda rules: f"{rules.deck.name}-{rules.players}",
)
def test_every_game_keeps_all_cards_and_ends_within_the_bound_on_turns(rules: Rules) -> None:
    shuffler = random.Random(7)
    players = [
        HeuristicPlayer(strategy(name)) for name in ("random", "standard", "novice", "maximal", "shedder", "jumper")
    ]
    for game in range(12):
        order = rules.deck.cards()
        shuffler.shuffle(order)
        record = play(rules, players[: rules.players], State.dealt(rules, tuple(order)), draw(NOISE_KEY, game))
        assert sum(record.scores) + record.middle + len(record.final.rest) == rules.deck.size
        assert len(record.turns) <= most_turns(rules)
        assert record.final.hands[record.out_first] == ()
        assert all(hand for position, hand in enumerate(record.final.hands) if position != record.out_first)
        assert sum(row[TELEMETRY.index("turns")] for row in record.telemetry()) == len(record.turns)
        assert all(turn.target <= rules.greatest_total for turn in record.turns)
        assert all(turn.number < 256 for turn in record.turns)


@pytest.mark.parametrize(("deck", "greatest"), [("jokers3", 48), ("even", 52), ("one-wild", 65)])
def test_the_greatest_total_of_a_deck(deck: str, greatest: int) -> None:
    rules = Rules(PRESETS[deck])
    values = range(1, 14)
    # The best hand for a value: all its copies, filled up with wilds.
    hands = [([value] * rules.deck.copies[value - 1] + [WILD] * rules.deck.wilds)[:6] for value in values]
    assert max(greatest_total(rules, hand) for hand in hands) == greatest
    assert rules.greatest_total == greatest


@pytest.mark.parametrize("wild_only_sets", [True, False])
def test_the_greatest_total_of_a_deck_is_that_of_its_best_hand(wild_only_sets: bool) -> None:
    """The kernel makes room for totals up to it: over all hands of tiny decks there is none above."""
    drawer, found = random.Random(5), set()
    for _ in range(60):
        copies = tuple(drawer.choice((0, 0, 0, 1, 2)) for _ in range(13))
        deck = Deck(copies, drawer.randint(0, 4), passes=2)
        hand_size = drawer.randint(1, min(4, deck.size // 2))
        rules = Rules(deck, 2, hand_size, drawer.randint(1, 7), wild_only_sets=wild_only_sets)
        if deck.size <= 14:
            hands = set(combinations(deck.cards(), hand_size))
            assert rules.greatest_total == max(greatest_total(rules, hand) for hand in hands)
            found.add(rules.greatest_total)
    assert len(found) > 5


def test_the_greatest_total_in_hand_is_that_of_its_best_lead() -> None:
    assert greatest_total(RULES, cards("6 6 W 13 P")) == 18
    assert greatest_total(RULES, cards("2 W 5 P")) == 10
    assert greatest_total(Rules(wild_max=5), cards("6 6 W 13 P")) == 13
    assert greatest_total(RULES, cards("W W 8")) == 14
    assert greatest_total(Rules(wild_only_sets=False), cards("W W 8")) == 8
    assert greatest_total(RULES, cards("W W")) == 14
    assert greatest_total(RULES, cards("P P")) == 0


# What a player may know


def test_a_view_holds_the_cards_not_yet_seen_and_no_hand_but_the_own() -> None:
    rules = Rules(Deck.parse("1-6x2"), players=2, hand_size=2)
    state = State(((1, 2), (6, 3)), (1, 2), (5, 4), mover=0, pile=3, target=6, announcer=1)
    view = view_of(state, rules)
    assert (view.hand, view.unseen, view.deck_left) == ((1, 2), (3, 4, 5, 6), 2)
    assert (view.hand_sizes, view.stacks, view.pile, view.target) == ((2, 2), (1, 2), 3, 6)


def test_unseen_cards_are_the_deck_list_without_own_hand_and_cards_played() -> None:
    rules = Rules(players=3)
    seen: list[tuple[View, Counter[int]]] = []
    played: Counter[int] = Counter()

    def first_option(view: View) -> Option:
        seen.append((view, Counter(played)))
        option = view.options[0]
        if not isinstance(option, Take):
            played.update(option.laid)
        return option

    order = rules.deck.cards()
    random.Random(3).shuffle(order)
    play(rules, [FunctionPlayer(first_option)] * 3, State.dealt(rules, tuple(order)), 0)
    for view, played_before in seen:
        assert Counter(view.unseen) == Counter(rules.deck.cards()) - Counter(view.hand) - played_before


def test_a_player_that_breaks_the_rules_is_refused() -> None:
    rules, state = deal("1-4x1", "1 2 3 4", hand_size=2)
    with pytest.raises(InputError, match=r"position 0 chose NumberSet.* not legal"):
        play(rules, [scripted(NumberSet(3, 1)), scripted()], state, 0)


def test_a_table_of_the_wrong_size_is_refused() -> None:
    rules, state = deal("1-4x1", "1 2 3 4", hand_size=2)
    with pytest.raises(InputError, match="1 players given, the rules have 2"):
        play(rules, [scripted()], state, 0)


def test_a_state_that_does_not_fit_the_rules_is_refused() -> None:
    rules, state = deal("1-4x1", "1 2 3 4", hand_size=2)
    with pytest.raises(InputError, match="pile and stacks"):
        play(rules, [scripted(), scripted()], replace(state, stacks=(1, 0)), 0)


# The heuristic player


def test_equal_costs_go_to_a_play_before_a_pass_before_a_take() -> None:
    indifferent = heuristic(early_take=3, early_take_limit=3)
    state = facing(2, "3 P")
    assert indifferent.choose(view_of(state)) == Choice(NumberSet(3, 1), (0, 0, 0))
    assert indifferent.choose(view_of(replace(state, target=3))) == Choice(Pass(), (0, 0))


def test_equal_plays_go_to_the_lowest_total_then_fewest_wilds_then_fewest_cards() -> None:
    indifferent = heuristic()
    assert indifferent.choose(view_of(facing(5, "3 3 6 7"))).option == NumberSet(6, 1)
    assert indifferent.choose(view_of(facing(5, "3 3 W 7"))).option == NumberSet(3, 2)
    assert indifferent.choose(view_of(facing(5, "3 3 8"))).option == NumberSet(3, 2)


def test_a_take_above_the_limit_ranks_after_everything_else() -> None:
    eager = heuristic(early_take=1000, early_take_limit=2.5, pass_hoard=500)
    state = facing(9, "3 P", pile=3)
    assert eager.choose(view_of(state)) == Choice(Pass(), (500 * CARD, -997 * CARD + LAST_RESORT))
    assert eager.choose(view_of(replace(state, pile=2))).option == Take()


def test_a_beat_is_priced_by_overshoot_cards_wilds_and_what_stays_in_hand() -> None:
    player = heuristic(
        overshoot=0.5, shed=2, wild_hold=4, wild_seven_jump=1, split_set=8, high_hold=0.25, reserve=0.125
    )
    view = view_of(facing(10, "7 7 W 2 2 2"))
    # 7 and wild: 14 is 3 too many, 2 cards, 1 wild, a jump, one 7 left; the greatest total falls from 21 to 7.
    assert player.cost(view, NumberSet(7, 1, 1)) == (1.5 - 2 + 4 - 1 + 8 + 1.75 + 1.75) * CARD
    # Two 7s: no wild, none left; two 2s would not do; afterwards the best is three 2s and the wild, 8.
    assert player.cost(view, NumberSet(7, 2)) == (1.5 - 2 + 3.5 + 1.625) * CARD


def test_a_lead_is_priced_by_total_and_cards_instead() -> None:
    player = heuristic(overshoot=100, shed=100, pressure=4, early_aggression=100, lead_total=0.5, lead_shed=2)
    assert player.cost(view_of(leading("7 7 2")), NumberSet(7, 2)) == (7 - 2) * CARD


def test_pressure_grows_with_the_pile_and_early_aggression_ends_above_three_cards() -> None:
    player = heuristic(pressure=0.5, early_aggression=2)
    state = facing(3, "6 6 6")
    assert player.cost(view_of(replace(state, pile=3)), NumberSet(6, 1)) == -(0.5 * 3 + 2) * 2 * CARD
    assert player.cost(view_of(replace(state, pile=4)), NumberSet(6, 1)) == -(0.5 * 4) * 2 * CARD


def test_endgame_shed_counts_once_the_deck_is_empty_for_beats_and_leads() -> None:
    player = heuristic(endgame_shed=1, danger_shed=4)
    assert player.cost(view_of(facing(3, "4 4 9", other="1 1 1")), NumberSet(4, 2)) == 0
    assert player.cost(view_of(facing(3, "4 4 9", other="1 1 1", rest="")), NumberSet(4, 2)) == -2 * CARD
    assert player.cost(view_of(leading("4 4 9", other="1 1 1", rest="")), NumberSet(4, 2)) == -2 * CARD


def test_danger_is_an_empty_deck_and_an_opponent_with_two_cards_or_fewer() -> None:
    player = heuristic(danger_shed=4)
    assert player.cost(view_of(leading("4 4 9", other="1 1", rest="")), NumberSet(4, 2)) == -8 * CARD
    assert player.cost(view_of(leading("4 4 9", other="1 1", rest="5")), NumberSet(4, 2)) == 0
    assert player.cost(view_of(leading("4 9", other="1 1 1", rest="")), NumberSet(4, 1)) == 0


def test_a_take_is_priced_by_the_pile_and_the_standing_of_the_match() -> None:
    player = heuristic(early_take=1, early_take_limit=9, endgame_take=2, standing=0.5)
    state = State(((9, 9), (1, 1), (1, 1)), (4, 3, 9), (), 0, 5, 12, 1, carried=(10, 0, 1))
    view = view_of(state, Rules(players=3))
    # Own 14, others 3 and 10: 11 behind the best.
    assert player.cost(view, Take()) == (5 - 1 - 2 + 5.5) * CARD
    assert player.cost(replace(view, deck_left=1), Take()) == (5 - 1 + 5.5) * CARD


def test_going_out_is_first_of_all_when_it_wins_outright() -> None:
    player = heuristic(finish=2, overshoot=1)
    view = view_of(facing(2, "9", other="1 1", rest="", stacks=(3, 1)))
    assert player.cost(view, NumberSet(9, 1)) == FIRST_OF_ALL


def test_going_out_without_winning_costs_finish_more() -> None:
    player = heuristic(finish=2, overshoot=1)
    view = view_of(facing(2, "9", other="1 1", rest="", stacks=(4, 1)))
    assert player.cost(view, NumberSet(9, 1)) == (2 + 6) * CARD


def test_going_out_with_a_pass_is_a_finish_too() -> None:
    player = heuristic(finish=2, pass_hoard=3)
    assert player.cost(view_of(facing(9, "P", other="1 1", rest="", stacks=(3, 1))), Pass()) == FIRST_OF_ALL
    assert player.cost(view_of(facing(9, "P", other="1 1", rest="", stacks=(4, 1))), Pass()) == 5 * CARD


def test_a_player_whose_finish_is_zero_does_not_look() -> None:
    view = view_of(facing(2, "9", other="1 1", rest=""))
    assert heuristic(overshoot=1).cost(view, NumberSet(9, 1)) == 6 * CARD


def test_an_empty_hand_is_no_finish_while_cards_are_drawn_first() -> None:
    player = heuristic(finish=2)
    state = facing(2, "9", other="1 1", rest="5")
    assert player.cost(view_of(state), NumberSet(9, 1)) == 0
    assert player.cost(view_of(replace(state, rest=())), NumberSet(9, 1)) == FIRST_OF_ALL
    assert player.cost(view_of(state, ENDS_AT_ONCE), NumberSet(9, 1)) == FIRST_OF_ALL


def test_winning_outright_looks_at_this_game_only_and_at_every_opponent() -> None:
    state = State(((9,), (1, 1), (1, 1, 1)), (3, 1, 0), (), 0, 2, 4, 1, carried=(50, 0, 0))
    three = Rules(players=3)
    assert wins_outright(view_of(state, three))
    assert not wins_outright(view_of(replace(state, stacks=(4, 5, 0)), three))


def test_the_lead_after_a_take_minds_the_stack_that_the_take_left() -> None:
    # Two cards taken make the own stack 2, against one card in the other hand: going out no longer wins.
    rules = Rules(Deck.parse("1-4x1"), players=2, hand_size=2)
    state = State(((1,), (4,)), (0, 0), (), 0, 2, 3, 1)
    looking = heuristic(finish=2)
    record = play(rules, [looking, scripted()], state, 0)
    lead = record.turns[0].lead
    assert lead is not None
    assert lead.choice.costs == (2 * CARD,)


# Noise


def noise_draw(position: int, number: int, what: int) -> int:
    return draw(NOISE_KEY, (position * 256 + number) * 4 + what) >> 32


def test_noise_fires_by_the_first_draw_of_the_own_turn() -> None:
    for number in range(20):
        state = replace(facing(2, "3 4 5 P"), turns_taken=(number, 0))
        choice = heuristic(noise=0.5).choose(view_of(state))
        assert choice.random == (noise_draw(0, number, 0) < 1 << 31)
        assert choice.random or choice.option == NumberSet(3, 1)


def test_noise_picks_against_a_pile_by_the_second_draw_and_leads_by_the_third() -> None:
    for number in range(20):
        against = view_of(replace(facing(2, "3 4 5 P"), turns_taken=(number, 0)))
        picked = [NumberSet(3, 1), NumberSet(4, 1), NumberSet(5, 1), Pass(), Take()]
        assert heuristic(noise=1).choose(against).option == picked[noise_draw(0, number, 1) * 5 >> 32]
        lead = view_of(replace(leading("3 4 5 P"), turns_taken=(number, 0)))
        assert heuristic(noise=1).choose(lead).option == picked[noise_draw(0, number, 2) * 3 >> 32]


def test_one_fire_covers_a_take_and_its_lead() -> None:
    rules, _ = deal("1-8x1", "1 2 3 4 5 6 7 8", hand_size=3)
    start = State(((1, 2, 3), (6, 7, 8)), (0, 0), (), 0, 2, 5, 1)
    takes = 0
    for number in range(40):
        state = replace(start, turns_taken=(number, 0))
        first = play(rules, [heuristic(noise=0.5), heuristic()], state, NOISE_KEY).turns[0]
        assert first.lead is not None
        fires = noise_draw(0, number, 0) < 1 << 31
        assert first.random == first.lead.choice.random == fires
        led = NumberSet((noise_draw(0, number, 2) * 3 >> 32) + 1, 1) if fires else NumberSet(1, 1)
        assert first.laid == led
        takes += fires
    assert 0 < takes < 40


def test_noise_is_indexed_by_position() -> None:
    state = replace(facing(2, "1 1 1", other="3 4 5 P", announcer=0), mover=1)
    picked = [NumberSet(3, 1), NumberSet(4, 1), NumberSet(5, 1), Pass(), Take()]
    assert heuristic(noise=1).choose(view_of(state)).option == picked[noise_draw(1, 0, 1) * 5 >> 32]
