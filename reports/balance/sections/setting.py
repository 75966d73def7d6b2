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
    changed = rules_note(plan.rules)
    rules = f"with {changed}" if changed else "with the rules as printed and the default rulings"
    facts, players = _facts(plan), _players(plan)
    return Finding(
        name="setting",
        title="Setting",
        finding=f"Escalation! {rules}, deck {plan.rules.deck.name}, with {players_text(list(plan.player_counts))}.",
        frames={"setting": facts, "setting_players": players, "setting_deck": _deck(plan)},
        tables=(_whole_table(facts, "setting.csv"), _whole_table(players, "setting_players.csv")),
        texts=(ASSUMED,),
        commands=(plan.command("FOLDER"),),
    )


def _facts(plan: BalancePlan) -> pd.DataFrame:
    """Return one row per fact: what, value."""
    facts = {
        "deck": deck_note(plan.rules),
        "cards in the deck": plan.rules.deck.size,
        "cards in hand": plan.rules.hand_size,
        "wilds count up to": plan.rules.wild_max,
        **{f"ruling {name}": str(getattr(plan.rules, name)).lower() for name in RULINGS},
        "players": ", ".join(map(str, plan.player_counts)),
        "players where one table size is looked at": plan.rules.players,
        "games per setting": f"{plan.games:,}",
        "games looked at turn by turn": f"{plan.effort.sample:,}",
        "games played on from such a turn": f"{plan.effort.rollouts:,}",
        "seed": plan.seed,
        "target of the redesign": plan.target,
        "versions": versions_line(),
        "numbers named by": f"digest {plan.digest}, kernel version {KERNEL_VERSION}",
    }
    return pd.DataFrame({"what": name, "value": str(value)} for name, value in facts.items())


def _players(plan: BalancePlan) -> pd.DataFrame:
    """Return one row per strategy: strategy, role, description."""
    known = {strategy.name: strategy.description for strategy in named_strategies().values()}
    roles = {"standard": (plan.standard,), "weaker": plan.weaker, "population": plan.population}
    rows = []
    for player in dict.fromkeys((plan.standard, *plan.weaker, *plan.population)):
        name = player.label.partition(",")[0]
        changed = f"{name} with changes: " if name != player.label else ""
        role = ", ".join(role for role, players in roles.items() if player in players)
        rows.append({"strategy": player.label, "role": role, "description": changed + known.get(name, "")})
    return pd.DataFrame(rows)


def _deck(plan: BalancePlan) -> pd.DataFrame:
    """Return one row per kind of card: card, copies."""
    deck = plan.rules.deck
    copies = {card_name(value): deck.copies[value - 1] for value in VALUES} | {"W": deck.wilds, "P": deck.passes}
    return pd.DataFrame({"card": card, "copies": count} for card, count in copies.items())


def _whole_table(frame: pd.DataFrame, csv: str) -> PageTable:
    rows = tuple(tuple(map(str, row)) for row in frame.itertuples(index=False))
    return PageTable(tuple(map(str, frame.columns)), rows, len(frame.columns), csv)
