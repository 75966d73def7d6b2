"""What is told of one player besides the wins."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from reports.ask.player_effect import MeasuredPlayer
from reports.ask.player_reason import SUMMARY_COLUMNS
from reports.ask.player_words import PlayerWording
from reports.ask.verdict import Stopping
from reports.estimates.intervals import Interval
from simulate import Rules
from simulate.blocks import DEALS_PER_BLOCK
from simulate.escalation.settings.comparison import Comparison
from strategies.catalogue import strategy

WORDING = PlayerWording()
HARM = Comparison(Rules(players=2), strategy("standard"), strategy("standard,pass_hoard=0"))


def measure(comparison):
    found = MeasuredPlayer.measure(comparison, 1, Stopping(most_deals=5040))
    deals = np.arange(DEALS_PER_BLOCK)
    return replace(found, reason_counts=tuple(seat.play_deals(1, deals) for seat in found.reason_settings))


@pytest.fixture(scope="module")
def harm():
    return measure(HARM)


def test_the_score_stands_beside_the_wins(harm):
    (cell,) = WORDING.cells(harm)
    estimate, width = cell.split(" ± ")
    assert len(WORDING.columns) == 1
    assert float(estimate) == pytest.approx(harm.score.estimate, abs=0.05)
    assert float(width) == pytest.approx(harm.score.half_width, abs=0.05)


def test_a_record_has_the_score_and_both_neighbours_with_their_bounds(harm):
    record = WORDING.record(harm)
    names = ("score", "next_player_wins_per_100", "previous_player_wins_per_100")
    assert list(record) == [f"{name}{end}" for name in names for end in ("", "_low", "_high")]
    # With two players both neighbours are the same player.
    assert record["next_player_wins_per_100"] == record["previous_player_wins_per_100"]


def test_more_wins_with_more_cards_are_worth_a_remark(harm):
    # It takes more cards; what if it had won more?
    assert harm.score.low > 0
    assert WORDING.remarks(harm, "with 2 players") == []
    (remark,) = WORDING.remarks(replace(harm, wins=Interval(2.0, 1.0, 3.0)), "with 2 players")
    assert remark.startswith("With 2 players it wins more though it ends with more cards")
    assert WORDING.remarks(replace(harm, wins=Interval(0.5, -1.0, 2.0)), "with 2 players") == []


def test_what_the_same_deals_saved_is_told_as_a_span(harm):
    assert f"have needed {harm.variance_reduction:.2g} times" in WORDING.basis([harm, harm])
    other = measure(replace(HARM, changed=strategy("standard,high_hold=0.12")))
    low, high = sorted((harm.variance_reduction, other.variance_reduction))
    assert f"have needed {low:.2g} to {high:.2g} times" in WORDING.basis([harm, other])
    # Where nothing changes there is nothing to save.
    same = measure(replace(HARM, changed=HARM.base))
    assert "needed" not in WORDING.basis([same])


def test_a_reason_has_sentences_tables_and_deals(harm):
    reason = WORDING.reason(harm)
    assert reason.sentences[0].startswith("It shows in ")
    assert len(reason.tables) == 2
    assert [words for words, _ in reason.deals] == ["helped most", "hurt most", "typical"]
    table, note = WORDING.reason_rows({"2 players": harm})
    assert table.columns == SUMMARY_COLUMNS
    assert [row[0] for row in table.rows] == ["2 players"]
    assert note.startswith("Why:")
    assert WORDING.reason_data(harm)["reasons"]["games"] == harm.reasons.games


def test_there_is_no_reason_where_nothing_differs_or_matches_are_played():
    same = measure(replace(HARM, changed=HARM.base))
    assert same.reasons is not None
    assert np.size(same.reasons.deal) == 0
    assert WORDING.reason(same) is None
    match = measure(replace(HARM, match=True))
    assert WORDING.reason(match) is None
    assert WORDING.reason_rows({"2 players": match}) is None
    assert WORDING.reason_data(match) == {"reasons": None}
