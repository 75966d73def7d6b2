"""What is told of a tactic of a group, and the deals to see."""

from __future__ import annotations

import json
import shlex

from reports.ask.asking import ask
from reports.ask.question import read_subject
from reports.ask.verdict import Stopping
from reports.quickly.group_question import GroupQuestion
from reports.quickly.group_words import GroupWording, deals_to_see
from reports.quickly.summary import GAME_WINS, GOOD_ROUNDS
from simulate.blocks import DEALS_PER_BLOCK
from simulate.quickly.reference import play
from simulate.quickly.rules import GroupRules
from strategies.quickly import QUICKLY, person
from tests.command_line import run


def question(name, players=(5,), text="plain", deals=DEALS_PER_BLOCK, **changed):
    rules = tuple(GroupRules.printed(count, **changed) for count in players)
    return GroupQuestion(name, read_subject(name, QUICKLY), rules, person(text), Stopping(most_deals=deals))


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


def test_the_reason_tells_rounds_games_and_mistakes_without_and_with_the_change():
    (table,) = ask(question("talk=4")).tables
    worth, wording = table.worth, GroupWording()
    rounds, mistakes = wording.reason(worth).sentences
    before, after = worth.before, worth.after
    assert f"from {before[GOOD_ROUNDS].estimate:.1f} to {after[GOOD_ROUNDS].estimate:.1f}" in rounds
    assert f"from {before[GAME_WINS].estimate:.1f} to {after[GAME_WINS].estimate:.1f}" in rounds
    (others, own), (others_then, own_then) = worth.mistakes
    assert f"from {others:.1f} to {others_then:.1f}" in mistakes
    assert f"from {own:.1f} to {own_then:.1f}" in mistakes
    data = wording.reason_data(worth)
    assert data["mistakes_among_others_per_100_rounds"] == [others, others_then]
    assert data["before"][GOOD_ROUNDS.name]["estimate"] == wording.record(worth)["good_rounds_before"]
    assert wording.remarks(worth, "with 5 players") == []
