"""Playing for a section: on the plan's seed, each call a part of its own."""

from __future__ import annotations

import numpy as np

from reports.balance.finding import Play, total
from reports.output.parts import Parts
from simulate import Rules, Table
from simulate.blocks import deals_of
from strategies.catalogue import strategy

TABLE = Table(Rules(players=2), (strategy("minimal"),) * 2)


def test_all_blocks_together_are_the_deals_from_where_they_are_asked():
    (blocks,) = Play(3)("some", [TABLE], 2, first_block=5)
    whole = TABLE.play_deals(3, np.concatenate([deals_of(5), deals_of(6)]))
    assert (total(blocks)["wins"] == whole["wins"]).all()


def test_what_is_played_for_a_section_is_a_part_of_the_report():
    parts = Parts(prefix="beside-")
    Play(3, parts)("some", [TABLE, TABLE], 1)
    assert parts.played == ["beside-some"]
