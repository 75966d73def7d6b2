"""Answers about tactics in sentences and tables."""

from __future__ import annotations

from dataclasses import replace

import pytest

from reports.ask.answer import DOSE_ON_TOP, REST_ALONE, DoseTried
from reports.ask.answer_words import (
    PICKED,
    circumstances_table,
    curve_headline,
    effects_table,
    guarantee,
    headline,
    headlines,
    own_dose,
    remarks,
    where_it_holds,
)
from reports.ask.asking import ask
from reports.ask.circumstances import CircumstanceEffect
from reports.ask.player_question import PlayerQuestion
from reports.ask.question import read_subject
from reports.ask.verdict import Stopping
from reports.estimates.intervals import Interval
from simulate import Rules
from strategies.catalogue import strategy

TUNED = strategy("standard,wild_hold=1.5")


def question(name, *, players=(2,), base=TUNED, **more):
    return PlayerQuestion(name, read_subject(name), Rules(players=players[0]), players, base, **more)


@pytest.fixture(scope="module")
def change():
    return ask(question("pass_hoard=0", stopping=Stopping(most_deals=5040)))


def with_wins(answer, low: float, high: float):
    """Return an answer whose effect at every table is in the middle between these bounds."""
    wins = Interval((low + high) / 2, low, high)
    tables = tuple(replace(table, worth=replace(table.worth, wins=wins)) for table in answer.tables)
    return replace(answer, tables=tables)


@pytest.mark.parametrize(
    ("low", "high", "said"),
    [
        (1.0, 3.0, "Yes. pass_hoard=0 for NAME, with 2 players, is worth 2.0 more wins per 100 games (1.0 to 3.0)."),
        (-3.0, -1.0, "No. pass_hoard=0 for NAME, with 2 players, costs 2.0 wins per 100 games (1.0 to 3.0)."),
        (-1.0, 3.0, "Undecided. pass_hoard=0 for NAME, with 2 players, changes wins per 100 games by -1.0 to +3.0."),
        (
            0.1,
            0.3,
            "It hardly matters. pass_hoard=0 for NAME, with 2 players, changes wins per 100 games by +0.1 to +0.3: a "
            "tiny gain, no practical difference.",
        ),
        (
            -0.2,
            0.2,
            "It hardly matters. pass_hoard=0 for NAME, with 2 players, changes wins per 100 games by -0.2 to +0.2: no "
            "practical difference.",
        ),
    ],
)
def test_the_verdict_is_the_first_word(change, low: float, high: float, said: str):
    answer = with_wins(change, low, high)
    assert headline(answer) == said.replace("NAME", TUNED.label)
    assert headlines(answer) == [headline(answer)]


def test_a_change_that_never_shows_says_what_is_excluded():
    """Wild sevens cannot be declared when wilds stand for 1 to 6 only."""
    asked = question("wild_seven_jump=3", base=strategy("standard"))
    silent = ask(replace(asked, rules=replace(asked.rules, wild_max=6)))
    assert silent.answer == "no practical difference"
    (table,) = silent.tables
    text = headline(silent)
    assert f"0 of {table.worth.games:,} games came out differently" in text
    assert f"more than {table.worth.wins.high:.2g} wins per 100 games is excluded" in text
    assert 0 < table.worth.wins.high < 0.5


def test_a_change_that_never_showed_is_undecided_as_long_as_it_may_matter():
    asked = question("wild_seven_jump=3", base=strategy("standard"), stopping=Stopping(margin=1e-5, most_deals=5040))
    silent = ask(replace(asked, rules=replace(asked.rules, wild_max=6)))
    assert silent.answer == "undecided"
    assert headline(silent).startswith("Undecided, but no change was seen: 0 of 10,080 games came out differently")


@pytest.fixture(scope="module")
def shedding():
    """A tactic whose absence changes more than its dose (lead_shed)."""
    return ask(question("multi-card-shedding", base=strategy("standard"), stopping=Stopping(most_deals=5040)))


def with_doses(answer, best: float, tried: dict[float, tuple[float, float]]):
    """Return an answer for which these doses were tried, with these bounds."""
    doses = tuple(DoseTried(dose, Interval((low + high) / 2, low, high), 5040) for dose, (low, high) in tried.items())
    tables = tuple(replace(table, best=best, tried=doses) for table in answer.tables)
    return replace(
        with_wins(answer, 1.0, 3.0),
        tables=tuple(
            replace(one, best=best, tried=doses) for one in with_wins(replace(answer, tables=tables), 1.0, 3.0).tables
        ),
    )


@pytest.mark.parametrize(
    ("best", "tried", "end", "as_good", "harmful", "said"),
    [
        # All of 1 to 3 overlap with the best; 4 does not.
        (
            2.0,
            {1.0: (0, 2.1), 2.0: (2, 4), 3.0: (1, 3), 4.0: (0.5, 1.9)},
            None, [1, 2, 3], [], "best at 2 cards per card (1 to 3 cannot be told apart); standard has 0.98",
        ),
        (
            1.0,
            {1.0: (2, 4), 2.0: (1, 1.5), 3.0: (-3, -1)},
            "mildest", [1], [3], "best at 1 card per card (only in its mildest form; harmful at 3); standard has 0.98",
        ),
        (
            1.0,
            {1.0: (2, 4), 2.0: (1, 2.5), 3.0: (-3, -1)},
            "mildest", [1, 2], [3],
            "best at 1 card per card (its mildest form; 1 to 2 cannot be told apart; harmful at 3); standard has 0.98",
        ),
        (
            3.0,
            {1.0: (-3, -1), 2.0: (-3, -1), 3.0: (2, 4)},
            "strongest", [3], [1, 2],
            "best at 3 cards per card (the strongest tried; harmful from 1 to 2); standard has 0.98",
        ),
    ],
)  # fmt: skip
def test_the_best_dose_is_told_with_those_that_may_be_as_good(shedding, best, tried, end, as_good, harmful, said):
    answer = with_doses(shedding, best, tried)
    (table,) = answer.tables
    assert (table.end, list(table.as_good), list(table.harmful)) == (end, as_good, harmful)
    data = table.as_data()
    assert (data["best_dose_is"], data["as_good_doses"], data["harmful_doses"]) == (end, as_good, harmful)
    assert said in headline(answer)
    # The same brackets stand beside the base's own dose, on the page.
    assert said.partition("(")[2].partition(")")[0] in own_dose(table)


def test_a_worth_is_told_apart_into_the_dose_and_the_rest(shedding):
    (table,) = shedding.tables
    further = {
        **table.further,
        REST_ALONE: replace(table.worth, wins=Interval(2.0, 1.0, 3.0)),
        DOSE_ON_TOP: replace(table.worth, wins=Interval(0.0, -0.25, 0.25)),
    }
    answer = replace(with_wins(shedding, 1.0, 3.0), tables=(replace(table, further=further),))
    said = headline(answer)
    assert said.endswith(
        "; of this shed itself brings 0.0 (-0.2 to +0.2), no practical difference, and lead_shed alone +2.0 (+1.0 to "
        "+3.0)."
    )
    rows = [row[1] for row in effects_table(answer).rows]
    assert rows[1:3] == [REST_ALONE, DOSE_ON_TOP]
    # On the same deals the two are the whole.
    worth, rest, dose = (m.wins.estimate for m in (table.worth, table.further[REST_ALONE], table.further[DOSE_ON_TOP]))
    assert worth == pytest.approx(rest + dose)


def test_the_promise_names_the_rows_that_it_is_for(change, shedding):
    assert guarantee(change) == (
        "Wins: 95% certain even if you watch it (anytime-valid); margin 0.5 wins per 100. Score: cards, 95% certain "
        "even if you watch it, each by itself."
    )
    assert "(anytime-valid), for each row by itself; margin" in guarantee(shedding)
    two = replace(change, tables=change.tables * 2)
    assert "for all 2 rows and their average together (95% each)" in guarantee(two)
    two = replace(shedding, tables=shedding.tables * 2)
    assert "for the 2 rows of each kind and their average together (95% each)" in guarantee(two)


def test_levels_close_to_one_are_not_rounded_to_it():
    answer = ask(question("pass_hoard=0", stopping=Stopping(alpha=0.0005, most_deals=5040)))
    assert guarantee(answer).count("99.95% certain even if you watch it") == 2


def test_a_curve_says_where_it_is_best_and_where_it_harms():
    answer = ask(question("wild_hold=0,1.5,4", stopping=Stopping(most_deals=10_080)))
    assert [one.value for one in answer.values] == [0, 1.5, 4]
    own = answer.values[1]
    assert own.measured is None
    assert own.wins.estimate == own.wins.low == own.wins.high == 0
    # Two values are measured; alpha is split between them.
    assert answer.values[0].wins.level == pytest.approx(0.975)
    text = curve_headline(answer, answer.question.tables[0])
    assert text.startswith("wild_hold is best at 1.5 with 2 players")
    assert "harmful at 0, 4" in text


def test_a_curve_has_a_headline_per_table_and_rests_on_all_values_together():
    answer = ask(question("wild_hold=0,1.5", players=(2, 3), stopping=Stopping(most_deals=5040)))
    assert headlines(answer) == [curve_headline(answer, table) for table in answer.question.tables]
    assert remarks(answer) == [PICKED, guarantee(answer)]
    assert "for all 2 rows together (97.5% each)" in guarantee(answer)
    own = [row for row in effects_table(answer).rows if row[1] == "wild_hold=1.5"]
    assert [row[:5] for row in own] == [
        (f"{players} players", "wild_hold=1.5", "0", "the base itself", "-") for players in (2, 3)
    ]


def test_where_every_value_harms_the_best_of_them_is_named():
    """A player who hoards wilds for nothing at all, or for four cards each, loses games."""
    answer = ask(question("wild_hold=0,4", stopping=Stopping(most_deals=10_080)))
    assert {value.answer for value in answer.values} == {"bad"}
    best = max(answer.values, key=lambda value: value.wins.estimate)
    assert headlines(answer) == [
        f"wild_hold is best at {best.value:g} with 2 players; no value is clearly better than {TUNED.label}; harmful "
        "from 0 to 4."
    ]


def test_a_table_has_as_many_cells_as_columns_and_no_own_dose_for_a_change(change):
    table = effects_table(change)
    assert {len(row) for row in table.rows} == {len(table.columns)}
    assert table.rows[0][:2] == ("2 players", "pass_hoard=0")
    assert own_dose(change.tables[0]) == ""
    assert remarks(change, own_doses=False) == remarks(change)


PLACES = (
    CircumstanceEffect("players", "3 players", Interval(2.0, 1.0, 3.0), 50.0, "helps"),
    CircumstanceEffect("deck", "even", Interval(-1.0, -2.0, 0.5), 1.0, "not clear"),
    CircumstanceEffect("unequal deck", "deck 0", Interval(4.0, 3.0, 5.0), 50.0, "helps", (4.1, 3.9)),
    CircumstanceEffect("unequal deck", "deck 1", Interval(-2.0, -3.0, -1.0), 50.0, "hurts", (-2.1, -1.9)),
)


def test_decks_with_unequal_copies_are_summed_up_unless_every_one_is_wanted():
    (*single, summed), every = circumstances_table(PLACES).rows, circumstances_table(PLACES, every=True).rows
    assert [row[1] for row in every] == ["3 players", "even", "deck 0", "deck 1"]
    assert tuple(single) == every[:2]
    assert summed == ("unequal deck", "2 decks", "+1.0", "-2.0 to +4.0 beyond noise", "helps in 1, hurts in 1")


def test_where_it_holds_is_counted_and_ranged_by_kind(change):
    said = where_it_holds(replace(with_wins(change, 1.0, 3.0), circumstances=PLACES))
    assert said == (
        "Where it holds, of 4 circumstances: helps in 2, hurts in 1, not clear in 1. +2.0 ± 1.0 wins per 100 from "
        "sampling. Beyond noise it differs from -2.0 to +4.0 over decks with unequal copies."
    )


def test_what_does_not_differ_beyond_noise_says_so(change):
    alike = [replace(place, by_block=(1.0 + place.wins.estimate, 1.0 - place.wins.estimate)) for place in PLACES]
    said = where_it_holds(replace(with_wins(change, 1.0, 3.0), circumstances=alike))
    assert said.endswith("from sampling. Over decks with unequal copies it differs by no more than noise.")
    assert circumstances_table(alike).rows[-1][3] == "no more than noise"
