"""States played on: the same chances as the slow engine gives, whatever the option, the ruling or the threads."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from simulate import Rules, Table
from simulate.escalation.kernel.dealing import deck_order
from simulate.escalation.kernel.win_shares import WIN
from simulate.escalation.plain.reference import HeuristicPlayer, Take, after_laying, after_taking, legal_options, play
from simulate.escalation.rules import Deck
from simulate.escalation.settings.rollouts import BATCHES, roll_out, win_chances
from simulate.escalation.settings.situations import Fork, follow, fork_after, record
from simulate.escalation.state import State
from strategies.catalogue import strategy
from strategies.errors import InputError

SMALL = Rules(deck=Deck.parse("1-6x3,Wx1,Px2"), players=3, hand_size=3)


MIXED = Table(SMALL, (strategy("standard"), strategy("minimal"), strategy("shedder")), "given")


def shares(scores):
    return [(score == min(scores)) / scores.count(min(scores)) for score in scores]


def played_on_slowly(table, state, option, games, rng):
    """Win shares of games that the slow engine plays on after an option, the deck shuffled by other means."""
    players = [HeuristicPlayer(seat) for seat in table.seats]
    outcomes = []
    for _ in range(games):
        shuffled = replace(state, rest=tuple(rng.permutation(state.rest).tolist()))
        if isinstance(option, Take):
            after = after_taking(shuffled)
        else:
            after, _ = after_laying(table.rules, shuffled, option)
        if all(after.hands):
            outcomes.append(shares(list(play(table.rules, players, after, noise_key=0).scores)))
        else:
            ended = zip(after.stacks, after.hands, strict=True)
            outcomes.append(shares([stack + len(hand) for stack, hand in ended]))
    return np.array(outcomes)


@pytest.mark.parametrize("rules", [SMALL, replace(SMALL, draw_before_end_check=True, lead_pass=True)])
def test_every_option_has_the_chances_that_the_slow_engine_gives(rules):
    table = replace(MIXED, rules=rules)
    rng = np.random.default_rng(5)
    compared = 0
    for game in follow(table.rules, 2, record(table, 2, np.arange(3))):
        for state in game.states[1:-1:3]:
            for option in legal_options(rules, state):
                fork = fork_after(rules, state, option)
                fast = win_chances(roll_out(table, [fork], [compared], 9, 2000))[0]
                slow = played_on_slowly(table, state, option, 250, rng)
                error = np.sqrt(
                    np.maximum(slow.var(axis=0), 1 / 250) / 250 + np.maximum(slow.var(axis=0), 0.002) / 2000
                )
                # Some forty options, three chances each: four and a half errors are exceeded by chance once in 1,000.
                assert np.all(np.abs(fast - slow.mean(axis=0)) < 4.5 * error), (state, option)
                compared += 1
    assert compared > 30


def test_the_numbers_do_not_depend_on_what_else_is_asked():
    forks = [Fork(state) for game in follow(MIXED.rules, 1, record(MIXED, 1, np.arange(6))) for state in game.states]
    numbers = list(range(len(forks)))
    whole = roll_out(MIXED, forks, numbers, 3, 40)
    assert np.array_equal(whole[7:9], roll_out(MIXED, forks[7:9], numbers[7:9], 3, 40))
    assert not np.array_equal(whole, roll_out(MIXED, forks, numbers, 4, 40))


def test_the_order_of_the_rest_plays_no_part():
    state = State.dealt(SMALL, deck_order(SMALL.deck, 1, 0))
    other = replace(state, rest=state.rest[::-1])
    one, two = (roll_out(MIXED, [Fork(start)], [0], 1, 40) for start in (state, other))
    assert np.array_equal(one, two)


def test_a_finished_game_has_its_result():
    game = follow(MIXED.rules, 1, record(MIXED, 1, np.array([5])))[0]
    wins = roll_out(MIXED, [Fork(game.states[-1])], [0], 1, 60)
    assert wins.shape == (1, BATCHES, 3)
    expected = [WIN * 3 * share for share in shares(list(game.scores))]
    assert all(batch == pytest.approx(expected) for batch in wins[0].tolist())


def test_players_play_on_at_their_positions():
    with pytest.raises(InputError, match="seating must be given"):
        roll_out(replace(MIXED, seating="rotate"), [], [], 1, 20)
