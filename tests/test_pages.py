"""README and docs: the commands are real, what they are said to print is what they print, the links lead somewhere."""

from __future__ import annotations

import contextlib
import io
import re
import shlex
from functools import cache
from pathlib import Path

import click
import pytest
from click.testing import CliRunner, Result

import cli
from simulate.jit import numba_config

ROOT = Path(cli.__file__).parent
README = ROOT / "README.md"
PAGES = [README, ROOT / "CHANGELOG.md", *sorted((ROOT / "docs").glob("*.md"))]
LEFT_OUT = "..."

BLOCK = re.compile(r"```(\w*)\n(.*?)```", re.DOTALL)
LINE = re.compile(r"(?:^|[ /`])(escalation(?: [^`\n]*)?)(?:`|$)", re.MULTILINE)


def blocks(page: Path) -> list[tuple[str, str]]:
    return BLOCK.findall(page.read_text(encoding="utf-8"))


def command_lines() -> list[tuple[str, str]]:
    """Return every command line in a block or between backquotes, with its page; a bare name is a mention."""
    found = []
    for page in PAGES:
        for line in LINE.findall(page.read_text(encoding="utf-8")):
            words = shlex.split(line)
            if len(words) > 1 and LEFT_OUT not in words:
                found.append((page.name, line))
    return found


@pytest.mark.parametrize(("page", "line"), command_lines())
def test_commands_and_options_exist(page: str, line: str):
    _, name, *arguments = shlex.split(line)
    if name.startswith("-"):
        assert name in {option for parameter in cli.main.params for option in parameter.opts}
        return
    command = cli.main.commands.get(name)
    assert command is not None, f"{page} knows a command '{name}'"
    while isinstance(command, click.Group) and arguments:
        name, *arguments = arguments
        command = command.commands[name]
    command.make_context(name, arguments).close()


def options_of(command: click.Command) -> set[str]:
    """Return the options of a command and of all commands below it."""
    options = {option for parameter in command.params for option in parameter.opts}
    below = command.commands.values() if isinstance(command, click.Group) else ()
    return options.union(*map(options_of, below))


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_options_that_are_mentioned_exist(page: Path):
    known = {"--help"} | options_of(cli.main)
    text = page.read_text(encoding="utf-8")
    ours = "\n".join(line for line in text.splitlines() if "python -m" not in line and "pip" not in line)
    assert set(re.findall(r"`(--[a-z][a-z-]*)", ours)) <= known


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_links_lead_somewhere(page: Path):
    for target in re.findall(r"\]\(([^)#]+)", page.read_text(encoding="utf-8")):
        if not target.startswith("https://"):
            assert (page.parent / target).exists(), target


@pytest.mark.parametrize("what", ["run", "test"])
def test_a_newcomer_needs_one_line(what: str):
    _, _, after = README.read_text(encoding="utf-8").partition(f"<!-- newcomer: {what} -->\n")
    assert after.startswith("```bash\n")
    assert len(BLOCK.findall(after)[0][1].splitlines()) == 1


# --- What is printed -----------------------------------------------------------------------------------------------


@cache
def printed(line: str) -> Result:
    result = CliRunner().invoke(cli.main, shlex.split(line)[1:])
    assert result.exit_code == 0, result.output
    return result


def in_plain_words(text: str) -> list[str]:
    """Return the lines with single spaces, without empty lines: how columns are laid out does not matter."""
    return [" ".join(line.split()) for line in text.splitlines() if line.strip()]


def assert_shows(shown: str, whole: str) -> None:
    """Check that the shown lines are those of the whole, in order, but for what "..." stands for."""
    lines, place = in_plain_words(whole), 0
    parts = re.split(rf"^{re.escape(LEFT_OUT)}$", shown, flags=re.MULTILINE)
    for number, part in enumerate(map(in_plain_words, parts)):
        places = [place] if number == 0 else range(place, len(lines) + 1)
        if number == len(parts) - 1:
            places = [place for place in places if place == len(lines) - len(part)]
        found = next((place for place in places if lines[place : place + len(part)] == part), None)
        assert found is not None, "\n".join(["not printed (any more):", *part, "", "but:", *lines])
        place = found + len(part)


def shown_outputs() -> list[tuple[str, str]]:
    """Return every command of the README that stands alone in a block, with the output below it."""
    pairs = zip(blocks(README), blocks(README)[1:], strict=False)
    return [
        (code.strip(), shown)
        for (kind, code), (kind_below, shown) in pairs
        if kind == "bash" and kind_below == "text" and code.startswith("escalation")
    ]


needs_speed = pytest.mark.skipif(bool(numba_config.DISABLE_JIT), reason="a million games take hours uncompiled")


@needs_speed
@pytest.mark.parametrize(("line", "shown"), shown_outputs())
def test_the_readme_shows_what_is_printed(line: str, shown: str):
    assert_shows(shown, printed(line).stdout)


@needs_speed
def test_the_first_result_is_true():
    # A tenth of the games of the first sweep: the same settings, but only those that its table shows.
    shown = next(text for _, text in blocks(README) if "3 best settings" in text)
    rows = [line for line in in_plain_words(shown) if re.match(r"\d \d \d ", line)]
    assert len(rows) == 9
    whole = printed("escalation sweep early_take=0 pass_hoard=2:8:2 --players 2-4 --games 100k")
    assert set(rows) <= set(in_plain_words(whole.stdout))


@needs_speed
@pytest.mark.parametrize("page", [README, ROOT / "docs" / "tactics.md"], ids=["README", "tactics"])
def test_the_python_on_a_page_prints_what_it_shows(page: Path):
    below = iter(blocks(page))
    code = next(code for kind, code in below if kind == "python")
    _, shown = next(below)
    with contextlib.redirect_stdout(io.StringIO()) as output:
        exec(code, {})
    assert_shows(shown, output.getvalue())


def test_lines_that_are_left_out_may_be_anything_but_shown_lines_may_not():
    assert_shows("a\n...\nc  d\n", "a\nb\n\nc d\n")
    for wrong in ("a\nc d\n", "b\n...\nc d\n", "...\nb\n", "a\n...\nd\n"):
        with pytest.raises(AssertionError):
            assert_shows(wrong, "a\nb\nc d\n")


def test_the_changelog_tells_of_every_command():
    text = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
    assert {name for name, command in cli.main.commands.items() if isinstance(command, click.Command)} <= set(
        re.findall(r"`([a-z]+)`", text)
    )
