"""Where a game may stand."""

from __future__ import annotations

from dataclasses import replace

import pytest

from simulate import Deck, Rules, State
from simulate.escalation.rules import PASS, WILD
from simulate.escalation.state import NOBODY
from strategies.errors import InputError

RULES = Rules(Deck.parse("1-4x2,Wx1,Px1"), players=2, hand_size=3)
ORDER = (4, 1, PASS, 2, 2, WILD, 3, 1, 4, 3)
DEALT = State.dealt(RULES, ORDER)


def test_a_deal_gives_each_position_its_cards_in_turn_and_leaves_the_rest_in_order():
    assert DEALT.hands == ((1, 4, PASS), (2, 2, WILD))
    assert DEALT.rest == (3, 1, 4, 3)
    assert (DEALT.mover, DEALT.pile, DEALT.target, DEALT.announcer) == (0, 0, 0, NOBODY)
    assert DEALT.stacks == DEALT.turns_taken == DEALT.carried == (0, 0)
    DEALT.check(RULES)


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"stacks": (0, 0, 0)}, "stacks of 3 players given, the rules have 2"),
        ({"mover": 2}, "mover 2 is not a position: 0 to 1"),
        ({"hands": ((), (2, 2, WILD))}, "every hand must hold 1 to 3 cards"),
        ({"pile": 1, "target": 1}, "a pile needs an announcer and a target"),
        ({"announcer": 0}, "without a pile there is neither"),
        ({"rest": (3, 1, 4, 13)}, "that deck .* does not have"),
        ({"rest": (3, 1, 4)}, "pile and stacks must hold the 1 cards"),
    ],
)
def test_a_state_that_cannot_be_is_refused(changes, message):
    with pytest.raises(InputError, match=message):
        replace(DEALT, **changes).check(RULES)


def test_a_state_cannot_have_a_target_that_no_hand_announces():
    # The greatest total of a hand of three: two 4s and a wild make 12.
    replace(DEALT, rest=(3, 1, 4), pile=1, target=12, announcer=1).check(RULES)
    with pytest.raises(InputError, match="target 13 is not allowed: 0 to 12"):
        replace(DEALT, rest=(3, 1, 4), pile=1, target=13, announcer=1).check(RULES)
