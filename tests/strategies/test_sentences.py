"""What sentences come to: conditions by hand, prices rounded once, families, and which sentences go together."""

from __future__ import annotations

import random
from fractions import Fraction

import pytest

from strategies.errors import InputError
from strategies.parameters import CARD
from strategies.sentence_parser import read_sentence
from strategies.sentences import MOST_SENTENCES, UNIT, WordUse, check_family, check_together, number_text, steps_of
from tests.strategies.sentences import random_sentence

MOMENT = {"pile": 4, "deck": 0, "passes": 2, "wilds": 1, "behind": -3, "held(7)": 2, "target": 12, "wilds_used": 1}


def look(word: WordUse) -> int:
    return MOMENT[str(word)]


@pytest.mark.parametrize(
    ("condition", "holds"),
    [
        ("pile = 4", True),
        ("pile != 4", False),
        ("pile < 4", False),
        ("pile <= 4", True),
        ("pile > 3.999999", True),
        ("pile >= 4.000001", False),
        ("1 = 0", False),
        ("2 <= pile <= 4 < target", True),
        ("target > pile >= 5", False),
        ("2*pile + 0.5*passes = 9", True),
        ("pile - target < behind", True),
        ("held(7) = 2", True),
        ("0.1*pile + 0.2*pile = 1.2", True),
        ("not pile = 4 or deck = 0", True),
        ("not (pile = 4 or deck = 0)", False),
        ("pile = 5 and deck = 0 or passes = 2", True),
        ("pile = 5 and (deck = 0 or passes = 2)", False),
        ("pile = 5 or deck = 1 unless passes = 3", False),
        ("pile = 4 or deck = 1 unless passes = 2", False),
        ("pile = 4 or deck = 1 unless passes = 3", True),
    ],
)
def test_a_condition_holds_or_not(condition: str, holds: bool):
    assert read_sentence(f"take when {condition}").condition.at(look) == holds


def test_without_a_condition_it_always_speaks():
    assert read_sentence("take").condition.at(look)


@pytest.mark.parametrize(
    ("sentence", "holds"),
    [
        ("keep 1 wild", True),
        ("keep 0 wilds", False),
        ("keep 1 wild when pile = 5", False),
        ("keep 2 wilds unless deck = 1", True),
    ],
)
def test_keeping_wilds_forbids_sets_that_leave_fewer(sentence: str, holds: bool):
    """One wild is held and the set uses it: none would be left."""
    found = read_sentence(sentence)
    assert (found.verb, found.option) == ("never", "play")
    assert found.condition.at(look) == holds


@pytest.mark.parametrize(
    ("sentence", "holds"), [("keep 2 passes", True), ("keep 1 pass", False), ("keep 3 passes", True)]
)
def test_keeping_passes_forbids_the_last_ones(sentence: str, holds: bool):
    """Two are held; laying one leaves one."""
    found = read_sentence(sentence)
    assert (found.verb, found.option) == ("never", "pass")
    assert found.condition.at(look) == holds


def test_a_price_is_rounded_once_number_by_number():
    price = read_sentence("prefer take by 0.1*pile - 0.3*passes + 1").by
    assert price.price_steps(look) == 4 * round(CARD / 10) - 2 * round(3 * CARD / 10) + CARD


@pytest.mark.parametrize("millionths", [0, 1, 7, 8, 15, 499_999, 500_000, 123_456, -1, -8, -500_000, 999_999_999_999])
def test_steps_are_the_nearest_ones(millionths: int):
    # Python rounds halves to even, exactly, where the number is a fraction.
    assert steps_of(millionths) == round(Fraction(millionths * CARD, UNIT))


@pytest.mark.parametrize(("millionths", "text"), [(0, "0"), (1, "0.000001"), (-500_000, "-0.5"), (12_000_000, "12")])
def test_numbers_have_as_many_decimals_as_they_need(millionths: int, text: str):
    assert number_text(millionths) == text


@pytest.mark.parametrize(
    ("sentence", "spoken"),
    [
        (
            "take when pile <= 3 and passes >= 1",
            "Always take the pile when cards in the pile are at most 3 and Passes in hand are at least 1.",
        ),
        (
            "never pass unless 13 <= target",
            "Never lay a Pass, except when the total to exceed is at least 13, unless nothing else is legal.",
        ),
        (
            "keep 1 wild when deck > 0",
            "Keep 1 wild back when cards in the deck are more than 0, unless nothing else is legal.",
        ),
        ("avoid pass by 3.75", "Count laying a Pass as 3.75 cards more."),
        ("lead when value = lowest", "Always lead a set when the value of the set is exactly the lowest card in hand."),
        (
            "beat unless not (unseen(13) = 0 or pile > 5)",
            "Always beat the pile with a set, except when it is not so that unseen 13s are exactly 0 or cards in the "
            "pile are more than 5.",
        ),
    ],
)
def test_a_sentence_is_read_back_in_plain_words(sentence: str, spoken: str):
    assert read_sentence(sentence).spoken == spoken


def test_the_order_of_sentences_does_not_matter():
    rng = random.Random(3)
    given = list({str(s): s for s in (random_sentence(rng) for _ in range(8))}.values())
    assert check_together(given) == check_together(given[::-1])


@pytest.mark.parametrize(
    ("sentences", "said"),
    [
        (["take", "take"], "'always take' is given twice"),
        (["take when pile>1", "always take when pile > 1"], "is given twice"),
        (["take when pile > 1", "never take when pile > 1"], "contradict each other at every moment"),
        (["take when pile > 1:5"], "has a range, 1:5: a player needs one number there"),
        ([f"take when pile > {n}" for n in range(MOST_SENTENCES + 1)], "at most 16 sentences, not 17"),
    ],
)
def test_sentences_that_do_not_go_together_are_refused(sentences: list[str], said: str):
    with pytest.raises(InputError, match=said):
        check_together(list(map(read_sentence, sentences)))


@pytest.mark.parametrize(
    ("sentence", "said"),
    [
        ("take when pile > 1:5 and deck > 1:5 and hand > 1:5", "has 3 ranges, at most 2 are tried at once"),
        ("take when pile > 0:1000 and deck > 0:1000", "stands for 1,002,001 sentences: at most 10,000"),
    ],
)
def test_families_that_are_too_large_are_refused(sentence: str, said: str):
    with pytest.raises(InputError, match=said):
        check_family(read_sentence(sentence))
    check_family(read_sentence("take when pile > 1:5 and deck > 1:5"))
