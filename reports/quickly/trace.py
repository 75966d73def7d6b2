"""One deal of That Escalated Quickly, flip by flip, in plain words and as plain data."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from rich.text import Text

from reports.output.lines import ENGINES_DIFFER
from reports.output.terminal import ALARM, CHOSEN, FAINT, HEADING
from reports.output.words import counted
from reports.quickly.rules_words import rules_note
from simulate.quickly.engine import Group
from simulate.quickly.reference import Flip, GroupGameRecord, RoundRecord, play
from simulate.quickly.rules import GroupRules
from strategies.organising import PLACE


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
    for number, played in enumerate(record.rounds):
        told[number, : len(played.flips)] = [flip.value for flip in played.flips]
    return GroupTrace(group, seed, deal, record, bool(np.array_equal(flips, told)))


def group_story(trace: GroupTrace) -> Iterator[Text]:
    """Tell a deal, line by line."""
    group, rules, record = trace.group, trace.group.rules, trace.record
    yield Text(f"Deal {trace.deal} of seed {trace.seed}: {rules.players} players, {rules_note(rules)}", HEADING)
    for position, person in enumerate(group.persons):
        yield Text(f"  position {position}: {person.label}", FAINT)
    good = 0
    for number, played in enumerate(record.rounds, start=1):
        good += played.good
        label = group.persons[played.organiser].label
        yield Text()
        yield Text(f"Round {number}: position {played.organiser} organises ({label})", HEADING)
        for position, value, heard in _cards(rules, played):
            seems = "his own" if heard is None else f"heard as {heard:.2f}"
            yield Text(f"  position {position} holds {value:>2}, {seems}", FAINT)
        for place, flip in enumerate(played.flips, start=1):
            last = place == len(played.flips) and not played.good
            yield Text(f"  flip {place}: {_flip_text(flip, loses=last)}", ALARM if flip.mistake else "")
        yield Text(f"  {'good' if played.good else 'bad'} round: {good} good, {number - good} bad", CHOSEN)
    yield Text()
    ended = "Won" if record.good == rules.target else "Lost"
    yield Text(f"{ended} after {counted(len(record.rounds), 'round')}.", HEADING)
    if not trace.engines_agree:
        yield Text(ENGINES_DIFFER, ALARM)


def _cards(rules: GroupRules, played: RoundRecord) -> Iterator[tuple[int, int, float | None]]:
    """Tell for each card who holds it, its value, and as what the organiser heard it; None for an own card."""
    for card, (value, heard) in enumerate(zip(played.values, played.heard, strict=True)):
        position = card // rules.cards_each
        yield position, value, None if position == played.organiser else heard / PLACE


def _flip_text(flip: Flip, *, loses: bool) -> str:
    if not flip.row:
        return f"{flip.value}, the first of a row"
    laid = f"{flip.value} on {' '.join(map(str, flip.row))}"
    if not flip.mistake:
        return laid
    return f"{laid}: a mistake, {'one too many' if loses else f'all {len(flip.row) + 1} are discarded'}"


def group_trace_data(trace: GroupTrace) -> dict[str, object]:
    """Return the whole log as plain data."""
    record, rules = trace.record, trace.group.rules
    return {
        "seed": trace.seed,
        "deal": trace.deal,
        "rules": trace.group.spec()["rules"],
        "persons": [person.label for person in trace.group.persons],
        "rounds": [_round_data(rules, number, played) for number, played in enumerate(record.rounds, start=1)],
        "good": record.good,
        "bad": record.bad,
        "won": record.good == rules.target,
        "engines_agree": trace.engines_agree,
    }


def _round_data(rules: GroupRules, number: int, played: RoundRecord) -> dict[str, object]:
    return {
        "round": number,
        "organiser": played.organiser,
        "cards": [
            {"position": position, "value": value, "heard": heard} for position, value, heard in _cards(rules, played)
        ],
        "flips": [
            {
                "position": flip.card // rules.cards_each,
                "value": flip.value,
                "row": list(flip.row),
                "mistake": flip.mistake,
            }
            for flip in played.flips
        ],
        "good": played.good,
    }
