"""The persons of That Escalated Quickly: how they answer, how they listen, and how they organise a round."""

from __future__ import annotations

from typing import ClassVar, Final

from strategies.catalogue import Catalogue
from strategies.parameters import Parameter, Vocabulary
from strategies.strategy import Strategy

ORGANISERS: Final = ("sort", "insert", "replan")
"""How an organiser decides on the order of the cards."""
SORT, INSERT, REPLAN = range(len(ORGANISERS))

GREATEST_SIGMA: Final = 100.0
MOST_PERSONS: Final = 8

PERSON: Final = Vocabulary(
    (
        Parameter(
            "sigma",
            "card values",
            0.0,
            GREATEST_SIGMA,
            "how noisy answers are: the group's skill, a scenario rather than a tactic",
            "the noise of an answer: its standard deviation, speaker's and listener's part together",
        ),
        Parameter(
            "listening",
            "share",
            0.0,
            1.0,
            "how much of the noise arises in the listener's head rather than the speaker's",
            "the noise: variance sigma^2 = (1 - listening) sigma^2 of the speaker + listening sigma^2 of the listener",
        ),
        Parameter(
            "clear_ends",
            "share",
            0.0,
            1.0,
            "very low and very high numbers are easier to hint at",
            "the noise: a card v is heard with sigma x (1 - clear_ends x |v - 5.5| / 4.5)",
        ),
        Parameter(
            "talk",
            "persons",
            1.0,
            float(MOST_PERSONS - 1),
            "how many listeners pool their impressions of each answer (1 = the organiser alone)",
            "the listeners' part of the noise: its mean over so many listeners, the speaker never among them",
            whole=True,
        ),
        Parameter(
            "spread",
            "share",
            -0.9,
            4.0,
            "stretches the scale towards the ends (negative: squeezes it)",
            "an answer: 5.5 + (1 + spread) x (v - 5.5) is what it says",
        ),
        Parameter(
            "shared_frame",
            "share",
            0.0,
            1.0,
            "answers relative to earlier answers",
            "the noise: this share of its variance is an offset that all answers of the round have in common",
        ),
        Parameter(
            "own_anchor",
            "share",
            0.0,
            1.0,
            "the organiser uses his own answer to see where the common offset lies",
            "the common offset: so much of it is removed",
        ),
        Parameter(
            "organiser",
            "choice",
            0.0,
            len(ORGANISERS) - 1.0,
            "sort by point estimate; insert own cards where success is likeliest; replan after every flip",
            "the order of the flips",
            whole=True,
            choices=ORGANISERS,
        ),
        Parameter(
            "burn",
            "planned mistakes",
            0.0,
            1.0,
            "plans an allowed mistake: lays two well-spaced ascending runs instead of one",
            "the order of the flips, where the ruling planned_mistake permits it and a mistake is allowed",
            whole=True,
        ),
        Parameter(
            "own_shift",
            "places",
            -9.0,
            9.0,
            "flips the own cards later than their value says (negative: earlier)",
            "the order of the flips: so many other cards later",
            whole=True,
        ),
    )
)
"""What a person of That Escalated Quickly is made of."""


class Person(Strategy):
    """What one person does when answering, when listening and when organising."""

    vocabulary: ClassVar[Vocabulary] = PERSON


QUICKLY: Final = Catalogue("quickly.toml", Person)
"""The named strategies and tactics of That Escalated Quickly."""


def person(text: str) -> Person:
    """Read a person as a user writes it (see `strategies.catalogue.Catalogue.strategy`).

    Examples
    --------
    >>> person("plain,organiser=replan")["organiser"]
    2.0
    """
    found = QUICKLY.strategy(text)
    return Person(found.label, found.values)
