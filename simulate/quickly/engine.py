"""The fast engine's front: a group of persons and the rules they play by, as a setting that the runner can play."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from simulate.experiment import Counts, Spec
from simulate.quickly.game import NO_FLIP, GroupDeals, GroupResults, GroupRuleNumbers, new_round, new_sums, play_games
from simulate.quickly.hearing import Habits, group_habits
from simulate.quickly.rules import GroupRules
from simulate.rng import deal_streams, draw
from strategies.errors import InputError
from strategies.quickly import REPLAN, Person


@dataclass(frozen=True)
class Group:
    """The rules of a group, and the person at each position.

    Attributes
    ----------
    rules
        What is played.
    persons
        One per player, clockwise. In deal d, person d mod players organises the first round.
    noise_salt
        Groups that differ only here are equal in law, but their noise is not.
    """

    rules: GroupRules
    persons: tuple[Person, ...]
    noise_salt: int = 0

    def __post_init__(self) -> None:
        """Check the persons against the rules."""
        if len(self.persons) != self.rules.players:
            raise InputError(
                f"{len(self.persons)} strategies for {self.rules.players} players: one per player is needed"
            )
        for person in self.persons:
            if person["burn"]:
                self._check_planning(person)
            if person["own_shift"] and (person["organiser"] == REPLAN or person["burn"]):
                raise InputError(
                    f"'{person.label}' has an own_shift: that needs an order fixed beforehand (organiser sort or "
                    "insert) and no planned mistake"
                )

    def _check_planning(self, person: Person) -> None:
        if self.rules.mistakes == 0:
            raise InputError(
                f"'{person.label}' plans a mistake, but with {self.rules.players} players none is allowed: burn=0, or "
                "more mistakes"
            )
        if not self.rules.planned_mistake:
            raise InputError(
                f"'{person.label}' plans a mistake, which the ruling planned_mistake does not permit: burn=0, or "
                "planned_mistake=true"
            )

    def play_deals(self, seed: int, deals: NDArray[np.int64]) -> Counts:
        """Play deals by number and return their counts, named and shaped as in `game.GroupSums`."""
        return self.play(seed, deals).sums._asdict()

    def spec(self) -> Spec:
        """Return everything that determines play; labels do not, values do."""
        return {
            "game": "quickly",
            "rules": asdict(self.rules),
            "persons": [person.spec() for person in self.persons],
            "noise_salt": self.noise_salt,
        }

    def play(self, seed: int, deals: NDArray[np.int64], *, with_flips: bool = False) -> GroupResults:
        """Play deals by number.

        Parameters
        ----------
        seed
            The seed of all streams.
        deals
            Deal numbers, shape (games,).
        with_flips
            Record every flip, too.
        """
        games, shape = len(deals), (self.rules.most_rounds, self.rules.cards)
        results = GroupResults(
            np.empty(games, dtype=np.int8),
            np.empty(games, dtype=np.int8),
            np.full((games if with_flips else 0, *shape), NO_FLIP, dtype=np.int8),
            new_sums(self._numbers),
        )
        wanted = GroupDeals(deals, deal_streams(seed, self.noise_salt))
        play_games(self._numbers, self.habits, wanted, new_round(), results)
        return results

    def keys(self, seed: int, deal: int) -> tuple[int, int]:
        """Return the streams of cards and of noise of one deal."""
        cards, noise = deal_streams(seed, self.noise_salt)
        return draw(int(cards), deal), draw(int(noise), deal)

    @cached_property
    def _numbers(self) -> GroupRuleNumbers:
        return GroupRuleNumbers(*(getattr(self.rules, name) for name in GroupRuleNumbers._fields))

    @cached_property
    def habits(self) -> Habits:
        """What the persons do, in whole numbers."""
        return group_habits(self.persons, self.rules)
