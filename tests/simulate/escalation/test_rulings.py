"""Every ruling turned over, alone and in pairs: four tellings of the rules come to the same games.

The rules stand in four places that share no text: the slow engine, the fast one, `retelling` and `recall`. Both engines
play the same deals, and the other two follow the recorded moves. What the four say must agree, and must no longer agree
when one of them ignores a ruling.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from functools import cache
from itertools import combinations

import numpy as np
import pytest

from simulate import Deck, Rules, State, Table
from simulate.escalation.kernel.dealing import deck_orders
from simulate.escalation.kernel.game import NO_MOVE
from simulate.escalation.plain.reference import GameRecord, Take, after_laying, after_taking, legal_options
from simulate.escalation.rules import RULINGS
from simulate.escalation.settings.recall import recall
from simulate.escalation.settings.retelling import retell
from simulate.escalation.trace import moves_of_kernel
from strategies.strategy import Strategy
from tests.simulate.escalation.cases import by_reference, move_of

SEED = 3
PLAYERS = (2, 3, 4, 5)
DEALS = np.arange(30, dtype=np.int64)
DECK = Deck.parse("1-2x10,8x4,10x4,Wx6,Px6")
"""Few values, many wilds and many Passes: own totals come back, wilds are laid alone, hands hold nothing but Passes."""

TURNED = {name: dict(Rules().turned_over(name)) for name in RULINGS}
CHANGES = [*TURNED.values(), *({**TURNED[first], **TURNED[second]} for first, second in combinations(TURNED, 2))]
UNTOLD = {"lead_pass", "pass_hand_takes"}
"""Do not enter what `retelling` tells: a Pass in hand is an option against any pile, whatever may be led."""

changed_rules = pytest.mark.parametrize("changes", CHANGES, ids="+".join)
tables = pytest.mark.parametrize("players", PLAYERS)


def rules_with(changes: Mapping[str, bool], players: int) -> Rules:
    return Rules(DECK, players, hand_size=4).with_rulings(changes)


def seated(rules: Rules) -> Table:
    """Return players who do anything that is legal: at random, or the cheapest option of somebody who is in a hurry."""
    random = Strategy.from_parameters("random", {"noise": 1.0})
    hasty = Strategy.from_parameters("hasty", {"noise": 0.5, "shed": 1.0, "lead_shed": 1.0, "pass_hoard": -1.0})
    return Table(rules, tuple((random, hasty)[seat % 2] for seat in range(rules.players)), "given")


def recorded(moves: list[int], size: int) -> list[int]:
    return moves + [NO_MOVE] * (size - len(moves))


@cache
def records(rules: Rules) -> list[GameRecord]:
    """Return the games as the slow engine plays them."""
    return [by_reference(seated(rules), SEED, deal) for deal in DEALS.tolist()]


def moves_of_records(rules: Rules) -> np.ndarray:
    moves = [[move_of(turn) for turn in record.turns] for record in records(rules)]
    return np.array([recorded(game, rules.deck.size) for game in moves], dtype=np.int16)


def told_by_records(rules: Rules) -> list[list[tuple[int, ...]]]:
    """Return pile, target, deck, took and forced before every turn of every game."""
    told = []
    for record in records(rules):
        deck, turns = len(record.start.rest), []
        for turn in record.turns:
            turns.append((turn.pile, turn.target, deck, turn.took, turn.took and not turn.willing))
            deck -= len(turn.drawn)
        told.append(turns)
    return told


def told_by_retelling(rules: Rules, moves: np.ndarray) -> list[list[tuple[int, ...]]]:
    told = retell(rules, deck_orders(rules.deck, SEED, DEALS), moves)
    columns = np.stack([told.pile, told.target, told.deck, told.took, told.forced], axis=-1)
    return [[tuple(turn) for turn in game[:turns].tolist()] for game, turns in zip(columns, told.turns, strict=True)]


def found_by_recall(rules: Rules, moves: np.ndarray) -> list[tuple[tuple[int, ...], int, int, bool]]:
    """Return scores, cards in the middle, cards left in the deck, and whether all was lawful."""
    found = recall(rules, deck_orders(rules.deck, SEED, DEALS), moves)
    scores = [tuple(game) for game in found.scores.tolist()]
    return list(zip(scores, found.middle.tolist(), found.deck_left.tolist(), found.lawful.tolist(), strict=True))


def found_by_records(rules: Rules) -> list[tuple[tuple[int, ...], int, int, bool]]:
    return [(record.scores, record.middle, len(record.final.rest), True) for record in records(rules)]


def lawful(rules: Rules, order: tuple[int, ...], moves: np.ndarray) -> bool:
    """Tell whether moves make up a whole game that the slow engine would allow."""
    state = State.dealt(rules, order)
    for took, laid in moves_of_kernel(moves):
        if not all(state.hands):
            return False
        if took:
            if Take() not in legal_options(rules, state):
                return False
            state = after_taking(state)
        if laid not in legal_options(rules, state):
            return False
        state, _ = after_laying(rules, state, laid)
    return not all(state.hands)


@tables
@changed_rules
def test_four_tellings_of_the_rules_agree(changes, players):
    rules = rules_with(changes, players)
    moves = moves_of_records(rules)
    played = seated(rules).play(SEED, DEALS, with_moves=True)
    assert played.moves.tolist() == moves.tolist()
    assert [tuple(scores) for scores in played.scores.tolist()] == [record.scores for record in records(rules)]
    assert found_by_recall(rules, moves) == found_by_records(rules)
    assert told_by_retelling(rules, moves) == told_by_records(rules)


@tables
@changed_rules
def test_games_of_other_rules_are_judged_alike(changes, players):
    """Games by the default rules, judged by changed ones, and the other way round."""
    changed, default = rules_with(changes, players), rules_with({}, players)
    orders = [tuple(order) for order in deck_orders(DECK, SEED, DEALS).tolist()]
    for judging, playing in ((changed, default), (default, changed)):
        moves = moves_of_records(playing)
        judged = [game[-1] for game in found_by_recall(judging, moves)]
        assert judged == [lawful(judging, order, game) for order, game in zip(orders, moves, strict=True)]


@pytest.mark.parametrize("name", TURNED)
def test_whoever_ignored_a_ruling_would_be_noticed(name):
    """These deals have what the ruling decides: with its default each of the four says something else."""
    noticed = {"both engines": False, "recall": False, "retelling": False}
    for players in PLAYERS:
        turned = rules_with(TURNED[name], players)
        default = replace(turned, **{name: RULINGS[name].default})
        every = moves_of_records(turned), moves_of_records(default)
        noticed["both engines"] |= every[0].tolist() != every[1].tolist()
        by_recall = [[found_by_recall(rules, moves) for moves in every] for rules in (turned, default)]
        noticed["recall"] |= by_recall[0] != by_recall[1]
        by_retelling = [[told_by_retelling(rules, moves) for moves in every] for rules in (turned, default)]
        noticed["retelling"] |= by_retelling[0] != by_retelling[1]
    assert noticed == {"both engines": True, "recall": True, "retelling": name not in UNTOLD}
