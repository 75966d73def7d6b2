"""The question "is this tactic good?": named tactics, explicit changes, and how much of something is best."""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any, Final, TypeAlias

import numpy as np

from reports.betting import units_needed, watched_interval
from reports.elsewhere import Elsewhere, look_elsewhere
from reports.provenance import Provenance, deck_note, rules_note
from reports.statistics import Interval, interval_data
from reports.variation import Variation, read_habit
from reports.verdict import PER_HUNDRED, Answer, Measured, Stopping, average, judge, measure, watched_wins
from reports.why import reasons_data
from simulate import Experiment, Rules
from simulate.blocks import DEALS_PER_BLOCK, add_counts, blocks_for
from simulate.escalation.comparison import Comparison
from simulate.escalation.reasons import Reasons, find_reasons
from simulate.escalation.rules import RULINGS
from simulate.experiment import Counts
from simulate.runner import Job, Progress, check_threads, finished_blocks
from strategies.catalogue import Tactic, tactic
from strategies.errors import InputError
from strategies.strategy import Strategy, read_number, split_label

DOSES: Final = 8
"""The range of a dose is divided into so many steps."""
SEARCH_BLOCK: Final = 10**9
"""Doses are chosen on the deals from this block on; nothing else is measured there."""
BLOCKS_OF_ROUNDS: Final = (1, 1)
"""Blocks that every dose still in the race plays in each round; after each the worse half drops out."""
FEWEST_IN_RACE: Final = 2

REASON_DEALS: Final = 2520
"""So many deals are followed turn by turn to find the reason."""

Subject: TypeAlias = Tactic | Mapping[str, float] | Variation
"""What may be asked about: a named tactic, an explicit change, or one parameter at several values."""

OnLook: TypeAlias = Callable[[str, Measured], None]
"""Called after every block with what is being measured, in words, and what is known."""


def read_subject(text: str) -> Subject:
    """Read what is asked about.

    Parameters
    ----------
    text
        A tactic's name; a change such as `early_take=3,early_take_limit=4`; or one parameter at several values such as
        `early_take=0:8` or `early_take=0,2,4`.

    Raises
    ------
    InputError
        If it is none of these; the nearest name is given.
    """
    if "=" not in text:
        return tactic(text.strip())
    parts = text.split(",")
    if ":" in text or (len(parts) > 1 and all("=" not in part for part in parts[1:])):
        return read_habit(text)
    _, changes = split_label(f"change,{text}")
    return {name: read_number(name, value) for name, value in changes.items()}


@dataclass(frozen=True)
class TacticQuestion:
    """A tactic or a change, and the circumstances to judge it in.

    Attributes
    ----------
    name
        The question as the user wrote it.
    subject
        What is asked about.
    rules
        What is played; its number of players is replaced by each of `player_counts`.
    player_counts
        The table sizes to play at.
    base
        The player who is changed.
    fields
        The opponents' strategies, each its own answer; empty: the base itself.
    match
        Whether wins are those of matches.
    stopping
        When to stop; alpha holds for all tables together.
    seed
        The seed of all randomness.
    everywhere
        Whether to look at other table sizes, decks, rulings and opponents, too.
    """

    name: str
    subject: Subject
    rules: Rules
    player_counts: tuple[int, ...]
    base: Strategy
    fields: tuple[Strategy, ...] = ()
    match: bool = False
    stopping: Stopping = field(default_factory=Stopping)
    seed: int = 1
    everywhere: bool = False

    def __post_init__(self) -> None:
        """Check that the change is one."""
        if self.everywhere and isinstance(self.subject, Variation):
            raise InputError(f"'{self.name}' has several values: ask everywhere about one of them")
        if not any(player.values != self.base.values for player in self._players_asked_about()):
            raise InputError(f"'{self.name}' changes nothing: {self.base.label} plays like that already")
        repeated = next((one for place, one in enumerate(self.fields) if one in self.fields[:place]), None)
        if repeated:
            raise InputError(f"the opponents {repeated.label} are given twice")

    def _players_asked_about(self) -> list[Strategy]:
        if isinstance(self.subject, Variation):
            return self.values_tried
        if isinstance(self.subject, Tactic):
            return [self.subject.absent(self.base), self.subject.present(self.base, self.subject.dose_range[1])]
        return [self.base.with_changes(self.subject)]

    @property
    def tables(self) -> list[TableAsked]:
        """Every combination of player count and opponents."""
        fields = self.fields or (self.base,)
        return [TableAsked(self, players, field) for players in self.player_counts for field in fields]

    @property
    def unit(self) -> str:
        """What is won."""
        return "matches" if self.match else "games"

    @property
    def stopping_of_table(self) -> Stopping:
        """The stopping rule of one table: alpha is split evenly, so that all tables hold together."""
        return self.stopping.with_alpha(self.stopping.alpha / len(self.tables))

    def spec(self) -> dict[str, Any]:
        """Return the question in plain data."""
        return {
            "asked": self.name,
            "base": self.base.label,
            "opponents": [field.label for field in self.fields or (self.base,)],
            "players": list(self.player_counts),
            "wins_of": self.unit,
            "margin": self.stopping.margin,
            "alpha": self.stopping.alpha,
            "precision": self.stopping.precision if self.stopping.precision is not None else self.stopping.margin,
            "most_deals": self.stopping.most_deals,
            "everywhere": self.everywhere,
            "deck": str(self.rules.deck),
            "hand_size": self.rules.hand_size,
            "wild_max": self.rules.wild_max,
            "rulings": {name: getattr(self.rules, name) for name in RULINGS},
        }

    @property
    def experiment(self) -> Experiment:
        """Every comparison that is known before anything is played; its digest names the question."""
        if isinstance(self.subject, Tactic):
            base = self.subject.absent(self.base)
            players = [self.subject.present(self.base, dose) for dose in doses_of(self.subject, self.base)]
        else:
            base, players = self.base, self._players_asked_about()
        return Experiment(tuple(table.comparison(base, one) for table in self.tables for one in players), self.seed)

    @property
    def values_tried(self) -> list[Strategy]:
        """The base with each value of the parameter that is asked about."""
        if not isinstance(self.subject, Variation):
            return []
        return [self.base.with_changes({self.subject.name: value}) for value in self.subject.numbers]

    @cached_property
    def provenance(self) -> Provenance:
        """What the answer is computed from."""
        return Provenance(
            question="ask",
            spec=self.spec(),
            deck=deck_note(self.rules),
            rules=rules_note(self.rules),
            seed=self.seed,
            games=blocks_for(self.stopping.most_deals) * DEALS_PER_BLOCK,
            settings=len(self.experiment.settings),
            digest=self.experiment.digest,
        )


@dataclass(frozen=True)
class TableAsked:
    """One player count with one kind of opponents."""

    question: TacticQuestion
    players: int
    field: Strategy

    def comparison(self, base: Strategy, changed: Strategy) -> Comparison:
        """Return the comparison of two players at this table."""
        rules = replace(self.question.rules, players=self.players)
        return Comparison(rules, base, changed, (self.field,) * (self.players - 1), self.question.match)

    @property
    def words(self) -> str:
        """The table in words."""
        against = f" against {self.field.label}" if self.question.fields else ""
        return f"with {self.players} players{against}"


@dataclass(frozen=True)
class DoseTried:
    """What a dose seemed to be worth when the best one was chosen.

    Attributes
    ----------
    dose
        The value of the tactic's parameter.
    wins
        Its effect against the habit's absence, in wins per 100 games, on the deals used for choosing.
    deals
        On how many deals.
    """

    dose: float
    wins: Interval
    deals: int


@dataclass(frozen=True)
class TableAnswer:
    """The answer at one table.

    Attributes
    ----------
    table
        Where.
    worth
        For a named tactic the best dose against the habit's absence; for a change, the change against the base.
    tried
        The doses that were tried, on other deals; empty for a change.
    best
        The dose that was chosen; None for a change.
    further
        What else was measured from the base, by its name in words: its own dose replaced by the best, a step more, a
        step less. Other habits stay as they are.
    """

    table: TableAsked
    worth: Measured
    tried: tuple[DoseTried, ...] = ()
    best: float | None = None
    further: Mapping[str, Measured] = field(default_factory=dict)

    @cached_property
    def reasons(self) -> Reasons | None:
        """Where and why the games of `worth` differ, from its first REASON_DEALS deals; None for matches."""
        if self.worth.comparison.match:
            return None
        return find_reasons(self.worth.comparison, self.worth.seed, np.arange(REASON_DEALS, dtype=np.int64))


BEST_INSTEAD: Final = "the best dose instead of its own"
STEP_MORE: Final = "a step more"
STEP_LESS: Final = "a step less"


@dataclass(frozen=True)
class TacticAnswer:
    """The answer to a question about a tactic or a change.

    Attributes
    ----------
    question
        What was asked.
    tables
        One answer per table.
    elsewhere
        What the first table's `worth` comes to in other circumstances; empty if that was not asked.
    """

    question: TacticQuestion
    tables: tuple[TableAnswer, ...]
    elsewhere: tuple[Elsewhere, ...] = ()

    @property
    def provenance(self) -> Provenance:
        """What the answer is computed from."""
        return self.question.provenance

    @property
    def overall(self) -> Interval:
        """The effect averaged over tables; it holds together with every table's own."""
        return average([table.worth for table in self.tables], self.question.stopping.alpha)

    @property
    def answer(self) -> Answer:
        """The verdict over all tables together."""
        return judge(self.overall, self.question.stopping.margin * 100)

    def as_data(self) -> dict[str, Any]:
        """Return everything as plain data."""
        return {
            **self.provenance.as_data(),
            "answer": self.answer,
            "overall_wins_per_100": interval_data(self.overall),
            "tables": [_table_data(table) for table in self.tables],
            "elsewhere": [place.as_data() for place in self.elsewhere],
        }


def _table_data(answer: TableAnswer) -> dict[str, Any]:
    return {
        "players": answer.table.players,
        "opponents": answer.table.field.label,
        "best_dose": answer.best,
        "worth": answer.worth.as_data(),
        "further": {name: one.as_data() for name, one in answer.further.items()},
        "doses_tried": [
            {"dose": one.dose, "wins_per_100": interval_data(one.wins), "deals": one.deals} for one in answer.tried
        ],
        "reasons": reasons_data(answer.reasons, answer.worth) if answer.reasons else None,
    }


def ask(
    question: TacticQuestion,
    *,
    threads: int | None = None,
    on_look: OnLook | None = None,
    on_progress: Callable[[Progress], None] | None = None,
) -> TacticAnswer | CurveAnswer:
    """Answer a question about a tactic, a change, or one parameter at several values.

    Parameters
    ----------
    question
        What is asked.
    threads
        Threads to play on; None means one per processor. No number depends on it.
    on_look
        Called after every block.
    on_progress
        Called after every block of looking everywhere.

    Returns
    -------
    TacticAnswer, or CurveAnswer for several values
        The same question gives the same answer, number by number.

    Examples
    --------
    >>> from simulate import Rules
    >>> from strategies.catalogue import strategy
    >>> subject = read_subject("pass_hoard=0")
    >>> asked = TacticQuestion("pass_hoard=0", subject, Rules(players=2), (2,), strategy("standard"))
    >>> ask(asked).answer
    'bad'
    """
    subject = question.subject
    tell = on_look or (lambda words, measured: None)
    if isinstance(subject, Variation):
        return _ask_how_much(question, subject, threads, tell)
    if isinstance(subject, Tactic):
        answers = [_ask_tactic(table, subject, threads, tell) for table in question.tables]
    else:
        changed = question.base.with_changes(subject)
        answers = [_ask_change(table, changed, threads, tell) for table in question.tables]
    elsewhere: tuple[Elsewhere, ...] = ()
    if question.everywhere:
        worth, stopping = answers[0].worth, question.stopping
        elsewhere = look_elsewhere(worth.comparison, question.seed, stopping.margin, stopping.alpha, threads=threads)
    return TacticAnswer(question, tuple(answers), elsewhere)


def _ask_change(table: TableAsked, changed: Strategy, threads: int | None, tell: OnLook) -> TableAnswer:
    worth = _measure(table, table.question.name, table.question.base, changed, threads, tell)
    return TableAnswer(table, worth)


def _measure(
    table: TableAsked, words: str, base: Strategy, changed: Strategy, threads: int | None, tell: OnLook
) -> Measured:
    question = table.question
    return measure(
        table.comparison(base, changed),
        question.seed,
        question.stopping_of_table,
        threads=threads,
        on_look=lambda look: tell(f"{words} {table.words}", look),
    )


def _ask_tactic(table: TableAsked, asked: Tactic, threads: int | None, tell: OnLook) -> TableAnswer:
    base = table.question.base
    tried = race_doses(table, asked, threads=threads)
    best = max(tried, key=lambda one: (one.deals, one.wins.estimate)).dose
    absent, present = asked.absent(base), asked.present(base, best)
    worth = _measure(table, f"{asked.name} {best:g}", absent, present, threads, tell)
    players = _further(asked, base, best)
    # The best dose may be just a step away: the same player is measured once.
    once: dict[Strategy, Measured] = {}
    for words, changed in players.items():
        if changed not in once:
            once[changed] = _measure(table, words, base, changed, threads, tell)
    further = {words: once[changed] for words, changed in players.items()}
    return TableAnswer(table, worth, tuple(tried), best, further)


def _further(asked: Tactic, base: Strategy, best: float) -> dict[str, Strategy]:
    """Return the players to measure against the base, by what they do, as far as they are other players."""
    low, high = asked.dose_range
    own, step = base[asked.dose], step_of(asked)
    doses = {BEST_INSTEAD: best}
    if low <= own <= high:
        doses |= {STEP_MORE: own + step, STEP_LESS: own - step}
    players = {words: asked.present(base, dose) for words, dose in doses.items() if low <= dose <= high}
    return {words: player for words, player in players.items() if player.values != base.values}


def step_of(asked: Tactic) -> float:
    """Return what a step of a tactic's dose is."""
    low, high = asked.dose_range
    return (high - low) / DOSES


def doses_of(asked: Tactic, base: Strategy) -> list[float]:
    """Return the doses to try: evenly over the range, and the base's own; none at which the habit is absent."""
    low, high = asked.dose_range
    doses = {round(low + place * step_of(asked), 12) for place in range(DOSES + 1)}
    own = base[asked.dose]
    if low <= own <= high:
        doses.add(own)
    absent = asked.absent(base)
    return sorted(dose for dose in doses if asked.present(base, dose).values != absent.values)


def race_doses(table: TableAsked, asked: Tactic, *, threads: int | None = None) -> list[DoseTried]:
    """Choose the best dose on deals of its own: every round plays further blocks, then the worse half drops out.

    Returns
    -------
    list of DoseTried
        Every dose, in order; the best is the one with the greatest effect among those with the most deals.
    """
    question = table.question
    doses = doses_of(asked, question.base)
    absent = asked.absent(question.base)
    players = [asked.present(question.base, dose) for dose in doses]
    experiment = Experiment(tuple(table.comparison(absent, player) for player in players), question.seed)
    sums: dict[int, Counts] = {}
    racing, first = list(range(len(doses))), SEARCH_BLOCK
    for blocks in BLOCKS_OF_ROUNDS:
        jobs = [Job(dose, block) for dose in racing for block in range(first, first + blocks)]
        for job, counts in finished_blocks(experiment, jobs, check_threads(threads)):
            sums[job.setting] = add_counts(sums[job.setting], counts) if job.setting in sums else counts
        racing.sort(key=lambda dose: -watched_wins(sums[dose]).mean)
        racing = racing[: max(FEWEST_IN_RACE, -(-len(racing) // 2))]
        first += blocks
    alpha = question.stopping_of_table.alpha / len(doses)
    return [
        DoseTried(dose, watched_interval(watched_wins(sums[place]), alpha), int(sums[place]["deals"][0]))
        for place, dose in enumerate(doses)
    ]


PLANNED_POWER: Final = 0.8
"""A plan shows the effect in this share of runs."""


@dataclass(frozen=True)
class Plan:
    """How much must be played to show an effect at one table.

    Attributes
    ----------
    table
        Where.
    pilot
        One block of the comparison; only its spread counts.
    effect
        The effect to be shown, in wins per 100 games.
    deals
        Deals that show it in PLANNED_POWER of runs; infinite where the pilot has no spread to go by.
    seconds
        How long that takes on this machine, going by the pilot.
    """

    table: TableAsked
    pilot: Measured
    effect: float
    deals: float
    seconds: float

    def as_data(self) -> dict[str, Any]:
        """Return everything as plain data; deals are null where no number shows the effect."""
        known = math.isfinite(self.deals)
        return {
            "players": self.table.players,
            "opponents": self.table.field.label,
            "effect_in_wins_per_100": self.effect,
            "power": PLANNED_POWER,
            "deals": round(self.deals) if known else None,
            "games": round(self.deals) * self.table.players if known else None,
            "seconds": self.seconds if known else None,
            "pilot": self.pilot.as_data(),
        }


def plan(question: TacticQuestion, effect: float, *, threads: int | None = None) -> tuple[Plan, ...]:
    """Forecast how much must be played to show an effect, from a pilot of one block per table.

    Parameters
    ----------
    question
        What would be asked; for a named tactic the pilot plays its middle dose against none, or the base's own.
    effect
        The effect on the share of wins to be shown, whatever its sign.
    threads
        Threads that it will be played on; None means one per processor.

    Raises
    ------
    InputError
        If the effect is no share of wins, or the question has several values.
    """
    if not 0 < abs(effect) < 1:
        raise InputError(f"effect {effect:g} is not allowed: a share of wins, more than 0 and less than 1")
    subject = question.subject
    if isinstance(subject, Variation):
        raise InputError(f"'{question.name}' has several values: plan one of them")
    base = subject.absent(question.base) if isinstance(subject, Tactic) else question.base
    changed = _pilot_player(subject, question.base)
    plans = []
    for table in question.tables:
        stopping = replace(question.stopping_of_table, most_deals=DEALS_PER_BLOCK)
        started = time.perf_counter()
        pilot = measure(table.comparison(base, changed), question.seed, stopping, threads=1)
        pace = (time.perf_counter() - started) / pilot.deals / check_threads(threads)
        units = units_needed(watched_wins(pilot.counts), effect * PER_HUNDRED, stopping.alpha, PLANNED_POWER)
        deals = units * pilot.deals / pilot.units
        plans.append(Plan(table, pilot, effect * PER_HUNDRED, deals, deals * pace))
    return tuple(plans)


def _pilot_player(subject: Tactic | Mapping[str, float], base: Strategy) -> Strategy:
    if not isinstance(subject, Tactic):
        return base.with_changes(subject)
    doses = doses_of(subject, base)
    own = base[subject.dose]
    return subject.present(base, own if own in doses else doses[len(doses) // 2])


@dataclass(frozen=True)
class ValueAnswer:
    """The effect of one value of a parameter at one table."""

    table: TableAsked
    value: float
    measured: Measured | None
    """None where the value is the base's own: no effect, by definition."""

    @property
    def wins(self) -> Interval:
        """The effect on wins per 100 games."""
        if self.measured is None:
            return Interval(0.0, 0.0, 0.0)
        return self.measured.wins

    @property
    def answer(self) -> Answer:
        """The verdict on this value."""
        return judge(self.wins, self.table.question.stopping.margin * 100)


@dataclass(frozen=True)
class CurveAnswer:
    """Effect against value: all intervals hold together.

    Attributes
    ----------
    question
        What was asked; its subject is a variation.
    values
        One entry per table and value.
    """

    question: TacticQuestion
    values: tuple[ValueAnswer, ...]

    @property
    def provenance(self) -> Provenance:
        """What the answer is computed from."""
        return self.question.provenance

    def at(self, table: TableAsked) -> list[ValueAnswer]:
        """Return the values at one table, in the order asked."""
        return [one for one in self.values if (one.table.players, one.table.field) == (table.players, table.field)]

    def as_data(self) -> dict[str, Any]:
        """Return everything as plain data."""
        return {
            **self.provenance.as_data(),
            "values": [
                {
                    "players": one.table.players,
                    "opponents": one.table.field.label,
                    "value": one.value,
                    "answer": one.answer,
                    "wins_per_100": interval_data(one.wins),
                    "measured": one.measured.as_data() if one.measured else None,
                }
                for one in self.values
            ],
        }


def _ask_how_much(question: TacticQuestion, subject: Variation, threads: int | None, tell: OnLook) -> CurveAnswer:
    """Measure the effect of every value of a parameter against the base, with intervals that hold together."""
    changed = [player for player in question.values_tried if player.values != question.base.values]
    stopping = question.stopping.with_alpha(question.stopping.alpha / (len(question.tables) * len(changed)))
    answers = []
    for table in question.tables:
        for value, player in zip(subject.numbers, question.values_tried, strict=True):
            measured = None
            if player in changed:
                measured = measure(
                    table.comparison(question.base, player),
                    question.seed,
                    stopping,
                    threads=threads,
                    on_look=lambda look, value=value, table=table: tell(  # type: ignore[misc]
                        f"{subject.name}={value:g} {table.words}", look
                    ),
                )
            answers.append(ValueAnswer(table, value, measured))
    return CurveAnswer(question, tuple(answers))
