"""Which points a sweep plays: every combination, one change at a time, drawn evenly, or as somebody listed them."""

from __future__ import annotations

import csv
import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from io import StringIO
from itertools import product
from typing import Any, Final, Literal, Self, TypeAlias, get_args

import numpy as np
from numpy.typing import NDArray

from reports.reading.escalation import read_table_sizes
from reports.reading.spec_reader import SpecReader
from reports.reading.values import MOST_SETTINGS, Value, Variation, checked_values
from reports.sweep.variation import factor, read_value
from strategies.errors import InputError, unknown_name

DesignKind = Literal["grid", "one-at-a-time", "latin-hypercube", "sobol", "saltelli", "points"]
DESIGNS: Final[tuple[DesignKind, ...]] = get_args(DesignKind)
DRAWN: Final = ("latin-hypercube", "sobol", "saltelli")
DEFAULT_POINTS: Final = 256

Values: TypeAlias = tuple[Value, ...]
"""One value per variation."""


@dataclass(frozen=True)
class Design:
    """How points are chosen from what varies.

    Attributes
    ----------
    kind
        grid: every combination. one-at-a-time: the base, then every other value of each variation alone.
        latin-hypercube, sobol: so many points spread evenly. saltelli: so many points twice (A and B), and A with each
        column of B in turn, from which sensitivity follows. points: as listed.
    points
        How many points are drawn; only for the kinds that draw.
    rows
        The points as listed.
    players
        The number of players at each listed point; empty where the sweep decides.
    """

    kind: DesignKind = "grid"
    points: int = 0
    rows: tuple[Values, ...] = ()
    players: tuple[int, ...] = ()

    def __post_init__(self) -> None:
        """Check that the number of points suits the kind."""
        if self.kind not in DESIGNS:
            raise unknown_name("design", self.kind, DESIGNS)
        if self.kind not in DRAWN:
            if self.points:
                raise InputError(
                    f"--points is for designs that draw their points ({', '.join(DRAWN)}), not {self.kind}"
                )
            return
        if self.points < 1:
            raise InputError(f"{self.points} points are not allowed: 1 or more")
        if self.kind in {"sobol", "saltelli"} and self.points & (self.points - 1):
            power = 1 << (self.points.bit_length() - 1)
            raise InputError(
                f"{self.points} points are no power of two, which {self.kind} needs: {power} or {2 * power}"
            )

    def spec(self) -> dict[str, Any]:
        """Return the design as plain data."""
        drawn = {"points": self.points} if self.points else {}
        rows = {"rows": [list(row) for row in self.rows]} if self.rows else {}
        players = {"players": list(self.players)} if self.players else {}
        return {"kind": self.kind, **drawn, **rows, **players}

    @classmethod
    def from_spec(cls, data: Mapping[str, Any], variations: Sequence[Variation]) -> Self:
        """Return what `spec` wrote; every mistake is named."""
        read = SpecReader(data, "spec.design", ["kind", "points", "rows", "players"])
        rows: list[Values] = []
        for number, row in enumerate(read.take("rows", list, [])):
            if not isinstance(row, list) or len(row) != len(variations):
                raise InputError(f"spec.design.rows[{number}] needs one value for each of {len(variations)} variations")
            values = zip(variations, row, strict=True)
            rows.append(tuple(read_value(variation.factor, value) for variation, value in values))
        players = read_table_sizes(read, [])
        if players and len(players) != len(rows):
            raise InputError("spec.design.players needs one entry per row")
        kind: Any = read.take("kind", str, "grid")
        return cls(kind, read.take("points", int, 0), tuple(rows), players)

    def size(self, variations: Sequence[Variation], base: Values) -> int:
        """Return how many points there are, without making them."""
        return {
            "grid": math.prod(len(variation.values) for variation in variations),
            "one-at-a-time": 1 + sum(len(others) for others in _others(variations, base)),
            "saltelli": self.points * (len(variations) + 2),
            "points": len(self.rows),
        }.get(self.kind, self.points)

    def points_of(self, variations: Sequence[Variation], base: Values, seed: int) -> list[Values]:
        """Return every point.

        Parameters
        ----------
        variations
            What varies.
        base
            The values before anything is varied.
        seed
            Decides what is drawn.
        """
        if self.kind == "grid":
            return list(product(*(variation.values for variation in variations)))
        if self.kind == "one-at-a-time":
            changes = [(place, value) for place, own in enumerate(_others(variations, base)) for value in own]
            return [base, *((*base[:place], value, *base[place + 1 :]) for place, value in changes)]
        if self.kind == "points":
            return list(self.rows)
        return [
            tuple(variation.at(float(share)) for variation, share in zip(variations, row, strict=True))
            for row in self._shares(len(variations), seed)
        ]

    def _shares(self, dimensions: int, seed: int) -> NDArray[np.float64]:
        from scipy.stats import qmc  # takes a quarter of a second, and few designs need it

        generator = np.random.default_rng(seed)
        if self.kind == "latin-hypercube":
            return qmc.LatinHypercube(dimensions, seed=generator).random(self.points)
        if self.kind == "sobol":
            return qmc.Sobol(dimensions, seed=generator).random(self.points)
        both = qmc.Sobol(2 * dimensions, seed=generator).random(self.points)
        first, second = both[:, :dimensions], both[:, dimensions:]
        mixed = [np.where(np.arange(dimensions) == place, second, first) for place in range(dimensions)]
        return np.concatenate([first, second, *mixed])


GRID: Final = Design()


def _others(variations: Sequence[Variation], base: Values) -> list[list[Value]]:
    """Return the values of each variation that are not the base's."""
    return [[v for v in varied.values if v != usual] for varied, usual in zip(variations, base, strict=True)]


def _cells(text: str, name: str) -> list[list[str]]:
    """Return the cells of a CSV; between semicolons or tabs numbers may have a decimal comma."""
    header = text.lstrip().partition("\n")[0]
    between = next((mark for mark in (";", "\t") if mark in header and "," not in header), ",")
    try:
        table = [row for row in csv.reader(StringIO(text), delimiter=between) if any(cell.strip() for cell in row)]
    except csv.Error as error:
        raise InputError(f"'{name}' is not a table of cells: {error}") from None
    if between == ",":
        return table
    return [[re.sub(r"^(\s*[-+]?\d+),(\d+\s*)$", r"\1.\2", cell) for cell in row] for row in table]


def _without_results(table: list[list[str]]) -> list[list[str]]:
    """Return what varied in a `settings.csv` that a sweep has written, without results; any other table as it is."""
    header = [cell.strip() for cell in table[0]]
    results = next((place for place, name in enumerate(header) if name in {"games", "deals"}), 0)
    return [row[1:results] for row in table] if results and header[0] == "setting" else table


def read_points(text: str, name: str) -> tuple[tuple[Variation, ...], Design]:
    """Read a CSV of points: a header of names, then one point per row.

    Parameters
    ----------
    text
        The file's content.
    name
        What to call the file in complaints.

    Returns
    -------
    tuple of Variation, Design
        What varies, with the values that occur, and the design that lists the points.

    Raises
    ------
    InputError
        If a name is unknown or given twice, or a cell bad; row (the header is row 1) and column are named.
    """
    table = _cells(text, name)
    if len(table) < len(("header", "point")):
        raise InputError(f"'{name}' has no points: a header of names, then one point per row")
    if len(table) - 1 > MOST_SETTINGS:
        raise InputError(f"'{name}' has {len(table) - 1:,} points: at most {MOST_SETTINGS:,} are allowed")
    table = _without_results(table)
    header = [cell.strip() for cell in table[0]]
    repeated = next((name for place, name in enumerate(header) if name in header[:place]), None)
    if repeated is not None:
        raise InputError(f"'{name}' has the column {repeated} twice")
    known = [factor(column) for column in header]
    rows: list[Values] = []
    for number, cells in enumerate(table[1:], start=2):
        if len(cells) != len(header):
            raise InputError(
                f"'{name}', row {number}: {len(cells)} cells, but the header has {len(header)} (numbers with a decimal "
                "comma need ; or tabs between the cells)"
            )
        row: list[Value] = []
        for column, cell in zip(known, cells, strict=True):
            try:
                row.append(column.read(cell.strip()))
            except InputError as mistake:
                raise InputError(f"'{name}', row {number}, column {column.name}: {mistake}") from None
        rows.append(tuple(row))
    players: tuple[int, ...] = ()
    if "players" in header:
        place = header.index("players")
        players = tuple(int(float(row[place])) for row in rows)
        known, rows = [*known[:place], *known[place + 1 :]], [(*row[:place], *row[place + 1 :]) for row in rows]
    columns = [list(dict.fromkeys(row[place] for row in rows)) for place in range(len(known))]
    variations = tuple(Variation(*pair) for pair in zip(known, map(checked_values, known, columns), strict=True))
    return variations, Design("points", rows=tuple(rows), players=players)
