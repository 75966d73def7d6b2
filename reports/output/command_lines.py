"""Commands of this toolkit as a person would type them, to see a deal or to use the same rules."""

from __future__ import annotations

import shlex
from collections.abc import Iterable
from itertools import groupby

from simulate.escalation.rules import RULINGS, Rules
from simulate.escalation.settings.comparison import Comparison


def trace_command(comparison: Comparison, seed: int, deal: int, focal: int) -> str:
    """Return the command that shows a deal without and with the change, side by side."""
    arms = [comparison.table(focal, changed=changed).seats for changed in (False, True)]
    words = ["escalation", "trace", "--seed", str(seed), "--deal", str(deal)]
    words += ["--players", str(comparison.rules.players), "--seating", "given"]
    for option, seats in zip(("--seat", "--compare"), arms, strict=True):
        words += [word for label in _last_fills(seat.label for seat in seats) for word in (option, label)]
    return shlex.join([*words, *rules_options(comparison.rules)])


def _last_fills(labels: Iterable[str]) -> list[str]:
    """Leave out repetitions at the end: the last seat fills the rest."""
    runs = [(label, len(list(same))) for label, same in groupby(labels)]
    return [label for label, times in runs[:-1] for _ in range(times)] + [runs[-1][0]]


def rules_options(rules: Rules) -> list[str]:
    """Return the options that say which rules are played, as far as they are not the default."""
    return [*deck_options(rules), *ruling_options(rules)]


def deck_options(rules: Rules) -> list[str]:
    """Return those of them that say what is dealt: deck, hand size, the greatest value of a wild."""
    default = Rules(players=2)
    words = [] if rules.deck == default.deck else ["--deck", rules.deck.name]
    for option, name in (("--hand-size", "hand_size"), ("--wild-max", "wild_max")):
        if getattr(rules, name) != getattr(default, name):
            words += [option, str(getattr(rules, name))]
    return words


def ruling_options(rules: Rules) -> list[str]:
    """Return those of them that change a ruling."""
    changed = {name: getattr(rules, name) for name, ruling in RULINGS.items() if getattr(rules, name) != ruling.default}
    return [word for name, value in changed.items() for word in ("--rule", f"{name}={str(value).lower()}")]
