"""Who sits at the tables that sections play."""

from __future__ import annotations

from collections.abc import Iterable

from simulate import Table
from simulate.escalation.engine import Seating
from simulate.escalation.rules import Rules
from strategies.strategy import Strategy


def all_alike(rules: Rules, player: Strategy, seating: Seating = "given") -> Table:
    """Return a table at which everybody plays the same strategy."""
    return Table(rules, (player,) * rules.players, seating)


def one_among(rules: Rules, player: Strategy, others: Strategy) -> Table:
    """Return a table of one player, at seat 0, among others who play alike: there is one order of them.

    The starter rotates, and seat i sits i places after seat 0.
    """
    return Table(rules, (player, *(others,) * (rules.players - 1)), "rotate")


def others_than(player: Strategy, strategies: Iterable[Strategy]) -> list[Strategy]:
    """Return the strategies that play otherwise, whatever they are called."""
    return [strategy for strategy in strategies if strategy.values != player.values]
