"""Luck and skill: shares from single games by other formulas, nothing where there is nothing, and what is planted."""

from __future__ import annotations

import numpy as np
import pytest

from reports.balance.plan import BalancePlan, Effort
from reports.balance.sections.luck import BLOCKS_OF_SHARES, SKILL, even_parts, measure, read_hands, read_shares
from simulate import Rules, Table
from simulate.escalation.settings.freezing import OpeningHands, PickFreeze
from strategies.catalogue import strategy
from tests.reports.balance.raw_games import ahead_of_all, shares_of_wins

FEW = Effort("quick", 1, 1, 1)
MINIMAL, NOVICE, STANDARD = (strategy(name) for name in ("minimal", "novice", "standard"))
PLAN = BalancePlan(Rules(players=3), (3,), effort=FEW, population=(STANDARD, MINIMAL, NOVICE))
DEALS = np.arange(BLOCKS_OF_SHARES * 5040)
OWN = 2


@pytest.fixture(scope="module")
def finding(play):
    return measure(PLAN, play)


def test_shares_are_covariances_of_single_games(finding):
    """Total by Jansen's formula, first-order by the covariance of games that agree in one cause."""
    outcomes = PickFreeze(PLAN.rules, PLAN.population).outcomes(1, DEALS) / 6
    variance = (outcomes**2).mean()
    frame = finding.frames["luck_shares"].set_index("cause")
    for bit, cause in enumerate(("deal", "position", "own strategy", "others")):
        mixtures = range(16)
        exchanged = np.mean([((outcomes[mix] - outcomes[mix ^ 1 << bit]) ** 2).mean() / 2 for mix in mixtures])
        assert frame.loc[cause, "total"] == pytest.approx(100 * exchanged / variance, abs=1e-9)
        agree = np.mean([(outcomes[mix] * outcomes[mix ^ 15 ^ 1 << bit]).mean() for mix in mixtures])
        assert frame.loc[cause, "first_order"] == pytest.approx(100 * agree / variance, abs=1e-9)
    assert frame["even_part"].sum() == pytest.approx(100)
    # A deal alone favours nobody: all its positions are equally likely.
    assert frame.loc["deal", "first_order_low"] <= 0 <= frame.loc["deal", "first_order_high"]


def test_opening_hands_by_analysis_of_variance(finding):
    """One-way analysis of variance, position by position: between hands, less what games of one hand explain."""
    outcomes = OpeningHands(PLAN.rules, PLAN.standard).outcomes(1, DEALS) / 6
    between, everything, of_position = [], [], []
    for position in range(3):
        games = outcomes[:, position::3]
        within = games.var(axis=0, ddof=1).mean()
        between.append(games.mean(axis=0).var(ddof=1) - within / 4)
        everything.append((games**2).mean())
        of_position.append(games.mean() ** 2)
    frame = finding.frames["opening_hand"].set_index("cause")["share"]
    assert frame["opening hand"] == pytest.approx(100 * np.mean(between) / np.mean(everything), rel=1e-6)
    assert frame["position"] == pytest.approx(100 * np.mean(of_position) / np.mean(everything), abs=0.02)
    assert 2 < frame["opening hand"] < 20


def test_games_until_the_better_one_is_ahead(finding):
    frame = finding.frames["until_better"].set_index(["unit", "second"])
    table = Table(PLAN.rules, (STANDARD, NOVICE, NOVICE), "rotate")
    played = table.play(1, np.arange(5040))
    at_seat = np.empty(played.scores.shape)
    np.put_along_axis(at_seat, played.seating, shares_of_wins(played.scores), axis=1)
    needed = int(frame.loc[("games", "novice"), "needed"])
    # Few games step over the mark: with one fewer it is not reached.
    assert ahead_of_all(at_seat, needed) > 0.94
    assert ahead_of_all(at_seat, needed - 2) < 0.95
    assert ("matches", "minimal") in frame.index


def test_the_section_says_for_whom_it_holds(finding):
    assert finding.name == "luck"
    assert finding.threshold == SKILL
    assert "standard, minimal, novice" in finding.texts[0]
    assert finding.light == "good"


def test_among_equal_players_strategy_has_no_share_at_the_stated_level():
    """Names without a difference: exactly nothing in total, and alone nothing but in about 5% of all intervals."""
    frozen = PickFreeze(Rules(players=3), (MINIMAL, MINIMAL))
    missed = {"own strategy": 0, "others": 0}
    for run in range(40):
        shares = read_shares(frozen.play_deals(1, np.arange(run * 1200, (run + 1) * 1200)))
        for one in shares.causes[OWN:]:
            assert one.total.low == one.total.high == pytest.approx(0, abs=1e-9)
            missed[one.cause] += not one.first_order.low <= 0 <= one.first_order.high
    # Two are expected of 40; more than seven come up in less than 0.1% of all such tests.
    assert max(missed.values()) <= 7
    assert sum(missed.values()) > 0


def test_a_planted_advantage_is_found():
    """Half of the players play at random: now the own strategy decides, and the others' do."""
    planted = read_shares(PickFreeze(Rules(players=3), (STANDARD, strategy("random"))).play_deals(1, DEALS[:5040]))
    equal = read_shares(PickFreeze(Rules(players=3), (STANDARD, STANDARD)).play_deals(1, DEALS[:5040]))
    for one, none in zip(planted.causes[OWN:], equal.causes[OWN:], strict=True):
        assert one.first_order.low > max(5.0, none.first_order.high)
        assert one.even_part.low > 10
    assert planted.luck.high < equal.luck.low
    # Without anything else to decide, luck decides everything.
    assert equal.luck.estimate == pytest.approx(100)


def test_even_parts_divide_everything():
    """What two causes do only together, they share; what one does alone, is its own."""
    explained = np.array([0.3 * bool(known & 1) + 0.7 * (known & 6 == 6) for known in range(16)])
    assert even_parts(explained) == pytest.approx([0.3, 0.35, 0.35, 0.0])


def test_a_hand_that_leaves_nothing_open_accounts_for_everything_but_the_position():
    from simulate.escalation.rules import Deck  # noqa: PLC0415

    hands = OpeningHands(Rules(Deck.parse("1-12x1"), players=2), MINIMAL)
    position, hand = read_hands(hands.play_deals(1, np.arange(2400)))
    assert position.estimate + hand.estimate == pytest.approx(100)
    assert hand.estimate > 50
