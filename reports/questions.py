"""The register of questions: for every kind, how it is read from a file, announced, answered, shown and written.

A question is a plan with so many games (`PlannedQuestion`), or one about a tactic (`TacticQuestion`), which ends when
the answer is clear. `reports.run` treats all of them alike. What a kind needs is imported when it is looked up: a
simulation does not wait for the sections of a balance report.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any, Final, Generic, Protocol, Self, TypeVar

from reports.output.parts import Stopped
from reports.output.provenance import Provenance
from reports.output.terminal import Screen
from reports.reading.spec_reader import SpecReader
from reports.reading.text_files import read_toml
from simulate.experiment import KERNEL_VERSION, MOST_GAMES, Experiment, check_seed
from simulate.runner import How, Progress
from strategies.errors import InputError, unknown_name

_NEEDED: Final = ("question", "seed", "games_per_setting", "spec")
_TOLD: Final = ("digest", "settings", "deck", "rules", "kernel_version", "toolkit_version", "looked_at")
"""What a description says beyond the question; the digest is checked."""


class Question(Protocol):
    """What may be asked: it can be saved, run from a file, resumed, and played on threads or on a cluster."""

    @property
    def question(self) -> str:
        """The name of its kind."""
        ...

    @property
    def experiment(self) -> Experiment:
        """What is played, as far as it is known beforehand."""
        ...

    @property
    def provenance(self) -> Provenance:
        """What its result is computed from."""
        ...

    @property
    def games(self) -> int:
        """Games per setting, or at most."""
        ...

    def with_games(self, games: int) -> Self:
        """Return the same question with another number of games."""
        ...


class Plan(Protocol):
    """What a planned number of games is played of."""

    @property
    def question(self) -> str:
        """The name of its kind."""
        ...

    @property
    def seed(self) -> int:
        """The seed of all randomness."""
        ...

    @property
    def experiment(self) -> Experiment:
        """What is played."""
        ...

    def provenance(self, games: int) -> Provenance:
        """Return what a result with at least so many games per setting is computed from."""
        ...


class Result(Protocol):
    """What a question comes to."""

    @property
    def provenance(self) -> Provenance:
        """What it was computed from."""
        ...

    def as_data(self) -> dict[str, Any]:
        """Return everything as plain data."""
        ...


P = TypeVar("P", bound=Plan)
P_co = TypeVar("P_co", bound=Plan, covariant=True)
Q = TypeVar("Q", bound=Question)
R = TypeVar("R", bound=Result)
R_contra = TypeVar("R_contra", bound=Result, contravariant=True)


@dataclass(frozen=True)
class PlannedQuestion(Generic[P_co]):
    """A plan, and how many games to play of each of its settings."""

    plan: P_co
    games: int

    @property
    def question(self) -> str:
        """The name of its kind."""
        return self.plan.question

    @property
    def experiment(self) -> Experiment:
        """What is played."""
        return self.plan.experiment

    @property
    def provenance(self) -> Provenance:
        """What its result is computed from."""
        return self.plan.provenance(self.games)

    def with_games(self, games: int) -> Self:
        """Return the same plan with another number of games."""
        return replace(self, games=games)


class Files(Protocol[R_contra]):
    """Returns the files of an output folder, by name."""

    def __call__(self, result: R_contra, /, *, parquet: bool = False) -> Mapping[str, bytes]:
        """Return the files; with `parquet` every table as Parquet, too."""
        ...


@dataclass(frozen=True)
class Kind(Generic[Q, R]):
    """One kind of question.

    Attributes
    ----------
    read
        Makes the question from its spec, its seed and its number of games.
    announce
        Says what is about to be played.
    answer
        Plays it and returns the result.
    show
        Prints the result.
    files
        Returns the files of an output folder, by name.
    table
        The one of them that is the table.
    ends_when_clear
        Whether it plays until the answer is clear: then its progress is how the answer stands.
    no_trial
        What it is, and what to do instead, where a short trial cannot tell how long it takes.
    """

    read: Callable[[Mapping[str, Any], int, int], Q]
    announce: Callable[[Screen, Q], None]
    answer: Callable[[Q, How], R]
    show: Callable[[Screen, R], None]
    files: Files[R]
    table: str
    ends_when_clear: bool = False
    no_trial: str = ""


def planned(
    read: Callable[[Mapping[str, Any], int], P],
    announce: Callable[[Screen, P, int], None],
    answer: Callable[[P, int, How], R],
    show: Callable[[Screen, R], None],
    files: Files[R],
    table: str,
) -> Kind[PlannedQuestion[P], R]:
    """Return the kind of question that plays a planned number of games; the functions take the plan and the games."""
    return Kind(
        lambda spec, seed, games: PlannedQuestion(read(spec, seed), games),
        lambda screen, question: announce(screen, question.plan, question.games),
        lambda question, how: answer(question.plan, question.games, how),
        show,
        files,
        table,
    )


# --- The kinds -----------------------------------------------------------------------------------------------------


def _simulate() -> Kind[Any, Any]:
    from reports.simulation.output import announce_simulation, show_simulation, simulation_files
    from reports.simulation.plan import SimulationPlan, simulate_table

    return planned(
        SimulationPlan.from_spec, announce_simulation, simulate_table, show_simulation, simulation_files, "numbers.csv"
    )


def _sweep() -> Kind[Any, Any]:
    from reports.sweep.output import announce_sweep, show_sweep, sweep_files
    from reports.sweep.plan import SweepPlan, sweep

    return planned(SweepPlan.from_spec, announce_sweep, sweep, show_sweep, sweep_files, "settings.csv")


def _paired(goal: Any) -> Kind[Any, Any]:
    from reports.sweep.paired import PairedPlan, answer_paired
    from reports.sweep.paired_output import announce_paired, paired_files, show_paired

    read = partial(PairedPlan.from_spec, goal=goal)
    return planned(read, announce_paired, answer_paired, show_paired, paired_files, "settings.csv")


def _balance() -> Kind[Any, Any]:
    from reports.balance.output import announce_balance, balance_files, show_balance
    from reports.balance.plan import BalancePlan
    from reports.balance.report import balance

    kind = planned(BalancePlan.from_spec, announce_balance, balance, show_balance, balance_files, "findings.csv")
    return replace(kind, no_trial="a balance report, whose sections differ: see what --quick takes")


def _ask(read: Callable[[Mapping[str, Any], int], Q]) -> Kind[Any, Any]:
    from reports.ask.asking import ask
    from reports.ask.output import announce_question, answer_files, look_line, show_answer

    def answer(question: Any, how: How) -> Any:
        """Tell how the answer stands as the progress; an early end tells it, too."""
        lines: list[str] = []

        def tell(line: str) -> None:
            lines.append(line)
            if how.on_progress:
                how.on_progress(Progress(0, 0, part=line))

        def everywhere(progress: Progress) -> None:
            if how.on_progress:
                how.on_progress(replace(progress, part=f"everywhere: {progress.games:,} of {progress.planned:,} deals"))

        try:
            return ask(
                question,
                replace(how, on_progress=everywhere),
                on_look=lambda words, look: tell(look_line(words, look)),
            )
        except (Stopped, KeyboardInterrupt):
            raise Stopped(*lines[-1:]) from None

    return Kind(
        lambda spec, seed, games: read(spec, seed),  # the most to play stands in the spec, too
        announce_question,
        answer,
        show_answer,
        answer_files,
        "answer.csv",
        ends_when_clear=True,
        no_trial="a question about a tactic (how long it takes: escalation ask --plan)",
    )


def _ask_player() -> Kind[Any, Any]:
    from reports.ask.player_question import PlayerQuestion

    return _ask(PlayerQuestion.from_spec)


def _ask_group() -> Kind[Any, Any]:
    from reports.quickly.group_question import GroupQuestion

    return _ask(GroupQuestion.from_spec)


def _group() -> Kind[Any, Any]:
    from reports.quickly.output import announce_group, group_files, show_group
    from reports.quickly.simulation import GroupPlan, simulate_group

    return planned(GroupPlan.from_spec, announce_group, simulate_group, show_group, group_files, "numbers.csv")


def _group_sweep() -> Kind[Any, Any]:
    from reports.quickly.output import announce_group_sweep, group_sweep_files, show_group_sweep
    from reports.quickly.sweep import GroupSweepPlan, sweep_groups

    return planned(
        GroupSweepPlan.from_spec,
        announce_group_sweep,
        sweep_groups,
        show_group_sweep,
        group_sweep_files,
        "settings.csv",
    )


def _group_balance() -> Kind[Any, Any]:
    from reports.quickly.balance import GroupBalancePlan, balance_groups
    from reports.quickly.output import announce_group_balance, group_balance_files, show_group_balance

    return planned(
        GroupBalancePlan.from_spec,
        announce_group_balance,
        balance_groups,
        show_group_balance,
        group_balance_files,
        "tables.csv",
    )


KINDS: Final[Mapping[str, Callable[[], Kind[Any, Any]]]] = {
    "sweep": _sweep,
    "simulate": _simulate,
    "balance": _balance,
    "quickly simulate": _group,
    "quickly sweep": _group_sweep,
    "quickly balance": _group_balance,
    "compare": partial(_paired, "compare"),
    "best": partial(_paired, "best"),
    "worst": partial(_paired, "worst"),
    "ask": _ask_player,
    "quickly ask": _ask_group,
}
"""Every kind of question, by its name in files."""


# --- Questions in files ----------------------------------------------------------------------------------------------


def read_question(path: Path) -> Question:
    """Read a question from a TOML file, such as the `experiment.toml` of an output folder.

    Raises
    ------
    InputError
        If the file cannot be read or something in it is wrong; the message names the place and the nearest valid name.
    """
    data = read_toml(path)
    try:
        return question_from(data)
    except InputError as mistake:
        raise InputError(f"'{path}': {mistake}") from None


def question_from(data: Mapping[str, Any]) -> Question:
    """Make a question from plain data, as `Provenance.as_data` writes it.

    Raises
    ------
    InputError
        If something is missing, unknown, ill-typed or not allowed, or if the digest belongs to something else.
    """
    top = SpecReader(data, "the file", [*_NEEDED, *_TOLD])
    kind = top.take("question", str)
    if kind not in KINDS:
        raise unknown_name("question", kind, KINDS)
    games = top.take("games_per_setting", int)
    if not 1 <= games <= MOST_GAMES:
        raise InputError(f"games_per_setting = {games} is not allowed: 1 to {MOST_GAMES}")
    spec, seed = top.take("spec", dict), check_seed(top.take("seed", int))
    question: Question = KINDS[kind]().read(spec, seed, games)
    version = top.take("kernel_version", int, KERNEL_VERSION)
    if version != KERNEL_VERSION:
        raise InputError(
            f"it was played with kernel version {version}, this is {KERNEL_VERSION}: the numbers will differ (remove "
            "kernel_version and digest to play it anyway)"
        )
    digest = question.provenance.digest
    if top.take("digest", str, digest) != digest:
        raise InputError(f"its digest belongs to another experiment than it describes: remove it, or write {digest}")
    _check_told(data, question.provenance.as_data())
    return question


def _check_told(data: Mapping[str, Any], described: Mapping[str, Any]) -> None:
    """Make sure that what is said beside the spec is not meant otherwise: words alone change nothing.

    Another version of the toolkit may have said the same in other words.
    """
    if data.get("toolkit_version", described["toolkit_version"]) != described["toolkit_version"]:
        return
    for name in ("deck", "rules", "settings"):
        if name in data and data[name] != described.get(name):
            raise InputError(
                f"{name} = {data[name]!r} stands at the top, but [spec] says {described.get(name)!r}: which one is "
                f"meant? Only [spec] decides: change it there, and remove {name} at the top"
            )
