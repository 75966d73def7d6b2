"""Listings, their plain data, and the tables in the docs, which must be the generated ones."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from reports.catalogue import (
    ASSUMPTION,
    LISTINGS,
    TABLES,
    Listing,
    main,
    rules_data,
    rules_lines,
    strategies_data,
    strategies_lines,
    tactics_data,
    tactics_lines,
    with_tables,
)
from reports.output.lines import WIDTH
from simulate.escalation.rules import PRESETS, RULINGS, Rules
from strategies.catalogue import named_strategies, named_tactics
from strategies.parameters import PARAMETERS
from strategies.quickly import PERSON, QUICKLY

ROOT = Path(__file__).resolve().parents[2]
DOCS = [ROOT / "docs" / name for name in ("players.md", "rules.md", "quickly.md", "tactics.md")]

every_listing = pytest.mark.parametrize("listing", LISTINGS.values(), ids=LISTINGS)


@every_listing
def test_a_listing_fits_80_columns(listing: Listing) -> None:
    assert max(map(len, listing.lines())) <= WIDTH == 80


@pytest.mark.parametrize(
    ("command", "names"),
    [
        ("strategies", [*named_strategies(), *(known.name for known in PARAMETERS)]),
        ("tactics", [*named_tactics()]),
        ("rules", [*PRESETS, *RULINGS]),
        ("quickly strategies", [*QUICKLY.strategies, *PERSON.names]),
        ("quickly tactics", [*QUICKLY.tactics]),
    ],
)
def test_everything_that_exists_has_a_line_of_its_own(command: str, names: list[str]) -> None:
    heads = [line.split()[0] for line in LISTINGS[command].lines() if line and not line.startswith(" ")]
    assert [head for head in heads if head in names] == names


def test_the_rules_say_plainly_what_is_assumed() -> None:
    told = " ".join(rules_lines())
    assert ASSUMPTION in told
    assert "assumption" in ASSUMPTION


def test_a_strategy_is_listed_with_all_its_values() -> None:
    listed = {entry["name"]: entry for entry in strategies_data()["strategies"]}
    assert listed["maximal"]["values"] == {
        **dict.fromkeys((known.name for known in PARAMETERS), 0.0),
        "overshoot": -1.0,
        "lead_total": -1.0,
        "pass_hoard": 1e6,
    }
    assert "overshoot=-1 pass_hoard=1000000 lead_total=-1 (all others 0)" in " ".join(strategies_lines())


def test_a_parameter_is_listed_with_unit_bounds_and_meaning() -> None:
    listed = {known["name"]: known for known in strategies_data()["parameters"]}
    assert (listed["shed"]["unit"], listed["shed"]["lower"], listed["shed"]["upper"]) == ("cards/card", -256, 256)
    assert listed["count_cards"]["experimental"] is True
    assert "shed  (cards/card, -256 to 256)" in list(strategies_lines())


def test_a_tactic_is_listed_with_off_dose_and_range() -> None:
    listed = {known["name"]: known for known in tactics_data()["tactics"]}
    assert listed["multi-card-shedding"]["off"] == {"shed": 0, "lead_shed": 0}
    assert (listed["multi-card-shedding"]["dose"], listed["multi-card-shedding"]["dose_range"]) == ("shed", [0, 3])
    assert "off   shed=0 lead_shed=0" in " ".join(tactics_lines())


def test_a_deck_is_listed_with_composition_and_size() -> None:
    decks = {deck["name"]: deck for deck in rules_data()["decks"]}
    assert [deck["size"] for deck in decks.values()] == [56] * len(PRESETS)
    assert [name for name, deck in decks.items() if deck["default"]] == ["jokers3"]
    assert decks["one-wild"]["copies"] == [4] * 12 + [5]


def test_a_ruling_is_listed_with_its_default() -> None:
    rulings = {ruling["name"]: ruling["default"] for ruling in rules_data()["rulings"]}
    assert rulings == {name: getattr(Rules(), name) for name in RULINGS}
    assert (rulings["lead_pass"], rulings["beat_own_total"]) == (False, True)
    sources = {ruling["name"]: ruling["source"] for ruling in rules_data()["rulings"]}
    assert (sources["lead_pass"], sources["draw_before_end_check"]) == ("", "published texts")
    assert [line.strip() for line in rules_lines()].count("Source: published texts") == 1
    assert {"gap": "ties", "ruling": "share the win"} in rules_data()["fixed_rulings"]


@every_listing
def test_the_data_is_plain(listing: Listing) -> None:
    assert json.loads(json.dumps(listing.data(), allow_nan=False)) == listing.data()


# The docs


@pytest.mark.parametrize("path", DOCS, ids=lambda path: path.name)
def test_the_docs_have_exactly_the_generated_tables(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    assert text == with_tables(text), "run: python -m reports.catalogue docs/*.md"


def test_every_table_is_in_the_docs_once() -> None:
    text = "".join(path.read_text(encoding="utf-8") for path in DOCS)
    assert {name: text.count(f"<!-- table: {name} -->\n{table()}\n<!-- end -->") for name, table in TABLES.items()} == (
        dict.fromkeys(TABLES, 1)
    )


def test_a_table_has_as_many_cells_in_every_row() -> None:
    for table in TABLES.values():
        assert len({line.replace("\\|", "").count("|") for line in table().splitlines()}) == 1


def test_marked_tables_are_written_anew_and_nothing_else(tmp_path: Path) -> None:
    page = tmp_path / "page.md"
    page.write_text(
        "above\n<!-- table: decks -->\nold\n<!-- end -->\nbetween\n<!-- table: rulings -->\n<!-- end -->\nbelow\n"
    )
    main([str(page)])
    decks, rulings = TABLES["decks"](), TABLES["rulings"]()
    assert page.read_text() == (
        f"above\n<!-- table: decks -->\n{decks}\n<!-- end -->\n"
        f"between\n<!-- table: rulings -->\n{rulings}\n<!-- end -->\nbelow\n"
    )


def test_a_marker_that_names_no_table_is_an_error() -> None:
    with pytest.raises(KeyError, match="dekcs"):
        with_tables("<!-- table: dekcs -->\n<!-- end -->")


def test_listing_loads_nothing_heavy() -> None:
    script = "import sys, reports.catalogue; print(*sys.modules)"
    loaded = subprocess.run([sys.executable, "-c", script], cwd=ROOT, capture_output=True, text=True, check=True).stdout
    assert not {"numba", "pandas", "matplotlib", "scipy"} & set(loaded.split())
