"""Whether the games of this very report add up, and how often they meet the rules that few people know."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from reports.balance.exhibits import Cell, page_table
from reports.balance.finding import Finding, Play, total
from reports.balance.plan import BalancePlan, Threshold
from reports.estimates.intervals import LEVEL, share_from_sums
from reports.estimates.measures import bounds_columns, interval_from_row, rows_of
from reports.output.html import PageTable
from reports.output.words import plus_minus
from simulate import Table
from simulate.blocks import DEALS_PER_BLOCK
from simulate.escalation.kernel.dealing import deck_order, deck_orders
from simulate.escalation.plain.reference import HeuristicPlayer, play
from simulate.escalation.settings.recall import Recalled, recall
from simulate.escalation.state import State
from simulate.escalation.trace import moves_of, moves_of_kernel
from simulate.experiment import Counts

FAILED: Final = Threshold("failed-checks", 0.0, "games", "how many games may fail a check")
PART: Final = "health"
REPLAYED_PART: Final = "health-replayed"

RARE: Final[Mapping[str, str]] = {
    "only_passes": "a hand of nothing but Passes on somebody's turn",
    "passed_by_force": "such a hand facing a pile, so that a Pass must be played",
    "deck_left": "the game ends while the deck still has cards",
    "short_draws": "the deck has some of the cards to draw, but not all",
}
"""Rules that few games meet, with what happens."""

CHECKS: Final[Mapping[str, str]] = {
    "scores": "scores worked out anew from the moves, card by card, are those that were counted",
    "cards": "scores, the middle and the deck add up to all cards",
    "moves": "every move could be made with the cards held, beat what it had to beat, and the last hand is empty",
}
"""What is checked in every game of this part."""


COLUMNS: Final[dict[str, Cell]] = {
    "check": "{check}",
    "what": "{meaning}",
    "games": "{games:,}",
    "failed": "{failed:,}",
}
PER_100: Final = "games_per_100"


@dataclass(frozen=True)
class RecalledTable:
    """A table whose games are all replayed from their moves by other code, and counted by what they met.

    Attributes
    ----------
    table
        What is played.
    """

    table: Table

    def spec(self) -> dict[str, object]:
        """Return everything that determines play."""
        return {**self.table.spec(), "game": "escalation recalled"}

    def play_deals(self, seed: int, deals: NDArray[np.int64]) -> Counts:
        """Play deals by number, replay them, and count.

        Returns
        -------
        mapping of str to numpy.ndarray of int64
            "games"; games that met each of `RARE`, and games that failed each of `CHECKS`; shapes (1,).
        """
        rules = self.table.rules
        played = self.table.play(seed, deals, with_moves=True)
        found = recall(rules, deck_orders(rules.deck, seed, deals), played.moves)
        counts = {"games": len(deals), **_met(found), **_failed(found, played.scores, rules.deck.size)}
        return {name: np.array([count], dtype=np.int64) for name, count in counts.items()}


def _met(found: Recalled) -> dict[str, int]:
    return {name: int((getattr(found, name) > 0).sum()) for name in RARE}


def _failed(found: Recalled, scores: NDArray[np.int16], cards: int) -> dict[str, int]:
    whole = found.scores.sum(axis=1) + found.middle + found.deck_left
    failed = {
        "scores": (found.scores != scores).any(axis=1),
        "cards": whole != cards,
        "moves": ~found.lawful,
    }
    return {f"failed_{name}": int(games.sum()) for name, games in failed.items()}


@dataclass(frozen=True)
class ReplayedTable:
    """A table of which a sample of games is played again by the slow engine, move by move.

    Attributes
    ----------
    table
        What is played.
    first, step, games
        The first deal of the sample, how far it is to the next one, and how many there are.
    """

    table: Table
    first: int
    step: int
    games: int

    def spec(self) -> dict[str, object]:
        """Return everything that determines play."""
        sample = {"first": self.first, "step": self.step, "games": self.games}
        return {**self.table.spec(), "game": "escalation replayed", **sample}

    def play_deals(self, seed: int, deals: NDArray[np.int64]) -> Counts:
        """Play those deals that are in the sample.

        Returns
        -------
        mapping of str to numpy.ndarray of int64
            "different": the deals that came out otherwise (see `differing_deals`). Blocks are put side by side and not
            added.
        """
        number, apart = np.divmod(deals - self.first, self.step)
        sample = deals[(apart == 0) & (number >= 0) & (number < self.games)]
        different = differing_deals(self.table, seed, sample) if len(sample) else []
        return {"different": np.array(different, dtype=np.int64)}


@dataclass(frozen=True)
class Replayed:
    """Games played again by the slow engine, move by move, and those that came out otherwise, as commands."""

    games: int
    different: tuple[str, ...] = ()


def replay_sample(plan: BalancePlan, play_part: Play) -> Replayed:
    """Replay deals from all over this report's range at every table size, players of all kinds at the table."""
    each = -(-plan.effort.sample // len(plan.player_counts))
    step = max(1, plan.effort.blocks * DEALS_PER_BLOCK // each)
    cast = (plan.standard, *plan.weaker, *plan.population)
    tables = [
        ReplayedTable(
            Table(plan.at(players), tuple(cast[place % len(cast)] for place in range(players))),
            plan.seed % step,
            step,
            each,
        )
        for players in plan.player_counts
    ]
    different = tuple(
        _command(plan, replayed.table, deal)
        for replayed, blocks in zip(tables, play_part(REPLAYED_PART, tables, plan.effort.blocks), strict=True)
        for block in blocks
        for deal in block["different"].tolist()
    )
    return Replayed(each * len(tables), different)


def differing_deals(table: Table, seed: int, deals: NDArray[np.int64]) -> list[int]:
    """Return the deals in which the two engines make different moves or come to different scores."""
    fast = table.play(seed, deals, with_moves=True)
    different = []
    for game, deal in enumerate(deals.tolist()):
        seats = table.seats_at(seed, deal)
        dealt = State.dealt(table.rules, deck_order(table.rules.deck, seed, deal))
        players = [HeuristicPlayer(table.seats[seat]) for seat in seats]
        slow = play(table.rules, players, dealt, table.noise_key(seed, deal))
        same_moves = moves_of(slow) == moves_of_kernel(fast.moves[game])
        if not (same_moves and slow.scores == tuple(fast.scores[game].tolist())):
            different.append(deal)
    return different


def _command(plan: BalancePlan, table: Table, deal: int) -> str:
    seats = " ".join(f"--seat {seat.label}" for seat in table.seats)
    return f"escalation trace --seed {plan.seed} --deal {deal} --players {table.rules.players} {seats}"


def measure(plan: BalancePlan, play_part: Play) -> Finding:
    """Check the games of every table size, and count the rare rules that they meet."""
    tables = [RecalledTable(Table(plan.at(players), (plan.standard,) * players)) for players in plan.player_counts]
    counts = [total(blocks) for blocks in play_part(PART, tables, plan.effort.blocks)]
    replayed = replay_sample(plan, play_part)
    checks, rare = checks_frame(counts, replayed), rare_frame(plan.player_counts, counts)
    failed, games = int(checks["failed"].sum()), sum(int(table["games"][0]) for table in counts)
    return Finding(
        name="health",
        title="Health",
        finding=_finding(failed, games, replayed),
        light="good" if failed <= plan.limit(FAILED) else "bad",
        threshold=FAILED,
        frames={"health": checks, "rare_rules": rare},
        tables=(page_table("health", checks, COLUMNS, texts=2), _rare_table(rare)),
        texts=(
            "Below, how many games meet what the rulings for gaps in the sources are about: what few games meet "
            "decides little.",
            f"Everybody is {plan.standard.label}; in the games that are replayed by the slow engine players of all "
            "kinds sit together.",
        ),
        commands=(*replayed.different, "escalation trace --seed 1 --deal 0 --players 4"),
        headline="" if failed == 0 else _finding(failed, games, replayed),
    )


def _finding(failed: int, games: int, replayed: Replayed) -> str:
    if failed:
        return f"{failed:,} checks failed: do not trust this report before the reason is found."
    return (
        f"All checks held: {games:,} games add up card by card, and {replayed.games:,} games replayed by the slow "
        "engine are the same move by move."
    )


def checks_frame(counts: Sequence[Counts], replayed: Replayed) -> pd.DataFrame:
    """Return one row per check: check, meaning, games, failed."""
    games = sum(int(table["games"][0]) for table in counts)
    rows: list[dict[str, object]] = [
        {
            "check": name,
            "meaning": meaning,
            "games": games,
            "failed": sum(int(table[f"failed_{name}"][0]) for table in counts),
        }
        for name, meaning in CHECKS.items()
    ]
    meaning = "the slow engine, written from the rules, plays the same game move by move"
    last = {"check": "reference", "meaning": meaning, "games": replayed.games, "failed": len(replayed.different)}
    return pd.DataFrame([*rows, last])


def rare_frame(player_counts: Sequence[int], counts: Sequence[Counts]) -> pd.DataFrame:
    """Return one row per table size and rare rule: players, rule, meaning, games, met, games_per_100 with bounds."""
    rows: list[dict[str, object]] = []
    for players, table in zip(player_counts, counts, strict=True):
        games = int(table["games"][0])
        for name, meaning in RARE.items():
            met = int(table[name][0])
            share = share_from_sums(met, met, games).times(100)
            row = {"players": players, "rule": name, "meaning": meaning, "games": games, "met": met}
            rows.append({**row, **bounds_columns(PER_100, share), "level": LEVEL})
    return pd.DataFrame(rows)


def _rare_table(rare: pd.DataFrame) -> PageTable:
    """Return a row per rule, with a column per table size."""
    sizes = list(dict.fromkeys(rare["players"]))
    found = {(row["rule"], row["players"]): interval_from_row(row, PER_100) for row in rows_of(rare)}
    rows = [(meaning, *(plus_minus(found[name, size]) for size in sizes)) for name, meaning in RARE.items()]
    heads = ("games per 100 with", *(f"{size} players" for size in sizes))
    return PageTable(heads, tuple(rows), 1, "rare_rules.csv")
