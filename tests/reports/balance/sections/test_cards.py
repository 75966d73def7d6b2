"""The worth of cards: the section's numbers follow from raw games by other code."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest

from reports.balance.finding import total
from reports.balance.plan import BalancePlan, Effort
from reports.balance.sections import cards
from simulate import Rules, Table
from simulate.blocks import deals_of, play_block
from simulate.escalation.kernel.dealing import deck_order
from simulate.escalation.kernel.win_shares import WIN
from simulate.escalation.rules import PASS, Deck
from simulate.escalation.settings.openings import Openings
from simulate.escalation.state import TELEMETRY
from simulate.experiment import Experiment
from strategies.catalogue import strategy

DECK = Rules().deck
COPIES = np.array([*DECK.copies, DECK.wilds, DECK.passes])
PLAN = BalancePlan(Rules(players=3), effort=Effort("quick", 1, 5, 10), standard=strategy("minimal"))
TABLE = Table(PLAN.rules, (PLAN.standard,) * 3, "given")


def test_worths_follow_from_raw_games(play):
    """A plain regression on raw hands, with a dummy for each position and value 1 left out, clustered by deal."""
    finding = cards.measure(PLAN, play)
    frame = finding.frames["cards"].set_index("card")
    deals = deals_of(0)
    wins, counted = [], []
    scores = TABLE.play(1, deals).scores
    for deal, row in zip(deals, scores.tolist(), strict=True):
        order = deck_order(DECK, 1, int(deal))
        for position, score in enumerate(row):
            hand = Counter(order[position * 6 : position * 6 + 6])
            wins.append(100 * (score == min(row)) / row.count(min(row)))
            counted.append([*(hand[card] for card in range(2, PASS + 1)), *(position == p for p in range(3))])
    design, outcome = np.array(counted, dtype=float), np.array(wins)
    found = np.linalg.lstsq(design, outcome, rcond=None)[0]
    assert frame.loc["Pass", "wins"] - frame.loc["1", "wins"] == pytest.approx(found[13], abs=1e-6)
    assert frame.loc["9", "wins"] - frame.loc["4", "wins"] == pytest.approx(found[7] - found[2], abs=1e-6)
    assert frame["wins"] @ frame["copies"] == pytest.approx(0, abs=1e-9)

    # The sandwich's error of the Pass against the average card; 40 groups give it to about 11%.
    average = COPIES[1:] / COPIES.sum()
    contrast = np.concatenate([np.eye(14)[13] - average, np.zeros(3)])
    bread = np.linalg.inv(design.T @ design)
    per_deal = (design * (outcome - design @ found)[:, None]).reshape(len(deals), 3, -1).sum(axis=1)
    error = np.sqrt(contrast @ bread @ (per_deal.T @ per_deal) @ bread @ contrast)
    half = (frame.loc["Pass", "wins_high"] - frame.loc["Pass", "wins_low"]) / 2
    assert half == pytest.approx(2.02 * error, rel=0.4)


def test_cards_left_are_those_that_the_games_counted(play):
    left = cards.measure(PLAN, play).frames["cards_left"]
    telemetry = play_block(Experiment((TABLE,), 1), 0, 0)["telemetry"]
    counted = telemetry[:, :, TELEMETRY.index("cards_left")].sum(axis=0)
    hands = left[left["card"] == "any"].set_index("position")["left_per_game"] * 5040
    assert hands.drop("all").to_numpy() == pytest.approx(counted)
    assert hands["all"] == pytest.approx(counted.sum())
    by_card = left[left["card"] != "any"].groupby("position")["left_per_game"].sum() * 5040
    assert by_card.to_dict() == pytest.approx(hands.to_dict())
    assert left["share_left"].to_numpy() == pytest.approx((left["left_per_game"] / left["copies"]).to_numpy())


def test_the_section_says_what_it_found(play):
    finding = cards.measure(PLAN, play)
    assert finding.name == "cards"
    assert finding.finding.startswith("Dealt a Pass: +")
    assert {figure.csv for figure in finding.figures} | {table.csv for table in finding.tables} <= {
        f"{name}.csv" for name in finding.frames
    }
    lenient = BalancePlan(PLAN.rules, effort=PLAN.effort, standard=PLAN.standard, thresholds={"card-worth": 99.0})
    assert (finding.light, cards.measure(lenient, play).light) == ("bad", "good")


def test_a_deck_without_passes_and_with_nothing_to_draw_has_a_section_too(play):
    rules = Rules(deck=Deck.parse("1-6x2"), players=2)
    plan = BalancePlan(rules, player_counts=(2,), effort=PLAN.effort, standard=PLAN.standard)
    finding = cards.measure(plan, play)
    assert list(finding.frames["cards"]["card"]) == ["1", "2", "3", "4", "5", "6"]
    assert "undrawn_wins" not in finding.frames["cards"]


def test_wins_are_shares_of_a_whole(play):
    counts = total(play("raw", [Openings(TABLE)], 1)[0])
    assert counts["outcomes"][..., 0].sum() == 5040 * WIN


def test_a_deck_of_equal_cards_has_a_section_too(play):
    plan = BalancePlan(Rules(deck=Deck.parse("5x8"), players=2, hand_size=3), (2,), effort=PLAN.effort)
    finding = cards.measure(plan, play)
    assert finding.frames["cards"]["wins"].tolist() == [0]
    assert finding.light == "good"
