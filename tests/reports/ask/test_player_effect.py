"""The effect on one player, against what the games themselves say."""

from __future__ import annotations

import numpy as np
import pytest

from reports.ask.player_effect import MeasuredPlayer
from reports.ask.verdict import Stopping
from reports.estimates.betting import Watched, watched_interval
from simulate import Rules
from simulate.blocks import JUDGING_BLOCK, deals_of
from simulate.escalation.kernel.win_shares import whole_win, win_shares
from simulate.escalation.settings.comparison import Comparison, unit_differences
from strategies.catalogue import strategy

COSTLY = Comparison(Rules(players=2), strategy("standard"), strategy("standard,pass_hoard=0"))
SEED = 1


def test_every_number_is_what_the_games_say():
    deals = deals_of(JUDGING_BLOCK)
    found = MeasuredPlayer.measure(COSTLY, SEED, Stopping(most_deals=5040))
    pairs = COSTLY.pairs(SEED, deals)
    base, changed = win_shares(pairs.base) / 2, win_shares(pairs.changed) / 2
    own = np.arange(2)
    per_deal = (changed[own, :, own] - base[own, :, own]).mean(axis=0) * 100
    assert found.wins.estimate == pytest.approx(per_deal.mean())
    cards = unit_differences(pairs, match=False)[1] / 2
    assert found.score.estimate == pytest.approx(cards.mean())
    # The score's interval is the wins' kind, from the same bets on another number.
    wide = Watched.from_histogram(np.bincount((2 * cards + 112).astype(int), minlength=225), -56, 56)
    assert found.score == watched_interval(wide, 0.05)
    other = (changed[own, :, 1 - own] - base[own, :, 1 - own]).mean() * 100
    assert found.effect("next_wins").estimate == pytest.approx(other) == found.effect("previous_wins").estimate
    # Two players share one win, so what one gains the other loses.
    assert found.wins.estimate == pytest.approx(-other)
    apart = base[own, :, own].var() + changed[own, :, own].var()
    assert found.variance_reduction == pytest.approx(apart * 100**2 / (2 * per_deal.var()), rel=1e-6)
    assert found.counts["wins"][0].sum() / (whole_win(2) * 2 * 5040) == pytest.approx(0.5)
    assert found.games == 2 * 5040
    assert found.changed_games == pairs.differs.sum()


def test_a_change_that_changes_nothing_has_no_effect_and_needs_no_other_deals():
    same = Comparison(Rules(players=2), strategy("standard"), strategy("standard"))
    found = MeasuredPlayer.measure(same, SEED, Stopping(most_deals=5040))
    assert found.changed_games == 0
    assert found.score.estimate == 0
    assert 0 < found.score.half_width < 0.1
    assert found.variance_reduction == np.inf
    assert found.as_data()["variance_reduction"] is None
    assert found.arms == ("standard", "standard")


def test_matches_have_no_reason():
    match = Comparison(Rules(players=2), strategy("standard"), strategy("standard,pass_hoard=0"), match=True)
    found = MeasuredPlayer.measure(match, SEED, Stopping(most_deals=5040))
    assert (found.reason_settings, found.reasons) == ((), None)


def test_the_reason_is_found_at_every_seat_of_the_focal_player():
    found = MeasuredPlayer.measure(COSTLY, SEED, Stopping(most_deals=5040))
    assert [seat.focal for seat in found.reason_settings] == [0, 1]
    assert all(seat.comparison == COSTLY for seat in found.reason_settings)
    # As long as nothing was played for it, there is none.
    assert found.reasons is None
