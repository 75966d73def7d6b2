"""The fast engine's front: tables, seating, symmetry."""

import os
import subprocess
import sys
from dataclasses import replace

import numpy as np
import pytest

from simulate import Rules, Table
from simulate.escalation.engine import SEATINGS
from simulate.escalation.kernel.dealing import deck_order
from simulate.escalation.kernel.win_shares import WIN
from simulate.escalation.state import State
from simulate.experiment import Experiment
from simulate.jit import ROOT, numba_config
from simulate.runner import run
from strategies.catalogue import strategy
from strategies.errors import InputError

FOUR = tuple(strategy(text) for text in ("standard", "hoarder", "jumper", "minimal"))


def table(seating="rotate", **changes):
    return Table(Rules(players=4), FOUR, seating, **changes)


def test_seatings_share_the_deal():
    # With four equal players it cannot matter who is called what: only the deck decides.
    equal = (strategy("standard"),) * 4
    given = Table(Rules(players=4), equal, "given").play(9, np.arange(50))
    every = Table(Rules(players=4), equal, "every").play(9, np.arange(50))
    assert np.array_equal(given.scores, every.scores)


@pytest.mark.parametrize("hand_size", [1, 2, 3, 6, 10])
def test_no_game_ends_before_the_deck_is_out(hand_size):
    # A turn draws a whole hand at the most, and the turn that goes out draws nothing: no game of one turn.
    seats = tuple(map(strategy, ("standard", "shedder", "novice", "minimal")))
    played = Table(Rules(players=4, hand_size=hand_size), seats).play(1, np.arange(500))
    in_deck = 56 - 4 * hand_size
    assert played.turns.min() > in_deck / hand_size


def test_a_noise_salt_changes_the_noise_and_not_the_deal():
    noisy = (strategy("novice"),) * 4
    plain, salted = (Table(Rules(players=4), noisy, noise_salt=salt) for salt in (0, 1))
    assert plain.noise_key(3, 7) != salted.noise_key(3, 7)
    first, second = (t.play(3, np.arange(200), with_moves=True) for t in (plain, salted))
    assert not np.array_equal(first.moves, second.moves)
    quiet = [Table(Rules(players=4), FOUR, noise_salt=salt).play(3, np.arange(50)) for salt in (0, 1)]
    assert np.array_equal(quiet[0].scores, quiet[1].scores)


@pytest.mark.skipif(bool(numba_config.DISABLE_JIT), reason="two million games need the compiled kernel")
def test_equal_players_win_equally_often_whatever_their_seat():
    # In every order equally often the four seats are exchangeable, so each seat's win share is 1/4 in law. The standard
    # error comes from the counts themselves.
    games = 2_000_000
    equal = Table(Rules(players=4), (strategy("standard"),) * 4, "every")
    counts = run(Experiment((equal,), seed=2024), games)[0]
    played = int(counts["games"][0])
    assert played >= games
    for seat in range(4):
        share = counts["wins"][seat].sum() / WIN / played
        variance = counts["win_products"][seat, seat] / WIN**2 / played - share**2
        assert abs(share - 0.25) < 4 * np.sqrt(variance / played)


def test_one_strategy_per_seat_is_needed():
    with pytest.raises(InputError, match="3 strategies for 4 players"):
        Table(Rules(players=4), FOUR[:3])


def test_an_unknown_seating_is_refused_with_the_nearest_name():
    with pytest.raises(InputError, match="did you mean 'rotate'"):
        table("rotated")


def test_a_match_needs_the_starter_to_rotate():
    with pytest.raises(InputError, match="seating must be every or rotate, not given"):
        table("given", match=True)


def test_the_order_matters_where_more_than_two_play_and_differ():
    assert table().order_matters
    assert not Table(Rules(players=2), FOUR[:2]).order_matters
    alike = Table(Rules(players=3), (strategy("standard"), strategy("standard,noise=0"), strategy("standard")))
    assert not alike.order_matters
    counted = {seating: "order_games" in table(seating).play_deals(1, np.arange(24)) for seating in SEATINGS}
    assert counted == {"every": True, "rotate": False, "given": False}
    assert "order_games" not in alike.play_deals(1, np.arange(24))


def test_without_compilation_the_numbers_are_the_same():
    program = "import numpy as np\nfrom tests.simulate.escalation.test_engine import replayed\nprint(replayed())\n"
    environment = {**os.environ, "NUMBA_DISABLE_JIT": "1", "PYTHONDONTWRITEBYTECODE": "1"}
    done = subprocess.run(
        [sys.executable, "-W", "ignore", "-c", program],
        cwd=ROOT, env=environment, capture_output=True, text=True, check=True,
    )  # fmt: skip
    assert done.stdout.strip() == replayed()


def replayed() -> str:
    """Tell a few games of mixed players in full, as text."""
    seats = tuple(strategy(text) for text in ("standard", "novice", "jumper,pressure=0.1", "random"))
    played = Table(Rules(players=4), seats, "every").play(77, np.arange(5), with_moves=True)
    return repr((played.scores.tolist(), played.moves.tolist(), played.telemetry.tolist(), played.seating.tolist()))


def test_a_state_cannot_have_a_target_that_no_hand_announces():
    state = State.dealt(Rules(), deck_order(Rules().deck, 1, 1))
    laid = replace(state, hands=(state.hands[0][1:], *state.hands[1:]), pile=1, announcer=3, target=49)
    with pytest.raises(InputError, match="target 49 is not allowed: 0 to 48"):
        table("given").play_from(laid, 1, np.arange(1))
    assert table("given").play_from(replace(laid, target=48), 1, np.arange(1)).turns[0] > 0
