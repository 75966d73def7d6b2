"""Rules, table sizes and strategies of Escalation! as plain data in question files, written and read side by side."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from reports.reading.spec_reader import SpecReader
from simulate.escalation.rules import DEFAULT_DECK, FEWEST_PLAYERS, MOST_PLAYERS, RULINGS, Deck, Rules
from strategies.catalogue import strategy
from strategies.errors import InputError
from strategies.parameters import PARAMETER_NAMES
from strategies.strategy import Strategy

RULES_KEYS: Final = ("deck", "hand_size", "wild_max", "rulings")


def rules_spec(rules: Rules) -> dict[str, Any]:
    """Return rules as plain data, under the names of `RULES_KEYS`; the number of players stands elsewhere."""
    return {
        "deck": str(rules.deck),
        "hand_size": rules.hand_size,
        "wild_max": rules.wild_max,
        "rulings": {name: getattr(rules, name) for name in RULINGS},
    }


def read_rules(read: SpecReader, players: int) -> Rules:
    """Return the rules that `rules_spec` wrote, for so many players; what is missing is as published.

    Raises
    ------
    InputError
        If something is ill-typed or not allowed.
    """
    usual = Rules()
    deck = Deck.parse(read.take("deck", str, DEFAULT_DECK.name))
    hand_size, wild_max = (read.take(name, int, getattr(usual, name)) for name in ("hand_size", "wild_max"))
    return Rules(deck, players, hand_size, wild_max).with_rulings(read.take("rulings", dict, {}))


def read_table_sizes(read: SpecReader, default: list[int] | None = None) -> tuple[int, ...]:
    """Return the numbers of players in a list called `players`; without a default it must be there.

    Raises
    ------
    InputError
        If one of them is no table size.
    """
    counts = read.whole_numbers("players", default)
    for players in counts:
        if not FEWEST_PLAYERS <= players <= MOST_PLAYERS:
            raise InputError(
                f"players={players:g} is not allowed: players is a whole number of players from {FEWEST_PLAYERS} to "
                f"{MOST_PLAYERS}"
            )
    return tuple(counts)


def read_seat(label: str, known: Mapping[str, Any]) -> Strategy:
    """Return a strategy with the parameters that a file gives it; without any, the one that is called so."""
    return read_strategy(label, known[label]) if label in known else strategy(label)


def read_strategy(label: str, data: object) -> Strategy:
    """Return a strategy of this label with parameters from plain data.

    Raises
    ------
    InputError
        If a parameter is unknown, no number, or out of bounds.
    """
    read = SpecReader(data, f"the strategy '{label}'", PARAMETER_NAMES)
    return Strategy.from_parameters(label, {name: read.number(name) for name in read.data})


def strategies_spec(players: tuple[Strategy, ...]) -> dict[str, dict[str, float]]:
    """Return the parameters that are not 0 of each strategy, by its label."""
    return {
        player.label: {name: value for name, value in zip(PARAMETER_NAMES, player.values, strict=True) if value}
        for player in players
    }
