"""The best set of each value, known beforehand, is the one that costs least."""

import numpy as np
import pytest

from simulate.escalation.kernel.hands import pack
from simulate.escalation.kernel.option_table import KEY_SHIFT, STAGES, base_keys, option_table, rows
from simulate.escalation.kernel.preferences import FEWEST_ROWS, preferences, ranks_of
from simulate.escalation.rules import PASS, VALUES, WILD, Deck, Rules
from simulate.jit import kernel
from simulate.lanes import nibbles, smallest
from strategies.catalogue import strategy
from strategies.heuristic import beating_cost, hurrying_cost, keeping_cost, leading_cost
from strategies.strategy import player_records

STANDARD = Rules()
CROWDED = Rules(Deck.parse("1-6x10,7x6,13x5,Wx6,Px2"), players=2, hand_size=10, wild_max=5)
NO_WILDS = Rules(Deck.parse("1-13x4,Px2"), wild_only_sets=False)
STRATEGIES = ("standard", "jumper,endgame_shed=2,high_hold=-3", "minimal,split_set=-2,wild_hold=-1.5,lead_total=-0.5")
STAGE_NAMES = [(False, False), (True, False), (True, True)]


@kernel
def fill_best(table, block, hand, first, out):
    out[0] = table.keys[first + smallest(ranks_of(table, block, nibbles(hand)))]


def least_key(player, rules, hand, target, stage, spending):
    """Return the least cost and row among the sets of a hand, `spending(wilds)` allowing; None if there is none."""
    known = {name: int(player[name]) for name in player.dtype.names}
    deck_empty, danger = STAGE_NAMES[stage]
    keys = []
    for index, row in enumerate(rows()):
        held, wilds = hand.count(row.value), hand.count(WILD)
        forbidden = row.wilds > 0 and row.value > rules.wild_max
        forbidden |= row.wilds > 1 and row.naturals == 0 and not rules.wild_only_sets
        affordable = row.naturals <= held and row.wilds <= wilds and spending(row.wilds)
        if forbidden or not affordable or (target is not None and row.total <= target):
            continue
        cost = keeping_cost(known, row.value, row.naturals, row.wilds, held)
        cost += hurrying_cost(known, row.cards, deck_empty, danger)
        if target is None:
            cost += leading_cost(known, row.total, row.cards)
        else:
            # The part with the target is the same for all sets, and added later.
            cost += beating_cost(known, row.total, row.cards, target, 9) + known["overshoot"] * target
        keys.append((cost << KEY_SHIFT) + index)
    return min(keys, default=None)


def random_hand(rules, rng):
    cards = rules.deck.cards()
    if rng.random() < 0.5:
        # Hands of few values have many equal cards.
        chosen = {*rng.choice(VALUES, 2).tolist(), WILD}
        cards = [card for card in cards if card in chosen] or cards
    size = int(rng.integers(1, min(rules.hand_size, len(cards)) + 1))
    return sorted(np.array(cards)[rng.permutation(len(cards))[:size]].tolist())


@pytest.mark.parametrize("rules", [STANDARD, CROWDED, NO_WILDS], ids=["standard", "crowded", "no wilds"])
@pytest.mark.parametrize("seed", range(3))
def test_the_best_set_is_the_cheapest_one(rules, seed):
    rng, players = np.random.default_rng(seed), player_records([strategy(text) for text in STRATEGIES])
    table = preferences(players, base_keys(players, option_table(rules)), rules)
    wilds_in_deck, block_size = rules.deck.wilds, int(table.block_size)
    for _ in range(60):
        hand, number, stage = random_hand(rules, rng), int(rng.integers(len(players))), int(rng.integers(STAGES))
        target = None if rng.random() < 0.3 else int(rng.integers(0, rules.greatest_total + 1))
        situation = 0 if target is None else target + 1
        wilds = hand.count(WILD)
        start = (number * STAGES + stage) * int(table.stage_size) + situation * int(table.situation_size)
        blocks = [(wilds, lambda spent: True)]
        if wilds:
            blocks.append((wilds_in_deck + wilds, lambda spent: spent > 0))
        blocks += [(2 * wilds_in_deck + n, lambda spent, n=n: spent == n) for n in range(1, wilds + 1)]
        for block, spending in blocks:
            out = np.zeros(1, dtype=np.int64)
            first = (number * STAGES + stage) * int(table.ranks)
            fill_best(table, np.uint64(start + block * block_size), pack(hand), np.uint64(first), out)
            expected = least_key(players[number], rules, hand, target, stage, spending)
            assert out[0] == (1 << 62 if expected is None else expected), (hand, target, stage, block)


def test_passes_have_no_set():
    players = player_records([strategy("standard")])
    table = preferences(players, base_keys(players, option_table(STANDARD)), STANDARD)
    out = np.zeros(1, dtype=np.int64)
    fill_best(table, np.uint64(0), pack([PASS, PASS]), np.uint64(0), out)
    assert out[0] == 1 << 62


def test_a_block_without_any_set_ends_the_table():
    players = player_records([strategy("standard")])
    table = preferences(players, base_keys(players, option_table(STANDARD)), STANDARD)
    assert (table.best[int(table.no_sets) :] == int(table.ranks) - 1).all()
    assert table.best.size - int(table.no_sets) == int(table.block_size)
    assert (table.keys.reshape(-1, int(table.ranks))[:, -1] == 1 << 62).all()


def test_blocks_have_a_row_for_every_number_of_equal_cards():
    for rules, most in ((STANDARD, FEWEST_ROWS), (CROWDED, 10)):
        players = player_records([strategy("standard")])
        table = preferences(players, base_keys(players, option_table(rules)), rules)
        assert int(table.most_held) == most
