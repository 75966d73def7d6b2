"""One deal of That Escalated Quickly, flip by flip, in plain words and as plain data."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
from rich.text import Text

from reports.output.terminal import ALARM, CHOSEN, FAINT, HEADING
from reports.quickly.rules_words import rules_note
from simulate.quickly.engine import Group
from simulate.quickly.reference import Flip, GroupGameRecord, RoundRecord, play
from strategies.organising import PLACE

GOOD_ROUND: Final = "good round"
BAD_ROUND: Final = "bad round"


@dataclass(frozen=True)
class GroupTrace:
    """A deal replayed by the slow engine, and whether the fast one agrees.

    Attributes
    ----------
    group, seed, deal
        What was replayed.
    record
        What happened.
    engines_agree
        Whether the fast engine flips the same cards.
    """

    group: Group
    seed: int
    deal: int
    record: GroupGameRecord
    engines_agree: bool


def trace_group(group: Group, seed: int, deal: int) -> GroupTrace:
    """Replay one deal with both engines."""
    record = play(group, seed, deal)
    flips = group.play(seed, np.array([deal], dtype=np.int64), with_flips=True).flips[0]
    told = np.full_like(flips, -1)
    for number, one in enumerate(record.rounds):
        told[number, : len(one.flips)] = [flip.value for flip in one.flips]
    return GroupTrace(group, seed, deal, record, bool(np.array_equal(flips, told)))


def group_story(trace: GroupTrace) -> Iterator[Text]:
    """Tell a deal, line by line."""
    group, rules = trace.group, trace.group.rules
    yield Text(f"Deal {trace.deal} of seed {trace.seed}: {rules.players} players, {rules_note(rules)}", HEADING)
    for position, person in enumerate(group.persons):
        yield Text(f"  position {position}: {person.label}", FAINT)
    good = 0
    for number, one in enumerate(trace.record.rounds, start=1):
        good += one.good
        yield Text()
        yield from _round(trace, number, one)
        yield Text(f"  {GOOD_ROUND if one.good else BAD_ROUND}: {good} good, {number - good} bad", CHOSEN)
    yield Text()
    yield Text(f"{'Won' if good == rules.target else 'Lost'} after {len(trace.record.rounds)} rounds.", HEADING)
    if not trace.engines_agree:
        yield Text("The fast engine plays a different game: one of the two engines is wrong.", ALARM)


def _round(trace: GroupTrace, number: int, one: RoundRecord) -> Iterator[Text]:
    label = trace.group.persons[one.organiser].label
    yield Text(f"Round {number}: position {one.organiser} organises ({label})", HEADING)
    each = trace.group.rules.cards_each
    for card, (value, heard) in enumerate(zip(one.values, one.heard, strict=True)):
        position = card // each
        seems = "his own" if position == one.organiser else f"heard as {heard / PLACE:.2f}"
        yield Text(f"  position {position} holds {value:>2}, {seems}", FAINT)
    for place, flip in enumerate(one.flips, start=1):
        yield Text(f"  flip {place}: {_flip_text(flip)}", ALARM if flip.mistake else "")


def _flip_text(flip: Flip) -> str:
    if flip.mistake:
        return f"{flip.value} on {' '.join(map(str, flip.row))}: a mistake, all {len(flip.row) + 1} are discarded"
    if not flip.row:
        return f"{flip.value}, the first of a row"
    return f"{flip.value} on {' '.join(map(str, flip.row))}"


def group_trace_data(trace: GroupTrace) -> dict[str, Any]:
    """Return the whole log as plain data."""
    spec = trace.group.spec()
    return {
        "seed": trace.seed,
        "deal": trace.deal,
        "rules": spec["rules"],
        "persons": [person.label for person in trace.group.persons],
        "rounds": [_round_data(trace, number, one) for number, one in enumerate(trace.record.rounds, start=1)],
        "good": trace.record.good,
        "bad": trace.record.bad,
        "won": trace.record.good == trace.group.rules.target,
        "engines_agree": trace.engines_agree,
    }


def _round_data(trace: GroupTrace, number: int, one: RoundRecord) -> dict[str, Any]:
    each = trace.group.rules.cards_each
    cards = [
        {
            "position": card // each,
            "value": value,
            "heard": None if card // each == one.organiser else heard / PLACE,
        }
        for card, (value, heard) in enumerate(zip(one.values, one.heard, strict=True))
    ]
    flips = [
        {"position": flip.card // each, "value": flip.value, "row": list(flip.row), "mistake": flip.mistake}
        for flip in one.flips
    ]
    return {"round": number, "organiser": one.organiser, "cards": cards, "flips": flips, "good": one.good}
