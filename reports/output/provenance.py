"""What was played, so that a number can be read rightly and played again."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from importlib.metadata import PackageNotFoundError, version

from reports.estimates.intervals import PLANNED
from reports.output.words import counted
from simulate.blocks import DEALS_PER_BLOCK, blocks_for
from simulate.escalation.rules import PRESETS, RULINGS, Rules
from simulate.experiment import KERNEL_VERSION, Experiment


def toolkit_version() -> str:
    """Return the version of the installed toolkit; "checkout" if it runs without being installed."""
    try:
        return version("escalation-lab")
    except PackageNotFoundError:
        return "checkout"


def versions_line() -> str:
    """Return the versions as one line for people."""
    return f"escalation-lab {toolkit_version()}, kernel version {KERNEL_VERSION}"


def deck_note(rules: Rules) -> str:
    """Return the deck in one phrase; for a preset it says what about it is assumed."""
    if rules.deck in PRESETS.values():
        return f"{rules.deck.name} ({rules.deck}; copies per value are an assumption)"
    return str(rules.deck)


def rules_note(rules: Rules) -> str:
    """Return what differs from the printed game and its default rulings, in one phrase; empty if nothing does."""
    changed = [
        f"{name} = {str(getattr(rules, name)).lower()}"
        for name, ruling in RULINGS.items()
        if getattr(rules, name) != ruling.default
    ]
    default = Rules(players=2)
    if rules.hand_size != default.hand_size:
        changed.append(f"{counted(rules.hand_size, 'card')} in hand")
    if rules.wild_max != default.wild_max:
        changed.append(f"wilds up to {rules.wild_max}")
    return ", ".join(changed)


def rules_line(rules: Rules) -> str:
    """Return the same as a line, which says so if nothing differs."""
    return f"rules {rules_note(rules) or 'as printed, every ruling at its default'}"


@dataclass(frozen=True)
class Provenance:
    """What a result was computed from.

    Attributes
    ----------
    question
        The command that asks it: "simulate", "sweep".
    spec
        The question as asked, in plain data.
    deck
        The deck in one phrase, with what is assumed about it.
    rules
        What differs from the default rules, in one phrase; empty if nothing does.
    seed
        The seed of all randomness.
    games
        Games played per setting, whole blocks.
    settings
        How many settings were played on the same deals.
    digest
        Names the numbers: equal digests give equal numbers, game by game.
    kernel_version, toolkit_version
        What it was played with.
    looked_at
        After how many games per setting, fewer than these, a result was written into the same folder before.
    """

    question: str
    spec: Mapping[str, object]
    deck: str
    rules: str
    seed: int
    games: int
    settings: int
    digest: str
    kernel_version: int = KERNEL_VERSION
    toolkit_version: str = ""
    looked_at: tuple[int, ...] = ()

    @classmethod
    def of(
        cls, question: str, experiment: Experiment, games: int, *, spec: Mapping[str, object], deck: str, rules: str
    ) -> Provenance:
        """Return what a result is computed from for which at least so many games of each setting are played."""
        return cls(
            question, spec, deck, rules, experiment.seed, blocks_for(games) * DEALS_PER_BLOCK,
            len(experiment.settings), experiment.digest,
        )  # fmt: skip

    def as_data(self) -> dict[str, object]:
        """Return everything as plain data, for files and JSON."""
        return {
            "question": self.question,
            "digest": self.digest,
            "seed": self.seed,
            "games_per_setting": self.games,
            "settings": self.settings,
            "deck": self.deck,
            "rules": self.rules or "default",
            "kernel_version": self.kernel_version,
            "toolkit_version": self.toolkit_version or toolkit_version(),
            **({"looked_at": list(self.looked_at)} if self.looked_at else {}),
            "spec": dict(self.spec),
        }

    @property
    def looks_note(self) -> str:
        """Say what earlier looks do to intervals for a planned number of games; empty if there were none."""
        if not self.looked_at:
            return ""
        games = ", ".join(f"{games:,}" for games in self.looked_at)
        return (
            f"Looked at before, after {games} games: if more were added because of what was seen, intervals {PLANNED} "
            "hold less often than they say."
        )
