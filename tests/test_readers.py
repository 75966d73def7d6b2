"""Every reader of what users write: either something whose text reads back equal, or a mistake told; nothing else."""

from __future__ import annotations

import copy
import string
import tomllib
from collections.abc import Callable, Mapping
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from hypothesis import example, given, settings
from hypothesis import strategies as st

from cli import read_rulings
from reports.output.toml import as_toml
from reports.questions import question_from, read_question
from reports.reading.values import read_habit, read_player_counts
from reports.simulation.plan import SimulationPlan
from reports.sweep.designs import read_points
from reports.sweep.plan import SweepPlan
from reports.sweep.variation import factors, read_variation, variation_from
from simulate import Rules
from simulate.escalation.rules import PRESETS, RULINGS, Deck
from strategies.catalogue import named_strategies, strategy
from strategies.errors import InputError
from strategies.parameters import PLAYER_VOCABULARY, Vocabulary
from strategies.quickly import PERSON, QUICKLY, person

many = settings(max_examples=100, derandomize=True, database=None, deadline=None)

MARKS = "=,:;.-+x_ \t'\"[]()%$<>"
NUMBERS = st.one_of(
    st.floats().map(repr),
    st.integers(-20, 20).map(str),
    st.integers().map(str),
    st.sampled_from(["", "0", "-0", "1e999", "-1e-999", "nan", "inf", "0x1", "1_0", "٣", "½", "1,5", "9" * 5000]),
)


def near(*words: str) -> st.SearchStrategy[str]:
    """Return texts that are almost what is wanted: known words, numbers and marks in any order; and any text at all."""
    piece = st.one_of(st.sampled_from(words), NUMBERS, st.sampled_from(MARKS), st.text(string.printable, max_size=3))
    return st.one_of(st.lists(piece, max_size=9).map("".join), st.text(max_size=40))


def changed(vocabulary: Vocabulary, names: Mapping[str, object]) -> st.SearchStrategy[str]:
    """Return labels of players: a name with changes, which may be wrong."""
    habits = [parameter.name for parameter in vocabulary.parameters]
    change = st.tuples(st.sampled_from(habits), NUMBERS).map("=".join)
    label = st.tuples(st.sampled_from(list(names)), st.lists(change, max_size=4)).map(lambda t: ",".join((t[0], *t[1])))
    return st.one_of(label, near(*names, *habits))


def read_or_refused(read: Callable[[Any], Any], text: Any) -> Any:
    """Return what was read, or None if it was refused."""
    try:
        return read(text)
    except InputError:
        return None


@many
@example("minimal,overshoot=0.5000152587890625")  # 16 digits
@given(changed(PLAYER_VOCABULARY, named_strategies()))
def test_a_strategy_s_label_reads_back(text: str):
    if (player := read_or_refused(strategy, text)) is not None:
        assert strategy(player.label) == player


@many
@given(changed(PERSON, QUICKLY.strategies))
def test_a_person_s_label_reads_back(text: str):
    if (player := read_or_refused(person, text)) is not None:
        assert person(player.label) == player


ITEMS = st.tuples(st.integers(1, 13), st.integers(0, 12)).map("{0[0]}x{0[1]}".format)


@many
@given(st.one_of(near(*PRESETS, "1-13x4", "Wx3", "Px2", "12"), st.lists(ITEMS, min_size=1, max_size=13).map(",".join)))
def test_a_deck_reads_back(text: str):
    if (deck := read_or_refused(Deck.parse, text)) is not None:
        assert Deck.parse(str(deck)) == deck == Deck.parse(deck.name)


@many
@given(st.one_of(
    st.tuples(st.sampled_from(sorted(factors())), st.lists(NUMBERS, min_size=1, max_size=4), st.sampled_from(":,"))
    .map(lambda t: f"{t[0]}={t[2].join(t[1])}"),
    near(*factors(), *PRESETS, "true", "false", "0:6:2"),
))  # fmt: skip
def test_what_varies_reads_back_from_its_spec(text: str):
    if (varied := read_or_refused(read_variation, text)) is not None:
        assert variation_from(varied.name, varied.spec()) == varied


@many
@given(near(*(parameter.name for parameter in PERSON.parameters), "0:2:0.5"))
def test_a_range_of_a_person_s_habit_is_read_or_refused(text: str):
    if (varied := read_or_refused(lambda text: read_habit(text, PERSON), text)) is not None:
        assert all(PERSON.parameter(varied.name).check(value) == value for value in varied.numbers)


@many
@given(near("2", "4", "6", "-", "2-6"))
def test_player_counts_are_a_span_within_the_bounds(text: str):
    if (counts := read_or_refused(read_player_counts, text)) is not None:
        assert counts == read_player_counts(f"{counts[0]}-{counts[-1]}")
        assert set(counts) <= set(range(2, 10))


@many
@given(st.lists(st.one_of(
    st.tuples(st.sampled_from(sorted(RULINGS)), st.sampled_from(["true", "false", "True", "1", ""])).map("=".join),
    near(*RULINGS, "true", "false"),
), max_size=3))  # fmt: skip
def test_rulings_are_true_or_false_of_what_exists(texts: list[str]):
    if (rules := read_or_refused(lambda texts: Rules().with_rulings(read_rulings(texts)), texts)) is None:
        return
    assert {f"{name}={value}".lower() for name, value in read_rulings(texts).items()} == {
        text.replace(" ", "").strip().lower() for text in texts
    }
    assert all(getattr(rules, name) == value for name, value in read_rulings(texts).items())


CELLS = st.one_of(NUMBERS, st.sampled_from(["jokers3", "true", "3", "0.1", "0,1", '"', "'", " "]))
HEADERS = st.sampled_from(
    ["noise", "shed", "players", "deck", "rule.lead_pass", "hand_size", "setting", "games", "wrong", ""]
)


@many
@given(
    st.lists(HEADERS, min_size=1, max_size=3),
    st.lists(st.lists(CELLS, min_size=1, max_size=3), max_size=5),
    st.sampled_from([",", ";", "\t"]),
)
def test_points_are_those_of_the_file(header: list[str], rows: list[list[str]], mark: str):
    text = "\n".join(mark.join(cells) for cells in (header, *rows))
    if (found := read_or_refused(lambda text: read_points(text, "points.csv"), text)) is None:
        return
    variations, design = found
    names = [varied.name for varied in variations]
    again = "\n".join(
        [";".join(["players"] * bool(design.players) + names)]
        + [
            ";".join([*([str(design.players[place])] if design.players else []), *map(str, row)])
            for place, row in enumerate(design.rows)
        ]
    )
    assert read_points(again, "again") == found


# --- Question files ------------------------------------------------------------------------------------------------


SIMULATION = SimulationPlan(Rules(players=3), (strategy("standard"), strategy("novice"), strategy("novice")))
SWEEP = SweepPlan((read_variation("noise=0:0.2:0.1"),), (2, 3), Rules(), (strategy("standard"),) * 2)
QUESTIONS = [plan.provenance(5040).as_data() for plan in (SIMULATION, SWEEP)]
ANYTHING = st.recursive(
    st.one_of(st.none(), st.booleans(), st.integers(), st.floats(), st.text(max_size=8), st.just(10**400)),
    lambda inner: st.one_of(st.lists(inner, max_size=3), st.dictionaries(st.text(max_size=5), inner, max_size=3)),
    max_leaves=6,
)


def places_in(data: Any, at: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    """Return where something stands in plain data."""
    inner = data.items() if isinstance(data, dict) else enumerate(data) if isinstance(data, list) else ()
    return [at, *(place for key, value in inner for place in places_in(value, (*at, key)))]


@many
@given(st.data())
def test_a_question_with_something_else_in_one_place_is_read_or_refused(data: st.DataObject):
    question = copy.deepcopy(data.draw(st.sampled_from(QUESTIONS)))
    question.pop("digest")
    *way, last = data.draw(st.sampled_from(places_in(question)[1:]))
    inner = question
    for key in way:
        inner = inner[key]
    inner[last] = data.draw(ANYTHING)
    if (found := read_or_refused(question_from, question)) is not None:
        assert question_from(found.provenance.as_data()).provenance == found.provenance


@many
@given(st.data())
def test_a_damaged_question_file_is_read_or_refused(data: st.DataObject):
    text = as_toml(data.draw(st.sampled_from(QUESTIONS)))
    first = data.draw(st.integers(0, len(text)))
    last = data.draw(st.integers(first, min(len(text), first + 30)))
    written = data.draw(st.one_of(st.text(max_size=10), st.sampled_from(["[" * 3000, "9" * 5000])))
    damaged = text[:first] + written + text[last:]
    with TemporaryDirectory() as folder:
        path = Path(folder) / "question.toml"
        path.write_bytes(damaged.encode("utf-8", "surrogatepass"))
        found = read_or_refused(read_question, path)
    if found is not None:
        assert question_from(tomllib.loads(as_toml(found.provenance.as_data()))).provenance == found.provenance
