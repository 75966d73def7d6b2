"""What players see of each other while a game is played."""

from __future__ import annotations

import numpy as np
import pytest

from simulate.escalation.kernel.game import working_memory
from simulate.escalation.kernel.hands import pack
from simulate.escalation.kernel.seats import (
    COUNTS_CARDS,
    HAS_NOISE,
    JUMPS_BY_PILE,
    LOOKS_BEFORE_GOING_OUT,
    SPENDS_RESERVE,
    compare_stacks,
    habits_of,
    take_pile,
    unseen_by,
    who_is_nearly_out,
    wins_by_going_out,
)
from simulate.jit import kernel
from strategies.catalogue import strategy
from strategies.strategy import player_records


@kernel
def fill_facts(seats, players, out):
    compare_stacks(seats, players)
    out[0, 0] = np.int64(who_is_nearly_out(seats, players))
    for position in range(players):
        here = np.uint64(position)
        unseen = unseen_by(seats.at, here, players)
        out[1, position] = seats.at[position]["smallest_other"]
        out[2, position] = wins_by_going_out(seats.at, here, players)
        out[3, position], out[4, position], out[5, position] = np.int64(unseen.word), unseen.cards, unseen.next_hand


@kernel
def fill_habits(records, out):
    for place in range(records.shape[0]):
        out[place] = habits_of(records[place])


@kernel
def take(seats, position, players, pile, forced):
    take_pile(seats, position, players, pile, forced)


@pytest.mark.parametrize("players", [2, 3, 9])
def test_what_is_seen_follows_from_hands_and_stacks(players):
    rng = np.random.default_rng(players)
    for _ in range(50):
        hands = [rng.integers(1, 14, rng.integers(1, 5)).tolist() for _ in range(players)]
        stacks, carried = rng.integers(0, 12, (2, players)).tolist()
        seats = working_memory(56).seats
        for position, hand in enumerate(hands):
            seats.at[position]["hand"], seats.at[position]["cards"] = pack(hand), len(hand)
            seats.at[position]["stack"], seats.at[position]["carried"] = stacks[position], carried[position]
        out = np.zeros((6, players), dtype=np.int64)
        fill_facts(seats, np.uint64(players), out)
        assert out[0, 0] == sum(1 << p for p, hand in enumerate(hands) if len(hand) <= 2)
        for position in range(players):
            others = [p for p in range(players) if p != position]
            unseen = [card for p in others for card in hands[p]]
            assert out[1, position] == min(stacks[p] + carried[p] for p in others)
            assert out[2, position] == all(stacks[position] <= stacks[p] + len(hands[p]) for p in others)
            assert out[3:, position].tolist() == [int(pack(unseen)), len(unseen), len(hands[(position + 1) % players])]


@pytest.mark.parametrize(
    ("changes", "habits"),
    [
        ("", 0),
        ("noise=0.1", HAS_NOISE),
        ("count_cards=0.5", COUNTS_CARDS),
        ("pressure=0.1", JUMPS_BY_PILE),
        ("early_aggression=-1", JUMPS_BY_PILE),
        ("finish=2", LOOKS_BEFORE_GOING_OUT),
        ("reserve=-0.1", SPENDS_RESERVE),
        ("reserve=0.1", 0),
        ("finish=-1,noise=1", LOOKS_BEFORE_GOING_OUT | HAS_NOISE),
    ],
)
def test_habits_that_need_extra_work(changes, habits):
    plain = strategy("minimal")
    assert all(
        plain[name] == 0 for name in ("noise", "count_cards", "pressure", "early_aggression", "finish", "reserve")
    )
    out = np.zeros(1, dtype=np.int64)
    fill_habits(player_records([strategy(f"minimal,{changes}" if changes else "minimal")]), out)
    assert out[0] == habits


def test_a_taken_pile_lies_on_the_stack_and_shows_to_the_others():
    seats = working_memory(56).seats
    take(seats, np.uint64(1), np.uint64(3), 5, False)
    take(seats, np.uint64(2), np.uint64(3), 2, True)
    assert seats.at["stack"][:3].tolist() == [0, 5, 2]
    assert seats.at["smallest_other"][:3].tolist() == [2, 0, 0]
