"""The paired question: what is counted, and that it is what the games really came to."""

from __future__ import annotations

from fractions import Fraction
from itertools import permutations

import numpy as np
import pytest

from simulate import Experiment, Rules, Table, run
from simulate.escalation.kernel.pair_counts import MEASURES
from simulate.escalation.kernel.win_shares import whole_win
from simulate.escalation.settings.comparison import Comparison
from simulate.escalation.state import TELEMETRY
from simulate.escalation.trace import moves_of, trace
from simulate.runner import How
from strategies.catalogue import strategy
from strategies.errors import InputError

STANDARD = strategy("standard")


CHANGED = strategy("standard,pass_hoard=0")


SEED = 3


def comparison(players=3, **more):
    return Comparison(Rules(players=players), STANDARD, CHANGED, **more)


def shares_of(scores):
    winners = scores.count(min(scores))
    return [Fraction(int(score == min(scores)), winners) for score in scores]


@pytest.mark.parametrize("opponents", [(), (strategy("novice"), strategy("hoarder"))], ids=["base", "others"])
def test_the_counts_are_those_of_games_replayed_one_by_one_with_the_slow_engine(opponents):
    paired, deals, players = comparison(opponents=opponents), range(40, 52), 3
    found = paired.play_deals(SEED, np.array(deals))
    wins, scores, changed, turns = [], [], [0] * players, [0, 0]
    by_arm = np.zeros((2, players), dtype=object)
    for deal in deals:
        difference = dict.fromkeys(MEASURES, 0)
        for focal in range(players):
            # Two orders of two opponents take turns, each for as many deals as players.
            others = (opponents or (STANDARD, STANDARD))[:: (1, -1)[deal // players % 2]]
            records = []
            for arm, player in enumerate((STANDARD, CHANGED)):
                seats = [None] * players
                for offset, one in enumerate((player, *others)):
                    seats[(focal + offset) % players] = one
                record = trace(Table(Rules(players=players), tuple(seats), "given"), SEED, deal).record
                records.append(record)
                turns[arm] += sum(turn.position == focal for turn in record.turns)
                by_arm[arm, focal] += shares_of(record.scores)[focal]
                sign = (-1, 1)[arm]
                for name, seat in (("", focal), ("next_", focal + 1), ("previous_", focal + 2)):
                    difference[name + "wins"] += sign * shares_of(record.scores)[seat % players]
                    difference[name + "scores"] += sign * record.scores[seat % players]
            changed[focal] += moves_of(records[0]) != moves_of(records[1])
        wins.append(difference["wins"])
        scores.append(difference["scores"])
        for place, name in enumerate(MEASURES):
            unit = whole_win(players) if "wins" in name else 1
            found["differences"][place, 0] -= difference[name] * unit
            found["differences"][place, 1] -= (difference[name] * unit) ** 2
    assert found["deals"] == found["units"] == len(deals)
    assert found["changed_games"].tolist() == changed
    assert not found["differences"].any()
    assert (found["wins"] == by_arm * 6).all()
    assert found["telemetry"][:, :, TELEMETRY.index("turns")].sum(axis=1).tolist() == turns
    for name, numbers, reach in (("win", [w * 6 for w in wins], 18), ("score", scores, 3 * 56)):
        expected = [sum(number == place - reach for number in numbers) for place in range(2 * reach + 1)]
        assert found[f"{name}_differences"].tolist() == expected


def test_the_sums_of_the_base_are_those_of_an_ordinary_table():
    deals = np.arange(600)
    found = comparison(4).play_deals(SEED, deals)
    ordinary = Table(Rules(players=4), (STANDARD,) * 4, "given").play_deals(SEED, deals)
    assert found["scores"][0].tolist() == ordinary["scores"].sum(axis=1).tolist()
    assert (found["wins"][0] * (2520 // whole_win(4))).tolist() == ordinary["wins"].sum(axis=1).tolist()
    assert found["telemetry"][0].tolist() == ordinary["telemetry"].sum(axis=1).tolist()


def test_a_match_is_compared_by_its_sums():
    paired, players = comparison(match=True), 3
    deals = np.arange(30)
    found = paired.play_deals(SEED, deals)
    totals = []
    for match in range(10):
        total = Fraction(0)
        for focal in range(players):
            for changed, sign in ((False, -1), (True, 1)):
                table = paired.table(focal, changed=changed)
                standing = [0] * players
                played = table.play(SEED, deals[match * players : (match + 1) * players])
                for game in range(players):
                    for position, seat in enumerate(played.seating[game]):
                        standing[seat] += int(played.scores[game, position])
                total += sign * shares_of(standing)[focal]
        totals.append(total * whole_win(players))
    assert found["units"] == 10
    assert found["deals"] == 30
    expected = [sum(t == place - 18 for t in totals) for place in range(37)]
    assert found["win_differences"].tolist() == expected
    assert any(totals), "the change must make a difference for this to be a test"


@pytest.mark.parametrize("match", [False, True])
def test_opponents_who_differ_sit_in_every_order(match):
    """Each of the six orders alone, on the deals that are its own: together they are the comparison."""
    others, deals = tuple(map(strategy, ("novice", "minimal", "hoarder"))), np.arange(48)
    found = comparison(4, opponents=others, match=match).pairs(SEED, deals)
    for number, order in enumerate(permutations(others)):
        own = deals[deals // 4 % 6 == number]
        for arm, scores in ((False, found.base), (True, found.changed)):
            for focal in range(4):
                clockwise = (CHANGED if arm else STANDARD, *order)
                seats = tuple(clockwise[(seat - focal) % 4] for seat in range(4))
                played = Table(Rules(players=4), seats, "rotate" if match else "given", match).play(SEED, own)
                by_seat = np.take_along_axis(played.scores, np.argsort(played.seating, axis=1), axis=1)
                assert np.array_equal(scores[focal, own], by_seat)


def test_all_opponents_the_base_is_the_same_as_naming_them():
    deals = np.arange(50)
    alike = comparison().play_deals(SEED, deals)
    named = comparison(opponents=(strategy("standard"),) * 2).play_deals(SEED, deals)
    assert all((alike[name] == named[name]).all() for name in alike)
    assert comparison().spec() == comparison(opponents=(STANDARD, STANDARD)).spec()


def test_a_change_that_is_none_changes_nothing():
    paired = Comparison(Rules(players=2), STANDARD, strategy("standard"))
    found = paired.play_deals(SEED, np.arange(200))
    assert not found["changed_games"].any()
    assert found["win_differences"][2 * whole_win(2)] == 200


def test_another_noise_salt_gives_other_games_that_are_equal_in_law():
    noisy = strategy("standard,noise=0.1")
    salted = Comparison(Rules(players=2), noisy, noisy, (strategy("hoarder"),), noise_salt=5)
    found = salted.play_deals(SEED, np.arange(5040))
    assert found["changed_games"].min() > 2000
    total, squares = (int(number) for number in found["differences"][0])
    assert 0 < abs(total) < 4 * squares**0.5


def test_blocks_add_up_whatever_the_threads():
    experiment = Experiment((comparison(2),), SEED)
    (together,) = run(experiment, 10_080, How(threads=2))
    apart = [comparison(2).play_deals(SEED, np.arange(start, start + 5040)) for start in (0, 5040)]
    assert all((together[name] == apart[0][name] + apart[1][name]).all() for name in together)


def test_the_number_of_opponents_must_fit():
    with pytest.raises(InputError, match="1 opponents for 4 players: 3 are needed"):
        Comparison(Rules(players=4), STANDARD, CHANGED, (STANDARD,))
