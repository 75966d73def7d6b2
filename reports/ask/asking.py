"""Asking: the best dose is chosen, then everything is measured on deals that did not choose it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import TypeAlias

from reports.ask.answer import (
    BEST_INSTEAD,
    DOSE_ON_TOP,
    REST_ALONE,
    STEP_LESS,
    STEP_MORE,
    CurveAnswer,
    TableAnswer,
    TacticAnswer,
    ValueAnswer,
)
from reports.ask.circumstances import CircumstanceEffect
from reports.ask.doses import race_doses
from reports.ask.question import QuestionTable, TacticQuestion, step_of
from reports.ask.verdict import Measured, Stopping
from reports.output.parts import Parts
from reports.reading.values import Variation
from simulate.runner import USUAL, How
from strategies.catalogue import Tactic
from strategies.strategy import Strategy

OnLook: TypeAlias = Callable[[str, Measured], None]
"""Called after every block with what is being measured, in words, and what is known."""


def ask(question: TacticQuestion, how: How = USUAL, *, on_look: OnLook | None = None) -> TacticAnswer | CurveAnswer:
    """Answer a question about a tactic, a change, or one parameter at several values.

    Parameters
    ----------
    question
        What is asked.
    how
        How to run; no number depends on it. Finished blocks are kept beside those of its store, and the progress told
        is that of looking everywhere.
    on_look
        Called after every block.

    Returns
    -------
    TacticAnswer, or CurveAnswer for several values
        The same question gives the same answer, number by number.

    Raises
    ------
    Stopped
        If it was asked to stop before the end; what was played is kept.

    Examples
    --------
    >>> from reports.ask.question import read_subject
    >>> from reports.ask.player_question import PlayerQuestion
    >>> from simulate import Rules
    >>> from strategies.catalogue import strategy
    >>> subject = read_subject("pass_hoard=0")
    >>> asked = PlayerQuestion("pass_hoard=0", subject, Rules(players=2), (2,), strategy("standard"))
    >>> ask(asked).answer
    'bad'
    """
    subject = question.subject
    asking = _Measurer(question, Parts(how), on_look or (lambda words, measured: None))
    if isinstance(subject, Variation):
        return asking.how_much(subject)
    if isinstance(subject, Tactic):
        answers = [asking.with_reason(asking.tactic(table, subject)) for table in question.tables]
    else:
        changed = question.base.with_changes(subject)
        answers = [asking.with_reason(asking.change(table, changed)) for table in question.tables]
    return TacticAnswer(question, tuple(answers), asking.circumstances(answers[0]))


@dataclass(frozen=True)
class _Measurer:
    """A question while it is answered; every number that is measured is a part of its own."""

    question: TacticQuestion
    parts: Parts
    tell: OnLook

    def measure(
        self, table: QuestionTable, part: str, words: str, players: tuple[Strategy, Strategy], stopping: Stopping
    ) -> Measured:
        """Measure what the second of two players makes better at a table."""
        return self.question.effect_type.measure(
            table.comparison(*players),
            self.question.seed,
            stopping,
            self.parts.part(f"{table.name}-{part}"),
            on_look=lambda look: self.tell(f"{words} {table.words}", look),
        )

    def change(self, table: QuestionTable, changed: Strategy) -> TableAnswer:
        """Measure an explicit change."""
        question = self.question
        players = (question.base, changed)
        return TableAnswer(table, self.measure(table, "worth", question.name, players, question.stopping_of_table))

    def tactic(self, table: QuestionTable, asked: Tactic) -> TableAnswer:
        """Choose the best dose of a tactic, measure it against none, and the base's own dose against others."""
        base, stopping = self.question.base, self.question.stopping_of_table
        tried = race_doses(table, asked, self.parts.part(f"{table.name}-doses"))
        best = max(tried, key=lambda dose: (dose.deals, dose.wins.estimate)).dose
        arms = (asked.absent(base), asked.present(base, best))
        worth = self.measure(table, "worth", f"{asked.name} {best:g}", arms, stopping)
        pairs = made_of(asked, base, best)
        if self.question.compares_own_dose:
            pairs |= {words: (base, changed) for words, changed in _further(asked, base, best).items()}
        # The best dose may be just a step away: the same players are measured once.
        once: dict[tuple[Strategy, Strategy], Measured] = {}
        for words, pair in pairs.items():
            if pair not in once:
                once[pair] = self.measure(table, words.replace(" ", "-"), words, pair, stopping)
        further = {words: once[pair] for words, pair in pairs.items()}
        return TableAnswer(table, worth, tuple(tried), best, further)

    def how_much(self, subject: Variation) -> CurveAnswer:
        """Measure the effect of every value of a parameter against the base, with intervals that hold together."""
        question, base = self.question, self.question.base
        players = dict(zip(subject.numbers, question.changed_players, strict=True))
        different = sum(player.values != base.values for player in players.values())
        stopping = question.stopping.shared_by(len(question.tables) * different)
        answers = []
        for table in question.tables:
            for place, (value, player) in enumerate(players.items(), start=1):
                words, measured = f"{subject.name}={subject.factor.show(value)}", None
                if player.values != base.values:
                    measured = self.measure(table, f"value-{place}", words, (base, player), stopping)
                answers.append(ValueAnswer(table, value, measured))
        return CurveAnswer(question, tuple(answers))

    def with_reason(self, answer: TableAnswer) -> TableAnswer:
        """Play what shows the reason for the worth at a table."""
        return replace(answer, worth=answer.worth.with_reason(self.parts.part(f"{answer.table.name}-reason")))

    def circumstances(self, answer: TableAnswer) -> tuple[CircumstanceEffect, ...]:
        """Measure the worth at a table in other circumstances."""
        workers = self.parts.part(f"{answer.table.name}-elsewhere")
        return self.question.measure_circumstances(
            answer.worth, How(workers=workers, on_progress=self.parts.how.on_progress)
        )


def made_of(asked: Tactic, base: Strategy, best: float) -> dict[str, tuple[Strategy, Strategy]]:
    """Return what a worth is made of where the habit is more than its dose: who to compare with whom."""
    rest, whole = asked.without_dose(base), asked.present(base, best)
    if not asked.rest(base) or rest.values == whole.values:
        return {}
    return {REST_ALONE: (asked.absent(base), rest), DOSE_ON_TOP: (rest, whole)}


def _further(asked: Tactic, base: Strategy, best: float) -> dict[str, Strategy]:
    """Return the players to measure against the base, by what they do; who plays as the base does is left out."""
    low, high = asked.dose_range
    own, step = base[asked.dose], step_of(asked, base)
    doses = {BEST_INSTEAD: best}
    if low <= own <= high:
        doses |= {STEP_MORE: own + step, STEP_LESS: own - step}
    players = {words: asked.present(base, dose) for words, dose in doses.items() if low <= dose <= high}
    return {words: player for words, player in players.items() if player.values != base.values}
