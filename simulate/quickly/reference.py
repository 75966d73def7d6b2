"""The slow engine: one game with lists and plain integers, written from the rules and told flip by flip.

It shares with the fast engine what a person is made of (`hearing.group_habits`) and how an organiser weighs chances
(`strategies.organising`), as both engines must; dealing, hearing, sorting, flipping and discarding it does its own way.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from simulate.quickly.engine import Group
from simulate.quickly.hearing import (
    ANSWERS_PER_DRAW,
    DRAWS_PER_ROUND,
    OFFSET_ANSWER,
    Habits,
)
from simulate.quickly.rules import VALUES, GroupRules
from simulate.rng import draw
from strategies.organising import (
    MOST_CARDS,
    PLACE,
    TOP,
    WEIGHT,
    decision_memory,
    fit,
    insert_own,
    next_of_two_rows,
    own_is_next,
)
from strategies.quickly import INSERT, REPLAN


@dataclass(frozen=True)
class Flip:
    """One card turned face up.

    Attributes
    ----------
    card
        Its number; card c belongs to position c // cards_each.
    value
        What it shows.
    row
        The row that it was flipped onto, oldest first; empty where it could not be a mistake.
    mistake
        Whether it is lower than the last card of the row; if so, row and card are discarded.
    """

    card: int
    value: int
    row: tuple[int, ...]
    mistake: bool


@dataclass(frozen=True)
class RoundRecord:
    """One round.

    Attributes
    ----------
    organiser
        The position that organises.
    values
        The value of each card.
    heard
        Where on the scale the organiser heard each card, in units of `PLACE`; own cards at their values.
    flips
        In order, up to the end of the round.
    good
        Whether the mistakes stayed within the allowance.
    """

    organiser: int
    values: tuple[int, ...]
    heard: tuple[int, ...]
    flips: tuple[Flip, ...]
    good: bool

    @property
    def mistakes(self) -> int:
        """How many mistakes were made."""
        return sum(flip.mistake for flip in self.flips)


@dataclass(frozen=True)
class GroupGameRecord:
    """One game, round by round."""

    rounds: tuple[RoundRecord, ...]

    @property
    def good(self) -> int:
        """Good rounds."""
        return sum(played.good for played in self.rounds)

    @property
    def bad(self) -> int:
        """Bad rounds."""
        return len(self.rounds) - self.good


def play(group: Group, seed: int, deal: int) -> GroupGameRecord:
    """Play one deal of a seed to its end."""
    cards_key, noise_key = group.keys(seed, deal)
    rounds: list[RoundRecord] = []
    good = 0
    while good < group.rules.target and len(rounds) - good < group.rules.target:
        number = len(rounds)
        organiser = (deal + number) % group.rules.players
        values = dealt(draw(cards_key, number), group.rules.cards)
        mind = Organiser(group.rules, group.habits, organiser, values, noise_key, number)
        played = play_round(group.rules, mind, values)
        rounds.append(played)
        good += played.good
    return GroupGameRecord(tuple(rounds))


def dealt(bits: int, cards: int) -> list[int]:
    """Deal different values: the upper 56 bits of a draw are a fraction of which each pick takes what it needs."""
    deck, fraction = list(VALUES), bits >> 8
    for place in range(cards):
        whole, fraction = divmod(fraction * (len(deck) - place), 1 << 56)
        deck[place], deck[place + whole] = deck[place + whole], deck[place]
    return deck[:cards]


def play_round(rules: GroupRules, mind: Organiser, values: Sequence[int]) -> RoundRecord:
    """Flip the cards one at a time until all lie, or a mistake too many was made."""
    flips: list[Flip] = []
    row: list[int] = []
    left = rules.mistakes
    good = True
    while good and len(flips) < rules.cards:
        card = mind.next_card([flip.card for flip in flips], row[-1] if row else 0, left)
        value = values[card]
        mistake = bool(row) and value < row[-1]
        flips.append(Flip(card, value, tuple(row), mistake))
        if not mistake:
            row.append(value)
        elif left == 0:
            good = False
        else:
            left -= 1
            row = []
    return RoundRecord(mind.organiser, tuple(values), tuple(mind.heard), tuple(flips), good)


class Organiser:
    """The organiser of one round: what was heard, and the decisions from it."""

    def __init__(
        self, rules: GroupRules, habits: Habits, organiser: int, values: Sequence[int], noise_key: int, number: int
    ) -> None:
        self.rules, self.habits, self.organiser = rules, habits, organiser
        self.values = list(values)
        self.cards = range(rules.cards)
        self.own = [card for card in self.cards if self.speaker(card) == organiser]
        common = self.normal(noise_key, number, OFFSET_ANSWER)
        self.heard = [self.hear(card, self.normal(noise_key, number, card), common) for card in self.cards]
        self.laid_out = None if habits.organiser[organiser] == REPLAN else self.lay_out()

    def speaker(self, card: int) -> int:
        """Return the position that holds a card."""
        return card // self.rules.cards_each

    def normal(self, noise_key: int, number: int, answer: int) -> int:
        """Return the normal of one answer of a round, in units of `PLACE`."""
        word, quarter = divmod(answer, ANSWERS_PER_DRAW)
        bits = (draw(noise_key, number * DRAWS_PER_ROUND + word) >> (16 * quarter)) & 0xFFFF
        size = int(self.habits.quantiles[bits >> 1])
        return size if bits & 1 else -size

    def hear(self, card: int, own_normal: int, common_normal: int) -> int:
        """Return where on the scale the organiser hears a card."""
        speaker, value = self.speaker(card), self.values[card]
        if speaker == self.organiser:
            return value * PLACE
        noise = int(self.habits.noise[self.organiser, speaker, value]) * own_normal
        frame = int(self.habits.frame[self.organiser, speaker, value]) * common_normal
        return int(self.habits.said[speaker, value]) + (noise + frame + PLACE // 2) // PLACE

    def lay_out(self) -> list[int]:
        """Decide on the order of all flips beforehand."""
        order = self.sorted(self.cards, self.heard)
        if self.habits.organiser[self.organiser] == INSERT:
            order = self.inserted(order)
        if shift := int(self.habits.shift[self.organiser]):
            order = self.shifted(order, shift)
        if self.habits.burns[self.organiser]:
            order = [order[rank] for rank in self.habits.templates[self.organiser, : self.rules.cards]]
        return order

    def sorted(self, cards: Sequence[int] | range, places: Sequence[int]) -> list[int]:
        """Return cards, those that seem lowest first."""
        return sorted(cards, key=lambda card: (places[card], card))

    def shifted(self, order: list[int], shift: int) -> list[int]:
        """Move every own card past so many cards of others."""
        others = [card for card in order if card not in self.own]
        before = {card: len([c for c in order[: order.index(card)] if c in others]) for card in order}
        moved = {card: min(max(before[card] + shift, 0), len(others)) for card in order if card in self.own}
        keys = {card: (place, 1, 0) for place, card in enumerate(others)}
        keys |= {card: (place, 0, order.index(card)) for card, place in moved.items()}
        return sorted(order, key=lambda card: keys[card])

    def weights(self, places: Sequence[int], flipped: Sequence[int]) -> NDArray[np.int64]:
        """Weigh every value of every card."""
        weights = np.zeros((MOST_CARDS, TOP + 1), dtype=np.int64)
        seen = [card for card in flipped if card not in self.own]
        taken = {self.values[card]: card for card in [*self.own, *flipped]}
        for card in self.cards:
            for value in VALUES:
                if taken.get(value, card) != card:
                    continue
                if card in self.own:
                    weights[card, value] = WEIGHT if value == self.values[card] else 0
                    continue
                speaker = self.speaker(card)
                distance = places[card] - int(self.habits.said[speaker, value])
                inverse = int(self.habits.inverse[self.organiser, speaker, value, len(seen)])
                weights[card, value] = fit(distance, inverse, self.habits.likelihoods)
        return weights

    def known(self) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """Return which cards are the organiser's own, and their values."""
        own = np.array([int(card in self.own) for card in self.cards], dtype=np.int64)
        return own, own * np.array(self.values, dtype=np.int64)

    def inserted(self, order: list[int]) -> list[int]:
        """Put the own cards where a flawless order is likeliest."""
        cards = np.array(order, dtype=np.int64)
        insert_own(cards, len(order), *self.known(), self.weights(self.heard, []), decision_memory())
        return [int(card) for card in cards]

    def next_card(self, flipped: list[int], last: int, left: int) -> int:
        """Return the card to flip next; `last` is the top of the row (0 if none), `left` the mistakes still allowed."""
        if self.laid_out is not None:
            return self.laid_out[len(flipped)]
        places = self.heard_again(flipped)
        rest = self.sorted([card for card in self.cards if card not in flipped], places)
        weights = self.weights(places, flipped)
        order = np.array(rest, dtype=np.int64)
        if left and self.habits.burns[self.organiser]:
            return rest[next_of_two_rows(order, 0, len(rest), last, left, weights, decision_memory())]
        flip_own = own_is_next(order, 0, len(rest), last, *self.known(), weights, decision_memory())
        return next(card for card in rest if (card in self.own) == flip_own)

    def heard_again(self, flipped: Sequence[int]) -> list[int]:
        """Return the places corrected by the common offset that the flips have shown."""
        seen = [card for card in flipped if card not in self.own]
        deviations = sum(
            self.heard[card] - int(self.habits.said[self.speaker(card), self.values[card]]) for card in seen
        )
        offset = deviations * int(self.habits.shrink[self.organiser, len(seen)]) // PLACE
        return [place if card in self.own else place - offset for card, place in enumerate(self.heard)]
