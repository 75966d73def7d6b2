"""The fast engine: plays games to their end, many per call, and adds up what happened."""

from __future__ import annotations

from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from simulate.experiment import no_counts
from simulate.jit import jitted, kernel
from simulate.quickly.hearing import (
    ANSWERS_PER_DRAW,
    DRAWS_PER_ROUND,
    OFFSET_ANSWER,
    Habits,
    heard_at,
    normal_of,
)
from simulate.quickly.rules import HIGHEST
from simulate.rng import FRACTION, FRACTION_DROPS, FRACTION_SHIFT, draw_bits
from strategies.organising import (
    MOST_CARDS,
    WEIGHT,
    DecisionMemory,
    decision_memory,
    fit,
    insert_own,
    next_of_two_rows,
    own_is_next,
    shift_own,
    sort_by_place,
)
from strategies.quickly import INSERT, REPLAN

NO_FLIP: Final = -1

_BITS_PER_ANSWER = np.uint64(16)
_DRAWS_PER_ROUND = np.uint64(DRAWS_PER_ROUND)
_OFFSET_DRAW = np.uint64(OFFSET_ANSWER // ANSWERS_PER_DRAW)
_OFFSET_SHIFT = np.uint64(16 * (OFFSET_ANSWER % ANSWERS_PER_DRAW))
_TEN = np.uint64(HIGHEST)


class GroupRuleNumbers(NamedTuple):
    """The rules as the kernel reads them; the names are those of `GroupRules`."""

    players: int
    cards_each: int
    cards: int
    mistakes: int
    target: int


class Round(NamedTuple):
    """Working memory of one round, one entry per card (card c belongs to position c // cards_each).

    Attributes
    ----------
    deck
        The ten cards, the dealt ones first.
    values
        The value of each card.
    heard
        Where the organiser heard it.
    places, own, known, weights, order
        What the organiser believes, as in `strategies.organising`.
    ranked
        The cards in the order of their places.
    memory
        Working memory of the decisions.
    """

    deck: NDArray[np.int64]
    values: NDArray[np.int64]
    heard: NDArray[np.int64]
    places: NDArray[np.int64]
    own: NDArray[np.int64]
    known: NDArray[np.int64]
    weights: NDArray[np.int64]
    order: NDArray[np.int64]
    ranked: NDArray[np.int64]
    memory: DecisionMemory


def new_round() -> Round:
    """Allocate the working memory of rounds."""
    of_cards = [no_counts(MOST_CARDS) for _ in range(7)]
    weights = no_counts(MOST_CARDS, HIGHEST + 1)
    return Round(no_counts(HIGHEST), *of_cards[:5], weights, *of_cards[5:], decision_memory())


class GroupDeals(NamedTuple):
    """Which deals to play.

    Attributes
    ----------
    numbers
        Deal numbers, shape (games,).
    streams
        Streams of cards and of noise: `draw(streams[0], deal)` deals, `draw(streams[1], deal)` is the noise.
    """

    numbers: NDArray[np.int64]
    streams: NDArray[np.uint64]


class GroupSums(NamedTuple):
    """Integer sums over games.

    Attributes
    ----------
    games, wins
        How many, shape (1,).
    final_scores
        Games by good and bad rounds at the end, shape (target + 1, target + 1).
    rounds, good
        Rounds, and good ones, by the organiser's position; shape (players,).
    good_products
        Sums over games of good^2, good x rounds and rounds^2, shape (3,).
    mistakes
        Rounds by mistakes made, shape (allowed + 2,).
    died_at
        Bad rounds by the number of the flip that ended them, from 1; shape (cards + 1,).
    confusions
        Mistakes by the value flipped before and the lower value flipped then, shape (11, 11).
    own_mistakes
        Mistakes in which one of the two cards was the organiser's own, shape (1,).
    """

    games: NDArray[np.int64]
    wins: NDArray[np.int64]
    final_scores: NDArray[np.int64]
    rounds: NDArray[np.int64]
    good: NDArray[np.int64]
    good_products: NDArray[np.int64]
    mistakes: NDArray[np.int64]
    died_at: NDArray[np.int64]
    confusions: NDArray[np.int64]
    own_mistakes: NDArray[np.int64]


def new_sums(rules: GroupRuleNumbers) -> GroupSums:
    """Allocate sums, all zero."""
    scores, players, values = rules.target + 1, rules.players, HIGHEST + 1
    return GroupSums(
        no_counts(1), no_counts(1), no_counts(scores, scores), no_counts(players), no_counts(players),
        no_counts(3), no_counts(rules.mistakes + 2), no_counts(rules.cards + 1), no_counts(values, values),
        no_counts(1),
    )  # fmt: skip


class GroupResults(NamedTuple):
    """What happened in each game.

    Attributes
    ----------
    good, bad
        Rounds of either kind, shape (games,).
    flips
        The value of every flip, shape (games, rounds, cards), NO_FLIP after the end; or (0, rounds, cards) for none.
    sums
        Over all games.
    """

    good: NDArray[np.int8]
    bad: NDArray[np.int8]
    flips: NDArray[np.int8]
    sums: GroupSums


@jitted
def deal_cards(key: np.uint64, cards: int, table: Round) -> None:
    """Deal different values with one 64-bit draw (Fisher and Yates).

    The chance of each hand is off by less than 10! / 2^56 of itself.
    """
    for value in range(HIGHEST):
        table.deck[value] = value + 1
    fraction = key >> FRACTION_DROPS
    for card in range(cards):
        fraction *= _TEN - np.uint64(card)
        other = card + np.int64(fraction >> FRACTION_SHIFT)
        fraction &= FRACTION
        table.values[card] = table.deck[other]
        table.deck[other] = table.deck[card]


@jitted
def hear(
    noise_key: np.uint64, round_number: int, organiser: int, rules: GroupRuleNumbers, habits: Habits, table: Round
) -> None:
    """Give the organiser a place for every card: own cards at their values, the others where they are heard."""
    first = np.uint64(round_number) * _DRAWS_PER_ROUND
    common = normal_of(draw_bits(noise_key, first + _OFFSET_DRAW) >> _OFFSET_SHIFT, habits.quantiles)
    bits = np.uint64(0)
    for card in range(rules.cards):
        if card % ANSWERS_PER_DRAW == 0:
            bits = draw_bits(noise_key, first + np.uint64(card // ANSWERS_PER_DRAW))
        normal = normal_of(bits, habits.quantiles)
        bits >>= _BITS_PER_ANSWER
        speaker, value = card // rules.cards_each, table.values[card]
        table.order[card] = card
        if speaker == organiser:
            table.own[card], table.known[card], table.heard[card] = 1, value, value << 16
        else:
            noise, frame = habits.noise[organiser, speaker, value], habits.frame[organiser, speaker, value]
            table.own[card], table.known[card] = 0, 0
            table.heard[card] = heard_at(habits.said[speaker, value], noise, frame, normal, common)
        table.places[card] = table.heard[card]


@jitted
def believe(organiser: int, seen: int, rules: GroupRuleNumbers, habits: Habits, table: Round) -> None:
    """Weigh every value of every card of the others, with so many of them seen."""
    for card in range(rules.cards):
        speaker = card // rules.cards_each
        for value in range(1, HIGHEST + 1):
            if table.own[card] == 1:
                table.weights[card, value] = WEIGHT if value == table.known[card] else 0
            else:
                distance = table.places[card] - habits.said[speaker, value]
                inverse = habits.inverse[organiser, speaker, value, seen]
                table.weights[card, value] = fit(distance, inverse, habits.likelihoods)
    for card in range(rules.cards):
        if table.own[card] == 1:
            rule_out(table.known[card], card, rules.cards, table)


@jitted
def rule_out(value: int, holder: int, cards: int, table: Round) -> None:
    """No card but its holder has this value."""
    for card in range(cards):
        if card != holder:
            table.weights[card, value] = 0


@jitted
def lay_out(organiser: int, rules: GroupRuleNumbers, habits: Habits, table: Round) -> None:
    """Decide on the order of all flips, as far as it is fixed beforehand."""
    sort_by_place(table.order, 0, rules.cards, table.places)
    if habits.organiser[organiser] == INSERT:
        believe(organiser, 0, rules, habits, table)
        insert_own(table.order, rules.cards, table.own, table.known, table.weights, table.memory)
    if habits.shift[organiser] != 0:
        shift_own(table.order, rules.cards, table.own, habits.shift[organiser], table.memory)
    if habits.burns[organiser] == 1 and habits.organiser[organiser] != REPLAN:
        for place in range(rules.cards):
            table.ranked[place] = table.order[place]
        for place in range(rules.cards):
            table.order[place] = table.ranked[habits.templates[organiser, place]]


@jitted
def hear_again(organiser: int, flipped: int, rules: GroupRuleNumbers, habits: Habits, table: Round) -> int:
    """Correct the places of the others by the common offset that the flips have shown; return how many they showed."""
    seen, deviations = 0, 0
    for place in range(flipped):
        card = table.order[place]
        if table.own[card] == 0:
            seen += 1
            deviations += table.heard[card] - habits.said[card // rules.cards_each, table.values[card]]
    offset = deviations * habits.shrink[organiser, seen] >> 16
    for card in range(rules.cards):
        table.places[card] = table.heard[card] - (0 if table.own[card] == 1 else offset)
    return seen


@jitted
def decide_anew(
    organiser: int, flipped: int, last: int, left: int, rules: GroupRuleNumbers, habits: Habits, table: Round
) -> None:
    """Bring the card to flip next to its place, from all that the flips have shown."""
    seen = hear_again(organiser, flipped, rules, habits, table)
    believe(organiser, seen, rules, habits, table)
    for place in range(flipped):
        rule_out(table.values[table.order[place]], table.order[place], rules.cards, table)
    sort_by_place(table.order, flipped, rules.cards, table.places)
    chosen = flipped
    if left > 0 and habits.burns[organiser] == 1:
        chosen = next_of_two_rows(table.order, flipped, rules.cards, last, left, table.weights, table.memory)
    else:
        flip_own = own_is_next(
            table.order, flipped, rules.cards, last, table.own, table.known, table.weights, table.memory
        )
        while table.own[table.order[chosen]] != (1 if flip_own else 0):
            chosen += 1
    card = table.order[chosen]
    for place in range(chosen, flipped, -1):
        table.order[place] = table.order[place - 1]
    table.order[flipped] = card


@jitted
def play_round(
    organiser: int, rules: GroupRuleNumbers, habits: Habits, table: Round, sums: GroupSums, flips: NDArray[np.int8]
) -> bool:
    """Flip the cards until all lie or a mistake too many was made; return whether the round is good."""
    lay_out(organiser, rules, habits, table)
    last, last_own, mistakes = 0, 0, 0
    for flipped in range(rules.cards):
        if habits.organiser[organiser] == REPLAN:
            decide_anew(organiser, flipped, last, rules.mistakes - mistakes, rules, habits, table)
        card = table.order[flipped]
        value = table.values[card]
        if flips.shape[0] > 0:
            flips[flipped] = value
        if value > last:
            last, last_own = value, table.own[card]
        else:
            sums.confusions[last, value] += 1
            sums.own_mistakes[0] += max(last_own, table.own[card])
            mistakes += 1
            last = 0
            if mistakes > rules.mistakes:
                sums.mistakes[mistakes] += 1
                sums.died_at[flipped + 1] += 1
                return False
    sums.mistakes[mistakes] += 1
    return True


@jitted
def add_game(good: int, bad: int, rules: GroupRuleNumbers, sums: GroupSums) -> None:
    """Add a finished game to the sums."""
    sums.games[0] += 1
    sums.wins[0] += 1 if good == rules.target else 0
    sums.final_scores[good, bad] += 1
    sums.good_products[0] += good * good
    sums.good_products[1] += good * (good + bad)
    sums.good_products[2] += (good + bad) * (good + bad)


@kernel
def play_games(rules: GroupRuleNumbers, habits: Habits, deals: GroupDeals, table: Round, results: GroupResults) -> None:
    """Play every deal and fill the results in place; sums are added to what is there."""
    sums = results.sums
    for game in range(deals.numbers.shape[0]):
        deal = np.uint64(deals.numbers[game])
        cards_key, noise_key = draw_bits(deals.streams[0], deal), draw_bits(deals.streams[1], deal)
        good, bad = 0, 0
        while good < rules.target and bad < rules.target:
            round_number = good + bad
            organiser = (deals.numbers[game] + round_number) % rules.players
            deal_cards(draw_bits(cards_key, np.uint64(round_number)), rules.cards, table)
            hear(noise_key, round_number, organiser, rules, habits, table)
            flips = results.flips[game, round_number] if results.flips.shape[0] > 0 else results.flips[:, 0, 0]
            sums.rounds[organiser] += 1
            if play_round(organiser, rules, habits, table, sums, flips):
                good += 1
                sums.good[organiser] += 1
            else:
                bad += 1
        results.good[game], results.bad[game] = good, bad
        add_game(good, bad, rules, sums)
