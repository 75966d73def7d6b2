"""Kinds of options, by hand."""

from __future__ import annotations

from dataclasses import replace

from simulate import Rules
from simulate.escalation.plain.option_kinds import kinds_of
from simulate.escalation.plain.reference import legal_options
from simulate.escalation.rules import PASS, WILD
from simulate.escalation.state import State


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
