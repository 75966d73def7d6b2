"""`escalation quickly` as a user meets it."""

from __future__ import annotations

import json
import shlex
from importlib.util import find_spec
from pathlib import Path

import pandas as pd
import pytest

import cli
from tests.command_line import check_help, check_mistake, run

COMMANDS = sorted(cli.quickly.commands)


def test_without_a_command_there_is_help():
    assert run("quickly").exit_code == 0
    assert run("quickly").stdout == run("quickly --help").stdout


@pytest.mark.parametrize("name", COMMANDS)
def test_help_explains_every_option_in_words_and_ends_with_an_example(name: str):
    check_help(["quickly", name], cli.quickly.commands[name])


@pytest.mark.parametrize("name", COMMANDS)
def test_the_examples_work_as_printed(name: str, tmp_path: Path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    arguments = shlex.split(cli.quickly.commands[name].example)[1:]
    # All but the number of games, for the sake of time.
    result = run([*arguments, "--games", "1"] if "--games" in arguments else arguments)
    assert result.exit_code == 0, result.stderr
    assert result.stdout


def test_simulate_says_what_happened_and_writes_it_down(tmp_path: Path):
    out = tmp_path / "out"
    result = run(f"quickly simulate --players 5 --sigma 1 --games 1 --json --out {out}")
    data = json.loads(result.stdout)
    numbers = data["numbers"]
    # From integration: 0.564279 good rounds, hence 0.6124 games won.
    told = numbers["good_rounds_per_100"]
    assert abs(told["estimate"] - 56.4279) < 4 * (told["high"] - told["low"]) / 2 / 1.96
    assert {path.name for path in out.iterdir()} == {
        "experiment.toml", "blocks.sqlite", "numbers.csv", "organisers.csv", "flips.csv", "confusions.csv",
    }  # fmt: skip
    frame = pd.read_csv(out / "numbers.csv").set_index("measure")
    assert frame.loc["wins_per_100_games", "estimate"] == pytest.approx(numbers["wins_per_100_games"]["estimate"])
    dead = sum(row["bad_rounds_per_100"] for row in data["flips"])
    assert dead == pytest.approx(100 - numbers["good_rounds_per_100"]["estimate"])
    # No mistake is allowed, so every bad round has exactly one.
    assert sum(row["mistakes_per_100_rounds"] for row in data["confusions"]) == pytest.approx(dead)


def test_persons_may_differ():
    result = run("quickly simulate --players 4 --seat plain,sigma=0 --seat plain,sigma=3 --games 1 --json")
    organisers = json.loads(result.stdout)["organisers"]
    assert [row["strategy"] for row in organisers] == ["plain,sigma=0", *["plain,sigma=3"] * 3]
    assert organisers[0]["good_rounds_per_100"] > max(row["good_rounds_per_100"] for row in organisers[1:])


def test_a_sweep_plays_every_combination_on_the_same_deals(tmp_path: Path):
    out = tmp_path / "out"
    result = run(f"quickly sweep sigma=1,2 organiser=sort,replan --players 4-5 --games 1 --quiet --out {out}")
    assert result.exit_code == 0, result.stderr
    frame = pd.read_csv(out / "settings.csv")
    assert frame[["players", "sigma", "organiser"]].to_numpy().tolist() == [
        [players, sigma, organiser] for players in (4, 5) for sigma in (1, 2) for organiser in (0, 2)
    ]
    assert (out / "sigma.svg").exists()
    assert (out / "organiser.png").exists()
    single = json.loads(run("quickly simulate --players 5 --sigma 2 --games 1 --json").stdout)["numbers"]
    alike = frame.query("players == 5 and sigma == 2 and organiser == 0").iloc[0]
    assert alike["wins_per_100_games"] == pytest.approx(single["wins_per_100_games"]["estimate"])


def test_a_longer_run_takes_up_the_blocks_of_a_shorter_one(tmp_path: Path):
    line = "quickly sweep sigma=1,2 --players 4-5 --games"
    assert run(f"{line} 1 --out {tmp_path / 'out'}").exit_code == 0
    longer = run(f"{line} 10080 --out {tmp_path / 'out'}")
    assert "20,160 games are in" in longer.stderr
    assert run(f"{line} 10080 --csv {tmp_path / 'fresh.csv'}").exit_code == 0
    # The folder's table says, besides, that games were added after its first result had been shown.
    head, *rows = (tmp_path / "out" / "settings.csv").read_text(encoding="utf-8").splitlines()
    fresh, looked_at = zip(*(row.rsplit(",", 1) for row in (head, *rows)), strict=True)
    assert looked_at == ("looked_at", *["5040"] * len(rows))
    assert list(fresh) == (tmp_path / "fresh.csv").read_text(encoding="utf-8").splitlines()


def test_ask_keeps_its_blocks_and_refuses_another_question(tmp_path: Path):
    out = tmp_path / "out"
    line = f"quickly ask talk-it-over --players 5 --max-games 10k --quiet --out {out}"
    first = run(line)
    assert first.exit_code == 0, first.stderr
    assert first.stdout.startswith("Yes. talk-it-over, with 5 players, is worth ")
    kept = {path.name for path in (out / "parts").iterdir()}
    assert kept == {"5-players-doses", "5-players-worth", "5-players-reason"}
    page = (out / "report.html").read_bytes()
    assert run(line).stdout == first.stdout
    assert (out / "report.html").read_bytes() == page
    check_mistake(f"{line} --mistakes 1", "spec.rules.mistakes is only here")


def test_how_much_of_a_habit_is_a_table_and_a_curve(tmp_path: Path):
    out = tmp_path / "out"
    result = run(f"quickly ask own_shift=-1:1 --players 4 --max-games 5040 --quiet --out {out}")
    assert result.exit_code == 0, result.stderr
    assert result.stdout.startswith(
        "own_shift is best at 0 with 4 players; no value is clearly better than plain; harm"
    )
    frame = pd.read_csv(out / "answer.csv")
    assert frame[["players", "measured", "verdict"]].to_numpy().tolist() == [
        [4, "own_shift=-1", "bad"], [4, "own_shift=1", "bad"],
    ]  # fmt: skip
    assert (out / "curve.svg").exists()


@pytest.mark.skipif(find_spec("distributed") is None, reason="needs the extra 'cluster'")
@pytest.mark.filterwarnings("ignore")
def test_threads_and_a_cluster_give_the_same_tables(tmp_path: Path):
    line = "quickly simulate --players 6 --seat plain,sigma=1.5 --seat replanner,sigma=1.5 --games 10080 --quiet --out"
    folders = [tmp_path / name for name in ("one", "three", "cluster")]
    for folder, how in zip(folders, ("--threads 1", "--threads 3", "--dask local:1"), strict=True):
        result = run(f"{line} {folder} {how}")
        assert result.exit_code == 0, result.output
    tables = [{path.name: path.read_bytes() for path in folder.glob("*.csv")} for folder in folders]
    assert len(tables[0]) == 4
    assert tables[1] == tables[0]
    assert tables[2] == tables[0]


@pytest.mark.parametrize(
    "line",
    [
        "simulate --players 3 --seat plain --seat plain,sigma=2,organiser=replan --mistakes 0",
        "sweep sigma=1:2:0.5 organiser=sort,insert --players 3-4 --mistakes 1 --target 2",
        "balance --players 5-6 --sigma 1.25 --cards-each 1",
    ],
)
def test_a_question_that_was_saved_is_asked_again(line: str, tmp_path: Path):
    spec, table, again = (tmp_path / name for name in ("spec.toml", "table.csv", "again.csv"))
    result = run(f"quickly {line} --games 1 --save-spec {spec} --csv {table}")
    assert result.exit_code == 0, result.output
    result = run(f"run {spec} --csv {again}")
    assert result.exit_code == 0, result.output
    assert table.read_bytes() == again.read_bytes()


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ('seats = ["plain"]', 'seats = ["plane"]', "did you mean 'plain'?"),
        ("players = [4]", "players = [9]", "9 players are not allowed"),
        ("players = [4]", 'players = ["4"]', "'4' is not a whole number"),
        ("seats =", "seets =", "did you mean 'seats'?"),
        ('sigma = ["1"]', 'sgma = ["1"]', "did you mean 'sigma'?"),
        ('sigma = ["1"]', "sigma = 1", "sigma is 1, not a list"),
        ('seats = ["plain"]', 'seats = "plain"', "seats is 'plain', not a list"),
        ("seed = 1", "seed = 2", "its digest belongs to another experiment"),
    ],
)
def test_mistakes_in_a_saved_question_are_told(old: str, new: str, message: str, tmp_path: Path):
    spec = tmp_path / "spec.toml"
    run(f"quickly sweep sigma=1 --games 1 --save-spec {spec}")
    assert old in spec.read_text()
    spec.write_text(spec.read_text().replace(old, new))
    result = run(f"run {spec}")
    assert result.exit_code == 2
    assert message in result.stderr
    assert result.stderr.count("\n") == 1


def test_exact_results_are_fractions_and_six_decimals():
    data = json.loads(run("quickly exact --players 5 --sigma 1.5 --json").stdout)
    assert data["random_order"]["round_success"]["fraction"] == "1/120"
    chance = data["sort"]["round_success"]
    assert data["sort"]["win"] == pytest.approx(chance**3 * (1 + 3 * (1 - chance) + 6 * (1 - chance) ** 2))
    assert "0.358762" in run("quickly exact --players 5 --sigma 1.5").stdout


def test_a_trace_is_the_deal_of_the_run():
    data = json.loads(run("quickly trace --seed 1 --deal 5 --players 6 --json").stdout)
    assert data["engines_agree"] is True
    assert data["won"] == (data["good"] == 3)
    for one in data["rounds"]:
        values = [card["value"] for card in one["cards"]]
        assert len(set(values)) == 6
        assert {card["position"] for card in one["cards"] if card["heard"] is None} == {one["organiser"]}
    told = run("quickly trace --seed 1 --deal 5 --players 6").stdout
    assert f"after {len(data['rounds'])} rounds" in told


def test_more_games_say_more_about_sigma():
    few, many = (
        json.loads(run(f"quickly fit --players 5 --good {7 * n} --bad {4 * n} --json").stdout)["sigma"] for n in (1, 10)
    )
    assert few["estimate"] == pytest.approx(many["estimate"])
    assert few["low"] < many["low"] < many["estimate"] < many["high"] < few["high"]
    assert json.loads(run("quickly fit --players 8 --good 0 --bad 1 --json").stdout)["sigma"]["high"] is None


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("simulate --players 1", "--players 1 is not allowed: 2 to 8"),
        ("simulate --players 9", "--players 9 is not allowed: 2 to 8"),
        ("sweep sigma=1 --players 2-9", "players '2-9' is not allowed"),
        ("simulate --sigma -1", "sigma=-1 is not allowed"),
        ("simulate --sigma nan", "sigma=nan is not allowed"),
        ("simulate --seat burner", "with 4 players none is allowed"),
        ("simulate --players 6 --seat burner", "the ruling planned_mistake does not permit"),
        ("simulate --seat plane", "did you mean 'plain'?"),
        ("simulate --seat plain,organiser=sorter", "did you mean 'sort'?"),
        ("simulate --seat plain,talk=1.5", "talk is a whole number of persons from 1 to 7"),
        ("simulate --rule planed_mistake=true", "did you mean 'planned_mistake'?"),
        ("simulate --players 4 --cards-each 3", "3 cards each are not allowed with 4 players: 1 to 2"),
        ("sweep sgma=1", "did you mean 'sigma'?"),
        ("sweep sigma=2:1:1", "points away from 1"),
        ("sweep sigma=1,1", "given twice"),
        ("sweep", "a sweep needs a parameter to vary"),
        ("ask own_shift=0:3:0.5", "own_shift is a whole number of places"),
        ("ask own_shift=3:0", "points away from 0"),
        ("ask planned-mistake --players 5", "with 5 players none is allowed"),
        ("ask planned-mistke", "did you mean 'planned-mistake'?"),
        ("ask talk=2 --sigma nan", "sigma=nan is not allowed"),
        ("ask talk=2 --players 1", "players '1' is not allowed"),
        ("ask talk=2 --metric match", "it has no matches"),
        ("balance --players 9", "players '9' is not allowed"),
        ("exact --seat replanner", "exact results need organiser=sort, not replan"),
        ("fit --good 0 --bad 0", "at least one round"),
        ("fit --good 1 --bad 1 --sigma 1", "--sigma is what fit finds"),
        ("simulatte", "did you mean 'simulate'?"),
    ],
)
def test_mistakes_are_told_in_one_line(line: str, message: str):
    check_mistake(f"quickly {line}", message)
