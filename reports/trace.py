"""A replayed deal in plain words, turn by turn, and as plain data."""

from __future__ import annotations

import textwrap
from collections.abc import Iterable, Iterator
from typing import Final

from rich.text import Text

from reports.output.lines import ENGINES_DIFFER, WIDTH, wrapped
from reports.output.moves import cards_text, option_text
from reports.output.provenance import deck_note, rules_line
from reports.output.terminal import ALARM, CHOSEN, FAINT, HEADING
from reports.output.words import counted
from simulate.escalation.plain.reference import NumberSet, Pass, Take
from simulate.escalation.rules import card_name
from simulate.escalation.state import NOBODY
from simulate.escalation.trace import (
    GOES_OUT_AND_WINS,
    LAST_RESORT_PART,
    Decided,
    Trace,
    TracedTurn,
    Weighed,
    moves_of,
)
from strategies.heuristic import FIRST_OF_ALL, LAST_RESORT
from strategies.parameters import CARD

LEAST_FOR_PARTS: Final = 24
"""Columns that the parts of a cost get even beside a very long option."""
RANK_SEPARATES: Final = (
    "a play goes before a Pass and a Pass before a take",
    "the lower total goes first",
    "fewer wilds go first",
    "fewer cards go first",
)
"""What decides between equally cheap options, one for each entry of their `order`."""

UNRANKED_PARTS: Final = {LAST_RESORT_PART: "last resort", GOES_OUT_AND_WINS: "goes out and wins"}
"""Parts that put an option before or after all others rather than price it."""


# --- Decisions in words --------------------------------------------------------------------------------------------


def cost_text(cost: int) -> str:
    """Return a cost in cards, or the rank that replaces it."""
    if cost == FIRST_OF_ALL:
        return "first"
    return "last" if is_last_resort(cost) else f"{cost / CARD:+.2f}"


def is_last_resort(cost: int) -> bool:
    """Tell whether a cost puts an option after everything else: no other cost comes near."""
    return cost > LAST_RESORT // 2


def parts_text(weighed: Weighed) -> str:
    """Return what a cost is made of: `wild_hold +1.50, split_set +0.83`."""
    priced = [f"{name} {steps / CARD:+.2f}" for name, steps in weighed.parts.items() if name not in UNRANKED_PARTS]
    return ", ".join(priced + [words for name, words in UNRANKED_PARTS.items() if name in weighed.parts])


def choice_reason(decided: Decided) -> str:
    """Return in one sentence why the player chose that option."""
    chosen = chosen_of(decided)
    others = [weighed for weighed in by_cost(decided) if weighed is not chosen]
    if not others:
        return "nothing else is legal"
    if decided.choice.random:
        return "random (noise)"
    if chosen.cost == FIRST_OF_ALL:
        return "goes out and wins"
    runner_up = others[0]
    next_best = option_text(runner_up.option, decided.view.pile)
    if is_last_resort(runner_up.cost):
        return f"least cost: {cost_text(chosen.cost)}, while a take is only a last resort"
    if runner_up.cost == chosen.cost:
        ranks = zip(chosen.option.order, runner_up.option.order, RANK_SEPARATES, strict=True)
        separates = next(reason for first, second, reason in ranks if first != second)
        return f"least cost: {cost_text(chosen.cost)}, as is {next_best}, but on equal cost {separates}"
    gap = (runner_up.cost - chosen.cost) / CARD
    return f"least cost: {cost_text(chosen.cost)}, {gap:.2f} less than {next_best}"


def chosen_of(decided: Decided) -> Weighed:
    """Return the option that was chosen."""
    return next(weighed for weighed in decided.weighed if weighed.option == decided.choice.option)


def by_cost(decided: Decided) -> list[Weighed]:
    """Return the options, cheapest first; equals stay in the order in which ties are broken."""
    return sorted(decided.weighed, key=lambda weighed: weighed.cost)


# --- The story -----------------------------------------------------------------------------------------------------


def story(trace: Trace, *, brief: bool = False) -> Iterator[Text]:
    """Tell a replayed deal, line by line.

    Parameters
    ----------
    trace
        The deal.
    brief
        One line per turn (a second one where it does not fit), without what the players weighed.

    Yields
    ------
    rich.text.Text
        Lines laid out for 80 columns, with styles that a terminal may show.
    """
    yield from _opening(trace)
    for number, traced in enumerate(trace.turns, start=1):
        yield from _lines(_brief_turn(trace, number, traced), hanging=6) if brief else _turn(trace, number, traced)
    yield from _ending(trace)


def comparison_story(first: Trace, second: Trace) -> Iterator[Text]:
    """Tell two games of the same deal side by side, one line per turn, from the first turn on which they differ.

    Parameters
    ----------
    first, second
        The same deal at two tables.

    Yields
    ------
    rich.text.Text
        Lines marked A for the first game and B for the second.
    """
    same = first_difference(first, second)
    yield from _opening(first)
    for seat, (strategy, other) in enumerate(zip(first.table.seats, second.table.seats, strict=True)):
        if strategy != other:
            yield Text(f"B: seat {seat} plays {other.label} instead of {strategy.label}", HEADING)
    if same is None:
        yield Text("The two games are the same, move by move.", HEADING)
        yield from _ending(first)
        return
    yield Text(f"The same up to turn {same}; from there A and B:", HEADING)
    for number in range(same, max(len(first.turns), len(second.turns))):
        for name, trace in (("A", first), ("B", second)):
            if number < len(trace.turns):
                yield from _lines(f"{name} {_brief_turn(trace, number + 1, trace.turns[number])}", hanging=8)
    for name, trace in (("A", first), ("B", second)):
        yield from (Text(f"{name} {line.plain}", line.style) if line.plain else line for line in _ending(trace))


def first_difference(first: Trace, second: Trace) -> int | None:
    """Return how many turns two games have in common before they differ; None if they are the same."""
    moves, others = moves_of(first.record), moves_of(second.record)
    if moves == others:
        return None
    pairs = enumerate(zip(moves, others, strict=False))
    return next((turn for turn, (move, other) in pairs if move != other), len(moves))


def comparison_data(first: Trace, second: Trace) -> dict[str, object]:
    """Return two games of the same deal as plain data."""
    return {
        "turns_in_common": first_difference(first, second),
        "first": trace_data(first),
        "second": trace_data(second),
    }


def _opening(trace: Trace) -> Iterator[Text]:
    rules = trace.table.rules
    yield Text(f"Deal {trace.deal} of seed {trace.seed}: {rules.players} players, seating {_seating(trace)}", HEADING)
    yield from _lines(f"deck {deck_note(rules)}")
    yield from _lines(rules_line(rules))
    yield Text()
    for position, hand in enumerate(trace.record.start.hands):
        carried = f", {counted(trace.carried[position], 'card')} from earlier games" if trace.table.match else ""
        yield Text(f"{_who(trace, position)}{carried}")
        yield Text(f"  is dealt {cards_text(hand)}", FAINT)
    yield Text()


def _seating(trace: Trace) -> str:
    return f"{trace.table.seating}, one game of a match" if trace.table.match else trace.table.seating


def _who(trace: Trace, position: int) -> str:
    return f"position {position} (seat {trace.seats[position]}, {trace.strategy_at(position).label})"


def _turn(trace: Trace, number: int, traced: TracedTurn) -> Iterator[Text]:
    turn = traced.turn
    yield Text(f"Turn {number}: {_who(trace, turn.position)}", HEADING)
    yield Text(f"  hand {cards_text(turn.hand)}")
    yield Text(f"  {_middle(traced)}, own stack {traced.decisions[0].view.stacks[turn.position]}, {_deck(traced)}")
    for decided in traced.decisions:
        yield from _options(decided)
        yield from _lines(f"{_deed(decided)}; {choice_reason(decided)}", indent=2, style=CHOSEN)
    yield Text(f"  {_refill(trace, number, traced)}")
    yield Text()


def _middle(traced: TracedTurn) -> str:
    view = traced.decisions[0].view
    if view.pile == 0:
        return "leads"
    if view.announcer != view.position:
        return f"must beat {view.target} (by position {view.announcer}), pile {view.pile}"
    need = f"must beat {view.target}" if view.to_beat == view.target else "any set will do"
    return f"own total {view.target} is back: {need}, pile {view.pile}"


def _deck(traced: TracedTurn) -> str:
    left = traced.decisions[0].view.deck_left
    return f"{left} in the deck" if left else "the deck is empty"


def _options(decided: Decided) -> Iterator[Text]:
    pile = decided.view.pile
    names = [option_text(weighed.option, pile) for weighed in decided.weighed]
    across = max(map(len, names))
    for weighed in by_cost(decided):
        chosen = weighed.option == decided.choice.option
        name = option_text(weighed.option, pile)
        start = f"  {'>' if chosen else ' '} {name:<{across}}  {cost_text(weighed.cost):>8}  "
        first, *more = _wrapped_parts(weighed, max(LEAST_FOR_PARTS, WIDTH - len(start)))
        yield Text.assemble((start if first else start.rstrip(), CHOSEN if chosen else ""), (first, FAINT))
        for line in more:
            yield Text(" " * len(start) + line, FAINT)


def _wrapped_parts(weighed: Weighed, width: int) -> list[str]:
    """Break between parts only: a no-break space holds a name and its number together."""
    kept_together = [part.replace(" ", "\N{NO-BREAK SPACE}") for part in parts_text(weighed).split(", ")]
    lines = textwrap.wrap(", ".join(kept_together), width, break_long_words=False, break_on_hyphens=False)
    return [line.replace("\N{NO-BREAK SPACE}", " ") for line in lines] or [""]


def _deed(decided: Decided) -> str:
    option, pile = decided.choice.option, decided.view.pile
    if isinstance(option, Take):
        return f"takes {pile}"
    if isinstance(option, Pass):
        return "passes" if pile else "leads a Pass"
    return f"{'plays' if pile else 'leads'} {option_text(option)}"


def _refill(trace: Trace, number: int, traced: TracedTurn) -> str:
    if number == len(trace.turns):
        return "goes out"
    drawn = traced.turn.drawn
    return f"draws {cards_text(drawn)}" if drawn else "draws nothing"


def _brief_turn(trace: Trace, number: int, traced: TracedTurn) -> str:
    turn = traced.turn
    deeds = ", ".join(map(_deed, traced.decisions))
    noise = " (random)" if turn.random else ""
    facing = f"on {turn.target}: " if turn.pile else ""
    end = f"; {_refill(trace, number, traced)}" if turn.drawn or number == len(trace.turns) else ""
    return f"{number:>3} position {turn.position} [{cards_text(turn.hand)}] {facing}{deeds}{noise}{end}"


def _ending(trace: Trace) -> Iterator[Text]:
    record = trace.record
    yield Text()
    yield Text(
        f"Position {record.out_first} goes out after {counted(len(record.turns), 'turn')}; "
        f"{counted(record.middle, 'card')} in the middle count{'s' if record.middle == 1 else ''} for nobody.",
        HEADING,
    )
    for position, score in enumerate(record.scores):
        stack, hand = record.final.stacks[position], len(record.final.hands[position])
        wins = (", wins" if len(trace.winners) == 1 else ", shares the win") if position in trace.winners else ""
        carried = trace.carried[position]
        match = f", {carried + score} in the match" if trace.table.match else ""
        line = f"  position {position}: stack {stack} + hand {hand} = {score}{wins}{match}"
        yield Text(f"{line}  ({trace.strategy_at(position).label})", CHOSEN if wins else "")
    if trace.engines_agree:
        yield Text("The fast engine plays the same game, move by move.", FAINT)
    else:
        yield Text(ENGINES_DIFFER, ALARM)


def _lines(text: str, *, indent: int = 0, hanging: int = 2, style: str = "") -> Iterator[Text]:
    return (Text(line, style) for line in wrapped(text, indent, hanging))


# --- The log as plain data -----------------------------------------------------------------------------------------


def trace_data(trace: Trace) -> dict[str, object]:
    """Return the whole log as plain data; costs and their parts are in cards, exact multiples of 1/65536."""
    record = trace.record
    spec = trace.table.spec()
    positions = [
        {
            "position": position,
            "seat": trace.seats[position],
            "strategy": trace.strategy_at(position).label,
            "carried": trace.carried[position],
            "dealt": _names(record.start.hands[position]),
            "stack": record.final.stacks[position],
            "left_in_hand": _names(record.final.hands[position]),
            "score": record.scores[position],
            "wins": position in trace.winners,
        }
        for position in range(trace.table.rules.players)
    ]
    return {
        "seed": trace.seed,
        "deal": trace.deal,
        **{name: spec[name] for name in ("rules", "seating", "match")},
        "deck": _names(record.start.rest),
        "positions": positions,
        "turns": [_turn_data(number, traced) for number, traced in enumerate(trace.turns, start=1)],
        "out_first": record.out_first,
        "middle": record.middle,
        "engines_agree": trace.engines_agree,
    }


def _names(cards: Iterable[int]) -> list[str]:
    return [card_name(card) for card in cards]


def _turn_data(number: int, traced: TracedTurn) -> dict[str, object]:
    turn, view = traced.turn, traced.decisions[0].view
    return {
        "turn": number,
        "position": turn.position,
        "own_turn": turn.number + 1,
        "hand": _names(turn.hand),
        "pile": turn.pile,
        "target": turn.target if turn.pile else None,
        "to_beat": view.to_beat if turn.pile else None,
        "announcer": turn.announcer if turn.announcer != NOBODY else None,
        "stacks": list(view.stacks),
        "hand_sizes": list(view.hand_sizes),
        "deck_left": view.deck_left,
        "took": turn.took,
        "decisions": [_decision_data(decided) for decided in traced.decisions],
        "drawn": _names(turn.drawn),
    }


def _decision_data(decided: Decided) -> dict[str, object]:
    return {
        "options": [_option_data(weighed, decided.view.pile) for weighed in decided.weighed],
        "chosen": decided.weighed.index(chosen_of(decided)),
        "random": decided.choice.random,
        "why": choice_reason(decided),
    }


def _option_data(weighed: Weighed, pile: int) -> dict[str, object]:
    option = weighed.option
    data: dict[str, object] = {"text": option_text(option, pile), "kind": type(option).__name__.lower()}
    if isinstance(option, NumberSet):
        data["kind"] = "set"
        data |= {name: getattr(option, name) for name in ("value", "naturals", "wilds", "total")}
    parts = {name: steps / CARD for name, steps in weighed.parts.items()}
    return {**data, "cost": weighed.cost / CARD, "parts": parts}
