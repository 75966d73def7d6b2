"""Which cards one would like to be dealt, and how much the luck of the opening hand depends on a single one."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from reports.balance.card_worth import Worth, card_worths, pair_worths, set_worths, swap_worths
from reports.balance.exhibits import Cell, cell_with_error, draw_errors, page_figure, page_table
from reports.balance.finding import Finding, Play, total
from reports.balance.plan import BalancePlan, Threshold, light_below
from reports.balance.rosters import all_alike
from reports.estimates.intervals import LEVEL, PLANNED, Interval
from reports.estimates.jackknife import jackknife
from reports.estimates.joint import greatest_distance, greatest_named, level_of_each
from reports.estimates.measures import Row, bounds_columns, interval_from_row, rows_of
from reports.output.canvas import Axes
from reports.output.figures import GREY, OKABE_ITO
from reports.output.html import PageFigure
from reports.output.provenance import deck_note
from reports.output.words import row_with_error, with_bounds
from simulate.escalation.rules import PASS, VALUES, WILD, Deck
from simulate.escalation.settings.openings import CARDS, Openings, Swaps
from simulate.experiment import Counts, Setting

MOST_OF_ONE_CARD: Final = Threshold(
    "card-worth",
    5.0,
    "wins per 100 games",
    "what a single card of the opening hand may add or cost at most, against an average card",
)


COLUMNS: Final[dict[str, Cell]] = {
    "card": "{card}",
    "copies in the deck": "{copies}",
    "wins per 100 games": cell_with_error("wins"),
    "penalty cards": cell_with_error("cards", 2),
    "by exchange: wins per 100 games": cell_with_error("swap_wins"),
    "by exchange: penalty cards": cell_with_error("swap_cards", 2),
}
SETS_COLUMNS: Final[dict[str, Cell]] = {
    "in the opening hand, beyond its cards": "{set}",
    "wins per 100 games (± 95%)": cell_with_error("wins"),
    "penalty cards (± 95%)": cell_with_error("cards", 2),
}
LEFT_COLUMNS: Final[dict[str, Cell]] = {
    "card": "{card}",
    "left in hands per game": "{left_per_game:.2f}",
    "% of its copies": "{share_left:.1%}",
    "interval": "{share_left_low:.1%} to {share_left_high:.1%}",
}


def measure(plan: BalancePlan, play: Play) -> Finding:
    """Find what each card of the opening hand is worth, by regression and by exchanging cards."""
    rules, table = plan.rules, all_alike(plan.rules, plan.standard)
    settings: list[Setting] = [Openings(table), Swaps(table, undrawn=False)]
    if rules.players * rules.hand_size < rules.deck.size:
        settings.append(Swaps(table, undrawn=True))
    dealt, *swapped = map(total, play("cards", settings, plan.effort.blocks))
    frame, sets, left = cards_frame(dealt, swapped, rules.deck), sets_frame(dealt), left_frame(dealt, rules.deck)
    extreme, finding = most_extreme(frame), finding_of(frame, sets)
    return Finding(
        name="cards",
        title="Cards",
        finding=finding,
        light=light_below(extreme, plan.limit(MOST_OF_ONE_CARD)),
        threshold=MOST_OF_ONE_CARD,
        frames={"cards": frame, "cards_sets": sets, "cards_left": left},
        figures=(_figure(frame, plan),),
        tables=(
            page_table("cards", frame, COLUMNS),
            page_table("cards_sets", sets, SETS_COLUMNS),
            page_table("cards_left", _of_everybody(left), LEFT_COLUMNS),
        ),
        texts=_texts(plan, frame, left, extreme, int(dealt["deals"].sum())),
        headline=finding,
    )


def card_words(card: int) -> str:
    """Return a card as it is named in a sentence."""
    return {WILD: "wild", PASS: "Pass"}.get(card, str(card))


def copies_of(deck: Deck) -> dict[int, int]:
    """Return how many of each card a deck has, cards that it lacks left out."""
    copies = (*deck.copies, deck.wilds, deck.passes)
    return {card: number for card, number in zip(CARDS, copies, strict=True) if number}


def cards_frame(dealt: Counts, swapped: Sequence[Counts], deck: Deck) -> pd.DataFrame:
    """Return one row per card of the deck: its worth by regression over all hands, and by exchanged cards.

    Parameters
    ----------
    dealt
        Sums over opening hands.
    swapped
        Sums over exchanges with any card outside the hand and, if the deck is not all dealt, with the undrawn deck.
    deck
        What was dealt from.

    Returns
    -------
    pandas.DataFrame
        Columns card, copies, then for each of wins, cards (by regression), swap_wins, swap_cards (exchanges with any
        card), undrawn_wins and undrawn_cards (with the undrawn deck) the estimate and its bounds (`_low`, `_high`),
        which hold for all cards of a column together, and level_of_all_cards_together. All against an average card.
    """
    level = level_of_each(len(copies_of(deck)))
    methods = {"": card_worths(dealt, deck, level)}
    for prefix, sums in zip(("swap_", "undrawn_"), swapped, strict=False):
        methods[prefix] = swap_worths(sums, deck, level)
    rows = []
    for card, copies in copies_of(deck).items():
        numbers: dict[str, float] = {}
        for prefix, worths in methods.items():
            numbers |= _columns(prefix, worths[card - 1])
        rows.append({"card": card_words(card), "copies": copies, **numbers, "level_of_all_cards_together": LEVEL})
    return pd.DataFrame(rows)


def sets_frame(dealt: Counts) -> pd.DataFrame:
    """Return what pairs and triples are worth beyond their cards: over all values, and pairs by value."""
    named = {
        **dict(zip(("a pair of any value", "a triple, beyond its pair"), set_worths(dealt), strict=True)),
        **dict(zip((f"a pair of {value}s" for value in VALUES), pair_worths(dealt), strict=True)),
    }
    return pd.DataFrame({"set": name, **_columns("", worth), "level": LEVEL} for name, worth in named.items())


def left_frame(dealt: Counts, deck: Deck) -> pd.DataFrame:
    """Return what is left in hands at the end, by card and position.

    Returns
    -------
    pandas.DataFrame
        Columns card ("any": all together), position ("all": everybody together), copies, left_per_game (cards), its
        share_left (of the copies), both with their bounds, level_of_all_together.
    """
    present = copies_of(deck)
    places = [card - 1 for card in present]
    positions = dealt["left"].shape[1]

    def estimate(whole: Counts) -> NDArray[np.float64]:
        by_card = whole["left"][:, places] / whole["deals"]
        table = np.vstack([by_card.sum(axis=0), by_card])
        return np.column_stack([table.sum(axis=1), table]).ravel()

    named = [("any", deck.size), *((card_words(card), copies) for card, copies in present.items())]
    level = level_of_each(len(named) * (1 + positions))
    numbers = iter(jackknife({name: dealt[name] for name in ("deals", "left")}, estimate, level))
    rows = []
    for position in ("all", *map(str, range(positions))):
        for card, copies in named:
            left = next(numbers)
            columns = {**bounds_columns("left_per_game", left), **bounds_columns("share_left", left.times(1 / copies))}
            rows.append(
                {"card": card, "position": position, "copies": copies, **columns, "level_of_all_together": LEVEL}
            )
    return pd.DataFrame(rows)


def _of_everybody(left: pd.DataFrame) -> list[Row]:
    """Return the rows of single cards for everybody together."""
    return [row for row in rows_of(left) if row["position"] == "all" and row["card"] != "any"]


def most_extreme(frame: pd.DataFrame) -> Interval:
    """Return how far the card with the greatest effect is from an average one, whichever it is: wins per 100 games."""
    return greatest_distance([interval_from_row(row, "wins") for row in rows_of(frame)])


def _columns(prefix: str, worth: Worth) -> Row:
    return {**bounds_columns(f"{prefix}wins", worth.wins), **bounds_columns(f"{prefix}cards", worth.cards)}


def finding_of(frame: pd.DataFrame, sets: pd.DataFrame) -> str:
    """Say what a Pass is worth (or the best card, where there is none), and which card nobody wants."""
    rows, (best, worst) = rows_of(frame), _extremes(frame)
    shown = next((row for row in rows if row["card"] == card_words(PASS)), best)
    pair, cards = rows_of(sets)[0], shown["cards"]
    against = greatest_named([row["card"] for row in rows], [-interval_from_row(row, "wins") for row in rows])
    return (
        f"Dealt a {shown['card']}: {shown['wins']:+.1f} wins per 100 games and {abs(cards):.1f} penalty cards "
        f"{'fewer' if cards < 0 else 'more'} than with an average card; the card to hope against is the {against} "
        f"({worst['card']}: {with_bounds(interval_from_row(worst, 'wins'), 1)}), and a pair adds {pair['wins']:+.1f} "
        "to its two cards."
    )


def _extremes(frame: pd.DataFrame) -> tuple[Row, Row]:
    """Return the rows of the best and the worst card."""
    ordered = sorted(rows_of(frame), key=lambda row: float(row["wins"]))
    return ordered[-1], ordered[0]


def _texts(
    plan: BalancePlan,
    frame: pd.DataFrame,
    left: pd.DataFrame,
    extreme: Interval,
    deals: int,
) -> tuple[str, ...]:
    least, most = (pick(_of_everybody(left), key=lambda row: float(row["share_left"])) for pick in (min, max))
    hands = [row for row in rows_of(left) if row["card"] == "any" and row["position"] != "all"]
    fewest, *_, fullest = sorted(hands, key=lambda row: float(row["left_per_game"]))
    cards = [row["card"] for row in _of_everybody(left)]
    shares = [interval_from_row(row, "share_left") for row in _of_everybody(left)]
    return (
        f"{deals:,} deals, {plan.rules.players} players, everybody {plan.standard.label}; deck "
        f"{deck_note(plan.rules)}. The cards of a hand add up to {plan.rules.hand_size}, so only differences between "
        "cards can be known: each is shown against the deck's average card, and fewer penalty cards are better. "
        f"Intervals: {LEVEL:.0%} for all cards of a column together, for a planned number of games; hands of one deal "
        "count as one unit.",
        "Two ways: a regression of the outcome on the cards of all opening hands (within each position), and the same "
        f"deal played again with one card of the hand exchanged for any other. {_agreement(frame)}{_alone(frame)}",
        f"The most that a single card does is {extreme.estimate:.1f} ({extreme.low:.1f} to {extreme.high:.1f}; "
        f"{LEVEL:.0%} for all cards together).",
        f"At the end the {greatest_named(cards, shares)} is what is most often left in somebody's hand "
        f"({most['card']}: {most['share_left']:.0%} of its copies per game) and the "
        f"{greatest_named(cards, [-share for share in shares])} least often ({least['card']}: "
        f"{least['share_left']:.0%}). Position {fullest['position']} is left with most, "
        f"{row_with_error(fullest, 'left_per_game', 2, sign=False)} cards, position {fewest['position']} with fewest, "
        f"{row_with_error(fewest, 'left_per_game', 2, sign=False)} ({LEVEL:.0%} for all that is left together).",
    )


def _agreement(frame: pd.DataFrame) -> str:
    apart = frame["wins"] - frame["swap_wins"]
    # The two come from the same deals; as if they were independent, their widths are added in squares.
    reach = np.hypot(frame["wins_high"] - frame["wins"], frame["swap_wins_high"] - frame["swap_wins"])
    close = int((apart.abs() <= reach).sum())
    return f"They agree within their errors for {close} of {len(frame)} cards."


def _alone(frame: pd.DataFrame) -> str:
    """Say how much of a card's worth is left if the others' hands stay as they are."""
    squares = (frame["swap_wins"] ** 2).sum()
    if "undrawn_wins" not in frame or squares == 0:
        return ""
    share = (frame["undrawn_wins"] * frame["swap_wins"]).sum() / squares
    return (
        f" Exchanged with the undrawn deck, so that nobody else's hand changes, cards are worth {share:.0%} of that: "
        "the rest is that others were not dealt what one holds."
    )


def _figure(frame: pd.DataFrame, plan: BalancePlan) -> PageFigure:
    best, worst = _extremes(frame)
    limit, places = plan.limit(MOST_OF_ONE_CARD), range(len(frame))

    def draw(panel: Axes) -> None:
        panel.axhspan(-limit, limit, color="#000000", alpha=0.06, linewidth=0)
        panel.axhline(0, color=GREY, linewidth=0.8)
        regression, exchange = (
            [interval_from_row(row, name) for row in rows_of(frame)] for name in ("wins", "swap_wins")
        )
        for marker, colour, shift, numbers, label in (
            ("o", OKABE_ITO[0], -0.12, regression, "regression over all hands"),
            ("s", OKABE_ITO[1], 0.12, exchange, "one card exchanged, same deal"),
        ):
            draw_errors(panel, [place + shift for place in places], numbers, fmt=marker, color=colour, label=label)
        panel.set_xticks(places, list(frame["card"]))
        panel.set_xlabel("card in the opening hand")
        panel.set_ylabel("wins per 100 games\nagainst an average card")
        panel.legend(frameon=False, fontsize=8.5, loc="upper left")

    shows = "Worth of each card in the opening hand, in wins per 100 games against an average card, by two methods"
    title = (
        f"The {best['card']} is measured to be the card to be dealt ({best['wins']:+.1f} wins per 100 games), "
        f"the {worst['card']} the one not to be ({worst['wins']:+.1f})"
    )
    note = (
        f"Lines: {LEVEL:.0%} for all cards together, {PLANNED}. Shaded: what a card may do at most. Deck "
        f"{deck_note(plan.rules)}."
    )
    return page_figure("cards", draw, shows, title, note, height=4.2)
