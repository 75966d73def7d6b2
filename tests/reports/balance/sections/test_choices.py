"""Options of turns: kinds by hand, worths by enumeration, shares recounted by the slow engine."""

from __future__ import annotations

from dataclasses import replace
from itertools import permutations

import numpy as np
import pytest

from reports.balance.option_worth import A_POINT, Choice, Gap, choices_of, gap_of
from reports.balance.plan import BalancePlan, Effort
from reports.balance.sections import choices
from simulate import Rules, Table
from simulate.blocks import deals_of
from simulate.escalation.kernel.dealing import deck_order
from simulate.escalation.plain.option_kinds import kinds_of
from simulate.escalation.plain.reference import HeuristicPlayer, Take, after_laying, after_taking, legal_options
from simulate.escalation.plain.reference import play as play_slowly
from simulate.escalation.rules import PASS, WILD, Deck
from simulate.escalation.settings.lookahead import AfterOptions
from simulate.escalation.settings.situations import follow
from simulate.escalation.state import State
from strategies.catalogue import strategy

PLAN = BalancePlan(Rules(players=3), effort=Effort("quick", 1, 9, 20))
TABLE = Table(PLAN.rules, (PLAN.standard,) * 3, "given")
SMALL = Table(Rules(deck=Deck.parse("1-6x3,Wx1,Px2"), players=3, hand_size=3), (strategy("minimal"),) * 3, "given")


def test_kinds_by_hand():
    leads = State(((3, 3, 9, WILD, PASS), (1,)), (0, 0), ())
    options = legal_options(Rules(players=2), leads)
    named = dict(zip(options, kinds_of(leads, options), strict=True))
    assert {(option.laid, kind) for option, kind in named.items() if option.wilds == 0} == {
        ((3,), "lowest lead"),
        ((9,), "higher lead"),
        ((3, 3), "multi-card set"),
    }
    assert {kind for option, kind in named.items() if option.wilds} == {"wild"}
    beats = replace(leads, pile=2, target=5, announcer=1)
    options = legal_options(Rules(players=2), beats)
    plain = [pair for pair in zip(options, kinds_of(beats, options), strict=True) if pair[1] != "wild"]
    assert [kind for _, kind in plain] == ["multi-card set", "lowest beat", "Pass", "take"]


def exact_shares(table, state, option):
    """The mover's win share after an option, over every order of the rest of the deck, by the slow engine."""
    players = [HeuristicPlayer(seat) for seat in table.seats]
    outcomes = []
    for rest in permutations(state.rest):
        ordered = replace(state, rest=rest)
        taken = isinstance(option, Take)
        after = after_taking(ordered) if taken else after_laying(table.rules, ordered, option)[0]
        if all(after.hands):
            scores = play_slowly(table.rules, players, after, 0).scores
        else:
            scores = tuple(stack + len(hand) for stack, hand in zip(after.stacks, after.hands, strict=True))
        outcomes.append((scores[state.mover] == min(scores)) / scores.count(min(scores)))
    return np.mean(outcomes)


def test_spreads_are_those_of_enumeration():
    """Whatever was chosen, the spread is not beyond the true one; where that is large, it is found."""
    setting = AfterOptions(SMALL, 12, 200)
    looked = choices_of(setting, 1, [setting.play_deals(1, deals_of(0))])
    found = {(choice.deal, choice.turn): choice for choice in looked}
    large = 0
    for game in follow(SMALL, 1, range(12)):
        for turn, state in enumerate(game.states[:-1]):
            if 0 < len(state.rest) <= 4 and len(legal_options(SMALL.rules, state)) > 1:
                worths = [exact_shares(SMALL, state, option) for option in legal_options(SMALL.rules, state)]
                spread = found[game.deal, turn].spread
                error = max(spread.reach / 1.73, 0.002)
                assert spread.estimate <= max(worths) - min(worths) + 4.5 * error
                if max(worths) - min(worths) > 0.2:
                    assert spread.estimate == pytest.approx(max(worths) - min(worths), abs=4.5 * error)
                    large += 1
    assert large > 5


def test_differences_know_their_own_error():
    rng = np.random.default_rng(1)
    drawn = [gap_of(rng.normal(A_POINT, 0.05, 20)) for _ in range(4000)]
    # The truth is just a point: each side is wrong in one case of twenty.
    error = np.sqrt(0.05 * 0.95 / 4000)
    assert np.mean([one.surely_a_point for one in drawn]) == pytest.approx(0.05, abs=4 * error)
    assert np.mean([one.surely_less for one in drawn]) == pytest.approx(0.05, abs=4 * error)


def choice(deal, spread=None, kinds=("take",), best="take", over=None):
    return Choice(deal, 0, 1, kinds, best, spread, over)


def test_shares_worked_out_by_hand():
    sure, close, none = Gap(0.3, 0.01), Gap(0.012, 0.02), Gap(0.0, 0.001)
    games = [choice(0), choice(0, sure), choice(0, close), choice(0, none)]
    games += [choice(1), choice(1), choice(1, sure), choice(1, none)]
    frame = choices.shares_frame(games).set_index("turns_with")["share"]
    # Game 0: 1, 1 and 2 of 4 turns; game 1: 2, 1 and 1.
    assert list(frame) == pytest.approx([3 / 8, 2 / 8, 3 / 8])
    found = choices.matter(games)
    assert found.low <= 0.25
    assert found.high >= 0.375


def test_kinds_worked_out_by_hand():
    sure, over = Gap(0.3, 0.01), Gap(0.2, 0.01)
    both = ("Pass", "take")
    games = [
        choice(0, sure, both, "Pass", over),
        choice(0, sure, both, "take", Gap(0.1, 0.2)),
        choice(1, sure, both, "Pass", Gap(0.4, 0.1)),
        choice(1, Gap(0.001, 0.01), both, "take", over),
    ]
    frame = choices.kinds_frame(games).set_index("kind")
    assert frame.loc["Pass", ["offered_in", "best_in", "surely_best_in"]].tolist() == [3, 2, 2]
    assert frame.loc["take", ["offered_in", "best_in", "surely_best_in"]].tolist() == [3, 1, 0]
    assert frame.loc["Pass", "share_best"] == pytest.approx(2 / 3)
    assert frame.loc["Pass", "gain"] == pytest.approx(30)


def test_forced_turns_are_those_that_the_slow_engine_counts(play):
    finding = choices.measure(PLAN, play)
    shares = []
    for deal in range(PLAN.effort.sample):
        start = State.dealt(PLAN.rules, deck_order(PLAN.rules.deck, 1, deal))
        record = play_slowly(PLAN.rules, [HeuristicPlayer(PLAN.standard)] * 3, start, 0)
        shares.append(np.mean([len(turn.first.options) == 1 for turn in record.turns]))
    frame = finding.frames["choices"].set_index("turns_with")
    assert frame.loc["one legal option", "share"] == pytest.approx(np.mean(shares))


def test_the_section_says_what_it_found(play):
    finding = choices.measure(PLAN, play)
    assert finding.name == "choices"
    assert "only one option is legal" in finding.finding
    assert {figure.csv for figure in finding.figures} | {table.csv for table in finding.tables} <= {
        f"{name}.csv" for name in finding.frames
    }
    few = BalancePlan(PLAN.rules, effort=PLAN.effort, thresholds={"turns-that-matter": 0.01})
    many = BalancePlan(PLAN.rules, effort=PLAN.effort, thresholds={"turns-that-matter": 0.99})
    assert (choices.measure(few, play).light, choices.measure(many, play).light) == ("good", "bad")


def test_a_game_without_choices_has_a_section_too(play):
    """Whoever leads his only card is out: everybody else has no turn, and a lead is the only option."""
    rules = Rules(deck=Deck.parse("1-12x1"), players=3, hand_size=1)
    finding = choices.measure(BalancePlan(rules, (3,), effort=PLAN.effort), play)
    shares = finding.frames["choices"].set_index("turns_with")["share"]
    assert shares.tolist() == [1, 0, 0]
    assert finding.frames["choices_kinds"].empty
