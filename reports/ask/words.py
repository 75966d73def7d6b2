"""What a game tells of an answer besides the wins; for each game there is a subclass of `Wording`."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Generic, TypeVar

from reports.ask.verdict import Measured
from reports.output.html import PageTable

AnyEffect = TypeVar("AnyEffect", bound=Measured)


@dataclass(frozen=True)
class Reason:
    """The reason for an effect.

    Attributes
    ----------
    sentences
        The reason in words, the most telling sentence first.
    deals
        Deals to see: what each shows, and the command that shows it.
    tables
        The reason in numbers; a terminal has room for the last one.
    """

    sentences: tuple[str, ...]
    deals: tuple[tuple[str, str], ...]
    tables: tuple[PageTable, ...] = ()


class Wording(ABC, Generic[AnyEffect]):
    """What one game tells of effects.

    Attributes
    ----------
    game
        Its name.
    who
        Who is changed.
    columns
        Further columns of the table of effects.
    """

    game: str
    who: str
    columns: tuple[str, ...] = ()

    def promise(self, level: str) -> str:
        """Say what the intervals in those columns are, given the level of each interval; empty for none."""
        return ""

    def cells(self, measured: AnyEffect) -> tuple[str, ...]:
        """Return an effect's cells in the further columns."""
        return ()

    @abstractmethod
    def record(self, measured: AnyEffect) -> dict[str, object]:
        """Return the further columns of an effect in `answer.csv`."""

    def remarks(self, measured: AnyEffect, where: str) -> list[str]:
        """Say what is special about an effect at a table, which is given in words."""
        return []

    @abstractmethod
    def basis(self, every: Sequence[AnyEffect]) -> str:
        """Say what was held equal."""

    @abstractmethod
    def reason(self, measured: AnyEffect) -> Reason | None:
        """Give the reason, if there is one to be given."""

    def reason_rows(self, worths: Mapping[str, AnyEffect]) -> tuple[PageTable, str] | None:
        """Give the reasons at several tables, by their words, in a row each, and say what the columns are."""
        return None

    @abstractmethod
    def reason_data(self, measured: AnyEffect) -> dict[str, object]:
        """Return the reason as plain data."""
