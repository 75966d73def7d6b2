"""The option table lists every set once, in the order of ties, and knows what beats what."""

import numpy as np
import pytest

from simulate.escalation.kernel.hands import pack
from simulate.escalation.kernel.option_table import (
    BITS,
    IMPOSSIBLE,
    KEY_SHIFT,
    PASS_ROW,
    WORDS,
    base_keys,
    option_table,
    rows,
)
from simulate.escalation.rules import PASS, WILD, Deck, Rules
from strategies.catalogue import strategy
from strategies.heuristic import beating_cost, hurrying_cost, keeping_cost, leading_cost
from strategies.strategy import player_records

RULES = Rules(Deck.parse("1-13x10,Wx6,Px6"), hand_size=10)


def test_every_set_stands_once_in_the_order_of_ties():
    # Values 1-7 with 0-6 wilds, values 8-13 without, naturals and wilds between 1 and 10 together.
    wild = sum(1 for w in range(7) for n in range(11) if 1 <= n + w <= 10)
    assert len(rows()) == PASS_ROW == 7 * wild + 6 * 10
    keys = [(row.total, row.wilds, row.cards) for row in rows()]
    assert keys == sorted(set(keys))
    assert len({row.slot for row in rows()}) == len(rows())
    assert all(row.slot % BITS != BITS - 1 for row in rows()), "the last bit of a word must stay empty"


@pytest.mark.parametrize("target", [0, 1, 6, 47, 48, 129, 130])
def test_a_set_beats_a_target_strictly_below_its_total(target):
    beats = option_table(RULES).beats.reshape(-1, WORDS)[target]
    for row in rows():
        word, bit = divmod(row.slot, BITS)
        assert bool(int(beats[word]) >> bit & 1) == (row.total > target)


@pytest.mark.parametrize(
    ("rules", "forbidden"),
    [
        (Rules(wild_max=3), lambda row: row.wilds > 0 and row.value > 3),
        (Rules(wild_only_sets=False), lambda row: row.naturals == 0 and row.wilds > 1),
    ],
)
def test_rulings_take_sets_out_of_play(rules, forbidden):
    beats = option_table(rules).beats.reshape(-1, WORDS)[0]
    for row in rows():
        word, bit = divmod(row.slot, BITS)
        assert bool(int(beats[word]) >> bit & 1) == (not forbidden(row))


def test_rows_know_what_leaves_the_hand():
    table = option_table(RULES)
    for index, row in enumerate(rows()):
        assert table.rows[index]["removal"] == pack([row.value] * row.naturals + [WILD] * row.wilds)
        assert (table.rows[index]["cards"], table.rows[index]["total"]) == (row.cards, row.total)
    assert table.rows[PASS_ROW]["removal"] == pack([PASS])
    assert (table.rows[PASS_ROW]["cards"], table.rows[PASS_ROW]["total"]) == (1, 0)


def test_base_keys_hold_the_costs_that_do_not_depend_on_the_hand():
    players = player_records([strategy("standard"), strategy("jumper,endgame_shed=2,high_hold=-3")])
    keys = base_keys(players, option_table(RULES))
    for player, of_player in zip(players, keys, strict=True):
        known = {name: int(player[name]) for name in players.dtype.names}
        for index, row in list(enumerate(rows()))[::17]:
            target, pile, held = 9, 5, row.naturals + 1
            keeping = keeping_cost(known, row.value, row.naturals, row.wilds, held)
            split = known["split_set"] * held if row.naturals else 0
            for stage, (deck_empty, danger) in enumerate([(False, False), (True, False), (True, True)]):
                hurry = hurrying_cost(known, row.cards, deck_empty, danger)
                beat = keeping + beating_cost(known, row.total, row.cards, target, pile) + hurry
                lead = keeping + leading_cost(known, row.total, row.cards) + hurry
                fixed = of_player[:, stage, row.slot].astype(object)
                assert fixed[0] + ((split - known["overshoot"] * target) << KEY_SHIFT) == (beat << KEY_SHIFT) + index
                assert fixed[1] + (split << KEY_SHIFT) == (lead << KEY_SHIFT) + index
    assert (keys == IMPOSSIBLE).sum() == keys.size - keys.size // (WORDS * BITS) * len(rows())
    assert np.abs(keys[keys < IMPOSSIBLE]).max() < IMPOSSIBLE // 2
