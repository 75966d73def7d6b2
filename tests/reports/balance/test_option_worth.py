"""Worths of options: spreads by enumeration, and errors that are as large as they say."""

from __future__ import annotations

from dataclasses import replace
from itertools import permutations

import numpy as np
import pytest

from reports.balance.option_worth import A_POINT, Choice, choices_of, gap_of, share_of_turns
from reports.estimates.intervals import Interval
from simulate import Rules, Table
from simulate.blocks import deals_of
from simulate.escalation.plain.reference import HeuristicPlayer, Take, after_laying, after_taking, legal_options
from simulate.escalation.plain.reference import play as play_slowly
from simulate.escalation.rules import Deck
from simulate.escalation.settings.lookahead import AfterOptions
from simulate.escalation.settings.situations import follow, record
from strategies.catalogue import strategy

SMALL = Table(Rules(deck=Deck.parse("1-6x3,Wx1,Px2"), players=3, hand_size=3), (strategy("minimal"),) * 3, "given")


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
    for game in follow(SMALL.rules, 1, record(SMALL, 1, np.arange(12))):
        for turn, state in enumerate(game.states[:-1]):
            if 0 < len(state.rest) <= 4 and len(legal_options(SMALL.rules, state)) > 1:
                worths = [exact_shares(SMALL, state, option) for option in legal_options(SMALL.rules, state)]
                spread = found[game.deal, turn].spread
                error = max(spread.half_width / 1.73, 0.002)
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
    assert np.mean([gap.low >= A_POINT for gap in drawn]) == pytest.approx(0.05, abs=4 * error)
    assert np.mean([gap.high < A_POINT for gap in drawn]) == pytest.approx(0.05, abs=4 * error)


def test_a_choice_seems_to_matter_from_a_point_on_whatever_its_error():
    spreads = (None, Interval.around(0.0099, 0.0), Interval.around(0.01, 0.5), Interval.around(0.3, 0.01))
    choices = [Choice(deal, 0, 1, ("take",), "take", spread, None) for deal, spread in enumerate(spreads)]
    assert [choice.seems_to_matter for choice in choices] == [False, False, True, True]
    assert share_of_turns(choices, lambda choice: choice.seems_to_matter).estimate == 0.5
