"""Verdicts on tactics of a group: right sign, right size, nothing where nothing changes."""

from __future__ import annotations

import pytest

from reports.ask.answer_words import curve_headline, effects_table, headline, remarks
from reports.ask.asking import ask
from reports.ask.output import answer_files
from reports.ask.question import read_subject
from reports.ask.verdict import Stopping
from reports.quickly.group_question import GroupQuestion
from reports.quickly.group_words import deals_to_see
from simulate.blocks import DEALS_PER_BLOCK
from simulate.quickly.exact import sort_success, win_chance
from simulate.quickly.rules import GroupRules
from simulate.runner import How
from simulate.store import Store
from strategies.errors import InputError
from strategies.quickly import QUICKLY, person


def question(name, players=(5,), text="plain", deals=20 * DEALS_PER_BLOCK, **changed):
    rules = tuple(GroupRules.printed(count, **changed) for count in players)
    return GroupQuestion(name, read_subject(name, QUICKLY), rules, person(text), Stopping(most_deals=deals))


def test_the_effect_of_talking_is_the_one_that_integration_gives():
    answer = ask(question("talk=3"))
    wins = [100 * win_chance(sort_success(GroupRules.printed(5), person(text))) for text in ("plain", "plain,talk=3")]
    (table,) = answer.tables
    assert answer.answer == "good"
    assert table.worth.wins.low < wins[1] - wins[0] < table.worth.wins.high


def test_a_tactic_is_answered_at_its_best_dose_on_deals_that_did_not_choose_it():
    answer = ask(question("talk-it-over", (4, 5)))
    # More listeners never hurt; with four players there are three besides the speaker.
    assert [table.best in {3, 4} for table in answer.tables] == [True, True]
    assert [[one.dose for one in table.tried] for table in answer.tables] == [[2, 3, 4]] * 2
    assert headline(answer).startswith("Yes. talk-it-over, on average over 2 tables")
    assert answer.tables[0].worth.stopping.own_alpha == pytest.approx(0.025)


def test_a_planned_mistake_brings_its_ruling_and_is_worth_what_the_search_says():
    asked = question("planned-mistake", (8,), "plain,sigma=1.5", deals=4 * DEALS_PER_BLOCK)
    assert asked.note.startswith("Asked under planned_mistake=true")
    answer = ask(asked)
    assert answer.answer == "good"
    assert answer.tables[0].worth.wins.estimate == pytest.approx(48, abs=3)
    assert asked.note in remarks(answer)
    assert all("--rule planned_mistake=true" in command for _, command in deals_to_see(answer.tables[0].worth))


def test_flipping_own_cards_late_is_bad():
    answer = ask(question("own-late", deals=2 * DEALS_PER_BLOCK))
    assert answer.answer == "bad"
    assert headline(answer).startswith("No.")
    assert answer.tables[0].best == 1


def test_how_much_is_answered_by_a_curve():
    answer = ask(question("own_shift=-1:1", deals=2 * DEALS_PER_BLOCK))
    early, none, late = answer.values
    assert none.measured is None
    assert [early.answer, late.answer] == ["bad", "bad"]
    # Two values are measured; alpha is split between them.
    assert early.wins.level == pytest.approx(0.975)
    wins = [100 * win_chance(sort_success(GroupRules.printed(5), person(f"plain,talk={one}"))) for one in (1, 2, 4)]
    more = ask(question("talk=1,2,4", deals=2 * DEALS_PER_BLOCK))
    assert all(one.wins.low <= win - wins[0] <= one.wins.high for one, win in zip(more.values, wins, strict=True))
    assert curve_headline(more, more.question.tables[0]).startswith("talk is best at 4 with 5 players with ")
    assert set(answer_files(more)) == {"answer.csv", "curve.svg", "report.html"}


def test_choices_are_told_by_name():
    answer = ask(question("organiser=sort,replan", deals=DEALS_PER_BLOCK))
    assert [row[1] for row in effects_table(answer).rows] == ["organiser=sort", "organiser=replan"]


def test_finished_blocks_are_not_played_again(tmp_path):
    asked = question("talk-it-over", deals=2 * DEALS_PER_BLOCK)
    with Store(tmp_path, asked.experiment) as store:
        first = ask(asked, How(store=store))

    def nobody(experiment, jobs):
        assert list(jobs) == []
        return iter(())

    with Store(tmp_path, asked.experiment) as store:
        again = ask(asked, How(workers=nobody, store=store))
    assert again.as_data() == first.as_data() == ask(asked, How(threads=3)).as_data()


def test_the_table_tells_how_many_games_changed():
    answer = ask(question("clear_ends=0.001", deals=DEALS_PER_BLOCK))
    measured = answer.tables[0].worth
    assert 0 < measured.changed_games < 0.05 * measured.deals
    assert answer.answer == "no practical difference"
    assert f"{measured.changed_games / measured.deals:.2%}" in effects_table(answer).rows[0]


def test_the_page_has_the_answer_the_figure_and_deals_to_see():
    answer = ask(question("talk-it-over", (4, 5), deals=DEALS_PER_BLOCK))
    files = answer_files(answer)
    page = files["report.html"].decode()
    assert set(files) == {"answer.csv", "doses.csv", "effects.svg", "doses.svg", "report.html"}
    assert headline(answer) in page
    assert page.count("<svg") == 2
    commands = [command for table in answer.tables for _, command in deals_to_see(table.worth)]
    assert len(commands) == 6
    assert all(command in page for command in commands)
    assert answer_files(answer) == files


@pytest.mark.parametrize(
    ("subject", "message"),
    [
        ("sigma=1", "changes nothing"),
        ("planned-mistake", "none is allowed"),
        ("talk-it-overt", "did you mean 'talk-it-over'"),
        ("talk=9", "talk is a whole number"),
        ("talk=1:9", "talk is a whole number"),
        ("own_shift=0", "changes nothing"),
        ("burn=0,1", "none is allowed"),
    ],
)
def test_questions_that_cannot_be_asked_are_refused(subject, message):
    with pytest.raises(InputError, match=message):
        question(subject)
