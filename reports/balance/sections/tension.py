"""How exciting the game is: when the winner is decided, how far single turns move the win chances, who comes back."""

from __future__ import annotations

import shlex
from collections.abc import Sequence
from typing import Final

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from reports.balance.curves import (
    CLEAR_LEAD,
    DECIDED,
    TENTHS,
    Curve,
    comes_back,
    curves_of,
    decided_at,
    games_per_block,
    greatest_swing,
    lead_changes,
    mean_over_games,
    of_winners,
    squared_swings,
    swing_by_tenth,
    with_half,
)
from reports.balance.exhibits import Cell, cell_with_error, page_figure, page_table
from reports.balance.finding import Finding, Play
from reports.balance.plan import BalancePlan, Threshold, light_above
from reports.balance.rosters import all_alike
from reports.balance.take_sizes import TakeSizes, TakesTable, takes_frame
from reports.estimates.intervals import LEVEL, PLANNED, Interval
from reports.estimates.joint import greatest_named, level_of_each
from reports.estimates.measures import bounds_columns, interval_from_row, rows_of
from reports.output.canvas import Axes
from reports.output.command_lines import deal_words, rules_options
from reports.output.figures import BESIDE, DASHED, GREY, MARKERS, OKABE_ITO
from reports.output.html import PageFigure, PageTable
from reports.output.moves import cards_text, option_text
from reports.output.provenance import deck_note
from reports.output.words import counted
from simulate.escalation.settings.lookahead import AlongGames
from simulate.escalation.settings.situations import Followed

DECIDED_AFTER: Final = Threshold(
    "decided-after",
    0.5,
    "share of the game",
    "how much of the game should have been played, on average, before the winner is decided",
)
PLAYOUTS_PER_ROLLOUT: Final = 4
"""A curve's points stand alone, unlike options that are compared on the same shuffles: they get more playouts."""
BLOCKS_PER_LOOK: Final = 4
"""One in so many blocks is searched for long games and large takes."""

COLUMNS: Final[dict[str, Cell]] = {
    "statistic": "{statistic}",
    "unit": "{unit}",
    "mean (± 95%)": cell_with_error("estimate", 2, sign=False),
    "with half the playouts": lambda row: (
        "" if pd.isna(row["with_half_the_playouts"]) else f"{row['with_half_the_playouts']:.2f}"
    ),
}
TAKES_COLUMNS: Final[dict[str, Cell]] = {
    "cards in the pile taken": "{size}",
    "% of takes": "{share_of_takes:.1%}",
    "95% interval": "{share_of_takes_low:.1%} to {share_of_takes_high:.1%}",
    "forced": "{forced:,}",
    "by choice": "{willing:,}",
}


def measure(plan: BalancePlan, play: Play) -> Finding:
    """Follow the win chances through a sample of games."""
    table = all_alike(plan.rules, plan.standard)
    setting = AlongGames(table, games_per_block(plan.effort), PLAYOUTS_PER_ROLLOUT * plan.effort.rollouts)
    curves = curves_of(setting, plan.seed, play("tension-games", [setting], plan.effort.blocks)[0])
    blocks = max(1, plan.effort.blocks // BLOCKS_PER_LOOK)
    sizes = TakeSizes.of_blocks(play("tension-takes", [TakesTable(table)], blocks)[0])
    numbers, games = numbers_frame(curves), games_frame(curves)
    tenths, takes = tenths_frame(curves), takes_frame(sizes)
    shown = curves[representative(games)]
    finding = finding_of(numbers, tenths)
    frames = {
        "tension": numbers,
        "tension_tenths": tenths,
        "tension_takes": takes,
        "tension_games": games,
        "tension_example": example_frame(shown),
    }
    return Finding(
        name="tension",
        title="Tension",
        finding=finding,
        light=light_above(decided_share(curves), plan.limit(DECIDED_AFTER)),
        threshold=DECIDED_AFTER,
        frames=frames,
        figures=(_figure_of_tenths(tenths, len(curves), plan), _figure_of_game(shown, plan)),
        tables=(
            page_table("tension", numbers, COLUMNS, texts=2),
            page_table("tension_takes", takes, TAKES_COLUMNS, texts=0),
            _example_table(shown),
        ),
        texts=_texts(plan, curves, setting.rollouts, sizes, takes, shown),
        commands=commands(plan, curves, sizes, shown),
        headline=finding,
    )


# --- Numbers ---------------------------------------------------------------------------------------------------------


def decided_share(curves: Sequence[Curve]) -> Interval:
    """Return the share of a game's turns after which its winner was decided, on average."""
    return mean_over_games([decided_at(curve.game, curve.chances) / curve.game.turns for curve in curves])


def numbers_frame(curves: Sequence[Curve]) -> pd.DataFrame:
    """Return one row per statistic: what, unit, estimate with bounds, and what half the playouts would give.

    Swings are free of the playouts' noise, so for them that is left empty.
    """

    def share(game: Followed, chances: NDArray[np.float64]) -> float:
        return decided_at(game, chances) / game.turns

    crossings = (
        ("winner decided after", "share of the game", share),
        ("winner decided after turn", "turns", decided_at),
        ("lead changes", "per game", lead_changes),
        ("wins from below half of an equal share", "share of games", comes_back),
    )
    rows = [
        {
            "statistic": name,
            "unit": unit,
            **bounds_columns("estimate", mean_over_games([statistic(curve.game, curve.chances) for curve in curves])),
            "with_half_the_playouts": float(np.mean([with_half(curve, statistic) for curve in curves])),
        }
        for name, unit, statistic in crossings
    ]
    plain = (
        ("greatest swing of one turn", "share of the win", [greatest_swing(curve) for curve in curves]),
        ("turns", "per game", [curve.game.turns for curve in curves]),
        ("piles taken", "per game", [len(curve.game.takes) for curve in curves]),
    )
    rows += [
        {"statistic": name, "unit": unit, **bounds_columns("estimate", mean_over_games(np.array(values, dtype=float)))}
        for name, unit, values in plain
    ]
    return pd.DataFrame(rows).assign(games=len(curves), level=LEVEL)


def tenths_frame(curves: Sequence[Curve]) -> pd.DataFrame:
    """Return, for each tenth of the game, how far one turn moves the win chances, in points (root mean square).

    The intervals of all tenths hold together.
    """
    swings = swing_by_tenth(curves, level_of_each(TENTHS))
    return pd.DataFrame(
        {"tenth": place, **bounds_columns("swing_in_points", swing.times(100)), "level_of_all_together": LEVEL}
        for place, swing in swings.items()
    )


def games_frame(curves: Sequence[Curve]) -> pd.DataFrame:
    """Return one row per game of the sample; the estimates of a single game have the playouts' noise."""
    return pd.DataFrame(
        {
            "deal": curve.game.deal,
            "turns": curve.game.turns,
            "winners": " ".join(map(str, curve.game.winners)),
            "decided_after": decided_at(curve.game, curve.chances) / curve.game.turns,
            "lead_changes": lead_changes(curve.game, curve.chances),
            "winners_lowest_chance": float(of_winners(curve.game, curve.chances).min()),
            "greatest_swing": greatest_swing(curve),
            "movement": float(squared_swings(curve).sum()),
            "takes": len(curve.game.takes),
            "largest_take": max(curve.game.takes, default=0),
        }
        for curve in curves
    )


def representative(games: pd.DataFrame) -> int:
    """Return the place of the game nearest to the medians of length, decision, lead changes and greatest swing."""
    values = games[["turns", "decided_after", "lead_changes", "greatest_swing"]].to_numpy(dtype=float)
    scale = values.std(axis=0)
    apart = (values - np.median(values, axis=0)) / np.where(scale > 0, scale, 1)
    return int((apart**2).sum(axis=1).argmin())


def example_frame(curve: Curve) -> pd.DataFrame:
    """Return the curve of one game: turn (0 before the first), position, win chance."""
    return pd.DataFrame(
        {"deal": curve.game.deal, "turn": turn, "position": position, "win_chance": float(chance)}
        for turn, now in enumerate(curve.chances)
        for position, chance in enumerate(now)
    )


# --- Words -----------------------------------------------------------------------------------------------------------


def finding_of(numbers: pd.DataFrame, tenths: pd.DataFrame) -> str:
    """Say when the winner is decided, how often the lead changes and how many come back."""
    share, _, changes, back, *_ = rows_of(numbers)
    return (
        f"The winner is decided after {share['estimate']:.0%} of the turns on average, the lead changes "
        f"{changes['estimate']:.1f} times a game and {back['estimate']:.0%} of games are won from far behind; turns "
        f"matter most in the {_peak(tenths)} tenth of the game."
    )


def _peak(tenths: pd.DataFrame) -> str:
    """Name the tenths in which a turn may move the win chances most."""
    rows = rows_of(tenths)
    swings = [interval_from_row(row, "swing_in_points") for row in rows]
    return greatest_named([ordinal(row["tenth"]) for row in rows], swings)


def ordinal(number: int) -> str:
    """Return a small number as an ordinal."""
    return f"{number}{ {1: 'st', 2: 'nd', 3: 'rd'}.get(number, 'th') }"


def _texts(
    plan: BalancePlan, curves: Sequence[Curve], rollouts: int, sizes: TakeSizes, takes: pd.DataFrame, shown: Curve
) -> tuple[str, ...]:
    willing = takes["willing"].sum() / max(1, takes["forced"].sum() + takes["willing"].sum())
    mean = (takes["size"] * takes["share_of_takes"]).sum()
    open_turns = np.mean([np.mean([len(state.rest) > 0 for state in curve.game.states[:-1]]) for curve in curves])
    return (
        f"{len(curves)} games, {plan.rules.players} players, everybody {plan.standard.label}; deck "
        f"{deck_note(plan.rules)}. Before each turn the true hands are kept, the rest of the deck is shuffled anew, "
        f"and {rollouts:,} games are played on from there. Intervals: {LEVEL:.0%}, for a planned number of games; the "
        "game is the unit.",
        "This is the view of a spectator who sees all hands and knows how everybody plays. For him the only surprise "
        f"is in the cards to be drawn; once the deck is empty, after {open_turns:.0%} of the turns, nothing is open. "
        "Those at the table, who see their own hand only, are kept in suspense for longer.",
        f"Decided: the winner's chance stays at {DECIDED:.0%} or more. Lead changes: somebody else becomes the "
        f"likeliest winner, {CLEAR_LEAD * 100:.0f} points ahead of the one before. From far behind: the winner's "
        "chance had once been below half of an equal share. Suspense, how far a turn is expected to move the win "
        "chances, and surprise, how far it does, are the same on average; they are told as the share of the win that "
        "changes hands.",
        "Playouts have noise of their own: swings are found by one half of them and measured by the other, which keeps "
        "it out; for what counts crossings of a line the table says what half the playouts would give.",
        f"A pile that is taken has {mean:.1f} cards on average; {willing:.0%} of takes are by choice ({sizes.games:,} "
        "games).",
        f"Deal {shown.game.deal} is the game of the sample nearest to the medians of length, decision, lead changes "
        "and greatest swing; the last table tells it.",
    )


def commands(plan: BalancePlan, curves: Sequence[Curve], sizes: TakeSizes, shown: Curve) -> tuple[str, ...]:
    """Return what to type to see the typical, the wildest and the longest game, a comeback and the largest take."""
    wildest = max(curves, key=lambda curve: float(squared_swings(curve).sum()))
    comeback = min(curves, key=lambda curve: float(of_winners(curve.game, curve.chances).min()))
    lowest = float(of_winners(comeback.game, comeback.chances).min())
    turns, pile = counted(sizes.longest[1], "turn"), counted(sizes.largest_take[1], "card")
    wanted = (
        (f"typical of the sample, {counted(shown.game.turns, 'turn')}", shown.game.deal),
        ("wildest of the sample: the win chances moved most", wildest.game.deal),
        (f"greatest comeback of the sample, from {lowest:.0%}", comeback.game.deal),
        (f"longest of {sizes.games:,} games, {turns}", sizes.longest[0]),
        (
            f"largest pile taken in {sizes.games:,} games, {pile}",
            sizes.largest_take[0],
        ),
    )
    return tuple(f"{replay_command(plan, deal)}  # {words}" for words, deal in wanted)


def replay_command(plan: BalancePlan, deal: int) -> str:
    """Return the command that tells a deal among equal players."""
    seats = ["--seating", "given", "--seat", plan.standard.label]
    return shlex.join([*deal_words(plan.rules, plan.seed, deal), *seats, *rules_options(plan.rules), "--brief"])


def deed_words(game: Followed, turn: int) -> str:
    """Tell one turn of a game in words."""
    state, (took, laid) = game.states[turn], game.moves[turn]
    facing = f"facing {state.target}" if state.pile else "to lead"
    what = option_text(laid)
    taken = f"takes {state.pile} and leads " if took else "leads " if not state.pile else ""
    out = "; goes out" if turn == game.turns - 1 else ""
    return f"position {state.mover} [{cards_text(state.hands[state.mover])}] {facing}: {taken}{what}{out}"


# --- Tables and figures ----------------------------------------------------------------------------------------------


def _example_table(curve: Curve) -> PageTable:
    players = curve.chances.shape[1]
    columns = (
        "turn",
        f"deal {curve.game.deal}",
        *(f"chance of position {place} after it, %" for place in range(players)),
    )
    rows = tuple(
        (f"{turn + 1:02}", deed_words(curve.game, turn), *(f"{100 * chance:.0f}" for chance in curve.chances[turn + 1]))
        for turn in range(curve.game.turns)
    )
    return PageTable(columns, rows, texts=2, csv="tension_example.csv")


def _figure_of_tenths(tenths: pd.DataFrame, games: int, plan: BalancePlan) -> PageFigure:
    place, swing = tenths["tenth"], tenths["swing_in_points"]

    def draw(panel: Axes) -> None:
        low, high = tenths["swing_in_points_low"], tenths["swing_in_points_high"]
        panel.fill_between(place, low, high, color=OKABE_ITO[0], alpha=0.2)
        panel.plot(place, swing, color=OKABE_ITO[0], marker="o", markersize=4.5)
        panel.set_ylim(bottom=0)
        panel.set_xticks(range(1, TENTHS + 1))
        panel.set_xlabel("tenth of the game")
        panel.set_ylabel("win chance that changes\nhands in one turn (points)")

    most = f"{swing.max():.0f} points of win chance change hands"
    title = f"A turn moves most in the {_peak(tenths)} tenth of the game: {most}"
    note = (
        f"Root mean square over the turns of {games} games. Band: {LEVEL:.0%} for all tenths together, {PLANNED}. "
        f"Deck {deck_note(plan.rules)}."
    )
    shows = "Points of win chance that change hands in one turn, by tenth of the game"
    return page_figure("tension", draw, shows, title, note, csv="tension_tenths")


def _figure_of_game(curve: Curve, plan: BalancePlan) -> PageFigure:
    game, decided = curve.game, decided_at(curve.game, curve.chances)

    def draw(panel: Axes) -> None:
        panel.axvline(decided, color=GREY, linewidth=1, linestyle=DASHED)
        for position, chances in enumerate(curve.chances.T):
            panel.plot(
                range(len(chances)), 100 * chances, color=OKABE_ITO[position], marker=MARKERS[position], markersize=3.5,
                markevery=4, label=f"position {position}",
            )  # fmt: skip
        panel.set_ylim(-3, 103)
        panel.set_xlabel("turns played")
        panel.set_ylabel("win chance (%)")
        panel.legend(frameon=False, fontsize=8.5, **BESIDE)

    winners = " and ".join(map(str, game.winners))
    title = (
        f"A typical game (deal {game.deal}): position {winners} wins, decided after turn {decided:.0f} of {game.turns}"
    )
    note = (
        "The true hands kept, the rest of the deck shuffled anew for every playout. Dashed: the winner is decided. "
        f"Deck {deck_note(plan.rules)}."
    )
    shows = "Win chance of each position before each turn of one game"
    return page_figure("tension_example", draw, shows, title, note, height=3.9)
