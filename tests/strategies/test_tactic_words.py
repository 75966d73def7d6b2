"""The words of sentences: every one is explained, and known to be about moments or about what is laid."""

from __future__ import annotations

import pytest

from strategies.tactic_words import OPTIONS, VERBS, WORDS


@pytest.mark.parametrize("name", WORDS)
def test_every_word_has_a_unit_a_meaning_and_bounds(name: str):
    word = WORDS[name]
    assert word.name == name
    assert word.unit
    assert word.meaning
    assert word.least < word.greatest
    assert ("{}" in word.spoken) == word.argued


def test_nothing_has_two_meanings():
    everything = [*VERBS, *OPTIONS, *WORDS, "keep", "by", "when", "unless", "and", "or", "not"]
    # A plural names the words in hand; the option is in the singular.
    assert len(everything) == len(set(everything))


def test_words_about_sets_are_for_sets_and_words_about_cards_for_passes_too():
    about = {scope: {name for name, word in WORDS.items() if word.scope == scope} for scope in ("set", "cards")}
    assert about["set"] == {"cards", "naturals", "wilds_used", "value", "total", "over", "left"}
    assert about["cards"] == {"hand_after", "greatest_after"}
    allowed = {option: {name for name, word in WORDS.items() if word.allowed_for(option)} for option in OPTIONS}
    assert allowed["play"] == allowed["beat"] == allowed["lead"] == set(WORDS)
    assert allowed["pass"] == set(WORDS) - about["set"]
    assert allowed["take"] == allowed["pass"] - about["cards"]
