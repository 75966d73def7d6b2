"""What `balance` prints."""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import replace
from functools import cache
from typing import Any, Final

import numpy as np

from benchmarks.coverage import Kind, Printed, Source, estimates, total_of
from benchmarks.printed.small_runs import (
    HOARDER,
    NOVICE,
    STANDARD,
    frame_intervals,
    intervals_in,
    play_of,
    unprinted,
)
from reports.balance.card_worth import set_worths
from reports.balance.compositions import GAP, measure_compositions
from reports.balance.curves import Curve, curves_of
from reports.balance.option_worth import Choice, choices_of
from reports.balance.plan import QUICK, BalancePlan
from reports.balance.redesign_aims import AIMS, AimSample
from reports.balance.rosters import all_alike, one_among
from reports.balance.sections import (
    cards,
    choices,
    health,
    neighbours,
    player_count,
    redesign,
    rulings,
    strategies,
    tension,
)
from reports.balance.sections.luck import read_hands, read_shares
from reports.balance.sections.positions import measure_positions
from reports.balance.take_sizes import TakeSizes, TakesTable, takes_frame
from reports.balance.versus import TwoGames, differences
from reports.estimates.intervals import Interval
from reports.estimates.joint import greatest, greatest_distance, level_of_each
from reports.estimates.measures import interval_from_row
from reports.simulation.until_better import until_better
from simulate import Rules
from simulate.escalation.rules import Deck
from simulate.escalation.settings.freezing import OpeningHands, PickFreeze
from simulate.escalation.settings.lookahead import AfterOptions, AlongGames
from simulate.escalation.settings.openings import Openings, Swaps
from simulate.runner import Workers


@cache
def _balance_plan() -> BalancePlan:
    return BalancePlan(Rules(players=3), (2, 3), effort=replace(QUICK, blocks=2))


def _ask_positions(seed: int, workers: Workers) -> Printed:
    plan = _balance_plan()
    found = measure_positions(replace(plan, effort=replace(plan.effort, blocks=6)), play_of(workers))
    standard = [shares for shares in found.games if shares.who == STANDARD.label]
    return {
        "positions: one player at all table sizes together": intervals_in([(s.wins, s.above) for s in standard]),
        "matches of equals by seat, all together": intervals_in([(s.wins, s.above) for s in found.matches[:2]]),
        "matches beside a weak player, all together": intervals_in([(s.wins, s.above) for s in found.matches[2:]]),
        "positions: scores together": intervals_in([s.scores for s in standard]),
    }


POSITIONS: Final = Source(
    "balance: positions",
    tuple(
        Kind(name, "balance", ("balance/shares", "estimates/joint", "balance/sections/positions"), together=True)
        for name in (
            "positions: one player at all table sizes together",
            "matches of equals by seat, all together",
            "matches beside a weak player, all together",
            "positions: scores together",
        )
    ),
    _ask_positions,
    pool=400,
)


def _ask_player_count(seed: int, workers: Workers) -> Printed:
    tables = [all_alike(Rules(players=players), STANDARD, "rotate") for players in (2, 3, 4)]
    played = play_of(workers)("player-count", tables, 2)
    sizes = [player_count.table_size(total_of(own), 6.0, level_of_each(3 * len(tables))) for own in played]
    return {
        "player count: score, turns, minutes, shared wins together": intervals_in(
            [(size.score, size.turns, size.minutes, size.shared) for size in sizes]
        ),
        "player count: the longest game, the most shared wins": {
            "minutes": greatest([size.minutes for size in sizes]),
            "shared": greatest([size.shared for size in sizes]),
        },
    }


PLAYER_COUNT: Final = Source(
    "balance: player-count",
    tuple(
        Kind(name, "balance", ("balance/sections/player_count", "estimates/joint"), together=True)
        for name in (
            "player count: score, turns, minutes, shared wins together",
            "player count: the longest game, the most shared wins",
        )
    ),
    _ask_player_count,
    pool=400,
)


def _ask_luck(seed: int, workers: Workers) -> Printed:
    population = (STANDARD, HOARDER, NOVICE)
    play = play_of(workers)
    (frozen,) = play("luck", [PickFreeze(Rules(players=3), population)], 4)
    (hands,) = play("opening-hands", [OpeningHands(Rules(players=3), STANDARD)], 4)
    shares = read_shares(total_of(frozen))
    return {
        "shares of luck and skill": intervals_in(shares),
        "share of the opening hand": intervals_in(read_hands(total_of(hands))),
    }


LUCK: Final = Source(
    "balance: luck",
    tuple(
        Kind(name, "balance", ("balance/sections/luck", "estimates/jackknife"))
        for name in ("shares of luck and skill", "share of the opening hand")
    ),
    _ask_luck,
    pool=200,
)


def _ask_cards(seed: int, workers: Workers) -> Printed:
    rules = Rules(players=3)
    table, deck = all_alike(rules, STANDARD), rules.deck
    dealt, swapped = map(total_of, play_of(workers)("cards", [Openings(table), Swaps(table, undrawn=False)], 4))
    worths = cards.cards_frame(dealt, [swapped], deck)
    columns = {name: frame_intervals(worths, column=column) for name, column in _WORTHS.items()}
    return {
        **columns,
        "worth of pairs and triples": intervals_in(set_worths(dealt)),
        "cards left in hand, all together": intervals_in(cards.left_frame(dealt, deck)),
        "the greatest worth of a card": {0: cards.most_extreme(worths)},
    }


_WORTHS: Final = {
    "worth of a card in wins, all cards together": "wins",
    "worth of a card in penalty cards, all cards together": "cards",
    "the same by exchange, in wins": "swap_wins",
    "the same by exchange, in penalty cards": "swap_cards",
}
_CARD_MODULES: Final = ("balance/card_worth", "balance/sections/cards", "estimates/jackknife")
CARDS: Final = Source(
    "balance: cards",
    (
        *(Kind(name, "balance", _CARD_MODULES, together=True) for name in _WORTHS),
        Kind("worth of pairs and triples", "balance", _CARD_MODULES),
        Kind("cards left in hand, all together", "balance", _CARD_MODULES, together=True),
        Kind("the greatest worth of a card", "balance", _CARD_MODULES, together=True),
    ),
    _ask_cards,
    pool=120,
)


def _ask_takes(seed: int, workers: Workers) -> Printed:
    (blocks,) = play_of(workers)("tension-takes", [TakesTable(all_alike(Rules(players=3), STANDARD))], 2)
    frame = takes_frame(TakeSizes.of_blocks(blocks))
    numbers = frame_intervals(frame, key="size")
    return {
        "shares of takes, sizes of at least 1 in 100": {
            key: own
            for key, own in numbers.items()
            if key[0] in _COMMON_TAKES  # type: ignore[index]
        },
        "shares of takes, rarer sizes": {
            key: own
            for key, own in numbers.items()
            if key[0] not in _COMMON_TAKES  # type: ignore[index]
        },
    }


_COMMON_TAKES: Final = range(1, 11)
TAKES: Final = Source(
    "balance: takes",
    (
        Kind("shares of takes, sizes of at least 1 in 100", "balance", ("balance/take_sizes",)),
        Kind("shares of takes, rarer sizes", "balance", ("balance/take_sizes",)),
    ),
    _ask_takes,
    pool=120,
)


@cache
def _curves() -> list[Curve]:
    setting = AlongGames(all_alike(Rules(players=3), STANDARD), 800, 20)
    return curves_of(setting, 1, [setting.play_deals(1, np.arange(800))])


def _curves_printed(curves: list[Curve]) -> Printed:
    tenths = frame_intervals(tension.tenths_frame(curves), key="tenth")
    late = {key: own for key, own in tenths.items() if key in {(tenth, "swing_in_points") for tenth in _LATE}}
    return {
        "tension: leads, swings, decisions": frame_intervals(tension.numbers_frame(curves), key="statistic"),
        "swing of a turn by tenth of the game, all together": {
            key: own for key, own in tenths.items() if key not in late
        },
        "the same in the last tenths": late,
    }


_LATE: Final = range(8, 11)


def _drawn(pool: list[Any], seed: int, games: int) -> list[Any]:
    return [pool[place] for place in np.random.default_rng(seed).permutation(len(pool))[:games]]


TENSION: Final = Source(
    "balance: tension",
    (
        Kind("tension: leads, swings, decisions", "balance", ("balance/curves", "balance/sections/tension")),
        Kind(
            "swing of a turn by tenth of the game, all together",
            "balance",
            ("balance/curves", "balance/sections/tension"),
            together=True,
        ),
        Kind(
            "the same in the last tenths",
            "balance",
            ("balance/curves",),
            together=True,
            approximate="most games are decided by then, so what still moves is rare, and few games miss it",
        ),
    ),
    lambda seed, workers: _curves_printed(_drawn(_curves(), seed, 30)),
    truth=lambda: estimates(_curves_printed(_curves())),
    fewer=2,
)


@cache
def _choices() -> list[list[Choice]]:
    setting = AfterOptions(all_alike(Rules(players=2), STANDARD), 600, 20)
    every = choices_of(setting, 1, [setting.play_deals(1, np.arange(600))])
    by_game: dict[int, list[Choice]] = {}
    for choice in every:
        by_game.setdefault(choice.deal, []).append(choice)
    return list(by_game.values())


def _choices_printed(games: list[list[Choice]]) -> Printed:
    every = [choice for game in games for choice in game]
    kinds, tenths = choices.kinds_frame(every), choices.tenths_frame(every)
    return {
        "turns in which the choice matters": frame_intervals(choices.shares_frame(every), key="turns_with"),
        "how often a kind of option is the best, all together": frame_intervals(kinds, key="kind", column="share_best"),
        "what the best option gains, by kind": frame_intervals(kinds, key="kind", column="gain"),
        "turns in which the choice matters, all tenths together": frame_intervals(
            tenths, key="tenth", column="matters"
        ),
        "turns with a single option, all tenths together": frame_intervals(tenths, key="tenth", column="forced"),
    }


_CHOICES: Final = ("balance/option_worth", "balance/sections/choices")
CHOICES: Final = Source(
    "balance: choices",
    (
        Kind("turns in which the choice matters", "balance", _CHOICES),
        Kind("how often a kind of option is the best, all together", "balance", _CHOICES, together=True),
        Kind(
            "what the best option gains, by kind",
            "balance",
            _CHOICES,
            approximate="few large gains make the mean of 30 games: those of the quick report",
        ),
        *(
            Kind(
                f"{what}, all tenths together",
                "balance",
                _CHOICES,
                together=True,
                approximate="30 games, those of the quick report, have few such turns in some tenths",
            )
            for what in ("turns in which the choice matters", "turns with a single option")
        ),
    ),
    lambda seed, workers: _choices_printed(_drawn(_choices(), seed, 30)),
    truth=lambda: estimates(_choices_printed(_choices())),
    fewer=2,
)


def _ask_rulings(seed: int, workers: Workers) -> Printed:
    found = rulings.measure_variants(_balance_plan(), play_of(workers))
    return {"every number under every ruling, all together": intervals_in([own.numbers for own in found])}


RULINGS: Final = Source(
    "balance: rulings",
    (
        Kind(
            "every number under every ruling, all together",
            "balance",
            ("balance/sections/rulings", "estimates/joint"),
            together=True,
        ),
    ),
    _ask_rulings,
    pool=60,
    fewer=2,
)


def _ask_neighbours(seed: int, workers: Workers) -> Printed:
    found = neighbours.measure_neighbours(_balance_plan(), play_of(workers))
    return {
        "neighbours: wins, all together": intervals_in([own.wins for own in found]),
        "neighbours: scores, all together": intervals_in([own.scores for own in found]),
        "neighbours beyond an even part, all together": intervals_in(
            [own.beyond(side) for own in found for side in neighbours.NEIGHBOURS]
        ),
        "greatest effect on a neighbour": {0: neighbours.greatest_effect(found)},
    }


NEIGHBOURS: Final = Source(
    "balance: neighbours",
    tuple(
        Kind(name, "balance", ("balance/sections/neighbours", "estimates/joint"), together=True)
        for name in (
            "neighbours: wins, all together", "neighbours: scores, all together",
            "neighbours beyond an even part, all together", "greatest effect on a neighbour",
        )
    ),
    _ask_neighbours,
    pool=300,
)  # fmt: skip


def _ask_strategies(seed: int, workers: Workers) -> Printed:
    plan = replace(_balance_plan(), population=(STANDARD, HOARDER, NOVICE))
    play = play_of(workers)
    matchups, table = strategies.measure_matchups(plan, play), measure_compositions(plan, play)
    steps = [one_among(plan.rules, better, weaker) for better, weaker in ((STANDARD, NOVICE), (HOARDER, NOVICE))]
    told = [
        until_better(total_of(own), step.seats, 0.95, level_of_each(len(steps)))
        for step, own in zip(steps, play("ladder", steps, 2), strict=True)
    ]
    return {
        "wins of each strategy among each other, all together": intervals_in((matchups.wins, matchups.gains)),
        "tables of two strategies: gaps, all together": frame_intervals(table, column=GAP),
        "tables of two strategies: wins": frame_intervals(table, column="first_wins")
        | frame_intervals(table, column="second_wins"),
        "steps of the skill ladder, all together": {
            (place, forecast.unit): forecast.needed for place, own in enumerate(told) for forecast in own[:1]
        },
    }


STRATEGIES: Final = Source(
    "balance: strategies",
    (
        Kind(
            "wins of each strategy among each other, all together",
            "balance",
            ("balance/sections/strategies", "balance/sections/advice", "estimates/betting"),
            together=True,
        ),
        Kind("tables of two strategies: gaps, all together", "balance", ("balance/compositions",), together=True),
        Kind("tables of two strategies: wins", "balance", ("balance/compositions",)),
        Kind("steps of the skill ladder, all together", "balance", ("balance/ladder",), together=True),
    ),
    _ask_strategies,
    pool=300,
)


def _ask_versus(seed: int, workers: Workers) -> Printed:
    games = [
        TwoGames(all_alike(Rules(players=n), STANDARD), all_alike(Rules(Deck.parse("jokers3"), n), STANDARD))
        for n in (2, 3, 4)
    ]
    rows = [
        row
        for pair, own in zip(games, play_of(workers)("versus", games, 2), strict=True)
        for row in differences(total_of(own), pair.here.rules.players, level_of_each(15))
    ]
    apart = {(row["measure"], row["players"]): interval_from_row(row, "difference") for row in rows}
    return {
        "two games side by side": {
            (place, name): interval_from_row(row, name) for place, row in enumerate(rows) for name in ("here", "there")
        },
        "differences between two games, all together": {**apart},
        "where two games differ most": {
            measure: greatest_distance([own for (name, _), own in apart.items() if name == measure])
            for measure in dict.fromkeys(name for name, _ in apart)
        },
    }


VERSUS: Final = Source(
    "balance --versus",
    (
        Kind("two games side by side", "balance --versus", ("balance/versus",)),
        Kind("differences between two games, all together", "balance --versus", ("balance/versus",), together=True),
        Kind("where two games differ most", "balance --versus", ("balance/versus", "estimates/joint"), together=True),
    ),
    _ask_versus,
    pool=300,
)


def _ask_redesign(seed: int, workers: Workers) -> Printed:
    words, games = zip(*redesign.candidates(Rules(players=3), 1), strict=True)
    settings = [all_alike(rules, STANDARD) for rules in games]
    played = play_of(workers)("redesign", settings, 3)
    printed: dict[str, dict[Hashable, Interval]] = {}
    for target, picked in (("length", ()), ("positions", (2, 0))):
        aim = AIMS[target]  # type: ignore[index]
        changes = []
        for place, blocks in enumerate(played):
            looked, again = (AimSample([settings[place]], [own], picked, 1) for own in (blocks[:1], blocks[1:]))
            values = aim.value(looked), aim.value(again), aim.value(again, level_of_each(len(games) - 1))
            changes.append(redesign.Change(words[place], games[place], STANDARD, *values, Interval(0, 0, 0)))
        best, here = redesign.best_change(changes, aim), changes[0].fresh
        together = redesign.gains_together(changes, aim)
        own = {(target, change.words): redesign.gain_over(here, change.fresh, aim) for change in changes[1:]}
        printed[f"redesign, {target}: gains, all together"] = intervals_in(together)
        printed[f"redesign, {target}: the greatest gain"] = {0: greatest(together[1:])}
        printed[f"redesign, {target}: gain of the chosen change"] = {
            key: gain if key == (target, best.words) else unprinted(gain.estimate) for key, gain in own.items()
        }
    return printed


REDESIGN: Final = Source(
    "balance: redesign",
    tuple(
        Kind(
            f"redesign, {target}: {what}",
            "balance",
            ("balance/sections/redesign", "balance/redesign_aims", "estimates/joint"),
            together="together" in what,
        )
        for target in ("length", "positions")
        for what in ("gains, all together", "the greatest gain", "gain of the chosen change")
    ),
    _ask_redesign,
    pool=300,
)


def _ask_health(seed: int, workers: Workers) -> Printed:
    tables = [health.RecalledTable(all_alike(Rules(players=players), STANDARD, "rotate")) for players in (2, 3)]
    played = [total_of(own) for own in play_of(workers)("health", tables, 2)]
    return {"how often rare rules come up": frame_intervals(health.rare_frame((2, 3), played))}


HEALTH: Final = Source(
    "balance: health",
    (Kind("how often rare rules come up", "balance", ("balance/sections/health",)),),
    _ask_health,
    pool=200,
)

SOURCES: Final = (
    POSITIONS, PLAYER_COUNT, LUCK, CARDS, TAKES, TENSION, CHOICES, RULINGS, NEIGHBOURS, STRATEGIES, VERSUS, HEALTH,
    REDESIGN,
)  # fmt: skip
"""Everything that is asked of the balance report."""
