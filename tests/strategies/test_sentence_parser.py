"""Reading sentences: what is right comes back as it was, and every mistake is told with its place in one line."""

from __future__ import annotations

import random
import re
from pathlib import Path

import pytest

from strategies.errors import InputError
from strategies.sentence_parser import is_sentence, read_sentence
from strategies.sentences import UNIT, All, Comparison, Either, Not, Range, Sum, WordUse
from tests.strategies.sentences import random_sentence


def one(word: str, argument: int = 0) -> Sum:
    return Sum(((WordUse(word, argument), UNIT),))


def number(value: float) -> Sum:
    return Sum(constant=round(value * UNIT))


def test_a_sentence_is_read_into_its_parts():
    found = read_sentence(
        "prefer beat by 2*cards - 0.5 when held(7) >= 2 or pile > 3 and not deck = 0 unless behind < -2"
    )
    assert (found.verb, found.option) == ("prefer", "beat")
    assert found.by == Sum(((WordUse("cards"), 2 * UNIT),), -UNIT // 2)
    # `not` binds before `and`, `and` before `or`.
    assert found.when == Either(
        (
            Comparison((one("held", 7), number(2)), (">=",)),
            All((Comparison((one("pile"), number(3)), (">",)), Not(Comparison((one("deck"), number(0)), ("=",))))),
        )
    )
    assert found.unless == Comparison((one("behind"), number(-2)), ("<",))


@pytest.mark.parametrize(
    ("text", "canonical"),
    [
        ("take", "always take"),
        ("take when pile<=3 and passes>=1", "always take when pile <= 3 and passes >= 1"),
        ("never   pass unless(pile>=6)", "never pass unless pile >= 6"),
        ("lead when (value = lowest)", "always lead when value = lowest"),
        ("lead when 2 <= cards <= 5", "always lead when 2 <= cards <= 5"),
        ("take when 5 >= pile > 2 = passes", "always take when 5 >= pile > 2 = passes"),
        ("take when pile + pile - 1.50 > target - 0*deck", "always take when 2*pile - 1.5 > target"),
        ("take when -pile + 3 > 0", "always take when -pile + 3 > 0"),
        ("take when (pile > 1 and pile < 5) and deck = 0", "always take when pile > 1 and pile < 5 and deck = 0"),
        ("take when (pile > 1 or deck > 5) and hand = 1", "always take when (pile > 1 or deck > 5) and hand = 1"),
        ("take when not (pile > 1 or deck > 5)", "always take when not (pile > 1 or deck > 5)"),
        ("keep 1 wilds", "keep 1 wild"),
        ("keep 2 wild when deck > 0", "keep 2 wilds when deck > 0"),
        ("keep 1 passes", "keep 1 pass"),
        ("avoid pass by 0:4:0.5", "avoid pass by 0:4:0.5"),
        ("avoid pass by -1:4", "avoid pass by -1:4"),
        ("prefer beat by 1:3*cards", "prefer beat by 1:3*cards"),
        ("never pass unless pile >= 1:9 and target >= 6:15", "never pass unless pile >= 1:9 and target >= 6:15"),
        ("take when -4:-2 < behind", "always take when -4:-2 < behind"),
        ("keep 0:3 passes", "keep 0:3 passes"),
    ],
)
def test_the_text_of_a_sentence_is_always_the_same_and_reads_back(text: str, canonical: str):
    found = read_sentence(text)
    assert str(found) == canonical
    assert read_sentence(canonical) == found
    assert is_sentence(text)


def test_random_sentences_read_back():
    rng = random.Random(1)
    for _ in range(2000):
        sentence = random_sentence(rng)
        assert read_sentence(str(sentence)) == sentence, str(sentence)


@pytest.mark.parametrize(
    "text", ["standard", "standard,shed=1", "takes", "keeper", "", "pass-hoarding", "early_take=3"]
)
def test_what_is_no_sentence_begins_otherwise(text: str):
    assert not is_sentence(text)


DEEP = "take when " + "(" * 40 + "pile > 1" + ")" * 40
MANY = "take when " + "<".join(["1"] * 66)


@pytest.mark.parametrize(
    ("text", "place", "said"),
    [
        ("", 1, "nothing is no verb or option"),
        ("tke", 1, "'tke' is no verb or option: did you mean 'take'?"),
        ("always", 7, "nothing is no option"),
        ("always tkae", 8, "'tkae' is no option: did you mean 'take'?"),
        ("never always take", 7, "'always' is no option"),
        ("take pile", 6, "'pile' is left over: expected when or unless"),
        ("take when", 10, "expected a number or a word, but the sentence ends"),
        ("take when plie > 3", 11, "'plie' is no word: did you mean 'pile'?"),
        ("take when cards > 2", 11, "'cards' is about a set of number cards, which 'take' is not"),
        ("pass when value > 2", 11, "'value' is about a set of number cards, which 'pass' is not"),
        ("take when hand_after > 2", 11, "'hand_after' is about cards that are laid, which 'take' is not"),
        ("always take by 2", 13, "'by' goes with prefer and avoid"),
        ("never pass by 2", 12, "'by' goes with prefer and avoid"),
        ("prefer take", 12, "'prefer' needs a price, such as: prefer take by 2"),
        ("avoid pass when pile > 2", 12, "'avoid' needs a price"),
        ("prefer take by", 15, "expected a number or a word, but the sentence ends"),
        ("prefer take by 2 cards", 18, "a price is in cards already"),
        ("take when pile", 11, "a condition compares"),
        ("take when pile and deck > 1", 11, "a condition compares"),
        ("take when pile >", 17, "expected a number or a word, but the sentence ends"),
        ("take when pile == 3", 16, "write '=' instead of '=='"),
        ("take when pile => 3", 16, "write '>=' instead of '=>'"),
        ("take when pile =< 3", 16, "write '<=' instead of '=<'"),
        ("take when (pile > 3", 20, "expected ')' for the '(' at letter 11, but the sentence ends"),
        ("take when (pile > 3 when", 21, "expected ')' for the '(' at letter 11, not 'when'"),
        ("take when pile > 3)", 19, "')' is left over"),
        ("take when pile > (3)", 18, "a sum has no parentheses"),
        ("take when ()", 12, "expected a number or a word, not ')'"),
        ("take when pile > 3 when deck = 0", 20, "'when' stands there once"),
        ("pass unless pile > 3 when deck > 1", 22, "'when' stands before 'unless'"),
        ("take when pile > 3 deck > 1", 20, "write 3*deck, or 'and' between two comparisons"),
        ("take when pile > deck hand > 1", 23, "'hand' is left over: expected and, or or unless"),
        ("take when and pile > 3", 11, "'and' is no word"),
        ("take when not not pile > 3", 15, "'not not' says nothing"),
        ("take when pil\u0435 > 3", 14, r"'\u0435' is no letter or mark"),
        ("take when pile \u2264 3", 16, r"'\u2264' is no letter or mark"),
        ("take when pile > \uff13", 18, r"'\uff13' is no letter or mark"),
        ("Take when pile > 3", 1, "'T' is a capital: write everything in lower case"),
        ("take when Pile > 3", 11, "'P' is a capital"),
        ("__import__('os')", 12, "''' means nothing here"),
        ("take when __import__ > 3", 11, "'__import__' is no word"),
        ("take; pass", 5, "';' means nothing here"),
        ("take when pile > 3\n", 19, r"'\n' is no letter or mark"),
        ("take when pile / 2 > 1", 16, "nothing is divided: write 0.5*pile, for instance"),
        ("take when 6 / 2 > 1", 13, "nothing is divided"),
        ("take when pile * deck > 3", 16, "words are not multiplied"),
        ("take when pile * 2 > 3", 16, "write 2*pile"),
        ("take when 2 pile > 3", 13, "write 2*pile"),
        ("take when 2 * 3 > pile", 15, "expected a word behind '*'"),
        ("take when held > 2", 11, "'held' needs a value from 1 to 13 in parentheses: held(7)"),
        ("take when held(14) > 2", 11, "'held' needs a value from 1 to 13"),
        ("take when unseen(0) > 2", 11, "'unseen' needs a value from 1 to 13"),
        ("take when pile(3) > 2", 15, "'pile' has nothing in parentheses"),
        ("lead when 1 < cards > 3", 21, "a chain runs one way"),
        ("lead when 1 != cards != 3", 22, "a chain runs one way"),
        ("take when 1 < pile < 2:5", 11, "a range stands in a comparison of two"),
        ("take when pile > 1:5 + deck", 22, "a range stands alone"),
        ("take when pile + 1:5 > 2", 19, "a range stands alone"),
        ("take when pile > 0.5:3", 18, "a range between numbers that are not whole needs a step: 0.5:3:0.5"),
        ("take when pile > 5:1", 18, "a range runs from the lesser to the greater"),
        ("take when pile > 3:3", 18, "a range runs from the lesser to the greater"),
        ("take when pile > 1:5:0", 18, "a range runs from the lesser to the greater number, with a step above 0"),
        ("take when pile > 1.1234567", 18, "numbers have at most 6 decimals"),
        ("take when pile > 1000001", 18, "numbers are at most 1,000,000"),
        ("take when pile > " + "9" * 400, 18, "numbers are at most 1,000,000"),
        ("take when 600000*pile + 600000*pile > 1", 25, "numbers are at most 1,000,000"),
        ("keep wilds", 6, "expected how many to keep, not 'wilds'"),
        ("keep 1.5 wilds", 6, "what is kept is counted in whole cards"),
        ("keep -1 wilds", 6, "what is kept is counted in whole cards, 0 or more"),
        ("keep 2 sevens", 8, "'sevens' is no kind of card to keep"),
        (DEEP, 43, "parentheses are nested more than 32 deep"),
    ],
)  # fmt: skip
def test_a_mistake_is_told_with_its_place(text: str, place: int, said: str):
    with pytest.raises(InputError) as mistake:
        read_sentence(text)
    told = str(mistake.value)
    assert told.startswith(f"in '{text}', letter {place}: ")
    assert said in told
    assert "\n" not in told.removeprefix(f"in '{text}'")


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("take when " + "pile > 1 or " * 80_000 + "pile > 1", "at most 500 letters, not 960,018"),
        (MANY, "has 65 comparisons: at most 64 are allowed"),
        (
            "prefer take by 1000000*deck",
            "deck' may come to more than 2,097,152 cards",
        ),
    ],
    ids=["long", "many", "dear"],
)
def test_what_is_too_much_is_told(text: str, said: str):
    with pytest.raises(InputError, match=said):
        read_sentence(text)


def test_ranges_stand_for_a_family():
    family = read_sentence("never pass unless pile >= 1:3 and target >= 6:8:2")
    assert family.ranges == [Range(UNIT, 3 * UNIT, UNIT), Range(6 * UNIT, 8 * UNIT, 2 * UNIT)]
    members = {values: str(member) for values, member in family.members()}
    assert len(members) == 6
    assert members[2 * UNIT, 8 * UNIT] == "never pass unless pile >= 2 and target >= 8"
    assert all(read_sentence(text).ranges == [] for text in members.values())


def test_the_examples_of_the_page_are_sentences():
    page = (Path(__file__).parents[2] / "docs" / "tactics.md").read_text(encoding="utf-8")
    examples = re.search(r"```\n(.*?)```", page, re.DOTALL)[1].splitlines()
    assert len(examples) == 5
    assert all(is_sentence(example) and read_sentence(example) for example in examples)
    told = re.search(r"A mistake is told with its place: `(.*)`", page)[1]
    with pytest.raises(InputError, match=re.escape(told)):
        read_sentence("take when plie > 3")
