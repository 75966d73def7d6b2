"""Who sits beside whom: effects recomputed game by game, and their intervals on made-up games of known chances."""

from __future__ import annotations

import math
from itertools import permutations

import numpy as np
import pytest

from reports.estimates.intervals import Interval
from reports.simulation.seating_orders import (
    DIFFERENCE,
    ONE_ORDER,
    NeighbourEffect,
    NeighbourEffects,
    effect_sentence,
    neighbours_of,
)
from reports.simulation.summary import WINS
from simulate import Rules, Table
from simulate.blocks import deals_of
from simulate.escalation.kernel.win_shares import WIN
from strategies.catalogue import strategy

DEALS = deals_of(0)
SEED = 7


def table_of(*names: str, **more) -> Table:
    return Table(Rules(players=len(names)), tuple(map(strategy, names)), **more)


def told(table: Table) -> NeighbourEffects:
    neighbours = neighbours_of(table.play_deals(SEED, DEALS), table)
    assert neighbours is not None
    return neighbours


def games_of(table: Table) -> list[tuple[list[str], list[float]]]:
    """Return the strategies clockwise from the starter, and their win shares, game by game."""
    played = table.play(SEED, DEALS)
    names = np.array([seat.label for seat in table.seats])[played.seating]
    best = played.scores == played.scores.min(axis=1, keepdims=True)
    return list(zip(names.tolist(), (best / best.sum(axis=1, keepdims=True)).tolist(), strict=True))


@pytest.mark.parametrize(
    "names",
    [
        ("standard", "minimal", "hoarder"),
        ("standard", "minimal", "minimal", "standard"),
        ("standard", "novice", "novice", "novice", "hoarder", "novice", "standard"),
    ],
)
def test_effects_are_those_of_the_games(names):
    games = games_of(table_of(*names))
    effects = told(table_of(*names)).effects
    expected = {}
    for own in set(names):
        # Every place of a strategy in every game: what it won there, and who sat right before.
        places = [
            (seated[place - 1], shares[place])
            for seated, shares in games
            for place in range(len(names))
            if seated[place] == own
        ]
        for other in {before for before, _ in places}:
            after = [won for before, won in places if before == other]
            if len(after) < len(places):
                expected[own, other] = (len(after), np.mean(after), np.mean([won for _, won in places]))
    assert {(effect.strategy, effect.right_after) for effect in effects} == set(expected)
    for effect in effects:
        number, after, average = expected[effect.strategy, effect.right_after]
        assert effect.games == number
        assert effect.wins.estimate == pytest.approx(100 * after)
        assert effect.difference.estimate == pytest.approx(100 * (after - average))
        assert effect.difference.low < effect.difference.estimate < effect.difference.high


def turns_of(seated: list[str]) -> set[tuple[str, ...]]:
    return {(*seated[first:], *seated[:first]) for first in range(len(seated))}


@pytest.mark.parametrize("names", [("standard", "minimal", "hoarder"), ("standard", "minimal", "standard", "minimal")])
def test_orders_are_told_apart_by_strategies_and_wins_are_those_of_the_games(names):
    rows, games = told(table_of(*names)).orders, games_of(table_of(*names))
    every = {min(turns_of(list(order))) for order in permutations(names)}
    told_orders = [tuple(row["order"].split("; ")) for row in rows]
    assert {min(turns_of(list(order))) for order in told_orders} == every
    assert len(rows) == len({(row["order"], row["place"]) for row in rows})
    for order, row in zip(told_orders, rows, strict=True):
        won, number = [], 0
        for seated, shares in games:
            starts = [first for first in range(len(names)) if (*seated[first:], *seated[:first]) == order]
            number += bool(starts)
            won += [shares[(first + row["place"]) % len(names)] for first in starts]
        assert (row["strategy"], row["right_after"]) == (order[row["place"]], order[row["place"] - 1])
        assert row["games"] == number
        assert row[WINS.name] == pytest.approx(100 * np.mean(won))
        assert row[f"{WINS.name}_low"] < row[WINS.name] < row[f"{WINS.name}_high"]


def test_orders_are_told_up_to_six_players():
    assert set(told(table_of("standard", *["novice"] * 5)).tables()) == {"orders", "neighbours"}
    assert set(told(table_of("standard", *["novice"] * 6)).tables()) == {"neighbours"}


def test_nothing_is_said_where_neighbours_cannot_matter():
    for names in (("standard", "novice"), ("standard", "standard", "standard,noise=0")):
        table = table_of(*names)
        assert neighbours_of(table.play_deals(SEED, DEALS), table) is None


@pytest.mark.parametrize("seating", ["rotate", "given"])
def test_one_order_alone_is_said_to_be_one(seating):
    neighbours = told(table_of("standard", "novice", "hoarder", seating=seating))
    assert neighbours.as_data() == {"sentence": ONE_ORDER}


def sole_wins(chances: np.ndarray, games: int, rng: np.random.Generator) -> dict[str, np.ndarray]:
    """Make up the counts of games that one player wins, each order with chances of its own."""
    won = rng.multinomial(games, chances)
    return {
        "order_games": np.full(chances.shape, games),
        "order_wins": won * WIN,
        "order_win_squares": won * WIN**2,
    }


def test_all_intervals_together_hold_as_often_as_they_say():
    """Equal chances in every order, of unequal players: an effect that seems sure is a mistake."""
    table, rng, runs = table_of("standard", "minimal", "hoarder", "novice"), np.random.default_rng(1), 200
    chances = np.tile([0.5, 0.38, 0.1, 0.02], (6, 1))
    wrong, wrong_alone, alone = 0, 0, 0
    for _ in range(runs):
        effects = neighbours_of(sole_wins(chances, 300, rng), table).effects
        wrong += any(effect.difference.excludes_zero for effect in effects)
        for effect in effects:
            alone += 1
            truth = 100 * chances[0, ["standard", "minimal", "hoarder", "novice"].index(effect.strategy)]
            wrong_alone += not effect.wins.low <= truth <= effect.wins.high
    assert len(effects) == 12
    assert wrong / runs < 0.05 + 3 * math.sqrt(0.05 * 0.95 / runs)
    assert wrong_alone / alone < 0.07


def test_a_planted_effect_is_found_and_named():
    table, rng = table_of("standard", "minimal", "hoarder", "novice"), np.random.default_rng(2)
    chances = np.full((6, 4), 0.25)
    # Right after minimal (seat 1) standard (seat 0) wins 13 of 100 more: a third of all games, so 8.67 above average.
    after = [others[-1] == 1 for others in permutations((1, 2, 3))]
    chances[after] = [0.38, 0.21, 0.2, 0.21]
    neighbours = neighbours_of(sole_wins(chances, 100_000, rng), table)
    (effect,) = (e for e in neighbours.effects if (e.strategy, e.right_after) == ("standard", "minimal"))
    assert effect.difference.low < 13 * 2 / 3 < effect.difference.high
    assert neighbours.sentence.startswith("Neighbours matter: standard wins 8.")
    assert " more per 100 games (" in neighbours.sentence
    assert "when it sits right after minimal, against its average (the greatest of 12" in neighbours.sentence


def test_what_costs_wins_is_told_as_fewer():
    costly = NeighbourEffect("hoarder", "standard", 9, Interval(24, 23, 25), Interval(-0.31, -0.48, -0.14))
    assert "hoarder wins 0.3 fewer per 100 games (0.1 to 0.5) when it" in effect_sentence([costly])


def test_no_sure_effect_is_told_as_none():
    unsure = NeighbourEffect("standard", "novice", 9, Interval(30, 20, 40), Interval(1.0, -0.5, 2.54))
    assert effect_sentence([unsure]).startswith("No neighbour matters much")
    assert "at most one of 2.5 per 100 games" in effect_sentence([unsure])
    assert unsure.row()[DIFFERENCE.name] == 1.0
