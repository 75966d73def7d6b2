"""Verdicts on tactics of a group: right sign, right size, nothing where nothing changes."""

from __future__ import annotations

import json
import shlex

import numpy as np
import pytest

from reports.ask.asking import ask
from reports.ask.doses import SEARCH_BLOCK
from reports.ask.output import curve_headline, curve_rows, headline, remarks, rows
from reports.ask.page import answer_files
from reports.ask.question import read_subject
from reports.ask.verdict import Stopping
from reports.output.parts import Parts
from reports.quickly.group_question import GroupQuestion
from reports.quickly.group_words import deals_to_see
from simulate.blocks import DEALS_PER_BLOCK
from simulate.quickly.comparison import GroupComparison, counts_of
from simulate.quickly.engine import Group
from simulate.quickly.exact import sort_success, win_chance
from simulate.quickly.reference import play
from simulate.quickly.rules import GroupRules
from simulate.runner import threads_as_workers
from strategies.errors import InputError
from strategies.quickly import QUICKLY, person
from tests.command_line import run


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
    assert all(table.worth.deals < SEARCH_BLOCK * DEALS_PER_BLOCK for table in answer.tables)
    assert headline(answer).startswith("Yes. talk-it-over, on average over 2 tables")
    assert answer.tables[0].worth.stopping.alpha == pytest.approx(0.025)


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


def test_the_deals_shown_are_turned_by_the_change():
    answer = ask(question("talk=4", deals=DEALS_PER_BLOCK))
    (table,) = answer.tables
    commands = [command for _, command in deals_to_see(table.worth)]
    assert len(commands) == 3
    for command in commands:
        deal = int(command.rpartition(" ")[2])
        good = [play(group, 1, deal).good for group in (table.worth.comparison.base, table.worth.comparison.changed)]
        assert good[0] < 3 == good[1]


def test_the_commands_show_the_game_that_was_asked_about():
    (table,) = ask(question("talk=3", (6,), deals=DEALS_PER_BLOCK, mistakes=2, target=2)).tables
    for words, command in deals_to_see(table.worth):
        assert words == "won only with the change"
        told = json.loads(run([*shlex.split(command)[1:], "--json"]).stdout)
        assert (told["rules"]["mistakes"], told["rules"]["target"]) == (2, 2)
        assert told["persons"] == ["plain,talk=3"] * 6
        assert told["won"] is True


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
    assert [row[1] for row in curve_rows(answer)] == ["organiser=sort", "organiser=replan"]


def test_finished_blocks_are_not_played_again(tmp_path):
    asked = question("talk-it-over", deals=2 * DEALS_PER_BLOCK)
    first = ask(asked, Parts(folder=tmp_path))

    def nobody(experiment, jobs):
        assert list(jobs) == []
        return iter(())

    again = ask(asked, Parts(nobody, tmp_path))
    assert again.as_data() == first.as_data() == ask(asked, Parts(threads_as_workers(3))).as_data()


def test_a_shared_frame_ends_mistakes_among_others_and_late_own_cards_make_mistakes_of_their_own():
    """Why a tactic works: if all noise is common, the others keep their order, and only own cards can be misplaced."""
    relative, late = (
        ask(question(text, deals=DEALS_PER_BLOCK)).tables[0].worth for text in ("shared_frame=1", "own_shift=1")
    )
    (others, _), (others_then, own_then) = relative.mistakes
    assert others > 20
    assert others_then == 0
    assert own_then > 0
    (_, own), (_, own_then) = late.mistakes
    assert own_then > own + 20


def test_the_counts_of_a_comparison_are_those_of_its_groups():
    rules, deals = GroupRules.printed(4), np.arange(500)
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
    answer = ask(question("clear_ends=0.001", deals=DEALS_PER_BLOCK))
    measured = answer.tables[0].worth
    assert 0 < measured.changed_games < 0.05 * measured.deals
    assert answer.answer == "no practical difference"
    assert f"{measured.changed_games / measured.deals:.2%}" in rows(answer)[0]


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
