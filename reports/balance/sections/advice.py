"""The advice printed with the rules, and our own, put to the test, one habit at a time."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import pandas as pd

from reports.ask.answer import DoseTried
from reports.ask.figures import VERDICT_COLOURS
from reports.ask.question import doses_of
from reports.ask.verdict import DEFAULT_MARGIN, Verdict, judge
from reports.balance.exhibits import Cell, draw_bars, estimated, page_figure, page_table
from reports.balance.finding import Finding, Play, total
from reports.balance.plan import QUICK, BalancePlan, Threshold, light_below
from reports.estimates.betting import PER_HUNDRED, WATCHED, simultaneous, watched_interval, watched_wins
from reports.estimates.intervals import LEVEL, Interval
from reports.estimates.measures import bounds_columns
from reports.output.canvas import Axes
from reports.output.figures import GREY, draw_grid
from reports.output.html import PageFigure
from reports.output.words import bounds, size_and_span, with_bounds
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
COLUMNS: Final[dict[str, Cell]] = {
    "advice": "{advice}",
    "source": lambda row: row["source"].rstrip("."),
    "verdict": lambda row: WORDS[row["verdict"]][0],
    "best dose": "{best_dose:g}",
    "own dose": "{own_dose:g}",
    "wins per 100": estimated("wins_per_100_games", with_bounds),
}


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
        Every dose tried, on the deals on which the best was chosen; all doses hold together.
    rest
        What else the habit's absence changes: parameters that are part of what it is worth.
    """

    tactic: Tactic
    dose: float
    own_dose: float
    wins: Interval
    answer: Verdict
    tried: tuple[DoseTried, ...] = ()
    rest: tuple[str, ...] = ()

    @property
    def is_printed(self) -> bool:
        """Whether the advice comes with the rules."""
        return PRINTED in self.tactic.source

    @property
    def line(self) -> str:
        """The verdict in a line."""
        size, span = size_and_span(self.wins)
        dose = f"at {self.dose:g} {parameter(self.tactic.dose).unit}, the best dose tried"
        if self.rest:
            dose += f", with {' and '.join(self.rest)}, which the habit's absence takes away, too"
        effect = {
            "good": f"it is worth {size} more wins per 100 games {span} {dose}",
            "bad": f"it costs {size} wins per 100 games {span} even {dose}",
        }.get(self.answer, f"it changes wins per 100 games by {bounds(self.wins)} {dose}")
        text = f"“{self.tactic.description.rstrip('.')}” ({self.tactic.name}) {WORDS[self.answer][0]}: {effect}"
        worst = min(self.tried, key=lambda dose: dose.wins.estimate, default=None)
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
    tried = _try_doses(plan, play, tactics)
    best = [max(tried[tactic.name], key=lambda dose: dose.wins.estimate).dose for tactic in tactics]
    settings = [_comparison(plan, tactic, dose) for tactic, dose in zip(tactics, best, strict=True)]
    found = []
    for tactic, dose, counts in zip(tactics, best, play(PART, settings, plan.effort.blocks), strict=True):
        wins = watched_interval(watched_wins(total(counts)), (1 - LEVEL) / len(tactics))
        answer = judge(wins, plan.limit(MARGIN))
        own, rest = plan.standard[tactic.dose], tuple(tactic.rest(plan.standard))
        found.append(Advice(tactic, dose, own, wins, answer, tuple(tried[tactic.name]), rest))
    return found


def _try_doses(plan: BalancePlan, play: Play, tactics: Sequence[Tactic]) -> dict[str, list[DoseTried]]:
    """Measure every dose of every habit, beyond the deals on which the best will be measured."""
    places = [(tactic, dose) for tactic in tactics for dose in doses_tried(plan, tactic)]
    # Few blocks tell good doses from bad ones; between two good ones the choice does not matter.
    blocks = max(1, min(MOST_CHOOSING, plan.effort.blocks // 2))
    settings = [_comparison(plan, *place) for place in places]
    played = play(DOSES_PART, settings, blocks, first_block=plan.effort.blocks)
    sums = list(map(total, played))
    intervals = simultaneous(list(map(watched_wins, sums)), 1 - LEVEL)
    found: dict[str, list[DoseTried]] = {tactic.name: [] for tactic in tactics}
    for (tactic, dose), wins, counts in zip(places, intervals, sums, strict=True):
        found[tactic.name].append(DoseTried(dose, wins, int(counts["deals"][0])))
    return found


def _comparison(plan: BalancePlan, tactic: Tactic, dose: float) -> Comparison:
    """Compare a dose with none, the opponents being standard players."""
    without, present = tactic.absent(plan.standard), tactic.present(plan.standard, dose)
    return Comparison(plan.rules, without, present, (plan.standard,) * (plan.rules.players - 1))


def wrong_pieces(every: Sequence[Advice]) -> Interval:
    """Count the pieces of printed advice that surely cost wins, and those that possibly do."""
    answers = [advice.answer for advice in printed_advice(every)]
    surely = answers.count("bad")
    return Interval(surely, surely, surely + answers.count("undecided"), LEVEL, WATCHED)


def printed_advice(every: Sequence[Advice]) -> list[Advice]:
    """Return the advice that comes with the rules."""
    return [advice for advice in every if advice.is_printed]


def measure(plan: BalancePlan, play: Play) -> Finding:
    """Put the printed advice and our own to the test."""
    every = measure_advice(plan, play)
    printed, frame, finding = printed_advice(every), advice_frame(every), main_finding(every)
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
        frames={"advice": frame, "advice_doses": dose_frame(every)},
        figures=(_figure(plan, every, finding),),
        tables=(page_table("advice", frame, COLUMNS, texts=3),),
        texts=(*(advice.line for advice in printed), note),
        commands=tuple(f"escalation ask {advice.tactic.name} --players {plan.rules.players}" for advice in printed),
        headline=finding,
    )


def main_finding(every: Sequence[Advice]) -> str:
    """Say whether the rulebook is right."""
    printed = printed_advice(every)
    told = []
    for answer, words in WORDS.items():
        names = [advice.tactic.name for advice in printed if advice.answer == answer]
        if names:
            told.append(f"{len(names)} {words[len(names) > 1]} ({', '.join(names)})")
    return f"Of {len(printed)} pieces of advice printed with the rules, {'; '.join(told)}."


def advice_frame(every: Sequence[Advice]) -> pd.DataFrame:
    """Return one row per habit: where it comes from, the dose, the change of wins with bounds, and the verdict."""
    return pd.DataFrame(
        {
            "advice": advice.tactic.name,
            "source": advice.tactic.source,
            "parameter": advice.tactic.dose,
            "best_dose": advice.dose,
            "own_dose": advice.own_dose,
            "unit": parameter(advice.tactic.dose).unit,
            **bounds_columns("wins_per_100_games", advice.wins),
            "level_of_all_together": LEVEL,
            "verdict": advice.answer,
        }
        for advice in every
    )


def dose_frame(every: Sequence[Advice]) -> pd.DataFrame:
    """Return one row per dose tried, with what it seemed to be worth on the deals on which the best was chosen."""
    return pd.DataFrame(
        {
            "advice": advice.tactic.name,
            "parameter": advice.tactic.dose,
            "dose": tried.dose,
            **bounds_columns("wins_per_100_games", tried.wins),
            "level_of_all_together": LEVEL,
        }
        for advice in every
        for tried in advice.tried
    )


def _figure(plan: BalancePlan, every: Sequence[Advice], finding: str) -> PageFigure:
    margin = plan.limit(MARGIN)

    def draw(panel: Axes) -> None:
        panel.axvspan(-margin, margin, color="#000000", alpha=0.07, linewidth=0)
        panel.axvline(0, color=GREY, linewidth=0.8)
        wins, colours = [advice.wins for advice in every], [VERDICT_COLOURS[advice.answer] for advice in every]
        draw_bars(panel, wins, colours, linewidth=2.5, markersize=5.5)
        panel.set_yticks(range(len(every)), [advice.tactic.name for advice in every])
        for label, advice in zip(panel.get_yticklabels(), every, strict=True):
            label.set_fontweight("bold" if advice.is_printed else "normal")
        panel.invert_yaxis()
        panel.set_xlabel("change of wins per 100 games")
        draw_grid(panel, "x")

    note = (
        f"Change of wins per 100 games by each habit at its best dose, against none. Bars: {LEVEL:.0%} intervals for "
        f"all together, {WATCHED}. Grey: too small to matter. Bold names: printed with the rules. Seed {plan.seed}."
    )
    height = 1.8 + 0.27 * len(every)
    return page_figure("advice", draw, "What each habit at its best is worth", finding, note, height=height)
