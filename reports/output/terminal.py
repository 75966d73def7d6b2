"""What a person at a terminal sees: tables for results on standard output, everything else on standard error."""

from __future__ import annotations

import json
import signal
import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from types import FrameType
from typing import TYPE_CHECKING, Final, Literal

import numpy as np
from rich import box
from rich.cells import cell_len
from rich.console import Console
from rich.live import Live
from rich.progress import BarColumn, Progress, ProgressColumn, Task, TextColumn, TimeRemainingColumn
from rich.table import Table as Grid
from rich.text import Text

from reports.output.provenance import Provenance
from simulate import Experiment, runner
from strategies.errors import visible

if TYPE_CHECKING:  # pages take a moment to import, and no screen needs them
    from reports.output.html import PageTable

SECONDS_BETWEEN_LINES: Final = 60.0
SECONDS_UNTIL_EXPLAINED: Final = 1.5
WIDTH_OF_FILES: Final = 500
"""Wide enough that nothing is folded where nobody sees the edge of a screen."""

BETWEEN_COLUMNS: Final = 3
LEAST_WIDTH: Final = 20
USUAL_WIDTH: Final = 80

HEADING: Final = "bold"
CHOSEN: Final = "bold green"
FAINT: Final = "dim"
ALARM: Final = "bold red"

COMPILING: Final = "compiling the engine (once per version, less than a minute) ..."


class Screen:
    """Where a command prints.

    Parameters
    ----------
    quiet
        Print results only.
    as_json
        Standard output belongs to one JSON object: print tables nowhere.
    """

    def __init__(self, *, quiet: bool = False, as_json: bool = False) -> None:
        self._quiet = quiet
        self._as_json = as_json
        self._results = _console(stderr=False)
        self._notes = _console(stderr=True)

    @property
    def announced(self) -> bool:
        """Whether whoever reads the results has read the plan above them."""
        return self._results.is_terminal and not self._quiet

    def note(self, *lines: str) -> None:
        """Print remarks on the run, a line each."""
        for line in () if self._quiet else lines:
            self._notes.print(Text(visible(line)), soft_wrap=not self._notes.is_terminal)

    def heading(self, *lines: str) -> None:
        """Print lines above a result."""
        self._print(lines, HEADING)

    def remark(self, *lines: str) -> None:
        """Print lines below a result."""
        self._print(lines, FAINT)

    def _print(self, lines: Sequence[str], style: str) -> None:
        for line in () if self._as_json else lines:
            self._results.print(Text(visible(line), style=style))

    def show(self, table: PageTable) -> None:
        """Print a table that a page may show, too."""
        self.table(table.columns, table.rows, texts=table.texts)

    def json(self, data: Mapping[str, object]) -> None:
        """Print one JSON object as the result; whether there is room for it shows at once."""
        print(json.dumps(data, indent=2, allow_nan=False), flush=True)

    def table(self, columns: Sequence[str], rows: Sequence[Sequence[str]], *, texts: int = 1) -> None:
        """Print a table; the first `texts` columns hold texts, the others numbers.

        On a narrow screen headers and texts fold, numbers do not; if that is not enough each row becomes a list.
        """
        if self._as_json:
            return
        seen = self._results.is_terminal
        columns, *rows = [[visible(cell) for cell in row] for row in (columns, *rows)]
        cells = list(zip(*([columns, *rows]), strict=True))
        natural = [max(map(cell_len, column)) for column in cells]
        room = self._results.width - BETWEEN_COLUMNS * (len(columns) - 1)
        widths = column_widths(natural, _least_widths(cells, texts), room) if seen else natural
        if widths is None:
            self._list_rows(columns, rows)
            return
        grid = Grid(box=box.SIMPLE_HEAD if seen else None, padding=(0, 1) if seen else (0, 2, 0, 0), pad_edge=False)
        grid.show_edge = False
        for place, (column, width) in enumerate(zip(columns, widths, strict=True)):
            justify: Literal["left", "right"] = "right" if place >= texts else "left"
            grid.add_column(Text(column), justify=justify, overflow="fold", width=width)
        for row in rows:
            grid.add_row(*map(Text, row))
        self._results.print(grid)

    def _list_rows(self, columns: Sequence[str], rows: Sequence[Sequence[str]]) -> None:
        for row in rows:
            for column, cell in zip(columns, row, strict=True):
                self._results.print(Text(f"{column}: {cell}" if column else cell))
            self._results.print()

    @contextmanager
    def watch(self, experiment: Experiment) -> Iterator[Callable[[runner.Progress], None]]:
        """Get the engine ready, then show how a run comes along.

        Yields
        ------
        callable
            To be called with the progress after every block.
        """
        self.get_ready(experiment)
        if self._quiet:
            yield lambda progress: None
        elif self._notes.is_terminal:
            with _progress_bar(self._notes) as show:
                yield show
        else:
            yield _line_per_minute(self.note)

    @contextmanager
    def interruptible(self) -> Iterator[Callable[[], bool]]:
        """Let the first Ctrl-C ask for an orderly stop; a second one stops at once.

        Yields
        ------
        callable
            Tells whether a stop was asked for.
        """
        asked = threading.Event()

        def ask(number: int, frame: FrameType | None) -> None:
            if asked.is_set():
                raise KeyboardInterrupt
            asked.set()

        before = signal.signal(signal.SIGINT, ask)
        try:
            yield asked.is_set
        finally:
            signal.signal(signal.SIGINT, before)

    @contextmanager
    def live(self, experiment: Experiment) -> Iterator[Callable[[str], None]]:
        """Get the engine ready, then show how an answer comes along: one line that changes, or one a minute.

        Yields
        ------
        callable
            To be called with the line as it stands.
        """
        self.get_ready(experiment)
        if self._quiet:
            yield lambda line: None
        elif self._notes.is_terminal:
            with Live(console=self._notes, transient=True, auto_refresh=False) as live:
                yield lambda line: live.update(Text(line, no_wrap=True, overflow="ellipsis"), refresh=True)
        else:
            yield _once_a_minute(self.note)

    def get_ready(self, experiment: Experiment) -> None:
        """Compile the engine, if need be, by playing one match here and now; explain it if it takes its time."""
        explain = threading.Timer(SECONDS_UNTIL_EXPLAINED, self.note, [COMPILING])
        explain.daemon = True
        explain.start()
        try:
            experiment.settings[0].play_deals(experiment.seed, np.arange(2520, dtype=np.int64))
        finally:
            explain.cancel()


def _least_widths(columns: Sequence[Sequence[str]], texts: int) -> list[int]:
    """Return how narrow columns may be, headers first in each: words stay whole, and so do cells with numbers."""

    def longest_word(text: str) -> int:
        return max(map(cell_len, text.split()), default=0)

    return [
        max(longest_word(header), *(longest_word(cell) if place < texts else cell_len(cell) for cell in cells), 1)
        for place, (header, *cells) in enumerate(columns)
    ]


def column_widths(natural: Sequence[int], least: Sequence[int], room: int) -> list[int] | None:
    """Narrow the widest columns, none below its least width, until all fit; None if they cannot."""
    widths = list(natural)
    while sum(widths) > room:
        foldable = [place for place, width in enumerate(widths) if width > least[place]]
        if not foldable:
            return None
        widths[max(foldable, key=widths.__getitem__)] -= 1
    return widths


def _console(*, stderr: bool) -> Console:
    console = Console(stderr=stderr, highlight=False)
    if not console.is_terminal:
        return Console(stderr=stderr, highlight=False, width=WIDTH_OF_FILES)
    # A terminal that does not know its width says 0, and nothing would fit.
    return console if console.width >= LEAST_WIDTH else Console(stderr=stderr, highlight=False, width=USUAL_WIDTH)


class _Pace(ProgressColumn):
    """Games per second so far."""

    def render(self, task: Task) -> Text:
        """Show the pace of a task."""
        return Text(pace(task.completed - task.fields.get("stored", 0), task.elapsed or 0.0))


def pace(games: float, seconds: float) -> str:
    """Write games per second."""
    return f"{games / seconds:,.0f} games/s" if seconds > 0 else "- games/s"


@contextmanager
def _progress_bar(console: Console) -> Iterator[Callable[[runner.Progress], None]]:
    columns = (
        TextColumn("{task.description}", markup=False),
        BarColumn(bar_width=None),
        TextColumn("{task.percentage:>3.0f}%"),
        _Pace(),
        TimeRemainingColumn(),
        TextColumn("left"),
    )
    with Progress(*columns, console=console, transient=True, expand=True) as bar:
        task = bar.add_task("playing", total=None)

        def show(progress: runner.Progress) -> None:
            bar.update(
                task,
                total=progress.planned,
                completed=progress.games,
                stored=progress.stored,
                description=_place(progress),
            )

        yield show


def _place(progress: runner.Progress) -> str:
    setting = f"setting {progress.setting:,} of {progress.settings:,}" if progress.settings > 1 else ""
    return ", ".join(filter(None, (progress.part, setting))) or "playing"


def _line_per_minute(note: Callable[[str], None]) -> Callable[[runner.Progress], None]:
    started = last = time.monotonic()

    def show(progress: runner.Progress) -> None:
        nonlocal last
        now = time.monotonic()
        if now - last < SECONDS_BETWEEN_LINES:
            return
        last = now
        played = progress.games - progress.stored
        place = f"{_place(progress)}: " if progress.part or progress.settings > 1 else ""
        left = (now - started) * (progress.planned - progress.games) / max(played, 1)
        note(
            f"{place}{progress.games:,} of {progress.planned:,} games, {pace(played, now - started)}, "
            f"{left / 60:.0f} min left"
        )

    return show


def _once_a_minute(note: Callable[[str], None]) -> Callable[[str], None]:
    last = time.monotonic()

    def show(line: str) -> None:
        nonlocal last
        now = time.monotonic()
        if now - last >= SECONDS_BETWEEN_LINES:
            last = now
            note(line)

    return show


def announce(screen: Screen, lines: Sequence[str], played: Provenance) -> None:
    """Say what is about to be played, and what numbers will rest on: deck, rules, seed."""
    screen.note(*lines, *basis(played))


def basis(played: Provenance) -> list[str]:
    """Return what numbers rest on, in lines: deck, rules, seed."""
    return [
        f"Deck: {played.deck}",
        *([f"Rules: {played.rules}"] if played.rules else []),
        f"Seed: {played.seed}; experiment {played.digest}, kernel version {played.kernel_version}",
    ]


def show_basis(screen: Screen, played: Provenance) -> None:
    """Repeat what the results rest on where they go without the plan, into a file for instance."""
    if not screen.announced:
        screen.remark(*basis(played))
