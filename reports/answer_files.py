"""Answers about tactics as the files of an output folder."""

from __future__ import annotations

from typing import Any

import pandas as pd

from reports.folder import as_csv
from reports.statistics import Interval
from reports.tactic import CurveAnswer, TacticAnswer
from reports.verdict import Measured


def answer_frame(answer: TacticAnswer | CurveAnswer) -> pd.DataFrame:
    """Return one row per number that was measured.

    Returns
    -------
    pandas.DataFrame
        Columns players, opponents, measured, base, changed, verdict, wins_per_100 and score (each with _low and _high),
        the same for the next and the previous player's wins, deals, games, changed_games, level.
    """
    if isinstance(answer, CurveAnswer):
        name = answer.question.name.partition("=")[0]
        records = [
            _record(one.table.field.label, f"{name}={one.value:g}", one.measured)
            for one in answer.values
            if one.measured is not None
        ]
    else:
        records = [
            _record(table.table.field.label, words, measured)
            for table in answer.tables
            for words, measured in {"worth": table.worth, **table.further}.items()
        ]
    return pd.DataFrame(records)


def _record(opponents: str, words: str, measured: Measured) -> dict[str, Any]:
    return {
        "players": measured.players,
        "opponents": opponents,
        "measured": words,
        "base": measured.comparison.base.label,
        "changed": measured.comparison.changed.label,
        "verdict": measured.answer,
        **_columns("wins_per_100", measured.wins),
        **_columns("score", measured.score),
        **_columns("next_player_wins_per_100", measured.effect("next_wins")),
        **_columns("previous_player_wins_per_100", measured.effect("previous_wins")),
        "deals": measured.deals,
        "games": measured.games,
        "changed_games": measured.changed_games,
        "level": measured.wins.level,
    }


def _columns(name: str, interval: Interval) -> dict[str, float]:
    return {name: interval.estimate, f"{name}_low": interval.low, f"{name}_high": interval.high}


def answer_files(answer: TacticAnswer | CurveAnswer) -> dict[str, bytes]:
    """Return `answer.csv`, one row per number that was measured."""
    return {"answer.csv": as_csv(answer_frame(answer))}
