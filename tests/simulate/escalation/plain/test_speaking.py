"""Players with sentences: every rule of what a sentence does by hand, and sentences that say what parameters say."""

from __future__ import annotations

import random
from dataclasses import replace

import pytest

from simulate.escalation.kernel.dealing import deck_order
from simulate.escalation.plain.reference import HeuristicPlayer, NumberSet, Pass, Take, View, play
from simulate.escalation.plain.speaking import ALWAYS, NEVER, WINS, SpeakingPlayer, counted
from simulate.escalation.rules import PASS, WILD, Deck, Rules
from simulate.escalation.state import State
from strategies.catalogue import named_strategies, strategy
from strategies.sentence_parser import read_sentence
from strategies.sentences import WordUse
from strategies.tactic_words import WORDS
from tests.simulate.escalation.cases import random_rules

RULES = Rules(Deck.parse("1-13x4,Wx3,Px2"), players=3)
SILENT = strategy("minimal").with_changes({"noise": 0})


def state_of(hand: tuple[int, ...], pile: int = 0, target: int = 0, **changes) -> State:
    """Return a state of three players whose first one is to move, with this hand, in a deck of 57 cards."""
    cards = RULES.deck.cards()
    for card in hand:
        cards.remove(card)
    others = [tuple(sorted(cards[:4])), tuple(sorted(cards[4:6]))]
    stacks = (5, 3, 0)
    rest = tuple(cards[6 : len(cards) - pile - sum(stacks)])
    state = State((tuple(sorted(hand)), *others), stacks, rest, pile=pile, target=target, announcer=2 if pile else -1)
    return replace(state, **changes)


def view_of(state: State, rules: Rules = RULES) -> View:
    return View.of_mover(rules, state, noise_key=1)


def chosen(view: View, *sentences: str, base=SILENT):
    return SpeakingPlayer(base, list(map(read_sentence, sentences))).choose(view).option


def test_what_every_word_counts():
    view = view_of(state_of((2, 7, 7, 9, WILD, PASS), pile=4, target=12, turns_taken=(6, 5, 5), carried=(10, 0, 4)))
    unseen = sorted(card for hand in (view.unseen,) for card in hand)
    expected = {
        "pile": 4, "target": 12, "deck": view.deck_left, "hand": 6, "passes": 1, "wilds": 1, "pairs": 1, "lowest": 2,
        "highest": 9, "greatest": 21, "stack": 5, "next_stack": 3, "behind": 15 - 3, "smallest_hand": 2, "next_hand": 4,
        "turn": 7, "position": 0, "players": 3, "beats": sum(isinstance(o, NumberSet) for o in view.options),
    }  # fmt: skip
    for name, count in expected.items():
        assert counted(WordUse(name), view, Take()) == count, name
    assert counted(WordUse("held", 7), view, Take()) == 2
    assert counted(WordUse("held", 3), view, Take()) == 0
    assert counted(WordUse("unseen", 7), view, Take()) == unseen.count(7)
    option = NumberSet(7, 1, 1)
    about = {"cards": 2, "naturals": 1, "wilds_used": 1, "value": 7, "total": 14, "over": 2, "left": 1, "hand_after": 4,
             "greatest_after": 9}  # fmt: skip
    for name, count in about.items():
        assert counted(WordUse(name), view, option) == count, name
    assert counted(WordUse("hand_after"), view, Pass()) == 5
    assert counted(WordUse("greatest_after"), view, Pass()) == 21
    assert {*expected, *about, "held", "unseen"} == set(WORDS)


def test_the_total_to_exceed_is_none_where_the_own_total_came_round():
    state = state_of((2, 7, 7, 9, WILD, PASS), pile=4, target=12, announcer=0)
    assert counted(WordUse("target"), view_of(state, RULES), Take()) == 12 * RULES.beat_own_total
    turned = RULES.with_rulings({"beat_own_total": not RULES.beat_own_total})
    assert counted(WordUse("target"), view_of(state, turned), Take()) == 12 * turned.beat_own_total


def test_always_goes_before_what_is_cheaper_and_never_is_the_last_resort():
    view = view_of(state_of((2, 7, 7, 9, WILD, PASS), pile=4, target=6))
    assert isinstance(chosen(view), NumberSet)
    assert chosen(view, "take") == Take()
    assert chosen(view, "pass when pile = 4") == Pass()
    assert chosen(view, "pass when pile = 5") == chosen(view)
    assert isinstance(chosen(view, "never beat"), Take | Pass)
    assert chosen(view, "never beat", "never take") == Pass()
    # Named by both it is the last resort; with nothing else legal that is what is done.
    assert chosen(view, "take when pile > 0", "never take when pile > 1") == chosen(view)
    assert isinstance(chosen(view, "never beat", "never take", "never pass"), NumberSet)


def test_going_out_for_the_win_comes_before_every_sentence():
    finisher = SILENT.with_changes({"finish": 2})
    state = replace(state_of((7, 7), pile=4, target=6), rest=(), stacks=(0, 20, 33 - 1))
    view = view_of(state)
    best = chosen(view, "take", base=finisher)
    assert best == NumberSet(7, 2)
    player = SpeakingPlayer(finisher, [read_sentence("never play"), read_sentence("take")])
    assert player.rank_and_cost(view, best) == (WINS, 0)
    assert player.rank_and_cost(view, Take())[0] == ALWAYS
    assert player.rank_and_cost(view, NumberSet(7, 1))[0] == NEVER


def test_a_take_that_is_always_named_forgets_its_limit():
    limited = SILENT.with_changes({"early_take": 50, "early_take_limit": 2})
    view = view_of(state_of((2, 7, 7, 9, WILD, PASS), pile=4, target=6))
    assert chosen(view, base=limited) != Take()
    assert chosen(view, "prefer take by 100", base=limited) != Take()
    assert chosen(view, "take when pile <= 4", base=limited) == Take()


def test_sentences_about_leads_do_not_touch_what_is_laid_on_a_pile():
    hand = (2, 7, 7, 9, WILD, PASS)
    against, free = view_of(state_of(hand, pile=4, target=6)), view_of(state_of(hand))
    assert chosen(against, "lead when value = 9") == chosen(against)
    assert chosen(free, "lead when value = 9 and wilds_used = 0") == NumberSet(9, 1)
    assert chosen(free, "beat when value = 9") == chosen(free)
    assert chosen(against, "beat when value = 9 and wilds_used = 0") == NumberSet(9, 1)
    for view in (against, free):
        assert chosen(view, "play when value = 9 and wilds_used = 0") == NumberSet(9, 1)


def test_a_sentence_speaks_where_it_names_one_option_among_others():
    view = view_of(state_of((2, 7, 7, 9, WILD, PASS), pile=4, target=6))
    sentences = [read_sentence(text) for text in ("pass", "take when pile > 4", "beat when total > 20")]
    assert {str(s) for s in SpeakingPlayer(SILENT, sentences).speaks(view)} == {
        "always pass",
        "always beat when total > 20",
    }
    forced = view_of(state_of((2, 2), pile=4, target=20))
    assert forced.options == (Take(),)
    assert SpeakingPlayer(SILENT, [read_sentence("take")]).speaks(forced) == []


def played(seats, rules: Rules, deal: int) -> list[tuple]:
    """Return every turn of a game of such seats."""
    state = State.dealt(rules, deck_order(rules.deck, 11, deal))
    record = play(rules, seats, state, deal)
    return [(turn.position, turn.took, turn.laid) for turn in record.turns]


LAST = 1_000_000
SAME = {
    "a moment that never comes": ([], ["take when 1 = 0", "never play when pile < 0"], {}),
    "always take": ({"early_take": LAST, "early_take_limit": LAST}, ["always take when pile >= 1"], {}),
    "a price of a Pass": ({"pass_hoard": 3.75}, ["avoid pass by 3.75"], {"pass_hoard": 0}),
    "a liking for takes": ({"early_take": 2.5, "early_take_limit": LAST}, ["prefer take by 2.5"],
                           {"early_take": 0, "early_take_limit": LAST}),
    "not both is either not": (None, ["take when not (pile > 2 and passes < 1)"],
                               ["take when not pile > 2 or not passes < 1"]),
    "keeping wilds": (None, ["keep 2 wilds when deck > 0"],
                      ["never play when wilds_used >= 1 and wilds - wilds_used < 2 and deck > 0"]),
    "keeping Passes": (None, ["keep 1 pass unless target > 12"], ["never pass when passes <= 1 unless target > 12"]),
    "beats and leads are plays": (None, ["prefer play by 0.5*cards"],
                                  ["prefer beat by 0.5*cards", "prefer lead by 0.5*cards"]),
}  # fmt: skip


@pytest.mark.parametrize("name", SAME)
def test_two_ways_to_say_the_same_play_alike(name: str):
    first, sentences, second = SAME[name]
    rng, differ = random.Random(name), False
    for deal in range(12):
        rules = random_rules(rng)
        base = rng.choice(list(named_strategies().values())).strategy
        spoken, others = list(map(read_sentence, sentences)), list(named_strategies().values())[deal % 5].strategy
        if isinstance(second, list):
            pair = (SpeakingPlayer(base, spoken), SpeakingPlayer(base, list(map(read_sentence, second))))
        else:
            silent, base = HeuristicPlayer(base.with_changes(first)), base.with_changes(second)
            pair = (SpeakingPlayer(base, spoken), silent)
        around = [HeuristicPlayer(others)] * (rules.players - 1)
        one, other = (played([player, *around], rules, deal) for player in pair)
        assert one == other
        differ |= one != played([HeuristicPlayer(base), *around], rules, deal)
    assert differ or name == "a moment that never comes"


def test_a_random_turn_ignores_every_sentence():
    drunk = strategy("standard,noise=1")
    for deal in range(5):
        seats = [SpeakingPlayer(drunk, [read_sentence("take"), read_sentence("never pass")]), HeuristicPlayer(drunk)]
        silent = [HeuristicPlayer(drunk)] * 2
        assert played(seats, Rules(players=2), deal) == played(silent, Rules(players=2), deal)
