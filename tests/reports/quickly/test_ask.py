"""Verdicts on tactics of a group: right sign, right size, nothing where nothing changes."""

from __future__ import annotations

import numpy as np
import pytest

from reports.quickly.answers import deals_to_see, group_answer_files, group_headline, group_rows
from reports.quickly.ask import GroupQuestion, ask_group
from reports.verdict import Stopping
from simulate.blocks import DEALS_PER_BLOCK
from simulate.quickly.comparison import GroupComparison, counts_of
from simulate.quickly.engine import Group
from simulate.quickly.exact import sort_success, win_chance
from simulate.quickly.reference import play
from simulate.quickly.rules import Rules
from strategies.errors import InputError
from strategies.quickly import person


def question(subject, players=(5,), text="plain", deals=20 * DEALS_PER_BLOCK):
    rules = tuple(Rules.printed(count) for count in players)
    return GroupQuestion(subject, rules, person(text), Stopping(most_deals=deals))


def test_the_effect_of_talking_is_the_one_that_integration_gives():
    answer = ask_group(question("talk=3"))
    wins = [100 * win_chance(sort_success(Rules.printed(5), person(text))) for text in ("plain", "plain,talk=3")]
    (table,) = answer.tables
    assert answer.answer == "good"
    assert table.measured.wins.low < wins[1] - wins[0] < table.measured.wins.high


def test_a_tactic_is_answered_at_its_best_dose_on_deals_that_did_not_choose_it():
    answer = ask_group(question("talk-it-over", (4, 5)))
    # More listeners never hurt; with four players there are three besides the speaker.
    assert [table.dose in {3, 4} for table in answer.tables] == [True, True]
    assert all(deal >= 4 * DEALS_PER_BLOCK for table in answer.tables for deal in table.deals)
    assert group_headline(answer).startswith("Yes. talk-it-over, on average over 2 tables")
    assert answer.tables[0].measured.stopping.alpha == pytest.approx(0.025)


def test_a_planned_mistake_brings_its_ruling_and_is_worth_what_the_search_says():
    asked = question("planned-mistake", (8,), "plain,sigma=1.5", deals=4 * DEALS_PER_BLOCK)
    assert asked.needs_ruling
    answer = ask_group(asked)
    assert answer.answer == "good"
    assert answer.tables[0].measured.wins.estimate == pytest.approx(48, abs=3)
    assert "planned_mistake=true" in deals_to_see(answer, answer.tables[0])[0]


def test_flipping_own_cards_late_is_bad():
    answer = ask_group(question("own-late", deals=2 * DEALS_PER_BLOCK))
    assert answer.answer == "bad"
    assert group_headline(answer).startswith("No.")
    assert answer.tables[0].dose == 1


def test_the_deals_shown_are_turned_by_the_change():
    answer = ask_group(question("talk=4", deals=DEALS_PER_BLOCK))
    (table,) = answer.tables
    assert len(table.deals) == 3
    for deal in table.deals:
        good = [play(group, 1, deal).good for group in (table.comparison.base, table.comparison.changed)]
        assert good[0] < 3 == good[1]


def test_a_shared_frame_ends_mistakes_among_others_and_late_own_cards_make_mistakes_of_their_own():
    """Why a tactic works: if all noise is common, the others keep their order, and only own cards can be misplaced."""
    relative, late = (
        ask_group(question(text, deals=DEALS_PER_BLOCK)).tables[0] for text in ("shared_frame=1", "own_shift=1")
    )
    (others, _), (others_then, own_then) = relative.mistakes
    assert others > 20
    assert others_then == 0
    assert own_then > 0
    (_, own), (_, own_then) = late.mistakes
    assert own_then > own + 20


def test_the_counts_of_a_comparison_are_those_of_its_groups():
    rules, deals = Rules.printed(4), np.arange(500)
    one, other = (Group(rules, (person(text),) * 4) for text in ("plain", "plain,talk=3"))
    counts = GroupComparison(one, other).play_deals(5, deals)
    played = [group.play(5, deals) for group in (one, other)]
    won = [result.good == 3 for result in played]
    assert counts["win_differences"].tolist() == [
        int((won[0] & ~won[1]).sum()), int((won[0] == won[1]).sum()), int((won[1] & ~won[0]).sum()),
    ]  # fmt: skip
    alike = (played[0].good == played[1].good) & (played[0].bad == played[1].bad)
    assert counts["changed_games"][0] == 500 - alike.sum() > 0
    for which, result in zip(("without", "with"), played, strict=True):
        sums = counts_of(counts, which)
        assert all(np.array_equal(sums[name], value) for name, value in result.sums._asdict().items())


def test_the_table_tells_how_many_games_changed():
    answer = ask_group(question("clear_ends=0.001", deals=DEALS_PER_BLOCK))
    measured = answer.tables[0].measured
    assert 0 < measured.changed_games < 0.05 * measured.deals
    assert answer.answer == "no practical difference"
    assert f"{measured.changed_games / measured.deals:.2%}" in group_rows(answer)[0]


def test_the_page_has_the_answer_the_figure_and_deals_to_see():
    answer = ask_group(question("talk=4", (4, 5), deals=DEALS_PER_BLOCK))
    files = group_answer_files(answer)
    page = files["report.html"].decode()
    assert set(files) == {"answer.csv", "effects.svg", "effects.png", "report.html"}
    assert group_headline(answer) in page
    assert "<svg" in page
    assert all(command in page for table in answer.tables for command in deals_to_see(answer, table))
    assert group_answer_files(answer) == files


@pytest.mark.parametrize(
    ("subject", "message"),
    [
        ("sigma=1", "changes nothing"),
        ("planned-mistake", "none is allowed"),
        ("talk-it-overt", "did you mean 'talk-it-over'"),
        ("talk=9", "talk is a whole number"),
    ],
)
def test_questions_that_cannot_be_asked_are_refused(subject, message):
    with pytest.raises(InputError, match=message):
        question(subject)
