"""The reason in words and numbers, and the commands that show deals."""

from __future__ import annotations

import json
import shlex

import numpy as np
import pytest
from click.testing import CliRunner
from scipy.stats import t as student

import cli
from reports.ask.player_effect import MeasuredPlayer
from reports.ask.player_reason import (
    SUMMARY_COLUMNS,
    deals_to_see,
    exemplary_deals,
    firing_rows,
    firings_per_game,
    parts_rows,
    plus,
    reason_row,
    reason_sentences,
    reasons_data,
    worth_of,
)
from reports.ask.verdict import Stopping
from simulate import Rules
from simulate.escalation.kernel.win_shares import whole_win
from simulate.escalation.settings.comparison import Comparison
from strategies.catalogue import strategy
from tests.simulate.escalation.settings.test_reasons import find_reasons

SEED = 1
PAIRED = Comparison(
    Rules(players=3), strategy("standard"), strategy("standard,pass_hoard=0"), (strategy("novice"),) * 2
)


@pytest.fixture(scope="module")
def reasons():
    return find_reasons(PAIRED, SEED, np.arange(500))


@pytest.fixture(scope="module")
def measured():
    return MeasuredPlayer.measure(PAIRED, SEED, Stopping(most_deals=5040))


def test_the_parts_shown_add_up_to_the_whole_score(reasons):
    *parts, (words, whole) = parts_rows(reasons)
    assert words.startswith("together")
    assert float(whole) == pytest.approx(sum(float(number) for _, number in parts), abs=0.0031)
    assert float(whole) == pytest.approx(reasons.scores.sum() / 1500, abs=0.0005)


def test_every_division_of_the_differing_games_covers_them_all(reasons):
    rows = {row[0]: int(row[3].replace(",", "")) for row in firing_rows(reasons, PAIRED.rules)}
    everything = len(reasons.deal)
    leading = rows.get("leading", 0)
    assert rows["all"] == everything
    assert leading + sum(number for words, number in rows.items() if words.startswith("target")) == everything
    assert leading + sum(number for words, number in rows.items() if words.startswith("pile")) == everything
    assert sum(number for words, number in rows.items() if "deck" in words) == everything


def test_every_division_of_the_turns_on_which_it_shows_covers_them_all(reasons):
    rows = {row[0]: float(row[1].removesuffix("%")) for row in firing_rows(reasons, PAIRED.rules)}
    firings = reasons.firings
    assert rows["target 1-6"] == pytest.approx(
        100 * np.mean((firings.pile > 0) & (firings.target >= 1) & (firings.target <= 6)), abs=0.051
    )
    for kind in ("target", "pile", "deck"):
        shares = [share for words, share in rows.items() if kind in words]
        leading = 0 if kind == "deck" else rows.get("leading", 0)
        assert sum(shares) + leading == pytest.approx(100, abs=0.3)


def test_how_often_it_shows_per_game_is_an_average_over_deals(reasons):
    firings = reasons.firings
    of_deal = np.bincount(firings.deal, minlength=firings.deals) / 3
    found = firings_per_game(firings)
    assert found.estimate == pytest.approx(len(firings.deal) / firings.games) == pytest.approx(of_deal.mean())
    assert found.half_width == pytest.approx(1.959964 * of_deal.std(ddof=1) / np.sqrt(firings.deals))


def test_what_a_difference_is_worth_is_clustered_by_deal(reasons):
    everything = np.ones(len(reasons.deal), dtype=bool)
    worth = worth_of(reasons, everything, 3)
    wins = reasons.wins / whole_win(3) * 100
    assert worth.estimate == pytest.approx(wins.mean())
    sums = [(wins[reasons.deal == deal] - wins.mean()).sum() for deal in np.unique(reasons.deal)]
    # Two games that were not seen are added, a win more and a win less; there are so many deals of Student's t.
    reach = student.ppf(0.975, len(sums) - 1) * np.sqrt(np.square(sums).sum() + 2 * 100**2) / len(wins)
    assert worth.half_width == pytest.approx(reach)


def test_what_a_few_deals_say_has_no_interval(reasons):
    few = np.isin(reasons.deal, np.unique(reasons.deal)[:9])
    worth = worth_of(reasons, few, 3)
    assert np.isnan([worth.low, worth.high]).all()
    assert worth.estimate == pytest.approx((reasons.wins[few] / whole_win(3) * 100).mean())


def test_the_words_say_how_often_in_cards_and_who_pays(measured, reasons):
    often, cards, pays = reason_sentences(measured, reasons)
    assert f"{measured.changed_games / measured.games:.1%} of games" in often
    firings = reasons.firings
    assert f"show on {len(firings.deal) / firings.turns:.1%} of his turns" in often
    assert f"(first {firings.deals} deals)" in often
    assert f"together {plus(reasons.parts.sum() / reasons.games, 2)}" in cards
    assert "next player" in pays


def test_the_reason_in_a_row_is_the_reason_in_sentences(measured, reasons):
    row = dict(zip(SUMMARY_COLUMNS, reason_row("3 players", measured, reasons), strict=True))
    often, cards, pays = reason_sentences(measured, reasons)
    assert row["why"] == "3 players"
    assert f"in {row['games it shows in']} of games" in often
    assert f"on {row['turns it shows on']} of his turns" in often
    assert f"forced takes {row['forced takes']}, takes after the other game had ended {row['after the end']}" in cards
    assert f"together {row['cards together']} " in cards
    assert f"next player {row['next player']}, the previous player {row['previous player']} wins" in pays


def test_deals_to_see_are_the_extremes_and_the_middle(reasons):
    found = {words: (deal, focal) for words, deal, focal in exemplary_deals(reasons)}

    def outcome(words):
        deal, focal = found[words]
        index = np.flatnonzero((reasons.deal == deal) & (reasons.focal == focal))[0]
        return reasons.wins[index], reasons.scores[index]

    best = reasons.wins.max()
    assert outcome("helped most") == (best, reasons.scores[reasons.wins == best].min())
    worst = reasons.wins.min()
    assert outcome("hurt most") == (worst, reasons.scores[reasons.wins == worst].max())
    distance = np.abs(reasons.scores - np.median(reasons.scores))
    assert abs(outcome("typical")[1] - np.median(reasons.scores)) == distance.min()


def test_the_command_shows_just_these_two_games(measured, reasons):
    (words, command), *_ = deals_to_see(measured, reasons)
    assert words == "helped most"
    _, deal, focal = exemplary_deals(reasons)[0]
    program, *arguments = shlex.split(command)
    assert program == "escalation"
    data = json.loads(CliRunner().invoke(cli.main, [*arguments, "--json"]).stdout)
    played = PAIRED.pairs(SEED, np.array([deal]))
    for name, scores in (("first", played.base), ("second", played.changed)):
        assert [position["score"] for position in data[name]["positions"]] == scores[focal, 0].tolist()
    told = CliRunner().invoke(cli.main, arguments)
    assert told.exit_code == 0
    assert f"The same up to turn {data['turns_in_common']}; from there A and B" in told.stdout


def test_the_data_holds_whole_numbers_that_add_up(measured, reasons):
    data = reasons_data(reasons, measured)
    assert sum(data["score_parts_in_cards"].values()) == data["score_difference_in_cards"]
    assert json.loads(json.dumps(data)) == data
