"""What exists: parameters, strategies, tactics, decks and rulings, as lines, as plain data and as tables for the docs.

Run as a module with the names of Markdown files, it writes the tables anew between their markers:
`python -m reports.catalogue docs/players.md docs/rules.md`.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from functools import partial
from pathlib import Path
from typing import Final

from reports.output.lines import wrapped
from simulate.escalation.rules import (
    DEFAULT_DECK,
    FIXED_RULINGS,
    MOST_COPIES,
    MOST_PASSES,
    MOST_WILDS,
    PRESETS,
    RULINGS,
)
from simulate.quickly.rules import CARDS_EACH, MISTAKES, GroupRules
from simulate.quickly.rules import FIXED_RULINGS as QUICKLY_FIXED_RULINGS
from simulate.quickly.rules import RULINGS as QUICKLY_RULINGS
from strategies.catalogue import ESCALATION, Catalogue, CatalogueEntry, Tactic
from strategies.parameters import Parameter
from strategies.quickly import QUICKLY
from strategies.tactic_words import OPTIONS, VERBS, WORDS

ASSUMPTION: Final = (
    "The texts give 55 or 56 cards (56 in a box that was counted), 2 of them Passes, and disagree on the wilds (three "
    "in one text, one in another). None says how many cards there are of each value, and buyers report that copies of "
    "the game differ: the copies per value of every deck below are an assumption. Try more than one deck before you "
    "trust a close result."
)
"""What nobody has published about the deck, in plain words."""


# --- Lines for people ----------------------------------------------------------------------------------------------


def strategies_lines(catalogue: Catalogue = ESCALATION) -> Iterator[str]:
    """List a game's named strategies, then every parameter that a strategy is made of."""
    yield "Strategies: --seat NAME, or with changes: --seat NAME,parameter=value,..."
    for entry in catalogue.strategies.values():
        yield from _item(entry.name, entry.description, f"Source: {entry.source}", f"{_used(entry)} (all others 0)")
    yield ""
    costs = " Every option has a cost in cards, and a player takes the option of least cost:"
    yield from wrapped(f"Parameters.{costs if catalogue is ESCALATION else ''}")
    for known in catalogue.kind.vocabulary.parameters:
        experimental = ", experimental" if known.experimental else ""
        yield from _item(f"{known.name}  ({known.unit}, {_bounds(known)}{experimental})", known.meaning, known.enters)


def tactics_lines(catalogue: Catalogue = ESCALATION) -> Iterator[str]:
    """List a game's named tactics with what they govern."""
    yield from wrapped(
        "Tactics: habits that a player can lack or have in a dose. Off, the governed parameters have the values shown; "
        "the dose is varied over its range."
    )
    for tactic in catalogue.tactics.values():
        off, dose = f"off   {_settings(tactic.off)}", f"dose  {_dose(tactic, catalogue)}"
        yield from _item(tactic.name, tactic.description, f"Source: {tactic.source}", off, dose)


def rules_lines() -> Iterator[str]:
    """List the decks and the rulings of Escalation!."""
    yield from wrapped(f"Decks (--deck NAME, or a composition such as {DEFAULT_DECK}). {ASSUMPTION}")
    for name, deck in PRESETS.items():
        yield from _item(f"{name}{' (default)' if deck == DEFAULT_DECK else ''}", f"{deck}: {deck.size} cards")
    yield ""
    yield from wrapped(
        f"A composition may have up to {MOST_COPIES} copies of each value 1-13, {MOST_WILDS} wilds (W) and "
        f"{MOST_PASSES} Passes (P)."
    )
    yield ""
    yield "Rulings (--rule NAME=true or false). Without a source they close a gap:"
    for ruling in RULINGS.values():
        source = [f"Source: {ruling.source}"] if ruling.source else []
        yield from _item(
            f"{ruling.name}  (default {_truth(ruling.default)})", f"{ruling.gap}: {ruling.effect}", *source
        )
    yield from _fixed_lines(FIXED_RULINGS)


def quickly_rules_lines() -> Iterator[str]:
    """List the printed table of That Escalated Quickly and the rulings."""
    yield "Players, cards each and mistakes allowed, as printed:"
    for players, cards in CARDS_EACH.items():
        yield f"  {players} players: {cards} each, {MISTAKES[players]} allowed"
    yield ""
    yield "Ruling, where the rules leave a gap (--rule NAME=true or false):"
    for ruling in QUICKLY_RULINGS.values():
        yield from _item(f"{ruling.name}  (default {_truth(ruling.default)})", ruling.gap)
    yield from _fixed_lines(QUICKLY_FIXED_RULINGS)


def _fixed_lines(rulings: Iterable[tuple[str, str]]) -> Iterator[str]:
    yield from _item("Gaps that are closed one way only:")
    yield ""
    for gap, answer in rulings:
        yield from wrapped(f"{gap}: {answer}", 2)


def _item(head: str, *texts: str) -> Iterator[str]:
    yield ""
    yield head
    for text in texts:
        yield from wrapped(text, 2)


def _used(entry: CatalogueEntry) -> str:
    strategy = entry.strategy
    return _settings({name: strategy[name] for name in strategy.vocabulary.names if strategy[name] != 0})


def _number(value: float) -> str:
    return f"{value:,.15g}"


def _settings(values: Mapping[str, float]) -> str:
    return " ".join(f"{name}={value:.15g}" for name, value in values.items())


def _bounds(known: Parameter) -> str:
    return f"{_number(known.lower)} to {_number(known.upper)}"


def _dose(tactic: Tactic, catalogue: Catalogue) -> str:
    low, high = tactic.dose_range
    return f"{tactic.dose} {_number(low)} to {_number(high)} {catalogue.kind.vocabulary.parameter(tactic.dose).unit}"


def _truth(value: bool) -> str:
    return str(value).lower()


# --- Plain data ----------------------------------------------------------------------------------------------------


def strategies_data(catalogue: Catalogue = ESCALATION) -> dict[str, object]:
    """Return a game's named strategies, every value given, and the parameters, as plain data."""
    vocabulary = catalogue.kind.vocabulary
    columns = ("name", "unit", "lower", "upper", "meaning", "enters", "experimental")
    return {
        "strategies": [
            {
                "name": entry.name,
                "description": entry.description,
                "source": entry.source,
                "values": dict(zip(vocabulary.names, entry.strategy.values, strict=True)),
            }
            for entry in catalogue.strategies.values()
        ],
        "parameters": [{name: getattr(known, name) for name in columns} for known in vocabulary.parameters],
    }


def tactics_data(catalogue: Catalogue = ESCALATION) -> dict[str, object]:
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


def rules_data() -> dict[str, object]:
    """Return the decks and the rulings of Escalation! as plain data."""
    return {
        "decks": [
            {
                "name": name,
                "default": deck == DEFAULT_DECK,
                "composition": str(deck),
                "size": deck.size,
                "copies": list(deck.copies),
                "wilds": deck.wilds,
                "passes": deck.passes,
            }
            for name, deck in PRESETS.items()
        ],
        "assumption": ASSUMPTION,
        "rulings": [asdict(ruling) for ruling in RULINGS.values()],
        "fixed_rulings": _fixed_data(FIXED_RULINGS),
    }


def quickly_rules_data() -> dict[str, object]:
    """Return the printed table of That Escalated Quickly and the rulings as plain data."""
    return {
        "table": [{"players": n, "cards_each": c, "mistakes": MISTAKES[n]} for n, c in CARDS_EACH.items()],
        "rulings": [{"name": r.name, "default": r.default, "gap": r.gap} for r in QUICKLY_RULINGS.values()],
        "fixed_rulings": _fixed_data(QUICKLY_FIXED_RULINGS),
    }


def _fixed_data(rulings: Iterable[tuple[str, str]]) -> list[dict[str, str]]:
    return [{"gap": gap, "ruling": answer} for gap, answer in rulings]


# --- What a command lists ------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Listing:
    """What exists of one kind: as lines for people, and as plain data."""

    lines: Callable[[], Iterator[str]]
    data: Callable[[], dict[str, object]]


LISTINGS: Final[Mapping[str, Listing]] = {
    "strategies": Listing(strategies_lines, strategies_data),
    "tactics": Listing(tactics_lines, tactics_data),
    "rules": Listing(rules_lines, rules_data),
    "quickly strategies": Listing(partial(strategies_lines, QUICKLY), partial(strategies_data, QUICKLY)),
    "quickly tactics": Listing(partial(tactics_lines, QUICKLY), partial(tactics_data, QUICKLY)),
    "quickly rules": Listing(quickly_rules_lines, quickly_rules_data),
}
"""By the command that prints it."""


# --- Tables for the docs -------------------------------------------------------------------------------------------


def parameter_table(catalogue: Catalogue = ESCALATION) -> str:
    """Return every parameter of a game's players as a Markdown table."""
    rows = (
        (f"`{p.name}`", p.unit, _bounds(p), p.meaning + (" (experimental)" if p.experimental else ""), p.enters)
        for p in catalogue.kind.vocabulary.parameters
    )
    # The persons of That Escalated Quickly have no costs: a parameter of theirs enters something else.
    enters = "enters the cost of" if catalogue is ESCALATION else "enters"
    return _markdown(("parameter", "unit", "bounds", "the habit", enters), rows)


def strategy_table(catalogue: Catalogue = ESCALATION) -> str:
    """Return a game's named strategies as a Markdown table."""
    rows = ((f"`{s.name}`", s.description, s.source, f"`{_used(s)}`") for s in catalogue.strategies.values())
    return _markdown(("strategy", "what it does", "source", "parameters (all others 0)"), rows)


def tactic_table(catalogue: Catalogue = ESCALATION) -> str:
    """Return a game's named tactics as a Markdown table."""
    rows = (
        (f"`{t.name}`", t.description, t.source, f"`{_settings(t.off)}`", _dose(t, catalogue))
        for t in catalogue.tactics.values()
    )
    return _markdown(("tactic", "the habit", "source", "off", "dose"), rows)


def deck_table() -> str:
    """Return the preset decks as a Markdown table."""
    rows = ((f"`{name}`", f"`{d}`", str(d.size), str(d.wilds), str(d.passes)) for name, d in PRESETS.items())
    return _markdown(("deck", "composition (an assumption)", "cards", "wilds", "Passes"), rows)


def ruling_table() -> str:
    """Return the rulings that can be changed as a Markdown table."""
    rows = ((f"`{r.name}`", r.gap, _truth(r.default), r.effect, r.source or "none: a gap") for r in RULINGS.values())
    return _markdown(("ruling", "the question", "default", "what it decides", "source"), rows)


def quickly_rules_table() -> str:
    """Return the printed table of That Escalated Quickly as a Markdown table."""
    rules = map(GroupRules.printed, CARDS_EACH)
    rows = ((str(r.players), str(r.cards_each), str(r.cards), str(r.mistakes)) for r in rules)
    return _markdown(("players", "cards each", "cards on the table", "mistakes allowed"), rows)


def fixed_ruling_table(rulings: Iterable[tuple[str, str]] = FIXED_RULINGS) -> str:
    """Return the gaps that are closed one way only as a Markdown table."""
    return _markdown(("the gap", "as played here"), rulings)


def quickly_fixed_ruling_table() -> str:
    """Return the gaps in the rules of That Escalated Quickly as a Markdown table."""
    rulings = [
        (r.gap, f"ruling `{r.name}`, {'on' if r.default else 'off'} by default") for r in QUICKLY_RULINGS.values()
    ]
    return fixed_ruling_table([*rulings, *QUICKLY_FIXED_RULINGS])


def _markdown(heading: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    lines = [heading, ["---"] * len(heading), *rows]
    return "\n".join(f"| {' | '.join(cell.replace('|', chr(92) + '|') for cell in line)} |" for line in lines)


def verb_table() -> str:
    """Return what a sentence can do, and to what, as a Markdown table."""
    rows = ((f"`{name}`", meaning) for name, meaning in (*VERBS.items(), *OPTIONS.items()))
    return _markdown(("word", "what it says"), rows)


def word_table() -> str:
    """Return the words that conditions of sentences are made of as a Markdown table."""
    about = {"moment": "every moment", "set": "a set: `play`, `beat`, `lead`", "cards": "a set or a Pass"}
    rows = ((f"`{w.name}{'(7)' if w.argued else ''}`", w.unit, w.meaning, about[w.scope]) for w in WORDS.values())
    return _markdown(("word", "unit", "what it counts", "about"), rows)


TABLES: Final[Mapping[str, Callable[[], str]]] = {
    "parameters": parameter_table,
    "strategies": strategy_table,
    "tactics": tactic_table,
    "verbs": verb_table,
    "words": word_table,
    "decks": deck_table,
    "rulings": ruling_table,
    "fixed rulings": fixed_ruling_table,
    "quickly rules": quickly_rules_table,
    "quickly fixed rulings": quickly_fixed_ruling_table,
    "quickly parameters": partial(parameter_table, QUICKLY),
    "quickly strategies": partial(strategy_table, QUICKLY),
    "quickly tactics": partial(tactic_table, QUICKLY),
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
