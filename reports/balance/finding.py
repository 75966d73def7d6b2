"""What a section is handed, and what it hands to the page."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal, TypeAlias

import pandas as pd

from reports.balance.plan import BalancePlan, Threshold
from reports.output.html import Light, PageFigure, PageTable
from reports.output.parts import Parts
from simulate.blocks import add_counts
from simulate.experiment import Counts, Experiment, Setting

SettingBlocks: TypeAlias = list[Counts]
"""The counts of one setting, block by block, in block order."""


@dataclass(frozen=True)
class Play:
    """Plays settings on common deals, resuming from what an output folder has.

    Attributes
    ----------
    seed
        The seed of all randomness.
    parts
        Who plays; each call is a part.
    """

    seed: int
    parts: Parts = field(default_factory=Parts)

    def __call__(
        self, part: str, settings: Sequence[Setting], blocks: int, *, first_block: int = 0
    ) -> list[SettingBlocks]:
        """Play so many blocks of 5,040 deals of every setting.

        Parameters
        ----------
        part
            Names this piece of work, such as "positions"; unique in a report, since it is also the name of the
            folder in which finished blocks are kept.
        settings
            What to play; deal d is the same deal in all of them.
        blocks
            Blocks per setting.
        first_block
            The first block's number: what was chosen by looking is measured again on deals not used to choose it.

        Raises
        ------
        Stopped
            If an early end was asked for before all blocks were there.
        """
        return self.parts.blocks(part, Experiment(tuple(settings), self.seed), blocks, first_block)


@dataclass(frozen=True)
class Finding:
    """One section of the report.

    Attributes
    ----------
    name
        The section as named on the command line: letters and hyphens.
    title, finding
        Its heading, and its finding in one plain sentence.
    light, threshold
        How the finding is to be taken, and the threshold that decided it, if any.
    frames
        Every number of the section, tidy, by the name of its CSV file without ending; intervals in columns.
    figures, tables, texts, commands
        What the page shows (see `reports.output.html.Section`); figures and tables name their CSV.
    headline
        What the first screen of the page says of it; empty if nothing.
    """

    name: str
    title: str
    finding: str
    light: Light | Literal[""] = ""
    threshold: Threshold | None = None
    frames: Mapping[str, pd.DataFrame] = field(default_factory=dict)
    figures: tuple[PageFigure, ...] = ()
    tables: tuple[PageTable, ...] = ()
    texts: tuple[str, ...] = ()
    commands: tuple[str, ...] = ()
    headline: str = ""


Measuring: TypeAlias = Callable[[BalancePlan, Play], Finding]
"""A section: `measure(plan, play)` of its module."""


def total(blocks: SettingBlocks) -> Counts:
    """Return the sums over all blocks of a setting."""
    whole = blocks[0]
    for block in blocks[1:]:
        whole = add_counts(whole, block)
    return whole
