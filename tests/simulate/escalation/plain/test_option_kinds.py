"""Kinds of options, by hand."""

from __future__ import annotations

from dataclasses import replace

from simulate import Rules, State
from simulate.escalation.plain.option_kinds import KINDS, kinds_of
from simulate.escalation.plain.reference import legal_options
from simulate.escalation.rules import PASS, WILD

RULES = Rules(players=2)


def kinds_in(hand: tuple[int, ...], **middle: int) -> dict[str, str]:
    state = State((hand, (1, 2)), (0, 0), (), **middle)
    options = legal_options(RULES, state)
    return dict(zip(map(str, options), kinds_of(state, options), strict=True))


def test_leads_are_low_or_high_single_cards_and_sets():
    kinds = list(kinds_in((3, 5, 5)).values())
    assert kinds == ["lowest lead", "higher lead", "multi-card set"]


def test_against_a_pile_the_lowest_beat_is_the_lowest_card_that_beats():
    kinds = list(kinds_in((2, 4, 9, PASS), pile=1, target=3, announcer=1).values())
    assert kinds == ["lowest beat", "higher beat", "Pass", "take"]


def test_whatever_has_a_wild_counts_as_wild():
    kinds = kinds_in((6, WILD), pile=1, target=6, announcer=1)
    assert set(kinds.values()) == {"wild", "take"}


def test_every_kind_is_listed():
    seen = {*kinds_in((3, 5, 5)).values(), *kinds_in((2, 4, 4, 9, WILD, PASS), pile=1, target=1, announcer=1).values()}
    assert seen == set(KINDS)


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
