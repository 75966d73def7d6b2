"""Sentences: what a player says about the own play, such as `never pass unless pile >= 6 and target >= 13`.

A sentence names options of one kind at certain moments and says what is to become of them. `strategies.sentence_parser`
reads them; their text here reads back as the same sentence. All numbers are whole millionths, so nothing is rounded but
prices, once, to 1/65536 card.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import product
from math import prod
from typing import Final, Literal, NamedTuple, TypeAlias

from strategies.errors import InputError
from strategies.parameters import CARD
from strategies.tactic_words import WORDS, OptionWord, Verb

UNIT: Final = 1_000_000
"""Numbers are kept in so many parts of one."""
MOST_SENTENCES: Final = 16
MOST_COMPARISONS: Final = 64
"""One sentence has no more; a chain counts once for each of its signs."""
MOST_STEPS: Final = 1 << 37
"""The price of one sentence is less, so that with all others, and all parameters, no rank is ever reached."""
MOST_RANGES: Final = 2
MOST_MEMBERS: Final = 10_000

Sign = Literal["<", "<=", "=", "!=", ">=", ">"]
Kept = Literal["wilds", "passes"]

_HOLDS: Final[Mapping[str, Callable[[int, int], bool]]] = {
    "<": lambda left, right: left < right,
    "<=": lambda left, right: left <= right,
    "=": lambda left, right: left == right,
    "!=": lambda left, right: left != right,
    ">=": lambda left, right: left >= right,
    ">": lambda left, right: left > right,
}
_SPOKEN: Final = {
    "<": "less than",
    "<=": "at most",
    "=": "exactly",
    "!=": "not",
    ">=": "at least",
    ">": "more than",
}


class WordUse(NamedTuple):
    """A word in a sentence, with the value in parentheses behind it, or 0."""

    name: str
    argument: int = 0

    def __str__(self) -> str:
        """Return it as it is written."""
        return f"{self.name}({self.argument})" if self.argument else self.name

    @property
    def spoken(self) -> str:
        """What it is, as it is read back."""
        return WORDS[self.name].spoken.format(self.argument)


Look: TypeAlias = Callable[[WordUse], int]
"""Tells what a word counts at a moment."""


class Range(NamedTuple):
    """Numbers to be tried in turn, in millionths; the stop is included."""

    start: int
    stop: int
    step: int

    def __str__(self) -> str:
        """Return it as it is written."""
        ends = f"{number_text(self.start)}:{number_text(self.stop)}"
        return ends if self.step == UNIT else f"{ends}:{number_text(self.step)}"

    @property
    def values(self) -> list[int]:
        """Every number of it."""
        return list(range(self.start, self.stop + (1 if self.step > 0 else -1), self.step))


Number: TypeAlias = int | Range


def number_text(millionths: int) -> str:
    """Write a number of millionths with as many decimals as it needs."""
    whole, part = divmod(abs(millionths), UNIT)
    decimals = f".{part:06d}".rstrip("0") if part else ""
    return f"{'-' if millionths < 0 else ''}{whole}{decimals}"


@dataclass(frozen=True)
class Sum:
    """A sum of words, each so many times, and a number.

    Attributes
    ----------
    terms
        Words in the order of `WORDS`, each once, with how often.
    constant
        The number.
    """

    terms: tuple[tuple[WordUse, Number], ...] = ()
    constant: Number = 0

    def at(self, look: Look) -> int:
        """Return what it comes to at a moment, in millionths."""
        return sum(times * look(word) for word, times in self.terms) + self.constant  # type: ignore[operator, misc]

    def price_steps(self, look: Look) -> int:
        """Return it as a price, in steps of 1/65536 card: each number is rounded by itself."""
        whole = sum(steps_of(times) * look(word) for word, times in self.terms)
        return whole + steps_of(self.constant)

    @property
    def words(self) -> list[WordUse]:
        """The words in it."""
        return [word for word, _ in self.terms]

    @property
    def numbers(self) -> list[Number]:
        """Its numbers, in the order in which they are written."""
        constant = [self.constant] if self.constant or not self.terms else []
        return [*(times for _, times in self.terms), *constant]

    def __str__(self) -> str:
        """Return it as it is written."""
        pieces = [_term_text(word, times) for word, times in self.terms]
        if self.constant or not pieces:
            pieces.append(str(self.constant) if isinstance(self.constant, Range) else number_text(self.constant))
        first, *others = pieces
        return first + "".join(f" - {piece[1:]}" if piece.startswith("-") else f" + {piece}" for piece in others)


def _term_text(word: WordUse, times: Number) -> str:
    if isinstance(times, Range):
        return f"{times}*{word}"
    if abs(times) == UNIT:
        return f"-{word}" if times < 0 else str(word)
    return f"{number_text(times)}*{word}"


def steps_of(number: Number) -> int:
    """Return a price in steps of 1/65536 card, the nearest one; of two as near the even one."""
    assert isinstance(number, int)
    below, rest = divmod(number * CARD, UNIT)
    return below + (2 * rest > UNIT or (2 * rest == UNIT and below % 2 == 1))


@dataclass(frozen=True)
class Comparison:
    """Sums and what is said between them: two, or a chain such as `2 <= pile <= 5`."""

    sides: tuple[Sum, ...]
    signs: tuple[Sign, ...]

    def at(self, look: Look) -> bool:
        """Return whether it holds at a moment."""
        values = [side.at(look) for side in self.sides]
        return all(_HOLDS[sign](left, right) for sign, left, right in zip(self.signs, values, values[1:], strict=False))

    def __str__(self) -> str:
        """Return it as it is written."""
        return str(self.sides[0]) + "".join(
            f" {sign} {side}" for sign, side in zip(self.signs, self.sides[1:], strict=True)
        )


@dataclass(frozen=True)
class Not:
    """Holds where its part does not."""

    part: Condition

    def at(self, look: Look) -> bool:
        """Return whether it holds at a moment."""
        return not self.part.at(look)

    def __str__(self) -> str:
        """Return it as it is written."""
        return f"not {_within(self.part, (All, Either))}"


@dataclass(frozen=True)
class All:
    """Holds where all of its parts do."""

    parts: tuple[Condition, ...]

    def at(self, look: Look) -> bool:
        """Return whether it holds at a moment."""
        return all(part.at(look) for part in self.parts)

    def __str__(self) -> str:
        """Return it as it is written."""
        return " and ".join(_within(part, (Either, All)) for part in self.parts)


@dataclass(frozen=True)
class Either:
    """Holds where one of its parts does."""

    parts: tuple[Condition, ...]

    def at(self, look: Look) -> bool:
        """Return whether it holds at a moment."""
        return any(part.at(look) for part in self.parts)

    def __str__(self) -> str:
        """Return it as it is written."""
        return " or ".join(_within(part, (Either,)) for part in self.parts)


Condition: TypeAlias = Comparison | Not | All | Either


def _within(part: Condition, kinds: tuple[type, ...]) -> str:
    return f"({part})" if isinstance(part, kinds) else str(part)


def comparisons_in(condition: Condition | None) -> Iterator[Comparison]:
    """Yield every comparison of a condition, in the order in which they are written."""
    if isinstance(condition, Comparison):
        yield condition
    elif isinstance(condition, Not):
        yield from comparisons_in(condition.part)
    elif condition is not None:
        for part in condition.parts:
            yield from comparisons_in(part)


@dataclass(frozen=True)
class Sentence:
    """What is to become of which option, and when.

    Attributes
    ----------
    verb, option
        What is done, to what.
    by
        The price of `prefer` and `avoid`, in cards.
    when, unless
        The moments; None if nothing is said.
    keeps
        Of `keep N wilds` and `keep N passes`, what is kept and how many; verb and option are those that it stands for.
    """

    verb: Verb
    option: OptionWord
    by: Sum | None = None
    when: Condition | None = None
    unless: Condition | None = None
    keeps: tuple[Number, Kept] | None = None

    def __str__(self) -> str:
        """Return the sentence as it is written."""
        if self.keeps:
            many, what = self.keeps
            number = many if isinstance(many, Range) else number_text(many)
            single = "wild" if what == "wilds" else "pass"
            said = f"keep {number} {single if many == UNIT else what}"
        else:
            said = f"{self.verb} {self.option}" + (f" by {self.by}" if self.by else "")
        said += f" when {self.when}" if self.when else ""
        return said + (f" unless {self.unless}" if self.unless else "")

    @property
    def condition(self) -> Condition:
        """Everything that must hold for it to speak of an option, in one."""
        parts: list[Condition] = []
        if self.keeps:
            many, what = self.keeps
            if what == "wilds":
                left = Sum(((WordUse("wilds"), UNIT), (WordUse("wilds_used"), -UNIT)))
                parts += [
                    Comparison((Sum(((WordUse("wilds_used"), UNIT),)), Sum(constant=UNIT)), (">=",)),
                    Comparison((left, Sum(constant=many)), ("<",)),
                ]
            else:
                parts.append(Comparison((Sum(((WordUse("passes"), UNIT),)), Sum(constant=many)), ("<=",)))
        parts += [self.when] if self.when else []
        parts += [Not(self.unless)] if self.unless else []
        return parts[0] if len(parts) == 1 else All(tuple(parts))

    @property
    def ranges(self) -> list[Range]:
        """The numbers that are to be tried, in the order in which they are written."""
        return [number for number in _numbers_of(self) if isinstance(number, Range)]

    def members(self) -> Iterator[tuple[tuple[int, ...], Sentence]]:
        """Yield every sentence that its ranges stand for, with the numbers (in millionths) put in their places."""
        for values in product(*(found.values for found in self.ranges)):
            yield values, self.with_numbers(values)

    def with_numbers(self, values: Sequence[int]) -> Sentence:
        """Return the sentence with numbers, in millionths, in place of its ranges."""
        waiting = iter(values)

        def put(number: Number) -> Number:
            return next(waiting) if isinstance(number, Range) else number

        return _mapped(self, put)

    @property
    def spoken(self) -> str:
        """The sentence in plain words."""
        return spoken(self)


def _numbers_of(sentence: Sentence) -> Iterator[Number]:
    found: list[Number] = []

    def note(number: Number) -> Number:
        found.append(number)
        return number

    _mapped(sentence, note)
    return iter(found)


def _mapped(sentence: Sentence, change: Callable[[Number], Number]) -> Sentence:
    """Return the sentence with every number changed, in the order in which they are written."""

    def of_sum(found: Sum) -> Sum:
        terms = tuple((word, change(times)) for word, times in found.terms)
        return Sum(terms, change(found.constant))

    def of_condition(found: Condition) -> Condition:
        if isinstance(found, Comparison):
            return replace(found, sides=tuple(map(of_sum, found.sides)))
        if isinstance(found, Not):
            return Not(of_condition(found.part))
        return replace(found, parts=tuple(map(of_condition, found.parts)))

    keeps = (change(sentence.keeps[0]), sentence.keeps[1]) if sentence.keeps else None
    by = of_sum(sentence.by) if sentence.by else None
    when, unless = (of_condition(found) if found else None for found in (sentence.when, sentence.unless))
    return replace(sentence, keeps=keeps, by=by, when=when, unless=unless)


# --- Read back in plain words --------------------------------------------------------------------------------------


_DOES: Final = {
    ("always", "take"): "Always take the pile",
    ("always", "pass"): "Always lay a Pass",
    ("always", "play"): "Always lay a set of number cards",
    ("always", "beat"): "Always beat the pile with a set",
    ("always", "lead"): "Always lead a set",
    ("never", "take"): "Never take the pile",
    ("never", "pass"): "Never lay a Pass",
    ("never", "play"): "Never lay a set of number cards",
    ("never", "beat"): "Never beat the pile with a set",
    ("never", "lead"): "Never lead a set",
}
_WEIGHED: Final = {
    "take": "taking the pile",
    "pass": "laying a Pass",
    "play": "laying a set of number cards",
    "beat": "beating the pile with a set",
    "lead": "leading a set",
}
_WHICH: Final = frozenset({"play", "beat", "lead"})


def spoken(sentence: Sentence) -> str:
    """Return a sentence in plain words, as somebody would say it."""
    if sentence.keeps:
        many, what = sentence.keeps
        number = many if isinstance(many, Range) else number_text(many)
        one = many == UNIT
        said = (
            f"Keep {number} {('wild' if one else 'wilds') if what == 'wilds' else ('Pass' if one else 'Passes')} back"
        )
        rest = ", unless nothing else is legal"
    elif sentence.by is not None:
        less = "less" if sentence.verb == "prefer" else "more"
        said = f"Count {_WEIGHED[sentence.option]} as {_sum_spoken(sentence.by)} cards {less}"
        rest = ""
    else:
        said = _DOES[sentence.verb, sentence.option]
        rest = ", unless nothing else is legal" if sentence.verb == "never" else ""
    said += f" when {_condition_spoken(sentence.when)}" if sentence.when else ""
    said += f", except when {_condition_spoken(sentence.unless)}" if sentence.unless else ""
    return f"{said}{rest}."


def _sum_spoken(found: Sum) -> str:
    if not found.terms:
        return str(found)
    pieces = [
        word.spoken if times == UNIT else f"{times if isinstance(times, Range) else number_text(times)} x {word.spoken}"
        for word, times in found.terms
    ]
    if found.constant:
        pieces.append(str(Sum(constant=found.constant)))
    return " + ".join(pieces).replace("+ -", "- ")


def _condition_spoken(found: Condition) -> str:
    if isinstance(found, Comparison):
        return " and ".join(
            _comparison_spoken(left, sign, right)
            for sign, left, right in zip(found.signs, found.sides, found.sides[1:], strict=False)
        )
    if isinstance(found, Not):
        return f"it is not so that {_condition_spoken(found.part)}"
    joint = " and " if isinstance(found, All) else " or "
    return joint.join(
        f"({_condition_spoken(part)})" if isinstance(part, All | Either) else _condition_spoken(part)
        for part in found.parts
    )


_TURNED: Final[Mapping[str, str]] = {"<": ">", "<=": ">=", "=": "=", "!=": "!=", ">=": "<=", ">": "<"}


def _comparison_spoken(left: Sum, sign: str, right: Sum) -> str:
    if not left.terms and right.terms:
        left, sign, right = right, _TURNED[sign], left
    subject = _sum_spoken(left)
    is_one = len(left.terms) != 1 or subject.startswith("the ")
    return f"{subject} {'is' if is_one else 'are'} {_SPOKEN[sign]} {_sum_spoken(right)}"


# --- Several sentences ---------------------------------------------------------------------------------------------


def check_together(sentences: Sequence[Sentence]) -> tuple[Sentence, ...]:
    """Return the sentences of one player in the order in which they are always written.

    Raises
    ------
    InputError
        If there are too many, one has a range or is given twice, or two contradict each other at every moment.
    """
    if len(sentences) > MOST_SENTENCES:
        raise InputError(f"a player has at most {MOST_SENTENCES} sentences, not {len(sentences)}")
    for place, sentence in enumerate(sentences):
        if sentence.ranges:
            raise InputError(f"'{sentence}' has a range, {sentence.ranges[0]}: a player needs one number there")
        if sentence in sentences[:place]:
            raise InputError(f"'{sentence}' is given twice")
    moments = {(s.option, str(s.condition)): s for s in sentences if s.verb == "never"}
    for sentence in sentences:
        opposite = moments.get((sentence.option, str(sentence.condition)))
        if sentence.verb == "always" and opposite:
            raise InputError(f"'{sentence}' and '{opposite}' contradict each other at every moment: leave one out")
    return tuple(sorted(sentences, key=str))


def check_family(sentence: Sentence) -> None:
    """Make sure that a sentence with ranges can be tried out.

    Raises
    ------
    InputError
        If it has too many ranges, or too many members.
    """
    ranges = sentence.ranges
    if len(ranges) > MOST_RANGES:
        raise InputError(
            f"'{sentence}' has {len(ranges)} ranges, at most {MOST_RANGES} are tried at once: write the best number of "
            "one of them first"
        )
    members = prod(len(found.values) for found in ranges)
    if members > MOST_MEMBERS:
        raise InputError(f"'{sentence}' stands for {members:,} sentences: at most {MOST_MEMBERS:,} are allowed")
