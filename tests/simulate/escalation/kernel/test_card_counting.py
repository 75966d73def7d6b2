"""The chance that the next player cannot beat a total, looked up in tables, is what the plain estimate says."""

from __future__ import annotations

import random

import numpy as np

from simulate.escalation.kernel.card_counting import chance_not_beaten, counting_tables
from simulate.escalation.kernel.hands import pack
from simulate.escalation.plain.card_counting import chance_estimated
from simulate.escalation.rules import PRESETS, Deck, Rules
from simulate.jit import kernel


@kernel
def fill_chance(tables, unseen, unseen_cards, cards, total, wild_max, wild_only_sets, out):
    out[0] = chance_not_beaten(tables, unseen, unseen_cards, cards, total, wild_max, wild_only_sets)


def random_situation(rng: random.Random) -> tuple[Rules, list[int], int, int]:
    deck = rng.choice([*PRESETS.values(), Deck.parse("1-13x10,Wx6,Px6"), Deck.parse("1-9x6,Wx4")])
    size, wild_max = rng.choice([6, 6, 3, 10]), rng.choice([7, 7, rng.randint(1, 6)])
    rules = Rules(deck, 4, size, wild_max, wild_only_sets=rng.random() < 0.5)
    unseen = rng.sample(deck.cards(), rng.randint(1, deck.size))
    return rules, unseen, rng.randint(0, min(rules.hand_size, len(unseen))), rng.randint(0, 50)


def test_the_kernel_estimates_as_its_plain_twin():
    rng = random.Random(6)
    out = np.zeros(1, dtype=np.int64)
    for _ in range(1500):
        rules, unseen, cards, total = random_situation(rng)
        numbers = rules.wild_max, int(rules.wild_only_sets)
        fill_chance(counting_tables(rules), pack(unseen), len(unseen), cards, total, *numbers, out)
        assert out[0] == chance_estimated(rules, unseen, cards, total)
