"""What a sweep shows: the effect of one parameter with the others averaged, of two together, and a sentence on it."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Final

import numpy as np
import pandas as pd

from reports.estimates.intervals import jointly
from reports.estimates.measures import Measure
from reports.estimates.sensitivity import CONSTANT, NOISE, REGRESSION, Sensitivity, regression_ranking, sobol_indices
from reports.estimates.spread_over_blocks import FEWEST_BLOCKS
from reports.output.words import players_text, span_of, with_error
from reports.reading.values import Variation, shown, with_unit
from reports.simulation.summary import BEHAVIOUR, MATCH_WINS, SCORE, WINS
from reports.sweep.plan import SweepResult
from simulate.blocks import blocks_for

HIGH_IS_GOOD: Final = {WINS: True, SCORE: False}
"""Measures in which a player can do well or badly; the others are only high or low."""

TOO_SMALL: Final = "Any difference is too small for this many games to show"
MOST_LISTED: Final = 3
"""Longer lists of table sizes are summed up."""


def varied(result: SweepResult) -> list[Variation]:
    """Return what takes more than one value, and whose values can be told apart in a figure: not points of a range."""
    if result.plan.design.kind not in {"grid", "one-at-a-time"}:
        return []
    return [variation for variation in result.plan.variations if len(variation.values) > 1]


def averaged(result: SweepResult, measure: Measure, names: list[str]) -> pd.DataFrame:
    """Average a measure over all parameters but those named; one at a time, the others have their base values.

    Settings share their deals, so their errors do not cancel as independent ones would, and how far they do is not
    counted. The bounds are therefore averaged like the estimates: an interval so made is at least as wide as need be.

    Returns
    -------
    pandas.DataFrame
        Columns players, the names, estimate, low, high; one row per player count and combination.
    """
    columns = {measure.name: "estimate", f"{measure.name}_low": "low", f"{measure.name}_high": "high"}
    frame = result.settings.rename(columns=columns)
    if "low" not in frame:
        frame = frame.assign(low=math.nan, high=math.nan)
    if result.plan.design.kind == "one-at-a-time":
        others = {v.name: base for v, base in zip(result.plan.variations, result.plan.base, strict=True)}
        frame = frame[[all(row[n] == b for n, b in others.items() if n not in names) for _, row in frame.iterrows()]]
    return frame.groupby(["players", *names], as_index=False)[["estimate", "low", "high"]].mean()


def sensitivity_of(result: SweepResult, measure: Measure) -> Sensitivity:
    """Return how much each thing that varies matters, at each table size.

    Returns
    -------
    Sensitivity
        Its table has a column players before the others.
    """
    parts, method = [], REGRESSION
    remarks: dict[str, list[int]] = {}
    names = [variation.name for variation in result.plan.variations]
    every = result.settings[measure.name].to_numpy(dtype=np.float64)[None, :]
    values = result.by_group.get(measure.name, every)
    for players, rows in result.settings.groupby("players", sort=True):
        own = values[:, rows.index]
        if result.plan.design.kind == "saltelli":
            found = sobol_indices(own, names, result.plan.seed)
        else:
            found = regression_ranking(rows[names], own)
        method = found.method
        found.table.insert(0, "players", players)
        parts.append(found.table)
        for remark in found.remarks:
            remarks.setdefault(remark, []).append(int(str(players)))
    sizes = result.settings["players"].nunique()
    told = (
        remark if len(where) == sizes else f"with {players_text(where)}: {remark}" for remark, where in remarks.items()
    )
    return Sensitivity(method, pd.concat(parts, ignore_index=True), tuple(told))


def sensitivity_finding(result: SweepResult, measure: Measure) -> str:
    """Say what matters most, and how that was found out."""
    found = sensitivity_of(result, measure)
    column = "total" if "total" in found.table else "share"
    ends = [column, f"{column}_low", f"{column}_high"]
    mean = found.table.dropna(subset=[column]).groupby("factor", sort=False)[ends].mean()
    if not len(mean):
        return _nothing_to_share_out(found, measure)
    mean = mean.sort_values(column, ascending=False, kind="stable")
    sizes = "" if len(result.plan.player_counts) == 1 else ", on average over table sizes"
    share, low, high = (float(mean[end].iloc[0]) for end in ends)
    if len(mean) > 1 and float(mean[ends[2]].iloc[1]) > low:
        return f"{mean.index[0]} and {mean.index[1]} matter most for {measure.label}{sizes}\nBy {found.method}"
    told = f"{share:.0%} ({low:.0%} to {high:.0%}) of the differences in {measure.label}"
    return f"{mean.index[0]} accounts for {told}{sizes}\nBy {found.method}"


def _nothing_to_share_out(found: Sensitivity, measure: Measure) -> str:
    if CONSTANT in found.remarks:
        return f"Nothing that varies has any effect on {measure.label}\nBy {found.method}: {CONSTANT}"
    if NOISE in found.remarks:
        return f"Nothing that varies has a clear effect on {measure.label}\nBy {found.method}: {NOISE}"
    return f"What matters most for {measure.label} cannot be said\n" + "; ".join(found.remarks)


def main_effects(result: SweepResult, measure: Measure) -> pd.DataFrame:
    """Return the average of a measure at every value of every varied parameter.

    Returns
    -------
    pandas.DataFrame
        Columns parameter, value, players, estimate, low, high.
    """
    parts = []
    for variation in varied(result):
        frame = averaged(result, measure, [variation.name]).rename(columns={variation.name: "value"})
        frame.insert(0, "parameter", variation.name)
        parts.append(frame)
    columns = ["parameter", "value", "players", "estimate", "low", "high"]
    return pd.concat(parts, ignore_index=True)[columns] if parts else pd.DataFrame(columns=columns)


def jointly_widened(frame: pd.DataFrame, freedom: float = math.inf) -> pd.DataFrame:
    """Widen intervals so that all rows together keep the level that each row had.

    Parameters
    ----------
    frame
        Columns estimate, low, high.
    freedom
        The degrees of freedom of every row's interval.
    """
    factor = jointly(len(frame), freedom)
    return frame.assign(
        low=frame["estimate"] - factor * (frame["estimate"] - frame["low"]),
        high=frame["estimate"] + factor * (frame["high"] - frame["estimate"]),
    )


def freedom_of(result: SweepResult, measure: Measure) -> float:
    """Return the degrees of freedom of a measure's intervals: what players did has them from the spread over blocks."""
    return blocks_for(result.provenance.games) - 1 if measure in BEHAVIOUR.values() else math.inf


@dataclass(frozen=True)
class Ends:
    """The two ends of an effect or a grid at one table size: the best row, the worst, and all that may be as good.

    Attributes
    ----------
    players
        The table size.
    best, worst
        Rows with columns estimate, low, high.
    as_good
        The rows whose intervals touch that of the best, the best among them.
    """

    players: int
    best: pd.Series[float]
    worst: pd.Series[float]
    as_good: pd.DataFrame

    @property
    def gap(self) -> float:
        """The best estimate minus the worst."""
        return float(self.best["estimate"] - self.worst["estimate"])

    @property
    def error(self) -> float:
        """How far the gap may be off: the errors of both ends."""
        return float(self.best["high"] - self.best["low"] + self.worst["high"] - self.worst["low"]) / 2

    @property
    def clear(self) -> bool:
        """Whether the intervals of the two ends do not touch."""
        return abs(self.gap) > self.error


def ends_of(frame: pd.DataFrame, measure: Measure) -> list[Ends]:
    """Find the ends at each table size in a frame with columns players, estimate, low, high."""
    found = []
    for players, rows in frame.groupby("players"):
        ordered = rows.sort_values("estimate", ascending=not HIGH_IS_GOOD.get(measure, True), kind="stable")
        best, worst = ordered.iloc[0], ordered.iloc[-1]
        as_good = rows[(rows["low"] <= best["high"]) & (rows["high"] >= best["low"])]
        found.append(Ends(int(str(players)), best, worst, as_good))
    return found


def best_settings(result: SweepResult, measure: Measure, at_each_table: int) -> pd.DataFrame:
    """Return the rows of the best few settings at each table size, best first."""
    ordered = result.settings.sort_values(
        ["players", measure.name], ascending=[True, not HIGH_IS_GOOD.get(measure, True)], kind="stable"
    )
    return ordered.groupby("players", sort=True).head(at_each_table)


def best_word(result: SweepResult, measure: Measure) -> str:
    """Return what to call the first end: "best" only where it is somebody's gain, else "highest" or "lowest"."""
    if result.plan.who == "focal" and measure in HIGH_IS_GOOD:
        return "best"
    return "highest" if HIGH_IS_GOOD.get(measure, True) else "lowest"


def main_finding(result: SweepResult, measure: Measure) -> str:
    """Say which parameter matters most and where it is best; or that no effect is clear.

    A difference counts as clear if the intervals of the two values do not touch, all intervals of the figure being
    widened so that they hold together.

    Returns
    -------
    str
        A headline and, on a second line, the size of the effect.
    """
    effects = jointly_widened(main_effects(result, measure), freedom_of(result, measure))
    by_name = {str(name): ends_of(frame, measure) for name, frame in effects.groupby("parameter", sort=False)}
    if effects["low"].isna().all():
        span = f"{effects['estimate'].min():.2f} to {effects['estimate'].max():.2f}"
        found = f"{measure.label.capitalize()}: {span} {measure.unit}"
        if measure in {WINS, MATCH_WINS}:
            return f"{found}\nFixed by construction: everybody varies, and somebody wins every time"
        return f"{found}\nMeans over all games, without intervals: those need {FEWEST_BLOCKS} blocks"
    clear = [(name, ends) for name, every in by_name.items() for ends in every if ends.clear]
    if not clear:
        return f"No clear effect on {measure.label}\n{TOO_SMALL}"
    name, top = max(clear, key=lambda effect: abs(effect[1].gap))
    tried = next(variation for variation in result.plan.variations if variation.name == name)
    best = list(top.as_good["value"])
    headline = f"{best_word(result, measure)} {with_unit(span_of(best, tried.values), best, tried.unit)}"
    if len(by_name) > 1:
        headline = f"{name} matters most{_topic(measure)}: {headline}"
    else:
        headline = f"{name if measure == WINS else f'{measure.label} by {name}'}: {headline}"
    size = f"{with_error(top.gap, top.error)} {measure.unit} against {name} = {shown(top.worst['value'])}"
    if len(result.plan.player_counts) == 1:
        return f"{headline}\n{size}"
    alike = [ends.players for ends in by_name[name] if ends.clear and list(ends.as_good["value"]) == best]
    listed = alike if len(alike) in {len(by_name[name]), *range(MOST_LISTED + 1)} else [top.players]
    return f"{headline} with {players_text(listed)}\n{size} with {top.players} players"


def _topic(measure: Measure) -> str:
    return "" if measure == WINS else f" for {measure.label}"


def pair_finding(result: SweepResult, measure: Measure, first: str, second: str) -> str:
    """Say which combination of two parameters is best, and how many others are not clearly worse."""
    every = ends_of(jointly_widened(averaged(result, measure, [first, second]), freedom_of(result, measure)), measure)
    cells = math.prod(len(v.values) for v in result.plan.variations if v.name in {first, second})
    word = best_word(result, measure)
    if not any(ends.clear for ends in every):
        return f"No combination of {first} and {second} is clearly the {word}\n{TOO_SMALL}"
    good = [{(row[first], row[second]) for _, row in ends.as_good.iterrows()} for ends in every]
    everywhere = set.intersection(*good)
    bests = [(ends.best[first], ends.best[second]) for ends in every]
    shared = next((best for best in bests if best in everywhere), None)
    if shared is None:
        headline = f"The {word} combination of {first} and {second}{_topic(measure)} depends on the number of players"
    else:
        table = f" with {players_text([ends.players for ends in every])}" if len(every) > 1 else ""
        among = "among the " if any(len(some) > 1 for some in good) else ""
        headline = (
            f"{first} {shown(shared[0])} with {second} {shown(shared[1])} is {among}{word}{_topic(measure)}{table}"
        )
    return f"{headline}\nNot clearly apart from the {word}: {_tied(every, cells)}"


def _tied(every: list[Ends], cells: int) -> str:
    """Say how many of so many combinations may be as good as the best of each table size."""
    tied = [len(ends.as_good) for ends in every]
    if len(every) <= MOST_LISTED:
        return ", ".join(
            f"{some} of {cells} with {ends.players} players" for some, ends in zip(tied, every, strict=True)
        )
    return f"{min(tied)} to {max(tied)} of {cells} combinations at each table size"
