"""The command line as tests use it."""

from __future__ import annotations

import shlex

import click
from click.testing import CliRunner, Result

import cli


def run(line: str | list[str]) -> Result:
    """Run a command, written as a user would write it after the program's name."""
    return CliRunner().invoke(cli.main, shlex.split(line) if isinstance(line, str) else line)


def check_mistake(line: str, message: str) -> None:
    """Check that a command is refused in one line on standard error that says so, with exit status 2."""
    result = run(line)
    assert result.exit_code == 2
    assert result.stdout == ""
    assert result.stderr.startswith("Error: ")
    assert result.stderr.count("\n") == 1
    assert message in result.stderr


def check_help(words: list[str], command: click.Command) -> None:
    """Check that the help of a command names and explains every option and ends with the command's example."""
    text = run([*words, "--help"]).output
    for parameter in command.params:
        if isinstance(parameter, click.Option):
            assert parameter.help, parameter.name
            assert parameter.opts[0] in text
    assert command.example in text
