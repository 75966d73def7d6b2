"""Exact expectations of a tiny game, by both engines, compared, as lines and as plain data."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass
from typing import Final

from reports.output.provenance import deck_note, rules_line
from reports.output.words import both_ways, counted, fraction_data
from simulate.escalation.exact import ExactResult, check_exact, exact_by_kernel, exact_by_reference
from simulate.escalation.rules import Rules
from simulate.runner import Progress
from strategies.strategy import Strategy

ENGINES: Final = {"kernel": exact_by_kernel, "reference": exact_by_reference}
"""The engines that can be asked, the fast one first."""

REFERENCE_PACE: Final = 3_000
"""Orderings that the reference plays in a second, roughly."""
WORTH_A_WARNING: Final = 30
"""Seconds of waiting that are announced."""


@dataclass(frozen=True)
class ExactReport:
    """What each engine says about one tiny game.

    Attributes
    ----------
    rules, strategies
        What was played; one strategy per position, position 0 leads.
    results
        The expectations by each engine's name.
    """

    rules: Rules
    strategies: tuple[Strategy, ...]
    results: dict[str, ExactResult]

    @property
    def agree(self) -> bool:
        """Whether all engines came to the same fractions."""
        first, *others = self.results.values()
        return all(other == first for other in others)


def exact(
    rules: Rules,
    strategies: Sequence[Strategy],
    engines: Sequence[str] = tuple(ENGINES),
    on_progress: Callable[[Progress], None] | None = None,
) -> ExactReport:
    """Play every ordering of a tiny deck with each engine.

    Parameters
    ----------
    rules, strategies
        What is played, and who sits at each position.
    engines
        Names from `ENGINES`. The reference plays a few thousand orderings a second, the kernel a few hundred thousand.
    on_progress
        Called every few thousand orderings of the last engine; those before it take no time in comparison.

    Raises
    ------
    InputError
        If the deck has more than two million orderings, a strategy has noise, or they are not as many as the players.

    Examples
    --------
    >>> from simulate import Deck, Rules
    >>> from strategies.catalogue import strategy
    >>> report = exact(Rules(Deck.parse("1-4x1"), players=2, hand_size=2), [strategy("minimal")] * 2)
    >>> report.agree, str(report.results["kernel"].turns)
    (True, '3')
    """
    check_exact(rules, strategies)
    orderings = rules.deck.orderings()

    def tell(played: int) -> None:
        if on_progress:
            on_progress(Progress(played, orderings))

    *first, last = engines
    results = {engine: ENGINES[engine](rules, strategies) for engine in first}
    results[last] = ENGINES[last](rules, strategies, tell)
    return ExactReport(rules, tuple(strategies), results)


def warning(rules: Rules, engines: Sequence[str]) -> str | None:
    """Return a warning if the reference will keep the user waiting, and what to do about it."""
    seconds = rules.deck.orderings() / REFERENCE_PACE
    if "reference" not in engines or seconds < WORTH_A_WARNING:
        return None
    return (
        f"{rules.deck.orderings():,} orderings: the reference will take about {math.ceil(seconds / 60)} min; "
        "--engine kernel gives the fractions alone, unchecked, in seconds"
    )


def exact_lines(report: ExactReport) -> Iterator[str]:
    """Tell the expectations as fractions and decimals; where engines differ, each engine's."""
    yield f"deck {deck_note(report.rules)}, {report.rules.players} players"
    yield rules_line(report.rules)
    shown = dict(list(report.results.items())[:1]) if report.agree else report.results
    for engine, result in shown.items():
        yield ""
        orderings = counted(result.orderings, "ordering")
        yield f"{orderings} of the deck, each played once{'' if report.agree else f', by {engine}'}"
        yield from _table(report, result)
    yield ""
    yield _verdict(report)


def _table(report: ExactReport, result: ExactResult) -> Iterator[str]:
    rows = [("position", "strategy", "score", "sole win")]
    for position, strategy in enumerate(report.strategies):
        score, win = result.scores[position], result.sole_win[position]
        rows.append((str(position), strategy.label, both_ways(score), both_ways(win)))
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    for row in rows:
        cells = [cell.ljust(width) for cell, width in zip(row, widths, strict=True)]
        yield "  ".join(cells).rstrip()
    yield f"tie    {both_ways(result.tie)}"
    yield f"turns  {both_ways(result.turns)}"


def _verdict(report: ExactReport) -> str:
    if len(report.results) == 1:
        return f"played by the {next(iter(report.results))} alone: nothing was compared"
    return "reference and kernel agree" if report.agree else "reference and kernel DISAGREE: one of them is wrong"


def exact_data(report: ExactReport) -> dict[str, object]:
    """Return everything as plain data: fractions as text, each with its decimal value beside it."""
    return {
        "rules": {**asdict(report.rules), "deck": str(report.rules.deck)},
        "strategies": [strategy.label for strategy in report.strategies],
        "orderings": next(iter(report.results.values())).orderings,
        "results": {engine: _result_data(result) for engine, result in report.results.items()},
        "agree": report.agree if len(report.results) > 1 else None,
    }


def _result_data(result: ExactResult) -> dict[str, object]:
    return {
        "scores": [fraction_data(score) for score in result.scores],
        "turns": fraction_data(result.turns),
        "sole_win": [fraction_data(win) for win in result.sole_win],
        "tie": fraction_data(result.tie),
    }
