"""Questions about tactics: reading them, answering them, and the words of the answer."""

from __future__ import annotations

import pytest

from reports.ask import circumstances as circumstances_module
from reports.ask.answer import BEST_INSTEAD, DOSE_ON_TOP, REST_ALONE, STEP_LESS, STEP_MORE
from reports.ask.answer_words import effects_table, headline, remarks
from reports.ask.asking import ask, made_of
from reports.ask.circumstances import MORE_BLOCKS, circumstances
from reports.ask.output import answer_files, answer_frame
from reports.ask.player_effect import MeasuredPlayer
from reports.ask.player_question import PlayerQuestion, PlayerTable
from reports.ask.player_reason import deals_to_see
from reports.ask.question import read_subject
from reports.ask.verdict import Stopping
from simulate import Rules
from simulate.blocks import CHOOSING_BLOCK, DEALS_PER_BLOCK, FRESH_BLOCK, JUDGING_BLOCK, blocks_for
from simulate.experiment import MOST_GAMES
from simulate.runner import How, threads_as_workers
from strategies.catalogue import ESCALATION, strategy, tactic
from strategies.quickly import QUICKLY

TUNED = strategy("standard,wild_hold=1.5")


def question(name, *, players=(2,), base=TUNED, **more):
    return PlayerQuestion(name, read_subject(name), Rules(players=players[0]), players, base, **more)


@pytest.fixture(scope="module")
def hoarding():
    return ask(question("wild-hoarding"))


def test_a_planted_tactic_is_good_though_every_change_of_the_tuned_player_is_bad(hoarding):
    """For two players 1.5 cards per wild are near the best: the habit is worth a lot, more or less of it costs."""
    assert hoarding.answer == "good"
    assert headline(hoarding).startswith("Yes. wild-hoarding, with 2 players, is worth ")
    for change in ("wild_hold=0", "wild_hold=4"):
        worse = ask(question(change))
        assert worse.answer == "bad"
        assert headline(worse).startswith(f"No. {change} for {TUNED.label}, with 2 players, costs ")


def test_the_worth_is_the_best_dose_against_none_on_deals_not_used_for_choosing(hoarding):
    (table,) = hoarding.tables
    assert table.best in [one.dose for one in table.tried]
    assert table.best == max(table.tried, key=lambda one: (one.deals, one.wins.estimate)).dose
    comparison = table.worth.comparison
    assert comparison.base["wild_hold"] == 0
    assert comparison.changed["wild_hold"] == table.best
    assert comparison.opponents == (TUNED,)
    alone = MeasuredPlayer.measure(comparison, 1, Stopping(most_deals=table.worth.deals))
    assert alone.wins.estimate == table.worth.wins.estimate


def test_a_step_more_and_less_are_measured_from_the_base(hoarding):
    (table,) = hoarding.tables
    assert set(table.further) == ({BEST_INSTEAD} if table.best != 1.5 else set()) | {STEP_MORE, STEP_LESS}
    assert table.further[STEP_MORE].comparison.changed["wild_hold"] == 2
    assert table.further[STEP_LESS].comparison.changed["wild_hold"] == 1
    assert table.further[STEP_LESS].comparison.base == TUNED


def test_the_same_question_gives_the_same_bytes_on_any_number_of_threads(hoarding):
    again = ask(question("wild-hoarding"), How(threads=3))
    assert again.as_data() == hoarding.as_data()
    assert answer_files(again) == answer_files(hoarding)
    for words in (headline, effects_table, remarks):
        assert words(again) == words(hoarding)


def test_nothing_is_judged_on_deals_of_a_sweep_nor_on_those_that_chose_the_dose(monkeypatch):
    """Sweeps count their blocks from 0; the reason and every circumstance are found in the deals that judge."""
    few = circumstances(PlayerTable(question("pass_hoard=0"), 2, TUNED).comparison(TUNED, strategy("standard")))[:2]
    monkeypatch.setattr(circumstances_module, "circumstances", lambda comparison: few)
    played = []

    def watched(experiment, jobs):
        for job, counts in threads_as_workers(1)(experiment, jobs):
            played.append((type(experiment.settings[job.setting]).__name__, job.block))
            yield job, counts

    asked = question("wild-hoarding", stopping=Stopping(most_deals=1), everywhere=True)
    answer = ask(asked, How(workers=watched))
    most = blocks_for(MOST_GAMES)
    assert 2 * most < FRESH_BLOCK + most < JUDGING_BLOCK
    assert JUDGING_BLOCK + most < CHOOSING_BLOCK
    judged = {JUDGING_BLOCK + block for block in range(MORE_BLOCKS)}
    assert {block for kind, block in played} == {CHOOSING_BLOCK, CHOOSING_BLOCK + 1} | judged
    assert {block for kind, block in played if kind == "ReasonsAtSeat"} == {JUDGING_BLOCK}
    first = JUDGING_BLOCK * DEALS_PER_BLOCK
    for _, command in deals_to_see(answer.tables[0].worth, answer.tables[0].worth.reasons):
        deal = int(command.split("--deal ")[1].split()[0])
        assert first <= deal < first + DEALS_PER_BLOCK
        assert len(str(deal)) <= 13


@pytest.mark.parametrize("best", [0.0, 1.0])
def test_a_habit_that_is_more_than_its_dose_is_taken_apart(best):
    """Off changes danger_shed, too: what that does alone and what the dose adds make up the worth."""
    dump = tactic("endgame-dump")
    pairs = made_of(dump, strategy("standard"), best)
    if best == 0:  # none of the dose: the worth is the rest's
        assert pairs == {}
        return
    (without, rest), (again, whole) = pairs[REST_ALONE], pairs[DOSE_ON_TOP]
    assert (without["endgame_shed"], without["danger_shed"]) == (0, 0)
    assert rest == again
    assert (rest["endgame_shed"], rest["danger_shed"]) == (0, 1.7)
    assert (whole["endgame_shed"], whole["danger_shed"]) == (1, 1.7)


@pytest.mark.parametrize("catalogue", [ESCALATION, QUICKLY])
def test_every_habit_whose_absence_changes_more_than_the_dose_is_known(catalogue):
    more = {name for name, found in catalogue.tactics.items() if set(found.off) != {found.dose}}
    assert more == ({"multi-card-shedding", "endgame-dump"} if catalogue is ESCALATION else set())
    base = strategy("standard") if catalogue is ESCALATION else catalogue.strategy("plain")
    for name, found in catalogue.tactics.items():
        assert bool(made_of(found, base, found.dose_range[1] or found.dose_range[0])) == (name in more)


def test_several_tables_share_alpha_and_have_an_answer_on_average():
    answer = ask(
        question("pass_hoard=0", players=(2, 3), fields=(strategy("standard"), strategy("novice")), base=TUNED)
    )
    assert [(one.table.players, one.table.field.label) for one in answer.tables] == [
        (2, "standard"), (2, "novice"), (3, "standard"), (3, "novice"),
    ]  # fmt: skip
    for one in answer.tables:
        assert one.worth.wins.level == pytest.approx(1 - 0.05 / 4)
        assert {opponent.label for opponent in one.worth.comparison.opponents} == {one.table.field.label}
    assert answer.overall.low == pytest.approx(sum(one.worth.wins.low for one in answer.tables) / 4)
    assert answer.overall.level == pytest.approx(0.95)
    assert "on average over 4 tables" in headline(answer)
    assert len(answer_frame(answer)) == 4


def test_matches_can_be_asked_about():
    answer = ask(question("pass_hoard=0", match=True))
    assert "wins per 100 matches" in headline(answer)
    assert answer.tables[0].worth.units * 2 == answer.tables[0].worth.deals
