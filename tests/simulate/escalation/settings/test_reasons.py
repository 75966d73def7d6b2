"""Games followed from their moves, and the reasons of a difference: the parts add up exactly."""

from __future__ import annotations

import numpy as np
import pytest

from simulate import Rules
from simulate.escalation.settings.comparison import Comparison
from simulate.escalation.settings.reasons import PARTS, Reasons, ReasonsAtSeat
from simulate.escalation.state import TELEMETRY
from simulate.escalation.trace import moves_of, trace
from strategies.catalogue import strategy
from strategies.errors import InputError

SEED = 5


NOISY = strategy("standard,noise=0.3,early_take=2")


def find_reasons(paired, seed, deals):
    """Put together what is found at every seat in some deals."""
    seats = [ReasonsAtSeat(paired, focal, len(deals)) for focal in range(paired.rules.players)]
    return Reasons.of_seats([seat.play_deals(seed, deals) for seat in seats])


def comparison(players=3, changed="standard,pass_hoard=0"):
    return Comparison(Rules(players=players), strategy("standard"), strategy(changed))


@pytest.mark.parametrize("changed", ["standard,pass_hoard=0", "standard,early_take=3,early_take_limit=6"])
def test_the_parts_add_up_exactly_to_the_difference_of_scores(changed):
    paired, deals = comparison(changed=changed), np.arange(300)
    reasons, counts = find_reasons(paired, SEED, deals), paired.play_deals(SEED, deals)
    assert reasons.parts.sum() == counts["differences"][1, 0] == reasons.scores.sum()
    assert reasons.wins.sum() == counts["differences"][0, 0]
    assert len(reasons.deal) == counts["changed_games"].sum()
    assert reasons.games == 900
    telemetry = counts["telemetry"].sum(axis=1)
    change = dict(zip(TELEMETRY, telemetry[1] - telemetry[0], strict=True))
    assert reasons.parts[PARTS.index("hand left at the end")] == change["cards_left"]
    assert reasons.parts[:4].sum() == change["cards_taken"]
    assert reasons.turns == telemetry[0, 0]


def test_every_first_difference_is_what_the_slow_engine_sees():
    paired = comparison()
    reasons = find_reasons(paired, SEED, np.arange(40))
    assert len(reasons.deal) > 10
    for index in range(len(reasons.deal)):
        deal, focal = int(reasons.deal[index]), int(reasons.focal[index])
        records = [trace(paired.table(focal, changed=changed), SEED, deal).record for changed in (False, True)]
        turns = zip(records[0].turns, moves_of(records[0]), moves_of(records[1]), strict=False)
        turn = next(turn for turn, one, other in turns if one != other)
        assert turn.position == focal
        assert reasons.pile[index] == turn.pile
        assert reasons.target[index] == turn.target or turn.pile == 0
        assert reasons.scores[index] == records[1].scores[focal] - records[0].scores[focal]


def test_without_a_difference_there_is_no_reason():
    reasons = find_reasons(comparison(changed="standard"), SEED, np.arange(10))
    assert len(reasons.deal) == 0
    assert not reasons.parts.any()


def test_reasons_are_for_single_games():
    with pytest.raises(InputError, match="single games"):
        find_reasons(Comparison(Rules(players=2), NOISY, NOISY, noise_salt=1), SEED, np.arange(5))
