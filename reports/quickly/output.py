"""Results of That Escalated Quickly on the screen and as files."""

from __future__ import annotations

from typing import Final

from reports.estimates.measures import rows_of
from reports.output.html import page_files
from reports.output.table_files import tables_as_files
from reports.output.terminal import Screen, announce
from reports.output.words import INTERVAL_NOTE, counted, number_in, players_text, plus_minus
from reports.quickly.balance import GroupBalance, GroupBalancePlan
from reports.quickly.balance_words import findings, numbers_table, table_note
from reports.quickly.simulation import GroupPlan, GroupResult
from reports.quickly.summary import COMEBACKS, GAME_WINS, GOOD_ROUNDS, ROUNDS
from reports.quickly.sweep import GroupSweepPlan, GroupSweepResult
from strategies.quickly import PERSON

MOST_CONFUSIONS: Final = 5


def announce_group(screen: Screen, plan: GroupPlan, games: int) -> None:
    """Say what is about to be played."""
    played = plan.provenance(games)
    lines = [
        f"Playing {played.games:,} games of That Escalated Quickly with {plan.rules.players} players",
        f"Players: {', '.join(dict.fromkeys(person.label for person in plan.persons))}",
    ]
    announce(screen, lines, played)


def show_group(screen: Screen, result: GroupResult) -> None:
    """Print how the group fared."""
    rows = [[measure.label, plus_minus(interval), measure.unit] for measure, interval in result.numbers.items()]
    screen.table(["", "", ""], rows)
    screen.remark(INTERVAL_NOTE)
    dying = rows_of(result.flips[result.flips["bad_rounds_per_100"] > 0])
    if dying:
        parts = [f"{row['flip']}: {row['bad_rounds_per_100']:.1f}" for row in dying]
        pairs = [
            f"{row['lower']} after {row['higher']} ({row['mistakes_per_100_rounds']:.1f})"
            for row in rows_of(result.confusions.head(MOST_CONFUSIONS))
        ]
        screen.remark(
            f"Bad rounds per 100, by the flip that ended them: {', '.join(parts)}.",
            f"Most mistakes per 100 rounds: {', '.join(pairs)}.",
        )


def group_files(result: GroupResult, *, parquet: bool = False) -> dict[str, bytes]:
    """Return `numbers.csv`, one row per number, and who organised how well, where rounds died, what got confused."""
    tables = {"numbers": result.numbers_frame, "organisers": result.organisers, "flips": result.flips}
    return tables_as_files(
        {**tables, "confusions": result.confusions}, parquet=parquet, looked_at=result.provenance.looked_at
    )


def announce_group_sweep(screen: Screen, plan: GroupSweepPlan, games: int) -> None:
    """Say what is about to be played."""
    played = plan.provenance(games)
    settings = counted(plan.size, "setting")
    whole = f"Playing {settings} of {played.games:,} games, each on the same deals: {plan.person.label}"
    varying = [
        f"Varying {variation.name}: {', '.join(map(variation.factor.show, variation.numbers))}"
        for variation in plan.variations
    ]
    announce(screen, [whole, *varying], played)


def show_group_sweep(screen: Screen, result: GroupSweepResult) -> None:
    """Print every setting."""
    measures = [measure for measure in (GAME_WINS, GOOD_ROUNDS, ROUNDS, COMEBACKS) if measure.name in result.settings]
    variations = result.plan.variations
    columns = ["players", *(variation.name for variation in variations)]
    rows = [
        [
            str(row["players"]),
            *(variation.factor.show(row[variation.name]) for variation in variations),
            *(number_in(row, measure) for measure in measures),
        ]
        for row in rows_of(result.settings)
    ]
    screen.table([*columns, *(measure.label for measure in measures)], rows, texts=len(columns))
    screen.remark(f"Per 100, but game length in rounds. {INTERVAL_NOTE}")


def group_sweep_files(result: GroupSweepResult, *, parquet: bool = False) -> dict[str, bytes]:
    """Return `settings.csv`, one row per setting; of a grid that was played whole, a figure of what varies, too."""
    from reports.output.figures import figure_files
    from reports.quickly.figures import plot_sweep

    files = tables_as_files({"settings": result.settings}, parquet=parquet, looked_at=result.provenance.looked_at)
    if len(result.settings) < result.plan.size:
        return files
    basis = f"{result.provenance.games:,} games per setting, seed {result.provenance.seed}"
    varied = [variation for variation in result.plan.variations if len(variation.values) > 1]
    figures = {each.name: plot_sweep(result.settings, PERSON.parameter(each.name), GAME_WINS, basis) for each in varied}
    return files | figure_files(figures)


def announce_group_balance(screen: Screen, plan: GroupBalancePlan, games: int) -> None:
    """Say what is about to be played."""
    played = plan.provenance(games)
    counts = players_text([rules.players for rules in plan.rules])
    settings = counted(played.settings, "setting")
    line = f"Playing {settings} of {played.games:,} games with {counts}, everybody {plan.person.label}"
    announce(screen, [line], played)


def show_group_balance(screen: Screen, balance: GroupBalance) -> None:
    """Print the findings and the table."""
    screen.heading(*(section.finding for section in findings(balance)))
    screen.show(numbers_table(balance))
    screen.remark(table_note(balance))


def group_balance_files(balance: GroupBalance, *, parquet: bool = False) -> dict[str, bytes]:
    """Return the tables, the figures and the page `report.html`."""
    from reports.quickly.page import group_balance_page

    return page_files(group_balance_page(balance), balance.frames, parquet=parquet)
