"""What happens: rules, dealing, playing, counting, running.

The public names below are loaded on first use, so that importing the package stays cheap.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from simulate.escalation.engine import Table
    from simulate.escalation.rules import Deck, Rules
    from simulate.escalation.state import State
    from simulate.experiment import KERNEL_VERSION, Experiment
    from simulate.runner import run

_HOMES = {
    "KERNEL_VERSION": "simulate.experiment",
    "Deck": "simulate.escalation.rules",
    "Experiment": "simulate.experiment",
    "Rules": "simulate.escalation.rules",
    "State": "simulate.escalation.state",
    "Table": "simulate.escalation.engine",
    "run": "simulate.runner",
}

__all__ = ["KERNEL_VERSION", "Deck", "Experiment", "Rules", "State", "Table", "run"]


def __getattr__(name: str) -> Any:
    """Load a public name from its home."""
    if name not in _HOMES:
        raise AttributeError(f"module 'simulate' has no attribute '{name}'")
    return getattr(import_module(_HOMES[name]), name)
