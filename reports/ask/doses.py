"""Choosing the dose of a tactic: a short race on deals of its own."""

from __future__ import annotations

from typing import Final

from reports.ask.answer import DoseTried
from reports.ask.question import QuestionTable, doses_of
from reports.estimates.betting import watched_interval, watched_wins
from simulate import Experiment
from simulate.blocks import CHOOSING_BLOCK, add_counts
from simulate.experiment import Counts
from simulate.runner import Job, Workers
from strategies.catalogue import Tactic

BLOCKS_OF_ROUNDS: Final = (1, 1)
"""Blocks that every dose still in the race plays in each round; after each the worse half drops out."""
FEWEST_IN_RACE: Final = 2


def race_doses(table: QuestionTable, asked: Tactic, workers: Workers) -> list[DoseTried]:
    """Choose the best dose on deals of its own: every round plays further blocks, then the worse half drops out.

    Parameters
    ----------
    table
        The table at which they race.
    asked
        The tactic.
    workers
        Who plays; no number depends on it.

    Returns
    -------
    list of DoseTried
        Every dose, in order; the best is the one with the greatest effect among those with the most deals.
    """
    question = table.question
    doses = doses_of(asked, question.base)
    absent = asked.absent(question.base)
    players = [asked.present(question.base, dose) for dose in doses]
    experiment = Experiment(tuple(table.comparison(absent, player) for player in players), question.seed)
    sums: dict[int, Counts] = {}
    racing, first = list(range(len(doses))), CHOOSING_BLOCK
    for blocks in BLOCKS_OF_ROUNDS:
        jobs = [Job(dose, block) for dose in racing for block in range(first, first + blocks)]
        for job, counts in workers(experiment, jobs):
            sums[job.setting] = add_counts(sums[job.setting], counts) if job.setting in sums else counts
        racing.sort(key=lambda dose: -watched_wins(sums[dose]).mean)
        racing = racing[: max(FEWEST_IN_RACE, -(-len(racing) // 2))]
        first += blocks
    alpha = question.stopping_of_table.own_alpha / len(doses)
    return [
        DoseTried(dose, watched_interval(watched_wins(sums[place]), alpha), int(sums[place]["deals"][0]))
        for place, dose in enumerate(doses)
    ]
