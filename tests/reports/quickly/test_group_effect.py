"""What a change of everybody's habits does within the game."""

from __future__ import annotations

import numpy as np

from reports.ask.asking import ask
from reports.ask.question import read_subject
from reports.ask.verdict import Stopping
from reports.quickly.group_question import GroupQuestion
from reports.quickly.summary import GAME_WINS
from simulate.blocks import DEALS_PER_BLOCK
from simulate.quickly.rules import GroupRules
from strategies.quickly import QUICKLY, person


def question(name, players=(5,), text="plain", deals=DEALS_PER_BLOCK, **changed):
    rules = tuple(GroupRules.printed(count, **changed) for count in players)
    return GroupQuestion(name, read_subject(name, QUICKLY), rules, person(text), Stopping(most_deals=deals))


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


def test_the_effect_is_the_difference_of_the_two_groups():
    measured = ask(question("talk=4")).tables[0].worth
    wins = measured.after[GAME_WINS].estimate - measured.before[GAME_WINS].estimate
    assert np.isclose(measured.wins.estimate, wins)
    assert measured.arms == ("plain", "plain,talk=4")
    assert (measured.players, measured.games) == (5, measured.deals)
