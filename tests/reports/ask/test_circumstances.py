"""Where a change holds: which circumstances there are, and what is said about them together."""

from __future__ import annotations

import numpy as np
import pytest

from reports.ask import circumstances as circumstances_module
from reports.ask.circumstances import (
    CARDS_MOVED,
    CircumstanceEffect,
    circumstances,
    effect_of,
    measure_circumstances,
    spreads,
    unequal_decks,
)
from reports.ask.verdict import Stopping
from reports.estimates.intervals import Interval
from simulate import Rules
from simulate.escalation.rules import PRESETS, RULINGS
from simulate.escalation.settings.comparison import Comparison
from simulate.ruling import rulings_note
from strategies.catalogue import named_strategies, strategy

PAIRED = Comparison(Rules(players=2), strategy("standard"), strategy("standard,pass_hoard=0"))


def test_there_are_64_different_decks_of_the_same_size_with_unequal_copies():
    deck = PRESETS["jokers3"]
    decks = unequal_decks(deck)
    assert len(set(decks)) == len(decks) == 64
    assert decks == unequal_decks(deck)
    for one in decks:
        assert (one.size, one.wilds, one.passes) == (deck.size, deck.wilds, deck.passes)
        assert min(one.copies) >= 1
        moved = np.abs(np.array(one.copies) - np.array(deck.copies)).sum() / 2
        assert 2 <= moved <= CARDS_MOVED
    # No value is favoured: over the ensemble every value keeps about its copies, within four standard errors.
    copies = np.array([one.copies for one in decks])
    off = (copies.mean(axis=0) - np.array(deck.copies)) / (copies.std(axis=0, ddof=1) / 8)
    assert np.abs(off).max() < 4


def test_every_table_size_deck_ruling_and_opponent_is_looked_at():
    places = circumstances(PAIRED)
    kinds = [place.kind for place in places]
    assert kinds.count("players") == 5
    assert kinds.count("deck") == len(PRESETS)
    assert kinds.count("unequal deck") == 64
    assert kinds.count("ruling") == len(RULINGS)
    assert kinds.count("opponents") == len(named_strategies())
    for place in places:
        rules = place.comparison.rules
        assert (place.comparison.base, place.comparison.changed) == (PAIRED.base, PAIRED.changed)
        assert rules.players == (int(place.name[0]) if place.kind == "players" else 2)
        assert (rules.deck == PAIRED.rules.deck) == ("deck" not in place.kind or place.name == "jokers3")
        if place.kind == "ruling":
            changed = {name: getattr(rules, name) for name in RULINGS if getattr(rules, name) != RULINGS[name].default}
            assert place.name == rulings_note(changed)
            assert changed in [PAIRED.rules.turned_over(name) for name in RULINGS]


def test_tables_for_which_there_are_too_few_cards_are_left_out():
    large = Comparison(Rules(players=2, hand_size=10), PAIRED.base, PAIRED.changed)
    sizes = [place.name for place in circumstances(large) if place.kind == "players"]
    assert sizes == ["2 players", "3 players", "4 players", "5 players"]


@pytest.mark.parametrize(
    ("low", "high", "discovered", "effect"),
    [
        (-0.1, 0.2, False, "does not matter"),
        (0.1, 0.2, True, "does not matter"),
        (0.1, 0.9, True, "helps"),
        (-0.9, -0.1, True, "hurts"),
        (0.1, 0.9, False, "not clear"),
    ],
)
def test_what_is_said_needs_both_size_and_evidence(low, high, discovered, effect):
    assert effect_of(Interval((low + high) / 2, low, high), 0.5, discovered=discovered) == effect


def test_a_harmful_change_is_found_and_one_that_is_none_is_not(monkeypatch):
    few = [place for place in circumstances(PAIRED) if place.name in {"2 players", "even", "novice"}]
    same = circumstances(Comparison(Rules(players=2), strategy("standard"), strategy("standard")))[0]
    monkeypatch.setattr(circumstances_module, "circumstances", lambda comparison: [*few, same])
    found = measure_circumstances(PAIRED, 1, Stopping(0.005, 0.05))
    assert [place.effect for place in found] == ["hurts", "hurts", "hurts", "does not matter"]
    # Nothing was won and nothing was lost by betting.
    assert found[-1].evidence == pytest.approx(1)
    assert [len(place.by_block) for place in found] == [4, 4, 4, 4]
    assert found[0].wins.estimate == pytest.approx(np.mean(found[0].by_block))
    # The third and the last are alone of their kind; there is nothing to differ from.
    assert set(spreads(found)) == {"players"}


def test_a_kind_differs_only_beyond_noise():
    generator = np.random.default_rng(1)

    def places(kind, effects):
        blocks = effects + generator.normal(scale=0.2, size=(2, len(effects)))
        return [CircumstanceEffect(kind, "", Interval(0, 0, 0), 1, "helps", tuple(own)) for own in blocks.T]

    found = spreads([*places("deck", np.linspace(0, 3, 20)), *places("ruling", np.full(20, 2.0))])
    assert (found["deck"].shown, found["ruling"].shown) == (True, False)
    assert (found["deck"].low, found["deck"].high) == pytest.approx((0, 3), abs=0.4)
    assert found["ruling"].middle == pytest.approx(2, abs=4 * 0.2 / 40**0.5)
