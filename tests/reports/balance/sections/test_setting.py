"""What is looked at: every fact of the game and its players is there, and nothing is played."""

from __future__ import annotations

from reports.balance.plan import QUICK, BalancePlan
from reports.balance.sections.setting import measure
from simulate import Rules
from simulate.escalation.rules import RULINGS, Deck
from strategies.catalogue import named_strategies, strategy


def never(*args, **options):
    raise AssertionError("the setting plays nothing")


def test_the_facts_are_those_of_the_plan():
    rules = Rules(Deck.parse("1-9x5,10-12x3,Wx1,Px4"), 3, hand_size=5, lead_pass=True)
    finding = measure(BalancePlan(rules, (2, 3), 7, QUICK), never)
    facts = finding.frames["setting"].set_index("what")["value"]
    assert facts["cards in the deck"] == str(9 * 5 + 3 * 3 + 1 + 4)
    assert facts["cards in hand"] == "5"
    assert (facts["players"], facts["players where one table size is looked at"]) == ("2, 3", "3")
    assert facts["games per setting"] == "10,080"
    assert facts["seed"] == "7"
    assert {name: facts[f"ruling {name}"] for name in RULINGS} == {
        name: str(name == "lead_pass" or ruling.default).lower() for name, ruling in RULINGS.items()
    }
    deck = finding.frames["setting_deck"].set_index("card")["copies"]
    assert (deck["1"], deck["12"], deck["13"], deck["W"], deck["P"]) == (5, 3, 0, 1, 4)
    assert "with 2 to 3 players." in finding.finding
    assert finding.light == ""
    assert [table.rows for table in finding.tables] == [
        tuple(tuple(map(str, row)) for row in finding.frames[name].to_numpy().tolist())
        for name in ("setting", "setting_players")
    ]


def test_players_are_named_once_with_all_their_roles():
    novice, changed = strategy("novice"), strategy("standard,noise=0.2")
    plan = BalancePlan(Rules(), standard=changed, weaker=(novice,), population=(changed, novice, strategy("hoarder")))
    players = measure(plan, never).frames["setting_players"].set_index("strategy")
    assert players["role"].to_dict() == {
        "standard,noise=0.2": "standard, population",
        "novice": "weaker, population",
        "hoarder": "population",
    }
    known = {known.name: known.description for known in named_strategies().values()}
    assert players["description"]["novice"] == known["novice"]
    assert players["description"]["standard,noise=0.2"] == f"standard with changes: {known['standard']}"
