"""The race of doses: on deals of its own, and only the better half goes on."""

from __future__ import annotations

from reports.ask.doses import race_doses
from reports.ask.player_question import PlayerQuestion
from reports.ask.question import doses_of, read_subject
from simulate import Rules
from simulate.blocks import CHOOSING_BLOCK
from simulate.runner import threads_as_workers
from strategies.catalogue import strategy, tactic


def test_every_dose_plays_a_block_and_the_better_half_another_one():
    name, base = "wild-hoarding", strategy("standard")
    (table,) = PlayerQuestion(name, read_subject(name), Rules(players=2), (2,), base).tables
    rounds, gains = [], {}

    def watched(experiment, jobs):
        rounds.append(list(jobs))
        for job, counts in threads_as_workers(1)(experiment, rounds[-1]):
            # What the change adds to the focal player's wins, over both seats.
            gains.setdefault(job.setting, int(counts["differences"][0, 0]))
            yield job, counts

    tried = race_doses(table, tactic(name), watched)
    doses = doses_of(tactic(name), base)
    better = sorted(gains, key=lambda place: -gains[place])[: (len(doses) + 1) // 2]
    assert [trial.dose for trial in tried] == doses
    first, second = ([(job.setting, job.block) for job in jobs] for jobs in rounds)
    assert first == [(place, CHOOSING_BLOCK) for place in range(len(doses))]
    assert sorted(second) == [(place, CHOOSING_BLOCK + 1) for place in sorted(better)]
    assert [trial.deals for trial in tried] == [10_080 if place in better else 5040 for place in range(len(doses))]
