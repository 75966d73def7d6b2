"""Games followed state by state, and the states that options lead to."""

from __future__ import annotations

import numpy as np

from simulate import Rules, Table
from simulate.escalation.kernel.dealing import deck_order
from simulate.escalation.plain.reference import HeuristicPlayer, play
from simulate.escalation.rules import Deck
from simulate.escalation.settings.situations import Fork, follow, record
from simulate.escalation.state import State
from strategies.catalogue import strategy

SMALL = Rules(deck=Deck.parse("1-6x3,Wx1,Px2"), players=3, hand_size=3)


MIXED = Table(SMALL, (strategy("standard"), strategy("minimal"), strategy("shedder")), "given")


def test_followed_games_are_those_of_the_slow_engine():
    for game in follow(MIXED.rules, 4, record(MIXED, 4, np.arange(10))):
        slow = play(
            SMALL,
            [HeuristicPlayer(seat) for seat in MIXED.seats],
            State.dealt(SMALL, deck_order(SMALL.deck, 4, game.deal)),
            MIXED.noise_key(4, game.deal),
        )
        assert game.states[-1] == slow.final
        assert game.scores == slow.scores == Fork(game.states[-1]).scores
        assert game.takes == tuple(turn.pile for turn in slow.turns if turn.took)
        assert [(state.hands[state.mover], state.pile) for state in game.states[:-1]] == [
            (turn.hand, turn.pile) for turn in slow.turns
        ]
