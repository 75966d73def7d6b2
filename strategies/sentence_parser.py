"""Reads sentences of a player's own tactics; a mistake is told with its place, what is allowed and the nearest word.

The grammar (spaces between words are free, everything is in lower case):

    SENTENCE   := [VERB] OPTION [by SUM] [when CONDITION] [unless CONDITION]
                | keep N wilds [when CONDITION] [unless CONDITION] | keep N passes [...]
    CONDITION  := comparisons of SUMs joined by not, and, or, parentheses
    SUM        := signed terms NUMBER, WORD, NUMBER*WORD

`strategies.tactic_words` lists verbs, options and words, `strategies.sentences` says what comes of them.
"""

from __future__ import annotations

import difflib
import re
from collections.abc import Iterable
from typing import Final, NamedTuple, NoReturn, cast

from strategies.errors import InputError
from strategies.sentences import (
    MOST_COMPARISONS,
    MOST_STEPS,
    UNIT,
    All,
    Comparison,
    Condition,
    Either,
    Kept,
    Not,
    Number,
    Range,
    Sentence,
    Sign,
    Sum,
    WordUse,
    comparisons_in,
    number_text,
    steps_of,
)
from strategies.tactic_words import OPTIONS, VERBS, WORDS, OptionWord, Verb

MOST_LETTERS: Final = 500
MOST_DEPTH: Final = 32
MOST_DECIMALS: Final = 6
GREATEST_NUMBER: Final = 1_000_000
VALUES: Final = range(1, 14)
JOINTS: Final = ("by", "when", "unless", "and", "or", "not")
KEPT: Final = {"wild": "wilds", "wilds": "wilds", "pass": "passes", "passes": "passes"}

_TOKEN: Final = re.compile(r" *(?:([0-9]+(?:\.[0-9]+)?)|([a-z_]+)|(<=|>=|!=|==|=>|=<|[<>=()+*:/-]))")
_WRITE_INSTEAD: Final = {"==": "=", "=>": ">=", "=<": "<="}
_SIGNS: Final = ("<=", ">=", "!=", "<", ">", "=")
_UP: Final = frozenset({"<", "<=", "="})
_DOWN: Final = frozenset({">", ">=", "="})


class Token(NamedTuple):
    """A piece of a sentence."""

    kind: str
    text: str
    place: int


def is_sentence(text: str) -> bool:
    """Whether a text begins as only a sentence does: with a verb, an option or `keep`."""
    first = re.match(r"[a-z_]+(?![^ ])", text.strip())
    return first is not None and first.group() in {*VERBS, *OPTIONS, "keep"}


def read_sentence(text: str) -> Sentence:
    """Read a sentence.

    Raises
    ------
    InputError
        If it is not one; the place is counted in letters from 1.

    Examples
    --------
    >>> str(read_sentence("take when pile<=3 and passes>=1"))
    'always take when pile <= 3 and passes >= 1'
    """
    if len(text) > MOST_LETTERS:
        raise InputError(f"a sentence has at most {MOST_LETTERS} letters, not {len(text):,}: '{text[:40]}...'")
    return _Reader(text).sentence()


def _tokens(text: str) -> list[Token]:
    found, place = [], 0
    while text[place:].strip(" "):
        match = _TOKEN.match(text, place)
        if match is None:
            place += len(text[place:]) - len(text[place:].lstrip(" "))
            _refuse(text, place, _odd_letter(text[place]))
        number, word, mark = match.groups()
        kind = "number" if number else "word" if word else "mark"
        found.append(Token(kind, number or word or mark, match.end() - len(number or word or mark)))
        place = match.end()
    return [*found, Token("end", "", len(text))]


def _odd_letter(letter: str) -> str:
    if letter.isascii() and letter.isupper():
        return f"'{letter}' is a capital: write everything in lower case"
    if letter.isascii() and letter.isprintable():
        return f"'{letter}' means nothing here"
    return f"{letter!a} is no letter or mark that a sentence is made of, though it may look like one"


def _refuse(text: str, place: int, what: str) -> NoReturn:
    raise InputError(f"in '{text}', letter {place + 1}: {what}")


class _Reader:
    """Reads one sentence from left to right."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.tokens = _tokens(text)
        self.at = 0
        self.option = ""
        self.depth = 0

    @property
    def next(self) -> Token:
        return self.tokens[self.at]

    def take(self) -> Token:
        token = self.next
        self.at += token.kind != "end"
        return token

    def takes(self, *texts: str) -> bool:
        """Step over the next token if it is one of these."""
        if self.next.kind != "end" and self.next.text in texts:
            self.at += 1
            return True
        return False

    def refuse(self, what: str, token: Token | None = None) -> NoReturn:
        _refuse(self.text, (token or self.next).place, what)

    def unknown(self, kind: str, token: Token, allowed: Iterable[str]) -> NoReturn:
        choices = list(allowed)
        written = f"'{token.text}'" if token.text else "nothing"
        nearest = difflib.get_close_matches(token.text, choices, n=1, cutoff=0.5)
        hint = f"did you mean '{nearest[0]}'? " if nearest else ""
        self.refuse(f"{written} is no {kind}: {hint}allowed: {', '.join(choices)}", token)

    # --- Sentences

    def sentence(self) -> Sentence:
        if self.next.text == "keep":
            return self.checked(self.keeping())
        token = self.take()
        verb = "always"
        if token.text in VERBS:
            verb, token = token.text, self.take()
            if token.text not in OPTIONS:
                self.unknown("option", token, OPTIONS)
        elif token.text not in OPTIONS:
            self.unknown("verb or option", token, (*VERBS, *OPTIONS, "keep"))
        self.option = token.text
        by = self.price(verb)
        when, unless = self.moments()
        return self.checked(Sentence(cast(Verb, verb), cast(OptionWord, self.option), by, when, unless))

    def keeping(self) -> Sentence:
        self.take()
        token = self.next
        many = self.number_or_range("how many to keep")
        whole = many if isinstance(many, Range) else Range(many, many, UNIT)
        if any(number % UNIT or number < 0 for number in whole):
            self.refuse("what is kept is counted in whole cards, 0 or more", token)
        what = self.take()
        if what.text not in KEPT:
            self.unknown("kind of card to keep", what, ("wilds", "passes"))
        kept = KEPT[what.text]
        self.option = "play" if kept == "wilds" else "pass"
        when, unless = self.moments()
        return Sentence("never", cast(OptionWord, self.option), None, when, unless, (many, cast(Kept, kept)))

    def price(self, verb: str) -> Sum | None:
        needs, token = verb in {"prefer", "avoid"}, self.next
        if not self.takes("by"):
            if needs:
                self.refuse(f"'{verb}' needs a price, such as: {verb} {self.option} by 2", token)
            return None
        if not needs:
            self.refuse(f"'by' goes with prefer and avoid: '{verb}' has no price", token)
        price = self.sum(ranges=True)
        if self.next.text == "cards":
            self.refuse("a price is in cards already, without a unit: leave 'cards' out")
        return price

    def moments(self) -> tuple[Condition | None, Condition | None]:
        when = self.either() if self.takes("when") else None
        unless = self.either() if self.takes("unless") else None
        if self.next.text == "when":
            self.refuse("'when' stands before 'unless'" if unless else "'when' stands there once")
        if self.next.kind != "end":
            self.refuse(
                f"'{self.next.text}' is left over: expected {'and, or' if when or unless else 'when'} or unless"
            )
        return when, unless

    def checked(self, sentence: Sentence) -> Sentence:
        count = sum(len(found.signs) for found in comparisons_in(sentence.condition))
        if count > MOST_COMPARISONS:
            raise InputError(f"'{self.text[:60]}...' has {count} comparisons: at most {MOST_COMPARISONS} are allowed")
        if sentence.by is not None:
            worst = sum(_most_steps(times) * _most(word) for word, times in sentence.by.terms)
            if worst + _most_steps(sentence.by.constant) >= MOST_STEPS:
                raise InputError(f"the price in '{self.text}' may come to more than {MOST_STEPS >> 16:,} cards")
        return sentence

    # --- Conditions

    def either(self) -> Condition:
        parts = [self.all()]
        while self.takes("or"):
            parts.append(self.all())
        return parts[0] if len(parts) == 1 else Either(_flat(parts, Either))

    def all(self) -> Condition:
        parts = [self.denied()]
        while self.takes("and"):
            parts.append(self.denied())
        return parts[0] if len(parts) == 1 else All(_flat(parts, All))

    def denied(self) -> Condition:
        if self.takes("not"):
            if self.next.text == "not":
                self.refuse("'not not' says nothing: leave both out")
            return Not(self.single())
        return self.single()

    def single(self) -> Condition:
        opening = self.next
        if not self.takes("("):
            return self.comparison()
        self.depth += 1
        if self.depth > MOST_DEPTH:
            self.refuse(f"parentheses are nested more than {MOST_DEPTH} deep", opening)
        inner = self.either()
        if not self.takes(")"):
            found = f"not '{self.next.text}'" if self.next.text else "but the sentence ends"
            self.refuse(f"expected ')' for the '(' at letter {opening.place + 1}, {found}")
        self.depth -= 1
        return inner

    def comparison(self) -> Comparison:
        first = self.next
        sides, signs = [self.side()], []
        while self.next.text in (*_SIGNS, *_WRITE_INSTEAD):
            token = self.take()
            if token.text in _WRITE_INSTEAD:
                self.refuse(f"write '{_WRITE_INSTEAD[token.text]}' instead of '{token.text}'", token)
            signs.append(token.text)
            if len(signs) > 1 and not any(set(signs) <= way for way in (_UP, _DOWN)):
                self.refuse("a chain runs one way: < and <=, or > and >=, and = with either", token)
            sides.append(self.side())
        if not signs:
            self.refuse("a condition compares: expected <, <=, =, !=, >= or > behind it", first)
        if len(signs) > 1 and any(isinstance(side.constant, Range) for side in sides):
            self.refuse("a range stands in a comparison of two, not in a chain", first)
        return Comparison(tuple(sides), cast(tuple[Sign, ...], tuple(signs)))

    def side(self) -> Sum:
        """Read one side of a comparison: a range alone, or a sum."""
        number = self.tokens[self.at + (self.next.text == "-")]
        behind = self.tokens[min(self.at + (self.next.text == "-") + 1, len(self.tokens) - 1)]
        if number.kind != "number" or behind.text != ":":
            return self.sum()
        found = self.number_or_range("a number")
        if self.next.text in ("+", "-", "*"):
            self.refuse("a range stands alone on its side of a comparison")
        return Sum(constant=found)

    # --- Sums

    def sum(self, *, ranges: bool = False) -> Sum:
        times: dict[WordUse, Number] = {}
        constant: Number = 0
        sign = -1 if self.takes("-") else 1
        while True:
            start = self.next
            number, word = self.term(sign, ranges=ranges)
            before = constant if word is None else times.get(word, 0)
            both = number if before == 0 else self.added(before, number, start)
            if word is None:
                constant = both
            else:
                times[word] = both
            if self.takes("+"):
                sign = 1
            elif self.takes("-"):
                sign = -1
            else:
                break
        order = list(WORDS)
        kept = ((word, number) for word, number in times.items() if number != 0)
        terms = sorted(kept, key=lambda term: (order.index(term[0].name), term[0]))
        return Sum(tuple(terms), constant)

    def added(self, first: Number, second: Number, token: Token) -> int:
        if isinstance(first, Range) or isinstance(second, Range):
            self.refuse("a range cannot be added to another number", token)
        if abs(first + second) > GREATEST_NUMBER * UNIT:
            self.refuse(f"numbers are at most {GREATEST_NUMBER:,}", token)
        return first + second

    def term(self, sign: int, *, ranges: bool) -> tuple[Number, WordUse | None]:
        token = self.next
        if token.text == "(":
            self.refuse("a sum has no parentheses: write it out")
        if token.kind == "word":
            word = self.word()
            if self.next.text == "*":
                after = self.tokens[self.at + 1]
                product = after.kind == "word"
                said = "words are not multiplied with each other" if product else f"write {after.text}*{word}"
                self.refuse(said)
            if self.next.text == "/":
                self.refuse(f"nothing is divided: write 0.5*{word}, for instance")
            return sign * UNIT, word
        wanted = "a number or a word"
        number = self.number_or_range(wanted, sign) if ranges else sign * self.number(wanted)
        if self.next.text == ":" and not ranges:
            self.refuse("a range stands alone on its side of a comparison")
        if not self.takes("*"):
            # `by 2 cards` is told by whoever reads the price.
            if self.next.text in WORDS and self.next.text != "cards":
                self.refuse(f"write {token.text}*{self.next.text}, or 'and' between two comparisons")
            return number, None
        if self.next.kind != "word":
            self.refuse("expected a word behind '*'")
        return number, self.word()

    def word(self) -> WordUse:
        token = self.take()
        known = WORDS.get(token.text)
        if known is None:
            here = [name for name, word in WORDS.items() if word.allowed_for(self.option)]
            self.unknown("word", token, here)
        if not known.allowed_for(self.option):
            about = "a set of number cards" if known.scope == "set" else "cards that are laid"
            self.refuse(f"'{token.text}' is about {about}, which '{self.option}' is not", token)
        if not known.argued:
            if self.next.text == "(":
                self.refuse(f"'{token.text}' has nothing in parentheses")
            return WordUse(token.text)
        value = self.tokens[self.at + 1]
        right = self.next.text == "(" and value.text.isdecimal() and self.tokens[self.at + 2].text == ")"
        if not right or int(value.text) not in VALUES:
            self.refuse(f"'{token.text}' needs a value from 1 to 13 in parentheses: {token.text}(7)", token)
        self.at += 3
        return WordUse(token.text, int(value.text))

    # --- Numbers

    def number_or_range(self, wanted: str, sign: int = 1) -> Number:
        token = self.next
        sign = -sign if self.takes("-") else sign
        start = sign * self.number(wanted)
        if not self.takes(":"):
            return start
        stop = self.signed_number()
        whole = start % UNIT == 0 == stop % UNIT
        step = self.signed_number() if self.takes(":") else UNIT if whole else 0
        if step == 0 and not whole:
            ends = f"{number_text(start)}:{number_text(stop)}"
            self.refuse(f"a range between numbers that are not whole needs a step: {ends}:0.5", token)
        if step <= 0 or stop <= start:
            self.refuse("a range runs from the lesser to the greater number, with a step above 0", token)
        return Range(start, stop, step)

    def signed_number(self) -> int:
        return -self.number("a number") if self.takes("-") else self.number("a number")

    def number(self, wanted: str) -> int:
        token = self.take()
        if token.kind != "number":
            written = f"not '{token.text}'" if token.text else "but the sentence ends"
            self.refuse(f"expected {wanted}, {written}", token)
        whole, _, decimals = token.text.partition(".")
        if len(decimals) > MOST_DECIMALS:
            self.refuse(f"numbers have at most {MOST_DECIMALS} decimals", token)
        if len(whole) > len(str(GREATEST_NUMBER)) or int(whole) > GREATEST_NUMBER:
            self.refuse(f"numbers are at most {GREATEST_NUMBER:,}", token)
        if self.next.text == "/":
            self.refuse("nothing is divided: write it as a decimal number")
        return int(whole) * UNIT + int(decimals.ljust(MOST_DECIMALS, "0") or 0)


def _flat(parts: Iterable[Condition], kind: type[All] | type[Either]) -> tuple[Condition, ...]:
    """Return parts of which none is of the same kind: `a and (b and c)` is `a and b and c`."""
    return tuple(inner for part in parts for inner in (part.parts if isinstance(part, kind) else (part,)))


def _most(word: WordUse) -> int:
    return max(abs(WORDS[word.name].least), abs(WORDS[word.name].greatest))


def _most_steps(number: Number) -> int:
    return max(abs(steps_of(end)) for end in (number[:2] if isinstance(number, Range) else (number,)))
