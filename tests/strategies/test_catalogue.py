"""What every named strategy and tactic must keep to, old or new; each inherits the whole suite by its entry."""

from __future__ import annotations

import pytest

from simulate.escalation.kernel.dealing import deck_order
from simulate.escalation.plain.reference import HeuristicPlayer, play
from simulate.escalation.rules import RULINGS, Rules
from simulate.escalation.state import State
from strategies.catalogue import CatalogueEntry, Tactic, named_strategies, named_tactics, strategy, tactic
from strategies.errors import InputError
from strategies.parameters import PARAMETER_NAMES, PARAMETERS, parameter
from strategies.strategy import Strategy
from tests.simulate.escalation.cases import most_turns

EVERY_RULING_CHANGED = {name: not ruling.default for name, ruling in RULINGS.items()}
RULINGS_TO_PLAY = [{}, *map(Rules().turned_over, RULINGS), EVERY_RULING_CHANGED]


@pytest.mark.parametrize("entry", named_strategies().values(), ids=lambda entry: entry.name)
class TestEveryStrategy:
    def test_its_name_reads_back_to_it(self, entry: CatalogueEntry) -> None:
        assert strategy(entry.name) == entry.strategy
        assert entry.strategy.label == entry.name

    def test_a_change_to_it_reads_back(self, entry: CatalogueEntry) -> None:
        changed = entry.strategy.with_changes({"shed": 0.125, "noise": 0.5})
        assert strategy(changed.label) == changed
        assert (changed["shed"], changed["noise"]) == (0.125, 0.5)

    def test_it_has_a_value_within_bounds_for_every_parameter(self, entry: CatalogueEntry) -> None:
        for known, value in zip(PARAMETERS, entry.strategy.values, strict=True):
            assert known.lower <= value <= known.upper

    def test_it_relies_on_nothing_experimental(self, entry: CatalogueEntry) -> None:
        assert [known.name for known in PARAMETERS if known.experimental and entry.strategy[known.name] != 0] == []

    def test_it_says_what_it_does_and_where_it_comes_from(self, entry: CatalogueEntry) -> None:
        for text in (entry.description, entry.source):
            assert text.endswith(".")
            assert "\n" not in text

    def test_its_name_is_fit_for_the_notation(self, entry: CatalogueEntry) -> None:
        assert entry.name == entry.name.lower().strip()
        assert not set(entry.name) & set(",= ")

    @pytest.mark.parametrize("rulings", RULINGS_TO_PLAY, ids=lambda rulings: ",".join(rulings) or "default")
    def test_it_plays_whole_games_under_every_ruling(self, entry: CatalogueEntry, rulings: dict[str, bool]) -> None:
        for players in (2, 4):
            rules = Rules(players=players).with_rulings(rulings)
            state = State.dealt(rules, deck_order(rules.deck, seed=7, deal=players))
            game = play(rules, [HeuristicPlayer(entry.strategy)] * players, state, noise_key=7)
            assert min(map(len, game.final.hands)) == 0
            assert sum(game.scores) + game.middle + len(game.final.rest) == rules.deck.size
            assert len(game.turns) <= most_turns(rules)


@pytest.mark.parametrize("known", named_tactics().values(), ids=lambda known: known.name)
class TestEveryTactic:
    def test_its_name_finds_it(self, known: Tactic) -> None:
        assert tactic(known.name) is known

    def test_it_says_what_it_is_and_where_it_comes_from(self, known: Tactic) -> None:
        for text in (known.description, known.source):
            assert text.endswith(".")
            assert "\n" not in text

    def test_its_off_values_are_parameters_within_bounds(self, known: Tactic) -> None:
        assert known.off
        for name, value in known.off.items():
            assert parameter(name).lower <= value <= parameter(name).upper

    def test_it_governs_its_dose(self, known: Tactic) -> None:
        assert known.dose in known.off

    def test_its_doses_are_a_range_within_bounds(self, known: Tactic) -> None:
        low, high = known.dose_range
        assert parameter(known.dose).lower <= low < high <= parameter(known.dose).upper

    def test_absent_it_leaves_all_other_parameters_alone(self, known: Tactic) -> None:
        base = strategy("standard")
        absent = known.absent(base)
        assert {name: absent[name] for name in known.off} == dict(known.off)
        assert all(absent[name] == base[name] for name in PARAMETER_NAMES if name not in known.off)
        assert strategy(absent.label) == absent

    def test_present_it_has_the_dose_and_the_rest_of_the_base(self, known: Tactic) -> None:
        base = strategy("standard")
        for dose in known.dose_range:
            present = known.present(base, dose)
            assert present[known.dose] == dose
            assert all(present[name] == base[name] for name in PARAMETER_NAMES if name != known.dose)
            assert strategy(present.label) == present


def test_the_strategies_are_these() -> None:
    wanted = {"minimal", "maximal", "shedder", "random", "novice", "hoarder", "jumper", "early-taker", "standard"}
    assert wanted <= set(named_strategies())


def test_the_advice_printed_with_the_rules_is_all_there() -> None:
    printed = {name for name, known in named_tactics().items() if known.source == "Advice printed with the rules."}
    assert printed == {
        "early-aggression",
        "pass-hoarding",
        "early-pile-taking",
        "wild-seven-jump",
        "multi-card-shedding",
        "endgame-dump",
    }


def test_the_random_player_is_nothing_but_noise() -> None:
    assert strategy("random") == Strategy.from_parameters("random", {"noise": 1})


def test_what_stands_on_standard_differs_from_it_where_it_says() -> None:
    for name, governed in {
        "hoarder": {"pass_hoard", "wild_hold"},
        "jumper": {"overshoot", "wild_hold", "wild_seven_jump", "high_hold"},
        "early-taker": {"early_take", "early_take_limit"},
    }.items():
        differs = {p for p in PARAMETER_NAMES if strategy(name)[p] != strategy("standard")[p]}
        assert differs == governed


def test_an_unknown_tactic_is_refused_with_the_nearest_name() -> None:
    with pytest.raises(
        InputError, match=r"unknown tactic 'pass-hording': did you mean 'pass-hoarding'.*allowed: early"
    ):
        tactic("pass-hording")


def test_the_catalogue_cannot_be_changed_by_accident() -> None:
    with pytest.raises(TypeError):
        named_strategies()["minimal"] = named_strategies()["maximal"]  # type: ignore[index]
    with pytest.raises(TypeError):
        named_tactics()["endgame-dump"].off["endgame_shed"] = 1.0  # type: ignore[index]
