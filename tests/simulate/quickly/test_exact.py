"""Exact results against the published values, against enumeration, against other integrals, and against play."""

from __future__ import annotations

import json
import math
from fractions import Fraction
from functools import cache
from itertools import combinations, permutations
from pathlib import Path
from statistics import NormalDist

import numpy as np
import pytest
from scipy.integrate import quad

from simulate.quickly.burning import good_rounds
from simulate.quickly.engine import Group
from simulate.quickly.exact import (
    expected_rounds,
    mistake_counts,
    random_order,
    sort_success,
    timing_success,
    win_chance,
)
from simulate.quickly.reference import play
from simulate.quickly.rules import HIGHEST, VALUES, GroupRules
from strategies.errors import InputError
from strategies.organising import PLACE
from strategies.quickly import QUICKLY

VECTORS = json.loads(Path(__file__).with_name("exact_vectors.json").read_text())
PHI = NormalDist().cdf


def plain(sigma, **changes):
    return QUICKLY.strategy("plain").with_changes({"sigma": sigma, **changes})


def mistakes_of(order):
    mistakes, last = 0, 0
    for value in order:
        mistake = value < last
        mistakes, last = mistakes + mistake, 0 if mistake else value
    return mistakes


@pytest.mark.parametrize(
    ("allowed", "cards", "published"),
    [
        (allowed, int(cards), chance)
        for allowed in (0, 1)
        for cards, chance in VECTORS["random_order"][f"at_most_{allowed}"].items()
    ],
)
def test_random_order_is_as_published(allowed, cards, published):
    assert random_order(cards, allowed) == Fraction(published)


def test_mistakes_of_all_orders_of_six_are_as_published():
    published = VECTORS["random_order"]["mistake_counts_of_all_720_orders_of_6"]
    assert dict(enumerate(mistake_counts(6))) == {int(mistakes): orders for mistakes, orders in published.items()}


@pytest.mark.parametrize("cards", range(1, 9))
def test_mistake_counts_are_those_of_every_order(cards):
    found = [0] * (cards // 2 + 1)
    for order in permutations(range(1, cards + 1)):
        found[mistakes_of(order)] += 1
    assert tuple(found) == mistake_counts(cards)


@pytest.mark.parametrize("cards", [7, 8])
@pytest.mark.parametrize("allowed", [0, 1, 2])
def test_random_order_of_seven_and_eight_cards_agrees_with_shuffling(cards, allowed):
    samples = 400_000
    shuffled = np.random.default_rng(7).permuted(np.tile(np.arange(1, cards + 1), (samples, 1)), axis=1)
    good = int(good_rounds(shuffled, np.arange(cards)[None, :], allowed)[0])
    chance = float(random_order(cards, allowed))
    assert abs(good / samples - chance) < 4 * math.sqrt(chance * (1 - chance) / samples)


@pytest.mark.parametrize("good", [Fraction(0), Fraction(1, 3), Fraction(1, 2), Fraction(4, 5), Fraction(1)])
def test_the_game_follows_from_its_rounds_as_published(good):
    published = VECTORS["game"]
    names = {"p": good, "q": 1 - good}

    def value(formula):
        text = formula.replace("^", "**").replace(" (", "*(").replace(" p", "*p").replace(" q", "*q")
        return eval(text.replace("+*", "+ ").replace("(*", "("), {}, names)

    assert win_chance(good) == value(published["win"])
    assert expected_rounds(good) == value("3*(p^3 + q^3) + 12*p*q*(p^2 + q^2) + 30*p^2*q^2")


@pytest.mark.parametrize("target", [1, 2, 4])
def test_games_to_other_targets_follow_from_counting_every_course(target):
    good = Fraction(2, 5)
    won, rounds = Fraction(0), Fraction(0)
    courses = [(0, 0, Fraction(1))]
    while courses:
        wins, losses, chance = courses.pop()
        if target in (wins, losses):
            won += chance * (wins == target)
            rounds += chance * (wins + losses)
        else:
            courses += [(wins + 1, losses, chance * good), (wins, losses + 1, chance * (1 - good))]
    assert (win_chance(good, target), expected_rounds(good, target)) == (won, rounds)


@pytest.mark.parametrize(
    ("players", "sigma", "published"),
    [
        (int(name.split()[0]), float(sigma), chance)
        for name, chances in VECTORS["sort_organiser_round_success"].items()
        if name != "about"
        for sigma, chance in chances.items()
    ],
)
def test_sorting_is_as_published(players, sigma, published):
    assert sort_success(GroupRules.printed(players), plain(sigma)) == pytest.approx(published, abs=5.1e-6)


@pytest.mark.parametrize("sigma", [0.05, 0.3, 1.0, 2.7, 40.0])
def test_sorting_two_cards_is_a_single_normal_probability(sigma):
    chances = [PHI(abs(own - other) / sigma) for own in VALUES for other in VALUES if own != other]
    rules = GroupRules(2, 1, 0)
    assert sort_success(rules, plain(sigma)) == pytest.approx(sum(chances) / len(chances), abs=1e-9)
    assert sort_success(GroupRules(2, 1, 1), plain(sigma)) == pytest.approx(1, abs=1e-9)


@pytest.mark.parametrize("sigma", [0.4, 1.0, 2.5])
def test_sorting_three_cards_is_a_single_integral(sigma):
    """The lower of the others is at x with its density, the higher one above x; both on the right side of the own."""

    def chance(own, low, high):
        def upper(x):
            above = max(x, own) if high > own else x
            most = 1.0 if high > own else PHI((own - high) / sigma)
            return NormalDist(low, sigma).pdf(x) * max(0.0, most - PHI((above - high) / sigma))

        start, end = (own, 60.0) if low > own else (-40.0, own)
        return quad(upper, start, end, points=[point for point in (low, high) if start < point < end], limit=400)[0]

    hands = [(own, *pair) for own in VALUES for pair in combinations([v for v in VALUES if v != own], 2)]
    expected = sum(chance(*hand) for hand in hands) / len(hands)
    assert sort_success(GroupRules(3, 1, 0), plain(sigma)) == pytest.approx(expected, abs=1e-7)


def test_without_noise_nothing_goes_wrong_and_noise_alone_is_random_order():
    assert sort_success(GroupRules.printed(8), plain(0)) == 1
    # Two cards: the own one is known, so even boundless noise leaves its better half of the scale.
    assert sort_success(GroupRules(2, 1, 0), plain(100)) == pytest.approx(0.5, abs=0.02)


@pytest.mark.parametrize("players", [2, 3, 4, 6, 8])
@pytest.mark.parametrize("sigma", [0.5, 2.0])
def test_integration_agrees_with_play(players, sigma):
    rules, person = GroupRules.printed(players), plain(sigma)
    sums = Group(rules, (person,) * players).play(31, np.arange(100_000)).sums
    rounds, good = int(sums.rounds.sum()), int(sums.good.sum())
    chance = sort_success(rules, person)
    assert abs(good / rounds - chance) < 4 * math.sqrt(chance * (1 - chance) / rounds)


@pytest.mark.parametrize(
    "changes",
    [{"spread": 0.5}, {"spread": -0.4}, {"talk": 3}, {"clear_ends": 0.6}, {"listening": 0.9, "talk": 2, "spread": 1}],
    ids=str,
)
def test_habits_that_are_covered_agree_with_play(changes):
    rules, person = GroupRules(4, 1, 1), plain(1.5, **changes)
    sums = Group(rules, (person,) * 4).play(32, np.arange(100_000)).sums
    rounds, good = int(sums.rounds.sum()), int(sums.good.sum())
    chance = sort_success(rules, person)
    assert abs(good / rounds - chance) < 4 * math.sqrt(chance * (1 - chance) / rounds)
    assert abs(chance - sort_success(rules, plain(1.5))) > 0.002, "the habit changes nothing: the test shows nothing"


@pytest.mark.parametrize("changes", [{"shared_frame": 0.5}, {"organiser": 1}, {"own_shift": 1}], ids=str)
def test_habits_that_are_not_covered_are_refused(changes):
    with pytest.raises(InputError, match="exact results need"):
        sort_success(GroupRules.printed(4), plain(1, **changes))


def test_best_timing_without_noise_is_certain_only_if_nothing_can_lie_beside_the_own_card():
    """Two players with a card each: flip first or second; the other's value is unknown, so the larger side wins."""
    expected = sum(max(own - 1, HIGHEST - own) / (HIGHEST - 1) for own in VALUES) / HIGHEST
    assert timing_success(GroupRules(2, 1, 0), plain(1)) == pytest.approx(expected, abs=1e-9)


def test_best_timing_of_three_cards_follows_from_every_policy_tried():
    """Others perceived rightly: flip own at once, after the lower one if it is below a limit, or last."""
    sigma = 1e-9 + 0.06
    best = 0.0
    for own in VALUES:
        free = [value for value in VALUES if value != own]
        pairs = list(combinations(free, 2))
        policies = [frozenset(stop) for size in range(len(free) + 1) for stop in combinations(range(1, own), size)]
        counts = [sum(low > own for low, _ in pairs)]
        for stop in policies:
            counts.append(sum(low < own and (high > own if low in stop else high < own) for low, high in pairs))
        best += max(counts) / len(pairs)
    assert timing_success(GroupRules(3, 1, 0), plain(sigma)) == pytest.approx(best / HIGHEST, abs=1e-9)


def test_timing_needs_rules_without_an_allowance():
    with pytest.raises(InputError, match="no mistake"):
        timing_success(GroupRules.printed(6), plain(1))


def timing_chance(own, likelihoods):
    """Return the chance of a flawless row under the best timing of own cards, given what was heard.

    The organiser knows everything he can: how well what he heard of each other card fits each value. The others are
    flipped in the order given. By backward induction over (own cards flipped, others flipped, last value).

    Parameters
    ----------
    own
        The own values, rising.
    likelihoods
        Of each value 0-10 (0 unused) for each of the others, in the order in which they will be flipped; shape
        (others, 11).
    """
    others = len(likelihoods)
    usable = likelihoods.copy()
    usable[:, [0, *own]] = 0.0

    @cache
    def best(own_done: int, others_done: int, last: int) -> float:
        if own_done == len(own) and others_done == others:
            return 1.0
        ways = [0.0]
        if own_done < len(own) and own[own_done] > last:
            ways.append(best(own_done + 1, others_done, own[own_done]))
        if others_done < others:
            following = range(last + 1, HIGHEST + 1)
            ways.append(sum(usable[others_done, value] * best(own_done, others_done + 1, value) for value in following))
        return max(ways)

    @cache
    def any_values(others_done: int, taken: int) -> float:
        """Return the weight of every way to give the rest of the others different values."""
        if others_done == others:
            return 1.0
        free = [value for value in VALUES if not taken >> value & 1]
        return sum(float(usable[others_done, v]) * any_values(others_done + 1, taken | 1 << v) for v in free)

    return best(0, 0, 0) / any_values(0, 0)


@pytest.mark.parametrize("players", [2, 4, 5])
def test_the_replanner_does_as_well_as_backward_induction_says(players):
    """Round by round, induction gives the chance of the best timing; on average the replanner must reach just that."""
    rules, person = GroupRules.printed(players, target=1), plain(1.2, organiser=2)
    group = Group(rules, (person,) * players)
    chances, outcomes = [], []
    for deal in range(1500):
        one = play(group, 5, deal).rounds[0]
        own = tuple(sorted(v for c, v in enumerate(one.values) if c // rules.cards_each == one.organiser))
        others = [heard for c, heard in enumerate(one.heard) if c // rules.cards_each != one.organiser]
        places = np.array(sorted(others))[:, None] / PLACE
        likelihoods = np.exp(-(((places - np.arange(HIGHEST + 1)) / 1.2) ** 2) / 2)
        chances.append(timing_chance(own, likelihoods))
        outcomes.append(one.good)
    gap = np.array(outcomes, dtype=float) - np.array(chances)
    assert abs(gap.mean()) < 4 * gap.std() / math.sqrt(len(gap))
