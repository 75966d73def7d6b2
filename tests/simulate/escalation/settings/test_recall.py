"""Games replayed from their moves: what they come to is what the slow engine says, and a false move is noticed."""

from __future__ import annotations

import random

import numpy as np
import pytest

from simulate import Rules, Table
from simulate.escalation.kernel.dealing import deck_order, deck_orders
from simulate.escalation.kernel.game import NO_MOVE, TOOK
from simulate.escalation.kernel.option_table import PASS_ROW, rows
from simulate.escalation.rules import PASS
from simulate.escalation.settings.recall import recall
from strategies.catalogue import strategy
from tests.simulate.escalation.cases import by_reference, random_table


def met_by_reference(table: Table, seed: int, deal: int) -> tuple[int, ...]:
    """Count Pass-only hands, those facing a pile, and short draws, from the slow engine's turns."""
    record, deck = by_reference(table, seed, deal), len(deck_order(table.rules.deck, seed, deal))
    left = deck - table.rules.players * table.rules.hand_size
    only = forced = short = 0
    for turn in record.turns:
        stuck = all(card == PASS for card in turn.hand)
        only, forced = only + stuck, forced + (stuck and turn.pile > 0)
        laid = len(turn.laid.laid)
        left -= len(turn.drawn)
        wanted = table.rules.hand_size - (len(turn.hand) - laid)
        short += 0 < len(turn.drawn) < wanted
    assert left == len(record.final.rest)
    return only, forced, short


@pytest.mark.parametrize("number", range(60))
def test_any_game_is_recalled_as_the_slow_engine_plays_it(number: int):
    table, deals = random_table(random.Random(f"recall {number}")), np.arange(3, dtype=np.int64)
    played = table.play(number, deals, with_moves=True)
    found = recall(table.rules, deck_orders(table.rules.deck, number, deals), played.moves)
    assert found.lawful.all()
    for deal in deals.tolist():
        record = by_reference(table, number, deal)
        assert tuple(found.scores[deal].tolist()) == record.scores
        assert (found.middle[deal], found.deck_left[deal]) == (record.middle, len(record.final.rest))
        met = (found.only_passes[deal], found.passed_by_force[deal], found.short_draws[deal])
        assert met == met_by_reference(table, number, deal)


def one_game() -> tuple[Rules, np.ndarray, np.ndarray]:
    table, deals = Table(Rules(players=3), (strategy("standard"),) * 3, "given"), np.zeros(1, dtype=np.int64)
    return table.rules, deck_orders(table.rules.deck, 1, deals), table.play(1, deals, with_moves=True).moves


def row_of(value: int, naturals: int = 1, wilds: int = 0) -> int:
    return next(n for n, row in enumerate(rows()) if (row.value, row.naturals, row.wilds) == (value, naturals, wilds))


def test_moves_that_cannot_be_are_noticed():
    rules, orders, moves = one_game()
    first_hand = set(orders[0, :6].tolist())
    absent = next(value for value in range(1, 14) if value not in first_hand)
    last = int((moves[0] != NO_MOVE).sum()) - 1
    wrong = {
        "a card that is not held": (0, row_of(absent)),
        "a Pass to open": (0, PASS_ROW),
        "a take without a pile": (0, int(moves[0, 0]) + TOOK),
        "a set that beats nothing": (1, row_of(1)),
        "a game without its end": (last, NO_MOVE),
    }
    assert recall(rules, orders, moves).lawful.tolist() == [True]
    for what, (turn, move) in wrong.items():
        changed = moves.copy()
        changed[0, turn] = move
        assert recall(rules, orders, changed).lawful.tolist() == [False], what


def test_another_deck_order_does_not_fit_the_moves():
    rules, orders, moves = one_game()
    assert recall(rules, orders[:, ::-1], moves).lawful.tolist() == [False]
