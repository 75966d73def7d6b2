"""A balance that several files look at."""

from __future__ import annotations

import pytest

from reports.quickly.balance import GroupBalance, GroupBalancePlan, balance_groups
from simulate.quickly.rules import GroupRules
from strategies.quickly import person


@pytest.fixture(scope="session")
def balance() -> GroupBalance:
    """Return the balance of five and six players."""
    rules = tuple(GroupRules.printed(players) for players in (5, 6))
    return balance_groups(GroupBalancePlan(rules, person("plain,sigma=1.5"), seed=4), 20_000)
