"""Random (rules, persons, deal) cases of That Escalated Quickly, and what the two engines make of each."""

from __future__ import annotations

import random

import numpy as np

from simulate.quickly.engine import Group
from simulate.quickly.game import NO_FLIP
from simulate.quickly.reference import GroupGameRecord, play
from simulate.quickly.rules import HIGHEST, GroupRules
from strategies.quickly import QUICKLY, REPLAN, Person


def random_rules(rng: random.Random) -> GroupRules:
    players = rng.randint(2, 8)
    if rng.random() < 0.6:
        return GroupRules.printed(players, planned_mistake=True)
    cards_each = rng.randint(1, HIGHEST // players)
    return GroupRules(players, cards_each, rng.choice([0, 1, 1, 2, 3]), rng.randint(1, 4), planned_mistake=True)


def random_person(rng: random.Random, rules: GroupRules) -> Person:
    """Draw a person, often with round numbers, so that ties happen; few re-plan two rows of many cards: it is slow."""
    share = [0.0, 0.5, 1.0, rng.random()]
    values = {
        "sigma": rng.choice([0.0, 0.02, 0.5, 1.0, 1.5, rng.uniform(0, 4), 30.0]),
        "listening": rng.choice(share),
        "clear_ends": rng.choice(share),
        "talk": rng.randint(1, 7),
        "spread": rng.choice([0.0, 0.0, 0.5, -0.5, rng.uniform(-0.9, 4)]),
        "shared_frame": rng.choice(share),
        "own_anchor": rng.choice(share),
        "organiser": rng.randint(0, 2),
    }
    if rules.mistakes and rng.random() < 0.4:
        values["burn"] = 1
    if values["organiser"] == REPLAN and rules.cards > 6:
        values["burn"] = int(rng.random() < 0.01) * values.get("burn", 0)
    if values["organiser"] != REPLAN and not values.get("burn"):
        values["own_shift"] = rng.choice([0, 0, rng.randint(-9, 9)])
    base = Person.from_parameters("drawn", {"talk": 1.0})
    return rng.choice([QUICKLY.strategy("plain"), base, base]).with_changes(values)


def random_group(rng: random.Random) -> Group:
    rules = random_rules(rng)
    return Group(rules, tuple(random_person(rng, rules) for _ in range(rules.players)), rng.choice([0, 5]))


def check_case(group: Group, seed: int, deal: int) -> GroupGameRecord:
    """Check that both engines play one deal alike: every flip of every round, every count."""
    played = group.play(seed, np.array([deal]), with_flips=True)
    record = play(group, seed, deal)
    for number, one in enumerate(record.rounds):
        values = [flip.value for flip in one.flips]
        assert played.flips[0, number, : len(values)].tolist() == values, (group, seed, deal, number)
        assert (played.flips[0, number, len(values) :] == NO_FLIP).all()
    assert (played.flips[0, len(record.rounds) :] == NO_FLIP).all()
    assert (played.good[0], played.bad[0]) == (record.good, record.bad)
    check_sums(played.sums, record, group.rules)
    return record


def check_sums(sums, record: GroupGameRecord, rules: GroupRules) -> None:
    """Check the counts of a single game against its record."""
    won = record.good == rules.target
    assert (sums.games[0], sums.wins[0], sums.final_scores[record.good, record.bad]) == (1, won, 1)
    assert sums.final_scores.sum() == 1
    for position in range(rules.players):
        organised = [one for one in record.rounds if one.organiser == position]
        assert sums.rounds[position] == len(organised)
        assert sums.good[position] == sum(one.good for one in organised)
    good, rounds = record.good, len(record.rounds)
    assert sums.good_products.tolist() == [good * good, good * rounds, rounds * rounds]
    by_mistakes = [sum(one.mistakes == number for one in record.rounds) for number in range(rules.mistakes + 2)]
    assert sums.mistakes.tolist() == by_mistakes
    died_at = [0] * (rules.cards + 1)
    confusions = np.zeros((HIGHEST + 1, HIGHEST + 1), dtype=int)
    own_mistakes = 0
    for one in record.rounds:
        own = {value for card, value in enumerate(one.values) if card // rules.cards_each == one.organiser}
        if not one.good:
            died_at[len(one.flips)] += 1
        for flip in one.flips:
            if flip.mistake:
                confusions[flip.row[-1], flip.value] += 1
                own_mistakes += bool({flip.row[-1], flip.value} & own)
    assert sums.died_at.tolist() == died_at
    assert np.array_equal(sums.confusions, confusions)
    assert sums.own_mistakes[0] == own_mistakes
