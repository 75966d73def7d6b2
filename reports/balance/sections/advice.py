"""The advice printed with the rules, and our own, put to the test, one habit at a time."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import pandas as pd

from reports.ask.figures import VERDICT_COLOURS
from reports.ask.question import doses_of
from reports.ask.verdict import DEFAULT_MARGIN, Verdict, judge
from reports.balance.finding import Finding, Play, total
from reports.balance.plan import QUICK, BalancePlan, Threshold, light_below
from reports.estimates.betting import PER_HUNDRED, WATCHED, simultaneous, watched_interval, watched_wins
from reports.estimates.intervals import LEVEL, Interval
from reports.estimates.measures import bounds_columns
from reports.output.figures import GREY, as_svg, panels
from reports.output.html import PageFigure, PageTable
from reports.output.words import bounds, signed, size_and_span
from simulate.escalation.settings.comparison import Comparison
from strategies.catalogue import Tactic, named_tactics
from strategies.parameters import parameter

WRONG: Final = Threshold("wrong-advice", 0.0, "pieces of advice", "how many pieces of the printed advice may cost wins")
MARGIN: Final = Threshold(
    "advice-margin", DEFAULT_MARGIN * PER_HUNDRED, "wins per 100 games", "an effect so small does not matter"
)
PART: Final = "advice"
DOSES_PART: Final = "advice-doses"
PRINTED: Final = "printed with the rules"
MOST_CHOOSING: Final = 2
"""Blocks per dose on which the best is chosen."""
WORDS: Final[dict[Verdict, tuple[str, str]]] = {
    "good": ("is right", "are right"),
    "bad": ("is wrong", "are wrong"),
    "no practical difference": ("hardly matters", "hardly matter"),
    "undecided": ("is undecided", "are undecided"),
}
"""Verdicts on one piece of advice, and on several."""


@dataclass(frozen=True)
class Dose:
    """What a dose of a habit seemed to be worth, in wins per 100 games against none; all doses hold together."""

    dose: float
    wins: Interval


@dataclass(frozen=True)
class Advice:
    """What a habit is worth at its best.

    Attributes
    ----------
    tactic
        The habit.
    dose, own_dose
        The best dose tried, chosen on other deals, and that of the player asked about.
    wins
        What it changes against doing without it, in wins per 100 games; all habits hold together.
    answer
        The verdict.
    tried
        Every dose tried, on the deals on which the best was chosen.
    """

    tactic: Tactic
    dose: float
    own_dose: float
    wins: Interval
    answer: Verdict
    tried: tuple[Dose, ...] = ()

    @property
    def is_printed(self) -> bool:
        """Whether the advice comes with the rules."""
        return PRINTED in self.tactic.source

    @property
    def line(self) -> str:
        """The verdict in a line."""
        size, span = size_and_span(self.wins)
        dose = f"at {self.dose:g} {parameter(self.tactic.dose).unit}, the best dose tried"
        effect = {
            "good": f"it is worth {size} more wins per 100 games {span} {dose}",
            "bad": f"it costs {size} wins per 100 games {span} even {dose}",
        }.get(self.answer, f"it changes wins per 100 games by {bounds(self.wins)} {dose}")
        text = f"“{self.tactic.description.rstrip('.')}” ({self.tactic.name}) {WORDS[self.answer][0]}: {effect}"
        worst = min(self.tried, key=lambda one: one.wins.estimate, default=None)
        if worst is None or worst.wins.high >= 0:
            return f"{text}."
        size, span = size_and_span(worst.wins)
        return f"{text}; at {worst.dose:g} it costs {size} {span}."


def doses_tried(plan: BalancePlan, tactic: Tactic) -> list[float]:
    """Return the doses to try; a quick report tries the first, the last, and the player's own."""
    doses = doses_of(tactic, plan.standard)
    if plan.effort != QUICK:
        return doses
    few = {doses[0], doses[-1], plan.standard[tactic.dose]}
    return [dose for dose in doses if dose in few]


def measure_advice(plan: BalancePlan, play: Play) -> list[Advice]:
    """Choose the best dose of every habit, then measure it against none on deals that had no part in choosing."""
    tactics = list(named_tactics().values())
    blocks, alpha, margin = plan.effort.blocks, 1 - LEVEL, plan.limit(MARGIN)
    tried = _try_doses(plan, play, tactics)
    best = [max(tried[tactic.name], key=lambda one: one.wins.estimate).dose for tactic in tactics]
    settings = [_comparison(plan, tactic, dose) for tactic, dose in zip(tactics, best, strict=True)]
    found = []
    for tactic, dose, counts in zip(tactics, best, play(PART, settings, blocks), strict=True):
        wins = watched_interval(watched_wins(total(counts)), alpha / len(tactics))
        own = plan.standard[tactic.dose]
        found.append(Advice(tactic, dose, own, wins, judge(wins, margin), tuple(tried[tactic.name])))
    return found


def _try_doses(plan: BalancePlan, play: Play, tactics: Sequence[Tactic]) -> dict[str, list[Dose]]:
    """Measure every dose of every habit, beyond the deals on which the best will be measured."""
    places = [(tactic, dose) for tactic in tactics for dose in doses_tried(plan, tactic)]
    # Few blocks tell good doses from bad ones; between two good ones the choice does not matter.
    blocks = max(1, min(MOST_CHOOSING, plan.effort.blocks // 2))
    settings = [_comparison(plan, *place) for place in places]
    played = play(DOSES_PART, settings, blocks, first_block=plan.effort.blocks)
    intervals = simultaneous([watched_wins(total(counts)) for counts in played], 1 - LEVEL)
    found: dict[str, list[Dose]] = {tactic.name: [] for tactic in tactics}
    for (tactic, dose), wins in zip(places, intervals, strict=True):
        found[tactic.name].append(Dose(dose, wins))
    return found


def _comparison(plan: BalancePlan, tactic: Tactic, dose: float) -> Comparison:
    """Compare a dose with none, the opponents being standard players."""
    without, present = tactic.absent(plan.standard), tactic.present(plan.standard, dose)
    return Comparison(plan.rules, without, present, (plan.standard,) * (plan.rules.players - 1))


def wrong_pieces(every: Sequence[Advice]) -> Interval:
    """Count the pieces of printed advice that surely cost wins, and those that possibly do."""
    printed = [one for one in every if one.is_printed]
    surely, possibly = (sum(one.answer in answers for one in printed) for answers in (("bad",), ("bad", "undecided")))
    return Interval(surely, surely, possibly, LEVEL, WATCHED)


def measure(plan: BalancePlan, play: Play) -> Finding:
    """Put the printed advice and our own to the test."""
    every = measure_advice(plan, play)
    finding = main_finding(every)
    note = (
        f"Each habit at its best dose against doing without it: {plan.standard.label} otherwise, like everybody else, "
        f"at every position of the same deals. Intervals: {LEVEL:.0%} for all together, {WATCHED}; doses were chosen "
        f"on other deals. Effects within {plan.limit(MARGIN):g} wins per 100 games do not matter."
    )
    return Finding(
        name="advice",
        title="The printed advice, tested",
        finding=finding,
        light=light_below(wrong_pieces(every), plan.limit(WRONG)),
        threshold=WRONG,
        frames={"advice": advice_frame(every), "advice_doses": dose_frame(every)},
        figures=(_figure(plan, every, finding),),
        tables=(_table(every),),
        texts=(*(one.line for one in every if one.is_printed), note),
        commands=tuple(
            f"escalation ask {one.tactic.name} --players {plan.rules.players}" for one in every if one.is_printed
        ),
        headline=finding,
    )


def main_finding(every: Sequence[Advice]) -> str:
    """Say whether the rulebook is right."""
    printed = [one for one in every if one.is_printed]
    told = []
    for answer, words in WORDS.items():
        names = [one.tactic.name for one in printed if one.answer == answer]
        if names:
            told.append(f"{len(names)} {words[len(names) > 1]} ({', '.join(names)})")
    return f"Of {len(printed)} pieces of advice printed with the rules, {'; '.join(told)}."


def advice_frame(every: Sequence[Advice]) -> pd.DataFrame:
    """Return one row per habit: where it comes from, the dose, the change of wins with bounds, and the verdict."""
    return pd.DataFrame(
        {
            "advice": one.tactic.name,
            "source": one.tactic.source,
            "parameter": one.tactic.dose,
            "best_dose": one.dose,
            "own_dose": one.own_dose,
            "unit": parameter(one.tactic.dose).unit,
            **bounds_columns("wins_per_100_games", one.wins),
            "level_of_all_together": LEVEL,
            "verdict": one.answer,
        }
        for one in every
    )


def dose_frame(every: Sequence[Advice]) -> pd.DataFrame:
    """Return one row per dose tried, with what it seemed to be worth on the deals on which the best was chosen."""
    return pd.DataFrame(
        {
            "advice": one.tactic.name,
            "parameter": one.tactic.dose,
            "dose": tried.dose,
            **bounds_columns("wins_per_100_games", tried.wins),
            "level_of_all_together": LEVEL,
        }
        for one in every
        for tried in one.tried
    )


def _table(every: Sequence[Advice]) -> PageTable:
    rows = [
        (
            one.tactic.name,
            one.tactic.source.rstrip("."),
            WORDS[one.answer][0],
            f"{one.dose:g}",
            f"{one.own_dose:g}",
            f"{signed(one.wins.estimate, one.wins)} ({bounds(one.wins)})",
        )
        for one in every
    ]
    return PageTable(
        ("advice", "source", "verdict", "best dose", "own dose", "wins per 100"), tuple(rows), 3, "advice.csv"
    )


def _figure(plan: BalancePlan, every: Sequence[Advice], finding: str) -> PageFigure:
    margin = plan.limit(MARGIN)
    note = (
        f"Change of wins per 100 games by each habit at its best dose, against none. Bars: {LEVEL:.0%} intervals for "
        f"all together, {WATCHED}. Grey: too small to matter. Bold names: printed with the rules. Seed {plan.seed}."
    )
    with panels(1, finding, note, height=1.8 + 0.27 * len(every)) as (figure, (panel,)):
        panel.axvspan(-margin, margin, color="#000000", alpha=0.07, linewidth=0)
        panel.axvline(0, color=GREY, linewidth=0.8)
        for place, one in enumerate(every):
            colour = VERDICT_COLOURS[one.answer]
            panel.plot([one.wins.low, one.wins.high], [place, place], color=colour, linewidth=2.5)
            panel.plot([one.wins.estimate], [place], "o", color=colour, markersize=5.5)
        panel.set_yticks(range(len(every)), [one.tactic.name for one in every])
        for label, one in zip(panel.get_yticklabels(), every, strict=True):
            label.set_fontweight("bold" if one.is_printed else "normal")
        panel.invert_yaxis()
        panel.set_xlabel("change of wins per 100 games")
        panel.grid(axis="x", color="#dddddd", linewidth=0.6)
        panel.set_axisbelow(True)
    alternative = f"What each habit at its best is worth. {finding}"
    return PageFigure("advice", as_svg(figure), alternative, csv="advice.csv")
