"""The slow, clear engine: the rules of Escalation! in plain Python, one frozen state after another.

It is written from the rules and shares nothing with the fast engine but the deck order, the draws of policy noise and
the text of the cost terms, so that the two can be compared move by move. It also plays strategies that are written in
Python: anything with a `choose` method is a `Player`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Final, Protocol

from simulate.escalation.plain.card_counting import chance_estimated
from simulate.escalation.rules import PASS, VALUES, WILD, Rules
from simulate.escalation.state import NOBODY, TELEMETRY, State
from simulate.rng import draw
from strategies.errors import InputError
from strategies.heuristic import (
    FIRST_OF_ALL,
    JUMP_VALUE,
    NEARLY_OUT,
    beating_cost,
    counting_cost,
    finishing_cost,
    hurrying_cost,
    keeping_cost,
    leading_cost,
    pass_cost,
    reserve_cost,
    take_cost,
)
from strategies.parameters import PARAMETER_NAMES
from strategies.strategy import Strategy, player_records

NOISE_FIRE: Final = 0
"""The draw that decides whether a turn is random."""
NOISE_PICK: Final = 1
"""The draw that picks an option against a pile."""
NOISE_LEAD: Final = 2
"""The draw that picks a lead."""
NOISE_DRAWS: Final = 4
"""Draws set aside for each turn."""
NOISE_TURNS: Final = 256
"""Turns set aside for each position: more than any game has."""


@dataclass(frozen=True)
class NumberSet:
    """Number cards of one value, some of which may be wilds.

    Attributes
    ----------
    value
        What every card of the set counts.
    naturals
        Number cards of that value.
    wilds
        Wilds that stand in for it.
    """

    value: int
    naturals: int
    wilds: int = 0

    @property
    def cards(self) -> int:
        """How many cards it is."""
        return self.naturals + self.wilds

    @property
    def total(self) -> int:
        """The total that the set announces."""
        return self.value * self.cards

    @property
    def laid(self) -> tuple[int, ...]:
        """The cards that leave the hand, as codes."""
        return (self.value,) * self.naturals + (WILD,) * self.wilds

    @property
    def order(self) -> tuple[int, int, int, int]:
        """Place among equally cheap options, least first: kind (a play), total, wilds, cards."""
        return 0, self.total, self.wilds, self.cards


@dataclass(frozen=True)
class Pass:
    """One Pass card: the target stays, or is 0 where the Pass is led."""

    @property
    def laid(self) -> tuple[int, ...]:
        """The cards that leave the hand, as codes."""
        return (PASS,)

    @property
    def order(self) -> tuple[int, int, int, int]:
        """Place among equally cheap options: after every set of number cards."""
        return 1, 0, 0, 1


@dataclass(frozen=True)
class Take:
    """Collect the pile; the same turn then leads."""

    @property
    def order(self) -> tuple[int, int, int, int]:
        """Place among equally cheap options: after everything else."""
        return 2, 0, 0, 0


Option = NumberSet | Pass | Take


def number_sets(rules: Rules, hand: Sequence[int]) -> tuple[NumberSet, ...]:
    """Return every set of number cards that a hand can lead, in no particular order."""
    return _number_sets(tuple(hand), rules.wild_max, rules.wild_only_sets)


@lru_cache(maxsize=1 << 16)
def _number_sets(hand: tuple[int, ...], wild_max: int, wild_only_sets: bool) -> tuple[NumberSet, ...]:
    wilds_held = hand.count(WILD)
    return tuple(
        NumberSet(value, naturals, wilds)
        for value in VALUES
        for naturals in range(hand.count(value) + 1)
        for wilds in range((wilds_held if value <= wild_max else 0) + 1)
        if naturals > 0 or wilds == 1 or (wilds > 1 and wild_only_sets)
    )


def greatest_total(rules: Rules, hand: Sequence[int]) -> int:
    """Return the greatest total that a hand can announce; 0 for a hand without number cards and wilds."""
    return max((option.total for option in number_sets(rules, hand)), default=0)


def total_to_beat(rules: Rules, state: State) -> int:
    """Return the total that a set must exceed: the target, or 0 where the mover's own total need not be beaten."""
    own_total = state.announcer == state.mover
    return 0 if own_total and not rules.beat_own_total else state.target


def legal_options(rules: Rules, state: State) -> tuple[Option, ...]:
    """Return every option of the mover, sorted by `order`; there is always at least one."""
    hand = state.hands[state.mover]
    facing_pile = state.pile > 0
    only_passes = all(card == PASS for card in hand)
    to_beat = total_to_beat(rules, state)
    options: list[Option] = [option for option in number_sets(rules, hand) if option.total > to_beat]
    if PASS in hand and (facing_pile or rules.lead_pass or only_passes):
        options.append(Pass())
    # A take must be followed by a lead; that a hand of only Passes may open when it has to is no licence to take.
    if facing_pile and (not only_passes or (rules.lead_pass and rules.pass_hand_takes)):
        options.append(Take())
    return tuple(sorted(options, key=lambda option: option.order))


def without(hand: Sequence[int], laid: Sequence[int]) -> tuple[int, ...]:
    """Return the hand after some of its cards have left it."""
    left = list(hand)
    for card in laid:
        left.remove(card)
    return tuple(left)


def ends_game(rules: Rules, left_in_hand: int, left_in_deck: int) -> bool:
    """Tell whether the game ends when so many cards are left in a hand after a play, before drawing."""
    return left_in_hand == 0 and not (rules.draw_before_end_check and left_in_deck > 0)


def after_taking(state: State) -> State:
    """Return the state in which the mover has the pile on the own stack and is about to lead."""
    stacks = list(state.stacks)
    stacks[state.mover] += state.pile
    return replace(state, stacks=tuple(stacks), pile=0, target=0, announcer=NOBODY)


def after_laying(rules: Rules, state: State, option: NumberSet | Pass) -> tuple[State, tuple[int, ...]]:
    """Return the state after the mover has laid cards and drawn, and the cards drawn.

    If the game has ended, the mover's hand is empty in the new state.
    """
    mover = state.mover
    left = without(state.hands[mover], option.laid)
    missing = 0 if ends_game(rules, len(left), len(state.rest)) else rules.hand_size - len(left)
    drawn = state.rest[:missing]
    hands = list(state.hands)
    hands[mover] = tuple(sorted(left + drawn))
    turns_taken = list(state.turns_taken)
    turns_taken[mover] += 1
    announced = option.total if isinstance(option, NumberSet) else 0
    repeats = isinstance(option, Pass) and state.pile > 0
    following = replace(
        state,
        hands=tuple(hands),
        rest=state.rest[len(drawn) :],
        mover=(mover + 1) % rules.players,
        pile=state.pile + len(option.laid),
        target=state.target if repeats else announced,
        announcer=state.announcer if repeats else mover,
        turns_taken=tuple(turns_taken),
    )
    return following, drawn


@dataclass(frozen=True)
class View:
    """What the mover may know and what is asked: one of `options`.

    A turn with a take asks twice: first against the pile, then, with the pile on the own stack, for the lead.

    Attributes
    ----------
    rules
        The rules of the game.
    position, turn_number
        Who is asked, and after how many own turns.
    options
        What is legal, sorted by `order`.
    hand
        The player's cards, as codes, sorted.
    pile, target, to_beat, announcer
        Cards in the middle (0: the player leads), the standing total, the total that a set must exceed, and who
        announced the standing one.
    hand_sizes, stacks, carried
        Per position: cards in hand, penalty cards of this game, scores of earlier games of the match.
    deck_left
        Cards still to be drawn.
    unseen
        The deck list without the own hand and without every card ever played, sorted.
    noise_key
        The stream of this deal's policy noise.
    """

    rules: Rules
    position: int
    turn_number: int
    options: tuple[Option, ...]
    hand: tuple[int, ...]
    pile: int
    target: int
    to_beat: int
    announcer: int
    hand_sizes: tuple[int, ...]
    stacks: tuple[int, ...]
    carried: tuple[int, ...]
    deck_left: int
    unseen: tuple[int, ...]
    noise_key: int

    @classmethod
    def of_mover(cls, rules: Rules, state: State, noise_key: int) -> View:
        """Return what the mover of a state knows."""
        mover = state.mover
        others = (hand for position, hand in enumerate(state.hands) if position != mover)
        return cls(
            rules=rules,
            position=mover,
            turn_number=state.turns_taken[mover],
            options=legal_options(rules, state),
            hand=state.hands[mover],
            pile=state.pile,
            target=state.target,
            to_beat=total_to_beat(rules, state),
            announcer=state.announcer,
            hand_sizes=tuple(len(hand) for hand in state.hands),
            stacks=state.stacks,
            carried=state.carried,
            deck_left=len(state.rest),
            # The deck list minus the own hand and all cards played is just what lies hidden elsewhere.
            unseen=tuple(sorted((*state.rest, *(card for hand in others for card in hand)))),
            noise_key=noise_key,
        )

    @property
    def opponents(self) -> tuple[int, ...]:
        """The other positions."""
        return tuple(position for position in range(len(self.hand_sizes)) if position != self.position)

    def noise(self, what: int) -> int:
        """Return one of the draws of this turn, 64 bits; `what` is NOISE_FIRE, NOISE_PICK or NOISE_LEAD."""
        turn = self.position * NOISE_TURNS + self.turn_number
        return draw(self.noise_key, turn * NOISE_DRAWS + what)


@dataclass(frozen=True)
class Choice:
    """What a player does and why.

    Attributes
    ----------
    option
        One of the view's options.
    costs
        What each of the view's options costs the player, in their order, in steps of 1/65536 card; empty if untold.
    random
        True if policy noise decided.
    """

    option: Option
    costs: tuple[int, ...] = ()
    random: bool = False


class Player(Protocol):
    """Anything that can decide."""

    def choose(self, view: View) -> Choice:
        """Choose one of the view's options."""


@dataclass(frozen=True)
class FunctionPlayer:
    """A player that is one function, from what is known to the option that is taken.

    Examples
    --------
    >>> timid = FunctionPlayer(lambda view: view.options[-1])
    """

    function: Callable[[View], Option]

    def choose(self, view: View) -> Choice:
        """Choose what the function says."""
        return Choice(self.function(view))


class HeuristicPlayer:
    """A player who takes the option of least cost.

    Attributes
    ----------
    strategy
        The player's parameters as a user writes them.
    steps
        The same in whole steps, by name.
    """

    def __init__(self, strategy: Strategy) -> None:
        """Quantise the parameters, once."""
        record = player_records([strategy])[0]
        self.strategy = strategy
        self.steps = {name: int(record[name]) for name in PARAMETER_NAMES}

    def choose(self, view: View) -> Choice:
        """Choose the least cost, ties by `order`, unless noise fires: then any legal option, each equally likely.

        One fire covers a take and the lead that follows, since both ask for the same draw.
        """
        costs = tuple(self.cost(view, option) for option in view.options)
        if view.noise(NOISE_FIRE) >> 32 < self.steps["noise"]:
            bits = view.noise(NOISE_PICK if view.pile > 0 else NOISE_LEAD) >> 32
            return Choice(view.options[(bits * len(view.options)) >> 32], costs, random=True)
        # Options are sorted by `order` and the first of equals wins.
        return Choice(view.options[costs.index(min(costs))], costs)

    def cost(self, view: View, option: Option) -> int:
        """Return what an option costs the player, in steps."""
        if isinstance(option, Take):
            return self._cost_of_take(view)
        cost = pass_cost(self.steps) if isinstance(option, Pass) else self._cost_of_set(view, option)
        if not ends_game(view.rules, len(view.hand) - len(option.laid), view.deck_left):
            return cost
        finishing = finishing_cost(self.steps, wins_outright(view))
        return finishing if finishing == FIRST_OF_ALL else cost + finishing

    def _cost_of_set(self, view: View, option: NumberSet) -> int:
        deck_empty = view.deck_left == 0
        danger = any(view.hand_sizes[position] <= NEARLY_OUT for position in view.opponents)
        before = greatest_total(view.rules, view.hand)
        after = greatest_total(view.rules, without(view.hand, option.laid))
        return (
            keeping_cost(self.steps, option.value, option.naturals, option.wilds, view.hand.count(option.value))
            + self._cost_of_total(view, option)
            + hurrying_cost(self.steps, option.cards, deck_empty, danger)
            + reserve_cost(self.steps, before, after)
            + self._cost_of_counting(view, option)
        )

    def _cost_of_counting(self, view: View, option: NumberSet) -> int:
        if self.steps["count_cards"] == 0 or view.deck_left > 0:
            return 0
        next_hand = view.hand_sizes[(view.position + 1) % len(view.hand_sizes)]
        stuck = chance_estimated(view.rules, view.unseen, next_hand, option.total)
        return counting_cost(self.steps, view.pile + option.cards, stuck)

    def _cost_of_total(self, view: View, option: NumberSet) -> int:
        if view.pile == 0:
            return leading_cost(self.steps, option.total, option.cards)
        return beating_cost(self.steps, option.total, option.cards, view.to_beat, view.pile)

    def _cost_of_take(self, view: View) -> int:
        standings = [stack + carried for stack, carried in zip(view.stacks, view.carried, strict=True)]
        smallest_other = min(standings[position] for position in view.opponents)
        return take_cost(self.steps, view.pile, view.deck_left == 0, standings[view.position], smallest_other)


def wins_outright(view: View) -> bool:
    """Tell whether going out now gives the mover the lowest score of this game, alone or shared."""
    own = view.stacks[view.position]
    return all(own <= view.stacks[position] + view.hand_sizes[position] for position in view.opponents)


@dataclass(frozen=True)
class Decision:
    """What was legal and what the player did about it."""

    options: tuple[Option, ...]
    choice: Choice


@dataclass(frozen=True)
class Turn:
    """One turn.

    Attributes
    ----------
    position, number
        Who moved, and after how many own turns.
    hand, target, pile, announcer
        The mover's hand and the middle, before the turn.
    first
        The decision against the pile, or the lead where there was none.
    lead
        The lead after a take; None without one.
    drawn
        The cards drawn afterwards, in the order of the deck.
    """

    position: int
    number: int
    hand: tuple[int, ...]
    target: int
    pile: int
    announcer: int
    first: Decision
    lead: Decision | None
    drawn: tuple[int, ...]

    @property
    def took(self) -> bool:
        """Whether the pile was taken."""
        return self.lead is not None

    @property
    def willing(self) -> bool:
        """Whether the pile was taken although something else was legal."""
        return self.took and len(self.first.options) > 1

    @property
    def random(self) -> bool:
        """Whether policy noise decided."""
        return self.first.choice.random

    @property
    def laid(self) -> Option:
        """The set or the Pass that was laid, after the take if there was one."""
        return (self.lead or self.first).choice.option


@dataclass(frozen=True)
class GameRecord:
    """A finished game, move by move.

    Attributes
    ----------
    rules
        The rules it was played by.
    start, final
        The state before the first turn and after the last one.
    turns
        Every turn, in order; a take and the lead after it are one turn.
    """

    rules: Rules
    start: State
    turns: tuple[Turn, ...]
    final: State

    @property
    def out_first(self) -> int:
        """The position that emptied its hand."""
        return self.turns[-1].position

    @property
    def scores(self) -> tuple[int, ...]:
        """Penalty cards of each position: stack and hand."""
        return tuple(stack + len(hand) for stack, hand in zip(self.final.stacks, self.final.hands, strict=True))

    @property
    def middle(self) -> int:
        """Cards left in the middle; they count for nobody."""
        return self.final.pile

    def telemetry(self) -> tuple[tuple[int, ...], ...]:
        """Return the counts of each position in the order of `TELEMETRY`; shape (players, len(TELEMETRY))."""
        counts = [self._counts(position) for position in range(self.rules.players)]
        return tuple(tuple(of_position[name] for name in TELEMETRY) for of_position in counts)

    def _counts(self, position: int) -> dict[str, int]:
        turns = [turn for turn in self.turns if turn.position == position]
        sets = [turn.laid for turn in turns if isinstance(turn.laid, NumberSet)]
        jumps = [s for s in sets if s.value == JUMP_VALUE and s.naturals > 0 and s.wilds > 0]
        return {
            "turns": len(turns),
            "takes": sum(turn.took for turn in turns),
            "willing_takes": sum(turn.willing for turn in turns),
            "cards_taken": sum(turn.pile for turn in turns if turn.took),
            "passes": len(turns) - len(sets),
            "wilds": sum(s.wilds for s in sets),
            "wild_seven_jumps": len(jumps),
            "sets": sum(s.cards > 1 for s in sets),
            "cards_left": len(self.final.hands[position]),
            "out_first": int(position == self.out_first),
        }


def play(rules: Rules, players: Sequence[Player], state: State, noise_key: int) -> GameRecord:
    """Play a game from a state to its end.

    Parameters
    ----------
    rules
        The rules.
    players
        Who decides, one per position; the same object may sit at several.
    state
        Where to start: a deal, or any position of a game.
    noise_key
        The stream of this deal's policy noise; players without noise leave no trace of it.

    Raises
    ------
    InputError
        If the table or the state does not fit the rules, or a player chooses an option that is not legal.
    """
    state.check(rules)
    if len(players) != rules.players:
        raise InputError(f"{len(players)} players given, the rules have {rules.players}")
    start, turns = state, []
    while all(state.hands):
        turn, state = _play_turn(rules, players[state.mover], state, noise_key)
        turns.append(turn)
    return GameRecord(rules, start, tuple(turns), state)


def _play_turn(rules: Rules, player: Player, state: State, noise_key: int) -> tuple[Turn, State]:
    before = state
    first = _decide(rules, player, state, noise_key)
    option, lead = first.choice.option, None
    if isinstance(option, Take):
        state = after_taking(state)
        lead = _decide(rules, player, state, noise_key)
        option = lead.choice.option
    assert not isinstance(option, Take), "there is no pile to take"
    state, drawn = after_laying(rules, state, option)
    mover = before.mover
    turn = Turn(
        position=mover,
        number=before.turns_taken[mover],
        hand=before.hands[mover],
        target=before.target,
        pile=before.pile,
        announcer=before.announcer,
        first=first,
        lead=lead,
        drawn=drawn,
    )
    return turn, state


def _decide(rules: Rules, player: Player, state: State, noise_key: int) -> Decision:
    view = View.of_mover(rules, state, noise_key)
    choice = player.choose(view)
    if choice.option not in view.options:
        raise InputError(
            f"position {view.position} chose {choice.option}, which is not legal: {', '.join(map(str, view.options))}"
        )
    return Decision(view.options, choice)
