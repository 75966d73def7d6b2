"""The compiled engine plays as the slow one does, move by move, whatever the rules, deck, players and deal."""

import random

import numpy as np
import pytest

from simulate.escalation.engine import Table
from simulate.escalation.plain.reference import HeuristicPlayer, play
from simulate.escalation.rules import Deck, Rules
from simulate.escalation.state import State
from simulate.jit import numba_config
from strategies.catalogue import strategy
from tests.simulate.escalation.cases import by_reference, check_case, move_of, random_strategy, random_table

BATCHES = 30
CASES_PER_BATCH = 100 if not numba_config.DISABLE_JIT else 3


@pytest.mark.parametrize("batch", range(BATCHES))
def test_random_cases_are_played_alike_move_by_move(batch):
    rng = random.Random(1000 + batch)
    for _ in range(CASES_PER_BATCH):
        check_case(random_table(rng), rng.randrange(1 << 62), rng.randrange(1 << 40))


@pytest.mark.parametrize("batch", range(3))
def test_hands_full_of_equal_cards_are_played_alike(batch):
    # Nine or ten of a value in one hand need the third plane of the option table; random decks seldom deal that.
    rng = random.Random(5000 + batch)
    for _ in range(CASES_PER_BATCH):
        copies = tuple(10 if value <= 3 else rng.randint(0, 1) for value in range(1, 14))
        deck = Deck(tuple(rng.sample(copies, 13)), rng.randint(0, 6), rng.randint(0, 6))
        rules = Rules(deck, players=2, hand_size=10, wild_max=rng.randint(1, 7))
        table = Table(rules, (random_strategy(rng), random_strategy(rng)), "given")
        check_case(table, rng.randrange(1 << 62), rng.randrange(1 << 40))


def test_a_match_minds_the_scores_of_earlier_games():
    rules = Rules(players=3)
    seats = tuple(strategy(f"standard,standing={standing},early_take_limit=9,early_take=1") for standing in (0, 2, -2))
    table = Table(rules, seats, match=True)
    played = table.play(4, np.arange(30), with_moves=True)
    carried = [0, 0, 0]
    differs = False
    for deal in range(30):
        carried = [0, 0, 0] if deal % 3 == 0 else carried
        at = table.seats_at(4, deal)
        state = by_reference(table, 4, deal).start
        state = State(state.hands, state.stacks, state.rest, carried=tuple(carried[seat] for seat in at))
        record = play(rules, [HeuristicPlayer(seats[seat]) for seat in at], state, table.noise_key(4, deal))
        assert played.moves[deal, : len(record.turns)].tolist() == [move_of(turn) for turn in record.turns]
        differs |= record.scores != by_reference(table, 4, deal).scores
        for position, seat in enumerate(at):
            carried[seat] += record.scores[position]
    assert differs, "no decision depended on the match: the test would not notice if it were ignored"


@pytest.mark.parametrize("seed", range(40))
def test_a_game_goes_on_from_any_state_as_if_never_interrupted(seed):
    rng = random.Random(seed)
    table = random_table(rng)
    table = Table(table.rules, table.seats, "given")
    whole = by_reference(table, seed, 0)
    for turn in whole.turns[1 :: max(1, len(whole.turns) // 4)]:
        state = state_before(whole, turn.position, turn.number)
        played = table.play_from(state, seed, np.array([0]), with_moves=True)
        record = play(table.rules, [HeuristicPlayer(s) for s in table.seats], state, table.noise_key(seed, 0))
        assert tuple(played.scores[0]) == record.scores == whole.scores
        assert played.moves[0, : len(record.turns)].tolist() == [move_of(t) for t in record.turns]
        assert played.turns[0] == len(record.turns)
        assert played.telemetry.sum(axis=0).tolist() == [list(row) for row in record.telemetry()]


def state_before(record, position, number):
    """Rebuild the state before a player's turn number `number` from the log."""
    state = record.start
    hands = [list(hand) for hand in state.hands]
    stacks, rest, turns = list(state.stacks), list(state.rest), list(state.turns_taken)
    for turn in record.turns:
        if (turn.position, turn.number) == (position, number):
            return State(
                tuple(tuple(sorted(hand)) for hand in hands), tuple(stacks), tuple(rest), position, turn.pile,
                turn.target, turn.announcer, tuple(turns),
            )  # fmt: skip
        if turn.took:
            stacks[turn.position] += turn.pile
        for card in turn.laid.laid:
            hands[turn.position].remove(card)
        hands[turn.position] += turn.drawn
        rest = rest[len(turn.drawn) :]
        turns[turn.position] += 1
    raise AssertionError("no such turn")


def test_rollouts_from_a_state_reshuffle_only_the_cards_to_come():
    rules = Rules(players=2)
    table = Table(rules, (strategy("standard"), strategy("minimal")), "given")
    record = by_reference(table, 8, 0)
    turn = record.turns[6]
    state = state_before(record, turn.position, turn.number)
    fixed = table.play_from(state, 8, np.arange(50))
    assert (fixed.scores == fixed.scores[0]).all()
    shuffled = table.play_from(state, 8, np.arange(50), shuffle_rest=True)
    assert len(np.unique(shuffled.scores, axis=0)) > 1
