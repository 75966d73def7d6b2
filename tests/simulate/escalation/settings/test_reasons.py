"""Games followed from their moves, and the reasons of a difference: the parts add up exactly."""

from __future__ import annotations

import numpy as np
import pytest

from simulate import Deck, Rules, Table
from simulate.escalation.kernel.dealing import deck_order
from simulate.escalation.settings.comparison import Comparison
from simulate.escalation.settings.reasons import PARTS, Reasons, ReasonsAtSeat
from simulate.escalation.settings.retelling import retell
from simulate.escalation.state import TELEMETRY
from simulate.escalation.trace import moves_of, trace
from strategies.catalogue import strategy
from strategies.errors import InputError

SEED = 5
NOISY = strategy("standard,noise=0.3,early_take=2")
ODD_RULES = [
    Rules(players=3),
    Rules(players=2).with_rulings({"lead_pass": True, "beat_own_total": False}),
    Rules(players=4).with_rulings({"draw_before_end_check": True, "wild_only_sets": False}),
    Rules(Deck.parse("1-7x5,Wx4,Px6"), 3, 4, 5).with_rulings({"beat_own_total": False, "wild_only_sets": False}),
]


@pytest.mark.parametrize("rules", ODD_RULES, ids=str)
def test_games_are_followed_as_the_slow_engine_plays_them(rules):
    table, deals = Table(rules, (NOISY,) * rules.players, "given"), range(25)
    moves = table.play(SEED, np.array(deals), with_moves=True).moves
    orders = np.array([deck_order(rules.deck, SEED, deal) for deal in deals], dtype=np.uint8)
    told = retell(rules, orders, moves)
    for deal in deals:
        record = trace(table, SEED, deal).record
        assert told.turns[deal] == len(record.turns)
        assert told.left[deal].tolist() == [len(hand) for hand in record.final.hands]
        for number, turn in enumerate(record.turns):
            assert told.pile[deal, number] == turn.pile
            assert told.target[deal, number] == (turn.target if turn.pile else told.target[deal, number])
            assert told.took[deal, number] == turn.took
            assert told.forced[deal, number] == (turn.took and len(turn.first.choice.costs) == 1)


@pytest.mark.parametrize("rules", ODD_RULES, ids=str)
def test_forced_takes_are_those_that_the_engine_counts(rules):
    table, deals = Table(rules, (NOISY,) * rules.players, "given"), np.arange(400)
    played = table.play(SEED, deals, with_moves=True)
    orders = np.array([deck_order(rules.deck, SEED, int(deal)) for deal in deals], dtype=np.uint8)
    told = retell(rules, orders, played.moves)
    counted = dict(zip(TELEMETRY, played.telemetry.sum(axis=(0, 1)), strict=True))
    assert told.took.sum() == counted["takes"]
    assert (told.took & ~told.forced).sum() == counted["willing_takes"] > 0
    assert told.forced.sum() > 0
    assert (told.pile * told.took).sum() == counted["cards_taken"]
    assert told.left.sum() == counted["cards_left"]


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
