"""A deal told flip by flip is the deal that both engines play."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest

from reports.quickly.trace import group_story, group_trace_data, trace_group
from simulate.quickly.engine import Group
from simulate.quickly.reference import play
from simulate.quickly.rules import GroupRules
from strategies.quickly import person

SEED = 3


def group(players=6, text="plain,sigma=1.5", **changed):
    return Group(GroupRules.printed(players, **changed), (person(text),) * players)


@pytest.fixture(scope="module")
def traces():
    return [trace_group(group(), SEED, deal) for deal in range(12)]


def plain(trace):
    return [line.plain for line in group_story(trace)]


def test_both_engines_flip_the_same_cards(traces):
    assert all(trace.engines_agree for trace in traces)
    assert [trace.record for trace in traces] == [play(group(), SEED, deal) for deal in range(12)]


def test_every_card_and_every_flip_has_a_line(traces):
    for trace in traces:
        lines = plain(trace)
        assert lines[0].startswith(f"Deal {trace.deal} of seed {SEED}: 6 players, one card each")
        rounds = trace.record.rounds
        assert sum(" holds " in line for line in lines) == 6 * len(rounds)
        assert sum(line.endswith("his own") for line in lines) == len(rounds)
        flips = [flip for played in rounds for flip in played.flips]
        assert sum(line.startswith("  flip ") for line in lines) == len(flips)
        assert sum("a mistake" in line for line in lines) == sum(flip.mistake for flip in flips)
        assert sum("the first of a row" in line for line in lines) == sum(not flip.row for flip in flips)


def test_a_mistake_is_told_with_the_row_that_it_costs(traces):
    mistakes = [
        (trace, flip, not played.good and flip is played.flips[-1])
        for trace in traces
        for played in trace.record.rounds
        for flip in played.flips
        if flip.mistake
    ]
    for lost in (False, True):
        trace, flip, _ = next(found for found in mistakes if found[2] == lost and len(found[1].row) > 1)
        row = " ".join(map(str, flip.row))
        assert flip.value < flip.row[-1]
        costs = "one too many" if lost else f"all {len(flip.row) + 1} are discarded"
        assert any(line.endswith(f"{flip.value} on {row}: a mistake, {costs}") for line in plain(trace))


def test_the_rounds_are_counted_up_to_the_end(traces):
    ends = {trace.record.good == 3 for trace in traces}
    assert ends == {True, False}
    for trace in traces:
        lines, record = plain(trace), trace.record
        counted = [line for line in lines if line.startswith(("  good round: ", "  bad round: "))]
        assert len(counted) == len(record.rounds)
        assert counted[-1].endswith(f": {record.good} good, {record.bad} bad")
        assert lines[-1] == f"{'Won' if record.good == 3 else 'Lost'} after {len(record.rounds)} rounds."


def test_a_disagreement_is_told_as_such(traces):
    lines = plain(replace(traces[0], engines_agree=False))
    assert lines[-1] == "The fast engine plays a different game: one of the two engines is wrong."


def test_the_log_is_whole_and_plain(traces):
    for trace in traces:
        data = group_trace_data(trace)
        assert json.loads(json.dumps(data, allow_nan=False)) == data
        assert (data["good"], data["bad"]) == (trace.record.good, trace.record.bad)
        assert data["won"] == (data["good"] == 3)
        for told, played in zip(data["rounds"], trace.record.rounds, strict=True):
            assert [card["value"] for card in told["cards"]] == list(played.values)
            assert [flip["value"] for flip in told["flips"]] == [flip.value for flip in played.flips]
            assert {card["position"] for card in told["cards"] if card["heard"] is None} == {played.organiser}


def test_with_two_cards_each_a_position_holds_two():
    data = group_trace_data(trace_group(group(3, cards_each=2), SEED, 0))
    for told in data["rounds"]:
        assert [card["position"] for card in told["cards"]] == [0, 0, 1, 1, 2, 2]
        assert sum(card["heard"] is None for card in told["cards"]) == 2
