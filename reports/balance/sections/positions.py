"""Whether a position at the table is worth more than another, and whether a match evens it out."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
import pandas as pd

from reports.balance.finding import Finding, Play, total
from reports.balance.plan import BalancePlan, Threshold, light_below
from reports.balance.shares import ABOVE, Shares, at_once, greatest_distance, shares_frame, shares_of
from reports.estimates.intervals import LEVEL, PLANNED, Interval
from reports.estimates.measures import bounds_columns
from reports.output.figures import GREY, MARKERS, OKABE_ITO, as_svg, panels
from reports.output.html import PageFigure, PageTable
from reports.output.words import plus_minus
from reports.simulation.summary import MATCH_WINS, SCORE, WINS
from simulate import Table
from simulate.escalation.rules import FEWEST_PLAYERS
from strategies.strategy import Strategy

ADVANTAGE: Final = Threshold(
    "position-advantage",
    2.0,
    "wins per 100 games",
    "the greatest distance of any position from an equal share, everybody standard",
)
PART: Final = "positions"


@dataclass(frozen=True)
class Positions:
    """Everything that was measured: games by position, and matches by seat."""

    games: tuple[Shares, ...]
    matches: tuple[Shares, ...]


def tables(plan: BalancePlan) -> dict[tuple[str, int, str], Table]:
    """Return what is played, by what it is for ("games", "match", "weak match"), players and who plays."""
    found: dict[tuple[str, int, str], Table] = {}
    for players in plan.player_counts:
        rules = plan.at(players)
        for player in (plan.standard, *plan.weaker):
            found["games", players, player.label] = Table(rules, (player,) * players, "given")
        found["match", players, plan.standard.label] = Table(rules, (plan.standard,) * players, match=True)
        if weak := _neighbour(plan, players):
            seats = (weak, *(plan.standard,) * (players - 1))
            found["weak match", players, weak.label] = Table(rules, seats, match=True)
    return found


def _neighbour(plan: BalancePlan, players: int) -> Strategy | None:
    """Return the weak player whose neighbours are compared; with two players there is nothing to compare."""
    return plan.weaker[-1] if plan.weaker and players > FEWEST_PLAYERS else None


def measure_positions(plan: BalancePlan, play: Play) -> Positions:
    """Play and read who wins how often."""
    asked = tables(plan)
    played = play(PART, list(asked.values()), plan.effort.blocks)
    # The intervals of one player at all table sizes hold together, and so do those of all matches of a kind.
    level = 1 - (1 - LEVEL) / sum(plan.player_counts)
    found: dict[str, list[Shares]] = {"games": [], "match": [], "weak match": []}
    for (what, _, who), blocks in zip(asked, played, strict=True):
        words = {"weak match": f"others than one {who}"}.get(what, who)
        compared = slice(1, None) if what == "weak match" else slice(None)
        one = shares_of(total(blocks), words, match=what != "games", level=level, compared=compared)
        found[what].append(one)
    return Positions(tuple(found["games"]), (*found["match"], *found["weak match"]))


def measure(plan: BalancePlan, play: Play) -> Finding:
    """Look at score and win share by position, and at matches."""
    positions = measure_positions(plan, play)
    standard = [one for one in positions.games if one.who == plan.standard.label]
    worst = greatest_distance([above for one in standard for above in one.above])
    finding = _finding(plan, standard)
    frames = {
        "positions": shares_frame(positions.games, "position"),
        "position_tests": _tests_frame(positions),
        "matches": shares_frame(positions.matches, "seat"),
    }
    return Finding(
        name="positions",
        title="Positions",
        finding=finding,
        light=light_below(worst, plan.limit(ADVANTAGE)),
        threshold=ADVANTAGE,
        frames=frames,
        figures=(_figure(plan, positions, finding),),
        tables=(_table(positions.games), _match_table(positions.matches)),
        texts=(_test_words(positions), *_weaker_words(plan, positions), _match_words(plan, positions)),
        commands=(f"escalation simulate --players {plan.rules.players} --seat standard --seating given --games 100k",),
        headline=_headline(plan, positions, standard),
    )


def _most_unequal(standard: Sequence[Shares]) -> tuple[Shares, int]:
    """Return the table with the position farthest from an equal share, and that position."""
    every = [(one, place) for one in standard for place in range(one.players)]
    return max(every, key=lambda pair: abs(pair[0].above[pair[1]].estimate))


def place_words(position: int, players: int) -> str:
    """Name a position so that nobody need count from 0."""
    if position == 0:
        return "the starter"
    return "the last player" if position == players - 1 else f"the player at position {position}"


def _finding(plan: BalancePlan, standard: Sequence[Shares]) -> str:
    one, place = _most_unequal(standard)
    above = one.above[place]
    direction = "more" if above.estimate > 0 else "fewer"
    if all(p > 1 - LEVEL for p in at_once([one.p_value for one in standard])):
        return (
            f"Among equal {plan.standard.label} players no position differs from another as far as "
            f"{one.units:,} games per table size can show."
        )
    return (
        f"Among equal {plan.standard.label} players {place_words(place, one.players)} of {one.players} is farthest "
        f"from an equal share: {abs(above.estimate):.1f} wins per 100 games {direction} "
        f"({above.low:+.1f} to {above.high:+.1f})."
    )


def _headline(plan: BalancePlan, positions: Positions, standard: Sequence[Shares]) -> str:
    one, place = _most_unequal(standard)
    above = one.above[place].estimate
    evened = "does not even it out" if _unequal_matches(plan, positions) else "evens it out"
    return (
        f"{place_words(place, one.players).capitalize()} of {one.players} wins {abs(above):.1f} games per 100 "
        f"{'more' if above > 0 else 'fewer'} than an equal share; a match of as many games as players {evened}."
    )


def _test_words(positions: Positions) -> str:
    parts = []
    for who in dict.fromkeys(one.who for one in positions.games):
        own = [one for one in positions.games if one.who == who]
        clear = [one.players for one, p in zip(own, at_once([o.p_value for o in own]), strict=True) if p <= 1 - LEVEL]
        told = f"with {_listed(clear)} players" if clear else "at no table size"
        parts.append(f"{who}: {told}")
    return (
        "Do positions differ at all? One test on all positions of a deal together (Wald), at the 5% level for all "
        f"table sizes of a player: they do for {'; for '.join(parts)}."
    )


def _listed(numbers: Sequence[int]) -> str:
    *others, last = map(str, numbers)
    return f"{', '.join(others)} and {last}" if others else last


def _weaker_words(plan: BalancePlan, positions: Positions) -> tuple[str, ...]:
    told = []
    for player in plan.weaker:
        one, place = _most_unequal([one for one in positions.games if one.who == player.label])
        told.append(
            f"{player.label}: {place_words(place, one.players)} of {one.players}, {one.above[place].estimate:+.1f}"
        )
    return (f"It depends on who plays. Farthest from an equal share, wins per 100 games, among {'; '.join(told)}.",) * (
        len(told) > 0
    )


def _unequal_matches(plan: BalancePlan, positions: Positions) -> list[int]:
    """Return the table sizes at which seats differ in a match of equals."""
    equal = [one for one in positions.matches if one.who == plan.standard.label]
    return [one.players for one, p in zip(equal, at_once([o.p_value for o in equal]), strict=True) if p <= 1 - LEVEL]


def _match_words(plan: BalancePlan, positions: Positions) -> str:
    unequal = [one for one in positions.matches if one.who != plan.standard.label]
    clear = _unequal_matches(plan, positions)
    text = "A match of as many games as players evens positions out among equals: everybody starts once."
    if clear:
        text = f"Even in a match of as many games as players the seats differ with {_listed(clear)} players."
    if not unequal:
        return text
    one = max(unequal, key=lambda shares: greatest_distance(shares.above).estimate)
    places = [above.estimate for above in one.above]
    best = int(np.argmax(places))
    where = {0: "right after him", len(places) - 1: "right before him"}.get(best, "in between")
    return (
        f"{text} It does not rotate the neighbours: beside {one.who.removeprefix('others than ')}, of {len(places)} "
        f"equal others the one {where} wins {max(places) - min(places):.1f} more matches per 100 than the worst placed "
        f"({one.players} players)."
    )


def _tests_frame(positions: Positions) -> pd.DataFrame:
    """Return one row per test: unit, players, strategy, p_value, p_value_together, greatest_distance with bounds."""
    rows: list[dict[str, Any]] = []
    for unit, every in {"game": positions.games, "match": positions.matches}.items():
        for who in dict.fromkeys(one.who for one in every):
            own = [one for one in every if one.who == who]
            for one, together in zip(own, at_once([o.p_value for o in own]), strict=True):
                row = {"unit": unit, "players": one.players, "strategy": who, "p_value": one.p_value}
                row |= {"p_value_together": together}
                rows.append({**row, **bounds_columns("greatest_distance", greatest_distance(one.above))})
    return pd.DataFrame(rows)


def _table(shares: Sequence[Shares]) -> PageTable:
    rows = [
        (one.who, str(one.players), str(place), plus_minus(wins), _signed(above), plus_minus(score))
        for one in shares
        for place, (wins, above, score) in enumerate(zip(one.wins, one.above, one.scores, strict=True))
    ]
    columns = ("everybody", "players", "position", WINS.label, ABOVE.label, SCORE.label)
    return PageTable(columns, tuple(rows), 1, "positions.csv")


def _match_table(shares: Sequence[Shares]) -> PageTable:
    rows = [
        (one.who, str(one.players), str(place + one.players - len(one.wins)), plus_minus(wins), _signed(above))
        for one in shares
        for place, (wins, above) in enumerate(zip(one.wins, one.above, strict=True))
    ]
    return PageTable(("compared", "players", "seat", MATCH_WINS.label, ABOVE.label), tuple(rows), 1, "matches.csv")


def _signed(interval: Interval) -> str:
    return f"{interval.estimate:+.2f} ({interval.low:+.2f} to {interval.high:+.2f})"


def _figure(plan: BalancePlan, positions: Positions, finding: str) -> PageFigure:
    players: Mapping[str, Strategy] = {one.label: one for one in (plan.standard, *plan.weaker)}
    games = positions.games[0].units
    note = (
        f"Bars: {LEVEL:.0%} intervals, {PLANNED}, those of a player together. {games:,} games per table, seed "
        f"{plan.seed}."
    )
    with panels(len(players), finding, note, height=3.7) as (figure, axes):
        for panel, who in zip(axes, players, strict=True):
            _draw(panel, [one for one in positions.games if one.who == who])
            panel.set_title(f"everybody {who}", fontsize=9.5)
        axes[0].set_ylabel("wins per 100 games\nabove an equal share")
        axes[-1].legend(frameon=False, fontsize=8, title="players", title_fontsize=8, loc="upper right")
    alternative = f"Wins above an equal share by position, for {', '.join(players)}. {finding}"
    return PageFigure("positions", as_svg(figure), alternative, csv="positions.csv")


def _draw(panel: Any, shares: Sequence[Shares]) -> None:
    panel.axhline(0, color=GREY, linewidth=0.8)
    for line, one in enumerate(shares):
        places = np.arange(one.players)
        above = [interval.estimate for interval in one.above]
        reach = [interval.half_width for interval in one.above]
        panel.errorbar(
            places, above, yerr=reach, color=OKABE_ITO[line], marker=MARKERS[line], markersize=4.5, linewidth=1.4,
            capsize=2, label=str(one.players),
        )  # fmt: skip
    panel.set_xlabel("position (0 starts)")
    panel.set_xticks(range(max(one.players for one in shares)))
    panel.grid(axis="y", color="#dddddd", linewidth=0.6)
    panel.set_axisbelow(True)
