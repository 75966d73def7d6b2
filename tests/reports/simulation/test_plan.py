"""One table: what is asked comes back from its description, and the result is that of the games played."""

from __future__ import annotations

import numpy as np
import pytest

from reports.simulation.plan import SimulationPlan, simulate_table
from reports.simulation.summary import SCORE, WINS
from simulate import Deck, Rules
from simulate.blocks import DEALS_PER_BLOCK
from simulate.runner import How
from strategies.catalogue import strategy
from strategies.errors import InputError

SEATS = (strategy("standard"), strategy("hoarder"), strategy("hoarder"))


def test_a_result_is_that_of_its_games():
    plan = SimulationPlan(Rules(players=3), SEATS, "given", seed=5)
    result = simulate_table(plan, 1)
    (table,) = plan.experiment.settings
    scores = table.play(5, np.arange(DEALS_PER_BLOCK)).scores
    best = scores == scores.min(axis=1, keepdims=True)
    shares = 100 * (best / best.sum(axis=1, keepdims=True)).mean(axis=0)
    first, second = result.summaries
    assert (first.strategy, first.seats, second.seats) == ("standard", (0,), (1, 2))
    assert first.outcomes[WINS].estimate == pytest.approx(shares[0])
    assert second.outcomes[WINS].estimate == pytest.approx(shares[1:].mean())
    assert second.outcomes[SCORE].estimate == pytest.approx(scores[:, 1:].mean())


def test_the_question_comes_back_from_its_description():
    rules = Rules(Deck.parse("one-wild"), 3, 5, lead_pass=True)
    plan = SimulationPlan(rules, SEATS, "rotate", match=False, seed=7)
    assert SimulationPlan.from_spec(plan.spec(), 7) == plan


def test_a_seating_of_an_older_file_is_refused_with_what_to_write_instead():
    spec = {**SimulationPlan(Rules(players=3), SEATS).spec(), "seating": "shuffle"}
    with pytest.raises(InputError, match='"shuffle" is no more: write "every"'):
        SimulationPlan.from_spec(spec, 7)


def test_games_are_rounded_up_to_blocks():
    result = simulate_table(SimulationPlan(Rules(players=3), SEATS), DEALS_PER_BLOCK + 1)
    assert result.provenance.games == 2 * DEALS_PER_BLOCK
    assert [summary.games for summary in result.summaries] == [2 * DEALS_PER_BLOCK] * 2


def test_a_run_that_has_played_nothing_has_no_result():
    with pytest.raises(KeyboardInterrupt):
        simulate_table(SimulationPlan(Rules(players=3), SEATS), 1, How(stop=lambda: True))


def test_a_forecast_is_made_where_it_is_asked_for():
    plan = SimulationPlan(Rules(players=3), SEATS, sureness=0.95)
    assert [forecast.unit for forecast in simulate_table(plan, 1).until_better] == ["games", "matches"]
    with pytest.raises(InputError, match="two strategies"):
        SimulationPlan(Rules(players=3), SEATS[1:], sureness=0.95)
