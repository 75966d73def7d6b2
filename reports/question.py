"""Questions as TOML: what a run was asked, written so that it can be asked again, and read with every mistake named."""

from __future__ import annotations

import tomllib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any, Final, TypeAlias

from reports.ask.player_question import PlayerQuestion
from reports.ask.question import read_subject
from reports.ask.verdict import Stopping
from reports.balance.plan import EFFORTS, BalancePlan
from reports.output.provenance import Provenance
from reports.quickly.spec import GROUP_PLANS, GroupQuestionPlan
from reports.reading.spec_reader import SpecReader
from reports.reading.values import Value, checked_values
from reports.simulation.plan import SimulationPlan
from reports.sweep.designs import Design, Row
from reports.sweep.paired import DEFAULT_RATE, GOALS, Goal, PairedPlan
from reports.sweep.plan import SweepPlan
from reports.sweep.variation import Factor, Variation, factor, read_variation
from simulate.escalation.rules import DEFAULT_DECK, Deck, Rules
from simulate.experiment import KERNEL_VERSION
from strategies.catalogue import strategy
from strategies.errors import InputError, unknown_name
from strategies.parameters import PARAMETER_NAMES
from strategies.strategy import Strategy

Plan: TypeAlias = SimulationPlan | SweepPlan | PairedPlan | BalancePlan | GroupQuestionPlan

_NEEDED: Final = ("question", "seed", "games_per_setting", "spec")
_TOLD: Final = ("digest", "settings", "deck", "rules", "kernel_version", "toolkit_version")
"""What a description says beyond the question; the digest is checked."""

_STOPPING: Final = ("margin", "alpha", "precision", "most_deals")
_UNITS: Final = ("games", "matches")

_DEFAULTS: Final = Rules()


@dataclass(frozen=True)
class Question:
    """A plan, and how many games to play of each of its settings."""

    plan: Plan
    games: int

    @property
    def provenance(self) -> Provenance:
        """What its result is computed from."""
        return self.plan.provenance(self.games)


def read_question(path: Path) -> Question | PlayerQuestion:
    """Read a question from a TOML file, such as the `experiment.toml` of an output folder.

    Raises
    ------
    InputError
        If the file cannot be read or something in it is wrong; the message names the place and the nearest valid name.
    """
    try:
        data = tomllib.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise InputError(f"'{path}' cannot be read: {(error.strerror or str(error)).lower()}") from None
    except ValueError as error:
        raise InputError(f"'{path}' is not TOML: {error}") from None
    try:
        return question_from(data)
    except InputError as mistake:
        raise InputError(f"'{path}': {mistake}") from None


def question_from(data: Mapping[str, Any]) -> Question | PlayerQuestion:
    """Make a question from plain data, as `Provenance.as_data` writes it.

    Questions about a tactic play until the answer is clear, all others a number of games.

    Raises
    ------
    InputError
        If something is missing, unknown, ill-typed or not allowed, or if the digest belongs to something else.
    """
    top = SpecReader(data, "the file", [*_NEEDED, *_TOLD])
    kinds: dict[str, Callable[[Mapping[str, Any], int], Plan]] = {
        "sweep": _sweep_plan,
        "simulate": _simulation_plan,
        "balance": _balance_plan,
        **GROUP_PLANS,
    }
    for goal in GOALS:
        kinds[goal] = partial(_paired_plan, goal=goal)
    kind = top.take("question", str)
    if kind not in {*kinds, "ask"}:
        raise unknown_name("question", kind, [*kinds, "ask"])
    games = top.take("games_per_setting", int)
    if games < 1:
        raise InputError(f"games_per_setting = {games} is not allowed: 1 or more")
    spec, seed = top.take("spec", dict), top.take("seed", int)
    question = _tactic_question(spec, seed) if kind == "ask" else Question(kinds[kind](spec, seed), games)
    version = top.take("kernel_version", int, KERNEL_VERSION)
    if version != KERNEL_VERSION:
        raise InputError(
            f"it was played with kernel version {version}, this is {KERNEL_VERSION}: the numbers will differ (remove "
            "kernel_version and digest to play it anyway)"
        )
    digest = question.provenance.digest
    if top.take("digest", str, digest) != digest:
        raise InputError(f"its digest belongs to another experiment than it describes: remove it, or write {digest}")
    return question


def _tactic_question(spec: Mapping[str, Any], seed: int) -> PlayerQuestion:
    """Read a question about a tactic; opponents who all play the base are the usual ones."""
    names = ["asked", "base", "opponents", "players", "wins_of", "everywhere", *_STOPPING, *_RULES]
    read = SpecReader(spec, "spec", names)
    asked, base, counts = read.take("asked", str), strategy(read.take("base", str)), _player_counts(read)
    if not counts:
        raise InputError("spec: players needs at least one entry")
    fields = tuple(strategy(str(label)) for label in read.take("opponents", list, []))
    unit = read.take("wins_of", str, "games")
    if unit not in _UNITS:
        raise unknown_name("unit of wins", unit, _UNITS)
    usual = Stopping()
    margin = read.number("margin", usual.margin)
    alpha, precision = read.number("alpha", usual.alpha), read.number("precision", margin)
    return PlayerQuestion(
        asked,
        read_subject(asked),
        _rules(read, counts[-1]),
        counts,
        base,
        () if fields == (base,) else fields,
        unit == "matches",
        Stopping(margin, alpha, precision, read.take("most_deals", int, usual.most_deals)),
        seed,
        read.take("everywhere", bool, False),
    )


def _sweep_plan(spec: Mapping[str, Any], seed: int) -> SweepPlan:
    names = ["who", "players", "seats", "strategies", "match", "metrics", "vary", "design", *_RULES]
    read = SpecReader(spec, "spec", names)
    counts = _player_counts(read)
    known = read.take("strategies", dict, {})
    seats = tuple(_seat(str(label), known) for label in read.take("seats", list))
    if not (counts and seats):
        raise InputError("spec: players and seats need at least one entry")
    vary = read.take("vary", dict)
    variations = tuple(_variation(name, values) for name, values in vary.items())
    return SweepPlan(
        variations,
        counts,
        _rules(read, counts[-1]),
        seats,
        read.take("who", str, "focal"),  # type: ignore[arg-type]  # checked by the plan
        read.take("match", bool, False),
        seed,
        _design(read.take("design", dict, {}), variations),
        tuple(str(name) for name in read.take("metrics", list, [])),
    )


def _paired_plan(spec: Mapping[str, Any], seed: int, goal: Goal) -> PairedPlan:
    rate = spec.get("rate", DEFAULT_RATE)
    if isinstance(rate, bool) or not isinstance(rate, int | float):
        raise InputError(f"spec: rate is {rate!r}, not a number")
    return PairedPlan(_sweep_plan({k: v for k, v in spec.items() if k != "rate"}, seed), goal, float(rate))


def _balance_plan(spec: Mapping[str, Any], seed: int) -> BalancePlan:
    players = ("standard", "weaker", "population", "strategies")
    looks = ("players", "closer_look", "effort", "target", "sections", "versus", "thresholds")
    read = SpecReader(spec, "spec", [*looks, *players, *_RULES])
    counts, known = _player_counts(read), read.take("strategies", dict, {})
    effort = read.take("effort", str, "full")
    if effort not in EFFORTS:
        raise unknown_name("effort", effort, EFFORTS)
    thresholds = read.take("thresholds", dict, {})
    for name, value in thresholds.items():
        if isinstance(value, bool) or not isinstance(value, int | float):
            raise InputError(f"spec.thresholds.{name} is {value!r}, not a number")
    weaker, population = (tuple(_seat(str(one), known) for one in read.take(name, list)) for name in players[1:3])
    return BalancePlan(
        _rules(read, read.take("closer_look", int)),
        counts,
        seed,
        EFFORTS[effort],
        read.take("target", str, "positions"),  # type: ignore[arg-type]  # checked by the plan
        _seat(read.take("standard", str), known),
        weaker,
        population,
        {name: float(value) for name, value in thresholds.items()},
        tuple(map(str, read.take("sections", list, []))),
        read.take("versus", str, ""),
    )


_RULES: Final = ("deck", "hand_size", "wild_max", "rulings")


def _rules(read: SpecReader, players: int) -> Rules:
    rulings = read.take("rulings", dict, {})
    deck = Deck.parse(read.take("deck", str, DEFAULT_DECK.name))
    sizes = [read.take(name, int, getattr(_DEFAULTS, name)) for name in ("hand_size", "wild_max")]
    return Rules(deck, players, *sizes).with_rulings(rulings)


def _variation(name: str, data: object) -> Variation:
    known = factor(name)
    if isinstance(data, list):
        return Variation(name, checked_values(known, [_value(known, value) for value in data]))
    if isinstance(data, str):
        return read_variation(f"{name}={data}")
    raise InputError(f"spec.vary.{name} is {data!r}, not a list of values or a text such as '0:6:2'")


def _value(known: Factor, value: object) -> Value:
    if isinstance(value, bool) and known.name.startswith("rule."):
        return str(value).lower()
    if isinstance(value, str) == known.words and not isinstance(value, bool):
        return known.read(str(value))
    raise InputError(f"spec.vary.{known.name}: {value!r} is not a {'word' if known.words else 'number'}")


def _design(data: Mapping[str, Any], variations: Sequence[Variation]) -> Design:
    read = SpecReader(data, "spec.design", ["kind", "points", "rows", "players"])
    rows: list[Row] = []
    for number, row in enumerate(read.take("rows", list, [])):
        if not isinstance(row, list) or len(row) != len(variations):
            raise InputError(f"spec.design.rows[{number}] needs one value for each of {len(variations)} variations")
        rows.append(tuple(_value(variation.factor, value) for variation, value in zip(variations, row, strict=True)))
    players = _player_counts(read, [])
    if players and len(players) != len(rows):
        raise InputError("spec.design.players needs one entry per row")
    kind: Any = read.take("kind", str, "grid")
    return Design(kind, read.take("points", int, 0), tuple(rows), players)


def _player_counts(read: SpecReader, default: list[int] | None = None) -> tuple[int, ...]:
    known = factor("players")
    return tuple(int(known.check(float(value))) for value in read.whole_numbers("players", default))


def _seat(label: str, known: Mapping[str, Any]) -> Strategy:
    """Return a strategy with the parameters that the file gives it; without any, the one that is called so."""
    if label not in known:
        return strategy(label)
    return _strategy(label, known[label])


def _strategy(label: str, data: object) -> Strategy:
    read = SpecReader(data, f"the strategy '{label}'", PARAMETER_NAMES)
    for name, value in read.data.items():
        if isinstance(value, bool) or not isinstance(value, int | float):
            raise InputError(f"the strategy '{label}': {name} is {value!r}, not a number")
    return Strategy.from_parameters(label, {name: float(value) for name, value in read.data.items()})


def _simulation_plan(spec: Mapping[str, Any], seed: int) -> SimulationPlan:
    read = SpecReader(spec, "spec", ["seat_labels", "game", "rules", "seats", "seating", "match", "noise_salt"])
    if read.take("game", str, "escalation") != "escalation":
        raise InputError(f"spec: game is {spec['game']!r}, not 'escalation'")
    if read.take("noise_salt", int, 0):
        raise InputError("spec: noise_salt is 0 for a simulation")
    rules = SpecReader(read.take("rules", dict), "spec.rules", list(Rules.__dataclass_fields__))
    fixed = {name: rules.take(name, int, getattr(_DEFAULTS, name)) for name in ("hand_size", "wild_max")}
    rulings = {name: value for name, value in rules.data.items() if name not in {"deck", "players", *fixed}}
    deck = Deck.parse(rules.take("deck", str, DEFAULT_DECK.name))
    played = Rules(deck, rules.take("players", int), fixed["hand_size"], fixed["wild_max"]).with_rulings(rulings)
    labels, seats = read.take("seat_labels", list), read.take("seats", list)
    if len(labels) != len(seats):
        raise InputError("spec: seat_labels and seats need as many entries")
    players = tuple(_strategy(str(label), values) for label, values in zip(labels, seats, strict=True))
    seating: Any = read.take("seating", str, "rotate")
    return SimulationPlan(played, players, seating, read.take("match", bool, False), seed)
