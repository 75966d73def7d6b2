"""Exact results of one group, as lines and as plain data."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict, dataclass
from fractions import Fraction

from reports.output.words import both_ways, fraction_data
from reports.quickly.rules_words import rules_note
from simulate.quickly.exact import expected_rounds, random_order, sort_success, timing_success, win_chance
from simulate.quickly.rules import GroupRules
from strategies.quickly import Person


@dataclass(frozen=True)
class ExactGroup:
    """What is known exactly about a group in which everybody is alike.

    Attributes
    ----------
    rules, person
        What is played, and by whom.
    random
        The chance of a good round in uniformly random order.
    sort
        The chance of a good round if cards are flipped by point estimate.
    timing
        The chance of a good round under the best timing of own cards by an organiser who knows only the order of the
        others; None where mistakes are allowed.
    """

    rules: GroupRules
    person: Person
    random: Fraction
    sort: float
    timing: float | None


def exact_group(rules: GroupRules, person: Person) -> ExactGroup:
    """Work out what is known exactly about a group of such persons.

    Raises
    ------
    InputError
        If the person does anything that exact results do not cover.

    Examples
    --------
    >>> from simulate.quickly.rules import GroupRules
    >>> from strategies.quickly import person
    >>> report = exact_group(GroupRules.printed(4), person("plain,sigma=1"))
    >>> str(report.random), round(report.sort, 5)
    ('1/24', 0.72632)
    """
    timing = None if rules.mistakes else timing_success(rules, person)
    return ExactGroup(rules, person, random_order(rules.cards, rules.mistakes), sort_success(rules, person), timing)


def exact_group_lines(report: ExactGroup) -> Iterator[str]:
    """Tell what is known exactly."""
    target = report.rules.target
    yield f"{report.rules.players} players: {rules_note(report.rules)}"
    yield f"everybody {report.person.label}"
    yield ""
    yield "random order, by enumeration"
    yield f"  good round  {both_ways(report.random)}"
    yield f"  win         {both_ways(Fraction(win_chance(report.random, target)))}"
    yield "sorted by point estimate, by integration"
    yield f"  good round  {report.sort:.6f}"
    yield f"  win         {float(win_chance(report.sort, target)):.6f}"
    yield f"  rounds      {float(expected_rounds(report.sort, target)):.6f}"
    if report.timing is not None:
        yield "own cards at the best time, knowing only the order of the others, by backward induction"
        yield f"  good round  {report.timing:.6f}"


def exact_group_data(report: ExactGroup) -> dict[str, object]:
    """Return everything as plain data: fractions as text, each with its decimal value beside it."""
    target = report.rules.target
    return {
        "rules": asdict(report.rules),
        "person": report.person.label,
        "random_order": {
            "round_success": fraction_data(report.random),
            "win": fraction_data(Fraction(win_chance(report.random, target))),
            "expected_rounds": fraction_data(Fraction(expected_rounds(report.random, target))),
        },
        "sort": {
            "round_success": round(report.sort, 9),
            "win": float(win_chance(report.sort, target)),
            "expected_rounds": float(expected_rounds(report.sort, target)),
        },
        "best_timing_knowing_only_the_order": None if report.timing is None else {"round_success": report.timing},
    }
