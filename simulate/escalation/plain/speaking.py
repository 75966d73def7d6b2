"""Players of the slow engine who have sentences of their own: what a sentence does to a choice, in plain Python."""

from __future__ import annotations

from collections.abc import Sequence

from simulate.escalation.plain.reference import (
    NOISE_FIRE,
    Choice,
    HeuristicPlayer,
    NumberSet,
    Option,
    Pass,
    Take,
    View,
    greatest_total,
    without,
)
from simulate.escalation.rules import PASS, VALUES, WILD
from strategies.heuristic import FIRST_OF_ALL, LAST_RESORT
from strategies.sentences import Sentence, WordUse, check_together
from strategies.strategy import Strategy
from strategies.tactic_words import WORDS

WINS, ALWAYS, ELSE, ABOVE_LIMIT, NEVER = range(5)
"""Ranks of options: the least one is chosen, within it the least cost."""


class SpeakingPlayer(HeuristicPlayer):
    """A player who takes the option of the first rank, within it the one of least cost.

    Attributes
    ----------
    sentences
        What the player says, in the order in which it is written.
    """

    def __init__(self, strategy: Strategy, sentences: Sequence[Sentence]) -> None:
        """Quantise the parameters, and make sure that the sentences go together."""
        super().__init__(strategy)
        self.sentences = check_together(sentences)

    def choose(self, view: View) -> Choice:
        """Choose the least rank and cost, ties by `order`; a random turn ignores every sentence."""
        if view.noise(NOISE_FIRE) >> 32 < self.steps["noise"]:
            return super().choose(view)
        ranked = [self.rank_and_cost(view, option) for option in view.options]
        return Choice(view.options[ranked.index(min(ranked))], tuple(cost for _, cost in ranked))

    def rank_and_cost(self, view: View, option: Option) -> tuple[int, int]:
        """Return the rank of an option, and what it costs within its rank, in steps."""
        cost = self.cost(view, option)
        if cost == FIRST_OF_ALL:
            return WINS, 0
        named = [sentence for sentence in self.sentences if names(sentence, view, option)]
        verbs = {sentence.verb for sentence in named}
        above_limit = isinstance(option, Take) and cost >= LAST_RESORT // 2
        cost -= LAST_RESORT if above_limit else 0
        for sentence in named:
            if sentence.by is not None:
                price = sentence.by.price_steps(lambda word: counted(word, view, option))
                cost += price if sentence.verb == "avoid" else -price
        if "never" in verbs:
            return NEVER, cost
        return ALWAYS if "always" in verbs else ABOVE_LIMIT if above_limit else ELSE, cost

    def speaks(self, view: View) -> list[Sentence]:
        """Return the sentences that name a legal option here, where another one is legal, too."""
        if len(view.options) == 1 or view.noise(NOISE_FIRE) >> 32 < self.steps["noise"]:
            return []
        return [s for s in self.sentences if any(names(s, view, option) for option in view.options)]


def is_about(sentence: Sentence, view: View, option: Option) -> bool:
    """Whether an option is of the kind that a sentence is about."""
    if isinstance(option, Take):
        return sentence.option == "take"
    if isinstance(option, Pass):
        return sentence.option == "pass"
    return sentence.option in {"play", "beat" if view.pile > 0 else "lead"}


def names(sentence: Sentence, view: View, option: Option) -> bool:
    """Whether a sentence names an option: it is of its kind, and its moment is there."""
    return is_about(sentence, view, option) and sentence.condition.at(lambda word: counted(word, view, option))


def counted(word: WordUse, view: View, option: Option) -> int:
    """Return what a word counts at a decision, of an option if it is about one."""
    if WORDS[word.name].scope == "moment":
        return _of_moment(word, view)
    assert not isinstance(option, Take)
    if word.name == "hand_after":
        return len(view.hand) - len(option.laid)
    if word.name == "greatest_after":
        return greatest_total(view.rules, without(view.hand, option.laid))
    assert isinstance(option, NumberSet)
    return {
        "cards": option.cards,
        "naturals": option.naturals,
        "wilds_used": option.wilds,
        "value": option.value,
        "total": option.total,
        "over": option.total - view.to_beat,
        "left": view.hand.count(option.value) - option.naturals,
    }[word.name]


def _of_moment(word: WordUse, view: View) -> int:
    following = (view.position + 1) % len(view.stacks)
    naturals = [card for card in view.hand if card in VALUES]
    standings = [stack + carried for stack, carried in zip(view.stacks, view.carried, strict=True)]
    return {
        "pile": lambda: view.pile,
        "target": lambda: view.to_beat,
        "deck": lambda: view.deck_left,
        "hand": lambda: len(view.hand),
        "passes": lambda: view.hand.count(PASS),
        "wilds": lambda: view.hand.count(WILD),
        "held": lambda: view.hand.count(word.argument),
        "pairs": lambda: sum(naturals.count(value) > 1 for value in VALUES),
        "lowest": lambda: min(naturals, default=0),
        "highest": lambda: max(naturals, default=0),
        "greatest": lambda: greatest_total(view.rules, view.hand),
        "beats": lambda: sum(isinstance(option, NumberSet) for option in view.options),
        "stack": lambda: view.stacks[view.position],
        "next_stack": lambda: view.stacks[following],
        "behind": lambda: standings[view.position] - min(standings[position] for position in view.opponents),
        "smallest_hand": lambda: min(view.hand_sizes[position] for position in view.opponents),
        "next_hand": lambda: view.hand_sizes[following],
        "unseen": lambda: view.unseen.count(word.argument),
        "turn": lambda: view.turn_number + 1,
        "position": lambda: view.position,
        "players": lambda: len(view.stacks),
    }[word.name]()
