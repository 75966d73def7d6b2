"""The balance of That Escalated Quickly as a page, with its figures."""

from __future__ import annotations

from dataclasses import replace

import pandas as pd

from reports.output.figures import as_png, as_svg
from reports.output.html import Page, PageFigure, Section, provenance_notes
from reports.quickly.balance import JUMP, GroupBalance
from reports.quickly.balance_words import DECISIVE, confused, findings
from reports.quickly.figures import Axis, plot_grid
from reports.quickly.summary import GAME_WINS


def group_balance_page(balance: GroupBalance) -> Page:
    """Return the balance as a page, with its figures."""
    sections = [replace(section, figures=_figures(balance, section)) for section in findings(balance)]
    sigma = balance.plan.person["sigma"]
    summary = (f"Everybody {balance.plan.person.label}; closer looks at sigma {sigma:g}.",)
    notes = (
        f"A step of {JUMP:g} games won per 100 between neighbouring numbers of players counts as a jump; one that "
        f"makes the game easier for more players is red. A planned mistake is red from {DECISIVE:g} games per 100, "
        f"yellow from {JUMP:g}.",
        *provenance_notes(balance.provenance),
    )
    title = "That Escalated Quickly: is it fair and lively?"
    return Page(title, sections[0].finding, summary, tuple(sections), notes)


def _figures(balance: GroupBalance, section: Section) -> tuple[PageFigure, ...]:
    """Return the figure of a section, if it has one."""
    basis = f"{balance.provenance.games:,} games per number of players and setting, seed {balance.provenance.seed}."
    here = f"At sigma {balance.plan.person['sigma']:g}. {basis}"
    players = Axis("players", "players at the table")

    def drawn(
        name: str, frame: pd.DataFrame, across: Axis, upwards: Axis, values: str, alternative: str, note: str
    ) -> tuple[PageFigure, ...]:
        figure = plot_grid(frame, across, upwards, values, section.finding, note)
        return (PageFigure(name, as_svg(figure), alternative, csv=f"{name}.csv", png=as_png(figure)),)

    match section.title:
        case "Difficulty by players":
            skill = Axis("sigma", "sigma: noise of an answer (card values)")
            shown, note = "Games won by skill and number of players", f"Games won per 100. {basis}"
            return drawn("grid", balance.grid, players, skill, GAME_WINS.name, shown, note)
        case "The allowance":
            allowed = Axis("mistakes", "mistakes allowed in a round")
            shown, note = "Games won by allowance and number of players", f"Games won per 100. {here}"
            return drawn("allowances", balance.allowances, allowed, players, GAME_WINS.name, shown, note)
        case "Where rounds die":
            flip = Axis("flip", "flip that ended the round")
            shown = "Bad rounds by the flip that ended them and number of players"
            note = f"Bad rounds per 100, by the flip that ended them. {here}"
            return drawn("flips", balance.flips, flip, players, "bad_rounds_per_100", shown, note)
        case "What gets confused":
            pairs = confused(balance)
            pairs["per 1,000"] = 10 * pairs["mistakes_per_100_rounds"]
            lay, flipped = Axis("higher", "card that lay (value)"), Axis("lower", "lower card flipped onto it (value)")
            note = f"Mistakes per 1,000 rounds, on average over the numbers of players. {here}"
            return drawn("confusions", pairs, lay, flipped, "per 1,000", "Mistakes by the two values", note)
    return ()
