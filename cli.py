"""The command line: each command parses, calls one public function and prints; nothing heavy is imported before."""

from __future__ import annotations

import codecs
import difflib
import json
import os
import signal
import sys
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from decimal import Decimal
from functools import wraps
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, Literal, NoReturn, TypeVar

import click


def check_packages() -> None:
    """Make sure that the toolkit's packages, which have everyday names, are its own; leave the process if not."""
    for package in ("strategies", "simulate", "reports"):
        found = find_spec(package)
        own = str(Path(__file__).resolve().parent / package)
        if found is None or own not in map(os.path.realpath, found.submodule_search_locations or ()):
            hider = found.origin if found else "nothing to be found"
            sys.exit(
                f"Error: the toolkit's package '{package}' is hidden by {hider}: rename or remove that, or give "
                "the toolkit an environment of its own"
            )


check_packages()

from strategies.errors import InputError, visible  # noqa: E402 - only now it is sure whose it is

if TYPE_CHECKING:
    from rich.text import Text

    from reports.ask.player_question import PlayerQuestion
    from reports.ask.verdict import Stopping
    from reports.balance.plan import BalancePlan
    from reports.questions import Plan, Question
    from reports.reading.values import Variation
    from reports.run import Machine, Output
    from reports.sweep.designs import Design
    from reports.sweep.plan import SweepPlan, Who
    from simulate.escalation.engine import Seating
    from simulate.escalation.rules import Rules
    from simulate.quickly.rules import GroupRules
    from strategies.quickly import Person
    from strategies.strategy import Strategy

Command = TypeVar("Command", bound=Callable[..., Any])
Player = TypeVar("Player")

DEFAULT_GAMES: Final = "100k"
DEFAULT_SEED: Final = 1

LONGEST_MISTAKE: Final = 1000
FAILED: Final = 1
MISTAKE: Final = 2
INTERRUPTED: Final = 130

PLAIN: Final = {"±": "+-", "─": "-", "━": "-", "·": "-", "…": "..."}
"""What is printed instead where a terminal or a file cannot hold the character; "?" for any other."""


class Example(click.Command):
    """A command whose help ends with an example that works as printed."""

    def __init__(self, *arguments: Any, example: str, **settings: Any) -> None:
        super().__init__(*arguments, **settings)
        self.example = example

    def format_epilog(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the example below the options, in one line."""
        formatter.write(f"\nExample:\n  {self.example}\n")


class Commands(click.Group):
    """The group of all commands: mistakes are told in one line, with the nearest name that exists, and exit with 2."""

    command_class = Example

    def main(  # type: ignore[override]
        self, args: Sequence[str] | None = None, prog_name: str | None = None, **extra: Any
    ) -> NoReturn:
        """Run the command line and leave the process."""
        extra.pop("standalone_mode", None)
        print_what_can_be_printed()
        arguments = list(sys.argv[1:] if args is None else args) or ["--help"]
        try:
            check_surroundings()
            status = super().main(arguments, prog_name or "escalation", standalone_mode=False, **extra)
        except (InputError, click.ClickException) as mistake:
            text = mistake.format_message() if isinstance(mistake, click.ClickException) else str(mistake)
            told = visible(" ".join(text.split()))
            if len(told) > LONGEST_MISTAKE:  # what was typed may be long; how it begins and what is allowed is enough
                told = f"{told[: LONGEST_MISTAKE // 2]} [...] {told[-LONGEST_MISTAKE // 2 :]}"
            click.echo(f"Error: {told}", err=True)
            sys.exit(MISTAKE)
        except click.Abort as abort:
            if isinstance(abort.__cause__, EOFError):  # which click takes for Ctrl-C
                click.echo(f"Error: a file ends too soon: {abort.__cause__}", err=True)
                sys.exit(FAILED)
            signal.signal(signal.SIGINT, signal.SIG_IGN)  # so that impatience leaves no trace either
            click.echo("Stopped before the end.", err=True)
            sys.exit(INTERRUPTED)
        except (ImportError, MemoryError) as error:
            short = "there is not enough memory: try fewer --threads or fewer settings"
            told = short if isinstance(error, MemoryError) else f"a library cannot be loaded: {error}"
            click.echo(f"Error: {visible(' '.join(told.split()))}", err=True)
            sys.exit(FAILED)
        except OSError as error:
            # Without a number it is no answer of the system: a library that cannot be loaded, for instance.
            told = f"the results cannot be written: {error.strerror.lower()}" if error.strerror else str(error)
            click.echo(f"Error: {visible(told)}", err=True)
            with suppress(OSError), open(os.devnull, "w") as nowhere:  # for what is left of them at the end
                os.dup2(nowhere.fileno(), sys.stdout.fileno())
            sys.exit(FAILED)
        sys.exit(status if isinstance(status, int) else 0)

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Find the command, or name the nearest one."""
        name = args[0]
        if ctx.resilient_parsing:  # while a shell completes the line there is nobody to tell
            return name, self.get_command(ctx, name), args[1:]
        if self.get_command(ctx, name) is None and not name.startswith("-"):
            names = self.list_commands(ctx)
            nearest = difflib.get_close_matches(name, names, n=1, cutoff=0.5)
            hint = f"did you mean '{nearest[0]}'? " if nearest else ""
            raise InputError(f"unknown command '{name}': {hint}allowed: {', '.join(names)}")
        return super().resolve_command(ctx, args)


def check_surroundings() -> None:
    """Make sure that nothing around the toolkit stops a library it rests on.

    Raises
    ------
    InputError
        Naming what does.
    """
    if sys.flags.optimize > 1:
        raise InputError(
            "Python leaves out docstrings (PYTHONOPTIMIZE=2 or -OO), and the help is made of them: do without"
        )
    for name, least in (("NUMBA_NUM_THREADS", 1), ("SOURCE_DATE_EPOCH", 0)):
        text = os.environ.get(name, "")
        if text and not (text.isascii() and text.isdecimal() and int(text) >= least):
            raise InputError(
                f"the environment variable {name} is {text!r}: a whole number from {least} up, or unset it"
            )


def print_what_can_be_printed() -> None:
    """Replace characters that the output's encoding lacks, rather than fail at the end of a long run."""

    def plain(error: UnicodeError) -> tuple[str, int]:
        if not isinstance(error, UnicodeEncodeError):
            raise error
        return "".join(PLAIN.get(letter, "?") for letter in error.object[error.start : error.end]), error.end

    codecs.register_error("plain", plain)
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="plain")


# --- Reading what the user wrote -----------------------------------------------------------------------------------


class WholeNumber(click.ParamType):  # type: ignore[type-arg]  # generic only in newer versions of click
    """A whole number within bounds."""

    name = "number"

    def __init__(self, low: int, high: int) -> None:
        self.low, self.high = low, high

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> int:
        """Read the number."""
        option = param.opts[0] if param else "number"
        try:
            number = int(str(value))
        except ValueError:
            raise InputError(f"{option} '{value}' is not a whole number: {self.low} to {self.high}") from None
        if not self.low <= number <= self.high:
            raise InputError(f"{option} {value} is not allowed: {self.low} to {self.high}")
        return number


class Size(click.ParamType):  # type: ignore[type-arg]
    """A number of games: 5040, 200k, 2M or 1e6."""

    name = "size"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> int:
        """Read the size."""
        from simulate.experiment import MOST_GAMES

        text = str(value).strip()
        option = param.opts[0] if param else "size"
        factor = {"k": 1_000, "K": 1_000, "M": 1_000_000}.get(text[-1:], 1)
        wanted = "a whole number from 1 to 1e12, such as 5040, 200k, 2M or 1e6"
        try:
            size = Decimal(text if factor == 1 else text[:-1]) * factor
        except ArithmeticError:
            raise InputError(f"{option} '{text}' is not a number of games: {wanted}") from None
        if not size.is_finite() or not 1 <= size <= MOST_GAMES or size != int(size):
            raise InputError(f"{option} {text} is not allowed: {wanted}")
        return int(size)


class Place(click.ParamType):  # type: ignore[type-arg]
    """The name of a file or folder to write."""

    name = "path"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Path:
        """Read the name; standard output is not meant by any."""
        if str(value).strip() in {"", "-"}:
            option = param.opts[0] if param else "path"
            raise InputError(f"{option} '{value}' is not a name to write to: give a path (for standard output: --json)")
        return Path(value)


def read_rulings(texts: Sequence[str]) -> dict[str, bool]:
    """Read `--rule NAME=true` options; the rules themselves know which names exist."""
    rulings: dict[str, bool] = {}
    for text in texts:
        name, equals, value = (part.strip() for part in text.partition("="))
        if not equals or value.lower() not in {"true", "false"}:
            raise InputError(f"--rule {text} is malformed: write NAME=true or NAME=false (see: escalation rules)")
        if name in rulings:
            raise InputError(f"--rule {name} is given twice")
        rulings[name] = value.lower() == "true"
    return rulings


def read_seats(texts: Sequence[str], players: int, read: Callable[[str], Player]) -> tuple[Player, ...]:
    """Make one strategy per player from `--seat` options; the last one fills the remaining seats."""
    if len(texts) > players:
        raise InputError(f"--seat is given {len(texts)} times for {players} players: at most once per player")
    given = [read(text) for text in texts]
    return tuple(given + [given[-1]] * (players - len(given)))


def read_strategies(texts: Sequence[str], players: int) -> tuple[Strategy, ...]:
    """Make one strategy of Escalation! per player."""
    from strategies.catalogue import strategy

    return read_seats(texts, players, strategy)


# --- Options that commands share -----------------------------------------------------------------------------------


def gathered(name: str, kind: type[Any] | str, *options: Callable[[Command], Command]) -> Callable[[Command], Command]:
    """Add options to a command, which gets their values as one object.

    Parameters
    ----------
    name
        The command's argument that takes the object.
    kind
        A dataclass with one field per option, or where it is to be found when it is needed, as "module:name".
    options
        The options, in the order of --help.
    """

    def add(command: Command) -> Command:
        names: list[str] = []

        @wraps(command)
        def with_object(**values: Any) -> Any:
            made = _found(kind)(**{option: values.pop(option) for option in names})
            return command(**values, **{name: made})

        before = len(getattr(command, "__click_params__", ()))
        for option in reversed(options):
            with_object = option(with_object)
        names += [parameter.name for parameter in with_object.__click_params__[before:]]  # type: ignore[attr-defined]
        return with_object  # type: ignore[return-value]

    return add


def _found(kind: type[Any] | str) -> type[Any]:
    if not isinstance(kind, str):
        return kind
    module, _, name = kind.partition(":")
    found: type[Any] = getattr(import_module(module), name)
    return found


@dataclass(frozen=True)
class RulesOptions:
    """What is played."""

    deck: str
    hand_size: int
    wild_max: int
    rule: tuple[str, ...]

    def rules(self, players: int) -> Rules:
        """Make the rules for so many players."""
        from simulate.escalation.rules import Deck, Rules

        deck = Deck.parse(self.deck)
        return Rules(deck, players, self.hand_size, self.wild_max).with_rulings(read_rulings(self.rule))


rules_options = gathered(
    "table_rules",
    RulesOptions,
    click.option("--deck", default="jokers3", show_default=True, help="A preset's name, or as 1-12x4,13x3,Wx3,Px2."),
    click.option("--hand-size", type=WholeNumber(1, 10), default=6, show_default=True, help="Cards in hand, 1-10."),
    click.option(
        "--wild-max", type=WholeNumber(1, 7), default=7, show_default=True, help="Greatest value of a wild, 1-7."
    ),
    click.option("--rule", multiple=True, metavar="NAME=true|false", help="Change a ruling (see: escalation rules)."),
)


threads_option = click.option(
    "--threads",
    type=WholeNumber(1, 1024),
    show_default="all processors",
    help="Threads; the numbers stay the same.",
)
dask_option = click.option(
    "--dask",
    metavar="tcp://HOST:PORT|local:N",
    help="Play on a Dask cluster, or on N worker processes started here; the numbers stay the same.",
)
seed_option = click.option(
    "--seed",
    type=WholeNumber(0, (1 << 63) - 1),
    default=DEFAULT_SEED,
    show_default=True,
    help="The seed of all randomness: the same seed gives the same numbers.",
)
games_option = click.option(
    "--games",
    type=Size(),
    default=DEFAULT_GAMES,
    show_default=True,
    help="Games per setting, such as 200k, 2M or 1e6; rounded up to whole blocks of 5,040.",
)


@dataclass(frozen=True)
class RunOptions:
    """How much is played."""

    games: int
    seed: int


run_options = gathered("run", RunOptions, games_option, seed_option)
machine_options = gathered("machine", "reports.run:Machine", threads_option, dask_option)


@dataclass(frozen=True)
class DesignOptions:
    """Which points a sweep plays, and what it measures."""

    design: str
    points: int | None
    points_file: Path | None
    metric: tuple[str, ...]
    find: Literal["best", "worst"] | None
    compare: bool
    rate: float | None

    def asked_of(self, plan: SweepPlan) -> Plan:
        """Return what is asked of the points: the sweep itself, or a comparison of its settings."""
        from reports.sweep.paired import DEFAULT_RATE, PairedPlan

        if self.compare and self.find:
            raise InputError("--compare and --find exclude each other: the one plays all settings alike, the other not")
        goal = "compare" if self.compare else self.find
        if goal is not None:
            return PairedPlan(plan, goal, DEFAULT_RATE if self.rate is None else self.rate)
        if self.rate is not None:
            raise InputError("--rate goes with --compare or --find")
        return plan

    def read(self, texts: Sequence[str]) -> tuple[tuple[Variation, ...], Design]:
        """Make out what varies, and which points are played."""
        from reports.reading.text_files import MOST_POINTS_BYTES, read_text
        from reports.sweep.designs import DEFAULT_POINTS, DRAWN, Design, read_points
        from reports.sweep.variation import read_variation

        if self.points_file:
            if texts or self.points is not None or self.design != "grid":
                raise InputError("--points-file says what varies: give no NAME=VALUES, --design or --points beside it")
            return read_points(read_text(self.points_file, MOST_POINTS_BYTES), str(self.points_file))
        kind: Any = self.design
        default = DEFAULT_POINTS if kind in DRAWN else 0
        return tuple(read_variation(text) for text in texts), Design(kind, self.points or default)


design_options = gathered(
    "design",
    DesignOptions,
    click.option(
        "--design",
        type=click.Choice(["grid", "one-at-a-time", "latin-hypercube", "sobol", "saltelli"]),
        default="grid",
        show_default=True,
        help="Every combination; one change at a time; points drawn evenly; or what sensitivity needs (saltelli).",
    ),
    click.option(
        "--points", type=WholeNumber(1, 100_000), show_default="256", help="How many points to draw, per table size."
    ),
    click.option(
        "--points-file",
        type=click.Path(path_type=Path),
        metavar="CSV",
        help="Play the points of a CSV file: a header of names, then one point per row.",
    ),
    click.option(
        "--metric",
        multiple=True,
        metavar="NAME",
        help="What tables and plots show first: wins, score, match-wins, game-turns, takes, ... Repeat for more.",
    ),
    click.option(
        "--find",
        type=click.Choice(["best", "worst"]),
        help="Find the best or worst setting with few games, dropping hopeless ones early.",
    ),
    click.option(
        "--compare", is_flag=True, help="Compare each setting with the base on the same deals; mark those that differ."
    ),
    click.option(
        "--rate",
        type=float,
        show_default="0.05",
        help="With --compare: the share of marked settings that may be wrong. With --find: the chance of any error.",
    ),
)

dry_run_option = click.option(
    "--dry-run", is_flag=True, help="Say what would be played and how long it would take; play nothing."
)
deal_option = click.option(
    "--deal", type=WholeNumber(0, (1 << 62) - 1), default=0, show_default=True, help="The number of the deal."
)
json_option = click.option("--json", "as_json", is_flag=True, help="Print one JSON object and nothing else.")
quiet_option = click.option("--quiet", is_flag=True, help="Print results only: no plan, no progress.")
out_option = click.option("--out", type=Place(), metavar="FOLDER", help="Write everything into this folder.")
csv_option = click.option("--csv", "csv_file", type=Place(), metavar="FILE", help="Write the table as CSV.")
force_new_option = click.option(
    "--force-new", is_flag=True, help="With --out: move an earlier experiment in the folder aside first."
)
trust_blocks_option = click.option(
    "--trust-blocks", is_flag=True, help="With --out: use finished blocks there although other sources played them."
)
save_spec_option = click.option(
    "--save-spec",
    type=Place(),
    metavar="FILE",
    help="Write the question as TOML, to be asked again with: escalation run FILE.",
)
output_options = gathered(
    "output",
    "reports.run:Output",
    out_option,
    force_new_option,
    trust_blocks_option,
    csv_option,
    click.option("--parquet", is_flag=True, help="With --out: write every table as Parquet, too (extra: parquet)."),
    save_spec_option,
    json_option,
    quiet_option,
)


def players_option(most: int) -> Callable[[Command], Command]:
    """Return the option for one table size."""
    return click.option(
        "--players", type=WholeNumber(2, most), default=4, show_default=True, help=f"Players at the table, 2-{most}."
    )


def table_sizes_option(default: str, example: str) -> Callable[[Command], Command]:
    """Return the option for one table size or several; whoever reads it knows how many there may be."""
    return click.option(
        "--players", default=default, show_default=True, metavar="N|N-M", help=f"Players: 4, or each of {example}."
    )


def seats_option(
    default: str = "standard",
    meaning: str = "Who sits there: name or name,parameter=value,... Repeat for further seats; the last one fills the "
    "rest.",
) -> Callable[[Command], Command]:
    """Return the option for strategies at the table, one per seat."""
    return click.option(
        "--seat", multiple=True, default=(default,), show_default=True, metavar="STRATEGY", help=meaning
    )


seating_option = click.option(
    "--seating",
    type=click.Choice(["every", "rotate", "given"]),
    default="every",
    show_default=True,
    help="Every order of the seats equally often; one order, the starter rotating; or the first seat always starts.",
)
match_option = click.option(
    "--match", is_flag=True, help="Players mind the standing of a match (as many games as players)."
)


# --- Commands ------------------------------------------------------------------------------------------------------


def _show_version(ctx: click.Context, parameter: click.Parameter, wanted: bool) -> None:
    if not wanted or ctx.resilient_parsing:
        return
    from reports.output.provenance import versions_line

    click.echo(versions_line())
    ctx.exit()


@click.group(cls=Commands, context_settings={"help_option_names": ["-h", "--help"]})
@click.option(
    "--version", is_flag=True, is_eager=True, expose_value=False, callback=_show_version, help="Show the versions."
)
def main() -> None:
    """Play the card game Escalation! by the million and see what decides it."""


def print_json(data: object) -> None:
    """Print one JSON object."""
    click.echo(json.dumps(data, indent=2, allow_nan=False))


def print_lines(lines: Iterable[str | Text]) -> None:
    """Print lines as they are laid out; their styles show on a terminal only."""
    from rich.console import Console

    console = Console(highlight=False, markup=False, emoji=False)
    console.soft_wrap = not console.is_terminal
    for line in lines:
        console.print(line)


def add_listing(group: click.Group, name: str, what: str) -> None:
    """Add a command that lists what exists."""
    command = " ".join(filter(None, ("" if group is main else group.name, name)))

    @group.command(name, example=f"escalation {command}", help=what)
    @json_option
    def show_listing(as_json: bool) -> None:
        from reports.catalogue import LISTINGS

        listing = LISTINGS[command]
        print_json(listing.data()) if as_json else print_lines(listing.lines())


@main.command("exact", example="escalation exact --deck 1-4x1 --hand-size 2 --players 2 --seat minimal")
@rules_options
@players_option(9)
@seats_option()
@click.option(
    "--engine",
    type=click.Choice(["both", "kernel", "reference"]),
    default="both",
    show_default=True,
    help="Who plays: the reference takes minutes where the kernel takes seconds.",
)
@json_option
@quiet_option
def show_exact(
    players: int, seat: tuple[str, ...], engine: str, as_json: bool, quiet: bool, table_rules: RulesOptions
) -> None:
    """Enumerate every ordering of a tiny deck.

    Expected scores, turns and wins as exact fractions.

    Reference and kernel play them all and are compared. Decks with more than 2 million orderings are refused.
    """
    from reports.exact import ENGINES, exact, exact_data, exact_lines, warning
    from reports.output.terminal import Screen
    from simulate import Experiment, Table
    from simulate.escalation.exact import check_exact

    rules, seats = table_rules.rules(players), read_strategies(seat, players)
    engines = tuple(ENGINES) if engine == "both" else (engine,)
    check_exact(rules, seats)
    screen = Screen(quiet=quiet, as_json=as_json)
    if waiting := warning(rules, engines):
        screen.note(waiting)
    with screen.watch(Experiment((Table(rules, seats, "given"),), seed=0)) as on_progress:
        report = exact(rules, seats, engines, on_progress)
    print_json(exact_data(report)) if as_json else print_lines(exact_lines(report))
    if not report.agree:
        sys.exit(1)


@main.command("trace", example="escalation trace --seed 1 --deal 123 --players 3 --seat standard --seat novice")
@seed_option
@deal_option
@players_option(9)
@seats_option()
@seating_option
@match_option
@rules_options
@click.option("--brief", is_flag=True, help="One line per turn.")
@click.option(
    "--compare",
    multiple=True,
    metavar="STRATEGY",
    help="Seats of a second table, as --seat: both games side by side from their first difference.",
)
@json_option
def show_trace(
    seed: int,
    deal: int,
    players: int,
    seat: tuple[str, ...],
    seating: Seating,
    match: bool,
    brief: bool,
    compare: tuple[str, ...],
    as_json: bool,
    table_rules: RulesOptions,
) -> None:
    """Tell one deal turn by turn.

    Every legal option, what it costs, and why the choice was made.
    It is the same game as that deal of any run with the same seed, seats, seating and rules. Costs are in cards; a
    player takes the option of least cost. With --match the earlier games of the match are played first.
    """
    from reports.output.terminal import Screen
    from reports.trace import comparison_data, comparison_story, story, trace_data
    from simulate import Experiment, Table
    from simulate.escalation.trace import trace

    table = Table(table_rules.rules(players), read_strategies(seat, players), seating, match)
    Screen(as_json=as_json).get_ready(Experiment((table,), seed))
    told = [trace(table, seed, deal)]
    if compare:
        told.append(trace(Table(table.rules, read_strategies(compare, players), seating, match), seed, deal))
        print_json(comparison_data(*told)) if as_json else print_lines(comparison_story(*told))
    else:
        print_json(trace_data(told[0])) if as_json else print_lines(story(told[0], brief=brief))
    if not all(game.engines_agree for game in told):
        sys.exit(1)


add_listing(main, "strategies", "List the named strategies and every parameter of a player.")
add_listing(main, "tactics", "List the named tactics: what they govern, and their doses.")
add_listing(main, "rules", "List the decks and the rulings, and say what is assumed.")


@main.command("simulate", example="escalation simulate --players 4 --seat standard --seat hoarder --games 1e6")
@players_option(9)
@seats_option()
@seating_option
@match_option
@rules_options
@run_options
@machine_options
@click.option(
    "--until-better",
    type=float,
    metavar="PERCENT",
    help="How many games and matches until the better of two strategies is ahead, this surely: 95.",
)
@output_options
def simulate_command(
    players: int,
    seat: tuple[str, ...],
    seating: Seating,
    match: bool,
    table_rules: RulesOptions,
    run: RunOptions,
    machine: Machine,
    until_better: float | None,
    output: Output,
) -> None:
    """Play at one table: wins, scores and behaviour.

    Who wins how often, with how many penalty cards at the end, and what did they do on the way?
    Seats with the same strategy are counted together. Every number comes with its 95% interval.
    """
    rules, seats = table_rules.rules(players), read_strategies(seat, players)

    from reports.simulation.plan import SimulationPlan

    sureness = None if until_better is None else until_better / 100
    plan = SimulationPlan(rules, seats, seating, match, run.seed, sureness)
    play_planned(plan, run.games, machine, output)


@dataclass(frozen=True)
class SweepTableOptions:
    """At which tables settings are played, and who varies."""

    players: str
    seat: tuple[str, ...]
    who: Who
    match: bool

    def sizes(self, varied: Sequence[Variation], design: Design) -> tuple[int, ...]:
        """Return the table sizes: those that a file of points lists, else what varies, else those of --players."""
        from reports.reading.values import read_player_counts

        given = [variation for variation in varied if variation.name == "players"]
        if given and self.players != "4":
            raise InputError("players is given twice: as players=... and as --players")
        counts = tuple(map(int, given[0].numbers)) if len(given) == 1 else read_player_counts(self.players)
        return tuple(dict.fromkeys(design.players)) or counts

    @property
    def seats(self) -> tuple[Strategy, ...]:
        """The player who is varied, then the opponents."""
        from strategies.catalogue import strategy

        return tuple(map(strategy, self.seat))


sweep_table_options = gathered(
    "tables",
    SweepTableOptions,
    table_sizes_option("4", "2-6"),
    seats_option(meaning="First the player who is varied, then the opponents; the last one fills the remaining seats."),
    click.option(
        "--who",
        type=click.Choice(["focal", "all"]),
        default="focal",
        show_default=True,
        help="Vary the first seat against the others, or everybody at once.",
    ),
    match_option,
)


@main.command(
    "sweep", example="escalation sweep early_take=0:6:1 pass_hoard=0:8:2 --players 2-4 --games 100k --out out/first"
)
@click.argument("variations", nargs=-1, metavar="NAME=VALUES...")
@sweep_table_options
@design_options
@dry_run_option
@rules_options
@run_options
@machine_options
@output_options
def sweep_command(
    variations: tuple[str, ...],
    tables: SweepTableOptions,
    dry_run: bool,
    design: DesignOptions,
    table_rules: RulesOptions,
    run: RunOptions,
    machine: Machine,
    output: Output,
) -> None:
    """Vary players, rules or the deck on common deals.

    NAME is a parameter of the first seat, opponents.PARAMETER, all.PARAMETER, players, hand_size, wild_max, deck,
    deck.wilds, deck.passes or rule.RULING. VALUES is START:STOP:STEP (STOP included, STEP 1 if left out), A,B,C or one
    value. Every combination is played on the same deals, every order of the seats equally often, unless --design says
    otherwise. With --out you get CSV files and plots, and the same command takes up a run that was stopped.
    """
    from reports.sweep.plan import SweepPlan

    if design.points_file:
        output.spare(design.points_file)
    varied, points = design.read(variations)
    counts = tables.sizes(varied, points)
    # Given once, the number of players is that of the tables; given twice, the plan refuses it.
    sizes = [variation for variation in varied if variation.name == "players"]
    varied = tuple(variation for variation in varied if variation not in sizes[:1] or len(sizes) > 1)
    rules = table_rules.rules(counts[-1])
    plan = SweepPlan(varied, counts, rules, tables.seats, tables.who, tables.match, run.seed, points, design.metric)
    play_planned(design.asked_of(plan), run.games, machine, output, dry_run=dry_run)


@main.command("run", example="escalation run seeds/early-pile-taking.toml --games 10k")
@click.argument("file", type=click.Path(path_type=Path), metavar="FILE")
@click.option("--games", type=Size(), show_default="as the file says", help="Games per setting, or deals at most.")
@dry_run_option
@machine_options
@output_options
def run_file(file: Path, games: int | None, dry_run: bool, machine: Machine, output: Output) -> None:
    """Ask a question that is written in a file.

    FILE is TOML: what --save-spec wrote, the experiment.toml of an output folder, or one of the experiments in seeds/.
    """
    from reports.questions import read_question

    output.spare(file)
    question = read_question(file)
    play(question if games is None else question.with_games(games), machine, output, dry_run=dry_run)


def play_planned(plan: Plan, games: int, machine: Machine, output: Output, *, dry_run: bool = False) -> NoReturn:
    """Play so many games of each of a plan's settings, or only say how long it would take, and leave the process."""
    from reports.questions import PlannedQuestion

    question: PlannedQuestion[Plan] = PlannedQuestion(plan, games)
    play(question, machine, output, dry_run=dry_run)


def play(question: Question, machine: Machine, output: Output, *, dry_run: bool = False) -> NoReturn:
    """Answer a question, or only say how long it would take, and leave the process."""
    from reports.run import answer, estimate

    sys.exit(estimate(question, machine, output) if dry_run else answer(question, machine, output))


@dataclass(frozen=True)
class BalanceOptions:
    """What a balance report looks at, and how hard."""

    players: str
    quick: bool
    section: tuple[str, ...]
    target: Any
    threshold: tuple[str, ...]
    seat: str
    versus: str
    seed: int

    def plan(self, table_rules: RulesOptions) -> BalancePlan:
        """Make the plan of the report."""
        from reports.balance.plan import FULL, QUICK, BalancePlan, closer_look, population_with
        from reports.balance.report import read_thresholds
        from reports.reading.values import read_player_counts
        from strategies.catalogue import strategy

        counts, standard = read_player_counts(self.players), strategy(self.seat)
        return BalancePlan(
            table_rules.rules(closer_look(counts)),
            counts,
            self.seed,
            QUICK if self.quick else FULL,
            self.target,
            standard,
            population=population_with(standard),
            thresholds=read_thresholds(self.threshold),
            sections=tuple(dict.fromkeys(self.section)),
            versus=self.versus,
        )


balance_options = gathered(
    "balance",
    BalanceOptions,
    table_sizes_option("2-6", "2-6"),
    click.option("--quick", is_flag=True, help="A first look: a tenth of the games."),
    click.option(
        "--section", multiple=True, metavar="NAME", help="Only this section, such as positions. Repeat for more."
    ),
    click.option(
        "--target",
        type=click.Choice(["positions", "length", "choices", "diversity"]),
        default="positions",
        show_default=True,
        help="What the last section, on what to change, tries to mend.",
    ),
    click.option(
        "--threshold",
        multiple=True,
        metavar="NAME=VALUE",
        help="Change what decides a light, such as position-advantage=3. Repeat for more.",
    ),
    click.option(
        "--seat",
        default="standard",
        show_default=True,
        metavar="STRATEGY",
        help="Who plays where one player is meant: name or name,parameter=value,...",
    ),
    click.option(
        "--versus",
        default="",
        metavar="DECK|RULING",
        help="Put another deck, or a ruling turned over, beside this game.",
    ),
    seed_option,
)


@main.command("balance", example="escalation balance --quick --players 3-4 --out out/balance")
@balance_options
@rules_options
@machine_options
@output_options
def balance_command(
    balance: BalanceOptions,
    table_rules: RulesOptions,
    machine: Machine,
    output: Output,
) -> None:
    """Report whether the game is fair and lively.

    The game is played as published and looked at from every side: positions, player counts, strategies, luck, cards,
    tension, choices, the printed advice, rulings. Each section opens with its finding and a traffic light against a
    threshold of yours. With --out you get a page, its tables and its figures, and the same command takes up a run that
    was stopped.
    """
    plan = balance.plan(table_rules)
    play_planned(plan, plan.games, machine, output)


@dataclass(frozen=True)
class JudgingOptions:
    """When a change counts as good or bad, and how long to look."""

    metric: str
    margin: float
    alpha: float
    precision: float | None
    max_games: int
    seed: int

    @property
    def stopping(self) -> Stopping:
        """When to stop."""
        from reports.ask.verdict import Stopping

        return Stopping(self.margin, self.alpha, self.precision, self.max_games)


judging_options = gathered(
    "judging",
    JudgingOptions,
    click.option(
        "--metric",
        type=click.Choice(["win", "match"]),
        default="win",
        show_default=True,
        help="Judge by wins of games or of matches; the score is shown beside it.",
    ),
    click.option(
        "--margin",
        type=float,
        default=0.005,
        show_default=True,
        help="The greatest effect on the share of wins that does not matter.",
    ),
    click.option(
        "--alpha",
        type=float,
        default=0.05,
        show_default=True,
        help="The probability of a wrong answer, all tables together: 1e-12 to 0.5.",
    ),
    click.option(
        "--precision",
        type=float,
        show_default="the margin",
        help="Go on until the interval's half width is this share of wins.",
    ),
    click.option(
        "--max-games",
        type=Size(),
        default=DEFAULT_GAMES,
        show_default=True,
        help="Deals per table at most, rounded up to whole blocks of 5,040; each with the player at every seat.",
    ),
    seed_option,
)


@dataclass(frozen=True)
class AskOptions:
    """Who is asked about, against whom, at which tables."""

    base: str
    field: tuple[str, ...]
    players: str
    everywhere: bool

    def question(self, subject: str, table_rules: RulesOptions, judging: JudgingOptions) -> PlayerQuestion:
        """Make the question about a tactic, a change, or one parameter at several values."""
        from reports.ask.player_question import PlayerQuestion
        from reports.ask.question import read_subject
        from reports.reading.values import read_player_counts
        from strategies.catalogue import strategy

        counts = read_player_counts(self.players)
        return PlayerQuestion(
            subject,
            read_subject(subject),
            table_rules.rules(counts[-1]),
            counts,
            strategy(self.base),
            tuple(map(strategy, self.field)),
            judging.metric == "match",
            judging.stopping,
            judging.seed,
            self.everywhere,
        )


ask_options = gathered(
    "asked",
    AskOptions,
    click.option(
        "--base", default="standard", show_default=True, metavar="STRATEGY", help="The player who is changed."
    ),
    click.option(
        "--field",
        multiple=True,
        show_default="the base",
        metavar="STRATEGY",
        help="What all opponents play; repeat for further kinds, each its own answer.",
    ),
    table_sizes_option("4", "2-6"),
    click.option(
        "--everywhere",
        is_flag=True,
        help="Look at 2-6 players, every deck and ruling, 64 unequal decks and every named opponent, too.",
    ),
)


@main.command("ask", example="escalation ask pass-hoarding --players 4")
@click.argument("subject", metavar="TACTIC|CHANGE|VALUES")
@ask_options
@click.option("--plan", "plan_only", is_flag=True, help="Only forecast how much shows an effect (see --effect).")
@click.option(
    "--effect",
    type=float,
    show_default="the margin",
    help="The effect on the share of wins to plan for, such as 0.002.",
)
@rules_options
@judging_options
@machine_options
@output_options
def ask_command(
    subject: str,
    asked: AskOptions,
    plan_only: bool,
    effect: float | None,
    table_rules: RulesOptions,
    judging: JudgingOptions,
    machine: Machine,
    output: Output,
) -> None:
    """Ask whether a tactic is good.

    TACTIC is a name (see: escalation tactics): its best dose against the habit's absence. CHANGE is
    parameter=value,...: that change of the base player as it stands. VALUES is one parameter at several values, such as
    early_take=0:8: how much of it is best. The same deals are played with and without the change until the answer is
    clear.
    """
    question = asked.question(subject, table_rules, judging)
    if plan_only:
        show_forecast(question, judging.margin if effect is None else effect, machine, output)
    elif effect is not None:
        raise InputError("--effect goes with --plan")
    else:
        play(question, machine, output)


def show_forecast(question: PlayerQuestion, effect: float, machine: Machine, output: Output) -> None:
    """Say how much must be played to show an effect."""
    from reports.ask.forecast import forecast
    from reports.ask.output import show_plan

    machine.check()
    screen = output.screen()
    output.check_options()
    output.write_spec(screen, question.provenance)
    screen.get_ready(question.experiment)
    forecasts = forecast(question, effect, threads=machine.threads)
    show_plan(screen, forecasts)
    if output.as_json:
        screen.json({**question.provenance.as_data(), "plans": [each.as_data() for each in forecasts]})


# --- That Escalated Quickly ----------------------------------------------------------------------------------------


class CommandsWithExample(Commands):
    """A group within the group, whose help ends with an example, too."""

    def __init__(self, *arguments: Any, example: str, **settings: Any) -> None:
        super().__init__(*arguments, **settings)
        self.example = example

    format_epilog = Example.format_epilog


@main.group(
    "quickly",
    cls=CommandsWithExample,
    example="escalation quickly simulate --players 5 --sigma 1.5 --games 20k",
    invoke_without_command=True,
)
@click.pass_context
def quickly(ctx: click.Context) -> None:
    """Play the cooperative game That Escalated Quickly instead."""
    if ctx.invoked_subcommand is None:
        click.echo(ctx.get_help())


@dataclass(frozen=True)
class GroupOptions:
    """What is played, and by whom."""

    cards_each: int | None
    mistakes: int | None
    target: int
    rule: tuple[str, ...]
    sigma: float | None
    seat: tuple[str, ...]

    def rules(self, players: int) -> GroupRules:
        """Make the rules for so many players."""
        from simulate.quickly.rules import GroupRules

        printed = GroupRules.printed(players, cards_each=self.cards_each, mistakes=self.mistakes, target=self.target)
        return printed.with_rulings(read_rulings(self.rule))

    def persons(self, players: int) -> tuple[Person, ...]:
        """Make one person per player; the last one given fills the remaining seats."""
        from strategies.quickly import person

        changes = {} if self.sigma is None else {"sigma": self.sigma}
        return read_seats(self.seat, players, lambda text: person(text).with_changes(changes))

    def everybody(self, players: int) -> Person:
        """Make the person that everybody is."""
        if len(self.seat) > 1:
            raise InputError("here everybody is alike: give --seat once")
        return self.persons(players)[0]


group_options = gathered(
    "group",
    GroupOptions,
    click.option(
        "--cards-each", type=WholeNumber(1, 5), show_default="as printed", help="Cards that each player holds."
    ),
    click.option("--mistakes", type=WholeNumber(0, 9), show_default="as printed", help="Mistakes allowed in a round."),
    click.option(
        "--target", type=WholeNumber(1, 9), default=3, show_default=True, help="Good rounds to win, bad ones to lose."
    ),
    click.option(
        "--rule", multiple=True, metavar="planned_mistake=true|false", help="Change the ruling, off by default."
    ),
    click.option(
        "--sigma", type=float, show_default="as the strategy says", help="How noisy answers are, in card values."
    ),
    seats_option("plain"),
)


def group_counts(text: str) -> tuple[int, ...]:
    """Read player counts written as `4` or `2-8`."""
    from reports.reading.values import read_counts
    from simulate.quickly.rules import FEWEST_PLAYERS, MOST_PLAYERS

    return read_counts(text, FEWEST_PLAYERS, MOST_PLAYERS)


@quickly.command("simulate", example="escalation quickly simulate --players 5 --sigma 1.5 --games 200k")
@players_option(8)
@group_options
@run_options
@machine_options
@output_options
def quickly_simulate(players: int, group: GroupOptions, run: RunOptions, machine: Machine, output: Output) -> None:
    """Play with one group: games won, good rounds, where rounds die."""
    rules, persons = group.rules(players), group.persons(players)

    from reports.quickly.simulation import GroupPlan

    play_planned(GroupPlan(rules, persons, run.seed), run.games, machine, output)


@quickly.command(
    "sweep", example="escalation quickly sweep sigma=0.5:2:0.5 --players 2-8 --games 20k --out out/quickly"
)
@click.argument("variations", nargs=-1, metavar="PARAMETER=VALUES...")
@table_sizes_option("4", "2-8")
@group_options
@dry_run_option
@run_options
@machine_options
@output_options
def quickly_sweep(
    variations: tuple[str, ...],
    players: str,
    dry_run: bool,
    group: GroupOptions,
    run: RunOptions,
    machine: Machine,
    output: Output,
) -> None:
    """Vary everybody's parameters on common deals.

    PARAMETER=VALUES is NAME=START:STOP:STEP (STOP included, STEP 1 if left out), NAME=A,B,C or NAME=VALUE. Every
    combination is played on the same deals. With --out you get CSV files and plots, and the same command takes up a run
    that was stopped.
    """
    from reports.quickly.sweep import GroupSweepPlan
    from reports.reading.values import read_habit
    from strategies.quickly import PERSON

    counts = group_counts(players)
    varied = tuple(read_habit(text, PERSON) for text in variations)
    plan = GroupSweepPlan(varied, tuple(map(group.rules, counts)), group.everybody(counts[0]), run.seed)
    play_planned(plan, run.games, machine, output, dry_run=dry_run)


@quickly.command("trace", example="escalation quickly trace --seed 1 --deal 5 --players 5 --sigma 1.5")
@seed_option
@deal_option
@players_option(8)
@group_options
@json_option
def quickly_trace(seed: int, deal: int, players: int, group: GroupOptions, as_json: bool) -> None:
    """Tell one deal flip by flip: what everybody holds, what the organiser hears, what happens."""
    from reports.output.terminal import Screen
    from reports.quickly.trace import group_story, group_trace_data, trace_group
    from simulate import Experiment
    from simulate.quickly.engine import Group

    table = Group(group.rules(players), group.persons(players))
    Screen(as_json=as_json).get_ready(Experiment((table,), seed))
    told = trace_group(table, seed, deal)
    print_json(group_trace_data(told)) if as_json else print_lines(group_story(told))
    if not told.engines_agree:
        sys.exit(1)


@quickly.command("exact", example="escalation quickly exact --players 5 --sigma 1.5")
@players_option(8)
@group_options
@json_option
def quickly_exact(players: int, group: GroupOptions, as_json: bool) -> None:
    """Work out what is known exactly: random order, sorting by point estimate.

    Random order as fractions, by enumeration; sorting by point estimate by integration, to six decimals; the game from
    its rounds; and, where no mistake is allowed, the best timing of own cards.
    """
    from reports.quickly.exact import exact_group, exact_group_data, exact_group_lines

    report = exact_group(group.rules(players), group.everybody(players))
    print_json(exact_group_data(report)) if as_json else print_lines(exact_group_lines(report))


@quickly.command("fit", example="escalation quickly fit --players 5 --good 7 --bad 4")
@click.option("--good", type=WholeNumber(0, 10**6), required=True, help="Good rounds, of one game or of many.")
@click.option("--bad", type=WholeNumber(0, 10**6), required=True, help="Bad rounds.")
@players_option(8)
@group_options
@json_option
def quickly_fit(good: int, bad: int, players: int, group: GroupOptions, as_json: bool) -> None:
    """Find the sigma that fits a group's results, with its 95% interval."""
    from reports.quickly.fit import fit_data, fit_lines, fit_sigma

    if group.sigma is not None:
        raise InputError("--sigma is what fit finds: leave it out")
    fitted = fit_sigma(group.rules(players), group.everybody(players), good, bad)
    print_json(fit_data(fitted)) if as_json else print_lines(fit_lines(fitted))


@quickly.command("ask", example="escalation quickly ask planned-mistake --players 8 --sigma 1.5")
@click.argument("subject", metavar="TACTIC|CHANGE|VALUES")
@table_sizes_option("4", "2-8")
@group_options
@judging_options
@machine_options
@output_options
def quickly_ask(
    subject: str, players: str, group: GroupOptions, judging: JudgingOptions, machine: Machine, output: Output
) -> None:
    """Ask whether a tactic is good for the group.

    TACTIC is planned-mistake, own-early, own-late, spread-answers, answer-relative or talk-it-over: its best dose
    against its absence, everybody following it. CHANGE is parameter=value,...: that change as it stands. VALUES is one
    parameter at several values, such as own_shift=-1:1: how much of it is best. The same cards and the same noise are
    played with and without it until the answer is clear.
    """
    from reports.ask.question import read_subject
    from reports.quickly.group_question import GroupQuestion
    from strategies.quickly import QUICKLY

    if judging.metric != "win":
        raise InputError("--metric match is not for That Escalated Quickly: it has no matches")
    counts = group_counts(players)
    asked, rules = read_subject(subject, QUICKLY), tuple(map(group.rules, counts))
    question = GroupQuestion(subject, asked, rules, group.everybody(counts[0]), judging.stopping, judging.seed)
    play(question, machine, output)


@quickly.command(
    "balance", example="escalation quickly balance --players 2-8 --sigma 1.5 --games 20k --out out/balance"
)
@table_sizes_option("2-8", "2-8")
@group_options
@run_options
@machine_options
@output_options
def quickly_balance(players: str, group: GroupOptions, run: RunOptions, machine: Machine, output: Output) -> None:
    """Report whether the game is fair to groups of every size, and lively.

    Games won over players and skill, where the allowance makes it easier or harder, what an allowed mistake is worth,
    what a planned one would do, which numbers get confused, where rounds die, near misses and comebacks. With --out you
    get a page with figures, and CSV files.
    """
    from reports.quickly.balance import GroupBalancePlan

    counts = group_counts(players)
    plan = GroupBalancePlan(tuple(map(group.rules, counts)), group.everybody(counts[0]), run.seed)
    play_planned(plan, run.games, machine, output)


add_listing(quickly, "strategies", "List the named strategies and every parameter of a person.")
add_listing(quickly, "tactics", "List the named tactics: what they govern, and their doses.")
add_listing(quickly, "rules", "List cards and allowances by players, and the rulings.")


if __name__ == "__main__":
    main()
