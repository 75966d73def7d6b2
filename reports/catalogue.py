"""What exists: parameters, strategies, tactics, decks and rulings, as lines, as plain data and as tables for the docs.

Run as a module with the names of Markdown files, it writes the tables anew between their markers:
`python -m reports.catalogue docs/players.md docs/rules.md`.
"""

from __future__ import annotations

import re
import sys
import textwrap
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Final

from simulate.escalation.rules import (
    DEFAULT_DECK,
    FIXED_RULINGS,
    MOST_COPIES,
    MOST_PASSES,
    MOST_WILDS,
    PRESETS,
    RULINGS,
    Deck,
)
from simulate.quickly.rules import CARDS_EACH, MISTAKES, GroupRules
from simulate.quickly.rules import FIXED_RULINGS as QUICKLY_FIXED_RULINGS
from simulate.quickly.rules import RULINGS as QUICKLY_RULINGS
from strategies.catalogue import ESCALATION, Catalogue, CatalogueEntry, Tactic
from strategies.parameters import Parameter, Vocabulary
from strategies.quickly import PERSON, QUICKLY

WIDTH: Final = 80

ASSUMPTION: Final = (
    "The sources give 56 cards, 2 of them Passes, and disagree on the wilds (three in one text, one in another). None "
    "says how many cards there are of each value, and buyers report that copies of the game differ: the copies per "
    "value of every deck below are an assumption. Try more than one deck before you trust a close result."
)
"""What nobody has published about the deck, in plain words."""


# --- Lines for people ----------------------------------------------------------------------------------------------


def strategies_lines(catalogue: Catalogue = ESCALATION) -> Iterator[str]:
    """List a game's named strategies, then every parameter that a strategy is made of."""
    yield "Strategies: --seat NAME, or with changes: --seat NAME,parameter=value,..."
    for entry in catalogue.strategies.values():
        yield ""
        yield entry.name
        yield from _indented(entry.description)
        yield from _indented(f"Source: {entry.source}")
        yield from _indented(f"{_settings(_used(entry))} (all others 0)")
    yield ""
    costs = " Every option has a cost in cards, and a player takes the option of least cost:"
    yield from _wrapped(f"Parameters.{costs if catalogue is ESCALATION else ''}")
    for known in catalogue.kind.vocabulary.parameters:
        yield ""
        yield f"{known.name}  ({known.unit}, {_bounds(known)}{', experimental' if known.experimental else ''})"
        yield from _indented(known.meaning)
        yield from _indented(known.enters)


def tactics_lines(catalogue: Catalogue = ESCALATION) -> Iterator[str]:
    """List a game's named tactics with what they govern."""
    yield from _wrapped(
        "Tactics: habits that a player can lack or have in a dose. Off, the governed parameters have the values shown; "
        "the dose is varied over its range."
    )
    for tactic in catalogue.tactics.values():
        yield ""
        yield tactic.name
        yield from _indented(tactic.description)
        yield from _indented(f"Source: {tactic.source}")
        yield from _indented(f"off   {_settings(tactic.off)}")
        yield from _indented(f"dose  {_dose(tactic, catalogue.kind.vocabulary)}")


def rules_lines() -> Iterator[str]:
    """List the decks and the rulings."""
    yield from _wrapped(f"Decks (--deck NAME, or a composition such as {DEFAULT_DECK}). {ASSUMPTION}")
    for name, deck in PRESETS.items():
        yield ""
        yield f"{name}{' (default)' if deck == DEFAULT_DECK else ''}"
        yield from _indented(f"{deck}: {deck.size} cards")
    yield ""
    yield from _wrapped(
        f"A composition may have up to {MOST_COPIES} copies of each value 1-13, {MOST_WILDS} wilds (W) and "
        f"{MOST_PASSES} Passes (P)."
    )
    yield ""
    yield "Rulings, where the sources leave a gap (--rule NAME=true or false):"
    for ruling in RULINGS.values():
        yield ""
        yield f"{ruling.name}  (default {_truth(ruling.default)})"
        yield from _indented(f"{ruling.gap}: {ruling.effect}")
    yield ""
    yield "Gaps that are closed one way only:"
    yield ""
    for gap, answer in FIXED_RULINGS:
        yield from _indented(f"{gap}: {answer}")


def quickly_rules_lines() -> Iterator[str]:
    """List the printed table of That Escalated Quickly and the rulings."""
    yield "Players, cards each and mistakes allowed, as printed:"
    for players, cards in CARDS_EACH.items():
        yield f"  {players} players: {cards} each, {MISTAKES[players]} allowed"
    yield ""
    yield "Ruling, where the rules leave a gap (--rule NAME=true or false):"
    for ruling in QUICKLY_RULINGS.values():
        yield ""
        yield f"{ruling.name}  (default {_truth(ruling.default)})"
        yield from _indented(ruling.gap)
    yield ""
    yield "Gaps that are closed one way only:"
    yield ""
    for gap, answer in QUICKLY_FIXED_RULINGS:
        yield from _indented(f"{gap}: {answer}")


def quickly_rules_data() -> dict[str, Any]:
    """Return the printed table of That Escalated Quickly and the rulings as plain data."""
    return {
        "table": [{"players": n, "cards_each": c, "mistakes": MISTAKES[n]} for n, c in CARDS_EACH.items()],
        "rulings": [{"name": r.name, "default": r.default, "gap": r.gap} for r in QUICKLY_RULINGS.values()],
        "fixed_rulings": [{"gap": gap, "ruling": answer} for gap, answer in QUICKLY_FIXED_RULINGS],
    }


def _wrapped(text: str, indent: str = "") -> list[str]:
    return textwrap.wrap(text, WIDTH, initial_indent=indent, subsequent_indent=indent, break_on_hyphens=False)


def _indented(text: str) -> list[str]:
    return _wrapped(text, "  ")


def _used(entry: CatalogueEntry) -> dict[str, float]:
    return {name: entry.strategy[name] for name in entry.strategy.vocabulary.names if entry.strategy[name] != 0}


def _number(value: float) -> str:
    return f"{value:,.15g}"


def _settings(values: Mapping[str, float]) -> str:
    return " ".join(f"{name}={value:.15g}" for name, value in values.items())


def _bounds(known: Parameter) -> str:
    return f"{_number(known.lower)} to {_number(known.upper)}"


def _dose(tactic: Tactic, vocabulary: Vocabulary = ESCALATION.kind.vocabulary) -> str:
    low, high = tactic.dose_range
    return f"{tactic.dose} {_number(low)} to {_number(high)} {vocabulary.parameter(tactic.dose).unit}"


def _truth(value: bool) -> str:
    return str(value).lower()


# --- Plain data ----------------------------------------------------------------------------------------------------


def strategies_data(catalogue: Catalogue = ESCALATION) -> dict[str, Any]:
    """Return a game's named strategies, every value given, and the parameters, as plain data."""
    return {
        "strategies": [
            {
                "name": entry.name,
                "description": entry.description,
                "source": entry.source,
                "values": dict(zip(catalogue.kind.vocabulary.names, entry.strategy.values, strict=True)),
            }
            for entry in catalogue.strategies.values()
        ],
        "parameters": [_parameter_data(known) for known in catalogue.kind.vocabulary.parameters],
    }


def _parameter_data(known: Parameter) -> dict[str, Any]:
    names = ("name", "unit", "lower", "upper", "meaning", "enters", "experimental")
    return {name: getattr(known, name) for name in names}


def tactics_data(catalogue: Catalogue = ESCALATION) -> dict[str, Any]:
    """Return a game's named tactics as plain data."""
    return {
        "tactics": [
            {
                "name": tactic.name,
                "description": tactic.description,
                "source": tactic.source,
                "off": dict(tactic.off),
                "dose": tactic.dose,
                "dose_unit": catalogue.kind.vocabulary.parameter(tactic.dose).unit,
                "dose_range": list(tactic.dose_range),
            }
            for tactic in catalogue.tactics.values()
        ]
    }


def rules_data() -> dict[str, Any]:
    """Return the decks and the rulings as plain data."""
    return {
        "decks": [_deck_data(name, deck) for name, deck in PRESETS.items()],
        "assumption": ASSUMPTION,
        "rulings": [
            {"name": ruling.name, "default": ruling.default, "gap": ruling.gap, "effect": ruling.effect}
            for ruling in RULINGS.values()
        ],
        "fixed_rulings": [{"gap": gap, "ruling": answer} for gap, answer in FIXED_RULINGS],
    }


def _deck_data(name: str, deck: Deck) -> dict[str, Any]:
    return {
        "name": name,
        "default": deck == DEFAULT_DECK,
        "composition": str(deck),
        "size": deck.size,
        "copies": list(deck.copies),
        "wilds": deck.wilds,
        "passes": deck.passes,
    }


# --- Tables for the docs -------------------------------------------------------------------------------------------


def parameter_table(vocabulary: Vocabulary = ESCALATION.kind.vocabulary) -> str:
    """Return every parameter of a game's players as a Markdown table."""
    rows = (
        (f"`{p.name}`", p.unit, _bounds(p), p.meaning + (" (experimental)" if p.experimental else ""), p.enters)
        for p in vocabulary.parameters
    )
    return _markdown(("parameter", "unit", "bounds", "the habit", "enters the cost of"), rows)


def strategy_table(catalogue: Catalogue = ESCALATION) -> str:
    """Return a game's named strategies as a Markdown table."""
    rows = (
        (f"`{entry.name}`", entry.description, entry.source, f"`{_settings(_used(entry))}`")
        for entry in catalogue.strategies.values()
    )
    return _markdown(("strategy", "what it does", "source", "parameters (all others 0)"), rows)


def tactic_table(catalogue: Catalogue = ESCALATION) -> str:
    """Return a game's named tactics as a Markdown table."""
    vocabulary = catalogue.kind.vocabulary
    rows = (
        (f"`{t.name}`", t.description, t.source, f"`{_settings(t.off)}`", _dose(t, vocabulary))
        for t in catalogue.tactics.values()
    )
    return _markdown(("tactic", "the habit", "source", "off", "dose"), rows)


def deck_table() -> str:
    """Return the preset decks as a Markdown table."""
    rows = (
        (f"`{name}`", f"`{deck}`", str(deck.size), str(deck.wilds), str(deck.passes)) for name, deck in PRESETS.items()
    )
    return _markdown(("deck", "composition (an assumption)", "cards", "wilds", "Passes"), rows)


def ruling_table() -> str:
    """Return the rulings that can be changed as a Markdown table."""
    rows = ((f"`{r.name}`", r.gap, _truth(r.default), r.effect) for r in RULINGS.values())
    return _markdown(("ruling", "the gap", "default", "what it decides"), rows)


def fixed_ruling_table() -> str:
    """Return the gaps that are closed one way only as a Markdown table."""
    return _markdown(("the gap", "as played here"), FIXED_RULINGS)


def quickly_rules_table() -> str:
    """Return the printed table of That Escalated Quickly as a Markdown table."""
    rules = [GroupRules.printed(players) for players in CARDS_EACH]
    rows = ((str(r.players), str(r.cards_each), str(r.cards), str(r.mistakes)) for r in rules)
    return _markdown(("players", "cards each", "cards on the table", "mistakes allowed"), rows)


def quickly_fixed_ruling_table() -> str:
    """Return the gaps in the rules of That Escalated Quickly as a Markdown table."""
    rulings = (
        (r.gap, f"ruling `{r.name}`, {'on' if r.default else 'off'} by default") for r in QUICKLY_RULINGS.values()
    )
    return _markdown(("the gap", "as played here"), (*rulings, *QUICKLY_FIXED_RULINGS))


def _of_persons(table: str) -> str:
    """Persons have no costs: what a parameter enters is something else."""
    return table.replace("enters the cost of", "enters", 1)


def _markdown(heading: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    lines = [heading, ["---"] * len(heading), *rows]
    return "\n".join(f"| {' | '.join(cell.replace('|', chr(92) + '|') for cell in line)} |" for line in lines)


TABLES: Final[Mapping[str, Callable[[], str]]] = {
    "parameters": parameter_table,
    "strategies": strategy_table,
    "tactics": tactic_table,
    "decks": deck_table,
    "rulings": ruling_table,
    "fixed rulings": fixed_ruling_table,
    "quickly rules": quickly_rules_table,
    "quickly fixed rulings": quickly_fixed_ruling_table,
    "quickly parameters": lambda: _of_persons(parameter_table(PERSON)),
    "quickly strategies": lambda: strategy_table(QUICKLY),
    "quickly tactics": lambda: tactic_table(QUICKLY),
}
"""What can stand between `<!-- table: NAME -->` and `<!-- end -->` in the docs."""

_MARKED: Final = re.compile(r"(?<=<!-- table: )([a-z ]+)( -->\n).*?(\n?<!-- end -->)", re.DOTALL)


def with_tables(text: str) -> str:
    """Return a Markdown text with every marked table written anew.

    Raises
    ------
    KeyError
        If a marker names no table.
    """
    return _MARKED.sub(lambda found: f"{found[1]}{found[2]}{TABLES[found[1]]()}\n<!-- end -->", text)


def main(files: Sequence[str]) -> None:
    """Write the tables anew in these Markdown files."""
    for file in files:
        path = Path(file)
        path.write_text(with_tables(path.read_text(encoding="utf-8")), encoding="utf-8")


if __name__ == "__main__":
    main(sys.argv[1:])
