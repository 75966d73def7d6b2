"""What a strategy does to its neighbours: numbers from plain games, nothing found where there is nothing."""

from __future__ import annotations

import numpy as np
import pytest

from reports.balance.plan import BalancePlan, Effort
from reports.balance.sections.neighbours import (
    BESIDE,
    SIDES,
    Neighbours,
    effects,
    greatest_effect,
    main_finding,
    measure,
)
from reports.estimates.intervals import Interval
from simulate import Rules, Table
from simulate.escalation.settings.comparison import Comparison
from strategies.catalogue import strategy

FEW = Effort("quick", 1, 1, 1)
STANDARD, NOVICE = strategy("standard"), strategy("novice")
PLAN = BalancePlan(Rules(), (4,), effort=FEW, population=(STANDARD, NOVICE, strategy("jumper")))


@pytest.fixture(scope="module")
def finding(play):
    return measure(PLAN, play)


def share(scores, place):
    return (scores[place] == min(scores)) / scores.count(min(scores))


def test_changes_are_those_of_plain_games(finding):
    deals = np.arange(5040)
    before = Table(PLAN.rules, (STANDARD,) * 4, "given").play(1, deals).scores.tolist()
    changes = {1: [], -1: []}
    cards = []
    for position in range(4):
        seats = [STANDARD] * 4
        seats[position] = NOVICE
        after = Table(PLAN.rules, tuple(seats), "given").play(1, deals).scores.tolist()
        for side, found in changes.items():
            place = (position + side) % 4
            found += [share(new, place) - share(old, place) for new, old in zip(after, before, strict=True)]
        place = (position + 1) % 4
        cards += [new[place] - old[place] for new, old in zip(after, before, strict=True)]
    frame = finding.frames["neighbours"].set_index(["strategy", "affects"])
    row = frame.loc["novice", "the next player"]
    assert row["wins_per_100_games"] == pytest.approx(100 * np.mean(changes[1]), abs=1e-9)
    assert row["score"] == pytest.approx(np.mean(cards), abs=1e-9)
    # Four games of a deal count once. Two newcomers, three players each: 5% divided by six is 2.638 standard errors.
    by_deal = 100 * np.array(changes[1]).reshape(4, -1).mean(axis=0)
    reach = row["wins_per_100_games_high"] - row["wins_per_100_games"]
    # Two deals that were not seen are added, with a whole win more and less.
    spread = ((by_deal - by_deal.mean()) ** 2).sum() + 2 * 100**2
    assert reach == pytest.approx(2.638 * np.sqrt(spread / 5039 / 5040), rel=1e-3)
    previous = frame.loc["novice", "the previous player"]
    assert previous["wins_per_100_games"] == pytest.approx(100 * np.mean(changes[-1]), abs=1e-9)


def test_the_finding_names_the_strategy_whose_neighbours_feel_it_most(finding):
    assert finding.name == "neighbours"
    assert (finding.light, finding.threshold) == ("bad", BESIDE)
    assert "a novice player in place of a standard one" in finding.finding
    assert finding.figures[0].csv == "neighbours.csv"


def test_equal_players_have_no_effect_at_the_stated_level():
    """A novice replaced by one whose slips are drawn anew: 95% intervals miss nothing in about 5%.

    He sits among others than himself: the wins of equals would add up to one in every deal, whatever he does.
    """
    comparison = Comparison(Rules(players=3), NOVICE, NOVICE, (STANDARD, STANDARD), noise_salt=1)
    missed = dict.fromkeys(SIDES, 0)
    for run in range(60):
        counts = comparison.play_deals(1, np.arange(run * 600, (run + 1) * 600))
        for side, interval in effects(counts, comparison.rules, "wins", 0.95).items():
            missed[side] += not interval.low <= 0 <= interval.high
    # Three are expected of 60; more than nine come up in less than 0.1% of all such tests.
    assert max(missed.values()) <= 9
    assert sum(missed.values()) > 0


def test_an_even_loss_is_beyond_nothing():
    """Who loses six wins to three others gives two to each of them."""
    exact = {side: Interval(wins, wins, wins) for side, wins in zip(SIDES, (-6.0, 2.0, 2.0), strict=True)}
    even = Neighbours("x", 4, 5040, exact, exact)
    assert even.beyond("the next player").estimate == 0
    assert greatest_effect([even]).high == 0
    assert "hardly matters: no neighbour gains or loses more than 0.0 wins" in main_finding(PLAN, [even])
    wide = {side: Interval(wins, wins - 4, wins + 4) for side, wins in zip(SIDES, (-6.0, 2.0, 2.0), strict=True)}
    # Nothing is found, but an effect beyond the threshold is not excluded: that is not "no difference".
    assert "is open" in main_finding(PLAN, [Neighbours("x", 4, 5040, wide, wide)])


def test_two_players_have_no_neighbours_to_tell_apart(play):
    assert "no neighbours" in measure(BalancePlan(Rules(players=2), (2,), effort=FEW), play).finding
