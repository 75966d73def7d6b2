"""What a section is handed, and what it hands to the page."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TypeAlias

import pandas as pd

from reports.balance.plan import BalancePlan, Threshold
from reports.output.html import Section
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
class Finding(Section):
    """One section of the report, named as on the command line, with the numbers it rests on.

    Attributes
    ----------
    threshold
        What decided the light, if anything.
    frames
        Every number of the section, tidy, by the name of its CSV file without ending; intervals in columns. Figures and
        tables name the file that holds their numbers.
    headline
        What the first screen of the page says of it; empty if nothing.
    """

    threshold: Threshold | None = None
    frames: Mapping[str, pd.DataFrame] = field(default_factory=dict)
    headline: str = ""


Measuring: TypeAlias = Callable[[BalancePlan, Play], Finding]
"""A section: `measure(plan, play)` of its module."""


def total(blocks: SettingBlocks) -> Counts:
    """Return the sums over all blocks of a setting."""
    whole = blocks[0]
    for block in blocks[1:]:
        whole = add_counts(whole, block)
    return whole
