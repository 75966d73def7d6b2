"""Figures: what must be readable on them, and that the same result gives the same bytes."""

from __future__ import annotations

import subprocess
import sys

import pytest

from reports.output.figures import as_png, as_svg
from reports.simulation.summary import WINS
from reports.sweep import SweepPlan, SweepResult, read_variation, sweep
from reports.sweep.designs import Design
from reports.sweep.effects import sensitivity_of
from reports.sweep.figures import plot_main_effects, plot_pair, sweep_figures
from simulate import Rules
from strategies.catalogue import strategy


def sweep_of(*texts: str, players: tuple[int, ...] = (2, 3), who="focal") -> SweepResult:
    variations = tuple(read_variation(text) for text in texts)
    return sweep(SweepPlan(variations, players, Rules(), (strategy("standard"),), who), 5040)


@pytest.fixture(scope="module")
def result() -> SweepResult:
    return sweep_of("early_take=0,2,4", "pass_hoard=0,4")


def texts_of(figure) -> str:
    axes_texts = [text for axes in figure.axes for text in (axes.get_title(), axes.get_xlabel(), axes.get_ylabel())]
    return "\n".join([text.get_text() for text in figure.texts] + axes_texts)


def test_there_is_a_panel_per_parameter_and_a_line_per_table_size(result):
    figure = plot_main_effects(result, WINS)
    assert len(figure.axes) == 2
    for axes in figure.axes:
        lines = [line for line in axes.get_lines() if line.get_label().endswith("players")]
        assert [line.get_label() for line in lines] == ["2 players", "3 players"]
        assert len(axes.collections) == 2, "one band per line"


def test_lines_show_the_difference_from_an_equal_share(result):
    axes = plot_main_effects(result, WINS).axes[0]
    rows = result.settings.query("players == 3 and early_take == 2")
    line = next(line for line in axes.get_lines() if line.get_label() == "3 players")
    assert line.get_ydata()[1] == pytest.approx(rows[WINS.name].mean() - 100 / 3)


def test_figures_say_what_they_rest_on(result):
    for name, figure in sweep_figures(result).items():
        words = texts_of(figure).replace("\n", " ")
        for expected in (
            "copies per value are an assumption",
            "5,040 games per setting",
            "seed 1",
            "opponents: standard",
        ):
            assert expected in words
        assert ("early_take" if name.startswith("tornado") else "early_take (cards)") in words


def test_a_heatmap_has_a_panel_per_table_size_and_a_number_per_cell(result):
    figure = plot_pair(result, WINS, "early_take", "pass_hoard")
    panels = [axes for axes in figure.axes if axes.images]
    assert [axes.get_title() for axes in panels] == ["2 players", "3 players"]
    assert all(len(axes.texts) == 6 for axes in panels)


def test_every_pair_of_varied_parameters_has_a_heatmap():
    result = sweep_of("early_take=0,2", "pass_hoard=0,4", "shed=0,1", "noise=0.1", players=(2,))
    assert set(sweep_figures(result)) == {
        "main_effects_wins_per_100_games",
        "heatmap_early_take_pass_hoard",
        "heatmap_early_take_shed",
        "heatmap_pass_hoard_shed",
    }


def test_when_everybody_varies_scores_and_turns_are_shown():
    figures = sweep_figures(sweep_of("shed=0,1", players=(2,), who="all"))
    assert set(figures) == {"main_effects_score", "main_effects_game_turns"}


def test_nothing_varied_nothing_plotted():
    assert sweep_figures(sweep_of("shed=1", players=(2,))) == {}


def test_the_same_result_gives_the_same_bytes(result):
    once, again = (plot_main_effects(result, WINS) for _ in range(2))
    assert as_svg(once) == as_svg(again)
    assert as_png(once) == as_png(again)
    assert as_png(once).startswith(b"\x89PNG")
    assert b"<dc:date>" not in as_svg(once)


def test_values_far_apart_are_spaced_evenly():
    (axes,) = plot_main_effects(sweep_of("pass_hoard=0,4,1000000", players=(2,)), WINS).axes
    assert axes.get_xticks().tolist() == [0, 1, 2]


def test_no_window_system_is_touched():
    code = "import sys, reports.sweep.figures; sys.exit('matplotlib.pyplot' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


def test_nothing_written_on_a_figure_is_cut_off():
    # Many table sizes and long labels make the longest titles.
    texts = ("early_take=-1:3", "early_take_limit=0,5.6")
    variations = tuple(read_variation(text) for text in texts)
    seats = (strategy("standard"), strategy("standard,endgame_take=1,danger_shed=2,wild_seven_jump=3"))
    result = sweep(SweepPlan(variations, (2, 3, 4, 5, 7), Rules(), seats), 5040)
    for figure in sweep_figures(result).values():
        renderer = figure.canvas.get_renderer()
        for text in [
            *figure.texts,
            *(axes.xaxis.label for axes in figure.axes),
            *(axes.yaxis.label for axes in figure.axes),
        ]:
            box = text.get_window_extent(renderer)
            assert min(box.x0, box.y0) >= 0, text.get_text()
            assert box.x1 <= figure.bbox.width, text.get_text()
            assert box.y1 <= figure.bbox.height, text.get_text()


def test_words_are_shown_as_given_and_behaviour_without_bands():
    variations = tuple(read_variation(text) for text in ("deck=one-wild,even", "rule.lead_pass=true,false"))
    plan = SweepPlan(variations, (2,), Rules(), (strategy("standard"),), metrics=("takes",))
    figures = sweep_figures(sweep(plan, 5040))
    assert set(figures) == {
        "main_effects_takes_per_game",
        "heatmap_deck_rule.lead_pass",
    }
    effects = figures["main_effects_takes_per_game"]
    assert [label.get_text() for label in effects.axes[0].get_xticklabels()] == ["one-wild", "even"]
    assert "without intervals" in texts_of(effects)


def test_several_table_sizes_have_a_panel_per_parameter(result):
    figure = sweep_figures(result)[f"players_{WINS.name}"]
    panels = [axes for axes in figure.axes if axes.get_images() and axes.get_xlabel()]
    assert [axes.get_xlabel().split(" ")[0] for axes in panels] == ["early_take", "pass_hoard"]
    rows = result.settings.query("players == 3 and early_take == 2")
    assert panels[0].get_images()[0].get_array()[1][1] == pytest.approx(rows[WINS.name].mean() - 100 / 3)


def test_a_tornado_has_the_most_important_on_top():
    variations = tuple(read_variation(text) for text in ("shed=0:2", "noise=0:1"))
    plan = SweepPlan(variations, (2,), Rules(), (strategy("standard"),), design=Design("saltelli", 8))
    result = sweep(plan, 4 * 5040)
    (figure,) = sweep_figures(result).values()
    (axes,) = figure.axes
    assert [label.get_text() for label in axes.get_yticklabels()] == ["shed", "noise"]
    table = sensitivity_of(result, WINS).table.set_index("factor")
    assert table.loc["noise", "total"] > table.loc["shed", "total"]
    assert [bar.get_width() for bar in axes.patches] == [table.loc["shed", "total"], table.loc["noise", "total"]]


def test_designs_that_draw_have_no_main_effects():
    variations = tuple(read_variation(text) for text in ("shed=0:2", "noise=0:1"))
    plan = SweepPlan(variations, (2,), Rules(), (strategy("standard"),), design=Design("latin-hypercube", 6))
    assert not sweep_figures(sweep(plan, 5040))
    result = sweep(plan, 4 * 5040)
    ((name, figure),) = sweep_figures(result).items()
    assert name == "tornado_wins_per_100_games"
    (axes,) = figure.axes
    shares = sensitivity_of(result, WINS).table.set_index("factor")["share"]
    assert [bar.get_width() for bar in axes.patches] == sorted(shares)
    assert "linear regression" in texts_of(figure)


def test_one_at_a_time_the_base_is_drawn_among_the_values():
    # The base holds 3.7 Passes back, which is not one of the values; one-wild is not its deck.
    variations = tuple(read_variation(text) for text in ("pass_hoard=0,8", "deck=one-wild,even"))
    plan = SweepPlan(variations, (2, 3), Rules(), (strategy("standard"),), design=Design("one-at-a-time"))
    figures = sweep_figures(sweep(plan, 5040))
    hoard, deck = figures[f"main_effects_{WINS.name}"].axes
    assert [line.get_xdata().tolist() for line in hoard.get_lines() if len(line.get_xdata()) > 2] == [[0, 3.7, 8]] * 2
    assert [label.get_text() for label in deck.get_xticklabels()] == ["one-wild", "even"]
