"""Random sentences, of every verb, option, word and form."""

from __future__ import annotations

import random

from strategies.sentences import UNIT, All, Comparison, Condition, Either, Not, Sentence, Sum, WordUse
from strategies.tactic_words import OPTIONS, VERBS, WORDS

ONE_WAY = (("<", "<=", "="), (">", ">=", "="))


def random_word(rng: random.Random, option: str) -> WordUse:
    name = rng.choice([name for name, word in WORDS.items() if word.allowed_for(option)])
    return WordUse(name, rng.randint(1, 13) if WORDS[name].argued else 0)


def random_number(rng: random.Random) -> int:
    return rng.choice([rng.randint(-3, 14) * UNIT, rng.randint(0, 12) * UNIT, rng.randint(-40, 80) * UNIT // 8])


def random_sum(rng: random.Random, option: str, words: int = 2) -> Sum:
    used = {random_word(rng, option) for _ in range(rng.randint(0, words))}
    order = list(WORDS)
    terms = [(word, rng.choice([1, 1, -1, 2]) * rng.choice([UNIT, UNIT, UNIT // 2])) for word in used]
    terms.sort(key=lambda term: (order.index(term[0].name), term[0]))
    return Sum(tuple(terms), rng.choice([0, random_number(rng)]) if terms else random_number(rng))


def random_comparison(rng: random.Random, option: str) -> Comparison:
    word = Sum(((random_word(rng, option), UNIT),))
    if rng.random() < 0.15:
        signs = rng.choice(ONE_WAY)
        ends = sorted([random_number(rng), random_number(rng)], reverse="<" not in signs)
        middle = (Sum(constant=ends[0]), word, Sum(constant=ends[1]))
        return Comparison(middle, (rng.choice(signs), rng.choice(signs)))
    other = Sum(constant=random_number(rng)) if rng.random() < 0.7 else random_sum(rng, option)
    return Comparison((word, other), (rng.choice(["<", "<=", "=", "!=", ">=", ">"]),))


def random_condition(rng: random.Random, option: str, depth: int = 2) -> Condition:
    kind = rng.choice(["compare", "compare", "not", "and", "or"]) if depth else "compare"
    if kind == "compare":
        return random_comparison(rng, option)
    if kind == "not":
        inner = random_condition(rng, option, depth - 1)
        return inner if isinstance(inner, Not) else Not(inner)
    joined = All if kind == "and" else Either
    parts = [random_condition(rng, option, depth - 1) for _ in range(rng.randint(2, 3))]
    return joined(tuple(inner for part in parts for inner in (part.parts if isinstance(part, joined) else (part,))))


def random_sentence(rng: random.Random) -> Sentence:
    option = rng.choice(list(OPTIONS))
    when = random_condition(rng, option) if rng.random() < 0.8 else None
    unless = random_condition(rng, option) if rng.random() < 0.2 else None
    if option in {"play", "pass"} and rng.random() < 0.3:
        kept = (rng.randint(0, 3) * UNIT, "wilds" if option == "play" else "passes")
        return Sentence("never", option, None, when, unless, kept)
    verb = rng.choice(list(VERBS))
    by = random_sum(rng, option) if verb in {"prefer", "avoid"} else None
    return Sentence(verb, option, by, when, unless)
