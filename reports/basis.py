"""What numbers rest on, as lines at a terminal."""

from __future__ import annotations

from reports.provenance import Provenance
from reports.terminal import Screen


def announce_basis(screen: Screen, played: Provenance) -> None:
    """Say what numbers will rest on: deck, rules, seed."""
    for line in _basis(played):
        screen.note(line)


def _basis(played: Provenance) -> list[str]:
    return [
        f"Deck: {played.deck}",
        *([f"Rules: {played.rules}"] if played.rules else []),
        f"Seed: {played.seed}; experiment {played.digest}, kernel version {played.kernel_version}",
    ]


def show_basis(screen: Screen, played: Provenance) -> None:
    """Repeat what the results rest on where they go without the plan, into a file for instance."""
    if not screen.announced:
        for line in _basis(played):
            screen.remark(line)
