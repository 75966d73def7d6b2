"""Where a turn finds its keys and its preferences."""

from __future__ import annotations

from itertools import product

import numpy as np

from simulate import Rules
from simulate.escalation.engine import prepared, rule_numbers
from simulate.escalation.kernel.option_table import SLOTS, STAGES
from simulate.escalation.kernel.turns import TurnView, block_of, first_key, stage_of
from simulate.escalation.rules import RULINGS
from simulate.jit import kernel
from strategies.catalogue import strategy


@kernel
def fill_places(table, strategy, situation, pile, stage, number, out):
    turn = TurnView(np.uint64(0), strategy, 0, np.uint64(0), 5, pile, situation, stage)
    out[0], out[1], out[2] = first_key(turn), stage_of(turn), block_of(table, turn, number)


def test_places_are_those_of_arrays_by_strategy_stage_and_situation():
    players = prepared(Rules(players=2), (strategy("standard"), strategy("minimal"), strategy("jumper")))
    table = players.preferences
    keys = np.arange(len(players.keys)).reshape(3, 2, STAGES, SLOTS)
    blocks = np.arange(0, len(table.best) - len(table.best) % int(table.block_size), int(table.block_size))
    per_situation = int(table.situation_size // table.block_size)
    blocks = blocks[: 3 * STAGES * int(table.stage_size // table.block_size)].reshape(3, STAGES, -1, per_situation)
    out = np.zeros(3, dtype=np.int64)
    for which, stage, pile, situation in product(range(3), range(STAGES), (0, 4), (0, 1, 7)):
        start = np.uint64(situation) * table.situation_size
        fill_places(table, np.uint64(which), start, pile, stage, np.uint64(2), out)
        assert out[0] == keys[which, int(pile == 0), stage, 0]
        assert out[1] == which * STAGES + stage
        assert out[2] == blocks[which, stage, situation, 2]


def test_the_kernels_read_the_rules_by_name():
    rules = Rules(players=3, hand_size=5, wild_max=6, lead_pass=True, wild_only_sets=False)
    numbers = rule_numbers(rules)
    assert (numbers.players, numbers.hand_size, numbers.wild_max) == (3, 5, 6)
    assert {name: bool(getattr(numbers, name)) for name in RULINGS} == {name: getattr(rules, name) for name in RULINGS}
