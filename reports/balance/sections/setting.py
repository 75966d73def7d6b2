"""What is looked at: rules, deck, players, how much is played, and how to ask again."""

from __future__ import annotations

from typing import Final

import pandas as pd

from reports.balance.finding import Finding, Play
from reports.balance.plan import BalancePlan
from reports.output.html import PageTable
from reports.output.provenance import deck_note, rules_note, versions_line
from reports.output.words import players_text
from simulate.escalation.rules import RULINGS, VALUES, card_name
from simulate.experiment import KERNEL_VERSION
from strategies.catalogue import named_strategies

ASSUMED: Final = (
    "Nobody has published how many cards there are of each value: the deck is an assumption, and so is every other. "
    "The section on rulings and decks says which findings depend on it."
)


def measure(plan: BalancePlan, play: Play) -> Finding:
    """Say what is looked at; nothing is played."""
    facts, players = _facts(plan), _players(plan)
    return Finding(
        name="setting",
        title="Setting",
        finding=f"{_game(plan)}, with {players_text(list(plan.player_counts))}.",
        frames={"setting": facts, "setting_players": players, "setting_deck": _deck(plan)},
        tables=(_as_table(facts, "setting.csv"), _as_table(players, "setting_players.csv")),
        texts=(ASSUMED,),
        commands=(plan.command("FOLDER"),),
    )


def _game(plan: BalancePlan) -> str:
    changed = rules_note(plan.rules)
    rules = f"with {changed}" if changed else "with the rules as printed and the default rulings"
    return f"Escalation! {rules}, deck {plan.rules.deck.name}"


def _facts(plan: BalancePlan) -> pd.DataFrame:
    """Return one row per fact: what, value."""
    effort = plan.effort
    facts = {
        "deck": deck_note(plan.rules),
        "cards in the deck": str(plan.rules.deck.size),
        "cards in hand": str(plan.rules.hand_size),
        "wilds count up to": str(plan.rules.wild_max),
        **{f"ruling {name}": str(getattr(plan.rules, name)).lower() for name in RULINGS},
        "players": ", ".join(map(str, plan.player_counts)),
        "players where one table size is looked at": str(plan.rules.players),
        "games per setting": f"{plan.games:,}",
        "games looked at turn by turn": f"{effort.sample:,}",
        "games played on from such a turn": f"{effort.rollouts:,}",
        "seed": str(plan.seed),
        "target of the redesign": plan.target,
        "versions": versions_line(),
        "numbers named by": f"digest {plan.digest}, kernel version {KERNEL_VERSION}",
    }
    return pd.DataFrame({"what": name, "value": value} for name, value in facts.items())


def _players(plan: BalancePlan) -> pd.DataFrame:
    """Return one row per strategy: strategy, role, description."""
    known = {one.name: one.description for one in named_strategies().values()}
    rows = []
    for one in dict.fromkeys((plan.standard, *plan.weaker, *plan.population)):
        roles = {"standard": one == plan.standard, "weaker": one in plan.weaker, "population": one in plan.population}
        role = ", ".join(name for name, has in roles.items() if has)
        name = one.label.partition(",")[0]
        changed = f"{name} with changes: " if name != one.label else ""
        rows.append({"strategy": one.label, "role": role, "description": changed + known.get(name, "")})
    return pd.DataFrame(rows)


def _deck(plan: BalancePlan) -> pd.DataFrame:
    """Return one row per kind of card: card, copies."""
    deck = plan.rules.deck
    copies = {card_name(value): deck.copies[value - 1] for value in VALUES} | {"W": deck.wilds, "P": deck.passes}
    return pd.DataFrame({"card": card, "copies": count} for card, count in copies.items())


def _as_table(frame: pd.DataFrame, csv: str) -> PageTable:
    rows = tuple(tuple(map(str, row)) for row in frame.itertuples(index=False))
    return PageTable(tuple(map(str, frame.columns)), rows, len(frame.columns), csv)
