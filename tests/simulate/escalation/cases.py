"""Random (rules, deck, players, strategies, deal) cases, and what the two engines make of each."""

from __future__ import annotations

import random
from dataclasses import replace
from typing import Any

import numpy as np

from simulate.escalation.engine import SEATINGS, Table
from simulate.escalation.kernel.dealing import deck_order
from simulate.escalation.kernel.game import TOOK
from simulate.escalation.kernel.option_table import PASS_ROW, rows
from simulate.escalation.plain.reference import GameRecord, HeuristicPlayer, NumberSet, Turn, View, play
from simulate.escalation.rules import PASS, PRESETS, RULINGS, VALUES, WILD, Deck, Rules
from simulate.escalation.state import State
from strategies.catalogue import named_strategies, strategy
from strategies.errors import InputError
from strategies.parameters import PARAMETERS, Parameter
from strategies.strategy import Strategy

_ROW_OF = {(row.value, row.naturals, row.wilds): index for index, row in enumerate(rows())}

TWO = Rules(players=2)


def random_deck(rng: random.Random) -> Deck:
    if rng.random() < 0.3:
        return rng.choice(list(PRESETS.values()))
    most = rng.choice([3, 4, 6, 10])
    copies = tuple(rng.randint(0, most) if rng.random() < 0.8 else 0 for _ in VALUES)
    return Deck(copies, rng.randint(0, rng.choice([1, 3, 6])), rng.randint(0, rng.choice([2, 6])))


def random_rules(rng: random.Random) -> Rules:
    while True:
        rulings = {name: rng.random() < 0.5 for name in RULINGS}
        size, wild_max = rng.choice([1, 2, 3, 5, 6, 6, 7, 10]), rng.choice([7, 7, rng.randint(1, 7)])
        try:
            return Rules(random_deck(rng), rng.randint(2, 9), size, wild_max).with_rulings(rulings)
        except InputError:
            # Too few cards for the hands: draw another case.
            continue


def random_value(rng: random.Random, parameter: Parameter) -> float:
    """Draw a value, often a round one, so that ties happen."""
    if parameter.unit == "probability":
        return rng.choice([0.0, 0.1, 0.5, 1.0])
    if parameter.unit == "share":
        return rng.choice([0.0, 0.25, 1.0])
    if parameter.unit == "cards":
        return rng.choice([rng.uniform(-5, 8), float(rng.randint(-5, 8)), 1e6, -1e6])
    return rng.choice([rng.uniform(-1, 1), rng.uniform(-0.2, 0.2), float(rng.randint(-2, 2))])


def random_strategy(rng: random.Random) -> Strategy:
    if rng.random() < 0.4:
        strategy = rng.choice(list(named_strategies().values())).strategy
    else:
        chosen = [p for p in PARAMETERS if rng.random() < 0.5 and p.name != "noise"]
        strategy = Strategy.from_parameters("drawn", {p.name: random_value(rng, p) for p in chosen})
    return strategy.with_changes({"noise": rng.choice([0.1, 0.5])}) if rng.random() < 0.2 else strategy


def random_table(rng: random.Random) -> Table:
    rules = random_rules(rng)
    return Table(rules, tuple(random_strategy(rng) for _ in range(rules.players)), rng.choice(SEATINGS))


def by_reference(table: Table, seed: int, deal: int) -> GameRecord:
    """Play one deal with the slow engine."""
    state = State.dealt(table.rules, deck_order(table.rules.deck, seed, deal))
    players = [HeuristicPlayer(table.seats[seat]) for seat in table.seats_at(seed, deal)]
    return play(table.rules, players, state, table.noise_key(seed, deal))


def move_of(turn: Turn) -> int:
    """Return a turn of the reference in the notation of the kernel."""
    option = (turn.lead or turn.first).choice.option
    row = _ROW_OF[option.value, option.naturals, option.wilds] if isinstance(option, NumberSet) else PASS_ROW
    return row + (TOOK if turn.took else 0)


def check_case(table: Table, seed: int, deal: int) -> None:
    """Check that both engines play one deal alike: every move, every score, every count, and no card lost."""
    played = table.play(seed, np.array([deal]), with_moves=True)
    record = by_reference(table, seed, deal)
    moves = [move_of(turn) for turn in record.turns]
    assert played.moves[0, : len(moves)].tolist() == moves
    assert (played.moves[0, len(moves) :] == -1).all()
    assert played.turns[0] == len(moves)
    assert tuple(played.scores[0]) == record.scores
    counted = record.telemetry()
    for position, seat in enumerate(table.seats_at(seed, deal)):
        assert tuple(played.telemetry[seat, position]) == tuple(counted[position])
    assert sum(record.scores) + record.middle + len(record.final.rest) == table.rules.deck.size


def cards(text: str) -> tuple[int, ...]:
    return tuple({"W": WILD, "P": PASS}.get(card) or int(card) for card in text.split())


def view(hand: str, *, other: str = "1 1 1 1 1 1", rest: str = "2 2", rules: Rules = TWO, **fields: Any) -> View:
    """What position 0 of two knows; with a `target` there is a pile of three unless told."""
    middle = {"pile": 3, "announcer": 1, **fields} if "target" in fields else fields
    return View.of_mover(rules, replace(State((cards(hand), cards(other)), (0, 0), cards(rest)), **middle), noise_key=1)


def player(**parameters: float) -> Strategy:
    return Strategy.from_parameters("test", {"early_take_limit": 9, **parameters})


def table(*names: str, **changes: Any) -> Table:
    seats = tuple(map(strategy, names))
    rules = replace(Rules(players=len(seats)), **changes.pop("rules", {}))
    return Table(rules, seats, **changes)


def unpack(hand: int) -> tuple[int, ...]:
    """Return the card codes that a hand's word counts, sorted."""
    return tuple(card for card in range(1, PASS + 1) for _ in range(int(hand) >> (4 * (card - 1)) & 15))


def most_turns(rules: Rules) -> int:
    """Return an upper bound on the turns of a game: every turn leaves a card on the table for good."""
    return rules.deck.size - rules.players + 1
