"""Whether a position at the table is worth more than another, and whether a match evens it out."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from typing import Final

import numpy as np
import pandas as pd

from reports.balance.exhibits import Cell, draw_errors, estimated, page_figure, page_table
from reports.balance.finding import Finding, Play, total
from reports.balance.plan import BalancePlan, Threshold, light_below
from reports.balance.rosters import all_alike, one_among
from reports.balance.shares import ABOVE, WinShares, shares_frame, shares_of
from reports.balance.thresholds import ADVANTAGE
from reports.estimates.intervals import LEVEL, PLANNED, Interval
from reports.estimates.joint import at_once, distance, greatest, greatest_distance, level_of_each, may_be_greatest
from reports.estimates.measures import bounds_columns
from reports.output.canvas import Axes
from reports.output.figures import GREY, MARKERS, OKABE_ITO, draw_grid
from reports.output.html import PageFigure
from reports.output.words import with_bounds
from reports.simulation.summary import MATCH_WINS, SCORE, WINS
from simulate import Table
from simulate.escalation.rules import FEWEST_PLAYERS

EVEN: Final = Threshold(
    "match-evenness",
    2.0,
    "wins per 100 matches",
    "how far a seat may be from an equal share of match wins if a match is to even positions out",
)
PART: Final = "positions"

_ABOVE: Final[dict[str, Cell]] = {ABOVE.label: estimated(ABOVE.name, partial(with_bounds, decimals=2))}
COLUMNS: Final[dict[str, Cell]] = {
    "everybody": "{strategy}",
    "players": "{players}",
    "position": "{position}",
    WINS.label: estimated(WINS.name),
    **_ABOVE,
    SCORE.label: estimated(SCORE.name),
}
MATCH_COLUMNS: Final[dict[str, Cell]] = {
    "compared": "{strategy}",
    "players": "{players}",
    "seat": "{seat}",
    MATCH_WINS.label: estimated(MATCH_WINS.name),
    **_ABOVE,
}


@dataclass(frozen=True)
class Positions:
    """Everything that was measured: games by position, and matches by seat."""

    games: tuple[WinShares, ...]
    matches: tuple[WinShares, ...]


def tables(plan: BalancePlan) -> dict[tuple[str, int, str], Table]:
    """Return what is played, by what it is for ("games", "match", "weak match"), players and who plays."""
    found: dict[tuple[str, int, str], Table] = {}
    for players in plan.player_counts:
        rules = plan.at(players)
        for player in (plan.standard, *plan.weaker):
            found["games", players, player.label] = all_alike(rules, player)
        found["match", players, plan.standard.label] = Table(rules, (plan.standard,) * players, "rotate", match=True)
        # With two players there are no neighbours to compare.
        if plan.weaker and players > FEWEST_PLAYERS:
            weak = plan.weaker[-1]
            seats = one_among(rules, weak, plan.standard).seats
            found["weak match", players, weak.label] = Table(rules, seats, "rotate", match=True)
    return found


def measure_positions(plan: BalancePlan, play: Play) -> Positions:
    """Play and read who wins how often."""
    asked = tables(plan)
    played = play(PART, list(asked.values()), plan.effort.blocks)
    # The intervals of one player at all table sizes hold together, and so do those of all matches of a kind.
    level = level_of_each(sum(plan.player_counts))
    found: dict[str, list[WinShares]] = {"games": [], "match": [], "weak match": []}
    for (what, _, who), blocks in zip(asked, played, strict=True):
        weak = what == "weak match"
        words, compared = (f"others than one {who}", slice(1, None)) if weak else (who, slice(None))
        found[what].append(shares_of(total(blocks), words, match=what != "games", level=level, compared=compared))
    return Positions(tuple(found["games"]), (*found["match"], *found["weak match"]))


def measure(plan: BalancePlan, play: Play) -> Finding:
    """Look at score and win share by position, and at matches."""
    positions = measure_positions(plan, play)
    standard = [shares for shares in positions.games if shares.who == plan.standard.label]
    worst = greatest_distance([above for shares in standard for above in shares.above])
    games, matches = shares_frame(positions.games, "position"), shares_frame(positions.matches, "seat")
    finding = _finding(plan, standard)
    return Finding(
        name="positions",
        title="Positions",
        finding=finding,
        light=light_below(worst, plan.limit(ADVANTAGE)),
        threshold=ADVANTAGE,
        frames={"positions": games, "position_tests": _tests_frame(positions), "matches": matches},
        figures=(_figure(plan, positions, finding),),
        tables=(page_table("positions", games, COLUMNS), page_table("matches", matches, MATCH_COLUMNS)),
        texts=(_test_words(positions), *_weaker_words(plan, positions), _match_words(plan, positions)),
        commands=(f"escalation simulate --players {plan.rules.players} --seat standard --seating given --games 100k",),
        headline=_headline(plan, positions, standard),
    )


def _tested(every: Sequence[WinShares]) -> dict[str, list[tuple[WinShares, float]]]:
    """Return, by who plays, every table size and the p-value of its test; those of a player hold together."""
    found = {}
    for who in dict.fromkeys(shares.who for shares in every):
        own = [shares for shares in every if shares.who == who]
        found[who] = list(zip(own, at_once([shares.p_value for shares in own]), strict=True))
    return found


def _unequal(tested: Sequence[tuple[WinShares, float]]) -> list[int]:
    """Return the table sizes at which places surely differ."""
    return [shares.players for shares, p_value in tested if p_value <= 1 - LEVEL]


def _tests_frame(positions: Positions) -> pd.DataFrame:
    """Return one row per test: unit, players, strategy, p_value, p_value_together, greatest_distance with bounds."""
    return pd.DataFrame(
        {
            "unit": unit,
            "players": shares.players,
            "strategy": who,
            "p_value": shares.p_value,
            "p_value_together": together,
            **bounds_columns("greatest_distance", greatest_distance(shares.above)),
        }
        for unit, every in {"game": positions.games, "match": positions.matches}.items()
        for who, tested in _tested(every).items()
        for shares, together in tested
    )


def _most_unequal(every: Sequence[WinShares]) -> tuple[WinShares, int]:
    """Return the table with the position farthest from an equal share, and that position."""
    places = [(shares, place) for shares in every for place in range(shares.players)]
    return max(places, key=lambda place: abs(place[0].above[place[1]].estimate))


def place_words(position: int, players: int) -> str:
    """Name a position so that nobody need count from 0."""
    if position == 0:
        return "the starter"
    return "the last player" if position == players - 1 else f"the player at position {position}"


def _finding(plan: BalancePlan, standard: Sequence[WinShares]) -> str:
    equals = f"Among equal {plan.standard.label} players"
    shares, place = _most_unequal(standard)
    distances = [distance(above) for own in standard for above in own.above]
    if not _unequal(_tested(standard)[plan.standard.label]):
        return (
            f"{equals} no difference between positions is found: none is more than {greatest(distances).high:.1f} wins "
            "per 100 games from an equal share."
        )
    above, others = shares.above[place], len(may_be_greatest(distances)) - 1
    return (
        f"{equals} {place_words(place, shares.players)} of {shares.players} is farthest from an equal share: "
        f"{abs(above.estimate):.1f} wins per 100 games {'more' if above.estimate > 0 else 'fewer'} "
        f"({above.low:+.1f} to {above.high:+.1f}{f'; {others} more may be as far' if others else ''})."
    )


def _headline(plan: BalancePlan, positions: Positions, standard: Sequence[WinShares]) -> str:
    evened = {"good": "evens it out", "middle": "may even it out or not", "bad": "does not even it out"}
    match = evened[light_below(_unevenness(plan, positions), plan.limit(EVEN))]
    if not _unequal(_tested(standard)[plan.standard.label]):
        return _finding(plan, standard)
    shares, place = _most_unequal(standard)
    above = shares.above[place].estimate
    return (
        f"{place_words(place, shares.players).capitalize()} of {shares.players} wins {abs(above):.1f} games per 100 "
        f"{'more' if above > 0 else 'fewer'} than an equal share; a match of as many games as players {match}."
    )


def _test_words(positions: Positions) -> str:
    told = [
        f"{who} with {_listed(clear)} players" if (clear := _unequal(tested)) else f"{who} at no table size"
        for who, tested in _tested(positions.games).items()
    ]
    return (
        "Do positions differ at all? One test on all positions of a deal together (Wald), at the 5% level for all "
        f"table sizes of a player, finds that they do among {'; among '.join(told)}."
    )


def _listed(numbers: Sequence[int]) -> str:
    *others, last = map(str, numbers)
    return f"{', '.join(others)} and {last}" if others else last


def _weaker_words(plan: BalancePlan, positions: Positions) -> list[str]:
    told = []
    for player in plan.weaker:
        shares, place = _most_unequal([shares for shares in positions.games if shares.who == player.label])
        words = f"{place_words(place, shares.players)} of {shares.players}"
        told.append(f"{player.label}: {words}, {with_bounds(shares.above[place], 1)}")
    if not told:
        return []
    return [f"It depends on who plays. Farthest from an equal share, wins per 100 games, among {'; '.join(told)}."]


def _unevenness(plan: BalancePlan, positions: Positions) -> Interval:
    """Return how far any seat is from an equal share in a match of equals, at any table size."""
    equals = [shares for shares in positions.matches if shares.who == plan.standard.label]
    return greatest_distance([above for shares in equals for above in shares.above])


def _match_words(plan: BalancePlan, positions: Positions) -> str:
    """Say whether a match evens positions out, or that it is open, and what it does about neighbours."""
    far, limit = _unevenness(plan, positions), plan.limit(EVEN)
    span, unit = f"{far.low:.1f} to {far.high:.1f}", f"{EVEN.unit} from an equal share"
    text = {
        "good": f"A match of as many games as players evens positions out among equals, to within {limit:g} "
        f"{EVEN.unit}: everybody starts once, and no seat is more than {far.high:.1f} from an equal share.",
        "middle": f"Whether a match of as many games as players evens positions out among equals, to within {limit:g} "
        f"{EVEN.unit}, is open: the farthest seat is {span} from an equal share.",
        "bad": f"Even in a match of as many games as players a seat is {span} {unit}.",
    }[light_below(far, limit)]
    if clear := _unequal(_tested(positions.matches)[plan.standard.label]):
        text += f" Its seats differ with {_listed(clear)} players."
    unequal = [shares for shares in positions.matches if shares.who != plan.standard.label]
    return text + (f" It does not rotate the neighbours: {_neighbour_words(unequal)}." if unequal else "")


def _neighbour_words(unequal: Sequence[WinShares]) -> str:
    """Say what the place beside a weak player is worth."""
    shares = max(unequal, key=lambda shares: greatest_distance(shares.above).estimate)
    places = [above.estimate for above in shares.above]
    best, worst = (shares.above[int(find(places))] for find in (np.argmax, np.argmin))
    # Those above hold together, hence what follows from them does.
    more = Interval(best.estimate - worst.estimate, best.low - worst.high, best.high - worst.low)
    beside = f"beside {shares.who.removeprefix('others than ')}, of {len(places)} equal others"
    if not more.excludes_zero:
        return f"{beside} none is found to win more than another, by up to {more.high:.1f} matches per 100"
    where = {0: "right after him", len(places) - 1: "right before him"}.get(int(np.argmax(places)), "in between")
    return (
        f"{beside} the one {where} wins {with_bounds(more, 1, sign=False)} more matches per 100 than the worst placed "
        f"({shares.players} players)"
    )


def _figure(plan: BalancePlan, positions: Positions, finding: str) -> PageFigure:
    players = list(dict.fromkeys(player.label for player in (plan.standard, *plan.weaker)))

    def draw(*panels: Axes) -> None:
        for panel, who in zip(panels, players, strict=True):
            _draw(panel, [shares for shares in positions.games if shares.who == who])
            panel.set_title(f"everybody {who}", fontsize=9.5)
        panels[0].set_ylabel("wins per 100 games\nabove an equal share")
        panels[-1].legend(frameon=False, fontsize=8, title="players", title_fontsize=8, loc="upper right")

    note = (
        f"Bars: {LEVEL:.0%} intervals, {PLANNED}, those of a player together. {positions.games[0].units:,} games per "
        f"table, seed {plan.seed}."
    )
    shows = f"Wins above an equal share by position, for {', '.join(players)}"
    return page_figure("positions", draw, shows, finding, note, columns=len(players), height=3.7)


def _draw(panel: Axes, every: Sequence[WinShares]) -> None:
    panel.axhline(0, color=GREY, linewidth=0.8)
    for line, shares in enumerate(every):
        draw_errors(
            panel, range(shares.players), shares.above, color=OKABE_ITO[line], marker=MARKERS[line], linewidth=1.4,
            label=str(shares.players),
        )  # fmt: skip
    panel.set_xlabel("position (0 starts)")
    panel.set_xticks(range(max(shares.players for shares in every)))
    draw_grid(panel, "y")
